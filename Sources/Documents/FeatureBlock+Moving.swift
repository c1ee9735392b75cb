extension FeatureBlock {
  /// This block with a column moved before the first of some others, or to the end; the features'
  /// own orders follow.
  ///
  /// - Parameter followers: the names of all columns that stand behind it then.
  func movingAttribute(_ name: String, before followers: Set<ExactText>) -> FeatureBlock {
    guard let place = attributes.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      return self
    }
    let order = Self.moving(place, in: Array(attributes.indices)) {
      followers.contains(ExactText(attributes[$0].name))
    }
    let isSame = order == Array(attributes.indices)
    let rows = (0..<rowCount).filter { row in
      guard attributes[place].kind(row) != .missing else { return false }
      guard shape(row: row).propertyOrder != nil else { return !isSame }
      let own = attributeOrder(row: row)
      return own
        != Self.moving(place, in: own) { followers.contains(ExactText(attributes[$0].name)) }
    }
    if rows.isEmpty, isSame { return self }
    var places = [UInt16?](repeating: nil, count: order.count)
    for (new, old) in order.enumerated() { places[old] = UInt16(truncatingIfNeeded: new) }
    var parts = parts
    parts.attributes = order.map { attributes[$0] }
    parts.shapes = shapes.placing(columns: places)
    let block = FeatureBlock(parts)
    let moved = Int(places[place] ?? 0)
    (parts.shapes, parts.shapeIndices) = block.replacingShapes(
      rows: rows.filter { block.shape(row: $0).propertyOrder != nil }
    ) { shape, row in
      let order = Self.moving(moved, in: block.attributeOrder(row: row)) {
        followers.contains(ExactText(block.attributes[$0].name))
      }
      let isRising = !zip(order, order.dropFirst()).contains { $0 >= $1 }
      shape.propertyOrder = isRising ? nil : order.map { UInt16(truncatingIfNeeded: $0) }
    }
    parts.sourceFeatures = sourceFeatures?.clearing(rows: rows)
    return FeatureBlock(parts)
  }

  /// An order with one of its places moved before the first other that follows it.
  private static func moving(
    _ place: Int, in order: [Int], before follows: (Int) -> Bool
  ) -> [Int] {
    var order = order.filter { $0 != place }
    order.insert(place, at: order.firstIndex(where: follows) ?? order.count)
    return order
  }
}

extension BlockHolding {
  /// Moves an attribute of all features before another one; to the end if that is `nil`.
  ///
  /// - Throws: the errors of `report`, which is called with each block's number; then nothing has
  ///   changed.
  /// - Complexity: O(features of the layer).
  package mutating func moveAttribute(
    _ name: String, before other: String?, report: (_ block: Int) throws -> Void
  ) throws {
    let names = fieldNames.filter { !$0.hasSameBytes(as: name) }
    let start = other.flatMap { other in names.firstIndex { $0.hasSameBytes(as: other) } }
    let followers = Set(names[(start ?? names.count)...].map { ExactText($0) })
    var edited = blocks
    for (index, block) in blocks.enumerated() {
      try report(index)
      edited[index] = block.movingAttribute(name, before: followers)
    }
    blocks = edited
  }
}
