internal import Glibc

extension AtomicSave {
  /// Overwrites the file itself, so that its other names or its owner stay.
  ///
  /// The whole new version is kept under the intent's name until the file is durable, so that the
  /// next open after a crash gets one whole version (`InterruptedSave`). The file first grows to
  /// its new size: a full disk is noticed while nothing is lost.
  ///
  /// - Returns: `false` when the file cannot be written in place and may be replaced instead.
  func overwriteInPlace(
    _ existing: FileStatus, _ outcome: inout SaveOutcome
  ) throws(FileError) -> Bool {
    let file: FileDescriptor
    do {
      file = try fileSystem.open(target.name, in: target.folder, .readWrite)
    } catch {
      if existing.linkCount == 1, temporaryFolder == target.folder { return false }
      throw error
    }
    defer { try? fileSystem.close(file) }
    let present = try fileSystem.status(file)
    guard present.identity.inode == existing.identity.inode,
      present.identity.device == existing.identity.device
    else {
      throw FileError(
        call: "open", path: target.path, number: EBUSY, problem: .changedMeanwhile)
    }
    var expected: FileIdentity? = existing.identity
    switch expectation {
    case .version(let identity, _): expected = identity
    case .foreign: expected = nil
    case .absent, .anything: break
    }
    let isExpected =
      present.identity == expected
      && holdsExpected { (mark) throws(FileError) in try fileSystem.holds(mark, file) }
    try keepFormer(file, present, isExpected: isExpected, &outcome)
    let size = outcome.identity.size
    do {
      try stateIntent()
      try reserve(file, from: present.identity.size, to: size)
    } catch {
      // Nothing was changed: its copy is not needed. A kept intent changes it later.
      if state == .writing, let former = outcome.former { try? fileSystem.remove(former, in: nil) }
      throw error
    }
    do {
      try overwrite(file, size: size)
    } catch {
      // Once more; if it fails again, the intent stays and the next opening finishes the save.
      do {
        try overwrite(file, size: size)
      } catch {
        throw keepIntent(after: error)
      }
    }
    if let written = (try? fileSystem.status(file)) ?? (try? fileSystem.status(file)) {
      outcome.identity = written.identity
    }
    closeTemporary()
    if !removeTemporary() { outcome.warnings.append(.leftBehind(path: temporaryPath)) }
    return true
  }

  /// Keeps the version about to be overwritten beside the file, if it is another program's or if
  /// that was requested.
  private func keepFormer(
    _ file: FileDescriptor, _ present: FileStatus, isExpected: Bool, _ outcome: inout SaveOutcome
  ) throws(FileError) {
    if !isExpected {
      outcome.theirs = try copyAside(file, present) {
        SaveTarget.numbered(target.name, ".theirs", $0)
      }
    } else if let name = options.formerVersionName {
      do {
        outcome.former = try copyAside(file, present) { SaveTarget.numbered(name, "", $0) }
      } catch let error where [EACCES, EPERM, EROFS].contains(error.number) {
        // A folder that takes no new files; the version is among the earlier ones.
        return
      }
    } else {
      return
    }
    if temporaryFolder != target.folder { try fileSystem.synchronize(target.folder) }
  }

  /// Lets the file grow, and undoes that if there is no room.
  private func reserve(
    _ file: FileDescriptor, from old: Int64, to new: Int64
  ) throws(FileError) {
    guard new > old else { return }
    do {
      try fileSystem.seek(file, to: old)
      try fileSystem.seek(temporary, to: old)
      try fileSystem.copyAll(from: temporary, to: file)
    } catch {
      for _ in 0..<2 where (try? fileSystem.truncate(file, to: old)) != nil { throw error }
      throw keepIntent(after: error)
    }
  }

  /// Gives the hidden file, whole and durable, the name under which it is looked for after a crash.
  private func stateIntent() throws(FileError) {
    let name = InterruptedSave.intentName(target)
    try fileSystem.rename(temporaryName, to: name, in: temporaryFolder, .replace)
    temporaryName = name
    try fileSystem.synchronize(temporaryFolder)
  }

  private func overwrite(_ file: FileDescriptor, size: Int64) throws(FileError) {
    try fileSystem.seek(file, to: 0)
    try fileSystem.seek(temporary, to: 0)
    try fileSystem.copyAll(from: temporary, to: file)
    try fileSystem.truncate(file, to: size)
    try fileSystem.synchronize(file)
    try verify(file)
  }

  /// A copy of the file's content, under the first free name.
  private func copyAside(
    _ file: FileDescriptor, _ status: FileStatus, as name: (Int) -> String
  ) throws(FileError) -> String {
    for number in 1...10_000 {
      let name = name(number)
      do throws(FileError) {
        let copy = try fileSystem.open(name, in: target.folder, .createNew)
        defer { try? fileSystem.close(copy) }
        do {
          try fileSystem.copyAll(from: file, to: copy)
          try fileSystem.setMode(copy, status.mode & 0o777)
          try fileSystem.synchronize(copy)
        } catch {
          try? fileSystem.remove(name, in: target.folder)
          throw error
        }
        return FilePath.join(target.folderPath, name)
      } catch let error where error.number == EEXIST {
        continue
      }
    }
    throw FileError(call: "open", path: target.path, number: EEXIST, problem: .changedMeanwhile)
  }
}
