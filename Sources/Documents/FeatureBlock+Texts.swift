extension FeatureBlock {
  /// The block with texts in place of the numbers of some attributes; itself where they have none.
  ///
  /// - Parameters:
  ///   - names: those of the attributes.
  ///   - identifiers: whether the numbers among the identifiers become texts, too.
  package func takingNumbersForTexts(in names: [String], identifiers: Bool) -> FeatureBlock {
    func isWanted(_ column: AttributeColumn) -> Bool {
      names.contains { $0.hasSameBytes(as: column.name) } && column.hasNumbers
    }
    let isIdentified = identifiers && self.identifiers.hasNumbers
    guard isIdentified || attributes.contains(where: isWanted) else { return self }
    var parts = parts
    parts.attributes = attributes.map { isWanted($0) ? $0.takingNumbersForTexts() : $0 }
    if isIdentified { parts.identifiers = parts.identifiers.takingNumbersForTexts() }
    return FeatureBlock(parts)
  }
}

extension AttributeColumn {
  fileprivate var hasNumbers: Bool { kinds.contains(AttributeKind.number.rawValue) }

  fileprivate func takingNumbersForTexts() -> AttributeColumn {
    let (number, string) = (AttributeKind.number.rawValue, AttributeKind.string.rawValue)
    return AttributeColumn(
      unchecked: name, kinds: kinds.map { $0 == number ? string : $0 }, ends: ends, bytes: bytes)
  }
}
