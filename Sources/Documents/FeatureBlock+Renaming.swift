extension FeatureBlock {
  /// This block with an attribute renamed in some rows; it keeps its place among the others.
  ///
  /// - Precondition: none of the rows has an attribute of the new name.
  func renamingAttribute(_ name: String, to newName: String, rows: [Int]) -> FeatureBlock {
    guard let place = attributes.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      return self
    }
    let rows = rows.filter { attributes[place].kind($0) != .missing }
    if rows.isEmpty { return self }
    let parts = partsWithColumn(newName, after: place)
    guard let target = parts.attributes.firstIndex(where: { $0.name.hasSameBytes(as: newName) }),
      let source = parts.attributes.firstIndex(where: { $0.name.hasSameBytes(as: name) })
    else { return self }
    let block = FeatureBlock(parts)
    var renamed = block.parts
    (renamed.shapes, renamed.shapeIndices) = block.replacingShapes(rows: rows) { shape, row in
      let order = block.attributeOrder(row: row).map { $0 == source ? target : $0 }
      let isRising = !zip(order, order.dropFirst()).contains { $0 >= $1 }
      shape.propertyOrder = isRising ? nil : order.map { UInt16(truncatingIfNeeded: $0) }
    }
    var column = AttributeColumnBuilder(name: newName)
    let chosen = Set(rows)
    for row in 0..<rowCount {
      let from = chosen.contains(row) ? source : target
      column.append(block.attributes[from].value(row))
    }
    renamed.attributes[target] = column.column()
    renamed.attributes[source] = block.attributes[source].replacing(rows: rows, with: .missing)
    renamed.sourceFeatures = renamed.sourceFeatures?.replacing(rows: rows, with: .missing)
    if renamed.sourceFeatures?.isEmpty == true { renamed.sourceFeatures = nil }
    return FeatureBlock(renamed).withoutEmptyColumns()
  }

  /// The parts with a column of a name, added empty after another one if it does not exist yet.
  private func partsWithColumn(_ name: String, after place: Int) -> FeatureBlockParts {
    var parts = parts
    if attributes.contains(where: { $0.name.hasSameBytes(as: name) }) { return parts }
    parts.attributes.insert(.missing(name: name, rows: rowCount), at: place + 1)
    parts.shapes = shapes.placing(
      columns: attributes.indices.map { UInt16(truncatingIfNeeded: $0 > place ? $0 + 1 : $0) })
    return parts
  }
}
