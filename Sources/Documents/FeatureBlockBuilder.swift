package import PortolanGraphics

/// Builds blocks row by row: importers fill rows, edits copy rows of other blocks.
///
/// An importer appends the paths of a feature to `geometry`, sets values in the current `row` of
/// the columns in any order, and ends the row; a full block is closed then. Nothing is allocated
/// per vertex or per value: geometry and texts are in flat arrays.
///
///     builder.geometry.appendPath(role, pairs: doubles)
///     builder.setAttribute("name", to: .string("Loire"))
///     builder.endRow(.lineString, shape: .plain)
package struct FeatureBlockBuilder: Sendable {
  /// The size at which a block is closed. Blocks are the units of copying by edits and of drawing;
  /// an edit splits a block of more than twice these rows or vertices.
  enum Target {
    static let rows = 1_024
    static let vertices = 16_384
    static let textBytes = 4 << 20
    static let columns = 32_768
    /// Cells of a block's table beyond eight for every value: sparse tables make smaller blocks.
    static let spareCells = 16_384
  }

  package var geometry = GeometryBlockBuilder()
  package var identifiers = AttributeColumnBuilder(name: "id")
  package var attributes = ColumnSetBuilder()
  package var members = ColumnSetBuilder()
  package var geometryMembers = ColumnSetBuilder()
  /// The source texts of geometries and features, for rows that the columns would not reproduce.
  package var sourceGeometries = AttributeColumnBuilder(name: "geometry")
  package var sourceFeatures = AttributeColumnBuilder(name: "feature")
  private var featureIDs: [FeatureID] = []
  private var shapes: [FeatureShape] = []
  private var shapeNumbers: [FeatureShape: UInt16] = [:]
  /// The number of the shape that was asked for last: rows in turn look alike.
  private var lastShape: UInt16?
  private var shapeIndices: [UInt16] = []
  /// The columns with a value in the current row, in the order of setting.
  private var order: [UInt16] = []
  /// Whether they were set in the order of the columns.
  private var isOrderRising = true

  /// The closed blocks.
  package private(set) var blocks: [FeatureBlock] = []
  /// The number of the feature in the current row.
  package private(set) var nextFeatureID: UInt64

  /// Starts a layer; for additions to a layer, the number is its own next one.
  package init(nextFeatureID: UInt64 = 1) { self.nextFeatureID = max(nextFeatureID, 1) }

  /// The index of the row in progress.
  package private(set) var row = 0

  // MARK: Rows of an importer

  /// Sets an attribute of the current row; given twice, the last value stands in the first place.
  package mutating func setAttribute(
    _ place: Int, _ kind: AttributeKind, utf8: UnsafeBufferPointer<UInt8>
  ) {
    let isNew = attributes.set(place, row: row, kind, utf8: utf8)
    guard isNew else { return }
    let number = UInt16(truncatingIfNeeded: place)
    if let last = order.last, last >= number { isOrderRising = false }
    order.append(number)
  }

  /// The same by the name of the attribute.
  package mutating func setAttribute(_ name: String, to value: AttributeValue) {
    var text = value.kind.rawValue < AttributeKind.number.rawValue ? "" : value.text
    let place = attributes.place(of: name)
    text.withUTF8 { setAttribute(place, value.kind, utf8: $0) }
  }

  /// The number of a shape, to end rows of the current block with.
  package mutating func number(of shape: FeatureShape) -> UInt16 {
    if let lastShape, shapes[Int(lastShape)] == shape { return lastShape }
    if let known = shapeNumbers[shape] {
      lastShape = known
      return known
    }
    let number = UInt16(truncatingIfNeeded: shapes.count)
    shapes.append(shape)
    shapeNumbers[shape] = number
    lastShape = number
    return number
  }

  /// Ends the current row, gives its feature the next number and closes a block that is full.
  ///
  /// - Parameters:
  ///   - kind: the kind of the whole geometry of the appended paths.
  ///   - shape: the shape, whose order of attributes becomes that of setting.
  package mutating func endRow(_ kind: GeometryKind, shape: FeatureShape) {
    endRow(kind, shapeNumber: number(ofOrdered: shape))
  }

  /// The same with a number returned by `number(of:)` since the last block was closed.
  package mutating func endRow(_ kind: GeometryKind, shapeNumber: UInt16) {
    geometry.endFeature(kind)
    endRow(FeatureID(nextFeatureID), shapeNumber)
    nextFeatureID &+= 1
    if isFull { close() }
  }

  /// Closes the last block.
  ///
  /// - Returns: all blocks.
  package mutating func finish() -> [FeatureBlock] {
    if row > 0 { close() }
    return blocks
  }

  /// Adds the closed blocks of a builder that began with feature 1, under the next numbers.
  ///
  /// - Precondition: no row is in progress.
  package mutating func append(closed others: [FeatureBlock]) {
    let former = nextFeatureID - 1
    for block in others {
      blocks.append(
        block.renumbered(block.featureIDs.map { FeatureID($0.rawValue &+ former) }))
      nextFeatureID &+= UInt64(block.rowCount)
    }
  }

  /// Returns the closed blocks and forgets them; the row in progress stays.
  package mutating func takeBlocks() -> [FeatureBlock] {
    defer { blocks = [] }
    return blocks
  }

  private mutating func number(ofOrdered shape: FeatureShape) -> UInt16 {
    var shape = shape
    if !isOrderRising { shape.propertyOrder = order }
    order.removeAll(keepingCapacity: true)
    isOrderRising = true
    return number(of: shape)
  }

  private mutating func endRow(_ id: FeatureID, _ shapeNumber: UInt16) {
    featureIDs.append(id)
    row += 1
    shapeIndices.append(shapeNumber)
  }

  /// Whether a block of this size is below the target.
  static func hasRoom(rows: Int, vertices: Int) -> Bool {
    rows < Target.rows && vertices < Target.vertices
  }

  var hasRoom: Bool { Self.hasRoom(rows: row, vertices: geometry.vertexCount) }

  private var isFull: Bool {
    if !hasRoom { return true }
    if sourceFeatures.byteCount + sourceGeometries.byteCount > Target.textBytes
      || attributes.count + members.count + geometryMembers.count > Target.columns
    {
      return true
    }
    if row % 16 != 0 { return false }
    let tables = [attributes, members, geometryMembers]
    let cells = row * tables.reduce(0) { $0 + $1.usedCount }
    return tables.reduce(0) { $0 + $1.byteCount } > Target.textBytes
      || cells > Target.spareCells + 8 * tables.reduce(0) { $0 + $1.valueCount }
  }

  /// Closes the block; a feature beyond the target gets a block of its own.
  private mutating func close() {
    blocks += block(isExact: true).split()
    var next = FeatureBlockBuilder(nextFeatureID: nextFeatureID)
    swap(&next.blocks, &blocks)
    swap(&next.geometry, &geometry)
    next.geometry.removeAll()
    self = next
  }

  // MARK: Rows of edits

  /// Appends rows of a block unchanged.
  ///
  /// - Precondition: `rows` lies within the block.
  package mutating func append(_ block: FeatureBlock, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    let former = row
    geometry.append(block.geometry, rows: rows)
    featureIDs.append(contentsOf: block.featureIDs[rows])
    row += rows.count
    identifiers.append(block.identifiers, rows: rows, at: former)
    let places = attributes.append(block.attributes, rows: rows, at: former)
    _ = members.append(block.foreignMembers, rows: rows, at: former)
    _ = geometryMembers.append(block.geometryForeignMembers, rows: rows, at: former)
    sourceGeometries.append(block.sourceGeometries, rows: rows, at: former)
    sourceFeatures.append(block.sourceFeatures, rows: rows, at: former)
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
    geometry.append(feature.geometry)
    identifiers.pad(toRows: row)
    identifiers.append(feature.identifier)
    for (name, value) in feature.attributes.lastOfEachName where value.kind != .missing {
      setAttribute(name, to: value)
    }
    endRow(feature.id, number(ofOrdered: .plain))
  }

  /// Closes the block if it is full. The numbers of its features may be in any order.
  package mutating func closeIfFull() {
    if isFull { close() }
  }

  /// Gives the features of the last rows new numbers.
  package mutating func renumber(last count: Int) {
    for row in max(0, row - count)..<row {
      featureIDs[row] = FeatureID(nextFeatureID)
      nextFeatureID &+= 1
    }
  }

  /// Appends a row of a block with another geometry, which is written as it is.
  ///
  /// - Parameters:
  ///   - hasIdentifier: whether it keeps its `id` member.
  ///   - placed: appends the paths of the geometry and returns its kind.
  package mutating func append(
    _ block: FeatureBlock, row source: Int, hasIdentifier: Bool,
    _ placed: (inout GeometryBlockBuilder) -> GeometryKind
  ) {
    let kind = placed(&geometry)
    geometry.endFeature(kind)
    let rows = source..<source + 1
    let former = row
    func isKept(_ column: AttributeColumn) -> Bool {
      column.kind(source) != .missing && !["bbox", "crs"].contains(column.name)
    }
    featureIDs.append(block.featureIDs[source])
    row += 1
    identifiers.pad(toRows: former)
    if hasIdentifier { identifiers.append(block.identifiers, rows: rows, at: former) }
    let places = attributes.append(block.attributes, rows: rows, at: former)
    _ = members.append(block.foreignMembers.filter(isKept), rows: rows, at: former)
    _ = geometryMembers.append(
      block.geometryForeignMembers.filter(isKept), rows: rows, at: former)
    var shape = block.shape(row: source)
    shape.propertyOrder = shape.propertyOrder?.map { places[Int($0)] }
    shape.numberStyle = .shortest
    shape.isCutOnExport = false
    let isCollection = kind == .geometryCollection
    if isCollection || shape.geometryMembers.contains("geometries") {
      shape.geometryMembers = ["type", isCollection ? "geometries" : "coordinates"]
    }
    shapeIndices.append(number(of: shape))
  }

  /// Appends a new feature with the attributes of rows of other blocks, the next number, and a
  /// geometry that is written as it is.
  ///
  /// - Parameters:
  ///   - sources: columns, and the row in each of them.
  ///   - placed: appends the paths of the geometry and returns its kind.
  package mutating func append(
    attributesOf sources: [(columns: [AttributeColumn], row: Int)],
    _ placed: (inout GeometryBlockBuilder) -> GeometryKind
  ) {
    for (columns, source) in sources {
      for column in columns where column.kind(source) != .missing {
        setAttribute(column.name, to: column.value(source))
      }
    }
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    let kind = placed(&geometry)
    if kind == .geometryCollection { shape.geometryMembers = ["type", "geometries"] }
    endRow(kind, shape: shape)
  }

  /// The rows so far as a block, without empty columns.
  ///
  /// - Parameter isExact: whether its arrays are copied to their exact size.
  package func block(isExact: Bool = false) -> FeatureBlock {
    let attributes = attributes.finish(rows: row, isExact: isExact)
    func column(_ builder: AttributeColumnBuilder) -> AttributeColumn? {
      builder.isEmpty ? nil : builder.column(rows: row, isExact: isExact)
    }
    return FeatureBlock(
      FeatureBlockParts(
        geometry: geometry.block(isExact: isExact), featureIDs: featureIDs.sized(isExact),
        identifiers: identifiers.column(rows: row, isExact: isExact),
        attributes: attributes.columns,
        foreignMembers: members.finish(rows: row, isExact: isExact).columns,
        geometryForeignMembers: geometryMembers.finish(rows: row, isExact: isExact).columns,
        sourceGeometries: column(sourceGeometries), sourceFeatures: column(sourceFeatures),
        shapes: shapes.placing(columns: attributes.places),
        shapeIndices: shapeIndices.sized(isExact)))
  }
}

extension [FeatureShape] {
  /// The shapes after columns have moved to other places, or were removed (`nil`).
  func placing(columns places: [UInt16?]) -> Self {
    map { shape in
      var shape = shape
      shape.propertyOrder = shape.propertyOrder?.compactMap { places[Int($0)] }
      return shape
    }
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
