import PortolanPrinting
import PortolanTerminals

/// The line above a panel: `─Layers──────`.
enum PanelHeading {
  /// Draws it in the first row of `rect` and returns the rest.
  static func draw(
    _ title: String, _ look: ScreenLook, isFocused: Bool = false, in rect: CellRect,
    on frame: inout Frame
  ) -> CellRect {
    guard !rect.isEmpty else { return rect }
    let line = String(repeating: look.signs.horizontal, count: rect.columns)
    frame.write(
      line, at: rect.column, row: rect.row, style: look.theme.rule, maxColumns: rect.columns)
    frame.write(
      CutText.end(title, columns: rect.columns - 2, signs: look.signs), at: rect.column + 1,
      row: rect.row, style: isFocused ? look.theme.focusedHeading : look.theme.heading,
      maxColumns: rect.columns - 1)
    return CellRect(
      column: rect.column, row: rect.row + 1, columns: rect.columns, rows: rect.rows - 1)
  }
}
