extension FeatureBlock {
  /// This block with an attribute called otherwise in some rows; it keeps its place among the
  /// others.
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

  /// The parts with a column of a name, added empty behind another one where it is not there yet.
  private func partsWithColumn(_ name: String, after place: Int) -> FeatureBlockParts {
    var parts = parts
    if attributes.contains(where: { $0.name.hasSameBytes(as: name) }) { return parts }
    parts.attributes.insert(.missing(name: name, rows: rowCount), at: place + 1)
    parts.shapes = shapes.map { shape in
      var shape = shape
      shape.propertyOrder = shape.propertyOrder?.map { Int($0) > place ? $0 &+ 1 : $0 }
      return shape
    }
    return parts
  }
}

extension FeatureLayer {
  /// Renames an attribute of some features; it keeps its place among the others.
  ///
  /// - Throws: `DocumentError` if the new name is empty or one of the features has it already;
  ///   then nothing has changed.
  package mutating func renameAttribute(
    _ name: String, to newName: String, of ids: Set<FeatureID>
  ) throws {
    if newName.isEmpty {
      throw DocumentError(.invalidValue, path: self.name, "an attribute needs a name")
    }
    var edited = blocks
    for (index, block) in blocks.enumerated() {
      let rows =
        ids.count < 32
        ? ids.compactMap { block.row(of: $0) }.sorted()
        : block.featureIDs.indices.filter { ids.contains(block.featureIDs[$0]) }
      let has = rows.filter { block.attribute(name, row: $0).kind != .missing }
      if has.contains(where: { block.attribute(newName, row: $0).kind != .missing }) {
        throw DocumentError(
          .invalidValue, path: self.name, "there is an attribute “\(newName)” already")
      }
      if !has.isEmpty { edited[index] = block.renamingAttribute(name, to: newName, rows: has) }
    }
    blocks = edited
  }
}
