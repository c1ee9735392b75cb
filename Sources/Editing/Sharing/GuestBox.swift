import PortolanTerminals
import Synchronization

/// What arrives at a host from other programs.
enum GuestMail: Sendable {
  /// A guest wants a session; the answer is its number, or why there is none.
  case arrival(LineID, GuestFacts, any GuestLine, @Sendable (Result<SessionID, Failure>) -> Void)
  /// A guest's terminal shows the last frame.
  case shown(LineID)
  /// A guest goes: its line is broken, or was ended; with why, if it was cut off.
  case gone(LineID, CutOff?)
  case lines(LineID, RemoteLines, @Sendable (RemoteAnswer) -> Void)
  case state(@Sendable (HostState) -> Void)
  /// The process is asked to end.
  case end

  /// The bytes of commands in it.
  fileprivate var bytes: Int {
    if case .lines(_, let lines, _) = self { lines.text.utf8.count } else { 0 }
  }
}

/// Why a line was cut off, and which process was at its other end.
package struct CutOff: Sendable {
  let process: Int32?
  let reason: String

  /// - Parameter reason: may come from the other end, and be of any length.
  init(process: Int32?, reason: String) {
    self.process = process
    self.reason = String(reason.unicodeScalars.prefix(200))
  }
}

/// The number of a line to another program.
package struct LineID: Hashable, Sendable {
  package let rawValue: Int
}

/// The mail of guests for the run loop, with the events of each in a queue of its own: one that
/// sends a flood holds up nobody else.
package final class GuestBox: Sendable {
  private struct State {
    var mail: [GuestMail] = []
    /// What of the mail came on each line, where that is bounded.
    var mailLoads: [LineID: Load] = [:]
    var events: [LineID: Events] = [:]
    var lastLine = 0
  }

  private struct Events {
    var waiting: [TerminalEvent] = []
    /// The bytes of their pastes.
    var bytes = 0
  }

  private struct Load {
    var count = 0
    var bytes = 0
  }

  /// The most events of a guest that wait; more are a flood.
  private static let eventsMax = 65_536
  /// The most mail of a line that waits.
  private static let mailMax = 1_024
  /// The most bytes of a line's pastes that wait, and of its commands.
  private static let bytesMax = 64 << 20

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// A number for a new line.
  func makeLine() -> LineID {
    state.withLock { state in
      state.lastLine += 1
      return LineID(rawValue: state.lastLine)
    }
  }

  /// Adds mail that is never refused.
  func post(_ mail: GuestMail) {
    state.withLock { $0.mail.append(mail) }
    wake()
  }

  /// Adds mail of a line; `false` if too much of it waits.
  func post(_ mail: GuestMail, of line: LineID) -> Bool {
    let isTaken = state.withLock { state in
      var load = state.mailLoads[line, default: Load()]
      load.count += 1
      load.bytes += mail.bytes
      guard load.count <= Self.mailMax, load.bytes <= Self.bytesMax else { return false }
      state.mailLoads[line] = load
      state.mail.append(mail)
      return true
    }
    if isTaken { wake() }
    return isTaken
  }

  /// Adds events of a guest; `false` if too many wait.
  func post(_ events: [TerminalEvent], of line: LineID) -> Bool {
    let isTaken = state.withLock { state in
      let known = state.events[line]
      let bytes = (known?.bytes ?? 0) + events.reduce(0) { $0 + $1.pasteBytes }
      guard (known?.waiting.count ?? 0) + events.count <= Self.eventsMax, bytes <= Self.bytesMax
      else { return false }
      state.events[line, default: Events()].waiting += events
      state.events[line]?.bytes = bytes
      return true
    }
    if isTaken { wake() }
    return isTaken
  }

  /// Asks the process to end.
  package func postEnd() { post(.end) }

  func takeMail() -> [GuestMail] {
    state.withLock { state in
      defer { (state.mail, state.mailLoads) = ([], [:]) }
      return state.mail
    }
  }

  /// The next events of each guest, a few of each at a time.
  func takeEvents(atMost count: Int) -> [(line: LineID, events: [TerminalEvent])] {
    state.withLock { state in
      var taken: [(line: LineID, events: [TerminalEvent])] = []
      for (line, events) in state.events.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        let next = Array(events.waiting.prefix(count))
        taken.append((line, next))
        let rest = Array(events.waiting.dropFirst(count))
        state.events[line] =
          rest.isEmpty
          ? nil
          : Events(waiting: rest, bytes: events.bytes - next.reduce(0) { $0 + $1.pasteBytes })
      }
      return taken
    }
  }

  var hasEvents: Bool { state.withLock { !$0.events.isEmpty || !$0.mail.isEmpty } }

  /// Drops the events of a guest that has gone.
  func forget(_ line: LineID) { state.withLock { $0.events[line] = nil } }
}
