package import PortolanDocuments
package import PortolanFiles
import Synchronization

/// A document to be written.
package struct SaveOrder: Sendable {
  package var path: String
  package var document: Document
  /// The codec to write with; `nil` takes that of the file at the path.
  package var codec: (any FileCodec)?
  /// The path under which the document is open; `nil` if it has none.
  package var openPath: String?
  /// Whether another existing file of that name may be overwritten.
  package var overwrites = false
  /// Whether to save although another program has written the file meanwhile, or has it open.
  package var isForced = false
  /// Whether the document is older than the known version of its file, which another program has
  /// written: it is saved only if forced.
  package var isOutdated = false
  /// Whether to write although the format does not keep all of the document.
  package var acceptsLosses = false
  package var versions = VersionKeeping.all
  /// Whether the document counts as a person's work although no editor writes it.
  package var isPersonal = false

  package init(_ document: Document, to path: String) {
    self.document = document
    self.path = path
  }
}

/// The contents that a save keeps among the earlier versions.
package enum VersionKeeping: Hashable, Sendable {
  /// The new content, and the replaced one if no version has it.
  case all
  /// Only the replaced content: the new one can be made again.
  case replaced
  case none
}

/// How a save ended.
package enum SaveResult: Hashable, Sendable {
  /// A save that the disk did not confirm may still be taken back by a power cut.
  case saved(notes: [StoreNote], isConfirmed: Bool)
  /// Nothing was written: another program has changed the file since it was read, or has created
  /// it.
  case changed(found: FileIdentity, wasThere: Bool)
  /// Nothing was written: the file would not keep all of the document.
  case lossy([String])
}

/// Saving.
extension DocumentStore {
  /// A saved content that is still to be kept as a version.
  struct PendingVersion: Sendable {
    var bytes: [UInt8]
    /// The path as it was given, and the real path.
    var path: String
    var realPath: String
    var keeper: SavedVersion.Keeper
  }

  /// Writes a document: atomically, durably, under its lock.
  package func save(_ order: SaveOrder) throws(StoreError) -> SaveResult {
    let path = order.path
    let key = key(of: path)
    if let open = openPath(of: path), order.openPath.map({ self.key(of: $0) }) != key {
      throw StoreError(.openHere(open), path)
    }
    let codec: any FileCodec
    if let chosen = order.codec ?? known(path)?.codec {
      codec = chosen
    } else {
      codec = try self.codec(forNew: path)
    }
    let encoded: EncodedFile
    do {
      encoded = try codec.encode(order.document)
    } catch {
      throw StoreError(.encoding(error), path)
    }
    if !encoded.losses.isEmpty, !order.acceptsLosses { return .lossy(encoded.losses) }
    let isNewlyLocked = try lockForSave(path, key, isForced: order.isForced)
    // Files left by killed saves are looked at before this save may leave some itself.
    let collected = isNewlyLocked ? collectLeftovers(of: path, isExclusive: true) : []
    var heldKey = key
    var isDone = false
    defer {
      // An editor keeps the lock under this name only after a save that succeeded.
      if isNewlyLocked, !isDone || !options.guardsDocuments { releaseLock(heldKey) }
    }
    return try writing.withLock { (_) throws(StoreError) -> SaveResult in
      if let conflict = conflict(of: order) { return conflict }
      let (outcome, notes) = try write(encoded.bytes, order)
      let isKept = versionStore != nil && order.versions == .all
      noteSaved(
        FileVersion(
          identity: outcome.identity, mark: FileMark(ContentMark(encoded.bytes)),
          codec: encoded.codec ?? codec, isKept: isKept),
        at: path, real: outcome.path, formerKey: key)
      heldKey = FilePath.key(outcome.path)
      isDone = true
      let losses: [StoreNote] = encoded.losses.isEmpty ? [] : [.lost(encoded.losses)]
      return .saved(
        notes: collected + notes + losses + outcome.notes, isConfirmed: outcome.isConfirmed)
    }
  }

  /// Replaces the file; the replaced content is kept as a version before, the new one afterwards.
  private func write(
    _ bytes: [UInt8], _ order: SaveOrder
  ) throws(StoreError) -> (outcome: SaveOutcome, notes: [StoreNote]) {
    let path = order.path
    // With `overwrites` the file here is another document's.
    let known = order.overwrites ? known(path) : nil
    let expectation: SaveExpectation =
      if known != nil, order.isOutdated {
        order.isForced ? .foreign : .absent
      } else if let known {
        known.expectation ?? (order.isForced ? .foreign : .absent)
      } else {
        order.overwrites ? .anything : .absent
      }
    var options = SaveOptions()
    if let version = known?.migratedFrom {
      options.formerVersionName = FilePath.name(of: path) + ".v\(version)"
    }
    options.fallbackFolder = self.options.state.flatMap { try? $0.make(.standby, in: files) }
    let keeper = order.isPersonal ? .person : self.keeper
    var notes: [StoreNote] = []
    if order.overwrites, order.versions != .none, known?.isKept != true {
      // The old format is kept beside the file too, where its folder takes new files.
      let keeper = known?.migratedFrom == nil ? keeper : .person
      notes = keepPresent(path, known, by: keeper)
    }
    do {
      let outcome = try files.save(bytes, to: path, expecting: expectation, options: options)
      if order.versions == .all, versionStore != nil {
        pendingVersions.withLock {
          $0.append(
            PendingVersion(bytes: bytes, path: path, realPath: outcome.path, keeper: keeper))
        }
      }
      return (outcome, notes)
    } catch {
      var failure = StoreError(.writing(error), path)
      failure.notes = notes
      throw failure
    }
  }

  /// The change by another program that a save must not overwrite, if there is one.
  private func conflict(of order: SaveOrder) -> SaveResult? {
    guard order.overwrites, !order.isForced, let known = known(order.path),
      let present = try? files.targetStatus(order.path),
      order.isOutdated || present.identity != known.identity || holdsOther(order.path, known)
    else { return nil }
    return .changed(found: present.identity, wasThere: known.identity != nil)
  }

  /// Whether a file of the known identity has another content: its time of change was set back, or
  /// tells seconds only.
  private func holdsOther(_ path: String, _ known: FileVersion) -> Bool {
    guard let known = known.mark else { return false }
    guard let mark = known.value else { return true }
    return (try? files.holds(mark, at: path)) == false
  }

  /// Writes a file piece by piece, atomically; it is no document that is open here.
  ///
  /// Long work hands over empty pieces, too: only between two pieces can it be interrupted.
  ///
  /// - Throws: `FileError`, `StoreError` when the store is interrupted, and the errors of `body`.
  package func write(
    to path: String, overwrites: Bool, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if let open = openPath(of: path) { throw StoreError(.openHere(open), path) }
    try writing.withLock { _ in
      let save = try AtomicSave(to: path, expecting: overwrites ? .anything : .absent, in: files)
      try body { bytes in
        if isInterrupted.load(ordering: .relaxed) { throw StoreError(.interrupted, path) }
        if !bytes.isEmpty { try save.write(bytes) }
      }
      _ = try save.commit()
    }
  }
}

extension DocumentStore {
  /// Writes several files, each atomically: the first one takes its place when all are whole.
  ///
  /// The lock of the main file is held meanwhile, so that two programs never leave the files of one
  /// beside those of the other.
  ///
  /// - Parameters:
  ///   - main: the path of the file that the others belong to.
  ///   - body: hands over pieces of files with their paths; the files take their places in the
  ///     order of their first pieces.
  /// - Throws: `FileError`, `StoreError` when the store is interrupted, one of the files is open
  ///   here or another program holds the lock, and the errors of `body`.
  package func writeTogether(
    of main: String, overwrites: Bool,
    _ body: ((String, [UInt8]) throws -> Void) throws -> Void
  ) throws {
    if let open = openPath(of: main) { throw StoreError(.openHere(open), main) }
    try writing.withLock { _ in
      // Within a write, so that whoever interrupts it waits for the end of the lock, too.
      let lock = try lockForWriting(main)
      defer { lock?.release() }
      var saves: [(path: String, save: AtomicSave)] = []
      try body { path, bytes in
        if isInterrupted.load(ordering: .relaxed) { throw StoreError(.interrupted, path) }
        if bytes.isEmpty { return }
        if let known = saves.first(where: { $0.path == path }) {
          return try known.save.write(bytes)
        }
        if let open = openPath(of: path) { throw StoreError(.openHere(open), path) }
        let save = try AtomicSave(to: path, expecting: overwrites ? .anything : .absent, in: files)
        try save.write(bytes)
        saves.append((path, save))
      }
      for (_, save) in saves { _ = try save.commit() }
    }
  }

  private func lockForWriting(_ path: String) throws(StoreError) -> DocumentLock? {
    switch DocumentLock.take(
      for: path, as: me, state: options.state, leavesWord: false, in: files)
    {
    case .taken(let own): own
    case .held(let holder): throw StoreError(.writtenElsewhere(holder), path)
    // Where no lock is possible, as in a folder that is not there, the write says why.
    case .unavailable: nil
    }
  }
}

extension SaveOutcome {
  /// The notes for the user.
  fileprivate var notes: [StoreNote] {
    (former.map { [.formerKept($0)] } ?? []) + (theirs.map { [.theirsKept($0)] } ?? [])
      + warnings.map { .warning($0) }
  }
}
