internal import Glibc

/// Replaces a file so that its name always leads to one whole version: the old or the new.
///
/// The new version is written to a hidden file beside the old one (for us alone until it is whole),
/// gets the old one's permissions, owner and attributes, is made durable, and then is exchanged
/// with it. The displaced version is compared with the one that was loaded: a version that another
/// program wrote meanwhile is kept as `NAME.theirs`, never lost. A failed save leaves the old file
/// and nothing else. Files with several names, or with an owner that cannot be kept, are
/// overwritten in place, with the whole new version as a standby until that is done (see
/// `InterruptedSave`).
///
///     let save = try AtomicSave(to: path, expecting: .version(loaded.identity), in: fileSystem)
///     try save.write(bytes)              // as often as needed
///     let outcome = try save.commit()    // "saved" may be said now
///
/// Released without `commit`, it removes its hidden file.
package final class AtomicSave {
  let fileSystem: any FileSystem
  let target: SaveTarget
  let expectation: SaveExpectation
  let options: SaveOptions
  /// The hidden file and its folder: the target's own, or the fallback.
  var temporary: FileDescriptor
  var temporaryName: String
  let temporaryFolder: FileDescriptor
  let temporaryFolderPath: String
  var state = State.writing
  /// The digest of the written bytes.
  var written = ContentDigest()

  enum State { case writing, failed, done }

  /// Creates the hidden file; nothing else is touched before `commit`.
  package init(
    to path: String, expecting expectation: SaveExpectation, options: SaveOptions = SaveOptions(),
    in fileSystem: any FileSystem
  ) throws(FileError) {
    self.fileSystem = fileSystem
    self.expectation = expectation
    self.options = options
    target = try SaveTarget(resolving: path, in: fileSystem)
    do {
      try AtomicSave.refuse(target, expectation, options)
      let made = try AtomicSave.makeTemporary(target, options, fileSystem)
      (temporary, temporaryName) = (made.file, made.name)
      (temporaryFolder, temporaryFolderPath) = (made.folder, made.folderPath)
    } catch {
      try? fileSystem.close(target.folder)
      throw error
    }
    // Locked while we write, so that a collector of leftovers leaves it alone.
    _ = try? fileSystem.lock(temporary)
  }

  deinit { abandon() }

  /// Appends all of these bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    guard state == .writing else {
      throw FileError(call: "write", path: target.path, number: EBADF)
    }
    do {
      try fileSystem.writeAll(temporary, bytes)
      written.add(bytes)
    } catch {
      throw fail(error)
    }
  }

  /// Appends all of these bytes.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    var failure: FileError?
    bytes.withUnsafeBytes { buffer in
      do throws(FileError) { try write(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Replaces the file by the written content, durably (see `SaveOutcome.isConfirmed`).
  package func commit() throws(FileError) -> SaveOutcome {
    guard state == .writing else {
      throw FileError(call: "rename", path: target.path, number: EBADF)
    }
    do {
      let outcome = try replace()
      state = .done
      closeFolders()
      return outcome
    } catch {
      throw fail(error)
    }
  }

  /// Removes the hidden file; the target stays unchanged.
  package func abandon() {
    guard state == .writing else { return }
    state = .failed
    closeTemporary()
    removeTemporary()
    closeFolders()
  }

  /// Leaves the hidden file in place, for `InterruptedSave`.
  func keepIntent(after error: FileError) -> FileError {
    state = .done
    closeTemporary()
    closeFolders()
    var named = error
    named.problem = .interrupted(standby: FilePath.join(temporaryFolderPath, temporaryName))
    return named
  }

  /// Closes the hidden file, once.
  func closeTemporary() {
    guard temporary.rawValue >= 0 else { return }
    try? fileSystem.close(temporary)
    temporary.rawValue = -1
  }

  /// Removes the hidden file's name, with a second try.
  @discardableResult
  func removeTemporary() -> Bool {
    for attempt in 0..<2 {
      do {
        try fileSystem.remove(temporaryName, in: temporaryFolder)
        return true
      } catch {
        if attempt > 0, error.number == ENOENT { return true }
      }
    }
    return false
  }

  private func fail(_ error: FileError) -> FileError {
    var named = error
    // The user knows the document, not the hidden file.
    named.path = target.path
    abandon()
    return named
  }

  private func closeFolders() {
    if temporaryFolder != target.folder { try? fileSystem.close(temporaryFolder) }
    try? fileSystem.close(target.folder)
  }

  private static func refuse(
    _ target: SaveTarget, _ expectation: SaveExpectation, _ options: SaveOptions
  ) throws(FileError) {
    guard let existing = target.existing else { return }
    if expectation == .absent {
      throw FileError(call: "open", path: target.path, number: EEXIST, problem: .exists)
    }
    if existing.mode & 0o222 == 0, !options.replacesReadOnly {
      throw FileError(call: "open", path: target.path, number: EACCES, problem: .isReadOnly)
    }
  }

  private typealias Temporary = (
    file: FileDescriptor, name: String, folder: FileDescriptor, folderPath: String
  )

  private static func makeTemporary(
    _ target: SaveTarget, _ options: SaveOptions, _ fileSystem: any FileSystem
  ) throws(FileError) -> Temporary {
    do {
      let made = try makeTemporary(target, in: target.folder, fileSystem)
      return (made.file, made.name, target.folder, target.folderPath)
    } catch let error where error.number == EACCES || error.number == EPERM {
      guard target.existing != nil, let path = options.fallbackFolder else { throw error }
      let folder = try fileSystem.open(path, in: nil, .directory)
      do {
        let made = try makeTemporary(target, in: folder, fileSystem)
        return (made.file, made.name, folder, path)
      } catch {
        try? fileSystem.close(folder)
        throw error
      }
    }
  }

  private static func makeTemporary(
    _ target: SaveTarget, in folder: FileDescriptor, _ fileSystem: any FileSystem
  ) throws(FileError) -> (file: FileDescriptor, name: String) {
    var random = SystemRandomNumberGenerator()
    var attempts = 0
    while true {
      let number = String(UInt64.random(in: 0..<1 << 40, using: &random), radix: 36)
      let name = target.hiddenName(".\(number).tmp")
      do {
        return (try fileSystem.open(name, in: folder, .createNew), name)
      } catch let error where error.number == EEXIST && attempts < 8 {
        attempts += 1
      } catch {
        var named = error
        named.path = target.path
        throw named
      }
    }
  }
}
