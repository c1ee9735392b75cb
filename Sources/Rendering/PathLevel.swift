/// A block's paths in world units at one level of detail, laid out flat for drawing.
///
///     coordinates   x0 y0 x1 y1 …   lines and rings, in the block's order
///     starts        one bit a vertex: 1 where a path begins, so no segment leads there
///     chunkBoxes    one box for 64 vertices and the segments between them and to the next
///     featureEnds   the vertex after the last of each feature
///     runs          stretches of vertices that are all of lines or all of rings
///
/// Points, and paths that are no larger than a dot, are kept apart as single dots.
final class PathLevel: Sendable {
  /// A stretch of vertices of one kind of path.
  struct Run: Hashable, Sendable {
    var isRing: Bool
    var vertices: Range<Int>
    var features: Range<Int>
  }

  static let chunkSize = 64

  let coordinates: [Int32]
  let starts: [UInt64]
  let chunkBoxes: [WorldBox]
  let featureEnds: [UInt32]
  let runs: [Run]
  let points: DotSet
  let dots: DotSet

  init(
    coordinates: [Int32], starts: [UInt64], featureEnds: [UInt32], runs: [Run], points: DotSet,
    dots: DotSet
  ) {
    self.coordinates = coordinates
    self.starts = starts
    self.featureEnds = featureEnds
    self.runs = runs
    self.points = points
    self.dots = dots
    chunkBoxes = Self.boxes(coordinates, starts)
  }

  var vertexCount: Int { coordinates.count / 2 }

  /// What the arrays weigh, in bytes.
  var byteCount: Int {
    coordinates.count * 4 + starts.count * 8 + chunkBoxes.count * 16 + featureEnds.count * 4
      + points.byteCount + dots.byteCount + 200
  }

  /// The vertices of a feature.
  func vertices(ofFeature feature: Int) -> Range<Int> {
    let start = feature == 0 ? 0 : Int(featureEnds[feature - 1])
    return start..<max(start, Int(featureEnds[feature]))
  }

  /// The next vertex that begins a path, or the limit.
  func nextStart(after vertex: Int, limit: Int) -> Int {
    var candidate = vertex + 1
    while candidate < limit {
      let bits = starts[candidate >> 6] >> UInt64(candidate & 63)
      if bits != 0 { return min(limit, candidate + bits.trailingZeroBitCount) }
      candidate = (candidate | 63) + 1
    }
    return limit
  }

  private static func boxes(_ coordinates: [Int32], _ starts: [UInt64]) -> [WorldBox] {
    let count = coordinates.count / 2
    var boxes: [WorldBox] = []
    boxes.reserveCapacity((count + chunkSize - 1) / chunkSize)
    coordinates.withUnsafeBufferPointer { world in
      var first = 0
      while first < count {
        var box = WorldBox.empty
        let end = min(first + chunkSize, count)
        for vertex in first..<end { box.formUnion(x: world[2 * vertex], y: world[2 * vertex + 1]) }
        if end < count && starts[end >> 6] & 1 == 0 {
          box.formUnion(x: world[2 * end], y: world[2 * end + 1])
        }
        boxes.append(box)
        first = end
      }
    }
    return boxes
  }
}

/// Single positions with the features that they belong to, in the block's order.
///
/// `spare` holds the positions of features that another feature of the block already marks at this
/// level: they matter only when some features are left out.
struct DotSet: Sendable {
  var coordinates: [Int32] = []
  var rows: [UInt32] = []
  var spareCoordinates: [Int32] = []
  var spareRows: [UInt32] = []

  var isEmpty: Bool { rows.isEmpty }
  var byteCount: Int { (rows.count + spareRows.count) * 12 }

  mutating func append(x: Int32, y: Int32, row: Int) {
    coordinates.append(x)
    coordinates.append(y)
    rows.append(UInt32(truncatingIfNeeded: row))
  }

  /// The set with positions snapped to a grid of 2^shift units, each kept once.
  func snapped(shift: Int32) -> DotSet {
    guard shift > 0 else { return self }
    var result = DotSet()
    var seen = Set<UInt64>(minimumCapacity: min(rows.count, 4096))
    let half = Int32(1) << (shift - 1)
    for index in rows.indices {
      let x = coordinates[2 * index] >> shift
      let y = coordinates[2 * index + 1] >> shift
      let key = UInt64(UInt32(bitPattern: x)) << 32 | UInt64(UInt32(bitPattern: y))
      let (snappedX, snappedY) = ((x << shift) &+ half, (y << shift) &+ half)
      if seen.insert(key).inserted {
        result.append(x: snappedX, y: snappedY, row: Int(rows[index]))
      } else {
        result.spareCoordinates.append(snappedX)
        result.spareCoordinates.append(snappedY)
        result.spareRows.append(rows[index])
      }
    }
    return result
  }
}
