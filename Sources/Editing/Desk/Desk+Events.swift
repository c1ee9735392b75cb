import Documents
import Files
import Graphics
package import Terminals

/// Events in, wishes out.
extension Desk {
  /// Takes in an event; answers what is wanted from the outside.
  package mutating func handle(_ event: Event) -> [Effect] {
    isInScript = event.answeredJob.map { script.jobs.contains($0) } ?? false
    take(event)
    isInScript = false
    continueScript()
    return takeEffects()
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .terminal(let event): handle(event)
    case .progress(let id, let fraction):
      if let index = jobs.firstIndex(where: { $0.id == id }) { jobs[index].fraction = fraction }
    case .opened(let id, let file):
      if let job = finishJob(id) { take(file, unlessEditedSince: job.revision) }
    case .imported(let id, let data):
      if finishJob(id) != nil { take(data) }
    case .saved(let id, let path, let revision, let notice, let isConfirmed):
      if finishJob(id) != nil {
        noteSaved(path, revision: revision, notice: notice, isConfirmed: isConfirmed)
      }
    case .conflicted(let id, let conflict):
      if finishJob(id) != nil { take(conflict, id) }
    case .restored(let id, let number, let document):
      if finishJob(id) != nil { take(version: number, document) }
    case .page(let id, let title, let text):
      if finishJob(id) != nil { takePage(text, title: title) }
    case .changedOnDisk(let path, let change): noteChange(of: path, change)
    case .wanted(let path, let who):
      if FilePath.isSame(path, file.path) { say("\(who) wants to edit \(title)", .warning) }
    case .freed(let path):
      if FilePath.isSame(path, file.path), isReadOnly {
        say("\(title) is free now: :revert opens it for editing", .warning)
      }
    case .remark(let text): say(text, .warning)
    case .finished(let id, let notice):
      if finishJob(id) != nil { say(notice) }
    case .failed(let id, let message):
      if let job = finishJob(id) {
        if job.isSave, isEdited { file.trouble = "not saved" }
        if job.isReload { noteUnreadable() }
        failJob(id, message)
      }
    case .autosave(let state): take(state)
    case .foundWork(let id, let work):
      if finishJob(id) != nil, !work.isEmpty {
        if isEdited { request(.leaveWork(work.map(\.journal))) } else { offer(work) }
      }
    case .script(let id, let name, let text):
      if finishJob(id) != nil { runScript(text, name: name) }
    }
  }

  /// The wishes of lines that were run outside of an event; `handle` answers them as well.
  package mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  private mutating func handle(_ event: TerminalEvent) {
    switch event {
    case .key(let key): press(key)
    case .mouse(let event): point(event)
    case .paste(let text): paste(text)
    case .resize(let size): resize(to: size)
    case .resumed: request(.redraw)
    case .hangUp:
      hasQuit = true
      request(.quit(code: 0))
    }
  }

  /// Takes the screen's new size; the cursor keeps its coordinate.
  package mutating func resize(to size: CellSize) {
    let kept = cursor
    screenSize = size
    settleCursor(at: kept)
  }

  /// Asks the outside for something.
  package mutating func request(_ effect: Effect) { effects.append(effect) }

  /// Notes a job that the world is asked to do.
  package mutating func startJob(_ name: String) -> JobID {
    let id = JobID(session.nextJobNumber)
    session.nextJobNumber += 1
    jobs.append(Job(id: id, name: name, revision: history.present.revision))
    return id
  }

  /// Takes a job off the list; answers `nil` if it was not on it any more.
  private mutating func finishJob(_ id: JobID) -> Job? {
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
    return jobs.remove(at: index)
  }

  /// Stops everything under way.
  mutating func cancelJobs() throws {
    if jobs.isEmpty { throw EditingError(.refused, "nothing is running; :q quits") }
    for job in jobs { request(.cancel(job.id)) }
    say("cancelled: " + jobs.map(\.name).joined(separator: ", "))
    jobs = []
    endScript()
    file.quitsAfterSave = false
  }

  package mutating func say(_ text: String, _ severity: Message.Severity = .note) {
    message = Message(text, severity)
  }

  /// Tells that something went wrong.
  mutating func fail(_ text: String) {
    say(text, .error)
    file.quitsAfterSave = false
    request(.beep)
  }

  /// Takes a file's document in place of the present one, if nothing was edited meanwhile.
  private mutating func take(_ opened: OpenedFile, unlessEditedSince revision: Int) {
    if isEdited, history.present.revision != revision {
      fail("\(opened.path) was not opened: there are edits since; :w saves them, then :e again")
      if !FilePath.isSame(opened.path, file.path) { request(.close(path: opened.path)) }
      return
    }
    if opened.isReload, FilePath.isSame(opened.path, file.path) {
      takeAgain(opened)
      return
    }
    if let path = file.path, !FilePath.isSame(path, opened.path) { request(.close(path: path)) }
    forgetLeftWork()
    show(OpenDocument(id: OpenDocument.ID(file.id.rawValue + 1), opened))
    if !opened.isDocumentFile {
      fit(opened.document.extent)
      pane.pastViewpoints = []
      centreCursor()
    }
    sayOpened(opened.notices, name: title, layers: opened.document.layers)
    if let holder = opened.holder { ask(.openElsewhere(title, holder: holder)) }
    if !opened.leftWork.isEmpty { offer(opened.leftWork) }
  }

  /// Puts a document on the desk, with new work and a new pane on it.
  mutating func show(_ document: OpenDocument) {
    file = document
    work = Work(on: document.history.value)
    pane = Pane()
    showDocumentView()
    centreCursor()
  }

  /// Puts read layers on top of the document.
  private mutating func take(_ data: ImportedData) {
    do {
      let wasEmpty = document.extent.isEmpty
      var last: LayerID?
      let system = try document.fitSystem(of: data).system
      let notices = document.notices(of: data)
      try edit("import \(data.path)") { document in
        if let system { document.metadata.take(system) }
        document.add(data.layers, hasLooks: data.isStyled)
        let added = document.layers.suffix(data.layers.count)
        last = (added.last { $0 is any FeatureHolding } ?? added.last)?.id
      }
      activeLayer = last ?? activeLayer
      if wasEmpty {
        file.planeReference = document.extent
        fit(document.extent)
      }
      sayOpened(notices, name: data.path, layers: data.layers)
    } catch {
      fail("\(error)")
    }
  }

  mutating func sayOpened(_ notices: [String], name: String, layers: [any Layer]) {
    let features = layers.reduce(0) { $0 + $1.count }
    let counted = layers.count == 1 ? "1 layer" : "\(layers.count) layers"
    if let reason = file.readOnlyReason {
      say("\(name): read-only: \(reason)", .warning)
    } else if let first = notices.first {
      let more = notices.count > 1 ? " (and \(notices.count - 1) more)" : ""
      say("\(name): \(first)\(more)", .warning)
    } else {
      say("\(name): \(counted), \(CountText.features(features))")
    }
  }

  private mutating func noteSaved(
    _ path: String, revision: Int, notice: String?, isConfirmed: Bool
  ) {
    history.markSaved(revision)
    // Standard output is no file that the document would have from now on.
    if path == "-" { return }
    if !FilePath.isSame(path, file.path) {
      file.readOnlyReason = nil
      if let former = file.path { request(.close(path: former)) }
    }
    migration = []
    file.path = path
    file.isSaveConfirmed = isConfirmed
    file.trouble = isConfirmed ? nil : "not confirmed by the disk"
    if let notice { say("saved \(path); \(notice)", .warning) } else { say("saved \(path)") }
    guard file.quitsAfterSave else { return }
    file.quitsAfterSave = false
    if isEdited {
      fail("edited since the save: :wq again, or :q! to leave the rest")
    } else {
      hasQuit = true
      request(.quit(code: 0))
    }
  }
}
