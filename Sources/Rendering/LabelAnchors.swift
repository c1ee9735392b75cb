import PortolanGraphics

/// The place of an area's label.
///
/// Most areas are only compared by size: the middle is found when a name asks for it.
final class AreaAnchor {
  /// The box of the largest polygon.
  let box: WorldBox
  /// What of the box the area covers.
  let mask: AreaMask
  /// The square of the mask that is farthest from the outline.
  private lazy var middle = mask.deepest()
  /// The point that is farthest from the outline.
  private(set) lazy var point = WorldPoint(
    x: Int32(clamping: Int64(box.minX) + Int64((Double(middle.x) + 0.5) / mask.scale)),
    y: Int32(clamping: Int64(box.minY) + Int64((Double(middle.y) + 0.5) / mask.scale)))
  /// The widths of the area at the height of the point and near it, the nearest first, each for
  /// texts of several heights, the lowest first.
  private(set) lazy var runs = [0, -4, 4, -8, 8, -14, 14, -20, 20].map { away in
    Self.heights.compactMap { run(away: away, height: $0) }
  }

  /// The heights of texts that runs are for, in squares of the mask.
  private static let heights = [1, 3, 5, 7, 9, 13, 17, 25, 33]

  struct Run {
    /// The middle and the height of a text that fits, in world units, and the ends of its room.
    var y: Double
    var height: Double
    var minX: Double
    var maxX: Double
  }

  init(box: WorldBox, mask: AreaMask) {
    self.box = box
    self.mask = mask
  }

  /// The size of the largest polygon, in steps of four.
  var sizeClass: Int { mask.area < 1 ? 0 : Int(mask.area.exponent) / 2 }

  /// The approximate size, in bytes, with all runs.
  var byteCount: Int { 200 + mask.byteCount + 9 * Self.heights.count * MemoryLayout<Run>.stride }

  /// The rooms for a text of a height, in world units, without those where it would cross the
  /// outline.
  func runs(height: Double) -> [Run] {
    runs.compactMap { row in row.first { $0.height >= height } }
  }

  /// - Parameters:
  ///   - away: how far below the middle, in squares.
  ///   - height: of the text, in squares.
  private func run(away: Int, height: Int) -> Run? {
    mask.run(x: middle.x, y: middle.y + away, half: height / 2).map { columns in
      Run(
        y: Double(box.minY) + (Double(middle.y + away) + 0.5) / mask.scale,
        height: Double(height) / mask.scale,
        minX: Double(box.minX) + Double(columns.lowerBound) / mask.scale,
        maxX: Double(box.minX) + Double(columns.upperBound) / mask.scale)
    }
  }
}

/// What an area covers of its box, in squares.
struct AreaMask {
  let box: WorldBox
  /// The squares of a world unit.
  let scale: Double
  let width: Int
  let height: Int
  let wordsPerRow: Int
  let covered: [UInt64]
  /// The covered area, in square world units.
  let area: Double

  init(_ plane: FillPlane, of box: WorldBox, scale: Double) {
    (self.box, self.scale) = (box, scale)
    (width, height) = (plane.width, plane.height)
    (wordsPerRow, covered) = (plane.wordsPerRow, plane.covered)
    area = Double(covered.reduce(0) { $0 + $1.nonzeroBitCount }) / (scale * scale)
  }

  var byteCount: Int { covered.count * MemoryLayout<UInt64>.size }

  /// The widths of the area that are covered at all heights between two, in world units.
  func runs(from top: Double, to bottom: Double) -> [(minX: Double, maxX: Double)] {
    let first = ((top - Double(box.minY)) * scale).rounded(.down)
    let last = ((bottom - Double(box.minY)) * scale).rounded(.up) - 1
    guard first >= 0, last >= first, last < Double(height) else { return [] }
    let words = common(rows: Int(first)...Int(last))
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
    return AreaAnchor(box: largest, mask: AreaMask(plane, of: largest, scale: scale))
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
}

extension AreaMask {
  /// The columns around a dot that are covered in all rows near it.
  fileprivate func run(x: Int, y: Int, half: Int) -> Range<Int>? {
    guard y >= half, y + half < height else { return nil }
    let words = common(rows: (y - half)...(y + half))
    func isCovered(_ column: Int) -> Bool {
      column >= 0 && column < width
        && words[column >> 6] >> UInt64(column & 63) & 1 == 1
    }
    guard isCovered(x) else { return nil }
    var (first, end) = (x, x + 1)
    while isCovered(first - 1) { first -= 1 }
    while isCovered(end) { end += 1 }
    return first..<end
  }

  /// The squares of one row that are covered in all of some rows.
  private func common(rows: ClosedRange<Int>) -> [UInt64] {
    var words = [UInt64](repeating: .max, count: wordsPerRow)
    for row in rows {
      for word in words.indices { words[word] &= covered[row * wordsPerRow + word] }
    }
    return words
  }

  /// The dot farthest from the uncovered ones (chamfer distance 3-4); the middle if none is
  /// covered.
  fileprivate func deepest() -> (x: Int, y: Int) {
    let stride = width + 2
    var depth = [Int32](repeating: 0, count: stride * (height + 2))
    var best = (depth: Int32(0), away: Int.max, x: width / 2, y: height / 2)
    depth.withUnsafeMutableBufferPointer { depth in
      for y in 0..<height {
        for x in 0..<width where isCovered(x, y) {
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
    return (best.x, best.y)
  }

  /// Whether a square is in the area.
  private func isCovered(_ x: Int, _ y: Int) -> Bool {
    covered[y * wordsPerRow + x >> 6] >> UInt64(x & 63) & 1 == 1
  }
}
