/// The importance of a point among those of its layer, as its sign tells it.
package enum PointImportance: Hashable, Sendable {
  case small, middle, large
}

extension Layer {
  /// The importance of the points with a sign; middle where signs tell none.
  ///
  /// - Complexity: O(blocks).
  package func importance(ofSign symbol: String) -> PointImportance {
    guard let known = (self as? any BlockHolding)?.signClasses, known.classes.field != nil,
      let number = known.signs.firstIndex(of: symbol)
    else { return .middle }
    switch SignClasses.Group(rawValue: number) {
    case .small, .smallCapital: return .small
    case .large, .capital: return .large
    case .middle, nil: return .middle
    }
  }
}
