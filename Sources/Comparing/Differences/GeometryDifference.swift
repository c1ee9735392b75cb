package import PortolanGraphics

/// The differences between two geometries: vertex by vertex in the paths of both, else path by
/// path.
package struct GeometryDifference: Sendable {
  /// A vertex that is elsewhere.
  package struct Move: Sendable {
    /// The path of the new geometry, from 0.
    package var path: Int
    /// The vertex in it, from 0.
    package var vertex: Int
    package var from: Coordinate
    package var to: Coordinate
    /// In metres, or in the units of planar coordinates.
    package var distance: Double
  }

  /// Vertices of a path in the place of others.
  package struct Exchange: Sendable {
    package var path: Int
    /// The first of them, from 0.
    package var vertex: Int
    package var removed: Int
    package var added: Int
  }

  package var oldKind: GeometryKind
  package var newKind: GeometryKind
  package var moves: [Move] = []
  package var exchanges: [Exchange] = []
  /// The paths, from 0, that only the old geometry has.
  package var removedPaths: [Int] = []
  /// Those that only the new one has.
  package var addedPaths: [Int] = []
  /// How many vertices have another third ordinate.
  package var heights = 0
  /// Whether paths that both have come in another order or belong to other parts.
  package var isRearranged = false

  /// - Parameter isGeographic: whether coordinates are degrees.
  /// - Complexity: O(vertices).
  package init(from old: Geometry, to new: Geometry, isGeographic: Bool) {
    (oldKind, newKind) = (old.kind, new.kind)
    func hashes(_ geometry: Geometry) -> MatchedValues {
      MatchedValues(
        hashes: geometry.paths.map { path in
          var hasher = Hasher()
          hasher.combine(path.role.isHole)
          hasher.combine(path.vertices)
          hasher.combine(path.elevations)
          return hasher.finalize()
        })
    }
    let matching = FeatureMatching(hashes(old), hashes(new))
    var pairs = matching.second
    removedPaths = pairs.indices.filter { pairs[$0] == nil }
    addedPaths = matching.first.indices.filter { matching.first[$0] == nil }
    // Where as many outer rings are left, or as many holes, they are those of before.
    for isHole in [false, true] {
      let left = removedPaths.filter { old.paths[$0].role.isHole == isHole }
      let found = addedPaths.filter { new.paths[$0].role.isHole == isHole }
      guard left.count == found.count else { continue }
      for (index, other) in zip(left, found) { pairs[index] = other }
      removedPaths.removeAll { old.paths[$0].role.isHole == isHole }
      addedPaths.removeAll { new.paths[$0].role.isHole == isHole }
    }
    var last = -1
    for (index, other) in pairs.enumerated() {
      guard let other else { continue }
      let (path, newPath) = (old.paths[index], new.paths[other])
      if other < last || path.role != newPath.role { isRearranged = true }
      last = other
      guard path != newPath else { continue }
      compare(path, newPath, other, isGeographic: isGeographic)
    }
  }

  private mutating func compare(
    _ old: Geometry.Path, _ new: Geometry.Path, _ path: Int, isGeographic: Bool
  ) {
    let (vertices, others) = (old.vertices, new.vertices)
    if vertices.count == others.count {
      for (vertex, ends) in zip(vertices, others).enumerated() where ends.0 != ends.1 {
        moves.append(
          Move(
            path: path, vertex: vertex, from: ends.0, to: ends.1,
            distance: Self.distance(ends.0, ends.1, isGeographic)))
      }
      heights += (0..<vertices.count).count { old.height($0) != new.height($0) }
      return
    }
    let most = min(vertices.count, others.count)
    var start = 0
    while start < most, vertices[start] == others[start] { start += 1 }
    var end = 0
    while end < most - start,
      vertices[vertices.count - 1 - end] == others[others.count - 1 - end]
    {
      end += 1
    }
    exchanges.append(
      Exchange(
        path: path, vertex: start, removed: vertices.count - start - end,
        added: others.count - start - end))
  }

  private static func distance(
    _ from: Coordinate, _ to: Coordinate, _ isGeographic: Bool
  )
    -> Double
  {
    if isGeographic { return Geodesy.distance(from: from, to: to) }
    let (x, y) = (to.x - from.x, to.y - from.y)
    return (x * x + y * y).squareRoot()
  }
}

extension Geometry.Path {
  fileprivate func height(_ vertex: Int) -> Double? {
    elevations.indices.contains(vertex) ? elevations[vertex] : nil
  }
}
