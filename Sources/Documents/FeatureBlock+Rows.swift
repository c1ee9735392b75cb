import PortolanGraphics

extension FeatureBlock {
  /// A feature as a value.
  ///
  /// - Precondition: `row` is below `rowCount`.
  package func feature(row: Int) -> Feature {
    Feature(
      id: featureIDs[row], identifier: identifiers.value(row),
      geometry: geometry.geometry(ofFeature: row),
      attributes: attributeOrder(row: row).map { place in
        (attributes[place].name, attributes[place].value(row))
      })
  }

  /// The columns with a value in a row, in the feature's own order.
  package func attributeOrder(row: Int) -> [Int] {
    let present = attributes.indices.filter { attributes[$0].kind(row) != .missing }
    guard let order = shapes[Int(shapeIndices[row])].propertyOrder else { return present }
    var listed = Set<Int>()
    var places: [Int] = []
    for place in order.map(Int.init) where attributes[place].kind(row) != .missing {
      if listed.insert(place).inserted { places.append(place) }
    }
    return places + present.filter { !listed.contains($0) }
  }

  /// The shape of a row.
  ///
  /// - Precondition: `row` is below `rowCount`.
  package func shape(row: Int) -> FeatureShape { shapes[Int(shapeIndices[row])] }

  /// This block, or two or more blocks if it has grown beyond twice the target or a feature beyond
  /// the target has others beside it.
  func split() -> [FeatureBlock] {
    let target = FeatureBlockBuilder.Target.self
    func isLarge(_ row: Int) -> Bool { geometry.vertexCount(ofFeature: row) > target.vertices }
    let vertexCount = geometry.vertexCount
    guard rowCount > 1,
      rowCount > 2 * target.rows || vertexCount > 2 * target.vertices
        || vertexCount > target.vertices && (0..<rowCount).contains(where: isLarge)
    else { return [self] }
    var parts: [FeatureBlock] = []
    var start = 0
    var vertices = 0
    for row in 0..<rowCount {
      let own = geometry.vertexCount(ofFeature: row)
      if row > start, row - start >= target.rows || vertices + own > target.vertices {
        parts.append(part(start..<row))
        start = row
        vertices = 0
      }
      vertices += own
    }
    parts.append(part(start..<rowCount))
    return parts
  }

  private func part(_ rows: Range<Int>) -> FeatureBlock {
    var builder = FeatureBlockBuilder()
    builder.append(self, rows: rows)
    return builder.block()
  }

  /// The block without the columns in which no row has a value.
  func withoutEmptyColumns() -> FeatureBlock {
    let isKept = attributes.map { !$0.isEmpty }
    guard
      isKept.contains(false) || foreignMembers.contains(where: \.isEmpty)
        || geometryForeignMembers.contains(where: \.isEmpty)
    else { return self }
    var places = [UInt16?](repeating: nil, count: attributes.count)
    var next: UInt16 = 0
    for place in attributes.indices where isKept[place] {
      places[place] = next
      next &+= 1
    }
    var parts = parts
    parts.attributes = attributes.indices.filter { isKept[$0] }.map { attributes[$0] }
    parts.foreignMembers.removeAll(where: \.isEmpty)
    parts.geometryForeignMembers.removeAll(where: \.isEmpty)
    parts.shapes = shapes.placing(columns: places)
    return FeatureBlock(parts)
  }

  /// The shapes with a replacement for some rows.
  func replacingShapes(
    rows: [Int], by change: (inout FeatureShape, Int) -> Void
  ) -> (shapes: [FeatureShape], indices: [UInt16]) {
    var parts = parts
    var numbers = parts.shapeNumbers
    for row in rows {
      var shape = shape(row: row)
      change(&shape, row)
      parts.shapeIndices[row] = parts.number(of: shape, &numbers) ?? shapeIndices[row]
    }
    parts.dropUnusedShapes()
    return (parts.shapes, parts.shapeIndices)
  }
}

extension FeatureBlockParts {
  /// Replaces the shapes of some rows, by the present shape of each.
  ///
  /// - Complexity: O(rows), and one change a shape.
  mutating func replaceShapes(of rows: [Int], by change: (inout FeatureShape) -> Void) {
    var numbers = shapeNumbers
    var replaced = [UInt16?](repeating: nil, count: shapes.count)
    for row in rows {
      let former = shapeIndices[row]
      if let number = replaced[Int(former)] {
        shapeIndices[row] = number
        continue
      }
      var shape = shapes[Int(former)]
      change(&shape)
      shapeIndices[row] = number(of: shape, &numbers) ?? former
      replaced[Int(former)] = shapeIndices[row]
    }
    dropUnusedShapes()
  }

  /// The number of each shape, the first of equal ones.
  fileprivate var shapeNumbers: [FeatureShape: UInt16] {
    Dictionary(
      shapes.enumerated().map { ($1, UInt16(truncatingIfNeeded: $0)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number of a shape, which is added if it is new; `nil` if there is no room for it.
  fileprivate mutating func number(
    of shape: FeatureShape, _ numbers: inout [FeatureShape: UInt16]
  ) -> UInt16? {
    if let known = numbers[shape] { return known }
    guard shapes.count <= Int(UInt16.max) else { return nil }
    let number = UInt16(truncatingIfNeeded: shapes.count)
    shapes.append(shape)
    numbers[shape] = number
    return number
  }

  /// Keeps only the shapes in use, renumbered.
  fileprivate mutating func dropUnusedShapes() {
    var isUsed = [Bool](repeating: false, count: shapes.count)
    for index in shapeIndices { isUsed[Int(index)] = true }
    guard isUsed.contains(false) else { return }
    var numbers: [UInt16] = []
    var kept: [FeatureShape] = []
    for (shape, isUsed) in zip(shapes, isUsed) {
      numbers.append(UInt16(truncatingIfNeeded: kept.count))
      if isUsed { kept.append(shape) }
    }
    shapes = kept
    shapeIndices = shapeIndices.map { numbers[Int($0)] }
  }
}
