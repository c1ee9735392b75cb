import Dispatch
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
package import PortolanInterchange
import PortolanKeeping
import PortolanPrinting
import PortolanRendering
package import PortolanTerminals

/// Runs the editor on a screen: events in, effects out, a new picture after changes.
///
/// All waiting keys are handled before the next picture, so a burst never lags behind. Files are
/// read and written on a queue of their own; their replies wake the screen. While nothing happens
/// nothing is drawn and nothing is sent.
package struct EditorLoop<S: Screen> {
  package private(set) var workspace: Workspace
  package private(set) var screen: S
  private let world: World
  private let mailbox: Mailbox
  private let queue = DispatchQueue(label: "portolan.world", qos: .userInitiated)
  private var memory = RenderMemory()
  private var cancellations: [JobID: Cancellation] = [:]
  private var writingJobs: Set<JobID> = []
  private var exitCode: Int32?
  /// The journals of all documents; `nil` if none are kept.
  private var journals: JournalSet?
  /// Whether the terminal is gone or the process was asked to end: journals are kept then.
  private var isHangUp = false
  /// Checks the documents' files while nothing else happens.
  private var watch: (any DispatchSourceTimer)?
  /// The frame on the screen; `nil` when it is not known.
  private var shown: Frame?
  private var stills = StillMaps()
  private var settling = NameSettling()
  private var isFinerBaseSought = false

  /// The number of events to handle before a picture is due anyway.
  private static var burstMax: Int { 256 }

  /// The desk at the focused pane.
  package var desk: Desk { workspace.desk() }

  package init(desk: Desk, screen: S, world: World) {
    var desk = desk
    desk.session.capabilities = screen.capabilities
    desk.session.base.builtIn = world.options.base
    desk.session.base.mayHaveFiner = !world.options.finerBasePaths.isEmpty
    desk.resize(to: screen.size)
    workspace = Workspace(desk)
    self.screen = screen
    self.world = world
    let waker = screen.waker
    mailbox = Mailbox(wake: { waker.wake() })
    journals = world.journalSet(reportingTo: mailbox)
  }

  /// Runs until the desk ends; returns the exit code.
  ///
  /// - Parameters:
  ///   - files: The files to open first: a document or data, then data for more layers.
  ///   - reading: How to read tables among them.
  ///   - patienceSeconds: How long the first picture waits for them.
  package mutating func run(
    files: [String] = [], reading: (any FormatOptions)? = nil,
    patienceSeconds: Double = 0.12
  ) throws -> Int32 {
    let keepsEdits = journals != nil
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
    defer {
      watch?.cancel()
      // A screen that fails ends the loop as a hang-up does.
      if exitCode == nil { journals?.close(atMost: 0.6) }
      world.letGoOfAll()
    }
    carryOut(workspace.takeEffects())
    try learn()
    wait(atMost: files.isEmpty && journals == nil ? 0 : patienceSeconds)
    takeMail()
    try learn()
    while true {
      if let exitCode { return exitCode }
      try present()
      seekFinerBase()
      stills.note(workspace.waitingStills())
      let rest = [stills.timer.restSeconds, settling.timer.restSeconds].compactMap { $0 }.min()
      if let event = try screen.nextEvent(timeoutSeconds: rest) {
        take(event)
        try takeWaiting()
      } else if stills.timer.isDue {
        stills.draw(workspace.stillDrawings(memory), reportingTo: mailbox)
      } else if settling.timer.isDue {
        memory.settleNames()
        settling.end()
      }
      takeMail()
    }
  }

  /// Uses what the terminal has already told, before the first picture.
  private mutating func learn() throws {
    try screen.listen()
    let capabilities = screen.capabilities
    workspace.change { $0.learn(capabilities) }
    carryOut(workspace.takeEffects())
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

  /// Handles the waiting events, so that one picture shows them all.
  private mutating func takeWaiting() throws {
    var count = 0
    while exitCode == nil, count < Self.burstMax,
      let event = try screen.nextEvent(timeoutSeconds: 0)
    {
      take(event)
      count += 1
    }
  }

  private mutating func take(_ event: TerminalEvent) {
    if case .hangUp = event { isHangUp = true }
    let effects = workspace.handle(.terminal(event))
    keepEdits()
    carryOut(effects)
  }

  private mutating func takeMail() {
    for event in mailbox.take() {
      carryOut(workspace.handle(event))
      guard case .replied(let job, _) = event else { continue }
      cancellations[job] = nil
      writingJobs.remove(job)
    }
    keepEdits()
  }

  /// Appends new edits to the journals.
  ///
  /// Not after the end: a discarded journal must not be begun once more.
  private mutating func keepEdits() {
    guard exitCode == nil else { return }
    journals?.observe(workspace.documents.values.map(\.journaled))
  }

  /// Waits briefly for replies, so that a small file shows at once and not after an empty screen.
  private func wait(atMost seconds: Double) {
    guard seconds > 0 else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// Looks for a finer base map in the background, once, when it would be drawn.
  private mutating func seekFinerBase() {
    guard !isFinerBaseSought, desk.wantsFinerBase else { return }
    isFinerBaseSought = true
    let (world, mailbox) = (world, mailbox)
    queue.async { mailbox.post(.foundBase(world.finerBase())) }
  }

  private mutating func present() throws {
    let frame = workspace.frame(size: screen.size, memory: &memory)
    if frame == shown { return }
    try screen.present(frame)
    shown = frame
    settling.note(memory)
  }

  private mutating func carryOut(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .quit(let code):
        exitCode = code
        if isHangUp { journals?.close(atMost: 0.6) } else { journals?.end() }
        finishWork()
      case .suspend:
        try? screen.suspend()
        let size = screen.size
        workspace.change { $0.resize(to: size) }
        shown = nil
      case .redraw:
        screen.invalidate()
        shown = nil
      case .beep: screen.beep()
      case .setClipboard(let text): screen.copyToClipboard(text)
      case .cancel(let job): cancellations.removeValue(forKey: job)?.cancel()
      case .warn: break
      case .print(let lines): workspace.change { $0.show(lines, title: $0.title) }
      case .printData(let text):
        workspace.change { $0.show(text.split(separator: "\n").map(String.init), title: $0.title) }
      case .perform(let request, let job): start(request, job)
      }
    }
  }

  /// Completes pending writes; cancels pending reads.
  private func finishWork() {
    for (job, cancellation) in cancellations where !writingJobs.contains(job) {
      cancellation.cancel()
    }
    guard isHangUp else {
      queue.sync {}
      journals?.close(atMost: 5)
      return
    }
    // The process has to end within a second; an interrupted save leaves the old file whole.
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + 0.25)
  }

  private mutating func start(_ request: any Request, _ job: JobID?) {
    if request.isImmediate {
      _ = request.reply(in: world)
      return
    }
    let cancellation = Cancellation()
    if let job {
      if request.isSave, let id = workspace.document(of: job) {
        journals?.noteSaving(id.rawValue)
      }
      cancellations[job] = cancellation
      if request.isWriting { writingJobs.insert(job) }
    }
    let (world, mailbox) = (world, mailbox)
    let work: @Sendable () -> Void = {
      if cancellation.isCancelled { return }
      let progress = World.Progress(cancellation: cancellation) { fraction in
        if let job { mailbox.post(.progress(job, fraction: fraction)) }
      }
      let reply = request.reply(in: world, progress)
      if let job { mailbox.post(.replied(job, reply)) }
      for text in world.doChores() { mailbox.post(.remark(text)) }
    }
    // Nothing waits for a write; frames need not show it.
    let isQuiet = request.isWriting
    queue.async { if isQuiet { QuietWork.run(work) } else { work() } }
  }
}
