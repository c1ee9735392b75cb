import Synchronization

/// Where the methods of vended objects run, one after the other, in the order of the requests.
///
/// A queue has a thread of its own, which starts with the first request:
///
///     let queue = PortQueue()
///
/// or it is a mailbox, which the thread that made it empties when it is woken:
///
///     let mailbox = PortQueue(mailbox: { runLoop.wake() })
///     …
///     mailbox.runPending()
///
/// Several connections may share one queue: then no two requests run at a time, whoever sends them.
///
/// While the queue's thread waits for the reply to a call, it carries out the call-backs that the
/// other end makes within that very call, and nothing else.
public final class PortQueue: Sendable {
  private let core: Core

  /// A queue with a thread of its own.
  public init() { core = Core(wake: nil) }

  /// A mailbox of the calling thread; `wake` is called on any thread when something comes into it.
  public init(mailbox wake: @escaping @Sendable () -> Void) {
    core = Core(wake: wake)
    core.state.withLock { $0.home = PortThread.current }
  }

  deinit {
    core.state.withLock { $0.isOver = true }
    core.gate.open()
  }

  /// Adds work to the end.
  public func add(_ job: @escaping @Sendable () -> Void) {
    let isFirst = core.state.withLock { state in
      state.jobs.append(job)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if let wake = core.wake { return wake() }
    guard isFirst else { return core.gate.open() }
    let core = core
    do {
      try PortThread.start { core.run() }
    } catch {
      // Without threads there is nothing better: the work is done here.
      core.state.withLock { $0.isStarted = false }
      core.runPending()
    }
  }

  /// Does what has come into a mailbox until now.
  ///
  /// - Returns: how many requests and events that was.
  @discardableResult
  public func runPending() -> Int { core.runPending() }

  /// Whether a thread is the queue's.
  func isThread(_ thread: UInt) -> Bool { core.state.withLock { $0.home } == thread }

  private final class Core: Sendable {
    struct State {
      var jobs: [@Sendable () -> Void] = []
      var home: UInt = 0
      var isStarted = false
      var isOver = false
    }

    let state = Mutex(State())
    let gate = PortGate()
    let wake: (@Sendable () -> Void)?

    init(wake: (@Sendable () -> Void)?) { self.wake = wake }

    private enum Step {
      case jobs([@Sendable () -> Void])
      case end
    }

    /// The life of the thread.
    func run() {
      state.withLock { $0.home = PortThread.current }
      while true {
        let step = gate.wait { () -> Step? in
          state.withLock { state in
            if state.jobs.isEmpty { return state.isOver ? .end : nil }
            defer { state.jobs = [] }
            return .jobs(state.jobs)
          }
        }
        guard case .jobs(let jobs)? = step else { return }
        for job in jobs { job() }
      }
    }

    @discardableResult
    func runPending() -> Int {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        return state.jobs
      }
      for job in jobs { job() }
      return jobs.count
    }
  }
}
