package import PortolanExpressions

/// What a style reads of each feature: an attribute, or an expression.
///
/// A style holds it as text. That text is the attribute of that name where there is one, so that
/// styles mean what they meant before there were expressions; else it is an expression.
package enum StyleChannel {
  /// The expression that a text is, for features of some attributes; `nil` where it is one of them.
  ///
  /// - Throws: `ExpressionError` where it is neither, or needs more than the feature itself.
  package static func expression(
    _ text: String, names: [String], blocks: [any ExpressionRows]
  ) throws(ExpressionError) -> Expression? {
    if names.contains(where: { $0.hasSameBytes(as: text) }) { return nil }
    let expression = try Expression(text)
    if let fault = fault(of: expression) { throw ExpressionError(fault, column: 1) }
    try expression.check(
      in: Schema(names: names, blocks: blocks, wanted: expression.attributes))
    return expression
  }

  /// What keeps an expression from being computed for one feature alone.
  private static func fault(of expression: Expression) -> String? {
    if expression.hasAggregates {
      return "figures of many features cannot be in a style: set N := … first"
    }
    if expression.hasRelations {
      return "other features cannot be asked in a style: set N := … first"
    }
    let other = expression.qualities.first { [.layer, .area, .length, .bearing].contains($0) }
    return other.map { "$\($0.rawValue) cannot be in a style: set N := $\($0.rawValue) first" }
  }

  /// The expression of a text for a block; `nil` where it cannot have values there.
  fileprivate static func expression(_ text: String, in block: FeatureBlock) -> Expression? {
    guard let expression = try? Expression(text), fault(of: expression) == nil else { return nil }
    let names = expression.attributes
    return names.isEmpty || names.contains { block.column($0) != nil } ? expression : nil
  }
}

extension FeatureBlock {
  /// The values of a channel of a style; `nil` if no feature of this block has one.
  ///
  /// - Complexity: O(rows) for an expression, once.
  package func channel(_ text: String) -> AttributeColumn? {
    if let column = column(text) { return column }
    return derived.value(.channel(ExactText(text))) {
      guard let expression = StyleChannel.expression(text, in: self) else { return nil }
      var tally = Tally()
      let rows = BlockRows(self, layer: "", isGeographic: false)
      let evaluate = expression.bound(to: FeatureSet([]), &tally).evaluator(for: rows)
      var builder = AttributeColumnBuilder(name: text)
      for row in 0..<rowCount { builder.append(evaluate(row, &tally).attribute) }
      return builder.column()
    }
  }
}
