/// An event, and the session that it is for.
package struct SeatEvent: Sendable {
  package var event: Event
  /// `nil` for the session or the sessions that the event concerns.
  package var person: SessionID?

  package init(_ event: Event, for person: SessionID? = nil) {
    self.event = event
    self.person = person
  }
}

/// An effect, and the session that requested it.
package struct SeatEffect: Sendable {
  package var effect: Effect
  package var person: SessionID

  package init(_ effect: Effect, of person: SessionID) {
    self.effect = effect
    self.person = person
  }
}
