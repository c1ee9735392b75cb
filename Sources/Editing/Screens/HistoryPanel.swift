import PortolanDocuments
import PortolanPrinting
package import PortolanTerminals

/// The last edits and the undone ones: the steps of `u` and `U`.
package enum HistoryPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    return PanelStack.Demand(wanted: min(desk.history.count, 12) + 1, least: 2)
  }

  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw("Undo history", look, in: rect, on: &frame)
    guard !list.isEmpty else { return }
    let history = desk.history
    let present = history.past.count
    // The latest at the top; the present one stays in sight.
    let last = min(history.count - 1, max(present + list.rows / 2, list.rows - 1))
    for line in 0..<list.rows {
      let index = last - line
      guard index >= 0, index < history.count else { break }
      let isPresent = index == present
      let sign = isPresent ? look.signs.pointer : " "
      let text = "\(sign)\(String(index).padded(to: 3, atStart: true)) \(history[index].title)"
      frame.write(
        CutText.end(text, columns: list.columns, signs: look.signs), at: list.column,
        row: list.row + line,
        style: isPresent ? look.theme.strong : index > present ? look.theme.faint : .plain)
    }
  }
}
