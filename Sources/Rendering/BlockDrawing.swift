import PortolanGraphics

/// The features of a block to draw.
enum RowChoice {
  case all
  case except(Set<Int>)
  /// Row numbers of the block.
  case only(Set<Int>)
  case group(FeatureGroups, Int)

  var isAll: Bool {
    if case .all = self { true } else { false }
  }

  func contains(_ row: Int) -> Bool {
    switch self {
    case .all: true
    case .except(let rows): !rows.contains(row)
    case .only(let rows): rows.contains(row)
    case .group(let groups, let number): groups.contains(row, in: number)
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
  var glyphs = GlyphSet.braille

  /// - Precondition: the picture has the size of the window.
  func draw(into picture: inout CellPicture) {
    precondition(window.width == 2 * picture.columns && window.height == 4 * picture.rows)
    let index = picture.index(of: style)
    let showsAreas = picture.showsAreas(of: style)
    for copy in window.copies {
      guard let box = window.box(copy: copy), base.box.intersects(box) else { continue }
      let stretches = stretches(in: box)
      withDots(paths.dots, nil, box, copy) { dots in
        if showsAreas {
          picture.withFill(style: index, originX: window.originX, originY: window.originY) {
            plane in
            fillRings(stretches, box, copy, &plane)
            plane.cover(dots)
          }
        }
        if style.stroke != nil {
          picture.raster.withPen(
            style: index, dash: dash, originX: window.originX, originY: window.originY
          ) { pen in
            let near = paths.chunks(near: box)
            for stretch in stretches { drawLines(stretch.chunks, near, box, copy, pen) }
            pen.set(dots)
          }
        }
      }
      drawPoints(box, copy, index, &picture)
      if style.endsInArrow { drawArrows(box, copy, &picture) }
    }
  }

  private var dash: DotPen.Dash {
    switch style.dash {
    case .solid where style.weight == .light: .light
    case .solid: .solid
    case .dashed: .dashed
    case .dotted: .dotted
    }
  }

  private func drawArrows(_ box: WorldBox, _ copy: Int, _ picture: inout CellPicture) {
    LineEnds(paths: paths).each(in: paths.runs, of: rows) { row, last, before in
      guard base.featureBoxes[row].intersects(box) else { return }
      let (x, y) = dot(last, copy)
      // Steps of a dot or two have no clear direction.
      var (stepX, stepY) = (0, 0)
      for vertex in before where max(abs(stepX), abs(stepY)) < 4 {
        let former = dot(vertex, copy)
        (stepX, stepY) = (x - former.x, y - former.y)
      }
      if stepX == 0 && stepY == 0 { return }
      var head = style
      head.symbol = Arrow.symbol(stepX: stepX, stepY: stepY, glyphs: glyphs)
      picture.addSymbol(picture.index(of: head), dotX: x, dotY: y, owner: .note)
    }
  }

  private func dot(_ vertex: Int, _ copy: Int) -> (x: Int, y: Int) {
    (
      window.dotX(paths.coordinates[2 * vertex], copy: copy),
      window.dotY(paths.coordinates[2 * vertex + 1])
    )
  }

  /// The runs of vertices to draw: whole runs of the block, or those of the chosen features that
  /// intersect the window.
  private func stretches(in box: WorldBox) -> [PathLevel.Run] {
    switch rows {
    case .all: return paths.runs
    case .except(let hidden):
      let cuts = hidden.sorted()
      return paths.runs.flatMap { run in split(run, around: cuts) }
    case .only(let chosen):
      return chosen.sorted().flatMap { row -> [PathLevel.Run] in
        guard base.featureBoxes[row].intersects(box) else { return [] }
        let chunks = paths.chunks(ofFeature: row)
        return paths.runs.compactMap { run in
          let part = chunks.clamped(to: run.chunks)
          return part.isEmpty
            ? nil : PathLevel.Run(isRing: run.isRing, chunks: part, features: row..<(row + 1))
        }
      }
    case .group(let groups, let number):
      return paths.runs.flatMap { run in part(of: run, groups, number) }
    }
  }

  /// The stretches of a run with the features of a group; neighbouring features are one stretch.
  private func part(
    of run: PathLevel.Run, _ groups: FeatureGroups, _ number: Int
  ) -> [PathLevel.Run] {
    var parts: [PathLevel.Run] = []
    var feature = run.features.lowerBound
    while feature < run.features.upperBound {
      guard groups.contains(feature, in: number) else {
        feature += 1
        continue
      }
      let first = feature
      repeat {
        feature += 1
      } while feature < run.features.upperBound
        && groups.contains(feature, in: number)
      let start = paths.chunks(ofFeature: first).lowerBound
      let end = paths.chunks(ofFeature: feature - 1).upperBound
      let chunks = (start..<max(start, end)).clamped(to: run.chunks)
      if !chunks.isEmpty {
        parts.append(PathLevel.Run(isRing: run.isRing, chunks: chunks, features: first..<feature))
      }
    }
    return parts
  }

  private func split(_ run: PathLevel.Run, around cuts: [Int]) -> [PathLevel.Run] {
    var parts: [PathLevel.Run] = []
    var feature = run.features.lowerBound
    var chunk = run.chunks.lowerBound
    for cut in cuts where run.features.contains(cut) {
      let gap = paths.chunks(ofFeature: cut).clamped(to: run.chunks)
      if chunk < gap.lowerBound {
        parts.append(
          PathLevel.Run(
            isRing: run.isRing, chunks: chunk..<gap.lowerBound, features: feature..<cut))
      }
      feature = cut + 1
      chunk = max(chunk, gap.upperBound)
    }
    if chunk < run.chunks.upperBound && feature < run.features.upperBound {
      parts.append(
        PathLevel.Run(
          isRing: run.isRing, chunks: chunk..<run.chunks.upperBound,
          features: feature..<run.features.upperBound))
    }
    return parts
  }

  /// Draws the segments of a run of chunks, skipping those outside of the window.
  private func drawLines(
    _ chunks: Range<Int>, _ near: BoxGroups.Members?, _ box: WorldBox, _ copy: Int, _ pen: DotPen
  ) {
    let isBold = style.weight == .bold
    let isChosen = near != nil
    // A copy, for the pen might write to the window as far as the compiler knows.
    let window = window
    paths.coordinates.withUnsafeBufferPointer { world in
      paths.chunkBoxes.withUnsafeBufferPointer { boxes in
        paths.chunkStarts.withUnsafeBufferPointer { starts in
          near.each(in: chunks) { chunk in
            guard isChosen || boxes[chunk].intersects(box) else { return }
            let next = starts[chunk &+ 1]
            let goesOn = next & PathLevel.pathBit == 0
            let end = Int(next & ~PathLevel.pathBit) &+ (goesOn ? 1 : 0)
            paths.cuts.each(between: Int(starts[chunk] & ~PathLevel.pathBit)..<end) { line in
              drawLine(line, world, window, copy, pen, isBold: isBold)
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private func drawLine(
    _ line: Range<Int>, _ world: UnsafeBufferPointer<Int32>, _ window: ViewWindow, _ copy: Int,
    _ pen: DotPen, isBold: Bool
  ) {
    var vertex = line.lowerBound
    var x = window.dotX(world[2 &* vertex], copy: copy)
    var y = window.dotY(world[2 &* vertex &+ 1])
    vertex &+= 1
    while vertex < line.upperBound {
      let nextX = window.dotX(world[2 &* vertex], copy: copy)
      let nextY = window.dotY(world[2 &* vertex &+ 1])
      pen.line(x, y, nextX, nextY)
      if isBold {
        // Twice as thick, across its direction.
        let isSteep = abs(nextX &- x) < abs(nextY &- y)
        let (right, down) = isSteep ? (1, 0) : (0, 1)
        pen.line(x &+ right, y &+ down, nextX &+ right, nextY &+ down)
      }
      (x, y) = (nextX, nextY)
      vertex &+= 1
    }
  }
}
