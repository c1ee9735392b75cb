package import PortolanGraphics

extension BlockHolding {
  /// Gives features other geometries, with their numbers to the last bit; all others keep their
  /// bytes.
  ///
  /// - Complexity: O(vertices of the blocks with such features).
  package mutating func setExactly(_ geometries: [FeatureID: Geometry]) {
    if geometries.isEmpty { return }
    blocks = blocks.map { block in
      let changes = (0..<block.rowCount).compactMap { row in
        geometries[block.featureIDs[row]].map { (row: row, geometry: $0) }
      }
      return changes.isEmpty
        ? block
        : block.replacingGeometries(
          changes, decimals: source.decimalsOfNewCoordinates, isExact: true)
    }
    updateCollectionBox()
  }
}
