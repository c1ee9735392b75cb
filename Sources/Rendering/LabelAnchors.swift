import PortolanGraphics

/// The place of an area's label.
struct AreaAnchor {
  /// The point that is farthest from the outline.
  var point: WorldPoint
  /// The width of the largest polygon, in world units.
  var width: Int64
  /// The widths of the area at the height of the point and near it, the nearest first, each for
  /// texts of several heights, the lowest first.
  var runs: [[Run]]

  struct Run {
    /// The middle and the height of a text that fits, in world units, and the ends of its room.
    var y: Double
    var height: Double
    var minX: Double
    var maxX: Double
  }

  /// The rooms for a text of a height, in world units, without those where it would cross the
  /// outline.
  func runs(height: Double) -> [Run] {
    runs.compactMap { row in row.first { $0.height >= height } }
  }
}

/// Label positions of areas and lines.
enum LabelAnchors {
  /// The number of dots along the longer side of an area, for finding its middle.
  private static let side = 64

  /// The point of an area that is farthest from its outline, to a 64th of the area's size.
  ///
  /// Of several polygons the one with the largest box counts; holes are respected.
  /// - Complexity: O(vertices of the feature), about 4 ns each.
  static func pole(of row: Int, in paths: PathLevel) -> AreaAnchor? {
    var largest = WorldBox.empty
    var rings: [Range<Int>] = []
    for path in paths.paths(inChunks: paths.chunks(ofFeature: row)) {
      var box = WorldBox.empty
      for chunk in path { box.formUnion(paths.chunkBoxes[chunk]) }
      if Double(box.width) * Double(box.height) > Double(largest.width) * Double(largest.height) {
        largest = box
      }
      rings.append(paths.vertices(ofChunks: path))
    }
    guard !largest.isEmpty, max(largest.width, largest.height) > 0 else { return nil }
    let scale = Double(side) / Double(max(largest.width, largest.height))
    var plane = FillPlane(
      width: max(1, Int((Double(largest.width) * scale).rounded(.up))),
      height: max(1, Int((Double(largest.height) * scale).rounded(.up))))
    paths.coordinates.withUnsafeBufferPointer { world in
      for ring in rings {
        var previous = ring.upperBound - 1
        for index in ring {
          plane.addEdge(
            (Double(world[2 * previous]) - Double(largest.minX)) * scale,
            (Double(world[2 * previous + 1]) - Double(largest.minY)) * scale,
            (Double(world[2 * index]) - Double(largest.minX)) * scale,
            (Double(world[2 * index + 1]) - Double(largest.minY)) * scale)
          previous = index
        }
      }
    }
    plane.endFeature()
    let (x, y) = deepest(plane)
    let point = WorldPoint(
      x: Int32(clamping: Int64(largest.minX) + Int64((x + 0.5) / scale)),
      y: Int32(clamping: Int64(largest.minY) + Int64((y + 0.5) / scale)))
    let runs = [0, -4, 4, -8, 8, -14, 14, -20, 20].map { away in
      [1, 3, 5, 7, 9, 13, 17, 25, 33].compactMap { height -> AreaAnchor.Run? in
        run(plane, x: Int(x), y: Int(y) + away, half: height / 2).map { columns in
          AreaAnchor.Run(
            y: Double(largest.minY) + (y + Double(away) + 0.5) / scale,
            height: Double(height) / scale,
            minX: Double(largest.minX) + Double(columns.lowerBound) / scale,
            maxX: Double(largest.minX) + Double(columns.upperBound) / scale)
        }
      }
    }
    return AreaAnchor(point: point, width: largest.width, runs: runs)
  }

  /// The columns around a dot that are covered in all rows near it.
  private static func run(_ plane: FillPlane, x: Int, y: Int, half: Int) -> Range<Int>? {
    guard y >= half, y + half < plane.height else { return nil }
    func isCovered(_ column: Int) -> Bool {
      column >= 0 && column < plane.width
        && ((y - half)...(y + half)).allSatisfy { plane.isCovered(column, $0) }
    }
    guard isCovered(x) else { return nil }
    var (first, end) = (x, x + 1)
    while isCovered(first - 1) { first -= 1 }
    while isCovered(end) { end += 1 }
    return first..<end
  }

  /// The dot farthest from the uncovered ones (chamfer distance 3-4); the middle if none is
  /// covered.
  private static func deepest(_ plane: FillPlane) -> (x: Double, y: Double) {
    let (width, height) = (plane.width, plane.height)
    let stride = width + 2
    var depth = [Int32](repeating: 0, count: stride * (height + 2))
    for y in 0..<height {
      for x in 0..<width {
        guard plane.isCovered(x, y) else { continue }
        let at = (y + 1) * stride + x + 1
        depth[at] = min(
          min(depth[at - 1] + 3, depth[at - stride] + 3),
          min(depth[at - stride - 1] + 4, depth[at - stride + 1] + 4))
      }
    }
    var best = (depth: Int32(0), away: Int.max, x: width / 2, y: height / 2)
    for y in (0..<height).reversed() {
      for x in (0..<width).reversed() {
        let at = (y + 1) * stride + x + 1
        guard depth[at] > 0 else { continue }
        depth[at] = min(
          min(depth[at], min(depth[at + 1] + 3, depth[at + stride] + 3)),
          min(depth[at + stride + 1] + 4, depth[at + stride - 1] + 4))
        let away = abs(2 * x - width) + abs(2 * y - height)
        if depth[at] > best.depth || (depth[at] == best.depth && away < best.away) {
          best = (depth[at], away, x, y)
        }
      }
    }
    return (Double(best.x), Double(best.y))
  }

  /// The middle of a line's longest nearly level stretch in the window, in dots, and the stretch's
  /// width.
  static func levelRun(
    of row: Int, in paths: PathLevel, _ window: ViewWindow, copy: Int, width: Int, height: Int
  ) -> (x: Int, y: Int, length: Int)? {
    guard let box = window.box(copy: copy) else { return nil }
    var best: (x: Int, y: Int, length: Int)?
    var run: (startX: Int, startY: Int, direction: Int)?
    func finish(_ x: Int, _ y: Int) {
      guard let began = run else { return }
      let length = abs(x - began.startX)
      if length > best?.length ?? 0 {
        best = ((began.startX + x) / 2, (began.startY + y) / 2, length)
      }
      run = nil
    }
    for chunk in paths.chunks(ofFeature: row) {
      let line = paths.line(ofChunk: chunk)
      var (x, y) = dot(line.lowerBound, paths, window, copy)
      if paths.beginsPath(chunk) { run = nil }
      guard paths.chunkBoxes[chunk].intersects(box) else {
        finish(x, y)
        continue
      }
      for vertex in line.dropFirst() {
        let (nextX, nextY) = dot(vertex, paths, window, copy)
        let (stepX, stepY) = (nextX - x, nextY - y)
        let isInside = x >= 0 && nextX >= 0 && x < width && nextX < width && y >= 0 && y < height
        // Short steps of a dot or two have no clear direction.
        let isLevel = abs(stepY) <= max(1, abs(stepX) / 2)
        let direction = stepX.signum()
        if !isInside || !isLevel || (run.map { $0.direction * direction < 0 } ?? false)
          || (run.map { abs(nextY - $0.startY) > 4 } ?? false)
        {
          finish(x, y)
        }
        if isInside && isLevel {
          if run == nil { run = (x, y, direction) }
          if run?.direction == 0 { run?.direction = direction }
        }
        (x, y) = (nextX, nextY)
      }
      if paths.beginsPath(chunk + 1) { finish(x, y) }
    }
    return best
  }

  private static func dot(
    _ vertex: Int, _ paths: PathLevel, _ window: ViewWindow, _ copy: Int
  ) -> (Int, Int) {
    (
      window.dotX(paths.coordinates[2 * vertex], copy: copy),
      window.dotY(paths.coordinates[2 * vertex + 1])
    )
  }
}

extension FillPlane {
  /// Whether a dot of the plane is in an area.
  func isCovered(_ x: Int, _ y: Int) -> Bool {
    covered[y * wordsPerRow + x >> 6] >> UInt64(x & 63) & 1 == 1
  }
}
