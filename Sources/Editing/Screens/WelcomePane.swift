import PortolanFiles
import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// The text on an empty map: advice, or the file being read.
package enum WelcomePane {
  /// A line of advice: keys or a command, and their effect.
  private struct Advice {
    var key: String
    var text: String
    /// Whether the end of the text matters most.
    var isPath = false
  }

  package static func draw(_ desk: Desk, in area: CellRect, on frame: inout Frame) {
    let look = desk.look
    if let job = desk.askedJobs.first {
      let columns = min(30, area.columns - 8)
      guard columns > 4 else { return }
      let progress = ProgressBar.text(job.fraction, columns: columns, look.signs)
      if desk.base != nil {
        drawBox(job.name, [Advice(key: "", text: progress)], look, in: area, on: &frame)
      } else {
        draw([job.name, "", progress], keys: [], look, in: area, on: &frame)
      }
      return
    }
    if desk.base != nil {
      if isLow(area.rows) {
        drawLine(look, in: area, on: &frame)
      } else {
        drawBox(
          "Nothing is open yet", advice(desk, rows: area.rows), look, in: area, on: &frame)
      }
      return
    }
    draw(
      ["Nothing is open."],
      keys: [
        (":open FILE", "a document or map data"), (":import FILE", "data as a new layer"),
        (":new-layer NAME", "an empty layer, then i draws"), ("?", "all keys"), (":q", "leave"),
      ], look, in: area, on: &frame)
  }

  // MARK: Below the world

  /// The rows of a map that the advice takes where a base map shows the world above it.
  package static func rowsBelowWorld(_ desk: Desk, rows: Int) -> Int {
    isLow(rows) ? 1 : advice(desk, rows: rows).count + 2
  }

  private static func isLow(_ rows: Int) -> Bool { rows < 16 }

  private static let nextKeys: [Advice] = [
    Advice(key: ":open FILE", text: "a document or map data"),
    Advice(key: ":new-layer NAME", text: "an empty layer, then i draws"),
    Advice(key: "?", text: "all keys; :q leaves"),
  ]

  /// The documents with left work, recent files as far as there is room, and the next keys.
  private static func advice(_ desk: Desk, rows: Int) -> [Advice] {
    let left = desk.session.leftDocuments
    let recent = desk.session.recentFiles.enumerated().filter { !left.contains($0.element) }
    return left.map { path in
      let name = CutText.start(FilePath.shown(path), columns: 24, signs: desk.look.signs)
      return Advice(key: ":open \(name)", text: "unsaved work was left")
    }
      + recent.prefix(min(5, max(0, (rows - 15) / 2))).map {
        Advice(
          key: ":recent \($0.offset + 1)", text: FilePath.shown($0.element), isPath: true)
      }
      + nextKeys
  }

  /// A box at the foot of the map.
  private static func drawBox(
    _ title: String, _ lines: [Advice], _ look: ScreenLook, in area: CellRect,
    on frame: inout Frame
  ) {
    let keyWidth = lines.map { DisplayWidth.of($0.key) }.max() ?? 0
    let gap = keyWidth == 0 ? 0 : 2
    let textWidth = lines.map { DisplayWidth.of($0.text) }.max() ?? 0
    let width = max(keyWidth + gap + textWidth, DisplayWidth.of(title) + 4) + 4
    var rect = OverlayBox.centred(columns: width, rows: lines.count + 2, in: area)
    rect.row = area.row + area.rows - rect.rows
    let inside = OverlayBox.draw(title, look, in: rect, on: &frame)
    let column = inside.column + 1
    let end = inside.column + inside.columns
    for (index, line) in lines.enumerated() where index < inside.rows {
      let row = inside.row + index
      frame.write(
        line.key, at: column, row: row, style: look.theme.popupKey, maxColumns: end - column)
      let start = column + keyWidth + gap
      let cut = line.isPath ? CutText.start : CutText.end
      frame.write(
        cut(line.text, end - start, look.signs), at: start, row: row,
        style: look.theme.popup, maxColumns: end - start)
    }
  }

  /// The next keys in one line, for a low map.
  private static func drawLine(_ look: ScreenLook, in area: CellRect, on frame: inout Frame) {
    var line = TextLine()
    for item in nextKeys {
      line.append(" \(item.key) ", look.theme.popupKey)
    }
    line.append("keys ", look.theme.popup)
    line.append(" :q ", look.theme.popupKey)
    line.append("leaves ", look.theme.popup)
    let width = min(line.width, area.columns)
    line.write(
      to: &frame,
      in: CellRect(
        column: area.column + (area.columns - width) / 2, row: area.row + area.rows - 1,
        columns: width, rows: 1))
  }

  private static func draw(
    _ lines: [String], keys: [(key: String, text: String)], _ look: ScreenLook,
    in area: CellRect, on frame: inout Frame
  ) {
    let keyWidth = keys.map { DisplayWidth.of($0.key) }.max() ?? 0
    let keyLines = keys.map { keyWidth + 2 + DisplayWidth.of($0.text) }
    let width = (lines.map { DisplayWidth.of($0) } + keyLines).max() ?? 0
    let column = area.column + max(0, (area.columns - width) / 2)
    var row = area.row + max(0, (area.rows - lines.count - keys.count - 1) / 2)
    let room = area.column + area.columns - column
    for line in lines {
      let text = CutText.end(line, columns: room, signs: look.signs)
      frame.write(text, at: column, row: row, style: look.theme.strong)
      row += 1
    }
    if !keys.isEmpty { row += 1 }
    for line in keys where row < area.row + area.rows {
      frame.write(line.key, at: column, row: row, style: look.theme.key, maxColumns: room)
      frame.write(
        CutText.end(line.text, columns: room - keyWidth - 2, signs: look.signs),
        at: column + keyWidth + 2, row: row, style: look.theme.faint)
      row += 1
    }
  }
}
