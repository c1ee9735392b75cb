import PortolanGraphics

/// The features of a block at one level of detail as paths of a page, cut at its edges.
struct PageShapes {
  let base: ProjectedBlock
  let paths: PathLevel
  let rows: RowChoice
  let window: PageWindow

  /// Calls a body with each visible feature's lines and areas, in drawing order, and the outline
  /// of areas that a cut of the data divides.
  func each(_ body: (_ row: Int, _ paths: [PagePath], _ outline: [PagePath]?) -> Void) {
    for copy in window.cells.copies {
      guard let box = window.cells.box(copy: copy), base.box.intersects(box) else { continue }
      let clip = PageClip(window.area)
      for run in paths.runs {
        for row in run.features where base.featureBoxes[row].intersects(box) && rows.contains(row) {
          let own = paths.chunks(ofFeature: row).clamped(to: run.chunks)
          let isCut = run.isRing && hasCut(own, in: box)
          var (shape, outline): ([PagePath], [PagePath]) = ([], [])
          for chunks in own.isEmpty ? [] : paths.paths(inChunks: own) {
            if run.isRing {
              let ring = clip.ring(ring(chunks, box, copy))
              if ring.count > 2 { shape.append(PagePath(points: ring, isClosed: true)) }
              if isCut { outline += joined(lines(chunks, box, copy, clip)) }
            } else {
              shape += lines(chunks, box, copy, clip)
            }
          }
          if !shape.isEmpty { body(row, shape, isCut ? outline : nil) }
        }
      }
    }
  }

  /// Whether one of some chunks has a cut in view.
  private func hasCut(_ chunks: Range<Int>, in box: WorldBox) -> Bool {
    guard !chunks.isEmpty, paths.cuts.contains(anyOf: paths.vertices(ofChunks: chunks)) else {
      return false
    }
    return chunks.contains {
      paths.chunkBoxes[$0].intersects(box)
        && paths.cuts.contains(anyOf: paths.vertices(ofChunks: $0..<($0 + 1)))
    }
  }

  /// Calls a body with each line's arrowhead, a triangle whose tip is the end of the line.
  func eachArrow(_ body: (_ row: Int, _ head: PagePath) -> Void) {
    for copy in window.cells.copies {
      LineEnds(paths: paths).each(in: paths.runs, of: rows) { row, last, before in
        let tip = point(last, copy)
        guard window.area.contains(tip) else { return }
        var (stepX, stepY, length) = (0.0, 0.0, 0.0)
        for vertex in before where length < Self.arrowLength {
          let former = point(vertex, copy)
          (stepX, stepY) = (tip.x - former.x, tip.y - former.y)
          length = (stepX * stepX + stepY * stepY).squareRoot()
        }
        guard length > 0 else { return }
        let (x, y) = (stepX / length * Self.arrowLength, stepY / length * Self.arrowLength)
        let back = PagePoint(x: tip.x - x, y: tip.y - y)
        let points = [
          tip, PagePoint(x: back.x - y * 0.4, y: back.y + x * 0.4),
          PagePoint(x: back.x + y * 0.4, y: back.y - x * 0.4),
        ]
        body(row, PagePath(points: points, isClosed: true))
      }
    }
  }

  private static let arrowLength = 9.0

  /// The visible positions of some sets.
  func dots(of sets: [DotSet]) -> [PagePoint] {
    var result: [PagePoint] = []
    for set in sets { each(of: set) { _, place in result.append(place) } }
    return result
  }

  /// Calls a body with each visible single point.
  func eachPoint(_ body: (_ row: Int, _ place: PagePoint) -> Void) {
    each(of: paths.points, body)
  }

  private func each(of set: DotSet, _ body: (Int, PagePoint) -> Void) {
    for copy in window.cells.copies {
      visit(set.coordinates, set.rows, copy, body)
      if !rows.isAll { visit(set.spareCoordinates, set.spareRows, copy, body) }
    }
  }

  private func visit(
    _ coordinates: [Int32], _ owners: [UInt32], _ copy: Int, _ body: (Int, PagePoint) -> Void
  ) {
    for (index, owner) in owners.enumerated() where rows.contains(Int(owner)) {
      let place = window.point(
        x: Int64(coordinates[2 * index]) + Int64(copy) << 31, y: Int64(coordinates[2 * index + 1]))
      if window.area.contains(place) { body(Int(owner), place) }
    }
  }

  private func point(_ vertex: Int, _ copy: Int) -> PagePoint {
    window.point(
      x: Int64(paths.coordinates[2 * vertex]) + Int64(copy) << 31,
      y: Int64(paths.coordinates[2 * vertex + 1]))
  }

  /// A ring; stretches wholly on one side of the window are straightened, which changes nothing
  /// within.
  private func ring(_ chunks: Range<Int>, _ box: WorldBox, _ copy: Int) -> [PagePoint] {
    var ring: [PagePoint] = []
    for chunk in chunks {
      let vertices = paths.vertices(ofChunks: chunk..<(chunk + 1))
      if paths.chunkBoxes[chunk].intersects(box) {
        for vertex in vertices { ring.append(point(vertex, copy)) }
      } else if let first = vertices.first {
        ring.append(point(first, copy))
        // The end of the path: its last segment leads back to the first vertex.
        if chunk == chunks.upperBound - 1, let last = vertices.last, last != first {
          ring.append(point(last, copy))
        }
      }
    }
    closeAlongPole(&ring, chunks, copy)
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring
  }

  /// Ends a ring that runs around the whole world along the pole.
  private func closeAlongPole(_ ring: inout [PagePoint], _ chunks: Range<Int>, _ copy: Int) {
    let vertices = paths.vertices(ofChunks: chunks)
    guard window.cells.copies.count > 1, let first = vertices.first, let last = vertices.last else {
      return
    }
    let (startX, endX) = (paths.coordinates[2 * first], paths.coordinates[2 * last])
    guard abs(Int64(endX) - Int64(startX)) == 1 << 31 else { return }
    let pole: Int64 = paths.coordinates[2 * first + 1] > 0 ? 1 << 30 : -(1 << 30)
    let offset = Int64(copy) << 31
    ring.append(window.point(x: Int64(endX) + offset, y: pole))
    ring.append(window.point(x: Int64(startX) + offset, y: pole))
  }

  /// The lines of a ring; the one that comes to its first vertex goes on as the one from there.
  private func joined(_ lines: [PagePath]) -> [PagePath] {
    guard lines.count > 1, let first = lines.first, let last = lines.last,
      first.points.first == last.points.last
    else { return lines }
    let line = PagePath(points: last.points + first.points.dropFirst(), isClosed: false)
    return lines[1..<(lines.count - 1)] + [line]
  }

  private func lines(
    _ chunks: Range<Int>, _ box: WorldBox, _ copy: Int, _ clip: PageClip
  ) -> [PagePath] {
    var pieces: [[PagePoint]] = []
    var piece: [PagePoint] = []
    func finish() {
      if piece.count > 1 { pieces.append(piece) }
      piece = []
    }
    for chunk in chunks {
      guard paths.chunkBoxes[chunk].intersects(box) else {
        finish()
        continue
      }
      paths.cuts.each(between: paths.line(ofChunk: chunk)) { line in
        var former = point(line.lowerBound, copy)
        for vertex in line.dropFirst() {
          let next = point(vertex, copy)
          if let (start, end) = clip.segment(former, next) {
            if piece.last != start {
              finish()
              piece = [start]
            }
            piece.append(end)
          } else {
            finish()
          }
          former = next
        }
      }
    }
    finish()
    return pieces.map { PagePath(points: $0, isClosed: false) }
  }
}

/// Cuts lines and areas at the edges of a rectangle.
struct PageClip {
  let area: PageRect

  init(_ area: PageRect) { self.area = area }

  /// The part of a segment in the rectangle, by Liang and Barsky's method.
  func segment(_ start: PagePoint, _ end: PagePoint) -> (PagePoint, PagePoint)? {
    if area.contains(start), area.contains(end) { return (start, end) }
    let (stepX, stepY) = (end.x - start.x, end.y - start.y)
    var (from, to) = (0.0, 1.0)
    for (step, low, high) in [
      (stepX, area.x - start.x, area.maxX - start.x),
      (stepY, area.y - start.y, area.maxY - start.y),
    ] {
      if step == 0 {
        if low > 0 || high < 0 { return nil }
        continue
      }
      from = max(from, min(low / step, high / step))
      to = min(to, max(low / step, high / step))
    }
    guard from <= to else { return nil }
    func point(_ part: Double) -> PagePoint {
      PagePoint(x: start.x + part * stepX, y: start.y + part * stepY)
    }
    return (from == 0 ? start : point(from), to == 1 ? end : point(to))
  }

  /// The part of an area in the rectangle, by Sutherland and Hodgman's method: where it has several
  /// parts, lines along the edges connect them.
  func ring(_ points: [PagePoint]) -> [PagePoint] {
    if points.allSatisfy(area.contains) { return points }
    var ring = points
    cut(&ring, \.x, \.y, area.x, isLow: true)
    cut(&ring, \.x, \.y, area.maxX, isLow: false)
    cut(&ring, \.y, \.x, area.y, isLow: true)
    cut(&ring, \.y, \.x, area.maxY, isLow: false)
    return ring
  }

  /// Cuts a ring at one edge.
  private func cut(
    _ ring: inout [PagePoint], _ across: WritableKeyPath<PagePoint, Double>,
    _ along: WritableKeyPath<PagePoint, Double>, _ edge: Double, isLow: Bool
  ) {
    func isInside(_ point: PagePoint) -> Bool {
      isLow ? point[keyPath: across] >= edge : point[keyPath: across] <= edge
    }
    guard var former = ring.last, !ring.allSatisfy(isInside) else { return }
    var result: [PagePoint] = []
    for point in ring {
      if isInside(point) != isInside(former) {
        let part =
          (edge - former[keyPath: across]) / (point[keyPath: across] - former[keyPath: across])
        var crossing = point
        crossing[keyPath: across] = edge
        crossing[keyPath: along] =
          former[keyPath: along] + part * (point[keyPath: along] - former[keyPath: along])
        result.append(crossing)
      }
      if isInside(point) { result.append(point) }
      former = point
    }
    ring = result
  }
}
