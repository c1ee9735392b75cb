import PortolanDocuments
import PortolanFiles
import PortolanKeeping
import PortolanTerminals
import PortolanTexts

/// Left work of editors that crashed or were killed.
extension World {
  /// The journals of the open documents, which report their state to a run loop.
  func journalSet(reportingTo mailbox: Mailbox) -> JournalSet? {
    let options = self.options
    return store.journalSet(process: options.process, now: options.now) { number, report in
      let id = OpenDocument.ID(number)
      switch report {
      case .written(let time): mailbox.post(.autosave(id, .kept(time: options.clock(time))))
      case .failing(let reason): mailbox.post(.autosave(id, .failing(reason)))
      case .begun(let path): options.noteJournal(path)
      }
    }
  }

  /// Left work, described for people.
  func leftWork(_ work: RecoveredWork) -> LeftWork {
    LeftWork(work: work, time: options.clock(work.lastTime))
  }

  // MARK: In scripts

  /// Lists, shows, writes or removes left work; returns the report.
  func recover(_ request: RecoverRequest) throws(Failure) -> String {
    guard let journals = store.journals else {
      throw Failure(.usage, what: "no state folder: set XDG_STATE_HOME or HOME")
    }
    guard let path = request.path else {
      try list(journals.entries())
      return ""
    }
    if let name = request.journal { return try recover(name, request, in: journals) }
    let real = path.isEmpty ? "" : store.realPath(of: path)
    let (left, unreadable) = store.leftWork(on: path)
    let works = left.map { leftWork($0) }
    defer { for work in works { work.journal.file.leave() } }
    // Recoverable work comes first.
    guard let work = works.first(where: { $0.history != nil }) ?? works.first else {
      if let unreadable = unreadable.last {
        throw Failure(
          .input, subject: path.isEmpty ? "untitled" : path,
          what: "unsaved work was left, but cannot be read: \(unreadable)")
      }
      throw nothingLeft(on: path, real, in: journals)
    }
    return try carryOut(
      request, on: work, of: real, arguments: path.isEmpty ? path : FilePath.quoted(path),
      otherCount: works.count - 1)
  }

  /// Why there is no left work: a running editor has it, or there is none.
  private func nothingLeft(
    on path: String, _ real: String, in journals: JournalFolder
  ) -> Failure {
    let entries = journals.entries()
    let present = entries.first { $0.state == .inUse && FilePath.isSame($0.document, real) }
    if !path.isEmpty, let present {
      let editor = present.process.map { " (process \($0))" } ?? ""
      return Failure(
        .input, subject: path,
        what: "is being edited now\(editor), which has the unsaved work: save it there, or quit")
    }
    let hasOthers = entries.contains { $0.state == .left }
    return Failure(
      .findings, subject: path.isEmpty ? "untitled" : path,
      what: "no unsaved work was left"
        + (hasOthers ? "; other documents have some: portolan recover --list shows it" : ""))
  }

  /// Carries out a request on the journal of a name.
  private func recover(
    _ name: String, _ request: RecoverRequest, in journals: JournalFolder
  ) throws(Failure) -> String {
    let taken: JournalFolder.Taken
    do {
      taken = try journals.takeOver(named: name)
    } catch {
      guard error.isNoSuchFile else { throw .reading(error.path, error) }
      throw Failure(
        .input, subject: name, what: "there is no such journal: portolan recover --list names them")
    }
    switch taken {
    case .inUse:
      throw Failure(.input, subject: name, what: "an editor that runs is writing it")
    case .damaged(let file, let reason):
      defer { file.leave() }
      guard request.discards, request.output == nil else {
        throw Failure(.input, subject: name, what: "\(reason): --discard gives it up")
      }
      try? file.remove()
      return "discarded \(name): \(reason)"
    case .journal(let left):
      defer { left.file.leave() }
      let document = left.journal.head.path
      if let path = request.path, !path.isEmpty,
        !FilePath.isSame(store.realPath(of: path), document)
      {
        throw Failure(
          .usage, subject: name,
          what: "is not of that document: it is of \(document.isEmpty ? "none" : document)")
      }
      return try carryOut(
        request, on: leftWork(store.work(of: left)), of: document,
        arguments: "--journal \(FilePath.quoted(name))",
        otherCount: 0)
    }
  }

  /// Writes, discards or shows left work; returns the report.
  ///
  /// - Parameter arguments: the command line arguments that name the work.
  private func carryOut(
    _ request: RecoverRequest, on work: LeftWork, of document: String, arguments: String,
    otherCount: Int
  ) throws(Failure) -> String {
    let shown = document.isEmpty ? "untitled" : request.path.flatMap { $0.isEmpty ? nil : $0 }
    let subject = shown ?? document
    let more = otherCount == 0 ? "" : "; \(otherCount) more left: portolan recover --list"
    if let output = request.output {
      guard let history = work.history else {
        throw Failure(.findings, subject: subject, what: work.sentence)
      }
      return try write(history.value, of: work, request, to: output, of: document) + more
    }
    if request.discards {
      try? work.journal.file.remove()
      return "\(subject): discarded \(work.history == nil ? work.counted : work.summary)" + more
    }
    var lines = ["\(subject): \(work.sentence)"] + work.differences.map { "  " + $0 }
    let command = ["portolan recover", arguments].filter { !$0.isEmpty }.joined(separator: " ")
    lines.append(
      work.history == nil
        ? "\(command) --discard gives it up"
        : (isMapData(document)
          ? "\(command) -o \(FilePath.quoted(shown ?? document)) --force writes it into the file, "
            + "-o NAME.doc into a document"
          : "\(command) -o NAME.doc writes it") + "; --discard gives it up")
    if otherCount > 0 {
      lines.append(
        "this is \(JournalFolder.name(of: work.journal.file.path)); \(otherCount) more:"
          + " portolan recover --list names them, --journal NAME means one")
    }
    try print(lines)
    return ""
  }

  /// Writes left work; in the file that it is of, it ends its journal.
  private func write(
    _ recovered: Document, of work: LeftWork, _ request: RecoverRequest, to output: String,
    of document: String
  ) throws(Failure) -> String {
    let isOwn = FilePath.isSame(store.realPath(of: output), document)
    let recovered = recovered.mappingOrigins {
      OriginPaths.absolute($0, besides: document.isEmpty ? nil : document)
    }
    var order = SaveRequest(
      path: output, document: recovered, revision: 0, overwrites: request.overwrites,
      versions: request.versions, isPersonal: true)
    if isOwn, isMapData(document) {
      do throws(StoreError) {
        // The work goes back into the data around it.
        _ = try store.open(output, isReload: true)
      } catch {
        throw failure(error)
      }
      order.openPath = output
    } else if Desk.otherWay(to: output) != nil {
      throw Failure(
        .usage, subject: output,
        what: "recovered work is saved as NAME.doc, or into its own file of map data")
    }
    let result = try save(order)
    guard case .done(let notice, let isConfirmed) = result else {
      throw Failure(.output, subject: output, what: "was not written")
    }
    if !isConfirmed {
      return "recovered \(work.summary) into \(output), which the disk did not confirm: "
        + "the work stays where it is too"
    }
    if isOwn || request.discards { try? work.journal.file.remove() }
    return "recovered \(work.summary) into \(output)" + (notice.map { "; \($0)" } ?? "")
  }

  /// Whether a file is there and is map data.
  private func isMapData(_ path: String) -> Bool {
    guard !path.isEmpty, files.exists(path), !InputName.isDocument(path) else { return false }
    var isData = false
    _ = try? store.read(path) { head in
      // A file that cannot be read here is no document of ours.
      if case .document? = try? FoundFormat(head, path, nil, among: options.importers) {
        isData = false
      } else {
        isData = true
      }
      // The rest need not be read.
      throw Failure(.interrupted, what: "")
    }
    return isData
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
      return [name, count, options.clock(entry.lastTime), state, entry.path]
        .map { DisplayWidth.sanitised($0) }.joined(separator: "\t")
    }
    try print(lines)
  }
}
