import PortolanTerminals

/// Text typed at a prompt: many keys on one desk.
extension Workspace {
  /// Types the keys at the head of some events into the open prompt of a session.
  ///
  /// Only keys that put their character into the line and do nothing else are taken, each handled
  /// as by `handle`: a desk is laid out for all of them, not for each.
  ///
  /// - Returns: the number of the events that were handled, and their effects.
  mutating func type(
    _ events: ArraySlice<TerminalEvent>, of person: SessionID
  ) -> (count: Int, effects: [SeatEffect]) {
    guard events.count > 1, let session = sessions[person], session.prompt != nil,
      session.script.place == nil, var desk = desk(at: session.arrangement.focus, of: person)
    else { return (0, []) }
    var count = 0
    var effects: [Effect] = []
    for event in events {
      guard effects.isEmpty, desk.typesAtPrompt(event) else { break }
      effects = desk.handle(.terminal(event))
      count += 1
    }
    if count > 0 { put(back: desk, person) }
    return (count, effects.map { SeatEffect($0, of: person) })
  }
}

extension Desk {
  /// Whether an event is a key that puts its character into the line of the prompt.
  fileprivate func typesAtPrompt(_ event: TerminalEvent) -> Bool {
    guard case .key(let key) = event, case .character = key.code, key.modifiers.isEmpty,
      layout.kind != .tooSmall, keyOverlay is Prompt, session.pendingKeys.isEmpty
    else { return false }
    return keyMap.match([key], in: keyMode) == .none
  }
}
