import Synchronization

/// A queue of events from background work to the run loop.
package final class Mailbox: Sendable {
  private let events = Mutex<[Event]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called after each event, on the thread that posts it.
  package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  package func post(_ event: Event) {
    events.withLock { $0.append(event) }
    wake()
  }

  /// Removes and returns all posted events, oldest first.
  package func take() -> [Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
