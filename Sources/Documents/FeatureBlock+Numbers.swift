extension FeatureBlock {
  /// This block with other numbers, for features that become part of another layer.
  ///
  /// Where there are not as many as rows, it stays as it is.
  package func renumbered(_ ids: [FeatureID]) -> FeatureBlock {
    guard ids.count == rowCount else { return self }
    var parts = parts
    parts.featureIDs = ids
    return FeatureBlock(parts)
  }

  /// This block without a foreign member of the feature in one row.
  ///
  /// - Precondition: `row` is below `rowCount`.
  package func removingMember(_ name: String, row: Int) -> FeatureBlock {
    guard let place = foreignMembers.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      return self
    }
    var parts = parts
    parts.foreignMembers[place] = foreignMembers[place].replacing(rows: [row], with: [.missing])
    (parts.shapes, parts.shapeIndices) = replacingShapes(rows: [row]) { shape, _ in
      shape.members.removeAll { $0.hasSameBytes(as: name) }
    }
    parts.sourceFeatures = sourceFeatures?.clearing(rows: [row])
    return FeatureBlock(parts).withoutEmptyColumns()
  }
}
