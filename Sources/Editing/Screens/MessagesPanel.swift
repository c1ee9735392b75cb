package import Terminals

/// What is running and what the editor last said, at length: the message line cuts it.
package enum MessagesPanel {
  package static func demand(_ session: Session) -> PanelStack.Demand {
    PanelStack.Demand(wanted: 8, least: 3)
  }

  package static func draw(_ session: Session, in rect: CellRect, on frame: inout Frame) {
    let look = session.look
    let list = PanelHeading.draw("Messages", look, in: rect, on: &frame)
    var row = list.row
    let end = list.row + list.rows
    for job in session.jobs where row + 1 < end {
      frame.write(
        CutText.end(job.name, columns: list.columns, signs: look.signs), at: list.column, row: row)
      let bar = ProgressBar.text(job.fraction, columns: list.columns - 6, look.signs)
      frame.write(bar, at: list.column, row: row + 1, maxColumns: list.columns)
      row += 2
    }
    guard let message = session.message else { return }
    for line in wrapped(message.text, columns: list.columns) where row < end {
      frame.write(line, at: list.column, row: row, maxColumns: list.columns)
      row += 1
    }
  }

  /// A text in lines, broken between words where that is possible.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    guard columns > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var word = Substring(word)
      if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= columns {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while DisplayWidth.of(String(word)) > columns {
        let part = DisplayWidth.prefix(of: String(word), columns: columns).text
        if part.isEmpty { break }
        lines.append(part)
        word = word.dropFirst(part.count)
      }
      line = String(word)
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
