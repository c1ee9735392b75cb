import PortolanGraphics

/// The place of an area's label.
struct AreaAnchor {
  /// The point that is farthest from the outline.
  var point: WorldPoint
  /// The box of the largest polygon.
  var box: WorldBox
  /// The widths of the area at the height of the point and near it, the nearest first, each for
  /// texts of several heights, the lowest first.
  var runs: [[Run]]
  /// What of the box the area covers.
  var mask: AreaMask

  struct Run {
    /// The middle and the height of a text that fits, in world units, and the ends of its room.
    var y: Double
    var height: Double
    var minX: Double
    var maxX: Double
  }

  /// The size of the largest polygon, in steps of four.
  var sizeClass: Int { mask.area < 1 ? 0 : Int(mask.area.exponent) / 2 }

  /// The approximate size, in bytes.
  var byteCount: Int {
    MemoryLayout<Self>.size + mask.byteCount
      + runs.reduce(0) { $0 + MemoryLayout<[Run]>.size + $1.count * MemoryLayout<Run>.stride }
  }

  /// The rooms for a text of a height, in world units, without those where it would cross the
  /// outline.
  func runs(height: Double) -> [Run] {
    runs.compactMap { row in row.first { $0.height >= height } }
  }
}

/// What an area covers of its box, in squares.
struct AreaMask {
  let box: WorldBox
  /// The squares of a world unit.
  let scale: Double
  let height: Int
  let wordsPerRow: Int
  let covered: [UInt64]
  /// The covered area, in square world units.
  let area: Double

  init(_ plane: FillPlane, of box: WorldBox, scale: Double) {
    (self.box, self.scale) = (box, scale)
    (height, wordsPerRow, covered) = (plane.height, plane.wordsPerRow, plane.covered)
    area = Double(covered.reduce(0) { $0 + $1.nonzeroBitCount }) / (scale * scale)
  }

  var byteCount: Int { covered.count * MemoryLayout<UInt64>.size }

  /// The widths of the area that are covered at all heights between two, in world units.
  func runs(from top: Double, to bottom: Double) -> [(minX: Double, maxX: Double)] {
    let first = ((top - Double(box.minY)) * scale).rounded(.down)
    let last = ((bottom - Double(box.minY)) * scale).rounded(.up) - 1
    guard first >= 0, last >= first, last < Double(height) else { return [] }
    let words = LabelAnchors.common(covered, wordsPerRow, rows: Int(first)...Int(last))
    var runs: [(minX: Double, maxX: Double)] = []
    var start: Int?
    for column in 0...(64 * wordsPerRow) {
      let isCovered =
        column < 64 * wordsPerRow && words[column >> 6] >> UInt64(column & 63) & 1 == 1
      if isCovered, start == nil { start = column }
      guard !isCovered, let begin = start else { continue }
      runs.append(
        (Double(box.minX) + Double(begin) / scale, Double(box.minX) + Double(column) / scale))
      start = nil
    }
    return runs
  }
}

/// Label positions of areas and lines.
enum LabelAnchors {
  /// The number of dots along the longer side of an area, for finding its middle.
  private static let side = 64
  /// The same for the part in a window, which is larger than most areas.
  private static let visibleSide = 128

  /// The point of an area that is farthest from its outline, to a 64th of the area's size; in a
  /// room to a 128th of that.
  ///
  /// Of several polygons the one with the largest box counts; holes are respected.
  /// - Parameter room: what counts of the area; `nil` for all.
  /// - Returns: `nil` if nothing of the area is there.
  /// - Complexity: O(vertices of the feature), about 4 ns each; in a room those beside it.
  static func pole(
    of row: Int, in paths: PathLevel, within room: WorldBox?
  ) -> AreaAnchor? {
    let rings = paths.paths(inChunks: paths.chunks(ofFeature: row))
    var largest = WorldBox.empty
    for ring in rings {
      var box = WorldBox.empty
      for chunk in ring { box.formUnion(paths.chunkBoxes[chunk]) }
      if let room { box = box.intersection(room) }
      if Double(box.width) * Double(box.height) > Double(largest.width) * Double(largest.height) {
        largest = box
      }
    }
    guard !largest.isEmpty, max(largest.width, largest.height) > 0 else { return nil }
    let side = room == nil ? side : visibleSide
    let scale = Double(side) / Double(max(largest.width, largest.height))
    let plane = Self.plane(of: rings, in: paths, on: largest, scale: scale)
    if room != nil, !plane.covered.contains(where: { $0 != 0 }) { return nil }
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
    return AreaAnchor(
      point: point, box: largest, runs: runs, mask: AreaMask(plane, of: largest, scale: scale))
  }

  /// What an area covers of a box; `nil` if nothing.
  ///
  /// - Parameter side: the squares along the longer side of the box.
  static func mask(
    of row: Int, in paths: PathLevel, on box: WorldBox, side: Int
  ) -> AreaMask? {
    guard !box.isEmpty, max(box.width, box.height) > 0, side > 0 else { return nil }
    let scale = Double(side) / Double(max(box.width, box.height))
    let rings = paths.paths(inChunks: paths.chunks(ofFeature: row))
    let plane = Self.plane(of: rings, in: paths, on: box, scale: scale)
    return plane.covered.contains { $0 != 0 } ? AreaMask(plane, of: box, scale: scale) : nil
  }

  /// The squares of a box that rings cover.
  private static func plane(
    of rings: [Range<Int>], in paths: PathLevel, on box: WorldBox, scale: Double
  ) -> FillPlane {
    var plane = FillPlane(
      width: max(1, Int((Double(box.width) * scale).rounded(.up))),
      height: max(1, Int((Double(box.height) * scale).rounded(.up))))
    paths.coordinates.withUnsafeBufferPointer { world in
      func addEdge(_ from: Int, _ to: Int) {
        plane.addEdge(
          (Double(world[2 * from]) - Double(box.minX)) * scale,
          (Double(world[2 * from + 1]) - Double(box.minY)) * scale,
          (Double(world[2 * to]) - Double(box.minX)) * scale,
          (Double(world[2 * to + 1]) - Double(box.minY)) * scale)
      }
      for ring in rings {
        for chunk in ring where mayCross(paths.chunkBoxes[chunk], box) {
          let line = paths.line(ofChunk: chunk)
          for vertex in line.dropFirst() { addEdge(vertex - 1, vertex) }
        }
        let vertices = paths.vertices(ofChunks: ring)
        if let first = vertices.first, let last = vertices.last { addEdge(last, first) }
      }
    }
    plane.endFeature()
    return plane
  }

  /// Whether the edges in a box count for a filling of another one: those to the left do, too.
  static func mayCross(_ edges: WorldBox, _ filled: WorldBox) -> Bool {
    edges.minX <= filled.maxX && edges.minY <= filled.maxY && edges.maxY >= filled.minY
  }

  /// The columns around a dot that are covered in all rows near it.
  private static func run(_ plane: FillPlane, x: Int, y: Int, half: Int) -> Range<Int>? {
    guard y >= half, y + half < plane.height else { return nil }
    let words = common(plane.covered, plane.wordsPerRow, rows: (y - half)...(y + half))
    func isCovered(_ column: Int) -> Bool {
      column >= 0 && column < plane.width
        && words[column >> 6] >> UInt64(column & 63) & 1 == 1
    }
    guard isCovered(x) else { return nil }
    var (first, end) = (x, x + 1)
    while isCovered(first - 1) { first -= 1 }
    while isCovered(end) { end += 1 }
    return first..<end
  }

  /// The squares of one row that are covered in all of some rows.
  fileprivate static func common(
    _ covered: [UInt64], _ wordsPerRow: Int, rows: ClosedRange<Int>
  ) -> [UInt64] {
    var words = [UInt64](repeating: .max, count: wordsPerRow)
    for row in rows {
      for word in words.indices { words[word] &= covered[row * wordsPerRow + word] }
    }
    return words
  }

  /// The dot farthest from the uncovered ones (chamfer distance 3-4); the middle if none is
  /// covered.
  private static func deepest(_ plane: FillPlane) -> (x: Double, y: Double) {
    let (width, height) = (plane.width, plane.height)
    let stride = width + 2
    var depth = [Int32](repeating: 0, count: stride * (height + 2))
    var best = (depth: Int32(0), away: Int.max, x: width / 2, y: height / 2)
    depth.withUnsafeMutableBufferPointer { depth in
      for y in 0..<height {
        for x in 0..<width where plane.isCovered(x, y) {
          let at = (y + 1) * stride + x + 1
          depth[at] = min(
            min(depth[at - 1] + 3, depth[at - stride] + 3),
            min(depth[at - stride - 1] + 4, depth[at - stride + 1] + 4))
        }
      }
      for y in (0..<height).reversed() {
        for x in (0..<width).reversed() {
          let at = (y + 1) * stride + x + 1
          guard depth[at] > 0 else { continue }
          let found = min(
            min(depth[at], min(depth[at + 1] + 3, depth[at + stride] + 3)),
            min(depth[at + stride + 1] + 4, depth[at + stride - 1] + 4))
          depth[at] = found
          guard found >= best.depth else { continue }
          let away = abs(2 * x - width) + abs(2 * y - height)
          if found > best.depth || away < best.away { best = (found, away, x, y) }
        }
      }
    }
    return (Double(best.x), Double(best.y))
  }
}

extension FillPlane {
  /// Whether a dot of the plane is in an area.
  func isCovered(_ x: Int, _ y: Int) -> Bool {
    covered[y * wordsPerRow + x >> 6] >> UInt64(x & 63) & 1 == 1
  }
}
