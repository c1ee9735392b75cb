import Dispatch
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanTerminals

/// What all seats of an editor share: the workspace, the world, the journals, the mailbox and the
/// work under way.
///
/// It hands events to the workspace and carries out their effects, but for those on a display.
struct Host {
  private(set) var workspace: Workspace
  let world: World
  let mailbox: Mailbox
  private let queue = DispatchQueue(label: "portolan.world", qos: .userInitiated)
  private var cancellations: [JobID: Cancellation] = [:]
  private var writingJobs: Set<JobID> = []
  /// The journals of all documents; `nil` if none are kept.
  private var journals: JournalSet?
  /// Checks the documents' files while nothing else happens.
  private var watch: (any DispatchSourceTimer)?
  private var isFinerBaseSought = false
  /// The commands of other programs under way.
  private var runs = RemoteRuns()
  /// Whether a person has ended the workspace for all.
  private(set) var isToEnd = false
  /// Whether the workspace has ended.
  private var hasEnded = false
  /// At the end, the longest time without progress of a write.
  var patience = Duration.seconds(20)
  /// Work that begins when the next picture is shown.
  private var heldWork: [@Sendable () -> Void] = []
  /// Whether a write was given up at the end.
  private(set) var hasLeftWriting = false

  var keepsEdits: Bool { journals != nil }

  /// - Parameter wake: called on any thread when there is an event in the mailbox.
  init(desk: Desk, world: World, wake: @escaping @Sendable () -> Void) {
    workspace = Workspace(desk)
    self.world = world
    mailbox = Mailbox(wake: wake)
    journals = world.journalSet(reportingTo: mailbox)
  }

  // MARK: Beginning and end

  /// Requests what a session begins with; files are opened first.
  mutating func begin(files: [String], reading: (any FormatOptions)?) {
    let keepsEdits = keepsEdits
    workspace.change { desk in
      desk.showWorld()
      if case .file(let path) = desk.session.base.choice {
        desk.request(BaseRequest(path: path))
      }
      if !files.isEmpty {
        desk.request(OpenRequest(paths: files, reading: reading))
      } else if keepsEdits {
        desk.request(FindWorkRequest())
      }
      desk.request(RecentFilesRequest(isShown: false))
      desk.request(PromptHistoryRequest())
    }
    startWatch()
  }

  /// Checks the documents' files more than twice a second: a change is noticed within one.
  private mutating func startWatch() {
    guard world.options.guardsDocuments else { return }
    let timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "portolan.watch", qos: .utility))
    let (world, mailbox) = (world, mailbox)
    timer.schedule(deadline: .now() + 0.4, repeating: 0.4, leeway: .milliseconds(50))
    timer.setEventHandler {
      for event in world.look() { mailbox.post(event) }
    }
    timer.resume()
    watch = timer
  }

  /// Ends the work under way when the last session has ended.
  ///
  /// - Parameter isHangUp: whether the terminal is gone or the process was asked to end: the
  ///   journals are kept then, and there is little time.
  mutating func finish(isHangUp: Bool) {
    if hasEnded { return }
    hasEnded = true
    if isHangUp { journals?.close(atMost: 0.6) } else { journals?.end() }
    for (job, cancellation) in cancellations where !writingJobs.contains(job) {
      cancellation.cancel()
    }
    guard isHangUp else {
      hasLeftWriting = !drain()
      journals?.close(atMost: 5)
      return
    }
    // The process has to end within a second; an interrupted save leaves the old file whole.
    wait(atMost: 0.25)
  }

  /// Waits for the writes under way, as long as they make progress.
  ///
  /// - Returns: whether they are done.
  private func drain() -> Bool {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    let limit = DispatchTimeInterval.milliseconds(Int(patience / .milliseconds(1)))
    while done.wait(timeout: .now() + limit) == .timedOut {
      if mailbox.take().isEmpty { return false }
    }
    return true
  }

  /// Ends the watch, and lets go of the files; a host that has not finished keeps its journals.
  mutating func close() {
    watch?.cancel()
    if !hasEnded { journals?.close(atMost: 0.6) }
    world.letGoOfAll()
  }

  /// Waits for the requests under way.
  func wait(atMost seconds: Double) {
    guard seconds > 0 else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + seconds)
  }

  // MARK: Events and effects

  /// Lets a closure change the desk at the focused pane of a session; returns the effects for
  /// displays.
  mutating func change(of person: SessionID, _ body: (inout Desk) -> Void) -> [SeatEffect] {
    workspace.change(of: person, body)
    return carryOut(workspace.takeAllEffects())
  }

  /// Handles an event; returns the effects for displays.
  mutating func take(_ mail: SeatEvent) -> [SeatEffect] {
    if case .replied(let job, let reply) = mail.event, let person = workspace.owner(of: job),
      runs.has(person)
    {
      for remark in reply.remarks(workspace.desk(of: person)) where !remark.isDetail {
        runs.add(remark.text, to: person)
      }
    }
    if case .remark(let text) = mail.event, let person = mail.person, runs.has(person) {
      runs.add(text, to: person)
    }
    if case .terminal = mail.event, let person = mail.person { workspace.noteActing(person) }
    if case .replied(let job, _) = mail.event, let person = workspace.owner(of: job) {
      workspace.noteActing(person)
    }
    let effects = workspace.handle(mail)
    keepEdits()
    let rest = carryOut(effects)
    if case .replied(let job, _) = mail.event {
      cancellations[job] = nil
      writingJobs.remove(job)
    }
    finishRuns()
    return rest
  }

  /// Types the keys at the head of a person's events into their prompt.
  ///
  /// - Returns: how many were handled, and the effects for displays.
  mutating func type(
    _ events: ArraySlice<TerminalEvent>, of person: SessionID
  ) -> (count: Int, effects: [SeatEffect]) {
    let (count, effects) = workspace.type(events, of: person)
    if count > 0 { workspace.noteActing(person) }
    return (count, carryOut(effects))
  }

  /// Lets a closure change the people of the workspace.
  mutating func arrange<Result>(_ body: (inout Workspace) -> Result) -> Result {
    body(&workspace)
  }

  /// Removes a session.
  mutating func leave(_ person: SessionID) {
    for job in workspace.sessions[person]?.jobs ?? [] where job.isOfPane && job.isStoppable {
      cancellations[job.id]?.cancel()
    }
    _ = carryOut(workspace.leave(person))
    keepEdits()
  }

  // MARK: Commands of other programs

  /// Runs lines on a session of their own; the answer comes when they are done.
  ///
  /// - Returns: the effects for displays.
  mutating func run(
    _ lines: RemoteLines, of line: LineID, _ answer: @escaping @Sendable (RemoteAnswer) -> Void
  ) -> [SeatEffect] {
    do throws(Failure) {
      let id = try document(of: lines.path)
      let person =
        if let owner = lines.person {
          try workspace.act(for: SessionID(owner), on: id)
        } else {
          try workspace.joinRemote(on: id)
        }
      runs.begin(person, line, answer)
      var failure: Failure?
      workspace.change(of: person) { desk in
        do {
          try desk.queueScript(lines.text, name: "remote")
        } catch {
          failure = Failure(error)
        }
      }
      if let failure { throw failure }
      let rest = carryOut(workspace.takeEffects(of: person).map { SeatEffect($0, of: person) })
      keepEdits()
      finishRuns()
      return rest
    } catch {
      answer(RemoteAnswer(code: error.code.rawValue, remarks: [error.description]))
      return []
    }
  }

  /// The open document of a real path; `nil` for no path.
  private func document(of path: String?) throws(Failure) -> OpenDocument.ID? {
    guard let path else { return nil }
    let found = workspace.documents.values.first { document in
      (document.path ?? document.source).map { world.files.knownPath(of: $0) == path } ?? false
    }
    if let found { return found.id }
    throw Failure(.input, subject: FilePath.shown(path), what: "is not open there")
  }

  /// Gives up the commands of a program that has gone.
  mutating func giveUpRuns(of line: LineID) {
    for person in runs.give(up: line) {
      for job in workspace.sessions[person]?.jobs ?? [] where job.isStoppable {
        cancellations[job.id]?.cancel()
      }
      leave(person)
    }
  }

  /// Answers the commands that are done.
  private mutating func finishRuns() {
    for person in runs.people {
      guard let session = workspace.sessions[person] else {
        runs.answer(person, nil)
        continue
      }
      for text in session.passedOver { runs.add("passed over: \(text)", to: person) }
      workspace.change(of: person) { $0.session.passedOver = [] }
      guard
        session.failure != nil || session.hasQuit
          || session.script.current == nil && session.jobs.isEmpty
      else { continue }
      runs.answer(person, session.failure ?? loss(of: session))
      workspace.giveBack(person)
      leave(person)
    }
  }

  /// What the end of commands loses: their work on documents that nobody else works on, and that
  /// the person for whom they act does not get.
  private mutating func loss(of session: Session) -> Failure? {
    let owner = session.actsFor.flatMap { workspace.sessions[$0] }
    if session.hasQuit || session.givesBack && owner != nil { return nil }
    let desk = workspace.desk(of: session.id)
    let kept = owner?.panes.values.map(\.document) ?? []
    let ids = Set(session.panes.values.map(\.document)).subtracting(kept)
      .filter { !desk.isInHands($0) }
    let losses = ids.sorted { $0.rawValue < $1.rawValue }
      .compactMap { workspace.documents[$0]?.lossAtEnd }
    for loss in losses.dropLast() { runs.add(loss.description, to: session.id) }
    return losses.last
  }

  /// Appends new edits to the journals.
  ///
  /// Not after the end: a discarded journal must not be begun once more.
  private mutating func keepEdits() {
    guard !hasEnded else { return }
    journals?.observe(workspace.documents.values.map(\.journaled))
  }

  /// Looks for a finer base map in the background, once, when it would be drawn.
  mutating func seekFinerBase(for person: SessionID) {
    guard !isFinerBaseSought, workspace.desk(of: person).wantsFinerBase else { return }
    isFinerBaseSought = true
    let (world, mailbox) = (world, mailbox)
    queue.async { mailbox.post(.foundBase(world.finerBase())) }
  }

  /// Carries out effects; returns those that displays and the loop carry out.
  private mutating func carryOut(_ effects: [SeatEffect]) -> [SeatEffect] {
    var rest: [SeatEffect] = []
    for item in effects {
      switch item.effect {
      case .quit:
        if workspace.sessions[item.person]?.endsWorkspace == true { isToEnd = true }
        rest.append(owned(item))
      case .detach, .attach, .suspend, .redraw, .beep, .setClipboard:
        rest.append(owned(item))
      case .cancel(let job): cancellations.removeValue(forKey: job)?.cancel()
      case .warn(let text): runs.add(text, to: item.person)
      case .print(let lines) where runs.has(item.person): runs.print(lines, of: item.person)
      case .printData(let text) where runs.has(item.person):
        runs.write(Array(text.utf8), of: item.person)
      case .print(let lines):
        workspace.change(of: item.person) { $0.show(lines, title: $0.title) }
      case .printData(let text):
        workspace.change(of: item.person) {
          $0.show(text.split(separator: "\n").map(String.init), title: $0.title)
        }
      case .perform(let request, let job): start(request, job, for: item.person)
      }
    }
    return rest
  }

  /// An effect on the display of the person for whom commands act, if they act for one.
  private func owned(_ item: SeatEffect) -> SeatEffect {
    SeatEffect(item.effect, of: workspace.sessions[item.person]?.actsFor ?? item.person)
  }

  /// Begins the work that was held back until a picture was shown.
  mutating func startHeldWork() {
    for work in heldWork { queue.async(execute: work) }
    heldWork = []
  }

  private mutating func start(_ request: any Request, _ job: JobID?, for person: SessionID) {
    if request.isImmediate {
      _ = request.reply(in: world)
      return
    }
    // Housekeeping, such as the lines typed at the prompt, has no name.
    if request.isWriting, !request.name.isEmpty, workspace.sessions[person]?.isWatching == true {
      workspace.change(of: person) { $0.fail("you only watch: attach without --watch to write") }
      if let job { mailbox.post(.replied(job, .nothing), for: person) }
      return
    }
    let cancellation = Cancellation()
    let sink = runs.sink(of: person)
    if let job {
      if request.isSave, let id = workspace.document(of: job, person) {
        journals?.noteSaving(id.rawValue)
      }
      cancellations[job] = cancellation
      if request.isWriting { writingJobs.insert(job) }
    }
    let (world, mailbox) = (world, mailbox)
    let work: @Sendable () -> Void = {
      if cancellation.isCancelled { return }
      let progress = World.Progress(cancellation: cancellation) { fraction in
        if let job { mailbox.post(.progress(job, fraction: fraction), for: person) }
      }
      let reply = world.redirecting(to: sink) { request.reply(in: world, progress) }
      if let job { mailbox.post(.replied(job, reply), for: person) }
      for text in world.doChores() { mailbox.post(.remark(text), for: person) }
    }
    // Nothing waits for a write; frames need not show it.
    let isQuiet = request.isWriting
    if request.followsPicture {
      heldWork.append(work)
      return
    }
    queue.async { if isQuiet { QuietWork.run(work) } else { work() } }
  }
}
