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

extension PageCanvas {
  /// The canvas of a request: names keep off its scale bar.
  init(for request: RenderRequest, nearer: Double = usualNearness) {
    self.init(camera: request.camera, memory: RenderMemory(), nearer: nearer)
    reserved = ScaleBar.cells(onPage: request)
  }
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
    let weight =
      switch style.weight {
      case .light: 0.5
      case .normal: 1.0
      case .bold: 1.9
      }
    return PageLook(
      fill: fill, stroke: style.stroke.map { ink.line($0, showsValue: style.showsValue) },
      width: (style.isEmphasized ? 2 : weight) * lineWidth, dash: style.dash)
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
  /// The room between its letters beyond the usual one.
  var letterSpacing = 0.0
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
    case "", "•", "∙": self = .circle(radius: 2.6)
    case "·": self = .circle(radius: 1.7)
    case "●": self = .circle(radius: 3.4)
    case "■": self = .outline(Self.square)
    case "▪": self = .outline(Self.square).scaled(by: Self.small)
    case "▲", "△": self = .outline(Self.triangle)
    case "▴": self = .outline(Self.triangle).scaled(by: Self.small)
    case "▼": self = .outline([(0, 3.4), (3.2, -2.4), (-3.2, -2.4)])
    case "◆", "◈", "◇": self = .outline(Self.diamond)
    case "⬩": self = .outline(Self.diamond).scaled(by: Self.small)
    case "★": self = .outline(Self.star)
    case "☆": self = .outline(Self.star).scaled(by: Self.small)
    default: self = .text(symbol)
    }
  }

  private static let small = 0.75
  private static let square = [(x: -2.4, y: -2.4), (2.4, -2.4), (2.4, 2.4), (-2.4, 2.4)]
  private static let triangle = [(x: 0, y: -3.4), (3.2, 2.4), (-3.2, 2.4)]
  private static let diamond = [(x: 0, y: -3.6), (3.2, 0), (0, 3.6), (-3.2, 0)]
  private static let star = (0..<10).map { number in
    let angle = Double(number) * 0.628_318_530_717_958_6
    let radius = number.isMultiple(of: 2) ? 4.6 : 2
    return (x: radius * Mathematics.sine(angle), y: -radius * Mathematics.cosine(angle))
  }

  /// The same shape in another size.
  func scaled(by factor: Double) -> PageSignShape {
    switch self {
    case .circle(let radius): .circle(radius: radius * factor)
    case .outline(let corners): .outline(corners.map { ($0.x * factor, $0.y * factor) })
    case .text: self
    }
  }
}

extension PageSheet {
  /// Draws the sign of a point.
  ///
  /// - Parameter radius: in units of the page; `nil` for the usual size of the sign.
  mutating func drawSign(_ style: MarkStyle, at place: PagePoint, radius size: Double? = nil) {
    let (colour, outline) = ink.sign(style)
    let look = PageLook(fill: colour, stroke: outline, width: 0.8)
    let shape = PageSignShape(style.symbol).scaled(by: size.map { $0 / 2.6 } ?? 1)
    switch shape {
    case .circle(let radius): draw(circle: place, radius: size ?? radius, look)
    case .outline(let corners):
      let points = corners.map { PagePoint(x: place.x + $0.x, y: place.y + $0.y) }
      draw([PagePath(points: points, isClosed: true)], look)
    case .text(let symbol):
      let height = size.map { max(4, 4 * $0) } ?? 11
      var text = PageText(
        symbol, x: place.x, y: place.y + 0.345 * height, size: height, colour: colour)
      text.anchor = .middle
      draw(text)
    }
  }
}
