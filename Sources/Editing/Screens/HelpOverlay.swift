package import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

extension Help: Overlay {
  package static let mode: Mode? = .help
  package static let keys = """
    [help]
    j = scroll down {count}        ;; down
    k = scroll up {count}          ;; up
    <down> = scroll down
    <up> = scroll up
    <pagedown> = scroll down page
    <pageup> = scroll up page
    <space> = scroll down page
    <home> = scroll first
    <end> = scroll last
    g = scroll first
    G = scroll last
    / = scroll filter              ;; search
    <c-c> = escape
    q = escape
    ? = escape
    <ret> = escape
    <esc> = escape                 ;; close
    """

  package var takesText: Bool { isFiltering }

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    HelpOverlay.draw(
      self, desk.look, in: HelpOverlay.area(layout, frame.size), on: &frame)
  }

  package func type(_ text: String, in desk: inout Desk) {
    desk.help?.filter.insert(text)
    desk.help?.top = 0
  }

  package func edit(_ action: LineAction, in desk: inout Desk) {
    if action == .accept {
      desk.help?.isFiltering = false
    } else {
      desk.help?.filter.edit(action)
      desk.help?.top = 0
    }
  }

  package func press(_ event: MouseEvent, in desk: inout Desk) {
    if event.steps != 0 { desk.scrollHelp(event.steps < 0 ? .up : .down, by: 3) }
  }

  package func escape(in desk: inout Desk) {
    if isFiltering { desk.help?.isFiltering = false } else { desk.help = nil }
  }
}

/// The list of keys or commands over the map, with a line to search in it.
package enum HelpOverlay {
  /// The area of the list: over the map in the wide layout, else as wide as the screen.
  static func area(_ layout: ScreenLayout, _ size: CellSize) -> CellRect {
    let isWide = layout.kind == .wide
    return CellRect(
      column: isWide ? layout.map.column : 0, row: layout.map.row,
      columns: isWide ? min(100, layout.map.columns) : size.columns, rows: layout.map.rows)
  }

  /// The size of the list inside the box.
  static func room(_ layout: ScreenLayout, _ size: CellSize) -> CellSize {
    let area = area(layout, size)
    return CellSize(columns: area.columns - 4, rows: max(1, area.rows - 3))
  }

  package static func draw(
    _ help: Help, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    let inside = OverlayBox.draw(help.title, look, in: area, on: &frame)
    guard inside.rows > 1 else { return }
    let list = CellRect(
      column: inside.column + 1, row: inside.row, columns: inside.columns - 2,
      rows: inside.rows - 1)
    let lines = help.rows(columns: list.columns)
    let top = min(max(0, help.top), max(0, lines.count - list.rows))
    for (line, text) in lines.dropFirst(top).prefix(list.rows).enumerated() {
      let row = CellRect(
        column: list.column, row: list.row + line, columns: list.columns, rows: 1)
      if let keyColumns = help.keyColumns {
        draw(text, keyColumns: keyColumns, look, in: row, on: &frame)
      } else {
        draw(text, look, column: row.column, row: row.row, columns: row.columns, on: &frame)
      }
    }
    if lines.isEmpty {
      frame.write(
        "nothing found", at: list.column, row: list.row, style: look.theme.popupFaint)
    }
    let foot = inside.row + inside.rows - 1
    let shown = min(lines.count, top + list.rows)
    let place = lines.isEmpty ? "0" : "\(top + 1)-\(shown) of \(lines.count)"
    frame.write(
      place, at: inside.column + inside.columns - place.count - 1, row: foot,
      style: look.theme.popupFaint)
    let field = CellRect(
      column: inside.column + 2, row: foot, columns: max(0, inside.columns - place.count - 5),
      rows: 1)
    if help.isFiltering {
      frame.write("/", at: inside.column + 1, row: foot, style: look.theme.popupKey)
      LineField.draw(help.filter, style: look.theme.popup, in: field, on: &frame)
    } else {
      let text = help.filter.text.isEmpty ? "/ searches" : "/" + help.filter.text
      frame.write(
        text, at: inside.column + 1, row: foot, style: look.theme.popupFaint,
        maxColumns: field.columns)
    }
  }

  /// A line of a page with names in its first columns.
  private static func draw(
    _ text: String, keyColumns: Int, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) {
    let name = DisplayWidth.prefix(of: text, columns: keyColumns).text
    frame.write(
      CutText.end(text, columns: rect.columns, signs: look.signs), at: rect.column, row: rect.row,
      style: look.theme.popup)
    frame.write(
      name, at: rect.column, row: rect.row, style: look.theme.popupKey, maxColumns: rect.columns)
  }

  /// A line; the text before two spaces is a key.
  private static func draw(
    _ text: String, _ look: ScreenLook, column: Int, row: Int, columns: Int,
    on frame: inout Frame
  ) {
    let isHeading = !text.isEmpty && !text.hasPrefix(" ") && text.firstRange(of: "  ") == nil
    let cut = CutText.end(text, columns: columns, signs: look.signs)
    frame.write(
      cut, at: column, row: row, style: isHeading ? look.theme.popupHeading : look.theme.popup)
    let start = text.prefix { $0 == " " }.count
    guard !isHeading, let gap = text.dropFirst(start).firstRange(of: "  ") else { return }
    let key = String(text[text.index(text.startIndex, offsetBy: start)..<gap.lowerBound])
    frame.write(
      key, at: column + start, row: row, style: look.theme.popupKey,
      maxColumns: max(0, columns - start))
  }
}
