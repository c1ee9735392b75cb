import PortolanDocuments
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// The table on the screen: headings, rows, marks and the cursor.
enum TableDrawing {
  static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    guard let pane = desk.pane.state as? TablePane, rect.columns > TableLayout.margin,
      rect.rows > 0
    else { return }
    guard let table = TableScope(pane, desk) else {
      return say(
        "The layer of this table is gone. :table LAYER shows another, Esc goes back to the map.",
        desk, in: rect, on: &frame)
    }
    let layout = TableLayout(pane, table, in: rect)
    drawHeading(desk, pane, table, layout, on: &frame)
    for line in 0..<min(layout.rowCount, max(0, table.rows.count - layout.top)) {
      draw(row: layout.top + line, desk, table, layout, on: &frame)
    }
    if let rule = layout.rule, rule < rect.column + rect.columns {
      for row in rect.row..<rect.row + rect.rows {
        frame.write(desk.look.signs.vertical, at: rule, row: row, style: desk.look.theme.rule)
      }
    }
    if let words = emptiness(table, desk) {
      let below = CellRect(
        column: rect.column, row: rect.row + 1, columns: rect.columns, rows: rect.rows - 1)
      say(words, desk, in: below, on: &frame)
    }
  }

  /// Why there are no cells; `nil` if there are some.
  private static func emptiness(_ table: TableScope, _ desk: Desk) -> String? {
    if table.layer.count == 0 { return "The layer “\(table.layer.name)” has no features." }
    if table.rows.count == 0 {
      let all = table.layer.count == 1 ? "the" : "all"
      return "The filter hides \(all) \(CountText.features(table.layer.count))."
    }
    if table.arranged.isEmpty { return "The features have no attributes." }
    return table.columns.isEmpty ? "All columns are hidden: gh shows them." : nil
  }

  private static func say(_ text: String, _ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    guard rect.columns > 4 else { return }
    let lines = MessagesPanel.wrapped(text, columns: rect.columns - 4, most: rect.rows)
    for (line, text) in lines.enumerated() {
      frame.write(
        text, at: rect.column + 2, row: rect.row + (rect.rows - lines.count) / 2 + line,
        style: desk.look.theme.faint, maxColumns: rect.columns - 4)
    }
  }

  private static func drawHeading(
    _ desk: Desk, _ pane: TablePane, _ table: TableScope, _ layout: TableLayout,
    on frame: inout Frame
  ) {
    let look = desk.look
    var style = look.theme.heading
    style.attributes.insert(.underline)
    let line = CellRect(
      column: layout.rect.column, row: layout.rect.row, columns: layout.rect.columns, rows: 1)
    frame.fill(line, style: style)
    for cell in layout.cells {
      let column = table.columns[cell.index]
      var text = column.source.title
      if let place = pane.sort.firstIndex(where: { $0.source == column.source }) {
        let sign = look.signs.sorted(pane.sort[place].isFalling)
        let number = pane.sort.count > 1 ? "\(place + 1)" : ""
        text = CutText.end(
          text, columns: cell.columns.count - 1 - number.count, signs: look.signs)
        text += sign + number
      }
      let isNumeric = pane.memory.facts(of: column.source, in: table.layer).isNumeric
      var own = style
      if cell.index == table.column, desk.isFocused { own.attributes.insert(.reverse) }
      write(
        text, atRight: isNumeric, style: own, look, in: cell.columns, row: line.row, on: &frame)
    }
  }

  private static func draw(
    row: Int, _ desk: Desk, _ table: TableScope, _ layout: TableLayout, on frame: inout Frame
  ) {
    guard let place = table.rows.place(row), let reference = table.reference(row) else { return }
    let look = desk.look
    let line = layout.rect.row + 1 + row - layout.top
    let isHere = row == table.row
    let isMarked = desk.selection.contains(reference)
    if isHere {
      frame.write(
        look.signs.pointer, at: layout.rect.column, row: line, style: look.theme.strong)
    }
    if isMarked {
      frame.write(
        look.signs.marked, at: layout.rect.column + 1, row: line, style: look.theme.frame)
    }
    for cell in layout.cells {
      let column = table.columns[cell.index].source.column(of: place.block)
      let value = column.map { CellText($0, place.row) }
      var style = isMarked ? look.theme.strong : look.theme.text
      if value?.isNothing == true { style = look.theme.faint }
      if isHere, cell.index == table.column {
        let isMono = look.capabilities.depth == .mono
        style = desk.isFocused ? (isMono ? look.theme.chosen : look.theme.cursor) : style
        if desk.isFocused {
          let area = CellRect(
            column: cell.columns.lowerBound, row: line, columns: cell.columns.count, rows: 1)
          frame.fill(area, style: style)
          if desk.keyOverlay == nil { frame.cursor = (cell.columns.lowerBound, line) }
        }
      }
      let text = value.map { Self.text($0, columns: cell.columns.count, look.signs) } ?? ""
      write(
        text, atRight: value?.kind == .number, style: style, look, in: cell.columns, row: line,
        on: &frame)
    }
  }

  /// The text of a value; of a number all of the size is shown, or nothing.
  private static func text(_ value: CellText, columns: Int, _ signs: ScreenSigns) -> String {
    guard value.kind == .number, value.text.count > columns else { return value.text }
    let whole = value.text.prefix { $0 != "." }
    let isLong = whole.count == value.text.count || value.text.contains { "eE".contains($0) }
    return isLong || whole.count + 2 > columns
      ? CutText.end(value.text, columns: 1, signs: signs) : value.text
  }

  private static func write(
    _ text: String, atRight: Bool, style: CellStyle, _ look: ScreenLook, in columns: Range<Int>,
    row: Int, on frame: inout Frame
  ) {
    let cut = CutText.end(text, columns: columns.count, signs: look.signs)
    let indent = atRight ? max(0, columns.count - DisplayWidth.of(cut)) : 0
    frame.write(
      cut, at: columns.lowerBound + indent, row: row, style: style,
      maxColumns: columns.count - indent)
  }
}
