package import PortolanGraphics

/// Collects the geometry of features in flat arrays, for a block.
///
/// Vertices come in whole runs, never one by one: a call across modules for every vertex would
/// cost more than the work itself.
package struct GeometryBlockBuilder: Sendable {
  private var coordinates: [Double] = []
  private var elevations: [Double] = []
  private var pathEnds: [UInt32] = []
  private var pathRoles: [PathRole] = []
  private var featureEnds: [UInt32] = []
  private var kinds: [GeometryKind] = []
  private var boxes: [Box] = []

  package init() {}

  package var featureCount: Int { featureEnds.count }
  package var vertexCount: Int { coordinates.count / 2 }

  /// Appends a path to the feature that is being built.
  ///
  /// - Parameters:
  ///   - role: the path's role.
  ///   - pairs: x and y of each vertex in turn; an odd last number is ignored.
  ///   - heights: nothing, or one a vertex, NaN where a vertex has none.
  package mutating func appendPath(
    _ role: PathRole, pairs: UnsafeBufferPointer<Double>,
    heights: UnsafeBufferPointer<Double> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    let vertices = pairs.count / 2
    let former = vertexCount
    coordinates.append(contentsOf: pairs.prefix(2 * vertices))
    if !heights.isEmpty || !elevations.isEmpty {
      padElevations(to: former)
      elevations.append(contentsOf: heights.prefix(vertices))
      padElevations(to: vertexCount)
    }
    pathEnds.append(UInt32(truncatingIfNeeded: vertexCount))
    pathRoles.append(role)
  }

  /// Ends the feature of the appended paths; roles of another kind are changed to its own.
  package mutating func endFeature(_ kind: GeometryKind) {
    let firstPath = Int(featureEnds.last ?? 0)
    let start = Self.start(firstPath, pathEnds)
    if kind == .none { removePaths(from: firstPath) }
    for path in firstPath..<pathEnds.count {
      let own = kind == .geometryCollection ? pathRoles[path].kind : kind
      if own == .none || own == .geometryCollection || own != pathRoles[path].kind {
        pathRoles[path] = PathRole(
          kind: own.dimension == nil ? .lineString : own,
          beginsMember: pathRoles[path].beginsMember,
          beginsPolygon: pathRoles[path].beginsPolygon)
      }
    }
    boxes.append(Self.box(coordinates, from: start))
    featureEnds.append(UInt32(truncatingIfNeeded: pathEnds.count))
    kinds.append(kind)
  }

  /// Appends a whole feature.
  package mutating func append(_ geometry: Geometry) {
    for path in geometry.paths {
      var pairs: [Double] = []
      pairs.reserveCapacity(2 * path.vertices.count)
      for vertex in path.vertices {
        pairs.append(vertex.x)
        pairs.append(vertex.y)
      }
      let heights = path.elevations.map { $0 ?? .nan }
      pairs.withUnsafeBufferPointer { pairs in
        heights.withUnsafeBufferPointer { appendPath(path.role, pairs: pairs, heights: $0) }
      }
    }
    endFeature(geometry.kind)
  }

  /// Appends features of a block, whole runs of memory at once.
  ///
  /// - Precondition: `rows` lies within the block.
  package mutating func append(_ block: GeometryBlock, rows: Range<Int>) {
    if rows.isEmpty { return }
    let paths =
      Self.start(
        rows.lowerBound, block.featureEnds)..<Self.start(
        rows.upperBound, block.featureEnds)
    let vertices =
      Self.start(
        paths.lowerBound, block.pathEnds)..<Self.start(
        paths.upperBound, block.pathEnds)
    let formerVertices = vertexCount
    let formerPaths = pathEnds.count
    coordinates.append(
      contentsOf: block.coordinates[2 * vertices.lowerBound..<2 * vertices.upperBound])
    if !block.elevations.isEmpty {
      padElevations(to: formerVertices)
      elevations.append(contentsOf: block.elevations[vertices])
    } else if !elevations.isEmpty {
      padElevations(to: vertexCount)
    }
    let vertexShift = UInt32(truncatingIfNeeded: formerVertices &- vertices.lowerBound)
    pathEnds.append(contentsOf: block.pathEnds[paths].lazy.map { $0 &+ vertexShift })
    pathRoles.append(contentsOf: block.pathRoles[paths])
    let pathShift = UInt32(truncatingIfNeeded: formerPaths &- paths.lowerBound)
    featureEnds.append(contentsOf: block.featureEnds[rows].lazy.map { $0 &+ pathShift })
    kinds.append(contentsOf: block.kinds[rows])
    boxes.append(contentsOf: block.boxes[rows])
  }

  /// Appends everything that another builder has collected.
  mutating func append(_ other: GeometryBlockBuilder) {
    let formerVertices = UInt32(truncatingIfNeeded: vertexCount)
    let formerPaths = UInt32(truncatingIfNeeded: pathEnds.count)
    if !other.elevations.isEmpty { padElevations(to: vertexCount) }
    coordinates.append(contentsOf: other.coordinates)
    elevations.append(contentsOf: other.elevations)
    if !elevations.isEmpty { padElevations(to: vertexCount) }
    for end in other.pathEnds { pathEnds.append(end &+ formerVertices) }
    pathRoles.append(contentsOf: other.pathRoles)
    for end in other.featureEnds { featureEnds.append(end &+ formerPaths) }
    kinds.append(contentsOf: other.kinds)
    boxes.append(contentsOf: other.boxes)
  }

  /// Forgets everything, keeping the memory for later blocks.
  mutating func removeAll() {
    coordinates.removeAll(keepingCapacity: true)
    elevations.removeAll(keepingCapacity: true)
    pathEnds.removeAll(keepingCapacity: true)
    pathRoles.removeAll(keepingCapacity: true)
    featureEnds.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
  }

  /// The block; it holds no elevations where no vertex has one.
  package func block() -> GeometryBlock {
    let heights = elevations.contains { !$0.isNaN } ? elevations : []
    return GeometryBlock(
      unchecked: coordinates, elevations: heights, pathEnds: pathEnds, pathRoles: pathRoles,
      featureEnds: featureEnds, kinds: kinds, boxes: boxes)
  }

  private mutating func removePaths(from path: Int) {
    let vertices = Self.start(path, pathEnds)
    pathEnds.removeSubrange(path...)
    pathRoles.removeSubrange(path...)
    coordinates.removeSubrange((2 * vertices)...)
    if !elevations.isEmpty { elevations.removeSubrange(min(vertices, elevations.count)...) }
  }

  private mutating func padElevations(to count: Int) {
    guard elevations.count < count else { return }
    elevations.append(contentsOf: repeatElement(.nan, count: count - elevations.count))
  }

  private static func start(_ index: Int, _ ends: [UInt32]) -> Int {
    index == 0 ? 0 : Int(ends[index - 1])
  }

  /// The box of all vertices from one on; coordinates that are not finite are ignored.
  private static func box(_ coordinates: [Double], from vertex: Int) -> Box {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity
    coordinates.withUnsafeBufferPointer { pairs in
      var index = 2 * vertex
      while index + 1 < pairs.count {
        let x = pairs[index]
        let y = pairs[index + 1]
        index += 2
        guard x.isFinite && y.isFinite else { continue }
        minX = min(minX, x)
        maxX = max(maxX, x)
        minY = min(minY, y)
        maxY = max(maxY, y)
      }
    }
    return Box(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }
}
