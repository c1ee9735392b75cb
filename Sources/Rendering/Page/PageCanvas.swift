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

  package let camera: Camera
  private let memory: RenderMemory
  private var cells: CellCanvas
  private var entries: [(layer: Int, mark: Mark)] = []
  private var layer = 0

  /// - Parameter nearer: lines are as exact as on a screen that is this many zooms nearer.
  package init(
    camera: Camera, memory: RenderMemory, nearer: Double = usualNearness,
    repeats: WorldRepeats = .hidden, hasLabels: Bool = true
  ) {
    self.camera = camera
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
    var layer: Int?
    var known = PaintedMarks()
    for entry in entries {
      if entry.layer != layer {
        if let layer { painter.end(.layer(layer)) }
        painter.begin(.layer(entry.layer))
        layer = entry.layer
        known.beginLayer()
      }
      paint(entry.mark, in: window, &known, on: &painter)
    }
    if let layer { painter.end(.layer(layer)) }
    if hasLabels { paintLabels(in: window, area, known, on: &painter) }
  }

  private func paintLabels(
    in window: PageWindow, _ area: PageRect, _ known: PaintedMarks,
    on painter: inout some PagePainter
  ) {
    painter.begin(.labels)
    // A text beside its point may lie up to half a row above or below its own.
    let sets = entries.compactMap { entry -> (layer: Int, block: GeometryBlock)? in
      if case .labels(let set) = entry.mark { (entry.layer, set.block) } else { nil }
    }
    for (layer, mark) in entries {
      guard case .texts(let set) = mark else { continue }
      for text in TextLayout.texts(of: set, through: camera) {
        for label in window.labels(text, set, layer) { painter.paint(label) }
      }
    }
    for label in cells.labels(clearance: 1) where sets.indices.contains(label.set) {
      let (layer, block) = sets[label.set]
      var placed = window.label(label, layer, block)
      if let sign = known.sign(block, label.feature) { placed.stand(beside: sign) }
      placed.stay(within: area)
      painter.paint(placed)
    }
    painter.end(.labels)
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

  private func level(_ outline: WorldBox) -> Int? {
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
      // Sizes of signs stand for those that a screen shows by different ones; a star stays one.
      if radius != nil, let signs = part.signs {
        style.symbol = signs.value(ofSizedRow: rank.row) ?? set.style.symbol
      }
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
    guard window.cells.sees(outline) else { return }
    let shapes = PageShapes(
      base: memory.projected(block, on: camera.plane),
      paths: memory.paths(of: block, on: camera.plane, level: level(outline)), rows: rows,
      window: window)
    shapes.each { row, paths, outline in
      painter.paint(
        PageShape(block: block, row: row, paths: paths, outline: outline, style: style))
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

extension PageLabel {
  /// Moves it to a sign that has been painted, as far off as its size demands.
  fileprivate mutating func stand(beside sign: PageSign) {
    (home, self.sign) = (sign.place, nil)
    guard let radius = sign.radius, radius > Self.usualRadius else { return }
    switch anchor {
    case .start: place.x += radius - Self.usualRadius
    case .end: place.x -= radius - Self.usualRadius
    case .middle: place.y += (place.y < home.y ? -1 : 1) * max(0, radius - 2 * Self.usualRadius)
    }
  }

  /// Moves it away from the edges of the map, which would cut it.
  fileprivate mutating func stay(within area: PageRect) {
    let half = PageCanvas.cellHeight / 2
    place.y = max(area.y + half, min(place.y, area.maxY - half))
    let width =
      Double(DisplayWidth.of(text)) * PageCanvas.cellWidth + letterSpacing * Double(text.count) + 2
    let before =
      switch anchor {
      case .start: 0.0
      case .middle: width / 2
      case .end: width
      }
    place.x = max(area.x + before, min(place.x, area.maxX - width + before))
  }

  private static let usualRadius = 2.6
}

/// The marks so far: of many dots of a layer in one place one is painted, of the signs of a point
/// one.
private struct PaintedMarks {
  private struct Place: Hashable {
    var x: Int32
    var y: Int32
  }

  private struct Sign: Hashable {
    var block: ObjectIdentifier
    var row: Int
  }

  private var style: MarkStyle?
  private var places: Set<Place> = []
  private var signs: [Sign: PageSign] = [:]

  mutating func beginLayer() { (style, places) = (nil, []) }

  mutating func addSign(_ sign: PageSign) {
    signs[Sign(block: ObjectIdentifier(sign.block), row: sign.row)] = sign
  }

  /// The sign of a feature; `nil` if it has none.
  func sign(_ block: GeometryBlock, _ row: Int) -> PageSign? {
    signs[Sign(block: ObjectIdentifier(block), row: row)]
  }

  /// The first of all dots that are within the same tenth of a unit and look alike.
  mutating func newDots(of dots: [PagePoint], _ style: MarkStyle) -> [PagePoint] {
    if self.style != style { (self.style, places) = (style, []) }
    return dots.filter {
      let (x, y) = (Int32(clamping: Int($0.x * 10)), Int32(clamping: Int($0.y * 10)))
      return places.insert(Place(x: x, y: y)).inserted
    }
  }
}

/// The window of a camera on a page: world units to units of the page.
struct PageWindow {
  let cells: ViewWindow
  /// The part of the page beyond which nothing is drawn.
  let area: PageRect
  /// The distance of a text from the middle of its point.
  private static let gap = 4.5
  /// Capitals and this are together about as wide as two cells.
  private static let letterSpacing = 4.5

  private let scale: Double
  private let offsetX: Double
  private let offsetY: Double
  private let origin: PagePoint

  init(_ camera: Camera, origin: PagePoint, area: PageRect) {
    cells = ViewWindow(camera)
    self.area = area
    self.origin = origin
    scale = camera.worldDots / WorldPoint.worldWidth * PageCanvas.unitsPerDot
    offsetX = origin.x - Double(camera.originX) * PageCanvas.unitsPerDot
    offsetY = origin.y - Double(camera.originY) * PageCanvas.unitsPerDot
  }

  /// - Parameter x: in world units, moved by the width of the world in a copy of it.
  @inline(__always)
  func point(x: Int64, y: Int64) -> PagePoint {
    PagePoint(x: Double(x) * scale + offsetX, y: Double(y) * scale + offsetY)
  }

  /// The lines of a text in units of the page.
  func labels(_ text: PlacedText, _ set: TextSet, _ layer: Int) -> [PageLabel] {
    let home = PagePoint(
      x: origin.x + text.dot.x * PageCanvas.unitsPerDot,
      y: origin.y + text.dot.y * PageCanvas.unitsPerDot)
    let row = Int((text.dot.y / 4).rounded(.down))
    return text.lines.compactMap { line in
      var place = home
      place.y += Double(line.row - row) * PageCanvas.cellHeight
      let anchor: PageLabel.Anchor
      switch text.alignment {
      case .start: (anchor, place.x) = (.start, home.x + Self.gap)
      case .middle: anchor = .middle
      case .end: (anchor, place.x) = (.end, home.x - Self.gap)
      }
      guard !line.text.isEmpty, area.contains(place) else { return nil }
      return PageLabel(
        text: line.text, place: place, anchor: anchor, style: set.style(ofRow: text.feature),
        layer: layer,
        block: set.block, row: text.feature, home: home, sign: nil)
    }
  }

  /// The rectangle of a box of the map.
  func rect(of box: Box, through camera: Camera) -> PageRect? {
    guard let low = camera.dot(at: Coordinate(x: box.minX, y: box.maxY)) else { return nil }
    // The other corner may be nearer in another copy of the world.
    let high = camera.plane.forward(Coordinate(x: box.maxX, y: box.minY))
    let start = camera.plane.forward(Coordinate(x: box.minX, y: box.maxY))
    let unit = camera.worldDots * PageCanvas.unitsPerDot
    return PageRect(
      x: origin.x + low.x * PageCanvas.unitsPerDot, y: origin.y + low.y * PageCanvas.unitsPerDot,
      width: (high.x - start.x) * unit, height: (high.y - start.y) * unit)
  }

  /// A placed label in units of the page.
  func label(_ label: PlacedLabel, _ layer: Int, _ block: GeometryBlock) -> PageLabel {
    let (width, height) = (PageCanvas.cellWidth, PageCanvas.cellHeight)
    var anchor = PageLabel.Anchor.middle
    var sign: PagePoint?
    var place = PagePoint(
      x: origin.x + (Double(label.column) + Double(label.columns) / 2) * width,
      y: origin.y + (Double(label.row) + 0.5) * height)
    var home = place
    if let dot = label.dot {
      let point = PagePoint(
        x: origin.x + (Double(dot.x) + 0.5) * PageCanvas.unitsPerDot,
        y: origin.y + (Double(dot.y) + 0.5) * PageCanvas.unitsPerDot)
      if label.column > dot.x >> 1 {
        (anchor, place.x) = (.start, point.x + Self.gap)
      } else if label.column + label.columns <= dot.x >> 1 {
        (anchor, place.x) = (.end, point.x - Self.gap)
      }
      home = point
      place.y = point.y + Double(label.row - dot.y >> 2) * height
      if label.sign != nil { sign = point }
    }
    var placed = PageLabel(
      text: label.capitals ?? label.text, place: place, anchor: anchor, style: label.style,
      layer: layer, block: block, row: label.feature, home: home, sign: sign)
    // All areas have capitals, but water, whose names lean.
    if label.dot == nil, !label.style.isSlanted, block.dimension(ofFeature: label.feature) == 2,
      let capitals = label.capitals ?? SpacedCapitals.capitals(of: label.text)
    {
      (placed.text, placed.isCapital) = (capitals, true)
    }
    placed.isBeside = label.isBeside
    if label.capitals != nil { placed.letterSpacing = Self.letterSpacing }
    if label.isBright { placed.style.isEmphasized = true }
    return placed
  }
}
