import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// A painter of whole pages: of the map, and of the parts around it by a few shapes.
///
/// The parts are the same on every page: see `drawBelowMap` and `drawAboveMap`.
protocol PageSheet: PagePainter {
  var request: PictureRequest { get }
  var layout: PageLayout { get }
  var ink: GroundInk { get }
  /// The colour of the map where no area is.
  var ground: Colour { get }

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
  /// The canvas of a request: names keep off its scale bar and its north arrow.
  init(for request: PictureRequest, nearer: Double = usualNearness) {
    self.init(camera: request.camera, memory: RenderMemory(), nearer: nearer)
    reserved = ScaleBar.cells(onPage: request) + PageFrame.northArrowCells(request)
    if request.hasSea { coasts = request.lands }
  }
}

extension PictureRequest {
  /// The colour of the map where no area is.
  func ground(_ ink: GroundInk) -> Colour { hasSea ? ink.sea : ink.paper }
}

enum PageFrame {
  /// The cells of a page's map that the north arrow takes.
  static func northArrowCells(_ request: PictureRequest) -> [CellRect] {
    guard request.parts.hasNorthArrow else { return [] }
    let columns = request.camera.worldColumns
    let (width, height) = (7, 5)
    return [
      CellRect(
        column: max(0, columns.upperBound - width), row: 0, columns: min(width, columns.count),
        rows: height)
    ]
  }
}

/// The parts around a map that consist of several shapes.
enum PageFramePart: String, Hashable, Sendable {
  case graticule, numbers, scale, north, legend
}

/// The colours and the line of a shape.
struct PageLook: Hashable, Sendable {
  var fill: Colour?
  var stroke: Colour?
  var strokeOpacity = 1.0
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

  /// The line around all areas of a layer, which cover a half of it.
  static func coast(_ style: MarkStyle, _ ink: GroundInk) -> PageLook {
    PageLook(
      stroke: style.showsValue ? ink.faint : style.stroke.map { ink.line($0) },
      width: 1.7 * lineWidth)
  }

  /// The lines between the areas of a layer with a coast: lighter than the coast. Between colours
  /// that stand for values they have the colour of the paper.
  static func border(_ style: MarkStyle, _ ink: GroundInk) -> PageLook {
    var look = mark(style, ink)
    look.width *= 0.6
    if style.showsValue {
      look.stroke = ink.paper
    } else if let stroke = look.stroke, let area = ink.area(style) {
      look.stroke = stroke.mixed(with: area, 0.6)
    }
    return look
  }

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
  /// The width of the halo. Bright letters on dark paper need a wider one to stand out from areas
  /// that are bright as well.
  static func haloWidth(on ground: Ground) -> Double { ground == .dark ? 4 : 2.4 }

  var text: String
  /// The start, the middle or the end of the text, at its baseline.
  var place: PagePoint
  var size: Double
  var colour: Colour
  var anchor = PageLabel.Anchor.start
  var isBold = false
  var isItalic = false
  /// Whether the ground stands around the letters.
  var hasHalo = false
  /// The colour of that ground; `nil` for the paper.
  var halo: Colour?
  /// The room between its letters beyond the usual one.
  var letterSpacing = 0.0
  /// The line for its letters, which are in its middle; `nil` for a level one at its place.
  var baseline: PageBaseline?
  /// The room for it, in units: painters with fonts condense wider texts.
  var room = Double.infinity

  init(_ text: String, x: Double, y: Double, size: Double, colour: Colour) {
    self.text = text
    place = PagePoint(x: x, y: y)
    self.size = size
    self.colour = colour
  }
}
