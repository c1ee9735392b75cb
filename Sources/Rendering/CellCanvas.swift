package import Graphics
package import Terminals

/// Draws maps into the cells of a frame.
///
/// Marks are collected and drawn by `compose`, which can then prepare what is missing for all of
/// them at once and place all labels together:
///
///     var canvas = CellCanvas(camera: camera, memory: memory)
///     canvas.draw(.block(block, style: style, hidden: []))
///     canvas.compose(into: &frame, at: rect)
package struct CellCanvas: Canvas {
  package let camera: Camera
  /// Which characters stand for dots.
  package var glyphs: GlyphSet
  /// What the screen can show: without colours, areas are patterns of dots.
  package var depth: ColourDepth
  let memory: RenderMemory
  private(set) var marks: [Mark] = []

  package init(
    camera: Camera, memory: RenderMemory, glyphs: GlyphSet = .braille,
    depth: ColourDepth = .trueColour
  ) {
    self.camera = camera
    self.memory = memory
    self.glyphs = glyphs
    self.depth = depth
  }

  package var visible: Box { camera.visible }

  package mutating func draw(_ mark: Mark) { marks.append(mark) }

  /// Draws all marks into a rectangle of a frame, from its top left corner; never outside of it.
  ///
  /// Cells of the rectangle that show nothing become blank. The camera's window should have the
  /// rectangle's size; what one has beyond the other is left out, or blank.
  package func compose(into frame: inout Frame, at rect: CellRect) {
    memory.beginFrame()
    let picture = picture()
    picture.write(into: &frame, at: rect, glyphs: glyphs, depth: depth)
    var placer = LabelPlacer(camera: camera, picture: picture, memory: memory)
    let sets = marks.compactMap { mark -> LabelSet? in
      if case .labels(let set) = mark { set } else { nil }
    }
    for label in placer.place(sets) {
      label.write(into: &frame, at: rect, window: camera.size, depth: depth)
    }
  }

  /// The dots, areas and symbols of all marks.
  func picture() -> CellPicture {
    var picture = CellPicture(columns: camera.size.columns, rows: camera.size.rows, depth: depth)
    guard camera.size.columns > 0 && camera.size.rows > 0 else { return picture }
    let window = ViewWindow(camera)
    let level = PathLevel.level(forZoom: camera.zoom)
    let plane = camera.plane
    let wanted = marks.compactMap { mark -> GeometryBlock? in
      switch mark {
      case .block(let block, _, _), .features(let block, _, _):
        return window.sees(plane.worldBox(block.box)) ? block : nil
      case .geometry, .labels: return nil
      }
    }
    memory.prepare(wanted, on: plane, level: level)
    for mark in marks { draw(mark, in: window, level, &picture) }
    picture.finish(originX: window.originX, originY: window.originY)
    return picture
  }

  private func draw(
    _ mark: Mark, in window: ViewWindow, _ level: Int?, _ picture: inout CellPicture
  ) {
    switch mark {
    case .block(let block, let style, let hidden):
      guard window.sees(camera.plane.worldBox(block.box)) else { return }
      let base = memory.projected(block, on: camera.plane)
      let paths = memory.paths(of: block, on: camera.plane, level: level)
      let rows: RowChoice = hidden.isEmpty ? .all : .except(hidden)
      BlockDrawing(base: base, paths: paths, window: window, rows: rows, style: style)
        .draw(into: &picture)
    case .features(let block, let rows, let style):
      guard !rows.isEmpty, window.sees(camera.plane.worldBox(block.box)) else { return }
      let base = memory.projected(block, on: camera.plane)
      let paths = memory.paths(of: block, on: camera.plane, level: level)
      let known = rows.filter { $0 >= 0 && $0 < block.featureCount }.sorted()
      BlockDrawing(base: base, paths: paths, window: window, rows: .only(known), style: style)
        .draw(into: &picture)
    case .geometry(let geometry, let style):
      guard let block = GeometryBlock(geometry) else { return }
      let base = ProjectedBlock(block, on: camera.plane)
      BlockDrawing(base: base, paths: base.paths, window: window, rows: .all, style: style)
        .draw(into: &picture)
    case .labels: return
    }
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
