import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// The frame of a picture: paper, title, graticule, legend, scale bar, north arrow, credit.
extension SVGPainter {
  private var parts: PictureParts { request.parts }
  private var camera: Camera { request.camera }
  private var area: PageRect { PageCanvas.area(of: camera, at: layout.map) }

  /// Writes everything below the map.
  mutating func begin() {
    let page = layout.page
    svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\"\n")
    if let size = request.size.millimetres {
      svg.attribute("width", "\(size.width)mm")
      svg.attribute("height", "\(size.height)mm")
    } else {
      svg.attribute("width", page.width)
      svg.attribute("height", page.height)
    }
    svg.attribute("viewBox", "0 0 \(request.size.width) \(request.size.height)")
    svg.raw(" role=\"img\" font-family=\"sans-serif\">\n")
    svg.element("title", [], text: parts.title.isEmpty ? "Map" : parts.title)
    svg.raw("\n")
    svg.raw("<defs><clipPath id=\"map\"><rect")
    place(area)
    svg.raw("/></clipPath></defs>\n<rect")
    place(page)
    svg.attribute("fill", ink.paper.hex)
    svg.raw("/>\n")
    if !parts.title.isEmpty {
      text(
        parts.title, x: area.x + area.width / 2, y: layout.title.y + 20, size: 18,
        colour: ink.strong, anchor: "middle", isBold: true)
    }
    svg.raw("<g clip-path=\"url(#map)\">\n")
    if parts.hasGraticule { drawGraticule() }
  }

  /// Writes everything above the map.
  mutating func end() {
    svg.raw("</g>\n<rect")
    place(area)
    svg.raw(" fill=\"none\"")
    svg.attribute("stroke", ink.faint.hex)
    svg.raw(" stroke-width=\"0.8\"/>\n")
    if parts.hasGraticule { nameGraticule() }
    if parts.hasScaleBar { drawScaleBar() }
    if parts.hasNorthArrow { drawNorthArrow() }
    drawLegend()
    if !parts.credit.isEmpty {
      text(
        parts.credit, x: area.maxX, y: layout.credit.y + 12, size: 10, colour: ink.faint,
        anchor: "end")
    }
    svg.raw("</svg>\n")
  }

  private mutating func place(_ rect: PageRect) {
    svg.attribute("x", rect.x)
    svg.attribute("y", rect.y)
    svg.attribute("width", rect.width)
    svg.attribute("height", rect.height)
  }

  private mutating func text(
    _ text: String, x: Double, y: Double, size: Double, colour: Colour, anchor: String = "start",
    isBold: Bool = false, hasHalo: Bool = false
  ) {
    var attributes = [
      ("x", SVGWriter.text(x)), ("y", SVGWriter.text(y)), ("font-size", SVGWriter.text(size)),
      ("fill", colour.hex),
    ]
    if anchor != "start" { attributes.append(("text-anchor", anchor)) }
    if isBold { attributes.append(("font-weight", "bold")) }
    if hasHalo {
      attributes += [
        ("stroke", ink.paper.hex), ("stroke-width", "2.4"), ("stroke-linejoin", "round"),
        ("paint-order", "stroke"),
      ]
    }
    svg.element("text", attributes, text: text)
    svg.raw("\n")
  }

  private mutating func segment(
    _ from: PagePoint, _ to: PagePoint, colour: Colour, width: String
  ) {
    svg.raw("<path")
    svg.attribute("stroke", colour.hex)
    svg.raw(" stroke-width=\"\(width)\"")
    svg.path([PagePath(points: [from, to], isClosed: false)])
    svg.raw("/>\n")
  }

  // MARK: Graticule

  private var graticule: Graticule { Graticule(camera) }

  private func x(of line: Graticule.Line) -> Double {
    layout.map.x + line.position * PageCanvas.unitsPerDot
  }

  private func y(of line: Graticule.Line) -> Double {
    layout.map.y + line.position * PageCanvas.unitsPerDot
  }

  private mutating func drawGraticule() {
    svg.raw("<g id=\"graticule\">\n")
    let graticule = graticule
    for line in graticule.meridians {
      segment(
        PagePoint(x: x(of: line), y: area.y), PagePoint(x: x(of: line), y: area.maxY),
        colour: ink.graticule, width: "0.6")
    }
    for line in graticule.parallels {
      segment(
        PagePoint(x: area.x, y: y(of: line)), PagePoint(x: area.maxX, y: y(of: line)),
        colour: ink.graticule, width: "0.6")
    }
    svg.raw("</g>\n")
  }

  /// Writes the numbers beside the map, as far as there is room between them.
  private mutating func nameGraticule() {
    let graticule = graticule
    let isGeographic = camera.plane.isGeographic
    var end = -Double.infinity
    for line in graticule.meridians {
      let name = Self.name(line.value, isGeographic, ["E", "W"])
      let half = PageLayout.textWidth(name, size: 9) / 2
      guard x(of: line) - half > end + 6 else { continue }
      end = x(of: line) + half
      text(
        name, x: x(of: line), y: area.maxY + 11, size: 9, colour: ink.faint, anchor: "middle")
    }
    for line in graticule.parallels where y(of: line) >= area.y && y(of: line) <= area.maxY {
      text(
        Self.name(line.value, isGeographic, ["N", "S"]), x: area.x - 4, y: y(of: line) + 3,
        size: 9, colour: ink.faint, anchor: "end")
    }
  }

  private static func name(_ value: Double, _ isGeographic: Bool, _ sides: [String]) -> String {
    guard isGeographic else { return Figures.short(value, decimals: 6) }
    let number = Figures.short(abs(value), decimals: 6) + "°"
    return value == 0 || abs(value) == 180 ? number : number + sides[value > 0 ? 0 : 1]
  }

  // MARK: Scale bar and arrow

  private mutating func drawScaleBar() {
    let perUnit = camera.groundPerColumn / PageCanvas.cellWidth
    let longest = area.width / 5
    guard perUnit.isFinite, perUnit > 0,
      let ground = ScaleBar.roundLength(upTo: perUnit * longest)
    else { return }
    let width = ground / perUnit
    let label =
      camera.plane.isGeographic
      ? Figures.distance(meters: ground) : Figures.short(ground, decimals: 6)
    let (left, bottom) = (area.x + 12, area.maxY - 20)
    svg.raw("<g id=\"scale\">\n<rect")
    place(PageRect(x: left - 6, y: bottom - 20, width: width + 12, height: 27))
    svg.attribute("fill", ink.paper.hex)
    svg.raw(" fill-opacity=\"0.8\"/>\n<path fill=\"none\"")
    svg.attribute("stroke", ink.strong.hex)
    svg.raw(" stroke-width=\"1.2\"")
    svg.path([
      PagePath(
        points: [
          PagePoint(x: left, y: bottom - 5), PagePoint(x: left, y: bottom),
          PagePoint(x: left + width, y: bottom), PagePoint(x: left + width, y: bottom - 5),
        ], isClosed: false)
    ])
    svg.raw("/>\n")
    text(
      label, x: left + width / 2, y: bottom - 7, size: 10, colour: ink.strong, anchor: "middle")
    svg.raw("</g>\n")
  }

  private mutating func drawNorthArrow() {
    let (x, y) = (area.maxX - 22, area.y + 14)
    svg.raw("<g id=\"north\"><path")
    svg.attribute("fill", ink.strong.hex)
    svg.attribute("stroke", ink.paper.hex)
    svg.raw(" stroke-width=\"1\"")
    let corners = [(0.0, 0.0), (7.0, 20.0), (0.0, 15.0), (-7.0, 20.0)]
    svg.path([
      PagePath(
        points: corners.map { PagePoint(x: x + $0.0, y: y + $0.1) }, isClosed: true)
    ])
    svg.raw("/>\n")
    text(
      "N", x: x, y: y + 32, size: 12, colour: ink.strong, anchor: "middle", isBold: true,
      hasHalo: true)
    svg.raw("</g>\n")
  }

  // MARK: Legend

  private mutating func drawLegend() {
    if parts.legend.isEmpty { return }
    svg.raw("<g id=\"legend\">\n")
    for (index, entry) in parts.legend.enumerated() {
      let x =
        layout.legend.x + Double(index % layout.legendColumns.count) * layout.legendColumns.width
      let y = layout.legend.y + Double(index / layout.legendColumns.count) * PageLayout.legendRow
      drawSample(entry, x: x, y: y + 8)
      text(
        PageLayout.text(of: entry), x: x + 30, y: y + 12, size: PageLayout.textSize,
        colour: ink.strong)
    }
    svg.raw("</g>\n")
  }

  /// Draws a sample of a mark, 24 units wide, around a line at a height.
  private mutating func drawSample(_ entry: LegendEntry, x: Double, y: Double) {
    switch entry.dimension {
    case 0: paintSign(entry.mark, at: PagePoint(x: x + 12, y: y))
    case 1:
      svg.raw("<path fill=\"none\"")
      line(entry.mark)
      svg.path([
        PagePath(
          points: [PagePoint(x: x, y: y), PagePoint(x: x + 24, y: y)], isClosed: false)
      ])
      svg.raw("/>")
    default:
      svg.raw("<rect")
      place(PageRect(x: x + 1, y: y - 6, width: 22, height: 12))
      svg.attribute("fill", ink.area(entry.mark)?.hex ?? "none")
      line(entry.mark)
      svg.raw("/>")
    }
    svg.raw("\n")
  }
}
