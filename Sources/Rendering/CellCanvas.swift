package import PortolanGraphics
package import PortolanTerminals

/// Draws maps into the cells of a frame.
///
/// Marks are collected and drawn by `compose`, which can then prepare all missing levels at once
/// and place all labels together:
///
///     var canvas = CellCanvas(camera: camera, memory: memory)
///     canvas.draw(.block(block, style: style, hidden: []))
///     canvas.compose(into: &frame, at: rect)
package struct CellCanvas: Canvas {
  /// Its plane reaches all marks.
  package private(set) var camera: Camera
  /// The characters for dots.
  package var glyphs: GlyphSet
  /// The characters for the edges of areas; none on screens without colours.
  package var blocks: EdgeBlocks
  /// The colour depth of the screen: without colours, areas are patterns of dots.
  package var depth: ColourDepth
  /// The treatment of copies of the world in a wider window.
  package var repeats: WorldRepeats
  /// The background, to which colours are fitted.
  package var ground: Ground
  /// The theme's colours.
  package var palette: ThemePalette
  /// A picture of the window's size that shows where no mark is.
  package var under: Frame?
  /// Whether lines, edges and dots are shown; else signs and texts alone, and the grounds of areas.
  package var hasShapes = true
  /// The cells of the window that something else will take: names keep off them.
  package var reserved: [CellRect] = []
  let memory: RenderMemory
  /// The key of the picture in the memory: its labels keep their places from frame to frame.
  let name: String
  private(set) var marks: [Mark] = []

  package init(
    camera: Camera, memory: RenderMemory, name: String = "", glyphs: GlyphSet = .braille,
    blocks: EdgeBlocks? = nil, depth: ColourDepth = .trueColour, repeats: WorldRepeats = .shown,
    ground: Ground = .dark, palette: ThemePalette = .standard
  ) {
    self.blocks = blocks ?? glyphs.blocks
    self.palette = palette
    self.ground = ground
    self.camera = camera
    self.memory = memory
    self.name = name
    self.glyphs = glyphs
    self.depth = depth
    self.repeats = repeats
  }

  package var visible: Box { camera.visible }
  package var detail: MapDetail? { camera.detail }

  package mutating func draw(_ mark: Mark) {
    if !camera.plane.isGeographic { camera = camera.reaching(mark.box) }
    marks.append(mark)
  }

  /// Draws all marks into a rectangle of a frame, from its top left corner; never outside of it.
  ///
  /// Empty cells of the rectangle become blank. The camera's window should have the rectangle's
  /// size; the excess of either is left out, or blank.
  package func compose(into frame: inout Frame, at rect: CellRect) {
    memory.beginFrame()
    var picture = picture()
    let ink = GroundInk(ground, palette: palette, depth: depth)
    picture.write(
      into: &frame, at: rect, glyphs: hasShapes ? glyphs : nil, depth: depth, ink: ink)
    if let under { frame.fillBlanks(of: rect, from: under) }
    let world = repeats == .shown ? 0..<camera.size.columns : camera.worldColumns
    for columns in [0..<world.lowerBound, world.upperBound..<camera.size.columns]
    where !columns.isEmpty {
      let part = CellRect(
        column: rect.column + columns.lowerBound, row: rect.row, columns: columns.count,
        rows: rect.rows)
      if repeats == .hidden {
        frame.fill(part)
      } else {
        frame.restyle(part) { $0 = $0.dimmed(depth) }
      }
    }
    let texts = placedTexts()
    let labels = labels(on: picture, columns: world, texts: texts.map(\.text))
    if hasShapes, !picture.edges.isEmpty {
      for line in texts.lazy.flatMap(\.text.lines) {
        picture.removeEdges(row: line.row, columns: line.cells)
      }
      for cells in labels.lazy.flatMap(\.cells) {
        picture.removeEdges(row: cells.row, columns: cells.columns)
      }
      picture.writeEdges(into: &frame, at: rect, columns: world, under: under, ink: ink)
    }
    for (text, style) in texts {
      write(text, style, over: picture, world, into: &frame, at: rect, ink)
    }
    var looks: [MarkStyle: CellStyle] = [:]
    for label in labels {
      var label = label
      label.style = label.style.shown(depth)
      if label.isBright { label.style.isEmphasized = true }
      let look: CellStyle
      if let known = looks[label.style] {
        look = known
      } else {
        look = CellPicture.cellStyle(ink.label(label.style, isBright: label.isBright), depth)
        looks[label.style] = look
      }
      label.write(into: &frame, at: rect, style: look, ink: ink)
    }
  }

  /// The labels of a picture that shows the world once.
  ///
  /// - Parameter clearance: the rows above and below a label that have no other one.
  func labels(clearance: Int) -> [PlacedLabel] {
    labels(
      on: picture(), columns: camera.worldColumns, texts: placedTexts().map(\.text),
      clearance: clearance)
  }

  private func labels(
    on picture: CellPicture, columns: Range<Int>, texts: [PlacedText], clearance: Int = 0
  ) -> [PlacedLabel] {
    var placer = LabelPlacer(
      camera: camera, picture: picture, memory: memory, name: name, columns: columns,
      texts: texts, reserved: reserved, clearance: clearance, selected: selected)
    return placer.place(
      marks.compactMap { mark -> LabelSet? in
        if case .labels(let set) = mark { set } else { nil }
      })
  }

  /// The features that are drawn above the others of their blocks, if they are few.
  private var selected: [ObjectIdentifier: Set<Int>] {
    marks.reduce(into: [:]) { known, mark in
      guard case .features(let block, let rows, _) = mark, rows.count <= Self.selectedMax else {
        return
      }
      known[ObjectIdentifier(block), default: []].formUnion(rows)
    }
  }

  /// The most selected features whose names come first.
  private static let selectedMax = 16

  /// The dots, areas and symbols of all marks.
  func picture() -> CellPicture {
    memory.signCounts[name] = nil
    var picture = CellPicture(
      columns: camera.size.columns, rows: camera.size.rows, depth: depth, blocks: blocks,
      hasLetters: glyphs == .ascii)
    guard camera.size.columns > 0 && camera.size.rows > 0 else { return picture }
    let window = ViewWindow(camera)
    let wanted = marks.compactMap { mark -> (block: GeometryBlock, level: Int?)? in
      switch mark {
      case .block(let block, _, _), .features(let block, _, _), .group(let block, _, _, _):
        let outline = memory.cache(of: block, on: camera.plane).outline
        guard window.sees(outline) else { return nil }
        return (block, PathLevel.level(for: camera, outline: outline))
      case .geometry, .symbols, .labels, .texts, .grid: return nil
      }
    }
    memory.prepare(wanted, on: camera.plane)
    for mark in marks { draw(mark, in: window, &picture) }
    picture.finish(originX: window.originX, originY: window.originY)
    memory.note(PictureView(camera: camera, blocks: wanted.map(\.block)))
    return picture
  }

  private func draw(_ mark: Mark, in window: ViewWindow, _ picture: inout CellPicture) {
    switch mark {
    case .block(let block, let style, let hidden):
      let rows: RowChoice = hidden.isEmpty ? .all : .except(hidden)
      draw(block, rows, style, in: window, &picture)
    case .features(let block, let rows, let style):
      let known = Set(rows).filter { $0 >= 0 && $0 < block.featureCount }
      // Whole blocks have runs and dots of their own, without a look at each feature.
      let choice: RowChoice = known.count == block.featureCount ? .all : .only(known)
      if !known.isEmpty { draw(block, choice, style, in: window, &picture) }
    case .group(let block, let groups, let number, let style):
      draw(block, .group(groups, number), style, in: window, &picture)
    case .geometry(let geometry, let style):
      guard let block = GeometryBlock(geometry) else { return }
      let base = ProjectedBlock(block, on: camera.plane)
      BlockDrawing(
        base: base, paths: base.paths(of: block, on: camera.plane), window: window, rows: .all,
        style: style, glyphs: glyphs
      ).draw(into: &picture)
    case .symbols(let set): draw(set, in: window, &picture)
    case .grid(let grid):
      // Areas beneath come first.
      picture.finish(originX: window.originX, originY: window.originY)
      draw(grid, into: &picture)
    case .labels, .texts: return
    }
  }

  private func draw(_ set: SymbolSet, in window: ViewWindow, _ picture: inout CellPicture) {
    let parts = set.partsByNumber
    // Styles by the numbers of their looks; 0 has no sign.
    var known: [Int: UInt16] = [:]
    let count = SymbolChoice.count(of: set, through: camera, window, memory) { x, y, rank in
      guard let part = parts[rank.part] else { return false }
      let number = part.lookNumber(ofRow: rank.row)
      let style =
        known[number]
        ?? {
          let style = part.style(ofRow: rank.row, in: set)
          return style.symbol.isEmpty ? 0 : picture.index(of: style.shown(depth))
        }()
      known[number] = style
      if style == 0 { return false }
      picture.addSymbol(
        style, dotX: window.dotX(x), dotY: window.dotY(y),
        owner: SymbolOwner(priority: set.priority, rank: rank))
      return true
    }
    memory.signCounts[name, default: [:]][set.priority, default: SignCount()] += count
  }

  private func draw(
    _ block: GeometryBlock, _ rows: RowChoice, _ style: MarkStyle, in window: ViewWindow,
    _ picture: inout CellPicture
  ) {
    let outline = memory.cache(of: block, on: camera.plane).outline
    guard window.sees(outline) else { return }
    let level = PathLevel.level(for: camera, outline: outline)
    let paths = memory.paths(of: block, on: camera.plane, level: level)
    BlockDrawing(
      base: memory.projected(block, on: camera.plane), paths: paths, window: window, rows: rows,
      style: style, glyphs: glyphs
    ).draw(into: &picture)
  }
}

extension GeometryBlock {
  /// A block of one feature.
  convenience init?(_ geometry: Geometry) {
    var coordinates: [Double] = []
    var ends: [UInt32] = []
    for path in geometry.paths {
      for vertex in path.vertices {
        coordinates.append(vertex.x)
        coordinates.append(vertex.y)
      }
      ends.append(UInt32(truncatingIfNeeded: coordinates.count / 2))
    }
    self.init(
      coordinates: coordinates, elevations: [], pathEnds: ends,
      pathRoles: geometry.paths.map(\.role), featureEnds: [UInt32(truncatingIfNeeded: ends.count)],
      kinds: [geometry.kind])
  }
}
