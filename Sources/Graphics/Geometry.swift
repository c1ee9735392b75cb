/// One feature's geometry as a value, for drawing, editing and commands.
///
/// Paths are as in `GeometryBlock`; rings are closed. It is made from a block row to be edited and
/// put back into a new block.
package struct Geometry: Hashable, Sendable {
  /// A run of vertices with its role in the geometry.
  package struct Path: Hashable, Sendable {
    package var role: PathRole
    package var vertices: [Coordinate]
    /// Empty, or one a vertex; NaN compares equal to nothing, so absent ordinates are `nil`.
    package var elevations: [Double?]

    package init(role: PathRole, vertices: [Coordinate], elevations: [Double?] = []) {
      self.role = role
      self.vertices = vertices
      self.elevations = elevations
    }
  }

  package var kind: GeometryKind
  package var paths: [Path]

  package init(kind: GeometryKind, paths: [Path]) {
    self.kind = kind
    self.paths = paths
  }

  /// An unlocated feature's geometry.
  package static let none = Geometry(kind: .none, paths: [])

  /// A single point.
  package static func point(_ coordinate: Coordinate) -> Geometry {
    let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
    return Geometry(kind: .point, paths: [Path(role: role, vertices: [coordinate])])
  }

  /// A line through the given vertices.
  package static func line(_ vertices: [Coordinate]) -> Geometry {
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    return Geometry(kind: .lineString, paths: [Path(role: role, vertices: vertices)])
  }

  /// A polygon: the outer ring first, then its holes; open rings are closed.
  package static func polygon(_ rings: [[Coordinate]]) -> Geometry {
    let paths = rings.enumerated().map { index, ring in
      let role = PathRole(kind: .polygon, beginsMember: index == 0, beginsPolygon: index == 0)
      let closed = ring.first == ring.last ? ring : ring + ring.prefix(1)
      return Path(role: role, vertices: closed)
    }
    return Geometry(kind: .polygon, paths: paths)
  }

  /// Whether all ordinates are finite.
  package var isFinite: Bool {
    paths.allSatisfy { path in
      path.vertices.allSatisfy { $0.x.isFinite && $0.y.isFinite }
        && path.elevations.allSatisfy { $0?.isFinite ?? true }
    }
  }

  package var box: Box {
    var box = Box.empty
    for path in paths {
      for vertex in path.vertices { box.formUnion(vertex) }
    }
    return box
  }
}
