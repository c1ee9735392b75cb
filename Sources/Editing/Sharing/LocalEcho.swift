import PortolanTerminals

/// The keys that a client has sent and whose picture has not come: what of them it draws itself.
///
/// On a fast line it draws nothing: the host's pictures are there before anybody could see a
/// difference.
struct LocalEcho {
  /// A way of the cursor on a map, as the command for it names it.
  enum Way: String {
    case left, right, up, down
  }

  /// The keys that move the cursor on a map.
  static let moves: [(Key.Code, Way)] = [
    (.character("h"), .left), (.left, .left), (.character("j"), .down), (.down, .down),
    (.character("k"), .up), (.up, .up), (.character("l"), .right), (.right, .right),
  ]

  /// The time without an answer after which keys are drawn here, after which they are marked as
  /// pending, and the round trip of a line on which they are drawn at once; in seconds.
  static let (drawnAfter, pendingAfter, slowTrip) = (0.02, 0.3, 0.03)
  /// The most keys that are looked at.
  private static let keysMax = 512

  private struct Sent {
    var event: TerminalEvent
    var time: Double
  }

  private var waiting: [Sent] = []
  private var sentCount = 0
  private var field = EchoHint.Field.none
  /// The last round trips, smoothed, in seconds.
  private(set) var roundTrip = 0.0

  /// Notes events on their way to the host.
  mutating func note(_ events: [TerminalEvent], at time: Double) {
    sentCount += events.count
    waiting += events.map { Sent(event: Self.kept($0), time: time) }
  }

  /// A long paste is not drawn here, and need not be kept.
  private static func kept(_ event: TerminalEvent) -> TerminalEvent {
    switch event {
    case .paste(let text) where text.utf8.count > EchoHint.lineMax: .resumed
    case .cutPaste: .resumed
    default: event
    }
  }

  /// Takes the host's word on what it has taken and where the next keys go.
  mutating func take(_ hint: EchoHint, at time: Double) {
    field = hint.field
    let done = min(max(0, hint.taken - (sentCount - waiting.count)), waiting.count)
    if done > 0 {
      let trip = time - waiting[done - 1].time
      roundTrip = roundTrip == 0 ? trip : 0.7 * roundTrip + 0.3 * trip
      waiting.removeFirst(done)
    }
  }

  // MARK: Pictures

  /// The time until the picture is another one without any event; `nil` for none.
  func dueSeconds(at time: Double) -> Double? {
    guard let first = waiting.first else { return nil }
    let age = time - first.time
    return [Self.drawnAfter, Self.pendingAfter].first { $0 > age }.map { max(0.001, $0 - age) }
  }

  /// The host's picture with what is known here already.
  func picture(on frame: Frame, at time: Double) -> Frame {
    guard let first = waiting.first else { return frame }
    let age = time - first.time
    guard age >= Self.drawnAfter || roundTrip >= Self.slowTrip else { return frame }
    var picture = frame
    switch guess(from: frame.cursor) {
    case .none: break
    case .line(let area, let line):
      let style = frame.contains(area) ? frame[area.column, area.row].style : .plain
      picture.fill(area, style: style)
      LineField.draw(line, style: style, in: area, on: &picture)
    case .opened(let row, let line):
      picture.fill(row)
      let prompt = Prompt.Kind.command.rawValue
      let start = picture.write(prompt, at: row.column, row: row.row, maxColumns: row.columns)
      let area = CellRect(
        column: row.column + start, row: row.row, columns: row.columns - start, rows: 1)
      LineField.draw(line, style: .plain, in: area, on: &picture)
    case .cursor(let column, let row): picture.cursor = (column, row)
    }
    if age >= Self.pendingAfter { Self.markPending(&picture) }
    return picture
  }

  /// The mark of keys that wait for the host, at the end of the last row.
  private static func markPending(_ frame: inout Frame) {
    let text = " pending "
    let column = frame.size.columns - text.count
    guard column > 0, frame.size.rows > 0 else { return }
    let style = CellStyle(foreground: .standard, background: .standard, attributes: .reverse)
    frame.write(text, at: column, row: frame.size.rows - 1, style: style)
  }

  /// What the waiting keys have brought about.
  private enum Guess {
    case none
    case line(CellRect, LineEditor)
    /// A line that `:` has opened in a row.
    case opened(CellRect, LineEditor)
    case cursor(column: Int, row: Int)
  }

  /// Follows the keys up to the first that only the host knows.
  private func guess(from cursor: (column: Int, row: Int)?) -> Guess {
    var guess: Guess
    switch field {
    case .none: return .none
    case .line(let area, let text, let cursor):
      guard area.columns > 1, area.rows == 1 else { return .none }
      var line = LineEditor(text)
      for _ in 0..<max(0, line.characters.count - cursor) { line.edit(.left) }
      guess = .line(area, line)
    case .map:
      guard let cursor else { return .none }
      guess = .cursor(column: cursor.column, row: cursor.row)
    }
    for sent in waiting.prefix(Self.keysMax) {
      guard let next = step(guess, sent.event) else { break }
      guess = next
    }
    return guess
  }

  /// What follows of one more event; `nil` where only the host knows.
  private func step(_ guess: Guess, _ event: TerminalEvent) -> Guess? {
    switch guess {
    case .none: return nil
    case .line(let area, let line): return Self.edited(line, event).map { .line(area, $0) }
    case .opened(let row, let line): return Self.edited(line, event).map { .opened(row, $0) }
    case .cursor(let column, let row):
      guard case .map(let area, let bottom) = field, case .key(let key) = event,
        key.modifiers.isEmpty
      else { return nil }
      if key.code == .character(":"), bottom.columns > 2 { return .opened(bottom, LineEditor()) }
      guard let way = Self.moves.first(where: { $0.0 == key.code })?.1 else { return nil }
      var (column, row) = (column, row)
      switch way {
      case .left: column -= 1
      case .right: column += 1
      case .up: row -= 1
      case .down: row += 1
      }
      // Beyond the border the map moves.
      return area.contains(column: column, row: row) ? .cursor(column: column, row: row) : nil
    }
  }

  private static func edited(_ line: LineEditor, _ event: TerminalEvent) -> LineEditor? {
    var line = line
    switch event {
    // Tabs stay in values alone.
    case .paste(let text) where !text.contains("\t"): line.insert(text)
    case .key(let key) where key.modifiers.isEmpty:
      switch key.code {
      case .character(let character): line.insert(String(character))
      // An empty line goes.
      case .backspace where !line.characters.isEmpty: line.edit(.backspace)
      case .delete: line.edit(.delete)
      case .left: line.edit(.left)
      case .right: line.edit(.right)
      case .home: line.edit(.start)
      case .end: line.edit(.end)
      default: return nil
      }
    default: return nil
    }
    return line
  }
}

extension Frame {
  fileprivate func contains(_ rect: CellRect) -> Bool {
    rect.column < size.columns && rect.row < size.rows && rect.column >= 0 && rect.row >= 0
  }
}
