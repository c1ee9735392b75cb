import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping
package import PortolanTerminals

/// Events in, effects out.
extension Desk {
  /// Handles an event; returns the requested effects.
  package mutating func handle(_ event: Event) -> [Effect] {
    take(event)
    takeWaitingReplies()
    continueScript()
    return takeEffects()
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .terminal(let event): handle(event)
    case .progress(let id, let fraction):
      if let index = jobs.firstIndex(where: { $0.id == id }) { jobs[index].fraction = fraction }
    case .replied(let id, let reply):
      if reply.isEdit, isEditPending, jobs.contains(where: { $0.id == id }) {
        file.waitingReplies.append(WaitingReply(job: id, person: session.id, reply: reply))
      } else {
        take(reply, of: id)
      }
    case .changedOnDisk(let path, let change): noteChange(of: path, change)
    case .wanted(let path, let who):
      if file.isFile(path) {
        message = .adding("\(who.description) wants to edit \(title)", to: message)
      }
    case .freed(let path): noteFreed(path)
    case .remark(let text): message = .adding(text, to: message)
    case .autosave(_, let state): take(state)
    case .drawn(let stills):
      session.stills = session.stills.filter { session.panes[$0.key] != nil }
      session.stills.merge(stills) { $1 }
    case .foundBase(let found): take(found)
    }
  }

  private mutating func take(_ reply: Reply, of job: JobID) {
    guard finishJob(job) != nil else { return }
    isInScript = script.jobs.contains(job)
    let former = self
    reply.take(&self)
    // The line of a script waits for what its reply requests, too.
    if isInScript {
      script.jobs.formUnion(jobs.map(\.id).filter { $0.rawValue >= former.freshJob.rawValue })
    }
    commit(since: former)
    isInScript = false
  }

  /// Handles this person's replies that waited for a long edit, after its end.
  mutating func takeWaitingReplies() {
    while !isEditPending,
      let index = file.waitingReplies.firstIndex(where: { $0.person == session.id })
    {
      let waiting = file.waitingReplies.remove(at: index)
      take(waiting.reply, of: waiting.job)
    }
  }

  /// The effects of lines that were run outside of an event; `handle` returns them as well.
  package mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  private mutating func handle(_ event: TerminalEvent) {
    switch event {
    case .key(let key) where layout.kind == .tooSmall: pressUnseen(key)
    case .mouse where layout.kind == .tooSmall, .paste where layout.kind == .tooSmall,
      .cutPaste where layout.kind == .tooSmall:
      break
    case .key(let key): press(key)
    case .mouse(let event): point(event)
    case .paste(let text): paste(text)
    case .cutPaste(let text):
      paste(text)
      fail("a paste broke off after \(text.count) characters: what you type now are keys again")
    case .resize(let size): resize(to: size)
    case .resumed: send(.redraw)
    case .learned(let capabilities): learn(capabilities)
    case .hangUp:
      hasQuit = true
      send(.quit(code: 0))
    }
  }

  /// Takes over what the screen has learned about its terminal; chosen looks stay.
  package mutating func learn(_ capabilities: ScreenCapabilities) {
    let former = session.capabilities
    session.capabilities = capabilities
    session.terminalGround = capabilities.ground
    session.capabilities.blocks = session.chosenBlocks ?? capabilities.blocks
    session.capabilities.pictures = session.chosenPictures ?? capabilities.pictures
    if let chosen = session.chosenTheme { session.capabilities.apply(chosen) }
    // The same cells may have other colours now.
    if former.terminalDepth != capabilities.terminalDepth { send(.redraw) }
  }

  /// Sets the screen's new size; the cursor keeps its coordinate.
  package mutating func resize(to size: CellSize) {
    screenSize = size
    placeCursor()
  }

  /// Requests an effect.
  package mutating func send(_ effect: Effect) { effects.append(effect) }

  /// Requests outside work; a request with a name becomes a job on the list.
  ///
  /// - Parameter place: the pane that handles the reply; `nil` for this one.
  package mutating func request(_ request: any Request, for place: PaneID? = nil) {
    if request.name.isEmpty {
      send(.perform(request, nil))
      return
    }
    let id = freshJob
    freshJob = JobID(id.rawValue + 1)
    var job = Job(id: id, name: request.name, document: file.id, place: place ?? pane.id)
    job.isOfPane = request.isOfPane
    job.isWriting = request.isWriting
    job.isStoppable = request.isStoppable
    job.isAside = request.isAside
    jobs.append(job)
    send(.perform(request, id))
  }

  /// Takes a job off the list; returns `nil` if it is not on it.
  private mutating func finishJob(_ id: JobID) -> Job? {
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
    return jobs.remove(at: index)
  }

  /// The jobs that people asked for.
  var askedJobs: [Job] { jobs.filter { !$0.isAside } }

  /// Cancels all jobs that people asked for, but saves and their like, which are completed.
  mutating func cancelJobs() throws {
    let jobs = askedJobs
    if jobs.isEmpty { throw EditingError(.refused, "nothing is running; :q quits") }
    let names = { (jobs: [Job]) in jobs.map(\.name).joined(separator: ", ") }
    let cancelled = jobs.filter(\.isStoppable)
    for job in cancelled { send(.cancel(job.id)) }
    if cancelled.contains(where: { $0.id == file.pendingEdit }) { file.pendingEdit = nil }
    self.jobs.removeAll { $0.isStoppable && !$0.isAside }
    let writing = jobs.filter { !$0.isStoppable }
    let rest =
      writing.isEmpty
      ? ""
      : "\(names(writing)) \(writing.count == 1 ? "goes" : "go") on: no file is left half written"
    say(
      cancelled.isEmpty
        ? rest : "cancelled: " + names(cancelled) + (rest.isEmpty ? "" : "; " + rest))
    endScript()
    file.quitsAfterSave = false
  }

  package mutating func say(_ text: String, _ severity: Message.Severity = .note) {
    message = Message(text, severity)
  }

  /// Says what an edit did, and warns of what it did besides: on standard error without an editor.
  mutating func say(_ text: String, warning: String?) {
    guard let warning else { return say(text) }
    say("\(text); \(warning)", .warning)
    if isHeadless { send(.warn(warning)) }
  }

  /// Shows the output of a command: on standard output without an editor.
  package mutating func answer(_ text: String) {
    if isHeadless { send(.print([text])) } else { say(text) }
  }

  /// Shows an error.
  mutating func fail(_ text: String) {
    say(text, .error)
    file.quitsAfterSave = false
    send(.beep)
  }

  /// Shows the failure of outside work; the script line waiting for it has failed then.
  mutating func fail(_ failure: Failure) {
    if script.current != nil, isInScript {
      failScript(failure)
    } else if isHeadless {
      session.failure = session.failure ?? failure
    } else {
      fail(failure.description)
    }
  }

  /// Replaces the document by that of a file.
  ///
  /// - Parameters:
  ///   - data: the data of further files named with it, whose layers are added on top.
  ///   - givenUp: the state whose unsaved work may be lost; no later work may be.
  mutating func take(
    _ opened: OpenedFile, and data: [ImportedData] = [], givingUp givenUp: GivenUp? = nil
  ) throws {
    let isSame = opened.isDocumentFile && file.isFile(opened.path)
    let other = others.first { FilePath.isSame($0.path, opened.path) }
    if other != nil || isSame && (isKeptElsewhere || !file.leftWork.isEmpty) { giveBack(opened) }
    if isSame && isKeptElsewhere {
      say("\(title) is open already")
      return
    }
    if isSame, !file.leftWork.isEmpty {
      offer(file.leftWork)
      return
    }
    do {
      try requireLeaving(givenUp, for: opened.path)
    } catch {
      if other == nil { giveBack(opened) }
      throw error
    }
    if let other {
      show(other)
      return
    }
    leaveDocument()
    accept(opened)
    if isKeptElsewhere { others.append(OtherDocument(file)) }
    show(OpenDocument(id: freshDocument, opened))
    freshDocument = OpenDocument.ID(freshDocument.rawValue + 1)
    file.waitingData = data
    var failure: (any Error)?
    if opened.leftWork.isEmpty {
      do { try addWaitingData() } catch { failure = error }
    }
    if opened.isData || !opened.isDocumentFile || !data.isEmpty {
      fit(document.extent)
      map.pastJumps = []
    }
    if map.viewpoint == Viewpoint() { showWorld() }
    // The starting point of scripts, whatever else is on the screen.
    settleCursor(at: startOfCursor)
    if file.isPart, file.readOnlyReason == nil, notices.isEmpty {
      // The progress of the reading stands in the place of the message.
      message = nil
    } else {
      sayOpened(notices, name: title, layers: document.layers)
    }
    if let holder = opened.holder {
      ask(.openElsewhere(title, holder: holder, isJoinable: file.holderSocket != nil))
    }
    if !opened.leftWork.isEmpty { offer(opened.leftWork) }
    if file.isPart {
      file.restJob = freshJob
      request(RestRequest(path: opened.path, title: title, document: document))
    }
    if let failure { throw failure }
  }

  private mutating func giveBack(_ opened: OpenedFile) {
    for request in opened.givenBack { self.request(request) }
  }

  /// Throws rather than lose work done since the file was requested.
  private func requireLeaving(_ givenUp: GivenUp?, for path: String) throws {
    guard file.hasUnsavedWork, !isKeptSafely, givenUp != GivenUp(self) else { return }
    throw EditingError(
      .refused,
      "\(path) was not opened: there is unsaved work since; :w saves it, then :e again")
  }

  /// Accepts the reloaded version of the file as its base version.
  mutating func accept(_ opened: OpenedFile) {
    guard let version = opened.version else { return }
    request(AcceptRequest(path: opened.path, version: version))
  }

  /// Adds the layers of the further files that were named with this one; this is no undoable edit.
  ///
  /// - Throws: the error of layers that cannot be added; the others are added.
  mutating func addWaitingData() throws {
    if file.waitingData.isEmpty { return }
    var document = self.document
    var failure: (any Error)?
    for data in file.waitingData {
      do {
        notices += document.notices(of: data).map { "in \(FilePath.name(of: data.path)): \($0)" }
        _ = try document.add(data)
      } catch {
        failure = failure ?? error
      }
    }
    file.addedData += file.waitingData
    file.waitingData = []
    file.replaceHistory(by: History(document))
    // The file does not have these layers.
    if file.path != nil {
      history.markUnsaved()
      notices.append("the layers of the other files are added, not saved yet: :w saves them")
    }
    activeLayer = document.layers.last?.id
    if let failure { throw failure }
  }

  /// Shows a document on the desk, with new work and its panes.
  mutating func show(_ document: OpenDocument) {
    file = document
    work = Work(on: document.history.value)
    pane = Pane(id: pane.id, document: document.id)
    showArrangement()
    centreCursor()
  }

  /// Shows a document that is already open.
  mutating func show(_ other: OtherDocument) {
    leaveDocument()
    shown = other.id
    say("\(other.title) is open already")
  }

  /// Adds imported layers on top of the document.
  mutating func take(_ data: ImportedData) throws {
    let wasEmpty = document.extent.isEmpty
    let found = document.notices(of: data)
    var last: LayerID?
    try edit("import \(data.path)") { last = try $0.add(data) }
    activeLayer = last ?? activeLayer
    notices += found
    if wasEmpty { fit(document.extent) }
    sayOpened(found, name: data.path, layers: data.layers)
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
    tellFaultsAgain()
  }

  /// Handles the reply to a save.
  mutating func noteSaved(_ save: SaveRequest, notice: String?, isConfirmed: Bool) {
    let path = save.path
    if let former = save.openPath, !file.isFile(former) {
      // The document became a copy without a name meanwhile: its file belongs to another document.
      if !FilePath.isSame(path, former) { request(ReleaseRequest(path: path)) }
      say("saved \(path)")
      return
    }
    history.markSaved(save.revision)
    dropSaveQuestions()
    // Standard output does not become the document's file.
    if path == "-" { return }
    if !FilePath.isSame(path, file.path) {
      file.readOnlyReason = nil
      if let former = file.path { request(ReleaseRequest(path: former)) }
    }
    migration = []
    if save.isOutdated || !FilePath.isSame(path, file.path) { file.basis = .any }
    file.isData = file.isData && isSavedAsData(path)
    file.path = path
    file.isSaveConfirmed = isConfirmed
    file.trouble = isConfirmed ? nil : "not confirmed by the disk"
    let notices = [notice, wordsOfRefusedSaves].compactMap { $0 }
    say(
      (["saved \(path)"] + notices).joined(separator: "; "), notices.isEmpty ? .note : .warning)
    sayKeptPanes()
    guard file.quitsAfterSave else { return }
    file.quitsAfterSave = false
    if isEdited {
      fail("edited since the save: :wq again, or :q! to leave the rest")
    } else if let refused = wordsOfRefusedSaves {
      fail("saved \(path); \(refused)")
    } else if let unsavedWork {
      fail("saved \(path); \(unsavedWork)")
    } else {
      hasQuit = true
      send(.quit(code: 0))
    }
  }
}
