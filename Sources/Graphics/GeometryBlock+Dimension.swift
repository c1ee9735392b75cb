extension GeometryBlock {
  /// 0 for a feature of points, 1 if it has lines, 2 if it has areas.
  ///
  /// - Precondition: `feature` is below `featureCount`.
  package func dimension(ofFeature feature: Int) -> Int {
    paths(ofFeature: feature).reduce(0) { max($0, pathRoles[$1].kind.dimension ?? 0) }
  }
}
