import Archiving
import Synchronization

/// A thread that waits for the reply to a call.
///
/// If it is the queue's thread, it carries out the call-backs that belong to the call meanwhile.
final class PortWaiter: Sendable {
  typealias Reply = Result<HandedOver<PortUnarchiver>, any Error>

  private struct State {
    var reply: Reply?
    var jobs: [@Sendable () -> Void] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let gate = PortGate()
  private let thread = PortThread.current

  /// Whether the thread that waits is the queue's.
  func belongs(to queue: PortQueue) -> Bool { queue.isThread(thread) }

  private enum Step {
    case job(@Sendable () -> Void)
    case reply(Reply)
  }

  /// Hands the reply over.
  func answer(_ reply: Reply) {
    state.withLock { if $0.reply == nil { $0.reply = reply } }
    gate.open()
  }

  /// Hands a call-back over; `false` when nobody waits any more.
  func add(_ job: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      if !state.isOver { state.jobs.append(job) }
      return !state.isOver
    }
    if isTaken { gate.open() }
    return isTaken
  }

  /// Waits for the reply; `nil` when the time is over.
  func wait(until deadline: Int64) -> Reply? {
    while true {
      let step = gate.wait(until: deadline) { () -> Step? in
        state.withLock { state in
          // What was sent before the reply comes before it.
          if !state.jobs.isEmpty { return .job(state.jobs.removeFirst()) }
          return state.reply.map { .reply($0) }
        }
      }
      switch step {
      case .job(let job)?: job()
      case .reply(let reply)?: return reply
      case nil: return nil
      }
    }
  }

  /// Takes no more call-backs; those that are left.
  func close() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { (state.isOver, state.jobs) = (true, []) }
      return state.jobs
    }
  }
}
