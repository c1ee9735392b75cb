package import PortolanDocuments
import PortolanPrinting
package import PortolanTerminals

/// The values of a column with their counts, of which one is chosen.
package struct FrequencyPanel: Sendable {
  package let layer: LayerID
  package let title: String
  package let table: FrequencyTable
  private(set) var cursor = ListCursor(columns: 60, otherRows: 3)

  init(layer: LayerID, title: String, _ table: FrequencyTable) {
    self.layer = layer
    self.title = title
    self.table = table
  }

  package var index: Int { cursor.index }

  var current: FrequencyTable.Row? {
    table.rows.indices.contains(index) ? table.rows[index] : nil
  }

  mutating func move(by lines: Int) { cursor.move(by: lines, among: table.rows.count) }

  /// The lines of values that an area has room for.
  func room(in area: CellRect) -> Int { cursor.room(in: area, among: table.rows.count) }

  mutating func press(_ event: MouseEvent, in area: CellRect) -> Bool {
    cursor.press(event, in: area, among: table.rows.count)
  }
}

extension FrequencyPanel: Overlay {
  package static let mode: Mode? = Mode("frequency", .choosing)
  package static let keys = """
    [frequency]
    j = frequency-step down {count}     ;; down
    k = frequency-step up {count}       ;; up
    <down> = frequency-step down
    <up> = frequency-step up
    <pagedown> = frequency-step down page
    <pageup> = frequency-step up page
    <home> = frequency-step first
    <end> = frequency-step last
    g = frequency-step first
    G = frequency-step last
    <ret> = frequency-step select       ;; select them
    <c-c> = escape
    <c-l> = redraw
    ? = help                            ;; keys
    <f1> = help
    q = escape
    <esc> = escape                      ;; close
    """

  package func press(_ event: MouseEvent, in desk: inout Desk) {
    let area = desk.layout.map
    if desk.frequencies?.press(event, in: area) == true {
      desk.attempt(line: "frequency-step select")
    }
  }

  package func escape(in desk: inout Desk) { desk.frequencies = nil }

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    let look = desk.look
    let area = layout.map
    let heading = "\(ColumnStatistics.short(table.name)) of \(title)"
    let inside = OverlayBox.draw(
      heading, look, in: cursor.rect(in: area, among: table.rows.count),
      on: &frame)
    guard inside.rows > 1, inside.columns > 20 else { return }
    let first = cursor.first(in: area, among: table.rows.count)
    let most = Double(max(1, table.rows.first?.count ?? 1))
    for (line, row) in table.rows.dropFirst(first).prefix(inside.rows - 1).enumerated() {
      let isCurrent = first + line == index
      let style = isCurrent ? look.theme.chosen : look.theme.popup
      let rect = CellRect(
        column: inside.column, row: inside.row + line, columns: inside.columns, rows: 1)
      frame.fill(rect, style: style)
      let text = (isCurrent ? look.signs.pointer : " ") + row.text
      frame.write(
        CutText.end(text, columns: inside.columns - 28, signs: look.signs), at: rect.column,
        row: rect.row, style: style)
      let count = Figures.grouped(row.count)
      let end = rect.column + rect.columns
      frame.write(count, at: end - 17 - count.count, row: rect.row, style: style)
      frame.write(
        String(repeating: "#", count: max(1, Int(Double(row.count) / most * 8))), at: end - 16,
        row: rect.row, style: isCurrent ? style : look.theme.popupFaint)
      let share = table.share(row) + " %"
      frame.write(share, at: end - 1 - share.count, row: rect.row, style: style)
    }
    let foot = "\(index + 1) of \(CountText.text(table.rows.count, "value", "values"))"
    frame.write(
      foot, at: inside.column + 1, row: inside.row + inside.rows - 1,
      style: look.theme.popupFaint, maxColumns: inside.columns - 1)
  }
}
