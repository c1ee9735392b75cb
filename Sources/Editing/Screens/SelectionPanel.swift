import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// The selected feature: its layer and all its attributes.
package enum SelectionPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    let rows = shownRows(desk)
    if rows.isEmpty { return PanelStack.Demand(wanted: 3, least: 2) }
    return PanelStack.Demand(wanted: rows.count + 1, least: 4)
  }

  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw(title(desk), look, in: rect, on: &frame)
    guard !list.isEmpty else { return }
    let rows = shownRows(desk)
    if rows.isEmpty {
      frame.write(
        desk.pane.kind.selecting.hint, at: list.column + 1, row: list.row, style: look.theme.faint,
        maxColumns: list.columns - 1)
      return
    }
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
    if desk.isDrawing, desk.draft != nil { return "Drawing" }
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

  /// The rows of the draft while it is drawn, else of the selected feature.
  private static func shownRows(_ desk: Desk) -> [Row] {
    if desk.isDrawing, let draft = desk.draft { return rows(desk, draft) }
    return current(desk).map { rows(desk, $0) } ?? []
  }

  private static func rows(_ desk: Desk, _ draft: Draft) -> [Row] {
    var rows: [Row] = [(draft.kind.rawValue, CountText.vertices(draft.vertexCount), true)]
    if let layer = desk.document[layer: draft.layer] { rows.append(("layer", layer.name, true)) }
    if let last = draft.parts.last(where: { !$0.isEmpty })?.last {
      rows.append(("last", position(last), true))
    }
    return rows
  }

  private static func position(_ place: Coordinate) -> String {
    Figures.short(place.x, decimals: 5) + " " + Figures.short(place.y, decimals: 5)
  }

  /// Name, value, and whether it is a fact about the feature instead of an attribute.
  typealias Row = (name: String, value: String, isFact: Bool)

  /// The name of the feature comes first, so that a short panel shows it; then its layer, then the
  /// other attributes in the order of the file.
  static func rows(_ desk: Desk, _ feature: Feature) -> [Row] {
    let layer = desk.selection.currentFeature.flatMap { desk.document[layer: $0.layer] }
    let label = desk.labelAttribute(of: feature, in: layer)
    let disputed = desk.disputedVersions
    func row(_ attribute: (name: String, value: AttributeValue)) -> [Row] {
      let versions = disputed.first { $0.name.hasSameBytes(as: attribute.name) }?.rows ?? []
      return [Self.row(attribute)] + versions.map { ($0.name, $0.value, true) }
    }
    var rows: [Row] = []
    if let label { rows += row(feature.attributes[label]) }
    if let layer { rows.append(("layer", layer.name, true)) }
    if feature.identifier != .missing { rows.append(("id", feature.identifier.text, true)) }
    rows.append((feature.geometry.kind.name ?? "unlocated", shape(feature.geometry), true))
    for (index, attribute) in feature.attributes.enumerated() where index != label {
      rows += row(attribute)
    }
    for versions in disputed
    where !feature.attributes.contains(where: { $0.name.hasSameBytes(as: versions.name) }) {
      rows += [(versions.name, "none", false)] + versions.rows.map { ($0.name, $0.value, true) }
    }
    return rows
  }

  private static func row(_ attribute: (name: String, value: AttributeValue)) -> Row {
    (attribute.name, attribute.value == .null ? "null" : attribute.value.text, false)
  }

  /// The number of vertices that can be picked, or the position of a single one: the position that
  /// closes a ring is its first vertex again.
  private static func shape(_ geometry: Geometry) -> String {
    let count = geometry.paths.reduce(0) { sum, path in
      sum + path.vertices.count - (path.role.isRing && path.vertices.count > 1 ? 1 : 0)
    }
    if count == 1, let only = geometry.paths.first(where: { !$0.vertices.isEmpty })?.vertices[0] {
      return position(only)
    }
    return count == 0 ? "" : CountText.vertices(count)
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
