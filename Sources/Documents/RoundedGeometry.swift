import PortolanGraphics

/// Rounds new coordinates to the decimals of the file, and leaves the others unchanged.
struct RoundedGeometry {
  let decimals: Int
  /// The number style of the feature after the edit.
  let numberStyle: FeatureShape.NumberStyle

  init(decimals: Int, style: FeatureShape.NumberStyle = .shortest) {
    switch style {
    case .decimals(let own) where own >= CollectionSource.fewestUsefulDecimals:
      self.decimals = own
      numberStyle = style
    case .decimals, .source:
      self.decimals = decimals
      numberStyle = .shortest
    case .shortest, .shortestWithPoint:
      self.decimals = decimals
      numberStyle = style
    }
  }

  /// The geometry with every new vertex rounded.
  func geometry(_ geometry: Geometry, former: Geometry) -> Geometry {
    var geometry = geometry
    for path in geometry.paths.indices {
      let vertices = geometry.paths[path].vertices
      let formerVertices = path < former.paths.count ? former.paths[path].vertices : []
      let changed = Self.changedRange(of: vertices, from: formerVertices)
      if changed.isEmpty { continue }
      let isKnown = Self.membership(in: former, askedTimes: changed.count)
      for vertex in changed where !isKnown(vertices[vertex]) {
        geometry.paths[path].vertices[vertex] = Coordinate(
          x: NumberText.rounded(vertices[vertex].x, decimals: decimals),
          y: NumberText.rounded(vertices[vertex].y, decimals: decimals))
      }
    }
    return geometry
  }

  /// The range between the common first and the common last vertices.
  private static func changedRange(
    of vertices: [Coordinate], from former: [Coordinate]
  ) -> Range<Int> {
    let shared = min(vertices.count, former.count)
    var first = 0
    while first < shared, vertices[first] == former[first] { first += 1 }
    var last = 0
    while last < shared - first,
      vertices[vertices.count - 1 - last] == former[former.count - 1 - last]
    {
      last += 1
    }
    return first..<vertices.count - last
  }

  /// Whether the former geometry has a vertex: a search for a few, a table for many.
  private static func membership(
    in former: Geometry, askedTimes count: Int
  ) -> (Coordinate) -> Bool {
    let formerCount = former.paths.reduce(0) { $0 + $1.vertices.count }
    guard count > 8, formerCount > 64 else {
      return { vertex in former.paths.contains { $0.vertices.contains(vertex) } }
    }
    let known = Set(former.paths.lazy.flatMap(\.vertices))
    return { known.contains($0) }
  }
}

extension Geometry {
  /// One box a path.
  var pathBoxes: [Box] {
    paths.map { path in path.vertices.reduce(into: Box.empty) { $0.formUnion($1) } }
  }
}

extension CollectionSource {
  /// With fewer decimals a new point would be a kilometre or more from its place.
  static let fewestUsefulDecimals = 2

  /// The decimals of new coordinates: as many as the file has, unless those are too few to draw
  /// with.
  package var decimalsOfNewCoordinates: Int {
    decimals >= Self.fewestUsefulDecimals ? decimals : 6
  }
}
