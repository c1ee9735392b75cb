import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// The signs and names of a map that is so many zooms nearer than the page, or farther, at their
/// places on the page: a program shows them while the map is zoomed.
struct PageLevel: PagePainter {
  /// What tells signs apart.
  struct Sign: Hashable {
    private let block: ObjectIdentifier
    private let row: Int

    init(_ sign: PageSign) { (block, row) = (ObjectIdentifier(sign.block), sign.row) }
  }

  /// The zooms that it is nearer.
  let number: Int
  private(set) var signs: [(layer: Int, sign: PageSign)] = []
  private(set) var names: [PageLabel] = []
  /// The size of its unit on the page, and the places of the world's middle on its own page and on
  /// the page.
  private let unit: Double
  private let own: PagePoint
  private let page: PagePoint
  private var layer = 0

  /// The levels around that of a page, from afar to near; near ones that would have more names than
  /// a page can hold are left out.
  static func all(of request: PictureRequest, _ layout: PageLayout) -> [PageLevel] {
    var levels: [PageLevel] = []
    for number in numbers {
      guard let level = PageLevel(number, request, layout) else { continue }
      if number > 0, level.names.count + level.signs.count > marksMax { break }
      levels.append(level)
    }
    return levels
  }

  private static let numbers = [-2, -1, 1, 2, 3]
  private static let marksMax = 4000
  private static let cellsMax = 2_000_000

  private init?(_ number: Int, _ request: PictureRequest, _ layout: PageLayout) {
    let camera = request.camera
    let scale = Mathematics.power(ofTwo: Double(number))
    func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded(.up))) }
    let size = CellSize(columns: scaled(camera.size.columns), rows: scaled(camera.size.rows))
    guard size.columns * size.rows <= Self.cellsMax else { return nil }
    let near = Camera(
      plane: camera.plane, center: camera.center, zoom: camera.zoom + Double(number), size: size)
    func middle(_ camera: Camera, _ origin: PagePoint) -> PagePoint {
      PagePoint(
        x: origin.x - Double(camera.originX) * PageCanvas.unitsPerDot,
        y: origin.y - Double(camera.originY) * PageCanvas.unitsPerDot)
    }
    self.number = number
    unit = camera.worldDots / near.worldDots
    own = middle(near, PagePoint(x: 0, y: 0))
    page = middle(camera, layout.map)
    var canvas = PageCanvas(camera: near, memory: RenderMemory())
    canvas.hasShapes = false
    MapLayers.draw(request.drawnDocument.shownLayers, on: &canvas)
    canvas.compose(on: &self, at: PagePoint(x: 0, y: 0))
  }

  /// The same without signs that other levels have.
  func without(_ known: Set<Sign>) -> PageLevel {
    var level = self
    level.signs.removeAll { known.contains(Sign($0.sign)) }
    return level
  }

  // MARK: Painting

  mutating func begin(_ part: PagePart) {
    if case .layer(let number) = part { layer = number }
  }
  mutating func end(_ part: PagePart) {}
  mutating func paint(_ shape: PageShape) {}
  mutating func paint(dots: [PagePoint], style: MarkStyle) {}

  mutating func paint(_ sign: PageSign) {
    var sign = sign
    sign.place = onPage(sign.place)
    signs.append((layer, sign))
  }

  mutating func paint(_ label: PageLabel) {
    var label = label
    let home = onPage(label.home)
    label.move(x: home.x - label.home.x, y: home.y - label.home.y)
    names.append(label)
  }

  private func onPage(_ place: PagePoint) -> PagePoint {
    PagePoint(
      x: page.x + (place.x - own.x) * unit, y: page.y + (place.y - own.y) * unit)
  }
}
