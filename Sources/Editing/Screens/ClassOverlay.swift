import PortolanDocuments
import PortolanGraphics
package import PortolanPrinting
import PortolanRendering
package import PortolanTerminals

extension ClassPanel: Overlay {
  package static let mode: Mode? = .classes
  package static let keys = """
    [classes]
    j = classes down {count}       ;; down
    k = classes up {count}         ;; up
    <down> = classes down
    <up> = classes up
    <tab> = classes down
    <s-tab> = classes up
    l = classes next {count}       ;; next
    h = classes previous {count}   ;; previous
    <right> = classes next
    <left> = classes previous
    <space> = classes next
    <ret> = classes accept         ;; take
    <c-c> = escape
    ? = help                       ;; keys
    <f1> = help
    <esc> = escape                 ;; leave as it was
    """

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    ClassOverlay.draw(self, desk.look, in: layout.map, on: &frame)
  }

  /// A click on a line chooses it; on the chosen line it takes the next choice.
  package func press(_ event: MouseEvent, in desk: inout Desk) {
    if event.steps != 0 {
      desk.attempt(line: event.steps < 0 ? "classes up" : "classes down")
    } else if event.isClick,
      let row = ClassOverlay.row(
        self, in: desk.layout.map, column: event.column, row: event.row)
    {
      if row == self.row { desk.attempt(line: "classes next") } else { desk.classPanel?.row = row }
    }
  }

  package func escape(in desk: inout Desk) { desk.classPanel = nil }
}

/// The panel of classes, at the foot of the map so that most of the preview is seen.
package enum ClassOverlay {
  /// The rectangle of the panel; it has one row for the word on the classes.
  static func area(_ panel: ClassPanel, in area: CellRect) -> CellRect {
    var rect = OverlayBox.centred(
      columns: min(46, area.columns), rows: ClassPanel.Row.allCases.count + 3, in: area)
    rect.row = area.row + area.rows - rect.rows
    rect.column = area.column
    return rect
  }

  /// The row of the panel on a cell of the screen.
  static func row(
    _ panel: ClassPanel, in area: CellRect, column: Int, row: Int
  ) -> ClassPanel.Row? {
    let inside = Self.area(panel, in: area).inset(by: 1)
    guard inside.contains(column: column, row: row) else { return nil }
    let rows = panel.rows
    return rows.indices.contains(row - inside.row) ? rows[row - inside.row] : nil
  }

  package static func draw(
    _ panel: ClassPanel, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    let rect = Self.area(panel, in: area)
    let inside = OverlayBox.draw("Classes", look, in: rect, on: &frame)
    guard inside.rows > 0, inside.columns > 16 else { return }
    for (index, row) in panel.rows.enumerated() where index < inside.rows {
      let isCurrent = row == panel.row
      let style: CellStyle = isCurrent ? look.theme.chosen : look.theme.popup
      let line = CellRect(
        column: inside.column, row: inside.row + index, columns: inside.columns, rows: 1)
      frame.fill(line, style: style)
      frame.write(
        (isCurrent ? look.signs.pointer : " ") + row.title, at: line.column, row: line.row,
        style: isCurrent ? style : look.theme.popupKey, maxColumns: 11)
      let value = panel.value(of: row)
      let text = isCurrent ? "< \(value) >" : "  \(value)"
      frame.write(
        CutText.end(text, columns: line.columns - 13, signs: look.signs), at: line.column + 12,
        row: line.row, style: style)
      if row == .colours { drawColours(panel, look, in: line, from: 34, on: &frame) }
    }
    let word = CutText.end(panel.word, columns: inside.columns - 2, signs: look.signs)
    frame.write(
      word, at: inside.column + 1, row: inside.row + inside.rows - 1, style: look.theme.popupFaint,
      maxColumns: inside.columns - 1)
  }

  /// Samples of the classes at the end of a line, as the legend shows them.
  private static func drawColours(
    _ panel: ClassPanel, _ look: ScreenLook, in line: CellRect, from start: Int,
    on frame: inout Frame
  ) {
    for (index, entry) in panel.samples.prefix(max(0, line.columns - start)).enumerated() {
      let sample = look.sample(entry)
      frame.write(
        sample.text, at: line.column + start + index, row: line.row, style: sample.style,
        maxColumns: 1)
    }
  }
}
