package import PortolanGraphics
package import PortolanTerminals

/// Draws maps on a page with exact lines.
///
/// A page is drawn through the camera of a terminal's window whose cells are 6 units wide and 12
/// high. The choice of signs and the places of labels are those of that window, so that laws of the
/// screen hold on paper too.
package struct PageCanvas: Canvas {
  /// The size of a dot of the camera, in units of the page.
  package static let unitsPerDot = 3.0
  package static let cellWidth = 2 * unitsPerDot
  package static let cellHeight = 4 * unitsPerDot
  /// The radius of the greatest sign of a layer whose signs have sizes, and of the least.
  private static let radii = 1.1...11.0
  /// Shapes end so far beyond the map.
  private static let margin = 12.0
  /// The exactness of lines where no other is wanted: three quarters of a unit.
  package static let usualNearness = 2.0
  private let nearer: Double
  /// The treatment of copies of the world in a wider window: dimmed ones are painted like others.
  private let repeats: WorldRepeats
  /// Whether labels are painted.
  package let hasLabels: Bool
  /// Whether shapes and dots are painted.
  package var hasShapes = true
  /// The layers whose areas have a line around all of them, by their numbers: coasts stand out from
  /// the borders within.
  package var coasts: Set<Int> = []

  package var camera: Camera { cells.camera }
  let memory: RenderMemory
  private(set) var cells: CellCanvas
  private(set) var entries: [(layer: Int, mark: Mark)] = []
  private var layer = 0

  /// - Parameter nearer: lines are as exact as on a screen that is this many zooms nearer.
  package init(
    camera: Camera, memory: RenderMemory, nearer: Double = usualNearness,
    repeats: WorldRepeats = .hidden, hasLabels: Bool = true
  ) {
    self.repeats = repeats
    self.hasLabels = hasLabels
    self.nearer = nearer
    self.memory = memory
    cells = CellCanvas(camera: camera, memory: memory, repeats: .hidden)
  }

  /// The cells of the window that something else will take: names keep off them.
  package var reserved: [CellRect] {
    get { cells.reserved }
    set { cells.reserved = newValue }
  }

  package var visible: Box { camera.visible }
  /// Where characters stand upon the picture, it shows the lines that the characters tell of.
  package var detail: MapDetail? {
    repeats == .hidden ? camera.pageDetail : camera.detail
  }

  package mutating func beginLayer(_ number: Int) { layer = number }

  package mutating func draw(_ mark: Mark) {
    cells.draw(mark)
    entries.append((layer, mark))
  }

  /// The part of the page with a map whose window has its top left corner at a place: of a window
  /// wider or higher than the world, the part that shows it once.
  package static func area(of camera: Camera, at origin: PagePoint) -> PageRect {
    let columns = camera.worldColumns
    var area = PageRect(
      x: origin.x + Double(columns.lowerBound) * cellWidth, y: origin.y,
      width: Double(columns.count) * cellWidth, height: Double(camera.size.rows) * cellHeight)
    let extent = camera.plane.extent
    guard camera.plane.isGeographic,
      let north = camera.dot(at: Coordinate(x: camera.center.x, y: extent.maxY)),
      let south = camera.dot(at: Coordinate(x: camera.center.x, y: extent.minY))
    else { return area }
    let top = max(area.y, origin.y + north.y * unitsPerDot)
    let bottom = min(area.maxY, origin.y + south.y * unitsPerDot)
    if top < bottom { (area.y, area.height) = (top, bottom - top) }
    return area
  }

  /// Paints all marks: layer by layer, then the labels.
  ///
  /// - Parameter origin: the top left corner of the camera's window on the page.
  package func compose(on painter: inout some PagePainter, at origin: PagePoint) {
    guard camera.size.columns > 0, camera.size.rows > 0 else { return }
    prepare()
    let area =
      repeats == .hidden
      ? Self.area(of: camera, at: origin)
      : PageRect(
        x: origin.x, y: origin.y, width: Double(camera.size.columns) * Self.cellWidth,
        height: Double(camera.size.rows) * Self.cellHeight)
    let window = PageWindow(camera, origin: origin, area: area.expanded(by: Self.margin))
    let names = hasLabels ? names(in: window) : []
    var known = PaintedMarks(names: names)
    var layer: Int?
    for entry in entries {
      if entry.layer != layer {
        if let layer { painter.end(.layer(layer)) }
        if hasShapes, coasts.contains(entry.layer), painter.beginCoast(of: entry.layer) {
          paintCoast(of: entry.layer, in: window, on: &painter)
        }
        painter.begin(.layer(entry.layer))
        layer = entry.layer
        known.beginLayer()
      }
      paint(entry.mark, in: window, &known, on: &painter)
    }
    if let layer { painter.end(.layer(layer)) }
    if hasLabels { paint(names, in: window, area, known, on: &painter) }
  }

  /// Paints the areas of a layer for the line around all of them.
  private func paintCoast(
    of layer: Int, in window: PageWindow, on painter: inout some PagePainter
  ) {
    var known = PaintedMarks(names: [])
    for entry in entries where entry.layer == layer {
      switch entry.mark {
      case .block, .group: paint(entry.mark, in: window, &known, on: &painter)
      case .features, .geometry, .symbols, .labels, .texts, .grid: continue
      }
    }
    painter.endCoast()
  }

  private func prepare() {
    memory.beginFrame()
    let window = ViewWindow(camera)
    let wanted = entries.compactMap { entry -> (block: GeometryBlock, level: Int?)? in
      switch entry.mark {
      case .block(let block, _, _), .features(let block, _, _), .group(let block, _, _, _):
        let outline = memory.cache(of: block, on: camera.plane).outline
        return window.sees(outline) ? (block, level(outline)) : nil
      case .geometry, .symbols, .labels, .texts, .grid: return nil
      }
    }
    memory.prepare(wanted, on: camera.plane)
  }

  func level(_ outline: WorldBox) -> Int? {
    PathLevel.level(for: camera, outline: outline, nearer: nearer)
  }

  private func paint(
    _ mark: Mark, in window: PageWindow, _ known: inout PaintedMarks,
    on painter: inout some PagePainter
  ) {
    switch mark {
    case .block(let block, let style, let hidden):
      paint(block, hidden.isEmpty ? .all : .except(hidden), style, window, &known, &painter)
    case .features(let block, let rows, let style):
      let rows = Set(rows).filter { $0 >= 0 && $0 < block.featureCount }
      if !rows.isEmpty { paint(block, .only(rows), style, window, &known, &painter) }
    case .group(let block, let groups, let number, let style):
      paint(block, .group(groups, number), style, window, &known, &painter)
    case .geometry(let geometry, let style):
      guard let block = GeometryBlock(geometry) else { return }
      paint(block, .all, style, window, &known, &painter)
    case .symbols(let set):
      for sign in signs(of: set, in: window) {
        known.addSign(sign)
        painter.paint(sign)
      }
    case .grid(let grid): paint(grid, in: window, on: &painter)
    case .labels, .texts: return
    }
  }

  /// The signs of a set that show, great ones below small ones.
  private func signs(of set: SymbolSet, in window: PageWindow) -> [PageSign] {
    let parts = set.partsByNumber
    var signs: [PageSign] = []
    SymbolChoice.each(of: set, through: camera, window.cells, memory) { x, y, rank in
      guard let part = parts[rank.part] else { return }
      var style = part.style(ofRow: rank.row, in: set)
      let place = window.point(x: x, y: y)
      guard !style.symbol.isEmpty, window.area.contains(place) else { return }
      let radius = part.sizes.map { Self.radius(ofSize: $0[rank.row]) }
      // Sizes of signs stand for those that a screen shows by different ones.
      if radius != nil { style.symbol = set.style.symbol }
      signs.append(
        PageSign(block: part.block, row: rank.row, place: place, style: style, radius: radius))
    }
    guard set.parts.contains(where: { $0.sizes != nil }) else { return signs }
    let order = signs.indices.sorted {
      let (one, other) = (signs[$0].radius ?? 0, signs[$1].radius ?? 0)
      return one != other ? one > other : $0 < $1
    }
    return order.map { signs[$0] }
  }

  /// The radius of a sign, in units of the page.
  ///
  /// - Parameter size: its part of the greatest diameter, 0 to 1.
  package static func radius(ofSize size: Double) -> Double {
    max(radii.lowerBound, radii.upperBound * size)
  }

  /// Paints the visible cells of a grid: their ground, and their characters; of cells smaller than
  /// a unit of the page some.
  private func paint(_ grid: CellGrid, in window: PageWindow, on painter: inout some PagePainter) {
    guard let block = GeometryBlock(.point(grid.box.center)) else { return }
    let first = window.rect(of: grid.box(column: 0, row: 0), through: camera)
    let steps = [first?.width, first?.height].map { size in
      size.map { $0 > 0 ? max(1, Int(min(1 / $0, 1e6).rounded(.up))) : 1 } ?? 1
    }
    for row in stride(from: 0, to: grid.rows, by: steps[1]) {
      for column in stride(from: 0, to: grid.columns, by: steps[0]) {
        guard let cell = grid.cell(column, row) else { continue }
        let last = grid.box(
          column: min(grid.columns, column + steps[0]) - 1,
          row: min(grid.rows, row + steps[1]) - 1)
        let box = grid.box(column: column, row: row).union(last)
        guard let rect = window.rect(of: box, through: camera), window.area.intersects(rect) else {
          continue
        }
        var ground = cell.mark
        ground.stroke = nil
        if ground.fill != nil {
          let path = PagePath(points: rect.corners, isClosed: true)
          painter.paint(PageShape(block: block, row: 0, paths: [path], style: ground))
        }
        let middle = PagePoint(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
        if !cell.symbol.isEmpty, cell.symbol != " ", steps == [1, 1], window.area.contains(middle) {
          painter.paint(PageSign(block: block, row: 0, place: middle, style: cell.mark))
        }
      }
    }
  }

  private func paint(
    _ block: GeometryBlock, _ rows: RowChoice, _ style: MarkStyle, _ window: PageWindow,
    _ known: inout PaintedMarks, _ painter: inout some PagePainter
  ) {
    let outline = memory.cache(of: block, on: camera.plane).outline
    guard hasShapes, window.cells.sees(outline) else { return }
    // The level may spare the paths at full detail.
    let paths = memory.paths(of: block, on: camera.plane, level: level(outline))
    let shapes = PageShapes(
      base: memory.projected(block, on: camera.plane), paths: paths, rows: rows, window: window)
    shapes.each { row, paths, outline in
      let shape = PageShape(block: block, row: row, paths: paths, outline: outline, style: style)
      known.grounds.cover(with: shape)
      painter.paint(shape)
    }
    if style.endsInArrow, let colour = style.stroke {
      let filled = MarkStyle(stroke: colour, fill: colour)
      shapes.eachArrow { row, head in
        painter.paint(PageShape(block: block, row: row, paths: [head], style: filled))
      }
    }
    if style.symbol.isEmpty {
      let places = shapes.dots(of: [shapes.paths.dots, shapes.paths.points])
      let dots = known.newDots(of: places, style)
      if !dots.isEmpty { painter.paint(dots: dots, style: style) }
    } else {
      let dots = known.newDots(of: shapes.dots(of: [shapes.paths.dots]), style)
      if !dots.isEmpty { painter.paint(dots: dots, style: style) }
      shapes.eachPoint { row, place in
        let sign = PageSign(block: block, row: row, place: place, style: style)
        known.addSign(sign)
        painter.paint(sign)
      }
    }
  }
}
