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

  /// Tells at its end how many lines have no room below it: `─Layers────2 more─`.
  static func tell(hidden count: Int, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame)
  {
    let text = "\(count) more"
    guard count > 0, !rect.isEmpty, rect.columns > text.count + 10 else { return }
    frame.write(
      text, at: rect.column + rect.columns - 1 - text.count, row: rect.row,
      style: look.theme.heading)
  }
}
