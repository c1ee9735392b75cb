package import PortolanDocuments
package import PortolanFiles

/// Left work of an editor that crashed or was killed, as recovery would restore it.
package struct RecoveredWork: Sendable {
  /// The journal, locked by us until the user has decided on it.
  package var journal: LeftJournal
  /// The document with its undo and redo steps; `nil` where the base document is lost.
  package var history: History<Document>?
  /// The changes that recovering would make, one sentence each.
  package var differences: [String] = []
  /// Whether the file has changed since: the work becomes a document of its own.
  package var isSeparate = false
  /// Where the base document was found, if neither in its file nor in the journal.
  package var origin: Origin?
  /// Why some of it cannot be recovered; `nil` if all can.
  package var problem: Problem?
  /// The time of the last edit, in seconds since 1970.
  package var lastTime: Double

  package enum Origin: Hashable, Sendable {
    case version(Int)
    /// The name of a file beside the document's.
    case file(String)
  }

  package enum Problem: Hashable, Sendable {
    /// The base document is lost: it was this version of the file, which may still be there,
    /// changed.
    case baseIsGone(FileIdentity, path: String, isFileThere: Bool)
    /// The journal cannot be read, or not all edits apply; why.
    case damaged(String)
  }
}

/// Replays the journals of a document on their base documents.
extension DocumentStore {
  /// Where journals are; `nil` where none are kept.
  package var journals: JournalFolder? { options.state.map { JournalFolder($0, in: files) } }

  /// The version read of a document's file.
  struct OpenedBase {
    var document: Document
    var identity: FileIdentity?
    var bytes: [UInt8]
    /// Whether a save writes the file.
    var isWritable: Bool
  }

  /// The left work on a document, newest first, and why other work cannot be read.
  ///
  /// - Parameter path: empty for documents without a name.
  package func leftWork(on path: String) -> (works: [RecoveredWork], unreadable: [String]) {
    leftWork(of: path.isEmpty ? "" : realPath(of: path), file: openedBase(path))
  }

  /// The left work on a real path; journals that hold nothing new are removed.
  func leftWork(
    of path: String, file: OpenedBase?
  ) -> (works: [RecoveredWork], unreadable: [String]) {
    var unreadable: [String] = []
    let left = journals?.takeOver(document: path) { unreadable.append($0) } ?? []
    let works = left.sorted { $0.journal.head.begun > $1.journal.head.begun }.compactMap { left in
      let found = work(of: left, file: file)
      if found.isNothing { try? left.file.remove() }
      return found.isNothing ? nil : found.work
    }
    return (works, unreadable)
  }

  /// The work in a journal that was taken over.
  package func work(of left: LeftJournal) -> RecoveredWork {
    work(of: left, file: openedBase(left.journal.head.path)).work
  }

  /// Whether there is left work on a document that cannot be opened.
  func hasLeftWork(on path: String) -> Bool {
    guard options.keepsEdits, path != "-", let journals else { return false }
    let left = journals.takeOver(document: realPath(of: path))
    for journal in left { journal.file.leave() }
    return !left.isEmpty
  }

  /// A document's file as it is now; of an unreadable one only that it exists.
  private func openedBase(_ path: String) -> OpenedBase? {
    if path.isEmpty { return nil }
    var base = OpenedBase(document: Document(), identity: nil, bytes: [], isWritable: false)
    guard let loaded = try? files.load(path, limit: Self.bytesMax) else {
      base.isWritable = (try? options.codec(path, []))?.isWritable == true
      return base
    }
    let head = loaded.bytes.prefix(FileHead.count)
    guard let codec = try? options.codec(path, head), codec.isWritable,
      let decoded = try? codec.decode(loaded.bytes, progress: { _ in })
    else { return base }
    return OpenedBase(
      document: decoded.document, identity: loaded.identity, bytes: loaded.bytes,
      isWritable: true)
  }

  /// Replays a journal on its base document.
  private func work(
    of left: LeftJournal, file: OpenedBase?
  ) -> (work: RecoveredWork, isNothing: Bool) {
    let journal = left.journal
    var work = RecoveredWork(journal: left, lastTime: journal.head.begun)
    let base: FoundBase
    do {
      guard let found = try self.base(of: journal, file: file) else {
        if case .file(let identity) = journal.head.base {
          let path = journal.head.path
          work.problem = .baseIsGone(identity, path: path, isFileThere: files.exists(path))
        }
        return (work, false)
      }
      base = found
    } catch {
      work.problem = .damaged("\(error)")
      return (work, false)
    }
    let replay = JournalReplay(journal, base: base.document)
    work.history = replay.history
    work.differences = DocumentDifference.lines(
      from: file?.isWritable == false ? base.document : file?.document ?? base.document,
      to: replay.history.value)
    if let draft = replay.history.present.draft {
      work.differences.append("the draft, \(draft.summary(in: replay.history.value))")
    }
    work.isSeparate = base.isSeparate
    work.origin = base.origin
    work.problem = replay.problem.map { .damaged($0) }
    work.lastTime = replay.lastTime ?? journal.head.begun
    work.journal.isToBeWrittenAnew =
      journal.base == nil || replay.problem != nil
      || journal.isOfEarlierVersion
    let isNothing =
      replay.problem == nil
      && (base.isSeparate
        ? work.differences.isEmpty : replay.isAtBase && journal.head.isBaseSaved)
    return (work, isNothing)
  }

  /// The base document of a journal.
  private struct FoundBase {
    var document: Document
    /// Whether its file has changed since.
    var isSeparate: Bool
    /// Where it was found, if neither in its file nor in the journal.
    var origin: RecoveredWork.Origin?
  }

  /// - Returns: `nil` where it is lost.
  /// - Throws: if it is damaged.
  private func base(of journal: Journal, file: OpenedBase?) throws -> FoundBase? {
    switch journal.head.base {
    case .embedded(let identity):
      guard let bytes = journal.base else {
        throw JournalError(.baseIsGone, "the document that they begin with is damaged")
      }
      let document = try DocumentFile.open(bytes).document
      guard let file, file.isWritable, file.identity != identity else {
        return FoundBase(document: document, isSeparate: false)
      }
      // A file that was only copied or touched still holds what the work began with.
      let isSame = (try? DocumentFile.bytes(of: file.document)) == bytes
      return FoundBase(document: document, isSeparate: !isSame)
    case .file(let identity):
      if let file, file.identity == identity || journal.isBase(file.bytes) {
        return FoundBase(document: file.document, isSeparate: false)
      }
      if let bytes = journal.base {
        return FoundBase(document: try DocumentFile.open(bytes).document, isSeparate: true)
      }
      return try content(of: journal).map { found in
        FoundBase(
          document: try DocumentFile.open(found.bytes).document, isSeparate: true,
          origin: found.origin)
      }
    }
  }

  /// The base content of a document's file, from its earlier versions or from a file beside it.
  private func content(of journal: Journal) -> (bytes: [UInt8], origin: RecoveredWork.Origin)? {
    guard let mark = journal.baseMark else { return nil }
    let path = journal.head.path
    if let store = versionStore,
      let version = store.versions(of: path).last(where: {
        $0.size == mark.count && $0.digest == mark.digest
      }), let bytes = try? store.bytes(of: version, of: path)
    {
      return (bytes, .version(version.number))
    }
    let folder = FilePath.folder(of: path)
    let stem = FilePath.name(of: path) + "."
    for name in ((try? files.names(in: folder)) ?? []).sorted() where name.hasPrefix(stem) {
      let other = FilePath.join(folder, name)
      guard let status = try? files.status(other, in: nil), status.kind == .regular,
        status.identity.size == Int64(mark.count),
        let bytes = try? files.read(other, limit: mark.count), journal.isBase(bytes)
      else { continue }
      return (bytes, .file(name))
    }
    return nil
  }

  // MARK: Journals

  /// Keeps the edits of open documents; `nil` where none are kept.
  ///
  /// - Parameter report: called on the writers' threads, with the document in question.
  package func journalSet(
    process: Int, now: @escaping @Sendable () -> Double,
    report: @escaping @Sendable (_ document: Int, JournalWriter.Report) -> Void
  ) -> JournalSet? {
    guard options.keepsEdits, let journals else { return nil }
    return JournalSet(
      folder: journals, process: process, now: now, base: { [self] in base(of: $0) }, report: report
    )
  }
}
