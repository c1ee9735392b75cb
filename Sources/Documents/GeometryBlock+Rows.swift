package import PortolanGraphics

extension GeometryBlock {
  /// A feature's geometry as a value; `.none` outside the block.
  package func geometry(ofFeature row: Int) -> Geometry {
    guard row >= 0 && row < featureCount else { return .none }
    let paths = paths(ofFeature: row).map { path in
      let vertices = vertices(ofPath: path)
      let heights = elevations.isEmpty ? [] : elevations[vertices].map { $0.isNaN ? nil : $0 }
      return Geometry.Path(
        role: pathRoles[path], vertices: coordinates(of: vertices),
        elevations: heights.allSatisfy { $0 == nil } ? [] : heights)
    }
    return Geometry(kind: kinds[row], paths: paths)
  }

  private func coordinates(of vertices: Range<Int>) -> [Coordinate] {
    coordinates.withUnsafeBufferPointer { pairs in
      vertices.map { Coordinate(x: pairs[2 * $0], y: pairs[2 * $0 + 1]) }
    }
  }

  /// The number of a feature's vertices.
  ///
  /// - Precondition: `row` is below `featureCount`.
  package func vertexCount(ofFeature row: Int) -> Int {
    let paths = paths(ofFeature: row)
    guard let first = paths.first, let last = paths.last else { return 0 }
    return vertices(ofPath: last).upperBound - vertices(ofPath: first).lowerBound
  }
}
