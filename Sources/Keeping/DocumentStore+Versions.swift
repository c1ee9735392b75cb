import PortolanDocuments
package import PortolanFiles
import Synchronization

/// Earlier versions of documents, and what interrupted saves left behind.
extension DocumentStore {
  package var versionStore: VersionStore? {
    options.state.map { VersionStore(in: $0, bytesMax: options.versionsBytesMax, files) }
  }

  /// Who has versions kept here: an editor's saves are somebody's work, a script's are not.
  var keeper: SavedVersion.Keeper { options.guardsDocuments ? .person : .script }

  // MARK: Keeping

  /// Keeps what was saved among the versions; returns what is to be told, by the path of each.
  package func keepPendingVersions() -> [(path: String, notes: [StoreNote])] {
    let due = pendingVersions.withLock { pending in
      defer { pending = [] }
      return pending
    }
    guard let store = versionStore else { return [] }
    return due.map { ($0.path, store.tryToKeep($0.bytes, of: $0.realPath, by: $0.keeper).notes) }
      .filter { !$0.1.isEmpty }
  }

  /// Keeps what stands in a file before it is replaced, if no version has it; returns what is to
  /// be told of that.
  func keepPresent(
    _ path: String, _ known: FileIdentity?, by keeper: SavedVersion.Keeper
  ) -> [StoreNote] {
    guard let store = versionStore,
      let loaded = try? files.load(path, limit: store.bytesMax)
    else { return [] }
    let isForeign = known != nil && loaded.identity != known
    let reason = isForeign ? SavedVersion.Reason.foreign : .before
    return store.tryToKeep(loaded.bytes, of: path, reason: reason, by: keeper).notes
  }

  /// Finishes a save in place that was cut off.
  func settleInterrupted(_ path: String) -> [StoreNote] {
    let standby = options.state?.path(of: .standby)
    guard
      let interrupted = InterruptedSave.find(for: path, fallbackFolder: standby, in: files)
    else { return [] }
    if let store = versionStore, let torn = try? files.load(path, limit: store.bytesMax) {
      // What stands there may be torn, or written by another program since.
      _ = store.tryToKeep(torn.bytes, of: path, reason: .interrupted, by: .person)
    }
    do {
      try interrupted.finish(in: files)
      return [.interruptedSaveFinished]
    } catch {
      return [.interruptedSaveLeft(standby: interrupted.intentPath, error)]
    }
  }

  /// Removes what killed saves left; what may be the only copy of something becomes a version.
  ///
  /// - Parameter isExclusive: whether the lock is here; without, only old ones are collected.
  package func collectLeftovers(of path: String, isExclusive: Bool) -> [StoreNote] {
    let store = versionStore
    let codec = known(path)?.codec ?? DocumentCodec()
    var notes: [StoreNote] = []
    AtomicSave.removeLeftovers(of: path, now: files.time, isExclusive: isExclusive, in: files) {
      leftover in
      guard let bytes = try? files.load(leftover, limit: Self.bytesMax).bytes else {
        return false
      }
      // Half a document is of no use to anybody.
      guard (try? codec.decode(bytes) { _ in }) != nil else { return true }
      guard let store else { return false }
      if store.isNewest(bytes, of: path) { return true }
      let kept = store.tryToKeep(bytes, of: path, reason: .interrupted, by: .person)
      notes += kept.notes
      if kept.isKept, !notes.contains(.leftoverKept) { notes.insert(.leftoverKept, at: 0) }
      return kept.isKept
    }
    return notes
  }

  // MARK: Using

  /// The earlier versions of a document, the oldest first.
  package func versions(of path: String) throws(StoreError) -> [SavedVersion] {
    guard let store = versionStore else { throw StoreError(.noStateFolder, path) }
    return store.versions(of: path)
  }

  /// What an earlier version holds, byte by byte.
  package func bytes(ofVersion number: Int, of path: String) throws(StoreError) -> [UInt8] {
    let versions = try versions(of: path)
    guard let store = versionStore, let version = versions.first(where: { $0.number == number })
    else { throw StoreError(.noSuchVersion(number, known: versions.map(\.number)), path) }
    do {
      return try store.bytes(of: version, of: path)
    } catch {
      throw StoreError(.reading(error), error.path)
    }
  }

  /// Writes a version byte by byte; the content that it replaces becomes a version first.
  package func put(
    _ bytes: [UInt8], at path: String, overwrites: Bool, isForced: Bool
  ) throws(StoreError) -> [StoreNote] {
    let key = key(of: path)
    if let open = openPath(of: path) { throw StoreError(.openHere(open), path) }
    let isLocked = try lockForSave(path, key, isForced: isForced)
    defer { if isLocked { releaseLock(key) } }
    var notes = isLocked ? collectLeftovers(of: path, isExclusive: true) : []
    do {
      try writing.withLock { (_) throws(FileError) in
        // Somebody asked for this very version: what goes for it is somebody's too.
        notes += keepPresent(path, nil, by: .person)
        _ = try files.save(bytes, to: path, expecting: overwrites ? .anything : .absent)
      }
      return notes
    } catch {
      throw StoreError(.writing(error), path)
    }
  }
}

extension VersionStore {
  /// Keeps a version; tells why it was not kept, and what had to go for it.
  func tryToKeep(
    _ bytes: [UInt8], of path: String, reason: SavedVersion.Reason = .saved,
    by keeper: SavedVersion.Keeper
  ) -> (isKept: Bool, notes: [StoreNote]) {
    var removed: [SavedVersion] = []
    var notes: [StoreNote] = []
    var isKept = false
    do {
      isKept = try keep(bytes, of: path, reason: reason, by: keeper) { removed = $0 } != nil
      if !isKept {
        notes.append(
          bytes.count > bytesMax ? .tooLargeForVersion(path: path) : .noRoomForVersion)
      }
    } catch {
      notes.append(.versionNotKept(error))
    }
    if !removed.isEmpty { notes.append(.versionsRemoved(removed)) }
    return (isKept, notes)
  }
}
