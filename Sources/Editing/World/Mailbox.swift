import Synchronization

/// A queue of events from background work to the run loop.
package final class Mailbox: Sendable {
  private let events = Mutex<[SeatEvent]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called after each event, on the thread that posts it.
  package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// - Parameter person: the session that the event is for; `nil` for those that it concerns.
  package func post(_ event: Event, for person: SessionID? = nil) {
    events.withLock { $0.append(SeatEvent(event, for: person)) }
    wake()
  }

  /// Removes and returns all posted events, oldest first.
  package func take() -> [SeatEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
