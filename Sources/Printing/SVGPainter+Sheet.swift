import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// The elements of a drawing around and within the map.
extension SVGPainter {
  /// Writes the beginning of the drawing.
  mutating func open() {
    let page = layout.page
    let title = request.parts.title
    svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\"\n")
    if let size = request.size.millimetres {
      svg.attribute("width", "\(size.width)mm")
      svg.attribute("height", "\(size.height)mm")
    } else {
      svg.attribute("width", page.width)
      svg.attribute("height", page.height)
    }
    svg.attribute("viewBox", "0 0 \(request.size.width) \(request.size.height)")
    svg.raw(" role=\"img\" font-family=\"sans-serif\"")
    if isInteractive { noteMap() }
    svg.raw(">\n")
    svg.element("title", [], text: title.isEmpty ? "Map" : title)
    svg.raw("\n")
  }

  /// Writes the place of the map, and the length of a unit on the ground.
  private mutating func noteMap() {
    let area = PageCanvas.area(of: request.camera, at: layout.map)
    let sides = [area.x, area.y, area.width, area.height].map(SVGWriter.text)
    svg.attribute("data-area", sides.joined(separator: " "))
    let ground = request.camera.groundPerColumn / PageCanvas.cellWidth
    if ground.isFinite { svg.attribute("data-ground", "\(ground)") }
    if request.camera.plane.isGeographic { svg.attribute("data-unit", "m") }
  }

  mutating func close() { svg.raw("</svg>\n") }

  mutating func beginMap(in area: PageRect) {
    svg.raw("<defs><clipPath id=\"map\"><rect")
    place(area)
    svg.raw("/></clipPath></defs>\n<g clip-path=\"url(#map)\">\n")
    if isInteractive { svg.raw("<g id=\"view\">\n") }
  }

  mutating func endMap() { svg.raw(isInteractive ? "</g>\n</g>\n" : "</g>\n") }

  mutating func begin(_ part: PageFramePart) { svg.raw("<g id=\"\(part.rawValue)\">\n") }

  mutating func end(_ part: PageFramePart) { svg.raw("</g>\n") }

  // MARK: Shapes

  mutating func draw(_ rect: PageRect, _ look: PageLook) {
    svg.raw("<rect")
    place(rect)
    finish(look)
  }

  mutating func draw(_ paths: [PagePath], _ look: PageLook) {
    svg.raw("<path")
    svg.path(paths)
    finish(look)
  }

  mutating func draw(circle middle: PagePoint, radius: Double, _ look: PageLook) {
    svg.raw("<circle")
    svg.attribute("cx", middle.x)
    svg.attribute("cy", middle.y)
    svg.attribute("r", radius)
    finish(look)
  }

  mutating func draw(_ text: PageText) {
    var attributes = [
      ("x", SVGWriter.text(text.place.x)), ("y", SVGWriter.text(text.place.y)),
      ("font-size", SVGWriter.text(text.size)), ("fill", text.colour.hex),
    ]
    if let anchor = Self.anchor(text.anchor) { attributes.append(("text-anchor", anchor)) }
    if text.isBold { attributes.append(("font-weight", "bold")) }
    if text.hasHalo {
      attributes += [
        ("stroke", ground.hex),
        ("stroke-width", SVGWriter.text(PageText.haloWidth(on: ink.ground))),
        ("stroke-linejoin", "round"), ("paint-order", "stroke"),
      ]
    } else if look != nil {
      attributes.append(("stroke", "none"))
    }
    svg.element("text", attributes, text: text.text)
    svg.raw("\n")
  }

  /// The word for an anchor; `nil` for the usual one.
  static func anchor(_ anchor: PageLabel.Anchor) -> String? {
    switch anchor {
    case .start: nil
    case .middle: "middle"
    case .end: "end"
    }
  }

  private mutating func place(_ rect: PageRect) {
    svg.attribute("x", rect.x)
    svg.attribute("y", rect.y)
    svg.attribute("width", rect.width)
    svg.attribute("height", rect.height)
  }

  /// Writes the colours of a shape, and ends it.
  private mutating func finish(_ shape: PageLook) {
    svg.attribute("fill", shape.fill?.hex ?? "none")
    // Shapes within the group of a layer would take its line.
    if shape.stroke != nil || look != nil { line(shape) }
    svg.raw("/>\n")
  }

  /// Writes the look of lines.
  mutating func line(_ line: PageLook) {
    guard let stroke = line.stroke else {
      svg.attribute("stroke", "none")
      return
    }
    svg.attribute("stroke", stroke.hex)
    if line.strokeOpacity < 1 { svg.attribute("stroke-opacity", line.strokeOpacity) }
    svg.attribute("stroke-width", line.width)
    svg.raw(" stroke-linejoin=\"round\"")
    if !line.dashes.isEmpty {
      svg.attribute("stroke-dasharray", line.dashes.map(SVGWriter.text).joined(separator: " "))
    } else if let look, look.dash != .solid {
      svg.raw(" stroke-dasharray=\"none\"")
    }
  }
}
