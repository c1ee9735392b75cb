package import PortolanCairo
package import PortolanGraphics
package import PortolanRendering

/// Paints the lines, areas and dots of a map in the colours of its cells; signs and texts are
/// characters above it.
package struct StillPainter: PagePainter {
  private let surface: CairoSurface
  /// The areas without lines and dots.
  private let areas: CairoSurface
  private let dataInk: GroundInk
  /// The number of the base map as a layer.
  private let baseLayer: Int
  private let isCancelled: () -> Bool
  private var isBase = false
  /// The look of the last shape: neighbours have the same.
  private var look: (style: MarkStyle, look: PageLook)?

  package init(
    _ surface: CairoSurface, _ areas: CairoSurface, _ ink: GroundInk, baseLayer: Int,
    isCancelled: @escaping () -> Bool
  ) {
    self.surface = surface
    self.areas = areas
    dataInk = ink
    (self.baseLayer, self.isCancelled) = (baseLayer, isCancelled)
  }

  package mutating func begin(_ part: PagePart) {
    isBase = part == .layer(baseLayer)
    look = nil
  }

  package mutating func end(_ part: PagePart) {}

  package mutating func paint(_ shape: PageShape) {
    if isCancelled() { return }
    let look = look(of: shape.style)
    surface.draw(shape, look)
    areas.draw(shape, PageLook(fill: look.fill))
  }

  package mutating func paint(dots: [PagePoint], style: MarkStyle) {
    let look = look(of: style)
    guard let colour = look.stroke ?? look.fill, !isCancelled() else { return }
    surface.draw(dots: dots.lazy.map { ($0.x, $0.y) }, diameter: 1.6, colour)
  }

  package mutating func paint(_ sign: PageSign) {}
  package mutating func paint(_ label: PageLabel) {}

  private mutating func look(of style: MarkStyle) -> PageLook {
    if let look, look.style == style { return look.look }
    // On dark ground the colours of a base map are taken as they are.
    let shown = isBase ? style : dataInk.cells(style)
    var made = PageLook.mark(shown, dataInk, fill: shown.fill)
    made.stroke = shown.stroke
    look = (style, made)
    return made
  }
}
