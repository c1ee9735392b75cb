import PortolanDocuments
import PortolanPrinting
import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// The last line: the prompt, the message, running jobs, or key hints.
package enum HintLine {
  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    guard !rect.isEmpty else { return }
    frame.fill(rect)
    if let prompt = desk.prompt {
      PromptLine.draw(prompt, desk.look, in: rect, on: &frame)
    } else if let message = desk.message {
      draw(message, desk.look, in: rect, on: &frame)
    } else if case let jobs = desk.askedJobs, !jobs.isEmpty {
      draw(jobs, desk.look, in: rect, on: &frame)
    } else {
      drawHints(desk, in: rect, on: &frame)
    }
  }

  /// Whether there is something more urgent than hints.
  package static func isUrgent(_ desk: Desk) -> Bool {
    desk.prompt != nil || desk.message != nil || !desk.askedJobs.isEmpty
  }

  private static func draw(
    _ message: Message, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) {
    let style =
      switch message.severity {
      case .note: look.theme.text
      case .warning: look.theme.warning
      case .error: look.theme.error
      }
    // A long message takes the lines above as well, up to the next key.
    let room = rect.columns - 1
    let lines = lines(of: message, columns: rect.columns, signs: look.signs)
    let count = min(lines.count, linesMax, rect.row + 1)
    for (index, line) in lines.prefix(count).enumerated() {
      let isCut = index == count - 1 && lines.count > count
      let text = isCut ? line + " " + look.signs.ellipsis : line
      let row = CellRect(
        column: rect.column, row: rect.row - count + 1 + index, columns: rect.columns, rows: 1)
      frame.fill(row)
      frame.write(
        " " + CutText.end(text, columns: room, signs: look.signs), at: row.column, row: row.row,
        style: style, maxColumns: rect.columns)
    }
  }

  /// The number of rows: one, or more for a long message.
  static func rowCount(_ desk: Desk, columns: Int) -> Int {
    guard desk.prompt == nil, let message = desk.message else { return 1 }
    return min(max(1, lines(of: message, columns: columns).count), linesMax)
  }

  /// A message in lines; of one that is too long, names and other long words are cut in the middle,
  /// since its end tells the reason.
  private static func lines(
    of message: Message, columns: Int, signs: ScreenSigns = .page
  ) -> [String] {
    let prefix =
      switch message.severity {
      case .note: ""
      case .warning: "! "
      case .error: "error: "
      }
    let text = prefix + message.text
    let room = columns - 1
    let lines = MessagesPanel.wrapped(text, columns: room, most: linesMax + 1)
    guard lines.count > linesMax, text.utf8.count < 16_384 else { return lines }
    let words = DisplayWidth.sanitised(text).split(separator: " ").map { word in
      word.count <= room / 2
        ? String(word)
        : DisplayWidth.prefix(of: String(word), columns: room / 4).text
          + CutText.start(String(word.suffix(room / 2)), columns: room / 4, signs: signs)
    }
    return MessagesPanel.wrapped(
      words.joined(separator: " "), columns: room, most: linesMax + 1)
  }

  private static let linesMax = 3

  private static func draw(
    _ jobs: [Job], _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) {
    var line = TextLine()
    let waiting = jobs.count - 1
    let others =
      waiting == 0 ? "" : " (\(CountText.text(waiting, "other waits", "others wait")))"
    line.append(" " + jobs[0].name + others, look.theme.strong)
    line.append("  " + ProgressBar.text(jobs[0].fraction, columns: 20, look.signs), look.theme.text)
    if jobs[0].isStoppable {
      line.append("  Ctrl-C", look.theme.key, rank: 1)
      line.append(" cancels", look.theme.faint, rank: 1)
    }
    line.fit(rect.columns)
    line.write(to: &frame, in: rect)
  }

  private static func drawHints(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    for place in places(desk, in: rect) {
      let keys = frame.write(
        place.hint.keys, at: place.columns.lowerBound, row: rect.row, style: look.theme.key)
      frame.write(
        place.hint.text, at: place.columns.lowerBound + keys + 1, row: rect.row,
        style: look.theme.faint)
    }
  }

  /// The hints that have room, each with its columns.
  private static func places(
    _ desk: Desk, in rect: CellRect
  ) -> [(hint: Desk.PopupItem, columns: Range<Int>)] {
    var places: [(hint: Desk.PopupItem, columns: Range<Int>)] = []
    var column = rect.column + 1
    for hint in desk.hints {
      let width = DisplayWidth.of(hint.keys) + 1 + DisplayWidth.of(hint.text)
      if column + width > rect.column + rect.columns { break }
      places.append((hint, column..<column + width))
      column += width + 2
    }
    return places
  }

  /// The key of the hint at a cell; `nil` where there is none.
  static func key(_ desk: Desk, column: Int, row: Int) -> Key? {
    let rect = desk.layout.hint
    guard !isUrgent(desk), rect.contains(column: column, row: row) else { return nil }
    return places(desk, in: rect).first { $0.columns.contains(column) }?.hint.key
  }
}

/// Progress as a bar and a number.
enum ProgressBar {
  static func text(_ fraction: Double?, columns: Int, _ signs: ScreenSigns) -> String {
    guard let fraction, fraction.isFinite else { return signs.ellipsis }
    let part = min(max(fraction, 0), 1)
    let full = Int((part * Double(columns)).rounded())
    return String(repeating: signs.barFull, count: full)
      + String(repeating: signs.barEmpty, count: columns - full)
      + " \(Int((part * 100).rounded()))%"
  }
}
