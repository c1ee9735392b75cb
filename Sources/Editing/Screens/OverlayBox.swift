import PortolanPrinting
import PortolanTerminals

/// A box above the map: popups, help and forms.
enum OverlayBox {
  /// Clears and frames a rectangle; returns the room inside.
  static func draw(
    _ title: String, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) -> CellRect {
    guard rect.columns > 2, rect.rows > 2 else { return rect.inset(by: 1) }
    frame.fill(rect, style: look.theme.popup)
    let signs = look.signs
    let line = String(repeating: signs.horizontal, count: rect.columns - 2)
    let bottom = rect.row + rect.rows - 1
    let style = look.theme.popupFaint
    frame.write(
      signs.topLeft + line + signs.topRight, at: rect.column, row: rect.row, style: style)
    frame.write(
      signs.bottomLeft + line + signs.bottomRight, at: rect.column, row: bottom, style: style)
    for row in rect.row + 1..<bottom {
      frame.write(signs.vertical, at: rect.column, row: row, style: style)
      frame.write(signs.vertical, at: rect.column + rect.columns - 1, row: row, style: style)
    }
    if !title.isEmpty {
      let text = " " + CutText.end(title, columns: rect.columns - 6, signs: signs) + " "
      frame.write(text, at: rect.column + 2, row: rect.row, style: look.theme.popupHeading)
    }
    return rect.inset(by: 1)
  }

  /// A rectangle of a size, clipped to the room, in the middle of another.
  static func centred(columns: Int, rows: Int, in area: CellRect) -> CellRect {
    let width = min(columns, area.columns)
    let height = min(rows, area.rows)
    return CellRect(
      column: area.column + (area.columns - width) / 2, row: area.row + (area.rows - height) / 2,
      columns: width, rows: height)
  }
}
