package import PortolanTerminals

/// The text in the middle of an empty map: advice, or the file being read.
package enum WelcomePane {
  package static func draw(_ desk: Desk, in area: CellRect, on frame: inout Frame) {
    let look = desk.look
    if let job = desk.jobs.first {
      let columns = min(30, area.columns - 8)
      guard columns > 4 else { return }
      let lines = [job.name, "", ProgressBar.text(job.fraction, columns: columns, look.signs)]
      draw(lines, keys: [], look, in: area, on: &frame)
      return
    }
    draw(
      ["Nothing is open."],
      keys: [
        (":open FILE", "a document or map data"), (":import FILE", "data as a new layer"),
        (":new-layer NAME", "an empty layer, then i draws"), ("?", "all keys"), (":q", "leave"),
      ], look, in: area, on: &frame)
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
