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

  /// The shapes with replacements for some rows, by the present shape of each.
  ///
  /// - Complexity: O(rows), and one change a shape.
  func replacingShapes(
    rows: [Int], by change: (inout FeatureShape) -> Void
  ) -> (shapes: [FeatureShape], indices: [UInt16]) {
    // One row of each shape represents all rows with it.
    var samples: [UInt16: Int] = [:]
    for row in rows where samples[shapeIndices[row]] == nil { samples[shapeIndices[row]] = row }
    let made = numberedShapes(samples.values.sorted()) { shape, _ in change(&shape) }
    let numbers = samples.mapValues { made.indices[$0] }
    var indices = shapeIndices
    for row in rows { indices[row] = numbers[shapeIndices[row]] ?? indices[row] }
    return Self.pruned(made.shapes, indices)
  }

  /// The shapes with a replacement for some rows.
  func replacingShapes(
    rows: [Int], by change: (inout FeatureShape, Int) -> Void
  ) -> (shapes: [FeatureShape], indices: [UInt16]) {
    let (shapes, indices) = numberedShapes(rows, by: change)
    return Self.pruned(shapes, indices)
  }

  private func numberedShapes(
    _ rows: [Int], by change: (inout FeatureShape, Int) -> Void
  ) -> (shapes: [FeatureShape], indices: [UInt16]) {
    var shapes = shapes
    var indices = shapeIndices
    var numbers: [FeatureShape: UInt16] = [:]
    for (number, shape) in shapes.enumerated().reversed() {
      numbers[shape] = UInt16(truncatingIfNeeded: number)
    }
    for row in rows {
      var shape = shapes[Int(indices[row])]
      change(&shape, row)
      if let known = numbers[shape] {
        indices[row] = known
      } else if shapes.count <= Int(UInt16.max) {
        let number = UInt16(truncatingIfNeeded: shapes.count)
        shapes.append(shape)
        numbers[shape] = number
        indices[row] = number
      }
    }
    return (shapes, indices)
  }

  /// The shapes in use, renumbered.
  private static func pruned(
    _ shapes: [FeatureShape], _ indices: [UInt16]
  ) -> (shapes: [FeatureShape], indices: [UInt16]) {
    let used = Set(indices)
    guard used.count < shapes.count else { return (shapes, indices) }
    var numbers: [UInt16: UInt16] = [:]
    var kept: [FeatureShape] = []
    for (number, shape) in shapes.enumerated() {
      let number = UInt16(truncatingIfNeeded: number)
      guard used.contains(number) else { continue }
      numbers[number] = UInt16(truncatingIfNeeded: kept.count)
      kept.append(shape)
    }
    return (kept, indices.map { numbers[$0] ?? 0 })
  }
}
