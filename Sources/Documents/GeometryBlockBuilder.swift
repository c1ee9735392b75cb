package import PortolanGraphics

/// Collects the geometry of features in flat arrays, for a block.
///
/// Vertices come in whole runs, never one by one: a call across modules for every vertex would
/// cost more than the work itself.
package struct GeometryBlockBuilder: Sendable {
  package var coordinates: [Double] = []
  package var elevations: [Double] = []
  package var pathEnds: [UInt32] = []
  package var pathRoles: [PathRole] = []
  private var featureEnds: [UInt32] = []
  private var kinds: [GeometryKind] = []
  private var boxes: [Box] = []

  package init() {}

  package var featureCount: Int { featureEnds.count }
  package var vertexCount: Int { coordinates.count / 2 }
  /// The first path and the first vertex of the feature in progress.
  package var firstPath: Int { Int(featureEnds.last ?? 0) }
  package var firstVertex: Int { Self.start(firstPath, pathEnds) }

  /// Appends a path to the feature that is being built.
  ///
  /// - Parameters:
  ///   - role: the path's role.
  ///   - pairs: x and y of each vertex in turn; an odd last number is ignored.
  ///   - heights: nothing, or one a vertex, NaN where a vertex has none.
  package mutating func appendPath(_ role: PathRole, pairs: [Double], heights: [Double] = []) {
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
    let firstPath = firstPath
    let start = firstVertex
    if case .none = kind { removePaths() }
    let isCollection = if case .geometryCollection = kind { true } else { false }
    for path in firstPath..<pathEnds.count {
      let role = pathRoles[path]
      let own = role.rawValue & 7
      if own > 0, own < GeometryKind.geometryCollection.rawValue {
        if isCollection || own == kind.rawValue { continue }
      }
      pathRoles[path] = PathRole(
        kind: isCollection ? .lineString : kind, beginsMember: role.beginsMember,
        beginsPolygon: role.beginsPolygon)
    }
    boxes.append(Self.box(coordinates, from: start))
    featureEnds.append(UInt32(truncatingIfNeeded: pathEnds.count))
    kinds.append(kind)
  }

  /// Appends a whole feature.
  package mutating func append(_ geometry: Geometry) {
    appendPaths(of: geometry)
    endFeature(geometry.kind)
  }

  /// Appends the paths of a geometry to the feature that is being built.
  package mutating func appendPaths(of geometry: Geometry) {
    for path in geometry.paths {
      var pairs: [Double] = []
      pairs.reserveCapacity(2 * path.vertices.count)
      for vertex in path.vertices {
        pairs.append(vertex.x)
        pairs.append(vertex.y)
      }
      appendPath(path.role, pairs: pairs, heights: path.elevations.map { $0 ?? .nan })
    }
  }

  /// Appends a point without a height to the feature that is being built.
  package mutating func appendPoint(_ point: Coordinate) {
    coordinates.append(point.x)
    coordinates.append(point.y)
    if !elevations.isEmpty { padElevations(to: vertexCount) }
    pathEnds.append(UInt32(truncatingIfNeeded: vertexCount))
    pathRoles.append(Self.pointRole)
  }

  private static let pointRole = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)

  /// Appends the paths of a shape to the feature that is being built.
  package mutating func appendPaths(of flat: FlatGeometry) {
    for path in flat.roles.indices {
      let range = flat.vertices(ofPath: path)
      appendPath(
        flat.roles[path], pairs: Array(flat.pairs[2 * range.lowerBound..<2 * range.upperBound]),
        heights: flat.heights.isEmpty ? [] : Array(flat.heights[range]))
    }
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
  ///
  /// - Parameter isExact: whether its arrays are copied to their exact size.
  package func block(isExact: Bool = false) -> GeometryBlock {
    let heights = elevations.contains { !$0.isNaN } ? elevations : []
    return GeometryBlock(
      unchecked: coordinates.sized(isExact), elevations: heights.sized(isExact),
      pathEnds: pathEnds.sized(isExact), pathRoles: pathRoles.sized(isExact),
      featureEnds: featureEnds.sized(isExact), kinds: kinds.sized(isExact),
      boxes: boxes.sized(isExact))
  }

  /// Removes the paths of the feature in progress.
  package mutating func removePaths() { truncate(paths: firstPath, vertices: firstVertex) }

  /// Removes all but the first paths and vertices.
  package mutating func truncate(paths: Int, vertices: Int) {
    pathEnds.removeLast(pathEnds.count - paths)
    pathRoles.removeLast(pathRoles.count - paths)
    coordinates.removeLast(coordinates.count - 2 * vertices)
    if !elevations.isEmpty { elevations.removeLast(elevations.count - vertices) }
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
