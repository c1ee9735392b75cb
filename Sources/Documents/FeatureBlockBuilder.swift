import PortolanGraphics

/// Builds a block from rows of other blocks and from features, for edits.
package struct FeatureBlockBuilder {
  private var geometry = GeometryBlockBuilder()
  private var featureIDs: [FeatureID] = []
  private var identifiers = AttributeColumnBuilder(name: "id")
  private var attributes = RowColumns()
  private var members = RowColumns()
  private var geometryMembers = RowColumns()
  private var sourceGeometries = RowColumns()
  private var sourceFeatures = RowColumns()
  private var shapes: [FeatureShape] = []
  private var shapeNumbers: [FeatureShape: UInt16] = [:]
  private var shapeIndices: [UInt16] = []

  package init() {}

  package var rowCount: Int { featureIDs.count }

  /// Appends rows of a block unchanged.
  ///
  /// - Precondition: `rows` lies within the block.
  package mutating func append(_ block: FeatureBlock, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    let former = rowCount
    geometry.append(block.geometry, rows: rows)
    featureIDs.append(contentsOf: block.featureIDs[rows])
    identifiers.append(block.identifiers, rows: rows)
    let places = attributes.append(block.attributes, rows: rows, at: former)
    _ = members.append(block.foreignMembers, rows: rows, at: former)
    _ = geometryMembers.append(block.geometryForeignMembers, rows: rows, at: former)
    _ = sourceGeometries.append(block.sourceGeometries.map { [$0] } ?? [], rows: rows, at: former)
    _ = sourceFeatures.append(block.sourceFeatures.map { [$0] } ?? [], rows: rows, at: former)
    var known: [UInt16: UInt16] = [:]
    for index in block.shapeIndices[rows] {
      if let number = known[index] {
        shapeIndices.append(number)
        continue
      }
      var shape = block.shapes[Int(index)]
      shape.propertyOrder = shape.propertyOrder?.map { places[Int($0)] }
      let number = self.number(of: shape)
      known[index] = number
      shapeIndices.append(number)
    }
  }

  /// Appends a new feature in the plain shape; of a name given twice, the last value counts.
  package mutating func append(_ feature: Feature) {
    let row = rowCount
    geometry.append(feature.geometry)
    featureIDs.append(feature.id)
    identifiers.append(feature.identifier)
    var order: [UInt16] = []
    for (name, value) in feature.attributes.lastOfEachName where value.kind != .missing {
      order.append(attributes.set(name, to: value, row: row))
    }
    var shape = FeatureShape.plain
    if zip(order, order.dropFirst()).contains(where: { $0 >= $1 }) { shape.propertyOrder = order }
    shapeIndices.append(number(of: shape))
  }

  package func block() -> FeatureBlock {
    let rows = rowCount
    return FeatureBlock(
      FeatureBlockParts(
        geometry: geometry.block(), featureIDs: featureIDs, identifiers: identifiers.column(),
        attributes: attributes.finish(rows: rows), foreignMembers: members.finish(rows: rows),
        geometryForeignMembers: geometryMembers.finish(rows: rows),
        sourceGeometries: sourceGeometries.finish(rows: rows).first { !$0.isEmpty },
        sourceFeatures: sourceFeatures.finish(rows: rows).first { !$0.isEmpty }, shapes: shapes,
        shapeIndices: shapeIndices))
  }

  private mutating func number(of shape: FeatureShape) -> UInt16 {
    if let known = shapeNumbers[shape] { return known }
    let number = UInt16(truncatingIfNeeded: shapes.count)
    shapes.append(shape)
    shapeNumbers[shape] = number
    return number
  }
}

extension [(name: String, value: AttributeValue)] {
  /// Each name once, in the place of its first value with its last value.
  var lastOfEachName: Self {
    var places: [ExactText: Int] = [:]
    var kept: Self = []
    for attribute in self {
      if let place = places[ExactText(attribute.name)] {
        kept[place].value = attribute.value
      } else {
        places[ExactText(attribute.name)] = kept.count
        kept.append(attribute)
      }
    }
    return kept
  }
}

/// Columns by name that grow by runs of rows.
private struct RowColumns {
  private var columns: [AttributeColumnBuilder] = []
  private var places: [ExactText: Int] = [:]

  /// Appends a run of rows; returns the index here of each given column.
  mutating func append(_ source: [AttributeColumn], rows: Range<Int>, at row: Int) -> [UInt16] {
    source.map { column in
      let place = place(of: column.name)
      columns[place].pad(toRows: row)
      columns[place].append(column, rows: rows)
      return UInt16(truncatingIfNeeded: place)
    }
  }

  /// Sets one value.
  mutating func set(_ name: String, to value: AttributeValue, row: Int) -> UInt16 {
    let place = place(of: name)
    columns[place].pad(toRows: row)
    columns[place].append(value)
    return UInt16(truncatingIfNeeded: place)
  }

  func finish(rows: Int) -> [AttributeColumn] {
    columns.map { column in
      var column = column
      column.pad(toRows: rows)
      return column.column()
    }
  }

  private mutating func place(of name: String) -> Int {
    if let place = places[ExactText(name)] { return place }
    places[ExactText(name)] = columns.count
    columns.append(AttributeColumnBuilder(name: name))
    return columns.count - 1
  }
}
