import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// A painter of whole pages: of the map, and of the parts around it by a few shapes.
///
/// The parts are the same on every page: see `drawBelowMap` and `drawAboveMap`.
protocol PageSheet: PagePainter {
  var request: RenderRequest { get }
  var layout: PageLayout { get }
  var ink: GroundInk { get }

  /// Cuts what follows at a rectangle, until `endMap`.
  mutating func beginMap(in area: PageRect)
  mutating func endMap()
  mutating func begin(_ part: PageFramePart)
  mutating func end(_ part: PageFramePart)

  mutating func draw(_ rect: PageRect, _ look: PageLook)
  mutating func draw(_ paths: [PagePath], _ look: PageLook)
  mutating func draw(circle middle: PagePoint, radius: Double, _ look: PageLook)
  mutating func draw(_ text: PageText)
}

/// The parts around a map that consist of several shapes.
enum PageFramePart: String, Hashable, Sendable {
  case graticule, numbers, scale, north, legend
}

/// The colours and the line of a shape.
struct PageLook: Hashable, Sendable {
  var fill: Colour?
  var fillOpacity = 1.0
  var stroke: Colour?
  var width = 0.0
  var dash = MarkStyle.Dash.solid

  /// The line of the marks of a layer; emphasized ones are twice as wide.
  static func mark(_ style: MarkStyle, _ ink: GroundInk, fill: Colour? = nil) -> PageLook {
    PageLook(
      fill: fill, stroke: style.stroke.map(ink.line),
      width: style.isEmphasized ? 2 * lineWidth : lineWidth, dash: style.dash)
  }

  private static let lineWidth = 1.2

  /// The lengths of the dashes and gaps in turn, in units of a page; empty for a whole line.
  var dashes: [Double] {
    switch dash {
    case .solid: []
    case .dashed: [5, 3]
    case .dotted: [1.2, 2.4]
    }
  }
}

/// A line of text on a page.
struct PageText: Sendable {
  /// The letter height of the labels of a map, and the width of their halo.
  static let labelSize = 10.0
  static let haloWidth = 2.4

  var text: String
  /// The start, the middle or the end of the text, at its baseline.
  var place: PagePoint
  var size: Double
  var colour: Colour
  var anchor = PageLabel.Anchor.start
  var isBold = false
  /// Whether the ground stands around the letters.
  var hasHalo = false
  /// The room for it, in units: painters with fonts condense wider texts.
  var room = Double.infinity

  init(_ text: String, x: Double, y: Double, size: Double, colour: Colour) {
    self.text = text
    place = PagePoint(x: x, y: y)
    self.size = size
    self.colour = colour
  }
}

/// The shape of a point's sign: the usual ones as shapes, others as text.
enum PageSignShape {
  case circle(radius: Double)
  case outline([(x: Double, y: Double)])
  case text(String)

  init(_ symbol: String) {
    switch symbol {
    case "", "•", "∙", "·": self = .circle(radius: 2.6)
    case "●": self = .circle(radius: 3.4)
    case "■", "▪": self = .outline([(-2.4, -2.4), (2.4, -2.4), (2.4, 2.4), (-2.4, 2.4)])
    case "▲", "△": self = .outline([(0, -3.4), (3.2, 2.4), (-3.2, 2.4)])
    case "▼": self = .outline([(0, 3.4), (3.2, -2.4), (-3.2, -2.4)])
    case "◆", "◈", "◇": self = .outline([(0, -3.6), (3.2, 0), (0, 3.6), (-3.2, 0)])
    default: self = .text(symbol)
    }
  }
}

extension PageSheet {
  /// Draws the sign of a point.
  mutating func drawSign(_ style: MarkStyle, at place: PagePoint) {
    let colour = (style.stroke ?? style.fill).map(ink.line) ?? ink.strong
    let look = PageLook(fill: colour, stroke: ink.paper, width: 0.8)
    switch PageSignShape(style.symbol) {
    case .circle(let radius): draw(circle: place, radius: radius, look)
    case .outline(let corners):
      let points = corners.map { PagePoint(x: place.x + $0.x, y: place.y + $0.y) }
      draw([PagePath(points: points, isClosed: true)], look)
    case .text(let symbol):
      var text = PageText(symbol, x: place.x, y: place.y + 3.8, size: 11, colour: colour)
      text.anchor = .middle
      draw(text)
    }
  }
}
