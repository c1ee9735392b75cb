import Graphics

/// Which features of a block are drawn.
enum RowChoice {
  case all
  case except(Set<Int>)
  /// Rising row numbers of the block.
  case only([Int])

  var isAll: Bool {
    if case .all = self { true } else { false }
  }

  func contains(_ row: Int) -> Bool {
    switch self {
    case .all: true
    case .except(let rows): !rows.contains(row)
    case .only(let rows): rows.contains(row)
    }
  }
}

/// Draws one block at one level of detail: areas first, then lines and outlines, then points.
struct BlockDrawing {
  let base: ProjectedBlock
  let paths: PathLevel
  let window: ViewWindow
  let rows: RowChoice
  let style: MarkStyle

  func draw(into picture: inout CellPicture) {
    guard style.stroke != nil || style.fill != nil || !style.symbol.isEmpty else { return }
    let index = picture.index(of: style)
    for copy in window.copies {
      guard let box = window.box(copy: copy) else { continue }
      let stretches = stretches(in: box)
      if style.fill != nil {
        picture.withFill(style: index, originX: window.originX, originY: window.originY) { plane in
          fillRings(stretches, box, copy, &plane)
          fillDots(copy, &plane)
        }
      }
      if style.stroke != nil {
        let dash: DotPen.Dash =
          switch style.dash {
          case .solid: .solid
          case .dashed: .dashed
          case .dotted: .dotted
          }
        picture.raster.withPen(
          style: index, dash: dash, originX: window.originX, originY: window.originY
        ) { pen in
          for stretch in stretches { drawLines(stretch.vertices, box, copy, pen) }
          drawDots(paths.dots, copy, pen)
          if style.symbol.isEmpty { drawDots(paths.points, copy, pen) }
        }
      }
      if !style.symbol.isEmpty {
        eachDot(paths.points, copy) { x, y in picture.addSymbol(index, dotX: x, dotY: y) }
      }
    }
  }

  /// The runs of vertices to draw: whole runs of the block, or those of the chosen features that
  /// reach into the window.
  private func stretches(in box: WorldBox) -> [PathLevel.Run] {
    switch rows {
    case .all: return paths.runs
    case .except(let hidden):
      let cuts = hidden.sorted()
      return paths.runs.flatMap { run in split(run, around: cuts) }
    case .only(let chosen):
      return chosen.flatMap { row -> [PathLevel.Run] in
        guard base.featureBoxes[row].intersects(box) else { return [] }
        let vertices = paths.vertices(ofFeature: row)
        return paths.runs.compactMap { run in
          let part = vertices.clamped(to: run.vertices)
          return part.isEmpty
            ? nil : PathLevel.Run(isRing: run.isRing, vertices: part, features: row..<(row + 1))
        }
      }
    }
  }

  private func split(_ run: PathLevel.Run, around cuts: [Int]) -> [PathLevel.Run] {
    var parts: [PathLevel.Run] = []
    var feature = run.features.lowerBound
    var vertex = run.vertices.lowerBound
    for cut in cuts where run.features.contains(cut) {
      let gap = paths.vertices(ofFeature: cut).clamped(to: run.vertices)
      if vertex < gap.lowerBound {
        parts.append(
          PathLevel.Run(
            isRing: run.isRing, vertices: vertex..<gap.lowerBound, features: feature..<cut))
      }
      feature = cut + 1
      vertex = max(vertex, gap.upperBound)
    }
    if vertex < run.vertices.upperBound && feature < run.features.upperBound {
      parts.append(
        PathLevel.Run(
          isRing: run.isRing, vertices: vertex..<run.vertices.upperBound,
          features: feature..<run.features.upperBound))
    }
    return parts
  }

  /// Draws the segments of a run of vertices, passing over chunks that lie outside the window.
  private func drawLines(_ vertices: Range<Int>, _ box: WorldBox, _ copy: Int, _ pen: DotPen) {
    guard !vertices.isEmpty else { return }
    let size = PathLevel.chunkSize
    paths.coordinates.withUnsafeBufferPointer { world in
      paths.chunkBoxes.withUnsafeBufferPointer { boxes in
        paths.starts.withUnsafeBufferPointer { starts in
          for chunk in (vertices.lowerBound / size)...((vertices.upperBound - 1) / size) {
            guard boxes[chunk].intersects(box) else { continue }
            let first = max(vertices.lowerBound, chunk * size)
            // One further vertex ends the chunk's last segment.
            let last = min(vertices.upperBound - 1, (chunk + 1) * size)
            var (x, y) = (
              window.dotX(world[2 * first], copy: copy), window.dotY(world[2 * first + 1])
            )
            var vertex = first + 1
            while vertex <= last {
              let nextX = window.dotX(world[2 &* vertex], copy: copy)
              let nextY = window.dotY(world[2 &* vertex &+ 1])
              if starts[vertex &>> 6] &>> UInt64(vertex & 63) & 1 == 0 {
                pen.line(x, y, nextX, nextY)
              }
              (x, y) = (nextX, nextY)
              vertex &+= 1
            }
          }
        }
      }
    }
  }

  private func drawDots(_ set: DotSet, _ copy: Int, _ pen: DotPen) {
    eachDot(set, copy) { x, y in pen.dot(x, y) }
  }

  private func fillDots(_ copy: Int, _ plane: inout FillPlane) {
    eachDot(paths.dots, copy) { x, y in plane.set(x, y) }
  }

  /// Calls with the window's dots of a set, those of features left out excepted.
  @inline(__always)
  private func eachDot(_ set: DotSet, _ copy: Int, _ body: (Int, Int) -> Void) {
    let isAll = rows.isAll
    visit(set.coordinates, set.rows, isAll, copy, body)
    if !isAll { visit(set.spareCoordinates, set.spareRows, false, copy, body) }
  }

  @inline(__always)
  private func visit(
    _ coordinates: [Int32], _ owners: [UInt32], _ isAll: Bool, _ copy: Int,
    _ body: (Int, Int) -> Void
  ) {
    coordinates.withUnsafeBufferPointer { world in
      for index in owners.indices where isAll || rows.contains(Int(owners[index])) {
        body(window.dotX(world[2 * index], copy: copy), window.dotY(world[2 * index + 1]))
      }
    }
  }
}
