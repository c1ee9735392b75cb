import PortolanGraphics
import PortolanTerminals

/// The window of a camera on a page: world units to units of the page.
struct PageWindow {
  let cells: ViewWindow
  /// The part of the page beyond which nothing is drawn.
  let area: PageRect
  /// The distance of a text from the middle of its point.
  private static let gap = 4.5
  /// Capitals and this are together about as wide as two cells.
  private static let letterSpacing = 4.5

  private let scale: Double
  private let offsetX: Double
  private let offsetY: Double
  let origin: PagePoint

  init(_ camera: Camera, origin: PagePoint, area: PageRect) {
    cells = ViewWindow(camera)
    self.area = area
    self.origin = origin
    scale = camera.worldDots / WorldPoint.worldWidth * PageCanvas.unitsPerDot
    offsetX = origin.x - Double(camera.originX) * PageCanvas.unitsPerDot
    offsetY = origin.y - Double(camera.originY) * PageCanvas.unitsPerDot
  }

  /// - Parameter x: in world units, moved by the width of the world in a copy of it.
  @inline(__always)
  func point(x: Int64, y: Int64) -> PagePoint {
    PagePoint(x: Double(x) * scale + offsetX, y: Double(y) * scale + offsetY)
  }

  /// The lines of a text in units of the page.
  func labels(_ text: PlacedText, _ set: TextSet, _ layer: Int) -> [PageLabel] {
    let home = PagePoint(
      x: origin.x + text.dot.x * PageCanvas.unitsPerDot,
      y: origin.y + text.dot.y * PageCanvas.unitsPerDot)
    let row = Int((text.dot.y / 4).rounded(.down))
    return text.lines.compactMap { line in
      var place = home
      place.y += Double(line.row - row) * PageCanvas.cellHeight
      let anchor: PageLabel.Anchor
      switch text.alignment {
      case .start: (anchor, place.x) = (.start, home.x + Self.gap)
      case .middle: anchor = .middle
      case .end: (anchor, place.x) = (.end, home.x - Self.gap)
      }
      guard !line.text.isEmpty, area.contains(place) else { return nil }
      return PageLabel(
        text: line.text, place: place, anchor: anchor, style: set.style(ofRow: text.feature),
        layer: layer,
        block: set.block, row: text.feature, home: home, sign: nil)
    }
  }

  /// The rectangle of a box of the map.
  func rect(of box: Box, through camera: Camera) -> PageRect? {
    guard let low = camera.dot(at: Coordinate(x: box.minX, y: box.maxY)) else { return nil }
    // The other corner may be nearer in another copy of the world.
    let high = camera.plane.forward(Coordinate(x: box.maxX, y: box.minY))
    let start = camera.plane.forward(Coordinate(x: box.minX, y: box.maxY))
    let unit = camera.worldDots * PageCanvas.unitsPerDot
    return PageRect(
      x: origin.x + low.x * PageCanvas.unitsPerDot, y: origin.y + low.y * PageCanvas.unitsPerDot,
      width: (high.x - start.x) * unit, height: (high.y - start.y) * unit)
  }

  /// A placed label in units of the page.
  func label(_ label: PlacedLabel, _ layer: Int, _ block: GeometryBlock) -> PageLabel {
    let (width, height) = (PageCanvas.cellWidth, PageCanvas.cellHeight)
    var anchor = PageLabel.Anchor.middle
    var sign: PagePoint?
    var place = PagePoint(
      x: origin.x + (Double(label.column) + Double(label.columns) / 2) * width,
      y: origin.y + (Double(label.row) + 0.5) * height)
    var home = place
    if let dot = label.dot {
      let point = PagePoint(
        x: origin.x + (Double(dot.x) + 0.5) * PageCanvas.unitsPerDot,
        y: origin.y + (Double(dot.y) + 0.5) * PageCanvas.unitsPerDot)
      if label.column > dot.x >> 1 {
        (anchor, place.x) = (.start, point.x + Self.gap)
      } else if label.column + label.columns <= dot.x >> 1 {
        (anchor, place.x) = (.end, point.x - Self.gap)
      }
      home = point
      place.y = point.y + Double(label.row - dot.y >> 2) * height
      if label.sign != nil { sign = point }
    }
    var placed = PageLabel(
      text: label.capitals ?? label.text, place: place, anchor: anchor, style: label.style,
      layer: layer, block: block, row: label.feature, home: home, sign: sign)
    // All areas have capitals, but water, whose names lean.
    if label.dot == nil, !label.style.isSlanted, block.dimension(ofFeature: label.feature) == 2,
      let capitals = label.capitals ?? SpacedCapitals.capitals(of: label.text)
    {
      (placed.text, placed.isCapital) = (capitals, true)
    }
    placed.isBeside = label.isBeside
    if label.capitals != nil { placed.letterSpacing = Self.letterSpacing }
    if label.isBright { placed.style.isEmphasized = true }
    return placed
  }
}
