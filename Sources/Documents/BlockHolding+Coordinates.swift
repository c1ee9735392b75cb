import PortolanGraphics

/// Other coordinates for all features of a layer, as another coordinate system gives them.
extension BlockHolding {
  /// Replaces all coordinates, block by block; heights, attributes and numbers stay.
  ///
  /// The form of the source's text goes with them: numbers are the shortest, and `bbox` and `crs`
  /// members, which would be wrong, are removed.
  ///
  /// - Parameters:
  ///   - convert: replaces x and y of each vertex in turn; infinite without a place in the target.
  ///   - report: called after each block with the part that is done, 0 to 1.
  /// - Throws: `DocumentError` if a vertex has no place, and the errors of `report`; nothing has
  ///   changed then.
  /// - Complexity: O(vertices).
  package mutating func replaceCoordinates(
    by convert: (inout [Double]) -> Void, report: (Double) throws -> Void
  ) throws {
    var replaced: [FeatureBlock] = []
    var lost: (count: Int, first: Coordinate)?
    for (index, block) in blocks.enumerated() {
      var pairs = block.geometry.coordinates
      convert(&pairs)
      if pairs.contains(where: { !$0.isFinite }) {
        for row in 0..<block.rowCount {
          let vertices = block.geometry.paths(ofFeature: row).flatMap {
            block.geometry.vertices(ofPath: $0)
          }
          guard let vertex = vertices.first(where: { !pairs[2 * $0].isFinite }) else { continue }
          lost = ((lost?.count ?? 0) + 1, lost?.first ?? block.geometry.coordinate(at: vertex))
        }
      } else {
        replaced.append(block.replacingCoordinates(pairs))
      }
      try report(Double(index + 1) / Double(blocks.count))
    }
    if let lost {
      throw DocumentError(
        .invalidValue, path: name,
        CountText.text(lost.count, "feature reaches", "features reach")
          + " where the system has no place, the first one at "
          + "\(lost.first.x) \(lost.first.y)")
    }
    blocks = replaced
    source.members.removeAll { ["bbox", "crs"].contains($0.name) }
  }
}

extension FeatureBlock {
  fileprivate func replacingCoordinates(_ pairs: [Double]) -> FeatureBlock {
    var parts = parts
    let same = geometry
    guard
      let geometry = GeometryBlock(
        coordinates: pairs, elevations: same.elevations, pathEnds: same.pathEnds,
        pathRoles: same.pathRoles, featureEnds: same.featureEnds, kinds: same.kinds)
    else { return self }
    parts.geometry = geometry
    parts.sourceGeometries = nil
    parts.sourceFeatures = nil
    let isWrong = { (column: AttributeColumn) in ["bbox", "crs"].contains(column.name) }
    parts.foreignMembers.removeAll(where: isWrong)
    parts.geometryForeignMembers.removeAll(where: isWrong)
    parts.shapes = shapes.map { shape in
      var shape = shape
      shape.numberStyle = .shortest
      return shape
    }
    return FeatureBlock(parts)
  }
}
