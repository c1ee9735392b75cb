package import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// The map: all visible layers, the selection, the draft, the cursor.
package struct MapPane: PaneKind {
  package static let name = "map"

  package var map: MapState? = MapState()

  package init() {}

  package static func shows(_ view: any View) -> Bool { view is any MapShowing }

  package mutating func show(_ view: any View) {
    guard let view = view as? any MapShowing else { return }
    map = MapState(Viewpoint(view), cursor: view.center)
  }

  package func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? {
    guard var view = document.view(id) as? any MapShowing ?? Self.fresh(id, in: document) else {
      return nil
    }
    let projection = desk.plane.projection
    // An unmoved view keeps its exact numbers.
    let shown = desk.viewpoint
    let isUnmoved =
      Viewpoint(view) == shown.counted(from: nil, formerly: nil) && view.projection == projection
    if !isUnmoved {
      let camera = desk.camera
      view.center = camera.center
      view.magnification = camera.magnification
      view.projection = projection
    }
    return view
  }

  /// A view for a new pane: a copy of the first map view under a name of its own.
  private static func fresh(_ id: ViewID, in document: Document) -> (any MapShowing)? {
    guard let map = document.mapView else { return nil }
    let names = Set(document.views.map(\.name))
    let number = (2...).first { !names.contains("\(map.name) \($0)") } ?? 2
    return map.copy(as: id, name: "\(map.name) \(number)")
  }

  package func title(_ desk: Desk) -> String {
    "z \(Figures.fixed(desk.viewpoint.zoom, decimals: 1))"
  }

  package func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    guard !rect.isEmpty else { return }
    let document = desk.document
    let base = desk.base
    if document.layers.isEmpty && base == nil {
      WelcomePane.draw(desk, in: rect, on: &frame)
      Self.drawCursor(desk, in: rect, on: &frame)
      return
    }
    let look = desk.look
    let camera = desk.camera.resized(to: rect.size)
    let key = MapKey(desk, camera: camera, base: base)
    let still = desk.still(of: key)
    let others: [AnyObject?] = [base, desk.comparison, desk.ghost?.drawing]
    let map = memory.picture(
      Self.pictureName(desk), key: ShownMap(key: key, isStill: still != nil),
      owners: LayersKey.owners(desk.shownDocument) + others.compactMap { $0 }
    ) {
      still?.cells ?? Self.picture(desk, camera, look, base, memory)
    }
    frame.copy(map, toColumn: rect.column, row: rect.row)
    if let image = still?.image { frame.pictures.append(FramePicture(image, in: rect)) }
    if document.layers.isEmpty {
      WelcomePane.draw(desk, in: rect, on: &frame)
    } else {
      ScaleBar.draw(camera, look, in: rect, on: &frame)
    }
    Self.drawCursor(desk, in: rect, on: &frame)
  }

  /// The map of the focused pane, without the cursor.
  ///
  /// - Parameter hasShapes: whether lines, edges and dots are drawn; else signs and texts alone,
  ///   and the grounds of areas.
  static func picture(
    of desk: Desk, _ memory: RenderMemory = RenderMemory(), hasShapes: Bool = true
  ) -> Frame {
    let camera = desk.mapCamera
    var frame = picture(desk, camera, desk.look, desk.base, memory, hasShapes: hasShapes)
    ScaleBar.draw(camera, desk.look, in: frame.bounds, on: &frame)
    return frame
  }

  /// The name of a pane's picture in the memory.
  static func pictureName(_ desk: Desk) -> String {
    "map \((desk.mapPane ?? desk.pane.id).rawValue)"
  }

  private static func picture(
    _ desk: Desk, _ camera: Camera, _ look: ScreenLook, _ base: BaseMap?, _ memory: RenderMemory,
    hasShapes: Bool = true
  ) -> Frame {
    var canvas = CellCanvas(
      camera: camera, memory: memory, name: pictureName(desk) + (hasShapes ? "" : " at rest"),
      glyphs: look.signs.isUnicode ? .braille : .ascii, blocks: look.capabilities.edgeBlocks,
      depth: look.capabilities.depth, repeats: .dimmed,
      ground: look.capabilities.ground, palette: look.capabilities.palette)
    canvas.hasShapes = hasShapes
    canvas.under = base.map {
      BasePicture.draw(
        $0, through: camera, look, name: "base \(desk.pane.id.rawValue)", memory,
        hasShapes: hasShapes)
    }
    canvas.reserved = ScaleBar.cells(camera, look)
    MapMarks.draw(desk, at: camera, on: &canvas)
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    if camera.showsRepeats, hasShapes { drawAntimeridian(camera, look, on: &frame) }
    return frame
  }

  /// A thin line at the antimeridian, behind all marks.
  private static func drawAntimeridian(_ camera: Camera, _ look: ScreenLook, on frame: inout Frame)
  {
    let line = camera.antimeridian
    for column in line.columns {
      for row in line.rows where frame[column, row].glyph == .space {
        var style = look.theme.rule
        style.background = frame[column, row].style.background
        frame.write(look.signs.vertical, at: column, row: row, style: style)
      }
    }
  }

  /// The cell under the cursor, and the terminal's own cursor on it.
  private static func drawCursor(
    _ desk: Desk, in rect: CellRect, on frame: inout Frame
  ) {
    guard desk.isFocused, desk.keyOverlay.map({ type(of: $0).coversMap }) != true else { return }
    let column = rect.column + desk.cursorColumn
    let row = rect.row + desk.cursorRow
    guard rect.contains(column: column, row: row) else { return }
    let look = desk.look
    var style = look.theme.cursor
    if frame.pictures.contains(where: { $0.rect == rect }) {
      // Pictures hide the backgrounds of cells.
      let ground = style.background
      style = look.ink(Colour(red: ground.red, green: ground.green, blue: ground.blue))
    }
    var cell = frame[column, row]
    // Without colours the cell shows a sign, but never in place of a letter of a label.
    let isMono = look.capabilities.depth == .mono
    let isLetter = frame.text(of: cell.glyph).first?.isLetter == true
    let isBlank = cell.glyph == .space || cell.style.attributes.contains(.solid)
    if isBlank || cell.glyph.isContinuation || (isMono && !isLetter) {
      frame.write(look.signs.crosshair, at: column, row: row, style: style)
    } else {
      cell.style = style
      if isMono { cell.style.attributes.insert(.underline) }
      frame[column, row] = cell
    }
    if desk.mode != .layers { frame.cursor = (column, row) }
  }
}
