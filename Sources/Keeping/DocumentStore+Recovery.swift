package import PortolanDocuments
package import PortolanFiles

/// Work that an editor which ended too early has left, as it would be recovered.
package struct RecoveredWork: Sendable {
  /// The journal, which is ours until it is decided on.
  package var journal: LeftJournal
  /// The document with its past and future; `nil` where what the work begins with is nowhere.
  package var history: History<Document>?
  /// What recovering would change, one sentence each.
  package var differences: [String] = []
  /// Whether the file was changed since: the work becomes a document of its own.
  package var isSeparate = false
  /// Where the document was found that the work begins with, if neither in its file nor in the
  /// journal.
  package var origin: Origin?
  /// What could not be recovered; `nil` if all was.
  package var problem: Problem?
  /// When it was edited last, in seconds since 1970.
  package var lastTime: Double

  package enum Origin: Hashable, Sendable {
    case version(Int)
    /// The name of a file beside the document's.
    case file(String)
  }

  package enum Problem: Hashable, Sendable {
    /// What the work begins with is nowhere: this version of the file, which is still there or not.
    case baseIsGone(FileIdentity, path: String, isFileThere: Bool)
    /// It cannot be read, or not all edits fit; why.
    case damaged(String)
  }
}

/// What the journals of a document hold, put onto the documents that they begin with.
extension DocumentStore {
  /// Where journals are; `nil` where none are kept.
  package var journals: JournalFolder? { options.state.map { JournalFolder($0, in: files) } }

  /// What was read of a document's file.
  struct OpenedBase {
    var document: Document
    var identity: FileIdentity?
    var bytes: [UInt8]
    /// Whether a save writes the file.
    var isWritable: Bool
  }

  /// The work that was left on a document, the newest first, and why other work cannot be read.
  ///
  /// - Parameter path: empty for documents without a name.
  package func leftWork(on path: String) -> (works: [RecoveredWork], unreadable: [String]) {
    leftWork(of: path.isEmpty ? "" : realPath(of: path), file: openedBase(path))
  }

  /// The work that was left on a real path; what tells nothing new is removed.
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

  /// What a journal that was taken over holds.
  package func work(of left: LeftJournal) -> RecoveredWork {
    work(of: left, file: openedBase(left.journal.head.path)).work
  }

  /// Whether work was left on a document that cannot be opened.
  func hasLeftWork(on path: String) -> Bool {
    guard options.keepsEdits, path != "-", let journals else { return false }
    let left = journals.takeOver(document: realPath(of: path))
    for journal in left { journal.file.leave() }
    return !left.isEmpty
  }

  /// A document's file as it is now; of one that cannot be read nothing but that it is there.
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

  /// What a journal holds, put onto the document that it belongs to.
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
      let count = draft.vertexCount
      let vertices = count == 1 ? "1 vertex" : "\(count) vertices"
      work.differences.append("a \(draft.kind.rawValue) of \(vertices) is being drawn")
    }
    work.isSeparate = base.isSeparate
    work.origin = base.origin
    work.problem = replay.problem.map { .damaged($0) }
    work.lastTime = replay.lastTime ?? journal.head.begun
    work.journal.isToBeWrittenAnew = journal.base == nil || replay.problem != nil
    let isNothing =
      replay.problem == nil
      && (base.isSeparate
        ? work.differences.isEmpty : replay.isAtBase && journal.head.isBaseSaved)
    return (work, isNothing)
  }

  /// A document that a journal begins with.
  private struct FoundBase {
    var document: Document
    /// Whether its file is another one by now.
    var isSeparate: Bool
    /// Where it was, if neither in its file nor in the journal.
    var origin: RecoveredWork.Origin?
  }

  /// - Returns: `nil` where it is nowhere.
  /// - Throws: if it is damaged.
  private func base(of journal: Journal, file: OpenedBase?) throws -> FoundBase? {
    switch journal.head.base {
    case .embedded(let identity):
      guard let bytes = journal.base else {
        throw JournalError(.baseIsGone, "the document that they begin with is damaged")
      }
      return FoundBase(
        document: try DocumentFile.open(bytes).document,
        isSeparate: file?.isWritable == true && file?.identity != identity)
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

  /// The content that a document's file had, out of its earlier versions and from beside it.
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
  /// - Parameter report: called on threads of its own, with the document that it is about.
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
