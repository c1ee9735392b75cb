package import Terminals

/// What may be typed after a prefix: a box in the lower right corner of the map.
package enum KeyPopup {
  package static func draw(_ session: Session, in area: CellRect, on frame: inout Frame) {
    let items = session.popup
    guard !items.isEmpty, area.columns >= 20, area.rows >= 4 else { return }
    let look = session.look
    let keyWidth = items.map { DisplayWidth.of($0.keys) }.max() ?? 1
    let textWidth = min(items.map { DisplayWidth.of($0.text) }.max() ?? 1, 40)
    let cell = keyWidth + 2 + textWidth + 2
    let lines = area.rows - 2
    let columns = min((items.count + lines - 1) / lines, max(1, (area.columns - 2) / cell))
    let rows = min(lines, (items.count + columns - 1) / columns)
    let width = min(area.columns, columns * cell + 2)
    let rect = CellRect(
      column: area.column + area.columns - width, row: area.row + area.rows - rows - 2,
      columns: width, rows: rows + 2)
    let inside = OverlayBox.draw(
      KeyNotation.label(session.pendingKeys), look, in: rect, on: &frame)
    for (index, item) in items.enumerated() where index / rows < columns {
      let column = inside.column + 1 + index / rows * cell
      let row = inside.row + index % rows
      frame.write(item.keys, at: column, row: row, style: look.theme.popupKey)
      let room = min(textWidth, inside.column + inside.columns - column - keyWidth - 2)
      frame.write(
        CutText.end(item.text, columns: room, signs: look.signs), at: column + keyWidth + 2,
        row: row, style: look.theme.popup, maxColumns: room)
    }
  }
}
