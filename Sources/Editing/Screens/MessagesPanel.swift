import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// Running jobs and the last message in full: the message line cuts it.
package enum MessagesPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    PanelStack.Demand(wanted: 8, least: 3)
  }

  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw("Messages", look, in: rect, on: &frame)
    var row = list.row
    let end = list.row + list.rows
    for job in desk.askedJobs where row + 1 < end {
      frame.write(
        CutText.end(job.name, columns: list.columns, signs: look.signs), at: list.column, row: row)
      let bar = ProgressBar.text(job.fraction, columns: list.columns - 6, look.signs)
      frame.write(bar, at: list.column, row: row + 1, maxColumns: list.columns)
      row += 2
    }
    guard let message = desk.message else { return }
    for line in wrapped(
      message.text, columns: list.columns, most: max(0, end - row))
    where row < end {
      frame.write(line, at: list.column, row: row, maxColumns: list.columns)
      row += 1
    }
  }

  /// A text in lines, broken between words if possible.
  ///
  /// - Parameter most: the number of lines needed; a long text is not read beyond them.
  static func wrapped(_ text: String, columns: Int, most: Int = .max) -> [String] {
    guard columns > 0, most > 0 else { return [] }
    // Enough to fill the lines, however many marks the letters carry.
    let scalars = most < 1_000 ? 16 * min(columns, 100_000) * most : Int.max
    let start = text.utf8.count > scalars ? String(text.unicodeScalars.prefix(scalars)) : text
    let text = DisplayWidth.sanitised(start)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") where lines.count < most {
      var word = word
      var part = DisplayWidth.prefix(of: String(word), columns: columns).text
      if !line.isEmpty {
        let isWhole = part.utf8.count == word.utf8.count
        if isWhole, DisplayWidth.of(line) + 1 + DisplayWidth.of(part) <= columns {
          line += " " + part
          continue
        }
        lines.append(line)
      }
      while part.utf8.count < word.utf8.count, !part.isEmpty, word.utf8.starts(with: part.utf8),
        lines.count < most
      {
        lines.append(part)
        word = word[word.utf8.index(word.startIndex, offsetBy: part.utf8.count)...]
        part = DisplayWidth.prefix(of: String(word), columns: columns).text
      }
      line = String(word)
    }
    return Array((line.isEmpty ? lines : lines + [line]).prefix(most))
  }
}
