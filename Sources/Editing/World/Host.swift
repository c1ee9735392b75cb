import Dispatch
import PortolanInterchange
import PortolanFiles
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
  /// Whether the workspace has ended.
  private var hasEnded = false

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
    hasEnded = true
    if isHangUp { journals?.close(atMost: 0.6) } else { journals?.end() }
    for (job, cancellation) in cancellations where !writingJobs.contains(job) {
      cancellation.cancel()
    }
    guard isHangUp else {
      // What is being written is completed.
      queue.sync {}
      journals?.close(atMost: 5)
      return
    }
    // The process has to end within a second; an interrupted save leaves the old file whole.
    wait(atMost: 0.25)
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
    let effects = workspace.handle(mail)
    keepEdits()
    let rest = carryOut(effects)
    if case .replied(let job, _) = mail.event {
      cancellations[job] = nil
      writingJobs.remove(job)
    }
    return rest
  }

  /// Adds a person; returns the number of their session.
  mutating func join(
    beside former: SessionID, name: String, capabilities: ScreenCapabilities, size: CellSize
  ) -> SessionID? {
    workspace.join(beside: former, name: name, capabilities: capabilities, size: size)
  }

  /// Notes whether a terminal shows a session.
  mutating func note(_ person: SessionID, isPresent: Bool) {
    workspace.note(person, isPresent: isPresent)
  }

  /// Removes a session.
  mutating func leave(_ person: SessionID) {
    _ = carryOut(workspace.leave(person))
    keepEdits()
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
      case .quit, .suspend, .redraw, .beep, .setClipboard: rest.append(item)
      case .cancel(let job): cancellations.removeValue(forKey: job)?.cancel()
      case .warn: break
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

  private mutating func start(_ request: any Request, _ job: JobID?, for person: SessionID) {
    if request.isImmediate {
      _ = request.reply(in: world)
      return
    }
    let cancellation = Cancellation()
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
      let reply = request.reply(in: world, progress)
      if let job { mailbox.post(.replied(job, reply), for: person) }
      for text in world.doChores() { mailbox.post(.remark(text), for: person) }
    }
    // Nothing waits for a write; frames need not show it.
    let isQuiet = request.isWriting
    queue.async { if isQuiet { QuietWork.run(work) } else { work() } }
  }
}
