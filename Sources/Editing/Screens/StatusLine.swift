import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
package import PortolanTerminals

/// The status line: mode, position, active layer, scale, selection, undo.
package enum StatusLine {
  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    guard !rect.isEmpty else { return }
    let look = desk.look
    let bar = look.theme.bar
    frame.fill(rect, style: bar)
    var line = TextLine()
    line.append(" \(desk.mode.title) ", look.theme.mode(desk.mode.tint))
    line.append(" " + typed(desk), look.theme.barStrong, rank: 6)
    let status = desk.pane.state.status(desk)
    line.append(" " + status.place, bar)
    let measured = desk.measured
    let isDrawing = desk.mode == .insert || desk.carry?.vertex != nil
    if let measured, measured.count > 0 {
      let unit = try? desk.measureUnit()
      appendFigures(measured, unit, look, to: &line)
    }
    if isDrawing || measured != nil {
      line.append(
        "  snap \(desk.snap.rawValue)", look.theme.barStrong, rank: measured == nil ? 0 : 2)
    }
    if let id = desk.activeLayer, let layer = desk.document[layer: id] {
      let name = CutText.end(layer.name, columns: rect.columns / 5, signs: look.signs)
      let mark = layer.isLocked ? look.signs.locked : look.signs.pencil
      line.append("  \(name) \(mark)", look.theme.barStrong, rank: 2)
      line.append(
        desk.filterWords(of: layer).map { "  " + $0 } ?? "", look.theme.barStrong, rank: 2)
    }
    for detail in status.details { line.append("  " + detail.text, bar, rank: detail.rank) }
    if !desk.selection.isEmpty {
      line.append(
        "  sel \(desk.selection.count)", look.theme.barStrong, rank: isDrawing ? 3 : 1)
    }
    if let draft = desk.draft, !draft.isEmpty {
      let count = draft.parts.reduce(0) { $0 + $1.count }
      let vertices = CountText.vertices(count)
      line.append("  \(draft.kind.rawValue) \(vertices)", look.theme.barStrong, rank: 1)
    }
    line.append("  undo \(desk.history.past.count)", bar, rank: 5)
    if !desk.history.future.isEmpty {
      line.append("/\(desk.history.past.count + desk.history.future.count)", bar, rank: 6)
    }
    line.fit(rect.columns)
    line.write(to: &frame, in: rect)
  }

  private static func appendFigures(
    _ figures: MeasuredFigures, _ unit: MeasureUnit?, _ look: ScreenLook, to line: inout TextLine
  ) {
    let style = look.theme.barStrong
    if let closing = figures.closing {
      line.append("  area " + MeasureUnit.area(closing.area, in: unit), style)
      line.append("  perimeter " + MeasureUnit.length(closing.perimeter, in: unit), style, rank: 1)
      return
    }
    line.append("  " + MeasureUnit.length(figures.length, in: unit), style)
    guard let leg = figures.leg else { return }
    line.append("  " + leg.bearings, style, rank: 1)
    if figures.count > 2 {
      line.append("  leg " + MeasureUnit.length(leg.length, in: unit), style, rank: 1)
    }
  }

  /// The count and the keys of an incomplete command.
  private static func typed(_ desk: Desk) -> String {
    let keys = KeyNotation.label(desk.session.pendingKeys)
    let text = (desk.count.map(String.init) ?? "") + keys
    return text.isEmpty ? "" : text + " "
  }
}
