/// Lists of terminal events as text, for tests and recorded sessions.
///
/// Keys as in `KeyNotation`; besides them `<resize:100x30>`, `<paste:TEXT>`, `<resumed>`,
/// `<hangup>` and mouse events `<press:COLUMN,ROW>`, `<release:…>`, `<drag:…>`, `<double:…>`,
/// `<wheelup:…>`, `<wheeldown:…>`, which may begin with `middle-` or `right-`, `c-`, `a-`, `s-`.
package enum EventNotation {
  package static func events(_ text: String) throws(KeyNotationError) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for item in try KeyNotation.items(text) {
      if item.isName, let event = try event(item) {
        events.append(event)
      } else {
        events.append(.key(try KeyNotation.key(item)))
      }
    }
    return events
  }

  private static func event(_ item: KeyNotation.Item) throws(KeyNotationError) -> TerminalEvent? {
    if item.text == "resumed" { return .resumed }
    if item.text == "hangup" { return .hangUp }
    let parts = item.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count > 1 else { return nil }
    if parts[0] == "paste" { return .paste(String(parts[1])) }
    if parts[0] == "resize", let (columns, rows) = numbers(parts[1], separator: "x") {
      return .resize(CellSize(columns: columns, rows: rows))
    }
    if let mouse = mouse(parts[0], parts[1]) { return .mouse(mouse) }
    throw KeyNotationError(offset: item.offset, problem: "unknown event `<\(item.text)>`")
  }

  private static func mouse(_ name: Substring, _ place: Substring) -> MouseEvent? {
    guard let (column, row) = numbers(place, separator: ",") else { return nil }
    var words = name.split(separator: "-")
    guard let last = words.popLast(), let action = actions.first(where: { $0.name == last }) else {
      return nil
    }
    var event = MouseEvent(action: action.action, button: 1, column: column, row: row)
    for word in words {
      switch word {
      case "c": event.modifiers.insert(.control)
      case "a": event.modifiers.insert(.alt)
      case "s": event.modifiers.insert(.shift)
      case "middle": event.button = 2
      case "right": event.button = 3
      default: return nil
      }
    }
    return event
  }

  private static let actions: [(name: Substring, action: MouseEvent.Action)] = [
    ("press", .press), ("release", .release), ("drag", .drag), ("double", .doubleClick),
    ("wheelup", .wheelUp), ("wheeldown", .wheelDown),
  ]

  private static func numbers(_ text: Substring, separator: Character) -> (Int, Int)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let second = Int(parts[1]) else {
      return nil
    }
    return (first, second)
  }
}
