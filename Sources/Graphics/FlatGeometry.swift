/// One feature's shape in flat arrays, on its way to GEOS and back.
///
/// Paths are those of `GeometryBlock`: a point, the points of a multi-point, a line or a ring.
package struct FlatGeometry: Hashable, Sendable {
  package var kind: GeometryKind
  /// Two doubles a vertex, x then y.
  package var pairs: [Double] = []
  /// Empty, or one double a vertex; NaN where a vertex has no third ordinate.
  package var heights: [Double] = []
  /// The vertex after the last of each path.
  package var ends: [Int] = []
  /// One role a path.
  package var roles: [PathRole] = []

  package init(_ kind: GeometryKind) { self.kind = kind }

  /// The shape of a row of a block.
  ///
  /// - Precondition: `row` is below `featureCount`.
  package init(_ block: GeometryBlock, row: Int) {
    kind = block.kinds[row]
    let paths = block.paths(ofFeature: row)
    guard let first = paths.first, let last = paths.last else { return }
    let start = block.vertices(ofPath: first).lowerBound
    let end = block.vertices(ofPath: last).upperBound
    pairs = Array(block.coordinates[2 * start..<2 * end])
    if !block.elevations.isEmpty { heights = Array(block.elevations[start..<end]) }
    if !heights.contains(where: { !$0.isNaN }) { heights = [] }
    roles = Array(block.pathRoles[paths])
    ends = paths.map { Int(block.pathEnds[$0]) - start }
  }

  package var vertexCount: Int { pairs.count / 2 }
  package var isEmpty: Bool { pairs.isEmpty }

  /// 0 for points, 1 if it has lines, 2 if it has areas; `nil` without paths.
  package var dimension: Int? { roles.compactMap(\.kind.dimension).max() }

  /// The dimension of all its parts; `nil` if they differ.
  package var commonDimension: Int? {
    let dimensions = Set(roles.compactMap(\.kind.dimension))
    return dimensions.count == 1 ? dimensions.first : nil
  }

  package var isFinite: Bool { pairs.allSatisfy(\.isFinite) }

  package var box: Box {
    var box = Box.empty
    for vertex in 0..<vertexCount { box.formUnion(self[vertex]) }
    return box
  }

  package subscript(vertex: Int) -> Coordinate {
    Coordinate(x: pairs[2 * vertex], y: pairs[2 * vertex + 1])
  }

  /// The vertices of a path.
  package func vertices(ofPath path: Int) -> Range<Int> {
    (path == 0 ? 0 : ends[path - 1])..<ends[path]
  }

  /// The positions of a path.
  package func coordinates(ofPath path: Int) -> [Coordinate] {
    vertices(ofPath: path).map { self[$0] }
  }

  /// Appends a path; `heights` is empty or has one a vertex.
  package mutating func append(
    _ role: PathRole, pairs added: some Sequence<Double>, heights addedHeights: [Double] = []
  ) {
    let former = vertexCount
    pairs += added
    if !addedHeights.isEmpty || !heights.isEmpty {
      heights += Array(repeating: .nan, count: former - heights.count) + addedHeights
      heights += Array(repeating: .nan, count: vertexCount - heights.count)
    }
    ends.append(vertexCount)
    roles.append(role)
  }

  package mutating func append(_ role: PathRole, _ vertices: [Coordinate]) {
    append(role, pairs: vertices.flatMap { [$0.x, $0.y] })
  }

  /// Appends a path of this shape or another one.
  package mutating func append(_ other: FlatGeometry, path: Int, as role: PathRole? = nil) {
    let range = other.vertices(ofPath: path)
    append(
      role ?? other.roles[path],
      pairs: other.pairs[2 * range.lowerBound..<2 * range.upperBound],
      heights: other.heights.isEmpty ? [] : Array(other.heights[range]))
  }

  // MARK: Parts

  /// The paths of each part: a point, a line, a polygon with its holes.
  package var parts: [Range<Int>] {
    var parts: [Range<Int>] = []
    for path in roles.indices {
      if roles[path].isHole, let last = parts.popLast() {
        parts.append(last.lowerBound..<path + 1)
      } else {
        parts.append(path..<path + 1)
      }
    }
    return parts
  }

  /// A shape for each part: a point, a line or a polygon.
  package var separated: [FlatGeometry] {
    parts.flatMap { paths -> [FlatGeometry] in
      let role = roles[paths.lowerBound]
      if role.kind.dimension == 0 {
        return vertices(ofPath: paths.lowerBound).map { vertex in
          var part = FlatGeometry(.point)
          part.append(
            .point, pairs: pairs[2 * vertex...2 * vertex + 1],
            heights: heights.isEmpty ? [] : [heights[vertex]])
          return part
        }
      }
      var part = FlatGeometry(role.kind.dimension == 1 ? .lineString : .polygon)
      for path in paths {
        let isFirst = path == paths.lowerBound
        part.append(
          self, path: path,
          as: PathRole(
            kind: part.kind, beginsMember: isFirst,
            beginsPolygon: isFirst && part.kind == .polygon))
      }
      return [part]
    }
  }

  /// One shape of single parts: a multi-part of their kind where there are several, a collection
  /// where they differ; `nil` without any.
  ///
  /// - Parameter isMulti: whether a single part becomes a multi-part too.
  package init?(collecting parts: [FlatGeometry], isMulti: Bool = false) {
    let parts = parts.filter { !$0.isEmpty }
    guard let first = parts.first else { return nil }
    let dimensions = Set(parts.compactMap(\.dimension))
    let isMixed = dimensions.count > 1
    kind = isMixed ? .geometryCollection : first.kind
    if !isMixed, parts.count > 1 || isMulti {
      kind = [GeometryKind.multiPoint, .multiLineString, .multiPolygon][first.dimension ?? 0]
    }
    for part in parts {
      for path in part.roles.indices {
        let isFirst = path == 0
        let role = PathRole(
          kind: isMixed ? part.kind : kind,
          beginsMember: isFirst && (isMixed || roles.isEmpty),
          beginsPolygon: isFirst && part.dimension == 2)
        append(part, path: path, as: role)
      }
    }
    if kind == .multiPoint { joinPoints() }
  }

  /// Makes the points of a multi-point one path.
  private mutating func joinPoints() {
    ends = [vertexCount]
    roles = [PathRole(kind: .multiPoint, beginsMember: true, beginsPolygon: false)]
  }
}

extension PathRole {
  package static let point = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
  package static let line = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
}
