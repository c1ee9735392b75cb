import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals

/// A map as an SVG drawing (https://www.w3.org/TR/SVG2/): a group for each layer, a path with a
/// title for each line and area, signs, texts.
///
/// Two towns and a line; the drawing begins with
///
///     <svg xmlns="http://www.w3.org/2000/svg"
///
/// Within the group of the layer stands the line, in steps from point to point
///
///     <path data-feature="3" d="M60 80.1l9.4-26.5 28.1-15.5 9.3 37.1"/>
package struct SVGPicture: PictureFormat {
  package init() {}

  package let name = "svg"
  package let title = "a drawing with exact lines (SVG)"
  package let extensions = ["svg"]
  package let depth: ColourDepth? = .trueColour
  package let unit = PictureSize.Unit.pixels
  package let nature = OutputNature.text

  package func mapSize(in size: PictureSize, _ parts: PictureParts) -> CellSize {
    PageLayout(size, parts).cells
  }

  package func size(around map: CellSize, _ parts: PictureParts) -> PictureSize {
    PageLayout.size(around: map, parts)
  }

  package func paper(for request: PictureRequest, depth: ColourDepth) -> PageCanvas {
    PageCanvas(for: request)
  }

  package func bytes(
    of paper: PageCanvas, for request: PictureRequest, depth: ColourDepth
  ) -> [UInt8] {
    let layout = PageLayout(request.size, request.parts)
    var painter = SVGPainter(request, layout)
    painter.open()
    painter.drawBelowMap()
    paper.compose(on: &painter, at: layout.map)
    painter.drawAboveMap()
    painter.close()
    return painter.svg.bytes
  }
}

/// Writes a map and the parts around it.
struct SVGPainter: PageSheet {
  var svg = SVGWriter()
  let request: PictureRequest
  let layout: PageLayout
  let ink: GroundInk
  let ground: Colour
  /// The layers with a coast, by their numbers.
  private let coasts: Set<Int>
  /// Whether the layer that is open has one.
  private var hasCoast = false
  /// The names along curves so far.
  private var curves = 0
  /// Whether a program is to move the map and to look up features.
  let isInteractive: Bool
  /// The first level of signs that the map does not show from afar.
  var leastLevels: [PageLevel.Sign: Int] = [:]
  /// The features in the drawing, if it is interactive.
  private(set) var drawn: Set<DrawnFeature> = []
  /// The signs in the drawing, if it is interactive.
  private(set) var drawnSigns: Set<PageLevel.Sign> = []
  private let layers: [any Layer]
  private var layer: (any Layer)?
  /// The number of the layer among those shown.
  private var number: Int?
  /// The look that the open group gives to lines.
  private(set) var look: MarkStyle?
  private var names = FeatureNames()

  init(_ request: PictureRequest, _ layout: PageLayout, isInteractive: Bool = false) {
    self.isInteractive = isInteractive
    self.request = request
    self.layout = layout
    ink = GroundInk(request.paper ?? .light)
    ground = request.ground(ink)
    coasts = request.hasSea ? request.lands : []
    layers = request.document.shownLayers
  }

  // MARK: Layers

  mutating func begin(_ part: PagePart) {
    switch part {
    case .layer(let number):
      guard layers.indices.contains(number) else { return }
      let layer = layers[number]
      (self.layer, self.number) = (layer, number)
      look = layer.style.mark
      names = FeatureNames()
      hasCoast = coasts.contains(number)
      if hasCoast {
        // Around the group, so that its coast can have another line.
        svg.raw("<g")
        line(.border(Self.areas(of: layer), ink))
        svg.raw(">")
      }
      svg.raw("<g")
      svg.attribute("id", "layer-\(number + 1)")
      svg.attribute("data-layer", layer.name)
      svg.attribute("fill", "none")
      if !hasCoast { line(.mark(layer.style.mark, ink)) }
      svg.raw(">\n")
    case .labels:
      drawBelowNames()
      svg.raw("<g id=\"labels\"")
      if isInteractive { svg.raw(" data-level=\"0\"") }
      openNames()
    }
  }

  /// Writes the look of names, and ends the tag.
  private mutating func openNames() {
    svg.attribute("font-size", PageLettering.usualSize)
    svg.attribute("stroke", ground.hex)
    svg.attribute("stroke-width", PageText.haloWidth(on: ink.ground))
    svg.raw(" stroke-linejoin=\"round\" paint-order=\"stroke\">\n")
  }

  /// Writes the names of a level of an interactive map, and the signs that it adds.
  mutating func paint(_ level: PageLevel) {
    if !level.signs.isEmpty {
      svg.raw("<g data-least=\"\(level.number)\">\n")
      for (layer, sign) in level.signs where layers.indices.contains(layer) {
        (self.layer, number, names) = (layers[layer], layer, FeatureNames())
        paint(sign, in: "layer-\(layer + 1)")
      }
      (self.layer, number) = (nil, nil)
      svg.raw("</g>\n")
    }
    svg.raw("<g data-level=\"\(level.number)\"")
    openNames()
    for name in level.names { paint(name) }
    svg.raw("</g>\n")
  }

  mutating func end(_ part: PagePart) {
    svg.raw(hasCoast ? "</g></g>\n" : "</g>\n")
    (layer, number) = (nil, nil)
    (look, hasCoast) = (nil, false)
  }

  /// Shows the areas of the layer once more, beneath it, by their lines.
  mutating func beginCoast(of layer: Int) -> Bool {
    guard layers.indices.contains(layer) else { return false }
    svg.raw("<use")
    svg.attribute("href", "#layer-\(layer + 1)")
    line(.coast(Self.areas(of: layers[layer]), ink))
    svg.raw(" pointer-events=\"none\"/>\n")
    return false
  }

  /// The look of a layer's areas: of the first class, if it has classes.
  private static func areas(of layer: any Layer) -> MarkStyle {
    layer.style.classes?.mark(ofGroup: 0, layer.style.mark) ?? layer.style.mark
  }

  mutating func paint(_ shape: PageShape) {
    let id = names.id(shape.block, shape.row, layer)
    if let outline = shape.outline {
      svg.raw("<g")
      note(shape.block, shape.row, id)
      svg.raw(">")
      if let fill = ink.area(shape.style) {
        svg.raw("<path")
        svg.attribute("stroke", fill.hex)
        svg.attribute("stroke-width", PageShape.seamWidth)
        if let look, look.dash != .solid { svg.raw(" stroke-dasharray=\"none\"") }
        self.fill(shape)
        svg.path(shape.paths)
        svg.raw("/>")
      }
      if !outline.isEmpty, shape.style.stroke != nil {
        svg.raw("<path")
        if !isLook(shape.style) { line(.mark(shape.style, ink)) }
        svg.path(outline)
        svg.raw("/>")
      }
      title(shape.block, shape.row)
      svg.raw("</g>\n")
      return
    }
    svg.raw("<path")
    note(shape.block, shape.row, id)
    fill(shape)
    if !isLook(shape.style) { line(.mark(shape.style, ink)) }
    svg.path(shape.paths)
    close(shape.block, shape.row)
  }

  /// Writes the fill of a shape that has areas.
  private mutating func fill(_ shape: PageShape) {
    guard shape.paths.contains(where: \.isClosed), let fill = ink.area(shape.style) else { return }
    svg.attribute("fill", fill.hex)
    svg.raw(" fill-rule=\"evenodd\"")
  }

  mutating func paint(dots: [PagePoint], style: MarkStyle) {
    guard let colour = ink.dot(style) else { return }
    svg.raw("<path")
    svg.attribute("stroke", colour.hex)
    svg.raw(" stroke-width=\"1.6\" stroke-linecap=\"round\"")
    if style.dash != .solid { svg.raw(" stroke-dasharray=\"none\"") }
    svg.dots(dots)
    svg.raw("/>\n")
  }

  mutating func paint(_ sign: PageSign) { paint(sign, in: nil) }

  /// - Parameter group: the layer of a sign that is outside of its group.
  private mutating func paint(_ sign: PageSign, in group: String?) {
    svg.raw("<g")
    note(sign.block, sign.row, names.id(sign.block, sign.row, layer))
    if isInteractive {
      place("data-at", sign.place)
      drawnSigns.insert(PageLevel.Sign(sign))
    }
    if let group { svg.attribute("data-of", group) }
    if let least = leastLevels[PageLevel.Sign(sign)] { svg.attribute("data-least", String(least)) }
    svg.raw(">")
    drawSign(sign.style, at: sign.place, radius: sign.radius)
    title(sign.block, sign.row)
    svg.raw("</g>\n")
  }

  mutating func paint(_ label: PageLabel) {
    if isInteractive {
      svg.raw("<g")
      svg.attribute("data-of", "layer-\(label.layer + 1)")
      place("data-at", label.home)
      svg.raw(">\n")
    }
    defer { if isInteractive { svg.raw("</g>\n") } }
    let lettering = PageLettering(label, of: layers, ink, on: ground)
    var attributes = [
      ("x", SVGWriter.text(label.place.x)), ("y", SVGWriter.text(label.place.y + 3.5)),
      ("fill", lettering.colour.hex),
    ]
    if lettering.size != PageLettering.usualSize {
      attributes.append(("font-size", SVGWriter.text(lettering.size)))
    }
    if lettering.halo != ground { attributes.append(("stroke", lettering.halo.hex)) }
    if label.letterSpacing > 0 {
      // The last letter has room behind it as well.
      attributes[0].1 = SVGWriter.text(label.place.x + label.letterSpacing / 2)
      attributes.append(("letter-spacing", SVGWriter.text(label.letterSpacing)))
    }
    let anchor = label.baseline == nil ? label.anchor : .middle
    if let anchor = Self.anchor(anchor) { attributes.append(("text-anchor", anchor)) }
    if label.style.isEmphasized { attributes.append(("font-weight", "bold")) }
    if label.style.isSlanted { attributes.append(("font-style", "italic")) }
    if let baseline = label.baseline {
      write(label.text, along: baseline, attributes)
    } else {
      svg.element("text", attributes, text: label.text)
    }
    svg.raw("\n")
    if let sign = label.sign {
      drawSign(label.style, at: sign)
    }
  }

  /// Writes a text in the middle of a line: turned, or along a curve.
  private mutating func write(
    _ text: String, along line: PageBaseline, _ attributes: [(String, String)]
  ) {
    let middle = line.point(at: 0.5)
    if line.isStraight {
      let (x, y) = (SVGWriter.text(middle.x), SVGWriter.text(middle.y))
      let angle = Mathematics.angle(y: line.direction.y, x: line.direction.x) * 180 / .pi
      let turn = [("x", x), ("y", y), ("transform", "rotate(\(SVGWriter.text(angle)) \(x) \(y))")]
      return svg.element("text", turn + attributes.dropFirst(2), text: text)
    }
    curves += 1
    let curve = line.extended
    let ends = [curve.start, curve.control, curve.end].map {
      SVGWriter.text($0.x) + " " + SVGWriter.text($0.y)
    }
    svg.raw("<path")
    svg.attribute("id", "curve-\(curves)")
    svg.raw(" fill=\"none\" stroke=\"none\"")
    svg.attribute("d", "M\(ends[0])Q\(ends[1]) \(ends[2])")
    svg.raw("/><text")
    for (name, value) in attributes.dropFirst(2) { svg.attribute(name, value) }
    svg.raw(">")
    svg.element(
      "textPath", [("href", "#curve-\(curves)"), ("startOffset", "50%")], text: text)
    svg.raw("</text>")
  }

  /// Writes the number of a feature.
  private mutating func note(_ block: GeometryBlock, _ row: Int, _ id: FeatureID?) {
    guard let id else { return }
    svg.attribute("data-feature", String(id.rawValue))
    if isInteractive, let number {
      drawn.insert(DrawnFeature(layer: number, block: block, row: row))
    }
  }

  /// Writes the name of a feature, if it has one, as a title.
  private mutating func title(_ block: GeometryBlock, _ row: Int) {
    if let name = names.name(block, row, layer) { svg.element("title", [], text: name) }
  }

  private mutating func place(_ name: String, _ place: PagePoint) {
    svg.attribute(name, SVGWriter.text(place.x) + " " + SVGWriter.text(place.y))
  }

  /// Ends the element of a feature, with its name as a title.
  private mutating func close(_ block: GeometryBlock, _ row: Int) {
    guard let name = names.name(block, row, layer) else {
      svg.raw("/>\n")
      return
    }
    svg.raw(">")
    svg.element("title", [], text: name)
    svg.raw("</path>\n")
  }

  // MARK: Looks

  private func isLook(_ style: MarkStyle) -> Bool {
    guard let look else { return false }
    if hasCoast { return !style.isEmphasized }
    return style.stroke == look.stroke && style.dash == look.dash && style.weight == look.weight
      && style.isEmphasized == look.isEmphasized
  }
}

/// The numbers and names of the features of one layer; those of the last block are at hand.
private struct FeatureNames {
  private var block: GeometryBlock?
  private var ids: [FeatureID] = []
  private var texts: AttributeColumn?

  mutating func id(_ block: GeometryBlock, _ row: Int, _ layer: (any Layer)?) -> FeatureID? {
    look(up: block, layer)
    return ids.indices.contains(row) ? ids[row] : nil
  }

  /// The text of the attribute that labels the layer; `nil` for none.
  mutating func name(_ block: GeometryBlock, _ row: Int, _ layer: (any Layer)?) -> String? {
    look(up: block, layer)
    guard ids.indices.contains(row), let text = texts?.value(row).text, !text.isEmpty else {
      return nil
    }
    return text
  }

  private mutating func look(up block: GeometryBlock, _ layer: (any Layer)?) {
    if self.block === block { return }
    self.block = block
    let held = (layer as? any FeatureHolding)?.block(with: block)
    ids = held?.featureIDs ?? []
    texts = held.flatMap { held in layer?.style.labelField.flatMap { held.channel($0) } }
  }
}
