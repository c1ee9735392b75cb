import Documents
import Files
import Interchange
import Synchronization

/// Work that was left by an editor which ended too early.
extension World {
  /// Where journals are; `nil` where none are kept.
  var journals: JournalFolder? { options.state.map { JournalFolder($0, in: files) } }

  /// Which version of a file was read or written last.
  func identity(of path: String) -> FileIdentity? { known.withLock { $0[path]?.identity } }

  /// Writes journals, and tells a run loop how it goes.
  func journalWriter(reportingTo mailbox: Mailbox) -> JournalWriter? {
    guard options.keepsEdits, let journals else { return nil }
    let options = self.options
    return JournalWriter(folder: journals, process: options.process, now: options.now) { report in
      switch report {
      case .written(let time): mailbox.post(.autosave(.kept(time: options.clock(time))))
      case .failing(let reason): mailbox.post(.autosave(.failing(reason)))
      case .begun(let path): options.noteJournal(path)
      }
    }
  }

  /// A file with the work that was left on it.
  func withLeftWork(
    _ file: OpenedFile, identity: FileIdentity?, bytes: [UInt8]
  ) -> OpenedFile {
    guard options.keepsEdits, file.path != "-" else { return file }
    var file = file
    file.leftWork = leftWork(
      of: journals?.realPath(of: file.path) ?? file.path,
      file: OpenedBase(
        document: file.document, identity: identity, bytes: bytes,
        isDocumentFile: file.isDocumentFile))
    return file
  }

  /// What was read of a document's file.
  struct OpenedBase {
    var document: Document
    var identity: FileIdentity?
    var bytes: [UInt8]
    /// Whether it is a document and not data of another format.
    var isDocumentFile: Bool
  }

  /// The newest work that was left on a document; what tells nothing new is removed.
  func leftWork(of path: String, file: OpenedBase?) -> LeftWork? {
    var found: LeftWork?
    let journals = self.journals?.takeOver(document: path) ?? []
    for left in journals.sorted(by: { $0.journal.head.begun > $1.journal.head.begun }) {
      guard found == nil, let work = work(of: left, file: file) else {
        left.file.leave()
        continue
      }
      if work.isNothing { try? left.file.remove() } else { found = work.work }
    }
    return found
  }

  /// What a journal holds, put onto the document that it belongs to.
  private func work(
    of left: LeftJournal, file: OpenedBase?
  ) -> (work: LeftWork, isNothing: Bool)? {
    let journal = left.journal
    guard let (base, isSeparate) = try? base(of: journal, file: file) else { return nil }
    let replay = JournalReplay(journal, base: base)
    let present = replay.history.value
    let differences = DocumentDifference.lines(
      from: file?.isDocumentFile == false ? base : file?.document ?? base, to: present)
    let work = LeftWork(
      journal: left, history: replay.history, differences: differences, isSeparate: isSeparate,
      problem: replay.problem,
      time: options.clock(replay.lastTime ?? journal.head.begun))
    let isNothing =
      replay.problem == nil
      && (isSeparate ? differences.isEmpty : replay.isAtBase && journal.head.isBaseSaved)
    return (work, isNothing)
  }

  /// The document that a journal begins with, and whether its file is another one by now.
  private func base(
    of journal: Journal, file: OpenedBase?
  ) throws -> (document: Document, isSeparate: Bool) {
    if case .file(let identity) = journal.head.base, let file {
      if file.identity == identity { return (file.document, false) }
      if let digest = journal.baseDigest, file.identity?.size == identity.size,
        SHA256.digest(of: file.bytes) == digest
      {
        return (file.document, false)
      }
    }
    guard let bytes = journal.base else {
      throw JournalError(
        .baseIsGone, "the file was changed since, and the journal holds no copy of it")
    }
    var isSeparate = true
    if case .embedded(let identity) = journal.head.base {
      isSeparate = file?.isDocumentFile == true && file?.identity != identity
    }
    return (try DocumentFile.open(bytes).document, isSeparate)
  }

  // MARK: In scripts

  /// Lists, tells, writes or removes work that was left; answers what was done.
  func recover(_ request: RecoverRequest) throws(Failure) -> String {
    guard let journals else {
      throw Failure(.usage, what: "no state folder: set XDG_STATE_HOME or HOME")
    }
    guard let path = request.path else {
      try list(journals.entries())
      return ""
    }
    let shown = path.isEmpty ? "untitled" : path
    let real = path.isEmpty ? "" : journals.realPath(of: path)
    guard let work = leftWork(of: real, file: try openedBase(path)) else {
      throw Failure(.findings, subject: shown, what: "no unsaved work was left")
    }
    defer { work.journal.file.leave() }
    if let output = request.output {
      try write(work, to: output, overwrites: request.overwrites)
      let isDone = files.realPathOrSelf(output) == real && !work.isSeparate
      if isDone || request.discards { try? work.journal.file.remove() }
      return "recovered \(work.summary) into \(output)"
    }
    if request.discards {
      try? work.journal.file.remove()
      return "discarded \(work.summary)"
    }
    var lines = ["\(shown): \(work.summary)"] + work.differences.map { "  " + $0 }
    lines.append("portolan recover \(shown) -o OUT writes it; --discard gives it up")
    try writeOutput(Array((lines.joined(separator: "\n") + "\n").utf8))
    return ""
  }

  private func write(
    _ work: LeftWork, to output: String, overwrites: Bool
  ) throws(Failure) {
    _ = try save(
      SaveRequest(
        path: output, document: work.history.value, revision: 0, overwrites: overwrites))
  }

  /// A document's file as it is now; `nil` where there is none or none that can be read.
  private func openedBase(_ path: String) throws(Failure) -> OpenedBase? {
    if path.isEmpty { return nil }
    guard let loaded = try? files.load(path, limit: Self.inputBytesMax) else {
      return OpenedBase(
        document: Document(), identity: nil, bytes: [],
        isDocumentFile: InputName.isDocument(path))
    }
    guard let opened = try? DocumentFile.open(loaded.bytes) else {
      return OpenedBase(
        document: Document(), identity: loaded.identity, bytes: [], isDocumentFile: false)
    }
    return OpenedBase(
      document: opened.document, identity: loaded.identity, bytes: loaded.bytes,
      isDocumentFile: true)
  }

  private func list(_ entries: [JournalFolder.Entry]) throws(Failure) {
    let lines = entries.map { entry in
      let name = entry.document.map { $0.isEmpty ? "untitled" : $0 } ?? "?"
      let state =
        switch entry.state {
        case .left: "left over"
        case .inUse: "being edited"
        case .foreign: "another user's: not opened"
        case .damaged(let reason): "damaged: \(reason)"
        }
      let count = "\(entry.stepCount) \(entry.stepCount == 1 ? "edit" : "edits")"
      return [name, count, options.clock(entry.modified), state, entry.path]
        .joined(separator: "\t") + "\n"
    }
    try writeOutput(Array(lines.joined().utf8))
  }
}

extension FileSystem {
  fileprivate func realPathOrSelf(_ path: String) -> String { (try? realPath(path)) ?? path }
}
