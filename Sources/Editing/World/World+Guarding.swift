import Files
import Interchange
import Keeping
import Synchronization

/// Locks of documents, and what others do to their files.
extension World {
  /// The file of the document that is open, as it was when it was last looked at.
  struct WatchedFile: Sendable {
    var path: String
    /// The version that is here; `nil` for a file that was not there.
    var known: FileIdentity?
    /// What was found when it was looked at last: a change is told when it has settled.
    var found: FileIdentity?
    /// What was told already.
    var told: FileIdentity??
    /// Whether somebody else had it open.
    var isHeldByOthers: Bool
  }

  /// Takes the lock of a document that was opened, if documents are edited here.
  ///
  /// - Parameter leavesWord: whether who has it is told that it is wanted.
  func guarded(
    _ file: OpenedFile, identity: FileIdentity?, leavesWord: Bool = true
  ) -> OpenedFile {
    guard options.guardsDocuments else { return file }
    var file = file
    switch takeLock(of: file.path, leavesWord: leavesWord) {
    case .ours:
      file.notices = collectLeftovers(of: file.path, isExclusive: true) + file.notices
      if let status = try? files.targetStatus(file.path), status.mode & 0o222 == 0 {
        file.notices.append("the file is read-only: :w NAME.doc saves under another name")
      }
    case .held(let holder):
      file.holder = holder
      // Whoever has it open is asked about work that was left.
      for work in file.leftWork { work.journal.file.leave() }
      file.leftWork = []
      file.readOnlyReason =
        file.readOnlyReason
        ?? "it is open elsewhere: \(holder); :duplicate makes a copy to edit, :watch follows it"
    case .unavailable(let error):
      file.notices.append("no lock could be taken, others are not kept out: \(error.what)")
    }
    watched.withLock {
      $0 = WatchedFile(
        path: file.path, known: identity, found: identity, isHeldByOthers: file.holder != nil)
    }
    return file
  }

  /// Who others are told has a document open here.
  private var me: LockHolder {
    var me = options.holder ?? LockHolder.current(in: files)
    me.since = files.seconds
    return me
  }

  enum LockResult {
    case ours
    case held(String)
    case unavailable(FileError)
  }

  /// Takes the lock of a document and keeps it, unless it is here already.
  private func takeLock(of path: String, leavesWord: Bool = true) -> LockResult {
    if locks.withLock({ $0[FilePath.key(path)] != nil }) { return .ours }
    let me = me
    switch DocumentLock.take(
      for: path, as: me, state: options.state, leavesWord: leavesWord, in: files)
    {
    case .taken(let lock):
      locks.withLock { $0[FilePath.key(path)] = lock }
      return .ours
    case .held(let holder):
      // Under another of its names it may be our own.
      if let holder, holder.process == me.process, holder.host == me.host, holder.boot == me.boot {
        return .ours
      }
      return .held(words(for: holder))
    case .unavailable(let error): return .unavailable(error)
    }
  }

  private func words(for holder: LockHolder?) -> String {
    guard let holder else { return "another program has it open" }
    // What stands in the lock's file may be anything.
    let (difference, isBeyond) = files.seconds.subtractingReportingOverflow(holder.since)
    let age = isBeyond ? 0 : difference
    return "\(holder.description) has had it open since \(options.clock(Double(holder.since)))"
      + (age < 120 ? "" : ", for \(TimeText.span(seconds: age))")
  }

  /// Makes sure that nobody else has the document open for as long as it is written.
  ///
  /// - Returns: a lock to be given back after the save; `nil` when there is none to be given back.
  func lockForSave(_ request: SaveRequest) throws(Failure) -> DocumentLock? {
    let isNew = locks.withLock { $0[FilePath.key(request.path)] == nil }
    guard case .held(let holder) = takeLock(of: request.path) else {
      guard isNew else { return nil }
      // An editor keeps what it took: it goes on with the document under this name.
      return options.guardsDocuments
        ? nil : locks.withLock { $0.removeValue(forKey: FilePath.key(request.path)) }
    }
    if request.isForced { return nil }
    throw Failure(
      .output, subject: request.path,
      what: "is open elsewhere: \(holder): save under another name, or save --force")
  }

  /// Gives back the lock of a document, and looks at its file no longer.
  func letGo(_ path: String) {
    locks.withLock { $0.removeValue(forKey: FilePath.key(path)) }?.release()
    watched.withLock { if FilePath.isSame($0?.path, path) { $0 = nil } }
  }

  /// Gives back all locks.
  package func letGoOfAll() {
    for lock in locks.withLock({ locks in
      defer { locks = [:] }
      return Array(locks.values)
    }) { lock.release() }
  }

  // MARK: Looking

  /// Notes which version of the document's file is here now.
  func noteIdentity(_ identity: FileIdentity, of path: String) {
    watched.withLock { watched in
      if FilePath.isSame(watched?.path, path) {
        watched?.known = identity
        watched?.told = nil
      } else if options.guardsDocuments {
        watched = WatchedFile(path: path, known: identity, found: identity, isHeldByOthers: false)
      }
    }
  }

  /// Looks at the document's file and its lock; answers what others did.
  ///
  /// A change is told when two looks found the same: a file that is being written is left alone.
  package func look() -> [Event] {
    guard let path = watched.withLock({ $0?.path }) else { return [] }
    var events: [Event] = []
    // While we write ourselves there is nothing to be told.
    writing.withLockIfAvailable { _ in
      let found = (try? files.targetStatus(path))?.identity
      if let change = noteFound(found, of: path) { events.append(change) }
    }
    if let lock = locks.withLock({ $0[FilePath.key(path)] }) {
      for wish in lock.newWishes() { events.append(.wanted(path: path, by: wish.description)) }
    } else if watched.withLock({ $0?.isHeldByOthers == true }) {
      let me = me
      if case .taken(let lock) = DocumentLock.take(
        for: path, as: me, state: options.state, leavesWord: false, in: files)
      {
        lock.release()
        watched.withLock { $0?.isHeldByOthers = false }
        events.append(.freed(path: path))
      }
    }
    return events
  }

  private func noteFound(_ found: FileIdentity?, of path: String) -> Event? {
    watched.withLock { watched in
      guard var file = watched, FilePath.isSame(file.path, path) else { return nil }
      defer { watched = file }
      let hasSettled = file.found == found
      file.found = found
      if found == file.known {
        file.told = nil
        return nil
      }
      if !hasSettled || file.told == .some(found) { return nil }
      file.told = .some(found)
      return .changedOnDisk(path: path, found == nil ? .removed : .written)
    }
  }

  /// Reads the file of the open document again.
  func reload(_ path: String, _ work: Progress) throws(Failure) -> OpenedFile {
    let former = known.withLock { $0[FilePath.key(path)]?.identity }
    var file: OpenedFile
    do {
      file = try open(path, work, isReload: true)
    } catch {
      if error.isNoSuchFile {
        throw Failure(.input, subject: path, what: "is gone from the disk: :w writes it again")
      }
      var failure = error
      failure.what += "; :w writes what is here"
      throw failure
    }
    file.isUnchanged =
      former != nil && former == known.withLock { $0[FilePath.key(path)]?.identity }
    guard file.isDocumentFile else {
      throw Failure(.input, subject: path, what: "is not a document any more")
    }
    file.isReload = true
    return file
  }
}
