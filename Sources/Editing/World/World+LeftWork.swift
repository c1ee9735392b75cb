import Documents
import Files
import Interchange
import Keeping

/// What the journals of a document hold, put onto the documents that they begin with.
extension World {
  /// What was read of a document's file.
  struct OpenedBase {
    var document: Document
    var identity: FileIdentity?
    var bytes: [UInt8]
    /// Whether it is a document and not data of another format.
    var isDocumentFile: Bool
  }

  /// The work that was left on a document, the newest first; what tells nothing new is removed.
  ///
  /// - Parameter path: the real path; empty for documents without a name.
  func leftWork(
    of path: String, file: OpenedBase?, notingUnreadable note: (String) -> Void = { _ in }
  ) -> [LeftWork] {
    let journals = self.journals?.takeOver(document: path, notingUnreadable: note) ?? []
    return journals.sorted { $0.journal.head.begun > $1.journal.head.begun }.compactMap { left in
      let found = work(of: left, file: file)
      if found.isNothing { try? left.file.remove() }
      return found.isNothing ? nil : found.work
    }
  }

  /// Why a document cannot be opened, and where the work on it is if some was left.
  func tellingOfLeftWork(_ failure: Failure, on path: String) -> Failure {
    guard options.keepsEdits, let journals, path != "-" else { return failure }
    let left = journals.takeOver(document: journals.realPath(of: path))
    for journal in left { journal.file.leave() }
    var failure = failure
    if !left.isEmpty {
      failure.what +=
        "; unsaved work on it is left: portolan recover \(FilePath.quoted(path)) -o OUT.doc"
    }
    return failure
  }

  /// What a journal holds, put onto the document that it belongs to.
  func work(of left: LeftJournal, file: OpenedBase?) -> (work: LeftWork, isNothing: Bool) {
    let journal = left.journal
    var work = LeftWork(journal: left, time: options.clock(journal.head.begun))
    let base: FoundBase
    do {
      base = try self.base(of: journal, file: file)
    } catch {
      work.problem = "\(error)"
      return (work, false)
    }
    let replay = JournalReplay(journal, base: base.document)
    let present = replay.history.value
    work.history = replay.history
    work.differences = DocumentDifference.lines(
      from: file?.isDocumentFile == false ? base.document : file?.document ?? base.document,
      to: present)
    work.isSeparate = base.isSeparate
    work.origin = base.origin
    work.problem = replay.problem
    work.time = options.clock(replay.lastTime ?? journal.head.begun)
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
    var origin: String?
  }

  private func base(of journal: Journal, file: OpenedBase?) throws -> FoundBase {
    switch journal.head.base {
    case .embedded(let identity):
      guard let bytes = journal.base else {
        throw JournalError(.baseIsGone, "the document that they begin with is damaged")
      }
      return FoundBase(
        document: try DocumentFile.open(bytes).document,
        isSeparate: file?.isDocumentFile == true && file?.identity != identity)
    case .file(let identity):
      if let file, file.identity == identity || journal.isBase(file.bytes) {
        return FoundBase(document: file.document, isSeparate: false)
      }
      if let bytes = journal.base {
        return FoundBase(document: try DocumentFile.open(bytes).document, isSeparate: true)
      }
      guard let found = content(of: journal) else {
        throw JournalError(.baseIsGone, missing(identity, of: journal.head.path))
      }
      return FoundBase(
        document: try DocumentFile.open(found.bytes).document, isSeparate: true,
        origin: found.origin)
    }
  }

  /// The content that a document's file had, out of its earlier versions and from beside it.
  private func content(of journal: Journal) -> (bytes: [UInt8], origin: String)? {
    guard let mark = journal.baseMark else { return nil }
    let path = journal.head.path
    if let store = versionStore,
      let version = store.versions(of: path).last(where: {
        $0.size == mark.count && $0.digest == mark.digest
      }), let bytes = try? store.bytes(of: version, of: path)
    {
      return (bytes, "version \(version.number)")
    }
    let folder = FilePath.folder(of: path)
    let stem = FilePath.name(of: path) + "."
    for name in ((try? files.names(in: folder)) ?? []).sorted() where name.hasPrefix(stem) {
      let other = FilePath.join(folder, name)
      guard let status = try? files.status(other, in: nil), status.kind == .regular,
        status.identity.size == Int64(mark.count),
        let bytes = try? files.read(other, limit: mark.count), journal.isBase(bytes)
      else { continue }
      return (bytes, name)
    }
    return nil
  }

  /// Says which content is missing and what can be done.
  private func missing(_ identity: FileIdentity, of path: String) -> String {
    let name = FilePath.name(of: path)
    let time = TimeText.local(seconds: identity.modified / 1_000_000_000)
    let change = files.exists(path) ? "was changed since" : "is gone"
    return "the file \(change), and what it was then (\(identity.size) bytes, written "
      + "\(time)) is neither in the journal nor among the earlier versions; a copy of that "
      + "beside the file, as \(name).before, is found when the file is opened next"
  }
}
