extension FeatureBlock {
  /// This block with other numbers, for features that become part of another layer.
  ///
  /// - Precondition: there are as many as rows.
  package func renumbered(_ ids: [FeatureID]) -> FeatureBlock {
    precondition(ids.count == rowCount, "\(ids.count) numbers for \(rowCount) features")
    var parts = parts
    parts.featureIDs = ids
    return FeatureBlock(parts)
  }
}
