import Dispatch
import Documents
import Files
import Graphics
import Keeping
import Rendering
package import Terminals

/// Runs the editor on a screen: events in, wishes out, a picture when something changed.
///
/// Keys that wait are all taken in before the next picture, so a burst never lags behind. Files are
/// read and written on a queue of their own; their answers wake the screen. While nothing happens
/// nothing is drawn and nothing is sent.
package struct EditorLoop<S: Screen> {
  package private(set) var desk: Desk
  package private(set) var screen: S
  private let world: World
  private let mailbox: Mailbox
  private let queue = DispatchQueue(label: "portolan.world", qos: .userInitiated)
  private var memory = RenderMemory()
  private var cancellations: [JobID: Cancellation] = [:]
  private var writingJobs: Set<JobID> = []
  /// The files that were named and are not yet answered.
  private var awaitedFiles: Set<JobID> = []
  private var hasSeveralFiles = false
  /// What was said of the first of them that could not be read.
  private var fileFailure: Message?
  private var exitCode: Int32?
  /// Keeps edits; `nil` where no journals are.
  private var journals: JournalSet?
  /// Whether the terminal has gone or the process is asked to end: edits are kept then.
  private var isHangUp = false
  /// Looks after the document's file while nothing else happens.
  private var watch: (any DispatchSourceTimer)?
  /// What the screen shows; `nil` when that is not known.
  private var shown: Frame?

  /// How many events are taken in before a picture is due anyway.
  private static var burstMax: Int { 256 }

  package init(desk: Desk, screen: S, world: World) {
    self.desk = desk
    self.screen = screen
    self.world = world
    let waker = screen.waker
    mailbox = Mailbox(wake: { waker.wake() })
    journals = world.journalSet(reportingTo: mailbox)
    self.desk.session.capabilities = screen.capabilities
    self.desk.resize(to: screen.size)
  }

  /// Runs until the desk ends; answers the exit code.
  ///
  /// - Parameters:
  ///   - files: What to open first: a document or data, then data for more layers.
  ///   - patienceSeconds: How long the first picture waits for them.
  package mutating func run(
    files: [String] = [], patienceSeconds: Double = 0.12
  ) throws -> Int32 {
    for (index, path) in files.enumerated() {
      let job = desk.startJob((index == 0 ? "opening " : "importing ") + path)
      desk.request(
        index == 0
          ? .open(job, path: path) : .importData(job, path: path, layerName: nil))
      awaitedFiles.insert(job)
    }
    if files.isEmpty && journals != nil {
      let job = desk.startJob("looking for unsaved work")
      desk.request(.findWork(job))
    }
    hasSeveralFiles = files.count > 1
    startWatch()
    defer {
      watch?.cancel()
      // A screen that fails ends the loop as a hang-up does.
      if exitCode == nil { journals?.close(atMost: 0.6) }
      world.letGoOfAll()
    }
    carryOut(desk.takeEffects())
    wait(atMost: files.isEmpty && journals == nil ? 0 : patienceSeconds)
    takeMail()
    while true {
      if let exitCode { return exitCode }
      try present()
      if let event = try screen.nextEvent(timeoutSeconds: nil) {
        take(event)
        try takeWaiting()
      }
      takeMail()
    }
  }

  /// Looks at the document's file more than twice a second: a change is noticed within one.
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

  /// Takes in what waits already, so that one picture answers it all.
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
    let effects = desk.handle(.terminal(event))
    keepEdits()
    carryOut(effects)
  }

  private mutating func takeMail() {
    for event in mailbox.take() {
      desk.noteOddities(of: event)
      carryOut(desk.handle(event))
      guard let job = event.answeredJob else { continue }
      cancellations[job] = nil
      writingJobs.remove(job)
      if awaitedFiles.remove(job) != nil { noteFile(event) }
    }
    keepEdits()
  }

  /// Has what was edited journalled, once all is there that was named at the start.
  ///
  /// After the end nothing is: a journal that was given up must not be begun once more.
  private mutating func keepEdits() {
    guard awaitedFiles.isEmpty, exitCode == nil else { return }
    journals?.observe([desk.journaled])
  }

  /// When all files that were named are answered, all of them are shown; what one of them lacked
  /// stays said.
  private mutating func noteFile(_ event: Event) {
    if case .failed = event, fileFailure == nil { fileFailure = desk.message }
    if let failure = fileFailure { desk.say(failure.text, failure.severity) }
    guard awaitedFiles.isEmpty, hasSeveralFiles else { return }
    if !desk.document.extent.isEmpty { desk.fit(desk.document.extent) }
    desk.forgetEdits()
  }

  /// Gives the world a moment, so that a small file shows at once and not after an empty screen.
  private func wait(atMost seconds: Double) {
    guard seconds > 0 else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + seconds)
  }

  private mutating func present() throws {
    let frame = desk.frame(size: screen.size, memory: &memory)
    if frame == shown { return }
    try screen.present(frame)
    shown = frame
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
        desk.resize(to: screen.size)
        shown = nil
      case .redraw:
        screen.invalidate()
        shown = nil
      case .beep: screen.beep()
      case .setClipboard(let text): screen.copyToClipboard(text)
      case .cancel(let job):
        cancellations.removeValue(forKey: job)?.cancel()
        awaitedFiles.remove(job)
      case .discardWork, .leaveWork: _ = try? world.perform(effect)
      case .print(let text): desk.show(text, title: desk.title)
      case .close(let path):
        let world = world
        queue.async { world.letGo(path) }
      case .open, .importData, .save, .reload, .export, .render, .archive, .runScript,
        .listVersions, .useVersion, .findWork, .recover:
        if let job = effect.job { start(effect, job) }
      }
    }
  }

  /// Lets what is being written become whole; what is being read is given up.
  private func finishWork() {
    for (job, cancellation) in cancellations where !writingJobs.contains(job) {
      cancellation.cancel()
    }
    guard isHangUp else {
      queue.sync {}
      journals?.close(atMost: 5)
      return
    }
    // The process is to be gone within a second; a save that is cut off leaves the old file whole.
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + 0.25)
  }

  private mutating func start(_ effect: Effect, _ job: JobID) {
    let cancellation = Cancellation()
    cancellations[job] = cancellation
    switch effect {
    case .save:
      journals?.noteSaving(desk.file.id.rawValue)
      writingJobs.insert(job)
    case .export, .render, .recover, .useVersion, .archive: writingJobs.insert(job)
    default: break
    }
    let (world, mailbox) = (world, mailbox)
    let work: @Sendable () -> Void = {
      if cancellation.isCancelled { return }
      do throws(Failure) {
        let answer = try world.perform(effect, cancellation: cancellation) { fraction in
          mailbox.post(.progress(job, fraction: fraction))
        }
        if let answer { mailbox.post(answer) }
      } catch {
        mailbox.post(.failed(job, message: error.description))
      }
      for event in world.doChores() { mailbox.post(event) }
    }
    // Nobody waits for what is written; frames are not to.
    let isQuiet = writingJobs.contains(job)
    queue.async { if isQuiet { QuietWork.run(work) } else { work() } }
  }
}
