package import PortolanFiles
import Synchronization

/// A change that others made to the file or the lock of an open document.
package enum StoreEvent: Hashable, Sendable {
  /// Another program wrote or removed it.
  case changed(path: String, FileChange)
  /// Another user or program wants to edit the document.
  case wanted(path: String, by: LockHolder)
  /// The lock is free again on a document that was opened read-only.
  case freed(path: String)
}

/// What another program did to a document's file: wrote or removed it.
package enum FileChange: Hashable, Sendable {
  case written, removed
}

/// Locks of documents, and changes that others make to their files.
extension DocumentStore {
  /// Takes the lock of an opened document, and watches its file from now on.
  ///
  /// - Parameter leavesWord: whether to tell the lock holder that we want the document.
  func guarded(
    _ opened: StoredDocument, _ key: [UInt8], _ identity: FileIdentity?, leavesWord: Bool
  ) -> StoredDocument {
    var opened = opened
    var watch = Watch(found: identity)
    // A reload is not reported as a change.
    if opened.pendingVersion != nil, !leavesWord { watch.told = .some(identity) }
    switch takeLock(of: opened.path, key, leavesWord: leavesWord) {
    case .taken:
      opened.lock = .ours
      opened.notes = collectLeftovers(of: opened.path, isExclusive: true) + opened.notes
      if let status = try? files.targetStatus(opened.path), status.mode & 0o222 == 0 {
        opened.notes.append(.fileIsReadOnly)
      }
    case .held(let holder):
      opened.lock = .held(holder)
      watch.isHeldByOthers = true
      // The lock holder is the one to be asked about left work.
      for work in opened.leftWork { work.journal.file.leave() }
      opened.leftWork = []
    case .unavailable(let error): opened.notes.append(.noLock(error))
    }
    beginWatch(watch, key, opened.path)
    return opened
  }

  private func beginWatch(_ watch: Watch, _ key: [UInt8], _ path: String) {
    table.withLock { table in
      table[key, path].watch = watch
      table.keys[FilePath.key(path)] = key
    }
  }

  /// The lock holder that others see for documents open here.
  var me: LockHolder {
    var me = options.holder ?? LockHolder.current(in: files)
    me.since = files.seconds
    return me
  }

  private enum LockResult {
    /// The lock is here, taken now or before.
    case taken(isNew: Bool)
    case held(LockHolder?)
    case unavailable(FileError)
  }

  /// Takes and keeps the lock of a document, unless it is here already.
  private func takeLock(of path: String, _ key: [UInt8], leavesWord: Bool = true) -> LockResult {
    if table.withLock({ $0.files[key]?.lock != nil }) { return .taken(isNew: false) }
    switch DocumentLock.take(
      for: path, as: me, state: options.state, leavesWord: leavesWord, in: files)
    {
    case .taken(let lock):
      table.withLock { $0[key, path].lock = lock }
      return .taken(isNew: true)
    case .held(let holder): return .held(holder)
    case .unavailable(let error): return .unavailable(error)
    }
  }

  /// Makes sure that nobody else has the document open during a save.
  ///
  /// - Returns: whether the lock was taken for this save.
  func lockForSave(_ path: String, _ key: [UInt8], isForced: Bool) throws(StoreError) -> Bool {
    switch takeLock(of: path, key) {
    case .taken(let isNew): return isNew
    case .held(let holder) where !isForced: throw StoreError(.heldElsewhere(holder), path)
    case .held, .unavailable: return false
    }
  }

  func releaseLock(_ key: [UInt8]) {
    let lock = table.withLock { table in
      defer { table.files[key]?.lock = nil }
      return table.files[key]?.lock
    }
    lock?.release()
  }

  /// Ends one opening of a document. The last one releases the lock, stops watching the file and
  /// forgets the version read.
  package func close(_ path: String) { close(path, openings: 1) }

  private func close(_ path: String, openings: Int) {
    let key = table.withLock { table -> [UInt8]? in
      let name = FilePath.key(path)
      guard let key = table.keys[name], let file = table.files[key] else { return nil }
      if file.openings > openings {
        table.files[key]?.openings -= openings
        return nil
      }
      table.keys[name] = nil
      table.files[key]?.openings = 0
      table.files[key]?.watch = nil
      table.files[key]?.version = nil
      return key
    }
    if let key { releaseLock(key) }
  }

  /// Closes all documents.
  package func closeAll() {
    for path in table.withLock({ $0.openFiles.map(\.path) }) { close(path, openings: .max) }
  }

  // MARK: Looking

  /// Notes the saved version of a document's file and its name.
  func noteSaved(_ version: FileVersion, at path: String, real: String, formerKey: [UInt8]) {
    let key = FilePath.key(real)
    table.withLock { table in
      var file = table.files.removeValue(forKey: formerKey) ?? KeptFile(path: path)
      table.keys.removeValue(forKey: FilePath.key(file.path))
      file.path = path
      file.version = version
      if options.guardsDocuments {
        file.openings = max(file.openings, 1)
        file.watch = Watch(
          found: version.identity, isHeldByOthers: file.watch?.isHeldByOthers ?? false)
        table.keys[FilePath.key(path)] = key
      }
      table.files[key] = file
    }
  }

  /// Checks the files and locks of all open documents; returns the changes that others made.
  ///
  /// A change is reported when two checks found the same file: one that is being written is left
  /// alone.
  package func look() -> [StoreEvent] {
    table.withLock { $0.openFiles }.flatMap { look(at: $0) }
  }

  private func look(at file: KeptFile) -> [StoreEvent] {
    let path = file.path
    var events: [StoreEvent] = []
    // While we write ourselves there is nothing to report.
    writing.withLockIfAvailable { _ in
      let found = (try? files.targetStatus(path))?.identity
      if let change = noteFound(found, of: path) { events.append(.changed(path: path, change)) }
    }
    if let lock = file.lock {
      events += lock.newWishes().map { .wanted(path: path, by: $0) }
    } else if file.watch?.isHeldByOthers == true,
      case .taken(let lock) = DocumentLock.take(
        for: path, as: me, state: options.state, leavesWord: false, in: files)
    {
      lock.release()
      changeWatch(of: path) { watch, _ in watch.isHeldByOthers = false }
      events.append(.freed(path: path))
    }
    return events
  }

  private func noteFound(_ found: FileIdentity?, of path: String) -> FileChange? {
    changeWatch(of: path) { watch, known in
      let hasSettled = watch.found == found
      watch.found = found
      if found == known?.identity {
        watch.told = nil
        return nil
      }
      if !hasSettled || watch.told == .some(found) { return nil }
      watch.told = .some(found)
      return found == nil ? .removed : .written
    } ?? nil
  }

  /// Changes the record of the file of a document that is still open.
  @discardableResult
  private func changeWatch<Result: Sendable>(
    of path: String, _ body: (inout Watch, FileVersion?) -> Result
  ) -> Result? {
    table.withLock { table in
      guard let key = table.keys[FilePath.key(path)], let file = table.files[key],
        var watch = file.watch
      else { return nil }
      defer { table.files[key]?.watch = watch }
      return body(&watch, file.version)
    }
  }
}
