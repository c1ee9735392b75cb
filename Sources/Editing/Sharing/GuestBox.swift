import PortolanTerminals
import Synchronization

/// What arrives at a host from other programs.
enum GuestMail: Sendable {
  /// A guest wants a session; the answer is its number, or why there is none.
  case arrival(LineID, GuestFacts, any GuestLine, @Sendable (Result<SessionID, Failure>) -> Void)
  /// A guest's terminal shows the last frame.
  case shown(LineID)
  /// A guest goes: its line is broken, or was ended.
  case gone(LineID)
  case lines(LineID, RemoteLines, @Sendable (RemoteAnswer) -> Void)
  case state(@Sendable (HostState) -> Void)
  /// The process is asked to end.
  case end
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
    var events: [LineID: [TerminalEvent]] = [:]
    var lastLine = 0
  }

  /// The most events of a guest that wait; more are a flood.
  private static let eventsMax = 65_536

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

  func post(_ mail: GuestMail) {
    state.withLock { $0.mail.append(mail) }
    wake()
  }

  /// Adds events of a guest; `false` if too many wait.
  func post(_ events: [TerminalEvent], of line: LineID) -> Bool {
    let isTaken = state.withLock { state in
      guard state.events[line, default: []].count + events.count <= Self.eventsMax else {
        return false
      }
      state.events[line, default: []] += events
      return true
    }
    if isTaken { wake() }
    return isTaken
  }

  /// Asks the process to end.
  package func postEnd() { post(.end) }

  func takeMail() -> [GuestMail] {
    state.withLock { state in
      defer { state.mail = [] }
      return state.mail
    }
  }

  /// The next events of each guest, a few of each at a time.
  func takeEvents(atMost count: Int) -> [(line: LineID, events: [TerminalEvent])] {
    state.withLock { state in
      var taken: [(line: LineID, events: [TerminalEvent])] = []
      for (line, events) in state.events.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        taken.append((line, Array(events.prefix(count))))
        state.events[line] = events.count > count ? Array(events.dropFirst(count)) : nil
      }
      return taken
    }
  }

  var hasEvents: Bool { state.withLock { !$0.events.isEmpty || !$0.mail.isEmpty } }

  /// Drops the events of a guest that has gone.
  func forget(_ line: LineID) { state.withLock { $0.events[line] = nil } }
}
