import PortolanGraphics
import PortolanRendering

/// The shape of a point's sign on a page: the usual ones as lines and areas, others as text.
enum PageSignShape {
  /// A closed line.
  enum Outline {
    case circle(radius: Double)
    case corners([(x: Double, y: Double)])
  }

  case filled(Outline)
  /// With the ground inside, and there a disc of some radius; of none if that is 0.
  case hollow(Outline, core: Double)
  case lines([[(x: Double, y: Double)]])
  case text(String)

  init(_ symbol: String) {
    switch symbol {
    case "", "•", "∙": self = .filled(.circle(radius: 2.6))
    case "·": self = .filled(.circle(radius: 1.7))
    case "●": self = .filled(.circle(radius: 3.4))
    case "◦": self = .hollow(.circle(radius: 2.1), core: 0)
    case "○": self = .hollow(.circle(radius: 3.2), core: 0)
    case "◎": self = .hollow(.circle(radius: 3.8), core: 1.5)
    case "◉": self = .hollow(.circle(radius: 5), core: 3.2)
    case "■": self = .filled(Self.square)
    case "▪": self = .filled(Self.square.scaled(by: Self.small))
    case "□": self = .hollow(Self.square, core: 0)
    case "▲": self = .filled(Self.triangle)
    case "▴": self = .filled(Self.triangle.scaled(by: Self.small))
    case "△": self = .hollow(Self.triangle, core: 0)
    case "▼": self = .filled(Self.triangle.scaled(by: -1))
    case "▽": self = .hollow(Self.triangle.scaled(by: -1), core: 0)
    case "◆": self = .filled(Self.diamond)
    case "⬩": self = .filled(Self.diamond.scaled(by: Self.small))
    case "◇": self = .hollow(Self.diamond, core: 0)
    case "◈": self = .hollow(Self.diamond.scaled(by: 1.3), core: 1.8)
    case "★": self = .filled(Self.star)
    case "☆": self = .filled(Self.star.scaled(by: Self.small))
    case "+": self = .lines([[(3, 0), (-3, 0)], [(0, 3), (0, -3)]])
    case "-": self = .lines([[(3.4, 0), (-3.4, 0)]])
    case "~": self = .lines([[(-4.5, 1.2), (-2.2, -1.4), (2.2, 1.4), (4.5, -1.2)]])
    case "×": self = .lines([[(2.4, 2.4), (-2.4, -2.4)], [(2.4, -2.4), (-2.4, 2.4)]])
    default: self = .text(symbol)
    }
  }

  private static let small = 0.75
  private static let square = Outline.corners([(-2.4, -2.4), (2.4, -2.4), (2.4, 2.4), (-2.4, 2.4)])
  private static let triangle = Outline.corners([(0, -3.4), (3.2, 2.4), (-3.2, 2.4)])
  private static let diamond = Outline.corners([(0, -3.6), (3.2, 0), (0, 3.6), (-3.2, 0)])
  private static let star = Outline.corners(
    (0..<10).map { number in
      let angle = Double(number) * 0.628_318_530_717_958_6
      let radius = number.isMultiple(of: 2) ? 4.6 : 2
      return (x: radius * Mathematics.sine(angle), y: -radius * Mathematics.cosine(angle))
    })

  /// The same shape in another size.
  func scaled(by factor: Double) -> PageSignShape {
    switch self {
    case .filled(let outline): .filled(outline.scaled(by: factor))
    case .hollow(let outline, let core): .hollow(outline.scaled(by: factor), core: core * factor)
    case .lines(let lines): .lines(lines.map { $0.map { ($0.x * factor, $0.y * factor) } })
    case .text: self
    }
  }
}

extension PageSignShape.Outline {
  func scaled(by factor: Double) -> Self {
    switch self {
    case .circle(let radius): .circle(radius: radius * factor)
    case .corners(let corners): .corners(corners.map { ($0.x * factor, $0.y * factor) })
    }
  }
}

extension PageSheet {
  /// The width of the lines of signs, and of the ground around them.
  private static var signLine: (width: Double, halo: Double) { (1.3, 2.9) }

  /// Draws the sign of a point, with the ground around it.
  ///
  /// - Parameter radius: in units of the page; `nil` for the usual size of the sign.
  mutating func drawSign(_ style: MarkStyle, at place: PagePoint, radius size: Double? = nil) {
    let (colour, edge) = ink.sign(style)
    // A colour that does not stand out from the ground has a darker edge.
    let line = edge == ink.paper ? colour : edge
    var shape = PageSignShape(style.symbol).scaled(by: size.map { $0 / 2.6 } ?? 1)
    if let size, case .filled(.circle) = shape { shape = .filled(.circle(radius: size)) }
    let halo = PageLook(fill: ink.paper, stroke: ink.paper, width: Self.signLine.halo)
    switch shape {
    case .filled(let outline):
      // The ground around the smallest signs would leave nothing of them.
      let isSmall = size.map { $0 < 2 } ?? false
      draw(outline, at: place, PageLook(fill: colour, stroke: edge, width: isSmall ? 0.3 : 0.8))
    case .hollow(let outline, let core):
      draw(outline, at: place, halo)
      draw(outline, at: place, PageLook(stroke: line, width: Self.signLine.width))
      if core > 0 {
        draw(circle: place, radius: core, PageLook(fill: colour, stroke: edge, width: 0.8))
      }
    case .lines(let lines):
      let paths = lines.map { line in
        PagePath(
          points: line.map { PagePoint(x: place.x + $0.x, y: place.y + $0.y) }, isClosed: false)
      }
      draw(paths, PageLook(stroke: ink.paper, width: Self.signLine.halo))
      draw(paths, PageLook(stroke: line, width: Self.signLine.width))
    case .text(let symbol):
      let height = size.map { max(4, 4 * $0) } ?? 11
      var text = PageText(
        symbol, x: place.x, y: place.y + 0.345 * height, size: height, colour: line)
      (text.anchor, text.hasHalo) = (.middle, true)
      draw(text)
    }
  }

  private mutating func draw(
    _ outline: PageSignShape.Outline, at place: PagePoint, _ look: PageLook
  ) {
    switch outline {
    case .circle(let radius): draw(circle: place, radius: radius, look)
    case .corners(let corners):
      let points = corners.map { PagePoint(x: place.x + $0.x, y: place.y + $0.y) }
      draw([PagePath(points: points, isClosed: true)], look)
    }
  }
}
