package import PortolanGraphics

extension Geos {
  /// The union of areas that do not overlap and share whole edges, without heights; `nil` where
  /// they are none.
  ///
  /// Each border between two areas is left out, so that the rest goes as often round a point as
  /// areas lie on it. Where the rest is valid, that is once at most.
  ///
  /// - Parameter areas: valid ones.
  /// - Complexity: O(vertices), and that of the check.
  package func unionOfCoverage(
    _ areas: [FlatGeometry]
  ) throws(GeometryError) -> FlatGeometry? {
    var builder = ArcTable.Builder()
    for area in areas {
      guard area.heights.isEmpty else { return nil }
      for path in area.roles.indices {
        let ring = area.coordinates(ofPath: path)
        // Areas lie on the left of their rings.
        let isForward = (Ring.signedArea(ring) > 0) == area.roles[path].beginsPolygon
        let numbers = ring.map { builder.number(of: $0) }
        builder.add(owner: 0, numbers: isForward ? numbers : numbers.reversed())
      }
    }
    guard let outlines = builder.finish().outlines(groups: [0], count: 1)[0] else { return nil }
    let made = FlatGeometry(collecting: outlines.map(FlatGeometry.init(polygon:)))
    guard let made, try isValid(try shape(made)) else { return nil }
    return made
  }
}

extension FlatGeometry {
  /// A polygon of closed rings, the outer one first.
  fileprivate init(polygon rings: ArcTable.Outline) {
    self.init(.polygon)
    for (index, ring) in rings.enumerated() {
      append(
        PathRole(kind: .polygon, beginsMember: index == 0, beginsPolygon: index == 0), ring)
    }
  }
}
