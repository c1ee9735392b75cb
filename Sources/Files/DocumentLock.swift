internal import Glibc
internal import Synchronization

/// The right to change a document, as a lock of the kernel on `.NAME.lock` beside it.
///
/// The kernel releases it the moment the process ends, however it ends, so it cannot go stale; a
/// file that stays behind means nothing. The text in the file is for people: the lock holder, and
/// the users who asked for the document. Where the document's folder takes no new files, the lock
/// is in the state folder, and works between the programs of one user. A file of several names
/// (hard links) has one more lock there, of the file itself.
package final class DocumentLock: Sendable {
  /// The result of an attempt to take the lock.
  package enum Attempt: Sendable {
    case taken(DocumentLock)
    /// Another process has it; `nil` if the holder is not known.
    case held(by: LockHolder?)
    /// No lock is possible: neither we nor others are locked out.
    case unavailable(FileError)
  }

  private struct State {
    var isReleased = false
    /// The number of requests of others reported so far.
    var toldCount = 0
    /// The lock of a file of several names.
    var fileLock: DocumentLock?
  }

  /// The path of the document, links resolved.
  package let path: String
  /// The path of the lock file.
  package let lockPath: String
  private let file: FileDescriptor
  private let fileSystem: any FileSystem
  private let state = Mutex(State())

  private init(
    path: String, lockPath: String, file: FileDescriptor, fileSystem: any FileSystem
  ) {
    self.path = path
    self.lockPath = lockPath
    self.file = file
    self.fileSystem = fileSystem
  }

  deinit { release() }

  /// Releases the lock and removes its file.
  package func release() {
    let (wasReleased, fileLock) = state.withLock { state in
      defer { (state.isReleased, state.fileLock) = (true, nil) }
      return (state.isReleased, state.fileLock)
    }
    guard !wasReleased else { return }
    fileLock?.release()
    // The name first: a process that opens it afterwards makes a new file, and one that has it open
    // already sees that it has no name any more.
    if isNamed { try? fileSystem.remove(lockPath, in: nil) }
    try? fileSystem.close(file)
  }

  /// Whether the lock's name still leads to it: the file may have been removed or replaced.
  private var isNamed: Bool {
    guard let named = try? fileSystem.status(lockPath, in: nil),
      let own = try? fileSystem.status(file)
    else { return false }
    return named.identity.inode == own.identity.inode
      && named.identity.device == own.identity.device
  }

  /// The users who have asked for the document since the last call.
  package func newWishes() -> [LockHolder] {
    let others = state.withLock { $0.fileLock }?.newWishes() ?? []
    let own = state.withLock { state -> [LockHolder] in
      guard !state.isReleased, let content = try? DocumentLock.content(of: file, fileSystem)
      else { return [] }
      let wishes = LockContent(content).wishes
      defer { state.toldCount = max(state.toldCount, wishes.count) }
      return Array(wishes.dropFirst(state.toldCount))
    }
    return others + own
  }

  // MARK: Taking

  /// Tries to take the lock of a document, which need not exist yet; never waits.
  ///
  /// - Parameters:
  ///   - state: the folder for the lock if the document's folder takes no new files.
  ///   - leavesWord: whether to tell the lock holder that we want the document.
  package static func take(
    for path: String, as holder: LockHolder, state: StateFolder? = nil, leavesWord: Bool = true,
    in fileSystem: any FileSystem
  ) -> Attempt {
    do {
      let target = try SaveTarget(resolving: path, in: fileSystem)
      defer { try? fileSystem.close(target.folder) }
      let request = Request(
        target: target, holder: holder, leavesWord: leavesWord, fileSystem: fileSystem)
      do {
        let attempt = try request.take(
          FilePath.join(target.folderPath, target.hiddenName(".lock")))
        return request.takeFile(in: state, after: attempt)
      } catch let error where [EACCES, EROFS, EPERM].contains(error.number) {
        guard let state else { return .unavailable(error) }
        let name = StateFolder.name(for: target.path) + ".lock"
        let attempt = try request.take(
          FilePath.join(try state.make(.locks, in: fileSystem), name))
        return request.takeFile(in: state, after: attempt)
      }
    } catch {
      return .unavailable(error)
    }
  }

  private struct Request {
    var target: SaveTarget
    var holder: LockHolder
    var leavesWord: Bool
    var fileSystem: any FileSystem

    func take(_ lockPath: String) throws(FileError) -> Attempt {
      for _ in 0..<64 {
        let file: FileDescriptor
        do {
          file = try fileSystem.open(lockPath, in: nil, .lock)
        } catch let error where error.number == EACCES {
          guard let attempt = askReadOnly(lockPath) else { throw error }
          return attempt
        }
        do {
          if let attempt = try take(file, lockPath) { return attempt }
        } catch {
          removeIfEmpty(file, lockPath)
          try? fileSystem.close(file)
          var named = error
          named.path = lockPath
          throw named
        }
        // The former holder removed the name between our two calls.
        try? fileSystem.close(file)
      }
      throw FileError(call: "fcntl", path: lockPath, number: EBUSY)
    }

    /// Removes a lock file that could not be read or locked, if nothing was ever written into it:
    /// it may be the one that we have just created.
    ///
    /// Whoever may have opened it meanwhile sees that it has no name any more, and makes another.
    private func removeIfEmpty(_ file: FileDescriptor, _ lockPath: String) {
      guard let own = try? fileSystem.status(file), own.kind == .regular, own.identity.size == 0,
        own.linkCount == 1, (try? fileSystem.isLocked(file)) != true,
        let named = try? fileSystem.status(lockPath, in: nil), named.identity == own.identity
      else { return }
      try? fileSystem.remove(lockPath, in: nil)
    }

    /// Takes the lock of a file of several names, after that of the name.
    ///
    /// If it cannot be taken for another reason than being held, the lock of the name suffices.
    func takeFile(in state: StateFolder?, after attempt: Attempt) -> Attempt {
      guard case .taken(let lock) = attempt, let state, let existing = target.existing,
        existing.linkCount > 1, let folder = try? state.make(.locks, in: fileSystem)
      else { return attempt }
      let name = "file-\(existing.identity.device)-\(existing.identity.inode).lock"
      switch try? take(FilePath.join(folder, name)) {
      case .taken(let fileLock)?:
        lock.state.withLock { $0.fileLock = fileLock }
        return attempt
      case .held(let holder)?:
        lock.release()
        return .held(by: holder)
      case .unavailable?, nil: return attempt
      }
    }

    /// Another user's read-only lock file: held, or of no use to us.
    private func askReadOnly(_ lockPath: String) -> Attempt? {
      guard let file = try? fileSystem.open(lockPath, in: nil, .read) else { return nil }
      defer { try? fileSystem.close(file) }
      guard (try? fileSystem.isLocked(file)) == true else { return nil }
      // A text that is not ours does not name the holder; the lock is held all the same.
      let content = (try? DocumentLock.content(of: file, fileSystem)) ?? []
      return .held(by: LockContent(content).holder)
    }

    /// `nil` if this file is not the lock any more.
    private func take(
      _ file: FileDescriptor, _ lockPath: String
    ) throws(FileError) -> Attempt? {
      let content: [UInt8]
      do {
        content = try DocumentLock.content(of: file, fileSystem)
      } catch {
        guard (try? fileSystem.isLocked(file)) == true else { throw error }
        try? fileSystem.close(file)
        return .held(by: nil)
      }
      guard try fileSystem.lock(file) else {
        if leavesWord { leaveWord(behind: content, in: file) }
        try? fileSystem.close(file)
        return .held(by: LockContent(content).holder)
      }
      let lock = DocumentLock(
        path: target.path, lockPath: lockPath, file: file, fileSystem: fileSystem)
      guard lock.isNamed else {
        lock.state.withLock { $0.isReleased = true }
        return nil
      }
      // On a full disk the lock is held without a text.
      try? sign(file)
      return .taken(lock)
    }

    /// Writes who we are, with the document's permissions: its readers may read this too.
    private func sign(_ file: FileDescriptor) throws(FileError) {
      try fileSystem.truncate(file, to: 0)
      try fileSystem.seek(file, to: 0)
      try write(LockContent.text(of: holder), to: file)
      if let document = target.existing {
        try? fileSystem.setMode(file, document.mode & 0o666 | 0o600)
        let own = try fileSystem.status(file)
        if own.group != document.group {
          try? fileSystem.setOwner(file, owner: nil, group: document.group)
        }
      }
    }

    private func leaveWord(behind content: [UInt8], in file: FileDescriptor) {
      guard content.count < LockContent.bytesMax / 2 else { return }
      try? fileSystem.seek(file, to: Int64(content.count))
      try? write("wanted \(holder.line)\n", to: file)
    }

    private func write(_ text: String, to file: FileDescriptor) throws(FileError) {
      var failure: FileError?
      Array(text.utf8).withUnsafeBytes { bytes in
        do throws(FileError) { try fileSystem.writeAll(file, bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  /// The content of a lock file.
  ///
  /// - Throws: `FileError` if the file is no lock of ours: then nothing may be written to it.
  private static func content(
    of file: FileDescriptor, _ fileSystem: any FileSystem
  ) throws(FileError) -> [UInt8] {
    let status = try fileSystem.status(file)
    guard status.kind == .regular, status.linkCount <= 1,
      status.identity.size <= LockContent.bytesMax
    else { throw FileError(call: "open", path: "", number: EPERM) }
    try fileSystem.seek(file, to: 0)
    let content = try FileReader(fileSystem: fileSystem, path: "", limit: LockContent.bytesMax)
      .bytes(of: file, expected: Int(clamping: status.identity.size))
    guard LockContent.isOurs(content) else {
      throw FileError(call: "open", path: "", number: EPERM)
    }
    return content
  }
}

/// The content of a lock file: a sentence, the lock holder, and the users who asked for it.
struct LockContent {
  static let bytesMax = 65_536
  private static let title = "Portolan has this document open"

  var holder: LockHolder?
  var wishes: [LockHolder] = []

  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("held ") { holder = holder ?? LockHolder(line: line.dropFirst(5)) }
      if line.hasPrefix("wanted "), let wish = LockHolder(line: line.dropFirst(7)) {
        wishes.append(wish)
      }
    }
  }

  static func text(of holder: LockHolder) -> String {
    title + ": \(holder.description), since \(TimeText.local(seconds: holder.since)).\n"
      + "The lock ends with the program; if this file stays behind, it means nothing.\n"
      + "held \(holder.line)\n"
  }

  /// Whether a lock file may be overwritten: it is new, or was one before.
  static func isOurs(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty || bytes.starts(with: Array(title.utf8)) || bytes.starts(with: "wanted ".utf8)
  }
}
