import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// The frame of a picture: paper, title, graticule, legend, scale bar, north arrow, credit.
extension PageSheet {
  private var parts: PictureParts { request.parts }
  private var camera: Camera { request.camera }
  private var area: PageRect { PageCanvas.area(of: camera, at: layout.map) }
  /// The room that a whole world leaves above and below in the place of the map: the other parts
  /// stand next to the map.
  private var slack: (above: Double, below: Double) {
    let bottom = layout.map.y + Double(camera.size.rows) * PageCanvas.cellHeight
    return (max(0, area.y - layout.map.y), max(0, bottom - area.maxY))
  }

  /// Draws everything below the map, which is then open.
  mutating func drawBelowMap() {
    draw(layout.page, PageLook(fill: ink.paper))
    if !parts.title.isEmpty {
      var title = PageText(
        parts.title, x: area.x + area.width / 2, y: layout.title.y + 20 + slack.above, size: 18,
        colour: ink.strong)
      (title.anchor, title.isBold, title.room) = (.middle, true, layout.page.width)
      draw(title)
    }
    beginMap(in: area)
    guard request.hasSea else { return }
    if camera.plane.isCurved {
      draw([worldOutline], PageLook(fill: ink.sea))
    } else {
      draw(area, PageLook(fill: ink.sea))
    }
  }

  /// Draws the graticule, between the marks of the map and its names.
  mutating func drawBelowNames() {
    if parts.hasGraticule { drawGraticule() }
  }

  /// Ends the map and draws everything above it.
  mutating func drawAboveMap() {
    endMap()
    draw(area, PageLook(stroke: ink.faint, width: 0.8))
    if parts.hasGraticule { nameGraticule() }
    if parts.hasScaleBar { drawScaleBar() }
    if parts.hasNorthArrow { drawNorthArrow() }
    drawLegend()
    if !parts.credit.isEmpty {
      var credit = PageText(
        parts.credit, x: area.maxX, y: layout.credit.y + 12 - slack.below, size: 10,
        colour: ink.faint)
      (credit.anchor, credit.room) = (.end, area.maxX)
      draw(credit)
    }
  }

  private mutating func segment(_ from: PagePoint, _ to: PagePoint, _ look: PageLook) {
    draw([PagePath(points: [from, to], isClosed: false)], look)
  }

  // MARK: Graticule

  /// A line along a meridian or a parallel.
  private func curve(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double)
  ) -> [PagePoint] {
    (0...60).compactMap { step in
      let share = Double(step) / 60
      let place = Coordinate(
        x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
      return camera.dot(at: place).map { dot in
        PagePoint(
          x: layout.map.x + dot.x * PageCanvas.unitsPerDot,
          y: layout.map.y + dot.y * PageCanvas.unitsPerDot)
      }
    }
  }

  /// The edge of a world that does not repeat itself.
  private var worldOutline: PagePath {
    let points =
      curve(from: (-180, -90), to: (-180, 90)) + curve(from: (180, 90), to: (180, -90))
    return PagePath(points: points, isClosed: true)
  }

  private var graticule: Graticule { Graticule(camera) }

  private func x(of line: Graticule.Line) -> Double {
    layout.map.x + line.position * PageCanvas.unitsPerDot
  }

  private func y(of line: Graticule.Line) -> Double {
    layout.map.y + line.position * PageCanvas.unitsPerDot
  }

  private mutating func drawGraticule() {
    begin(.graticule)
    let graticule = graticule
    // Areas show through.
    let look = PageLook(stroke: ink.faint, strokeOpacity: 0.4, width: 0.6)
    if graticule.isCurved {
      let visible = camera.visible
      let lines =
        graticule.meridians.map { line in
          curve(from: (line.value, visible.minY), to: (line.value, visible.maxY))
        }
        + graticule.parallels.map { line in
          curve(from: (visible.minX, line.value), to: (visible.maxX, line.value))
        }
      for line in lines { draw([PagePath(points: line, isClosed: false)], look) }
      return end(.graticule)
    }
    for line in graticule.meridians {
      segment(
        PagePoint(x: x(of: line), y: area.y), PagePoint(x: x(of: line), y: area.maxY),
        look)
    }
    for line in graticule.parallels {
      segment(
        PagePoint(x: area.x, y: y(of: line)), PagePoint(x: area.maxX, y: y(of: line)),
        look)
    }
    end(.graticule)
  }

  /// Writes the numbers beside the map, as far as there is room between them.
  private mutating func nameGraticule() {
    let graticule = graticule
    let isGeographic = camera.plane.isGeographic
    begin(.numbers)
    var end = -Double.infinity
    for line in graticule.meridians
    where x(of: line) >= area.x - 0.5 && x(of: line) <= area.maxX + 0.5 {
      let name = Self.name(line.value, isGeographic, ["E", "W"])
      let half = PageLayout.textWidth(name, size: 9) / 2
      guard x(of: line) - half > end + 6 else { continue }
      end = x(of: line) + half
      let middle = min(x(of: line), layout.page.maxX - half - 1)
      var text = PageText(name, x: middle, y: area.maxY + 11, size: 9, colour: ink.faint)
      text.anchor = .middle
      draw(text)
    }
    for line in graticule.parallels where y(of: line) >= area.y && y(of: line) <= area.maxY {
      let name = Self.name(line.value, isGeographic, ["N", "S"])
      var text = PageText(name, x: area.x - 4, y: y(of: line) + 3, size: 9, colour: ink.faint)
      (text.anchor, text.room) = (.end, area.x - 4)
      draw(text)
    }
    self.end(.numbers)
  }

  private static func name(_ value: Double, _ isGeographic: Bool, _ sides: [String]) -> String {
    guard isGeographic else { return Figures.short(value, decimals: 6) }
    let number = Figures.short(abs(value), decimals: 6) + "°"
    return value == 0 || abs(value) == 180 ? number : number + sides[value > 0 ? 0 : 1]
  }

  // MARK: Scale bar and arrow

  private mutating func drawScaleBar() {
    guard let bar = ScaleBar.onPage(request) else { return }
    let (width, label, room) = (bar.width, bar.label, bar.textWidth)
    let (left, bottom) = (area.x + 12, area.maxY - 20)
    begin(.scale)
    draw(
      PageRect(x: left - 6, y: bottom - 20, width: max(width, room) + 12, height: 27),
      PageLook(fill: ink.paper))
    draw(
      [
        PagePath(
          points: [
            PagePoint(x: left, y: bottom - 5), PagePoint(x: left, y: bottom),
            PagePoint(x: left + width, y: bottom), PagePoint(x: left + width, y: bottom - 5),
          ], isClosed: false)
      ], PageLook(stroke: ink.strong, width: 1.2))
    var text = PageText(
      label, x: left + max(width, room) / 2, y: bottom - 7, size: 10, colour: ink.strong)
    text.anchor = .middle
    draw(text)
    end(.scale)
  }

  private mutating func drawNorthArrow() {
    let (x, y) = (area.maxX - 22, area.y + 14)
    let corners = [(0.0, 0.0), (7.0, 20.0), (0.0, 15.0), (-7.0, 20.0)]
    begin(.north)
    draw(
      [
        PagePath(points: corners.map { PagePoint(x: x + $0.0, y: y + $0.1) }, isClosed: true)
      ], PageLook(fill: ink.strong, stroke: ink.paper, width: 1))
    var text = PageText("N", x: x, y: y + 32, size: 12, colour: ink.strong)
    (text.anchor, text.isBold, text.hasHalo) = (.middle, true, true)
    draw(text)
    end(.north)
  }

  // MARK: Legend

  /// The room of a sample.
  private static var legendIndent: Double { 30 }

  private mutating func drawLegend() {
    if parts.legend.isEmpty { return }
    begin(.legend)
    let (places, width) = layout.legendColumns
    let isBeside = layout.legend.y <= layout.map.y
    let top = layout.legend.y + (isBeside ? slack.above : -slack.below)
    // Below a map that is narrower than the page it begins with the map, as far as it has the room.
    let right = layout.legend.x + width * Double((places.map(\.column).max() ?? 0) + 1)
    let room = max(0, layout.page.maxX - PageLayout.margin - right)
    let left = layout.legend.x + (isBeside ? 0 : min(room, max(0, area.x - layout.legend.x)))
    func columns(_ entry: LegendEntry) -> Int {
      // Bold letters are wider.
      let size = PageLayout.textSize * (entry.isHeading ? 1.1 : 1)
      let room = width - 6 - (entry.isHeading ? 0 : Self.legendIndent)
      return max(1, Int(room / PageLayout.textWidth(columns: 1, size: size)))
    }
    let legend = PageLayout.fitted(parts.legend, columns: columns)
    for (entry, place) in zip(legend, places) {
      let x = left + Double(place.column) * width
      let y = top + Double(place.row) * PageLayout.legendRow
      if !entry.isHeading { drawSample(entry, x: x, y: y + 8) }
      let indent = entry.isHeading ? 0 : Self.legendIndent
      var text = PageText(
        PageLayout.text(of: entry, columns: columns(entry), .page), x: x + indent,
        y: y + 12, size: PageLayout.textSize, colour: ink.strong)
      text.isBold = entry.isHeading
      text.room = width - 6 - indent
      draw(text)
    }
    end(.legend)
  }

  /// Draws a sample of a mark, 24 units wide, around a line at a height.
  mutating func drawSample(_ entry: LegendEntry, x: Double, y: Double) {
    switch entry.dimension {
    case 0:
      let radius = entry.size.map(PageCanvas.radius(ofSize:))
      let left = entry.smaller.isEmpty ? 12.0 : 8
      drawSign(entry.mark, at: PagePoint(x: x + left, y: y), radius: radius)
      if !entry.smaller.isEmpty {
        drawSign(entry.mark.with(sign: entry.smaller), at: PagePoint(x: x + 19, y: y))
      }
    case 1:
      let middle = x + (entry.leastWeight == nil ? 24 : 12)
      segment(PagePoint(x: x, y: y), PagePoint(x: middle, y: y), .mark(entry.mark, ink))
      if let weight = entry.leastWeight {
        segment(
          PagePoint(x: middle, y: y), PagePoint(x: x + 24, y: y),
          .mark(entry.mark.with(weight: weight), ink))
      }
    default:
      draw(
        PageRect(x: x + 1, y: y - 6, width: 22, height: 12),
        .mark(entry.mark, ink, fill: ink.area(entry.mark)))
    }
  }
}
