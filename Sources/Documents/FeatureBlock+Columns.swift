extension FeatureBlock {
  /// This block with other attributes, in the order of the columns.
  ///
  /// - Precondition: each column has a value or none for each row.
  package func replacingAttributes(_ columns: [AttributeColumn]) -> FeatureBlock {
    var parts = parts
    parts.attributes = columns
    parts.replaceShapes(of: Array(0..<rowCount)) { shape in
      shape.properties = .object
      shape.propertyOrder = nil
    }
    parts.sourceFeatures = nil
    return FeatureBlock(parts).withoutEmptyColumns()
  }
}

extension AttributeColumn {
  /// The same values under another name.
  package func renamed(_ name: String) -> AttributeColumn {
    AttributeColumn(unchecked: name, kinds: kinds, ends: ends, bytes: bytes)
  }
}
