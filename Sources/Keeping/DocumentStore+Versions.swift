import PortolanDocuments
package import PortolanFiles
import Synchronization

/// Earlier versions of documents, and files that interrupted saves left behind.
extension DocumentStore {
  package var versionStore: VersionStore? {
    options.state.map { VersionStore(in: $0, bytesMax: options.versionsBytesMax, files) }
  }

  /// For whom versions are kept here: an editor's saves are a person's work, a script's are not.
  var keeper: SavedVersion.Keeper { options.guardsDocuments ? .person : .script }

  // MARK: Keeping

  /// Keeps the saved contents among the versions; returns the notes of each path.
  package func keepPendingVersions() -> [(path: String, notes: [StoreNote])] {
    let due = pendingVersions.withLock { pending in
      defer { pending = [] }
      return pending
    }
    guard let store = versionStore else { return [] }
    return due.map { ($0.path, store.tryToKeep($0.bytes, of: $0.realPath, by: $0.keeper).notes) }
      .filter { !$0.1.isEmpty }
  }

  /// Keeps the content of a file before it is replaced, if no version has it; returns the notes.
  func keepPresent(
    _ path: String, _ known: FileVersion?, by keeper: SavedVersion.Keeper
  ) -> [StoreNote] {
    guard let store = versionStore,
      let loaded = try? files.load(path, limit: store.bytesMax)
    else { return [] }
    let isForeign =
      known?.identity != nil
      && (loaded.identity != known?.identity || ContentMark(loaded.bytes) != known?.mark?.value)
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
      // The content may be torn, or written by another program since.
      _ = store.tryToKeep(torn.bytes, of: path, reason: .interrupted, by: .person)
    }
    do {
      try interrupted.finish(in: files)
      return [.interruptedSaveFinished]
    } catch {
      return [.interruptedSaveLeft(standby: interrupted.intentPath, error)]
    }
  }

  /// Removes the files of killed saves; a content that may be the only copy becomes a version.
  ///
  /// - Parameter isExclusive: whether we hold the lock; without it only old files are collected.
  package func collectLeftovers(of path: String, isExclusive: Bool) -> [StoreNote] {
    let store = versionStore
    let codec = known(path)?.codec ?? DocumentCodec()
    var notes: [StoreNote] = []
    AtomicSave.removeLeftovers(of: path, now: files.time, isExclusive: isExclusive, in: files) {
      leftover in
      guard let bytes = try? files.load(leftover, limit: Self.bytesMax).bytes else {
        return false
      }
      // Half a document is of no use.
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

  /// The bytes of an earlier version.
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

  /// Writes a version byte by byte; the replaced content becomes a version first.
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
        // A person asked for this version: the replaced content counts as a person's work too.
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
  /// Keeps a version; returns why it was not kept, or which versions were removed for it.
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
