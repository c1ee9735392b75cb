import PortolanPrinting
import PortolanTerminals

/// What is being measured: the path, its length, the last leg, the area.
enum MeasurePanel {
  static func demand(_ desk: Desk) -> PanelStack.Demand {
    PanelStack.Demand(wanted: rows(desk).count + 1, least: 4)
  }

  static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw("Measure", look, in: rect, on: &frame)
    for (line, row) in rows(desk).prefix(list.rows).enumerated() {
      frame.write(row.name, at: list.column, row: list.row + line, style: look.theme.faint)
      frame.write(
        CutText.end(row.value, columns: list.columns - 10, signs: look.signs),
        at: list.column + 10, row: list.row + line, style: look.theme.text)
    }
  }

  private static func rows(_ desk: Desk) -> [(name: String, value: String)] {
    guard let figures = desk.measured else { return [] }
    let rows = figures.lines(in: try? desk.measureUnit())
    return figures.closing == nil ? rows + [("area", "c closes")] : rows
  }
}
