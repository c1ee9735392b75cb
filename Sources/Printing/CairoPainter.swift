import PortolanCairo
import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTexts

/// Draws a map and the parts around it by cairo, its texts by Pango.
struct CairoPainter: PageSheet {
  let request: PictureRequest
  let layout: PageLayout
  let ink: GroundInk
  let ground: Colour
  /// The layers with a coast, by their numbers.
  private let coasts: Set<Int>
  /// The layer that is painted, and whether its coast is.
  private var layer: (number: Int, isCoast: Bool)?
  private let surface: CairoSurface
  private let layers: [any Layer]
  /// The look of the last shape: neighbours have the same.
  private var look: (style: MarkStyle, look: PageLook)?

  init(_ request: PictureRequest, _ layout: PageLayout, on surface: CairoSurface) {
    self.request = request
    self.layout = layout
    self.surface = surface
    layers = request.document.shownLayers
    ink = GroundInk(request.paper ?? .light)
    ground = request.ground(ink)
    coasts = request.hasSea ? request.lands : []
  }

  /// Draws a whole page.
  static func draw(_ paper: PageCanvas, for request: PictureRequest, on surface: CairoSurface) {
    let layout = PageLayout(request.size, request.parts)
    var painter = CairoPainter(request, layout, on: surface)
    painter.drawBelowMap()
    paper.compose(on: &painter, at: layout.map)
    painter.drawAboveMap()
  }

  mutating func begin(_ part: PagePart) {
    look = nil
    switch part {
    case .layer(let number): layer = (number, false)
    case .labels: drawBelowNames()
    }
  }
  mutating func end(_ part: PagePart) {}

  mutating func beginCoast(of layer: Int) -> Bool {
    (self.layer, look) = ((layer, true), nil)
    return true
  }
  mutating func begin(_ part: PageFramePart) {}
  mutating func end(_ part: PageFramePart) {}

  mutating func beginMap(in area: PageRect) {
    surface.clip(area.x, area.y, area.width, area.height)
  }

  mutating func endMap() { surface.endClip() }

  // MARK: The map

  mutating func paint(_ shape: PageShape) {
    if look?.style != shape.style { look = (shape.style, look(of: shape.style)) }
    guard let look = look?.look else { return }
    surface.draw(shape, look)
  }

  private func look(of style: MarkStyle) -> PageLook {
    guard let layer, coasts.contains(layer.number), !style.isEmphasized else {
      return PageLook.mark(style, ink, fill: ink.area(style))
    }
    if layer.isCoast { return PageLook.coast(style, ink) }
    var look = PageLook.border(style, ink)
    look.fill = ink.area(style)
    return look
  }

  mutating func paint(_ sign: PageSign) {
    drawSign(sign.style, at: sign.place, radius: sign.radius)
  }

  mutating func paint(dots: [PagePoint], style: MarkStyle) {
    guard let colour = ink.dot(style) else { return }
    surface.draw(dots: dots.lazy.map { ($0.x, $0.y) }, diameter: 1.6, colour)
  }

  mutating func paint(_ label: PageLabel) {
    let lettering = PageLettering(label, of: layers, ink, on: ground)
    var text = PageText(
      label.text, x: label.place.x, y: label.place.y + 3.5, size: lettering.size,
      colour: lettering.colour)
    text.halo = lettering.halo
    (text.anchor, text.isBold, text.hasHalo) = (label.anchor, label.style.isEmphasized, true)
    text.isItalic = label.style.isSlanted
    // As wide as the cells that are kept free for it.
    text.room = lettering.room(for: label.text)
    text.letterSpacing = label.letterSpacing
    text.baseline = label.baseline
    if let baseline = label.baseline { text.room = baseline.length }
    text.room += label.letterSpacing * Double(label.text.count)
    draw(text)
    if let sign = label.sign { drawSign(label.style, at: sign) }
  }

  // MARK: Shapes

  mutating func draw(_ rect: PageRect, _ look: PageLook) {
    surface.rectangle(rect.x, rect.y, rect.width, rect.height)
    finish(look)
  }

  mutating func draw(_ paths: [PagePath], _ look: PageLook) {
    for path in paths { surface.trace(path) }
    finish(look)
  }

  mutating func draw(circle middle: PagePoint, radius: Double, _ look: PageLook) {
    surface.circle(middle.x, middle.y, radius: radius)
    finish(look)
  }

  mutating func draw(_ text: PageText) {
    var line = CairoSurface.Text(
      ScalarKind.withoutOverrides(text.text), size: text.size, colour: text.colour)
    line.anchor =
      switch text.anchor {
      case .start: 0
      case .middle: 0.5
      case .end: 1
      }
    line.isBold = text.isBold
    line.isItalic = text.isItalic
    line.letterSpacing = text.letterSpacing
    if text.hasHalo {
      line.halo = CairoSurface.Line(
        text.halo ?? ground, width: PageText.haloWidth(on: ink.ground))
    }
    line.widthMax = max(1, text.room)
    var place = text.place
    if let baseline = text.baseline {
      (line.anchor, place) = (0.5, baseline.point(at: 0.5))
      if baseline.isStraight {
        line.direction = baseline.direction
      } else {
        line.curve = { distance in
          let part = 0.5 + distance / max(baseline.length, 1)
          let (place, direction) = (baseline.point(at: part), baseline.direction(at: part))
          return (place.x, place.y, direction.x, direction.y)
        }
      }
    }
    surface.draw(line, x: place.x, y: place.y)
  }

  /// Fills and strokes the path.
  private func finish(_ look: PageLook) {
    if let fill = look.fill {
      surface.fill(fill, keepsPath: look.stroke != nil)
    }
    guard let line = look.line else { return surface.dropPath() }
    surface.use(line)
    surface.stroke()
  }
}

extension CairoSurface {
  /// Draws the areas of a shape, and its lines.
  func draw(_ shape: PageShape, _ look: PageLook) {
    let paths = shape.paths
    if let colour = look.fill, paths.contains(where: \.isClosed) {
      for path in paths where path.isClosed { trace(path) }
      fill(colour)
      if shape.outline != nil {
        use(CairoSurface.Line(colour, width: PageShape.seamWidth))
        for path in paths where path.isClosed {
          trace(path)
          stroke()
        }
      }
    }
    guard let line = look.line else { return }
    use(line)
    // One path of all rings would cost cairo far more.
    for path in shape.lines {
      trace(path)
      stroke()
    }
  }

  fileprivate func trace(_ path: PagePath) {
    guard let first = path.points.first else { return }
    move(first.x, first.y)
    for point in path.points.dropFirst() { line(point.x, point.y) }
    if path.isClosed { closePath() }
  }
}

extension PageLook {
  fileprivate var line: CairoSurface.Line? {
    guard let stroke else { return nil }
    var line = CairoSurface.Line(stroke, width: width)
    line.dashes = dashes
    line.opacity = strokeOpacity
    return line
  }
}
