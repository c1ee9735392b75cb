import PortolanDocuments
import PortolanGraphics
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
    line.append(" \(desk.mode.title) ", look.theme.mode(desk.mode))
    line.append(" " + typed(desk), look.theme.barStrong, rank: 6)
    line.append(" " + (desk.isMapPane ? position(desk) : "\(desk.pane.kind.name) view"), bar)
    let isDrawing = desk.mode == .insert || desk.carry?.vertex != nil
    if isDrawing { line.append("  snap \(desk.snap.rawValue)", look.theme.barStrong) }
    if let id = desk.activeLayer, let layer = desk.document[layer: id] {
      let name = CutText.end(layer.name, columns: rect.columns / 5, signs: look.signs)
      let mark = layer.isLocked ? look.signs.locked : look.signs.pencil
      line.append("  \(name) \(mark)", look.theme.barStrong, rank: 2)
    }
    if desk.isMapPane {
      let camera = desk.camera
      let zoom = Figures.fixed(camera.zoom, decimals: 2)
      line.append(
        "  mag \(Figures.magnification(camera.magnification))x z\(zoom)", bar, rank: 4)
      line.append("  " + ground(camera) + "/col", bar, rank: 3)
    }
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

  /// The count and the keys of an incomplete command.
  private static func typed(_ desk: Desk) -> String {
    let keys = KeyNotation.label(desk.session.pendingKeys)
    let text = (desk.count.map(String.init) ?? "") + keys
    return text.isEmpty ? "" : text + " "
  }

  /// The cursor's position, with as many decimals as a column resolves.
  private static func position(_ desk: Desk) -> String {
    let camera = desk.camera
    let perColumn = abs(
      camera.coordinate(column: 1, row: 0).x - camera.coordinate(column: 0, row: 0).x)
    var decimals = 2
    var step = 0.1
    while decimals < 8 && step > perColumn * 2 {
      step /= 10
      decimals += 1
    }
    let cursor = desk.cursor
    if camera.plane.isGeographic {
      return Figures.degrees(cursor, decimals: min(decimals, 7))
    }
    return "x \(Figures.short(cursor.x, decimals: min(decimals, 6)))"
      + " y \(Figures.short(cursor.y, decimals: min(decimals, 6)))"
  }

  /// The ground distance of a column.
  private static func ground(_ camera: Camera) -> String {
    camera.plane.isGeographic
      ? Figures.distance(meters: camera.groundPerColumn)
      : Figures.short(camera.groundPerColumn, decimals: 3)
  }
}
