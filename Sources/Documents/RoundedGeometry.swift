import Graphics

/// Gives new coordinates as many decimals as the file has, and leaves the others alone.
struct RoundedGeometry {
  let decimals: Int
  /// How the feature's numbers are written after the edit.
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

  /// The geometry with every vertex that the former one does not have rounded.
  func geometry(_ geometry: Geometry, former: Geometry) -> Geometry {
    let known = Set(former.paths.lazy.flatMap(\.vertices))
    var geometry = geometry
    for path in geometry.paths.indices {
      for vertex in geometry.paths[path].vertices.indices {
        let coordinate = geometry.paths[path].vertices[vertex]
        if known.contains(coordinate) { continue }
        geometry.paths[path].vertices[vertex] = Coordinate(
          x: NumberText.rounded(coordinate.x, decimals: decimals),
          y: NumberText.rounded(coordinate.y, decimals: decimals))
      }
    }
    return geometry
  }
}

extension Geometry {
  /// One box a path.
  var pathBoxes: [Box] {
    paths.map { path in path.vertices.reduce(into: Box.empty) { $0.formUnion($1) } }
  }
}

extension CollectionSource {
  /// With fewer decimals a new point would be a kilometre or more from where it was put.
  static let fewestUsefulDecimals = 2

  /// The decimals of coordinates that did not come from the file: as many as the file has, unless
  /// those are too few to draw with.
  package var decimalsOfNewCoordinates: Int {
    decimals >= Self.fewestUsefulDecimals ? decimals : 6
  }
}
