import PortolanGraphics
import Synchronization

/// A geometry block in world units: the boxes of its features, and its paths at full detail as long
/// as something looks at them.
final class ProjectedBlock: Sendable {
  /// One box a feature, in world units; empty for features without a drawable vertex.
  let featureBoxes: [WorldBox]
  /// One kind a feature.
  let kinds: [GeometryKind]
  /// Whether some features are neither points nor lines.
  let hasAreas: Bool
  /// The union of the features' boxes.
  let box: WorldBox
  /// What the paths are at full detail.
  let size: PathLevel.Size
  private let full: Mutex<PathLevel?>
  private let featureGroups = Mutex<BoxGroups?>(nil)

  /// Projects all vertices of a block.
  ///
  /// - Complexity: O(vertices), about 40 ns each.
  convenience init(_ block: GeometryBlock, on plane: MapPlane) {
    var builder = ProjectionBuilder(block, plane)
    builder.run()
    let paths = builder.paths()
    self.init(block, featureBoxes: builder.featureBoxes, size: paths.size, full: paths)
  }

  init(
    _ block: GeometryBlock, featureBoxes: [WorldBox], size: PathLevel.Size, full: PathLevel? = nil
  ) {
    self.full = Mutex(full)
    self.size = size
    self.featureBoxes = featureBoxes
    kinds = block.kinds
    hasAreas = kinds.contains { $0.dimension == nil || $0.dimension == 2 }
    box = featureBoxes.reduce(into: .empty) { $0.formUnion($1) }
  }

  /// The paths at full detail, if they are kept.
  var keptPaths: PathLevel? { full.withLock { $0 } }

  /// The paths at full detail, made now if they are not kept.
  ///
  /// - Parameter block: the block that this one was made of.
  func paths(of block: GeometryBlock, on plane: MapPlane) -> PathLevel {
    full.withLock { full in
      if let full { return full }
      var builder = ProjectionBuilder(block, plane)
      builder.run()
      let made = builder.paths()
      full = made
      return made
    }
  }

  /// Lets go of the paths at full detail until something looks at them.
  func forgetPaths() { full.withLock { $0 = nil } }

  var byteCount: Int {
    (keptPaths?.byteCount ?? 0) + featureBoxes.count * 16
      + BoxGroups.byteCount(of: featureBoxes.count)
  }

  /// The rows of the features whose boxes may meet one; `nil` for all.
  func rows(near box: WorldBox) -> BoxGroups.Members? {
    featureGroups.members(near: box, of: featureBoxes.count) { featureBoxes[$0] }
  }

  /// Makes the groups of boxes that the first drawing would make.
  func makeGroups() { _ = rows(near: .empty) }
}

/// Projects one block: packs the vertices of lines and rings to the front of one buffer, and takes
/// points and one-vertex paths out.
private struct ProjectionBuilder {
  let block: GeometryBlock
  let isGeographic: Bool
  let cutFinder: CutFinder?
  /// A ring beyond this latitude may enclose a pole: a sixth of the map's height.
  private let poleUnits: Int32 = (1 << 30) / 3
  var world: [Int32]
  var used = 0
  var chunks = PathChunks()
  var cuts = PathCuts()
  var featureEnds: [UInt32] = []
  var featureBoxes: [WorldBox] = []
  var points = DotSet()
  var dots = DotSet()

  init(_ block: GeometryBlock, _ plane: MapPlane) {
    self.block = block.drawable
    isGeographic = plane.isGeographic
    cutFinder = CutFinder(plane)
    world = plane.project(self.block)
  }

  mutating func run() {
    featureEnds.reserveCapacity(block.featureCount)
    featureBoxes.reserveCapacity(block.featureCount)
    for feature in 0..<block.featureCount {
      let firstPoint = points.rows.count
      let firstDot = dots.rows.count
      let firstChunk = chunks.count
      for path in block.paths(ofFeature: feature) {
        let role = block.pathRoles[path]
        let vertices = block.vertices(ofPath: path)
        if role.kind.dimension == 0 {
          addPoints(vertices, feature)
        } else {
          addPath(vertices, role, feature)
        }
      }
      featureEnds.append(UInt32(truncatingIfNeeded: chunks.count))
      var box = WorldBox.empty
      for chunk in firstChunk..<chunks.count { box.formUnion(chunks.boxes[chunk]) }
      // Once around the world: perhaps around a pole.
      if isGeographic && box.width >= 1 << 31 {
        if box.minY < -poleUnits { box.minY = -(1 << 30) }
        if box.maxY > poleUnits { box.maxY = 1 << 30 }
      }
      for index in firstPoint..<points.rows.count {
        box.formUnion(x: points.coordinates[2 * index], y: points.coordinates[2 * index + 1])
      }
      for index in firstDot..<dots.rows.count {
        box.formUnion(x: dots.coordinates[2 * index], y: dots.coordinates[2 * index + 1])
      }
      featureBoxes.append(box)
    }
  }

  func paths() -> PathLevel {
    PathLevel(
      coordinates: finishedCoordinates(), chunks: chunks, cuts: cuts, featureEnds: featureEnds,
      points: points, dots: dots)
  }

  /// The packed coordinates, without the unused room.
  private func finishedCoordinates() -> [Int32] {
    2 * used == world.count ? world : Array(world[0..<(2 * used)])
  }

  private mutating func addPoints(_ vertices: Range<Int>, _ feature: Int) {
    for vertex in vertices where world[2 * vertex] != .min {
      points.append(x: world[2 * vertex], y: world[2 * vertex + 1], row: feature)
    }
  }

  private mutating func addPath(
    _ vertices: Range<Int>, _ role: PathRole, _ feature: Int
  ) {
    let first = used
    pack(vertices)
    let count = used - first
    guard count > 0 else { return }
    if count == 1 {
      used = first
      dots.append(x: world[2 * first], y: world[2 * first + 1], row: feature)
      return
    }
    let packed = first..<used
    let firstChunk = chunks.count
    world.withUnsafeMutableBufferPointer {
      chunks.add(packed, of: $0, isRing: role.isRing, feature: feature)
    }
    if role.isRing { findCuts(packed, firstChunk..<chunks.count) }
  }

  /// Notes the edges of a ring along which the data is cut.
  private mutating func findCuts(_ vertices: Range<Int>, _ own: Range<Int>) {
    guard let cutFinder else { return }
    for chunk in own where cutFinder.mayCut(chunks.boxes[chunk]) {
      let first = vertices.lowerBound + (chunk - own.lowerBound) * PathLevel.chunkSize
      for vertex in first..<min(first + PathLevel.chunkSize, vertices.upperBound - 1)
      where cutFinder.isCut(
        world[2 * vertex], world[2 * vertex + 1], world[2 * vertex + 2], world[2 * vertex + 3])
      {
        cuts.add(vertex)
      }
    }
  }

  /// Moves the finite vertices of a path to the end of the packed part.
  private mutating func pack(_ vertices: Range<Int>) {
    var out = used
    world.withUnsafeMutableBufferPointer { world in
      for vertex in vertices {
        let x = world[2 * vertex]
        let y = world[2 * vertex + 1]
        if x == .min { continue }
        world[2 * out] = x
        world[2 * out + 1] = y
        out += 1
      }
    }
    used = out
  }
}
