package import PortolanDocuments
package import PortolanFiles
import Synchronization

/// A document that was opened.
package struct StoredDocument: Sendable {
  /// The path that it is open under; for another name of an open document, the first path.
  package var path: String
  package var contents: DecodedFile
  /// Whether there is no file yet.
  package var isNew = false
  /// Whether the file is an archive of the document.
  package var isArchive = false
  /// Whether a save may write the file.
  package var isWritable = false
  /// On reload: whether the file is still the version last read or written.
  package var isUnchanged = false
  /// The version read by a reload: the record of the file stays as it was until `accept` is called
  /// with it.
  package var pendingVersion: FileVersion?
  package var lock = LockState.none
  package var notes: [StoreNote] = []
  /// Left work on it, of editors that crashed or were killed, newest first.
  package var leftWork: [RecoveredWork] = []

  /// Whether others are locked out of the document.
  package enum LockState: Hashable, Sendable {
    /// It is not edited here.
    case none
    case ours
    /// Somebody else has the lock, so that it is read-only; `nil` where the holder is not known.
    case held(LockHolder?)
  }
}

/// Opening.
extension DocumentStore {
  /// Opens a document, and locks and watches its file where documents are edited.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - isReload: whether an open document is read again: the lock holder is not notified, and
  ///     left work is not looked for.
  ///   - isSource: whether a file that is no archive is only the source of the document, so that no
  ///     save writes it.
  ///   - isLater: whether the coordinates of a very large document that is edited may be read
  ///     later (`Document.readCoordinates`).
  ///   - progress: called with the part done, from 0 to 1; an error it throws ends the opening.
  package func open(
    _ path: String, isReload: Bool = false, isSource: Bool = false, isLater: Bool = false,
    progress: (Double) throws -> Void = { _ in }
  ) throws(StoreError) -> StoredDocument {
    let settled = path == "-" ? [] : settleInterrupted(path)
    let former = known(path)
    do throws(StoreError) {
      var bytes: [UInt8] = []
      let file: DecodedVersion
      if let large = try readLarge(
        path, isLater: isLater && options.guardsDocuments && !isReload && !isSource, progress)
      {
        file = large
      } else {
        let read = try read(path) { [options] head in try options.codec(path, head) }
        bytes = read.bytes
        file = DecodedVersion(
          contents: try decode(bytes, read.choice, path, progress), codec: read.choice,
          identity: read.identity, mark: FileMark(ContentMark(bytes)))
      }
      var opened = StoredDocument(path: path, contents: file.contents, notes: settled)
      let codec = opened.contents.codec ?? file.codec
      opened.isWritable = file.identity != nil && codec.isWritable && (codec.isArchive || !isSource)
      opened.isArchive = file.codec.isArchive
      let mark = file.mark
      opened.isUnchanged =
        former?.identity != nil && former?.identity == file.identity
        && former?.mark?.isSame(as: mark) == true
      let identity = opened.isWritable ? file.identity : nil
      let version = FileVersion(
        identity: identity, mark: mark, codec: codec,
        migratedFrom: opened.contents.migration.first?.version)
      return keep(opened, version, bytes: bytes, isReload: isReload)
    } catch {
      if error.isNoSuchFile, !isReload, options.beginsNew(path) {
        let codec = try codec(forNew: path)
        var opened = StoredDocument(path: path, contents: DecodedFile(Document()), notes: settled)
        (opened.isNew, opened.isWritable, opened.isArchive) = (true, true, codec.isArchive)
        return keep(opened, FileVersion(codec: codec), bytes: [], isReload: false)
      }
      var error = error
      error.hasLeftWork = !error.isNoSuchFile && hasLeftWork(on: path)
      throw error
    }
  }

  /// Reads a file, or standard input for `-`, unless `choose` rejects its first bytes.
  ///
  /// - Parameter choose: called with the first bytes, at most `FileHead.count`; an error it throws
  ///   ends the reading.
  package func read<Choice>(
    _ path: String, choosing choose: (ArraySlice<UInt8>) throws -> Choice
  ) throws(StoreError) -> (bytes: [UInt8], identity: FileIdentity?, choice: Choice) {
    var chosen: Result<Choice, any Error>?
    func isWanted(_ head: ArraySlice<UInt8>) -> Bool {
      chosen = Result { try choose(head) }
      if case .success = chosen { return true }
      return false
    }
    var found: (bytes: [UInt8], identity: FileIdentity?)?
    do throws(FileError) {
      if path == "-" {
        found = try readInput(onlyIf: isWanted).map { ($0, nil) }
      } else {
        found = try files.load(
          path, limit: Self.bytesMax, readsPipes: options.readsPipes && FilePath.isDescriptor(path),
          onlyIf: isWanted
        ).map { ($0.bytes, $0.isPipe ? nil : $0.identity) }
      }
    } catch {
      throw StoreError(.reading(error), path)
    }
    switch (chosen, found) {
    case (.success(let choice), let found?): return (found.bytes, found.identity, choice)
    case (.failure(let error), _): throw StoreError(.decoding(error), path)
    default: throw StoreError(.reading(FileError.notOurs(path)), path)
    }
  }

  /// Decodes the document in the bytes of a file.
  package func decode(
    _ bytes: [UInt8], of path: String
  ) throws(StoreError) -> DecodedFile {
    do {
      let codec = try known(path)?.codec ?? options.codec(path, bytes.prefix(FileHead.count))
      return try codec.decode(bytes) { _ in }
    } catch {
      throw StoreError(.decoding(error), path)
    }
  }

  private func decode(
    _ bytes: [UInt8], _ codec: any FileCodec, _ path: String, _ progress: (Double) throws -> Void
  ) throws(StoreError) -> DecodedFile {
    do { return try codec.decode(bytes, progress: progress) } catch {
      throw StoreError(.decoding(error), path)
    }
  }

  func codec(forNew path: String) throws(StoreError) -> any FileCodec {
    do { return try options.codec(path, []) } catch { throw StoreError(.decoding(error), path) }
  }

  /// Notes that the open document now is this version of its file.
  package func accept(_ version: FileVersion, of path: String) {
    let key = key(of: path)
    table.withLock { $0.files[key]?.version = version }
  }

  /// Notes the version read, finds left work, and locks the file.
  func keep(
    _ opened: StoredDocument, _ version: FileVersion, bytes: [UInt8], isReload: Bool
  ) -> StoredDocument {
    if opened.path == "-" { return opened }
    var opened = opened
    let key = key(of: opened.path)
    if opened.isWritable {
      let open = table.withLock { table -> KeptFile? in
        var file = table[key, opened.path]
        if options.guardsDocuments, !isReload { file.openings += 1 }
        defer { table.files[key] = file }
        if file.watch != nil { return file }
        (file.path, file.version) = (opened.path, version)
        return nil
      }
      if let open, !FilePath.isSame(open.path, opened.path) {
        opened.path = open.path
        opened.lock = open.lock == nil ? .held(nil) : .ours
        return opened
      }
      if open != nil { opened.pendingVersion = version }
    }
    if options.keepsEdits, !isReload {
      let found = leftWork(
        of: realPath(of: opened.path),
        file: OpenedBase(
          document: opened.contents.document, identity: version.identity, bytes: bytes,
          isWritable: opened.isWritable))
      opened.leftWork = found.works
      opened.notes += found.unreadable.map { .unreadableWork($0) }
    }
    return opened.isWritable && options.guardsDocuments
      ? guarded(opened, key, version.identity, leavesWord: !isReload) : opened
  }
}
