import PortolanCairo
import PortolanDocuments
import PortolanGraphics
package import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// A map at rest: its lines and areas as pixels, and its signs and texts as cells above them.
package struct StillMap: Sendable {
  /// All that is drawn; of another map it is no picture.
  let key: MapKey
  /// Holds the objects whose identities are in the key, as does the base map.
  let document: Document
  let base: BaseMap?
  /// The cells: signs, texts and blanks.
  let cells: Frame
  /// The pixels; `nil` if there is no such picture.
  let image: PixelImage?
}

/// The drawing of a map at rest, in the background.
struct StillDrawing: Sendable {
  /// The largest picture that is sent, in bytes: a second on a line of two megabits.
  static let bytesMax = 192 << 10
  /// The most pixels: more than any screen has.
  private static let pixelsMax = 25_000_000
  /// The part of a copy of the world that is taken away.
  private static let fading = 0.6
  /// The number of the base map as a layer.
  static let baseLayer = -1

  let pane: PaneID
  private let key: MapKey
  private let desk: Desk
  private let camera: Camera
  private let cell: PixelSize
  private let cells: Frame

  /// The map of a desk's pane; `nil` if it has no picture.
  init?(_ desk: Desk, memory: RenderMemory) {
    guard let key = desk.stillKey, let cell = desk.session.capabilities.pictureCellSize else {
      return nil
    }
    (self.desk, self.key, self.cell) = (desk, key, cell)
    pane = desk.pane.id
    camera = desk.mapCamera
    cells = MapPane.picture(of: desk, memory, hasShapes: false)
  }

  /// Draws the map, unless it is cancelled.
  ///
  /// - Parameter bytesMax: the largest picture that the way to the terminal takes.
  func draw(_ cancellation: Cancellation, bytesMax: Int = .max) -> StillMap {
    var blank = cells
    blank.restyle(blank.bounds) { $0.background = .standard }
    let png = (try? pixels(cancellation)) ?? []
    let isFine = !png.isEmpty && png.count <= min(bytesMax, Self.bytesMax)
    return StillMap(
      key: key, document: desk.shownDocument, base: desk.base, cells: blank,
      image: isFine ? PixelImage(png: png) : nil)
  }

  private func pixels(_ cancellation: Cancellation) throws(CairoError) -> [UInt8] {
    let (width, height) = (camera.size.columns * cell.width, camera.size.rows * cell.height)
    guard width * height <= Self.pixelsMax else { return [] }
    let look = desk.look
    var canvas = PageCanvas(
      camera: camera, memory: RenderMemory(), repeats: .dimmed, hasLabels: false)
    if let base = desk.base {
      canvas.beginLayer(Self.baseLayer)
      BasePicture.draw(base, look.capabilities, on: &canvas)
    }
    MapMarks.draw(desk, at: camera, on: &canvas)
    func surface() throws(CairoError) -> CairoSurface {
      try CairoSurface(
        clearWidth: width, height: height,
        horizontal: Double(cell.width) / PageCanvas.cellWidth,
        vertical: Double(cell.height) / PageCanvas.cellHeight)
    }
    let (map, areas) = (try surface(), try surface())
    var painter = StillPainter(
      map, areas, GroundInk(look.capabilities.ground, palette: look.capabilities.palette),
      baseLayer: Self.baseLayer, isCancelled: { cancellation.isCancelled })
    canvas.compose(on: &painter, at: PagePoint(x: 0, y: 0))
    if cancellation.isCancelled { return [] }
    clearTexts(on: map, areas)
    drawRepeats(on: map, look)
    return try map.smallPNG()
  }

  /// Fades the copies of the world, and draws a thin line at the antimeridian.
  private func drawRepeats(on surface: CairoSurface, _ look: ScreenLook) {
    guard camera.showsRepeats else { return }
    let world = camera.worldColumns
    let height = Double(camera.size.rows) * PageCanvas.cellHeight
    for columns in [0..<world.lowerBound, world.upperBound..<camera.size.columns] {
      surface.rectangle(
        Double(columns.lowerBound) * PageCanvas.cellWidth, 0,
        Double(columns.count) * PageCanvas.cellWidth, height)
      surface.erase(opacity: Self.fading)
    }
    let rule = look.theme.rule.foreground
    let line = camera.antimeridian
    surface.use(
      CairoSurface.Line(
        rule.isStandard
          ? GroundInk(look.capabilities.ground).faint
          : Colour(red: rule.red, green: rule.green, blue: rule.blue), width: 0.6))
    for column in line.columns {
      let x = (Double(column) + 0.5) * PageCanvas.cellWidth
      surface.move(x, Double(line.rows.lowerBound) * PageCanvas.cellHeight)
      surface.line(x, Double(line.rows.upperBound) * PageCanvas.cellHeight)
      surface.stroke()
    }
  }

  /// Takes the lines away beneath texts and the signs beside them. A text has the ground of its
  /// cells in the picture as well, which hides theirs.
  private func clearTexts(on surface: CairoSurface, _ areas: CairoSurface) {
    for row in 0..<cells.size.rows {
      func isText(_ column: Int) -> Bool { cells[column, row].glyph != .space }
      for column in 0..<cells.size.columns
      where [isText(column - 1), isText(column), isText(column + 1)].count(where: \.self) > 1 {
        surface.rectangle(
          Double(column) * PageCanvas.cellWidth, Double(row) * PageCanvas.cellHeight,
          PageCanvas.cellWidth, PageCanvas.cellHeight)
      }
    }
    surface.take(from: areas)
    for row in 0..<cells.size.rows {
      for column in 0..<cells.size.columns where cells[column, row].glyph != .space {
        surface.rectangle(
          Double(column) * PageCanvas.cellWidth, Double(row) * PageCanvas.cellHeight,
          PageCanvas.cellWidth, PageCanvas.cellHeight)
        let ground = cells[column, row].style.background
        if ground.isStandard {
          surface.erase(opacity: 1)
        } else {
          surface.fill(Colour(red: ground.red, green: ground.green, blue: ground.blue))
        }
      }
    }
  }
}

extension Desk {
  /// The theme and the signs of the desk's screen.
  package var look: ScreenLook { ScreenLook(capabilities: session.capabilities) }
}
