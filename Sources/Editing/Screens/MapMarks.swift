import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering

/// The marks of a desk on the map, in drawing order.
enum MapMarks {
  /// All marks of a desk's map through a camera.
  static func draw(_ desk: Desk, at camera: Camera, on canvas: inout some Canvas) {
    let layers = desk.shownDocument.shownLayers(at: camera.magnification)
    let former = desk.ghost?.drawing.layers ?? []
    MapLayers.draw(former + layers + (desk.comparison?.layers ?? []), on: &canvas)
    drawSelection(desk, on: &canvas)
    drawWork(desk, on: &canvas)
  }

  /// The selected features above all layers.
  static func drawSelection(_ desk: Desk, on canvas: inout some Canvas) {
    guard !desk.selection.isEmpty else { return }
    for layer in desk.shownDocument.shownLayers {
      guard let holding = layer as? any FeatureHolding else { continue }
      let ids = desk.selection.ids(in: layer.id)
      if ids.isEmpty { continue }
      drawFeatures(ids, of: holding, on: &canvas)
    }
    if let vertex = desk.selection.vertex, let place = desk.coordinate(of: vertex) {
      canvas.draw(.geometry(.point(place), style: WorkStyle.vertex))
    }
  }

  private static func drawFeatures(
    _ ids: Set<FeatureID>, of layer: any FeatureHolding, on canvas: inout some Canvas
  ) {
    let visible = canvas.visible
    for block in layer.blocks
    where block.geometry.box.mayShow(in: visible, isGeographic: true) {
      let rows =
        ids.count < block.rowCount
        ? ids.compactMap { block.row(of: $0) }
        : block.featureIDs.indices.filter { ids.contains(block.featureIDs[$0]) }
      if rows.isEmpty { continue }
      canvas.draw(
        .features(block.geometry, rows: rows, style: WorkStyle.selection(of: layer.style.mark)))
    }
  }

  /// The draft, the carried features, the selection box.
  static func drawWork(_ desk: Desk, on canvas: inout some Canvas) {
    if let theirs = desk.theirsShown {
      canvas.draw(.geometry(theirs, style: WorkStyle.theirs))
    }
    for place in desk.othersCursors {
      canvas.draw(.geometry(.point(place), style: WorkStyle.other))
    }
    if let draft = desk.draft { drawDraft(draft, desk, on: &canvas) }
    if let measuring = desk.measuring { drawMeasured(measuring.path, desk, on: &canvas) }
    if let by = desk.carriedBy { drawCarried(by, desk, on: &canvas) }
    if let box = desk.selectionRectangle {
      canvas.draw(.geometry(.line(outline(of: box)), style: WorkStyle.box))
    }
  }

  /// A box's edges, in steps that do not go the short way round.
  private static func outline(of box: Box) -> [Coordinate] {
    let columns = [0.0, 1, 2, 3].map { box.minX + box.width * $0 / 3 }
    let top = columns.map { Coordinate(x: $0, y: box.maxY) }
    let bottom = columns.reversed().map { Coordinate(x: $0, y: box.minY) }
    return top + bottom + top.prefix(1)
  }

  private static func drawDraft(
    _ draft: Draft, _ desk: Desk, on canvas: inout some Canvas
  ) {
    let isDrawing = desk.isFocused && desk.mode == .insert
    for (index, part) in draft.parts.enumerated() where !part.isEmpty {
      let isOpen = index == draft.parts.count - 1
      var line = part
      if isOpen && isDrawing { line.append(desk.continued(draft, to: desk.snappedCursor)) }
      if draft.kind == .polygon, line.count > 2 { line.append(line[0]) }
      if draft.kind != .point && line.count > 1 {
        canvas.draw(.geometry(.line(line), style: WorkStyle.draft))
      }
      for vertex in part.suffix(2000) {
        canvas.draw(.geometry(.point(vertex), style: WorkStyle.vertex))
      }
    }
  }

  private static func drawMeasured(
    _ path: MeasuredPath, _ desk: Desk, on canvas: inout some Canvas
  ) {
    var way = path.way(to: desk.measuredEnd, near: desk.camera.center.x)
    if path.isClosed, !path.isGeographic, let first = way.first { way.append(first) }
    if way.count > 1 { canvas.draw(.geometry(.line(way), style: WorkStyle.draft)) }
    for place in path.places.suffix(2000) {
      canvas.draw(.geometry(.point(place), style: WorkStyle.vertex))
    }
  }

  /// The carried features at their new place; of a large selection only the first ones.
  private static func drawCarried(
    _ by: Coordinate, _ desk: Desk, on canvas: inout some Canvas
  ) {
    if let vertex = desk.carry?.vertex {
      guard let place = desk.coordinate(of: vertex) else { return }
      let target = Coordinate(x: place.x + by.x, y: place.y + by.y)
      for vertex in desk.carriedVertices {
        guard var geometry = desk.document.feature(vertex.feature)?.geometry else { continue }
        if desk.isGeographic { geometry = geometry.unwrapped }
        geometry.moveVertex(vertex, by: by)
        canvas.draw(.geometry(geometry, style: WorkStyle.draft))
      }
      canvas.draw(.geometry(.point(target), style: WorkStyle.vertex))
      return
    }
    for reference in desk.selection.features.prefix(200) {
      guard var geometry = desk.document.feature(reference)?.geometry else { continue }
      geometry.move(x: by.x, y: by.y, isGeographic: desk.isGeographic)
      canvas.draw(.geometry(geometry, style: WorkStyle.draft))
    }
  }
}

/// The look of work in progress; without colours it differs by dashes and signs.
enum WorkStyle {
  private static let bright = GroundInk.work
  private static let ground = Colour(red: 0x5F, green: 0x2A, blue: 0x00)

  static let draft = MarkStyle(stroke: bright, dash: .dashed, symbol: "◇", isEmphasized: true)
  static let vertex = MarkStyle(stroke: bright, symbol: "◆", isEmphasized: true)
  static let box = MarkStyle(stroke: bright, dash: .dashed, isEmphasized: true)

  /// The cursor of another person.
  static let other = MarkStyle(
    stroke: Colour(red: 0x56, green: 0xB4, blue: 0xE9), symbol: "◉", isEmphasized: true)

  /// The other side's version of a feature that both changed.
  static let theirs = MarkStyle(
    stroke: Colour(red: 0xCC, green: 0x79, blue: 0xA7), dash: .dashed, symbol: "◌",
    isEmphasized: true)

  /// A selected feature: bright, areas filled, points with a sign of their own.
  static func selection(of mark: MarkStyle) -> MarkStyle {
    MarkStyle(
      stroke: bright, fill: ground, pattern: .medium, symbol: "◈", isEmphasized: true)
  }
}
