import Synchronization

/// A block's paths in world units at one level of detail, laid out flat for drawing.
///
///     coordinates   x0 y0 x1 y1 …   lines and rings, in the block's order
///     chunkStarts   the first vertex of each chunk: at most 64 vertices of one path; the top bit
///                   is set where a path begins. One more entry ends the last chunk
///     chunkBoxes    one box a chunk, with the segment that leads to the next chunk of the path
///     featureEnds   the chunk after the last of each feature
///     runs          stretches of chunks that are all of lines or all of rings
///     cuts          the edges of rings that have no outline
///
/// Points, and paths that are no larger than a dot, are kept apart as single dots.
final class PathLevel: Sendable {
  /// A stretch of chunks of one kind of path.
  struct Run: Hashable, Sendable {
    var isRing: Bool
    var chunks: Range<Int>
    var features: Range<Int>
  }

  /// What the paths of a block are at full detail.
  struct Size: Hashable, Sendable {
    /// The numbers of the vertices of lines and rings.
    var numbers = 0
    var hasLines = false
    var hasPoints = false
  }

  static let chunkSize = 64
  static let pathBit: UInt32 = 1 << 31

  let coordinates: [Int32]
  let chunkStarts: [UInt32]
  let chunkBoxes: [WorldBox]
  let featureEnds: [UInt32]
  let runs: [Run]
  let cuts: PathCuts
  let points: DotSet
  let dots: DotSet
  private let chunkGroups = Mutex<BoxGroups?>(nil)
  private let pointGroups = Mutex<BoxGroups?>(nil)

  init(
    coordinates: [Int32], chunks: PathChunks, cuts: PathCuts, featureEnds: [UInt32],
    points: DotSet, dots: DotSet
  ) {
    self.coordinates = coordinates
    chunkStarts = chunks.starts + [UInt32(truncatingIfNeeded: coordinates.count / 2) | Self.pathBit]
    chunkBoxes = chunks.boxes
    runs = chunks.runs
    self.cuts = cuts
    self.featureEnds = featureEnds
    self.points = points
    self.dots = dots
  }

  var size: Size {
    Size(
      numbers: coordinates.count, hasLines: runs.contains { !$0.isRing },
      hasPoints: !points.isEmpty)
  }

  /// The size of the arrays, in bytes.
  var byteCount: Int {
    coordinates.count * 4 + chunkStarts.count * 4 + chunkBoxes.count * 16 + featureEnds.count * 4
      + cuts.starts.count * 4 + points.byteCount + dots.byteCount + 200
      + BoxGroups.byteCount(of: chunkBoxes.count + points.rows.count)
  }

  /// The chunks that may be in a box; `nil` for all.
  func chunks(near box: WorldBox) -> BoxGroups.Members? {
    chunkGroups.members(near: box, of: chunkBoxes.count) { chunkBoxes[$0] }
  }

  /// The numbers of the points that may be in a box; `nil` for all.
  func points(near box: WorldBox) -> BoxGroups.Members? {
    pointGroups.members(near: box, of: points.rows.count) { number in
      let (x, y) = (points.coordinates[2 * number], points.coordinates[2 * number + 1])
      return WorldBox(minX: x, minY: y, maxX: x, maxY: y)
    }
  }

  /// Makes the groups of boxes that the first drawing would make.
  func makeGroups() {
    _ = chunks(near: .empty)
    _ = points(near: .empty)
  }

  /// The chunks of a feature.
  @inline(__always)
  func chunks(ofFeature feature: Int) -> Range<Int> {
    let start = feature == 0 ? 0 : Int(featureEnds[feature - 1])
    return start..<max(start, Int(featureEnds[feature]))
  }

  /// The vertices of a run of chunks.
  @inline(__always)
  func vertices(ofChunks chunks: Range<Int>) -> Range<Int> {
    let start = Int(chunkStarts[chunks.lowerBound] & ~Self.pathBit)
    return start..<max(start, Int(chunkStarts[chunks.upperBound] & ~Self.pathBit))
  }

  /// The vertices of a chunk, and the first of the next one if the path continues there.
  @inline(__always)
  func line(ofChunk chunk: Int) -> Range<Int> {
    let next = chunkStarts[chunk + 1]
    let goesOn = next & Self.pathBit == 0
    return Int(
      chunkStarts[chunk] & ~Self.pathBit)..<(Int(next & ~Self.pathBit) + (goesOn ? 1 : 0))
  }

  @inline(__always)
  func beginsPath(_ chunk: Int) -> Bool { chunkStarts[chunk] & Self.pathBit != 0 }

  /// The paths in a run of chunks, each as its chunks.
  func paths(inChunks chunks: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var first = chunks.lowerBound
    for chunk in chunks where chunk > first && beginsPath(chunk) {
      result.append(first..<chunk)
      first = chunk
    }
    if first < chunks.upperBound { result.append(first..<chunks.upperBound) }
    return result
  }
}

/// Collects the chunks of paths as they are added.
struct PathChunks {
  private(set) var starts: [UInt32] = []
  private(set) var boxes: [WorldBox] = []
  private(set) var runs: [PathLevel.Run] = []

  var count: Int { starts.count }

  /// Adds the chunks of one path of a feature; paths come one after the other.
  mutating func add(
    _ vertices: Range<Int>, of world: UnsafeMutableBufferPointer<Int32>, isRing: Bool, feature: Int
  ) {
    let before = starts.count
    var first = vertices.lowerBound
    while first < vertices.upperBound {
      let isBegin = first == vertices.lowerBound
      starts.append(UInt32(truncatingIfNeeded: first) | (isBegin ? PathLevel.pathBit : 0))
      // Including the vertex that ends the chunk's last segment.
      let end = min(first + PathLevel.chunkSize + 1, vertices.upperBound)
      var box = WorldBox.empty
      for vertex in first..<end {
        box.formUnion(x: world[2 &* vertex], y: world[2 &* vertex &+ 1])
      }
      boxes.append(box)
      first += PathLevel.chunkSize
    }
    if let last = runs.indices.last, runs[last].isRing == isRing {
      runs[last].chunks = runs[last].chunks.lowerBound..<starts.count
      runs[last].features = runs[last].features.lowerBound..<(feature + 1)
    } else {
      runs.append(
        PathLevel.Run(
          isRing: isRing, chunks: before..<starts.count, features: feature..<(feature + 1)))
    }
  }
}
