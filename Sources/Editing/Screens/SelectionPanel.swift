import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// The selected feature: its layer and all its attributes.
package enum SelectionPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    guard let feature = current(desk) else { return PanelStack.Demand(wanted: 3, least: 2) }
    return PanelStack.Demand(wanted: rows(desk, feature).count + 1, least: 4)
  }

  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw(title(desk), look, in: rect, on: &frame)
    guard !list.isEmpty else { return }
    guard let feature = current(desk) else {
      frame.write(
        "Enter picks a feature", at: list.column + 1, row: list.row, style: look.theme.faint,
        maxColumns: list.columns - 1)
      return
    }
    let rows = rows(desk, feature)
    let widest = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
    let nameWidth = min(widest, max(5, list.columns * 2 / 5))
    for (line, row) in rows.prefix(list.rows).enumerated() {
      let isLast = line == list.rows - 1 && rows.count > list.rows
      draw(
        isLast ? (look.signs.ellipsis, "\(rows.count - line) more: I shows all", true) : row,
        nameWidth: nameWidth, look,
        in: CellRect(column: list.column, row: list.row + line, columns: list.columns, rows: 1),
        on: &frame)
    }
  }

  private static func title(_ desk: Desk) -> String {
    let selection = desk.selection
    switch selection.count {
    case 0: return "Selected"
    case 1: return "Selected 1"
    default: return "Selected \(selection.current + 1) of \(selection.count)"
    }
  }

  private static func current(_ desk: Desk) -> Feature? {
    desk.selection.currentFeature.flatMap { desk.document.feature($0) }
  }

  /// Name, value, and whether it is a fact about the feature instead of an attribute.
  typealias Row = (name: String, value: String, isFact: Bool)

  /// The name of the feature comes first, so that a short panel shows it; then its layer, then the
  /// other attributes in the order of the file.
  static func rows(_ desk: Desk, _ feature: Feature) -> [Row] {
    let layer = desk.selection.currentFeature.flatMap { desk.document[layer: $0.layer] }
    let label = desk.labelAttribute(of: feature, in: layer)
    var rows: [Row] = []
    if let label { rows.append(row(feature.attributes[label])) }
    if let layer { rows.append(("layer", layer.name, true)) }
    if feature.identifier != .missing { rows.append(("id", feature.identifier.text, true)) }
    rows.append((feature.geometry.kind.name ?? "unlocated", shape(feature.geometry), true))
    for (index, attribute) in feature.attributes.enumerated() where index != label {
      rows.append(row(attribute))
    }
    return rows
  }

  private static func row(_ attribute: (name: String, value: AttributeValue)) -> Row {
    (attribute.name, attribute.value == .null ? "null" : attribute.value.text, false)
  }

  /// The number of vertices, or the position of a single one.
  private static func shape(_ geometry: Geometry) -> String {
    let count = geometry.paths.reduce(0) { $0 + $1.vertices.count }
    if count == 1, let only = geometry.paths.first(where: { !$0.vertices.isEmpty })?.vertices[0] {
      return Figures.short(only.x, decimals: 5) + " " + Figures.short(only.y, decimals: 5)
    }
    return count == 0 ? "" : "\(count) vertices"
  }

  private static func draw(
    _ row: Row, nameWidth: Int, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) {
    let name = CutText.end(row.name, columns: nameWidth, signs: look.signs)
    frame.write(name, at: rect.column, row: rect.row, style: look.theme.faint)
    let start = nameWidth + 1
    frame.write(
      CutText.end(row.value, columns: rect.columns - start, signs: look.signs),
      at: rect.column + start, row: rect.row,
      style: row.isFact ? look.theme.faint : look.theme.text, maxColumns: rect.columns - start)
  }
}
