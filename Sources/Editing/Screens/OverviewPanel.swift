import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// The whole map, areas filled, with a rectangle around the map pane's view.
///
/// Where that view shows the whole world, the overview could show no more of it, and tells instead
/// what the document holds; so it does until all coordinates of a large document are read.
package enum OverviewPanel {
  package static func demand(_ desk: Desk, columns: Int) -> PanelStack.Demand {
    let rows = min(max(4, columns * 3 / 10), 12)
    return PanelStack.Demand(wanted: rows + 1, least: min(rows, 5) + 1)
  }

  package static func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    let look = desk.look
    let area = PanelHeading.draw("Overview", look, in: rect, on: &frame)
    draw(desk, of: desk.camera, in: area, name: "overview", memory: &memory, on: &frame)
  }

  /// Draws the whole map, and the rectangle of a view.
  ///
  /// - Parameters:
  ///   - view: the camera of that view.
  ///   - name: the picture's in the memory.
  static func draw(
    _ desk: Desk, of view: Camera, in area: CellRect, name: String, memory: inout RenderMemory,
    on frame: inout Frame
  ) {
    let look = desk.look
    let document = desk.document
    guard area.rows > 1, !document.extent.isEmpty else { return }
    let camera = camera(of: document, desk.plane, size: area.size)
    let shown = desk.shownDocument
    if view.showsWholeWorld || desk.isPart {
      OverviewFacts.draw(shown, look, in: area, on: &frame)
      return
    }
    let base = desk.overviewBase(at: camera.zoom)
    let key = Key(
      layers: LayersKey(
        shown.shownLayers, camera: camera, capabilities: look.capabilities),
      base: base.map { ObjectIdentifier($0) })
    let owners = LayersKey.owners(shown) + [base].compactMap { $0 }
    let overview = memory.picture(name, key: key, owners: owners) {
      var frame = picture(of: shown, through: camera, look, memory)
      if let base {
        let behind = BasePicture.draw(
          base, through: camera, look, name: name + " base", memory)
        frame.fillBlanks(of: frame.bounds, from: behind)
      }
      return frame
    }
    frame.copy(overview, toColumn: area.column, row: area.row)
    drawView(view, seenThrough: camera, look, in: area, on: &frame)
  }

  /// The input of drawing.
  private struct Key: Hashable {
    var layers: LayersKey
    var base: ObjectIdentifier?
  }

  /// The camera of the whole document; of a whole world, its inhabited part, once.
  static func camera(of document: Document, _ plane: MapPlane, size: CellSize) -> Camera {
    let extent = document.extent
    guard plane.isGeographic, extent.width > 180 else {
      return Camera.fitting(extent, plane: plane, size: size, margin: 0.02, zoomMax: 12)
    }
    let zoom = Camera.zoom(forMagnification: Double(2 * size.columns) / 256)
    return Camera(plane: plane, center: Coordinate(x: 0, y: 24), zoom: zoom, size: size)
  }

  /// All visible layers in one ink, areas as a dense pattern of dots.
  private static func picture(
    of document: Document, through camera: Camera, _ look: ScreenLook, _ memory: RenderMemory
  ) -> Frame {
    var canvas = OneInkCanvas(
      cells: CellCanvas(
        camera: camera, memory: memory, glyphs: look.signs.isUnicode ? .braille : .ascii,
        depth: .mono))
    MapLayers.draw(document.shownLayers, on: &canvas)
    var frame = Frame(size: camera.size)
    canvas.cells.compose(into: &frame, at: frame.bounds)
    let ink = look.ink(Colour(red: 0x7F, green: 0xA8, blue: 0x7F))
    frame.restyle(frame.bounds) { $0 = ink }
    return frame
  }

  /// The map pane's view as a rectangle; a sign if it is smaller than a cell.
  private static func drawView(
    _ view: Camera, seenThrough camera: Camera, _ look: ScreenLook, in area: CellRect,
    on frame: inout Frame
  ) {
    guard let cells = cells(of: view, seenThrough: camera) else { return }
    let left = max(0, cells.left)
    let top = max(0, cells.top)
    let right = min(area.columns - 1, cells.right)
    let bottom = min(area.rows - 1, cells.bottom)
    guard left <= right, top <= bottom else { return }
    let style = look.theme.frame
    let signs = look.signs
    if left == right || top == bottom {
      var (columns, rows) = (left...right, top...bottom)
      if columns.count <= 2, rows.count <= 2, let middle = camera.dot(at: view.center) {
        // It lies across an edge of cells: one sign, in the cell of its middle.
        let column = min(max(Int((middle.x / 2).rounded(.down)), left), right)
        let row = min(max(Int((middle.y / 4).rounded(.down)), top), bottom)
        (columns, rows) = (column...column, row...row)
      }
      for row in rows {
        for column in columns {
          frame.write(
            signs.viewMark, at: area.column + column, row: area.row + row, style: style)
        }
      }
      return
    }
    for column in left...right {
      frame.write(signs.horizontal, at: area.column + column, row: area.row + top, style: style)
      frame.write(signs.horizontal, at: area.column + column, row: area.row + bottom, style: style)
    }
    for row in top...bottom {
      frame.write(signs.vertical, at: area.column + left, row: area.row + row, style: style)
      frame.write(signs.vertical, at: area.column + right, row: area.row + row, style: style)
    }
    for (column, row, sign) in [
      (left, top, signs.topLeft), (right, top, signs.topRight), (left, bottom, signs.bottomLeft),
      (right, bottom, signs.bottomRight),
    ] {
      frame.write(sign, at: area.column + column, row: area.row + row, style: style)
    }
  }

  /// The cells of the overview that a view covers; they may reach outside of it.
  static func cells(
    of view: Camera, seenThrough camera: Camera
  ) -> (left: Int, top: Int, right: Int, bottom: Int)? {
    guard let middle = camera.dot(at: view.center) else { return nil }
    let scale = camera.worldDots / max(1, view.worldDots)
    let half = (x: Double(view.dotWidth) * scale / 2, y: Double(view.dotHeight) * scale / 2)
    guard half.x.isFinite, half.y.isFinite, half.x < 1e6, half.y < 1e6, abs(middle.x) < 1e6,
      abs(middle.y) < 1e6
    else { return nil }
    return (
      Int(((middle.x - half.x) / 2).rounded(.down)), Int(((middle.y - half.y) / 4).rounded(.down)),
      Int(((middle.x + half.x) / 2).rounded(.up)) - 1,
      Int(((middle.y + half.y) / 4).rounded(.up)) - 1
    )
  }
}

/// Draws shapes in one style, whatever theirs is, and no texts.
private struct OneInkCanvas: Canvas {
  private static let style = MarkStyle(
    stroke: Colour(red: 0, green: 0, blue: 0), pattern: .dense)

  var cells: CellCanvas
  var visible: Box { cells.visible }
  var detail: MapDetail? { cells.detail }
  var hasLabels: Bool { false }

  mutating func draw(_ mark: Mark) {
    switch mark {
    case .block(let block, _, let hidden):
      cells.draw(.block(block, style: Self.style, hidden: hidden))
    case .features(let block, let rows, _):
      cells.draw(.features(block, rows: rows, style: Self.style))
    case .group(let block, let groups, let number, _):
      cells.draw(.group(block, groups, number: number, style: Self.style))
    case .geometry(let geometry, _): cells.draw(.geometry(geometry, style: Self.style))
    case .symbols, .labels, .texts, .grid: return
    }
  }
}
