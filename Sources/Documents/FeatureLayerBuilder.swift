package import PortolanGraphics

/// Builds the blocks of a layer feature by feature, for importers.
///
/// Nothing is made per vertex or per value: geometry and texts are copied as whole runs into flat
/// arrays, and a block is closed at about 1,000 features or 16,384 vertices. For each feature:
/// `beginFeature`, then paths, identifier, attributes and foreign members in any order, then
/// `endFeature`, or `cancelFeature` to leave it out.
///
///     let name = builder.column("name".utf8)        // once, or each time
///     let shape = builder.shape(.plain)             // once
///     builder.beginFeature()
///     builder.appendPath(role, pairs: doubles)
///     builder.setAttribute(name, .string, utf8: bytes)
///     builder.endFeature(.lineString, shape: shape)
package struct FeatureLayerBuilder: Sendable {
  /// The size at which a block is closed. Blocks are the units of copying by edits and of drawing.
  enum Target {
    static let rows = 1_000
    static let vertices = 16_384
    static let textBytes = 8 << 20
    /// Cells of a block's table beyond eight for every value: sparse tables make smaller blocks.
    static let spareCells = 65_536
    static let columns = 32_768
  }

  enum Table: Int, CaseIterable, Sendable {
    case identifier, attribute, member, geometryMember, sourceGeometry, sourceFeature
  }

  private struct PendingValue: Sendable {
    var table: Table
    var column: Int
    var kind: AttributeKind
    var bytes: Range<Int>
  }

  private struct ShapeUse: Hashable, Sendable {
    var shape: Int
    /// The layer's columns in the feature's order, if that differs.
    var order: [Int]?
  }

  private var names = [NameTable](repeating: NameTable(), count: Table.allCases.count)
  private var shapes: [FeatureShape] = []
  private var shapeNumbers: [FeatureShape: Int] = [:]

  private var pendingGeometry = GeometryBlockBuilder()
  private var pendingValues: [PendingValue] = []
  private var pendingBytes: [UInt8] = []
  /// The number of features begun, and of the last feature that used each column.
  private var beginCount = 1
  private var lastUses = [[Int]](repeating: [], count: Table.allCases.count)

  private var geometry = GeometryBlockBuilder()
  private var featureIDs: [FeatureID] = []
  private var tables = [ColumnSetBuilder](
    repeating: ColumnSetBuilder(), count: Table.allCases.count)
  private var shapeUses: [ShapeUse] = []
  private var shapeUseNumbers: [ShapeUse: UInt16] = [:]
  private var shapeIndices: [UInt16] = []
  private var valueCount = 0
  private var textByteCount = 0

  private var blocks: [FeatureBlock] = []
  /// The number of the next feature.
  package private(set) var nextFeatureID: UInt64
  /// The numbers of built features with points, lines, areas and collections.
  package private(set) var dimensionCounts = [0, 0, 0, 0]
  /// The number of built features.
  package private(set) var featureCount = 0

  /// Starts a layer; for additions to a layer, the number is its own next one.
  package init(nextFeatureID: UInt64 = 1) {
    self.nextFeatureID = max(nextFeatureID, 1)
    _ = names[Table.identifier.rawValue].number(of: "id")
    _ = names[Table.sourceGeometry.rawValue].number(of: "geometry")
    _ = names[Table.sourceFeature.rawValue].number(of: "feature")
  }

  // MARK: Names and shapes

  /// The number of an attribute; fast if features name their attributes in the same order.
  package mutating func column(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    names[Table.attribute.rawValue].number(of: name)
  }

  /// The number of an attribute.
  package mutating func column(_ name: String) -> Int {
    names[Table.attribute.rawValue].number(of: name)
  }

  /// The names of all attributes so far, in order of first appearance.
  package var columnNames: [String] { names[Table.attribute.rawValue].names }

  /// The number of a shape, to end features with.
  package mutating func shape(_ shape: FeatureShape) -> Int {
    if let known = shapeNumbers[shape] { return known }
    shapes.append(shape)
    shapeNumbers[shape] = shapes.count - 1
    return shapes.count - 1
  }

  // MARK: One feature

  package mutating func beginFeature() {
    cancelFeature()
    for table in names.indices { names[table].restart() }
  }

  /// Discards everything since `beginFeature`.
  package mutating func cancelFeature() {
    beginCount += 1
    pendingGeometry.removeAll()
    pendingValues.removeAll(keepingCapacity: true)
    pendingBytes.removeAll(keepingCapacity: true)
  }

  /// Appends a path: `pairs` are x and y of each vertex in turn, `heights` nothing or one a
  /// vertex, NaN where a vertex has none.
  package mutating func appendPath(
    _ role: PathRole, pairs: UnsafeBufferPointer<Double>,
    heights: UnsafeBufferPointer<Double> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    pendingGeometry.appendPath(role, pairs: pairs, heights: heights)
  }

  /// Appends a path held in arrays.
  package mutating func appendPath(_ role: PathRole, pairs: [Double], heights: [Double] = []) {
    pairs.withUnsafeBufferPointer { pairs in
      heights.withUnsafeBufferPointer { heights in
        pendingGeometry.appendPath(role, pairs: pairs, heights: heights)
      }
    }
  }

  /// Sets the `id` member.
  package mutating func setIdentifier(_ kind: AttributeKind, utf8: UnsafeBufferPointer<UInt8>) {
    set(.identifier, column: 0, kind, utf8)
  }

  /// Sets an attribute; given twice, the last value wins in the first place.
  package mutating func setAttribute(
    _ column: Int, _ kind: AttributeKind, utf8: UnsafeBufferPointer<UInt8>
  ) {
    set(.attribute, column: column, kind, utf8)
  }

  /// Sets a foreign member of the feature object, `bbox` among them, as JSON text.
  package mutating func setMember(
    _ name: UnsafeBufferPointer<UInt8>, json: UnsafeBufferPointer<UInt8>
  ) {
    let column = names[Table.member.rawValue].number(of: name)
    set(.member, column: column, .json, json)
  }

  /// Sets a foreign member of the geometry object as JSON text.
  package mutating func setGeometryMember(
    _ name: UnsafeBufferPointer<UInt8>, json: UnsafeBufferPointer<UInt8>
  ) {
    let column = names[Table.geometryMember.rawValue].number(of: name)
    set(.geometryMember, column: column, .json, json)
  }

  /// Keeps the geometry's own text, for a shape whose number style is `.source`.
  package mutating func setSourceGeometry(json: UnsafeBufferPointer<UInt8>) {
    set(.sourceGeometry, column: 0, .json, json)
  }

  /// Keeps the feature's own text, if its columns would not reproduce it.
  package mutating func setSourceFeature(json: UnsafeBufferPointer<UInt8>) {
    set(.sourceFeature, column: 0, .json, json)
  }

  private mutating func set(
    _ table: Table, column: Int, _ kind: AttributeKind, _ utf8: UnsafeBufferPointer<UInt8>
  ) {
    let start = pendingBytes.count
    if kind.rawValue >= AttributeKind.number.rawValue { pendingBytes.append(contentsOf: utf8) }
    let value = PendingValue(
      table: table, column: column, kind: kind, bytes: start..<pendingBytes.count)
    if isRepeated(column, of: table),
      let place = pendingValues.firstIndex(where: { $0.table == table && $0.column == column })
    {
      pendingValues[place] = value
    } else {
      pendingValues.append(value)
    }
  }

  /// Whether the pending feature has a value in this column already; from now on it has.
  private mutating func isRepeated(_ column: Int, of table: Table) -> Bool {
    let lacking = column + 1 - lastUses[table.rawValue].count
    if lacking > 0 { lastUses[table.rawValue].append(contentsOf: repeatElement(0, count: lacking)) }
    defer { lastUses[table.rawValue][column] = beginCount }
    return lastUses[table.rawValue][column] == beginCount
  }

  /// Ends the feature and gives it its number.
  ///
  /// - Parameters:
  ///   - kind: of the whole geometry; every path's role must belong to it.
  ///   - shape: a number returned by `shape(_:)`.
  @discardableResult
  package mutating func endFeature(_ kind: GeometryKind, shape: Int) -> FeatureID {
    pendingGeometry.endFeature(kind)
    if isFull(adding: pendingGeometry.vertexCount) { closeBlock() }
    let row = featureIDs.count
    geometry.append(pendingGeometry)
    commitValues(row: row)
    let use = ShapeUse(shape: shape, order: attributeOrder())
    shapeIndices.append(number(of: use))
    let id = FeatureID(nextFeatureID)
    featureIDs.append(id)
    nextFeatureID &+= 1
    featureCount += 1
    if kind != .none { dimensionCounts[kind.dimension ?? 3] += 1 }
    cancelFeature()
    return id
  }

  /// Ends the last block and returns all of them.
  package mutating func finish() -> [FeatureBlock] {
    cancelFeature()
    closeBlock()
    defer { blocks = [] }
    return blocks
  }
}

extension FeatureLayerBuilder {
  private func isFull(adding vertices: Int) -> Bool {
    let rows = featureIDs.count
    guard rows > 0 else { return false }
    let columns = tables.reduce(0) { $0 + $1.count }
    return rows >= Target.rows || geometry.vertexCount + vertices > Target.vertices
      || textByteCount + pendingBytes.count > Target.textBytes
      || rows * columns > Target.spareCells + 8 * valueCount
      || columns + pendingValues.count > Target.columns
  }

  private mutating func commitValues(row: Int) {
    pendingBytes.withUnsafeBufferPointer { bytes in
      for value in pendingValues {
        let table = value.table.rawValue
        tables[table].append(
          column: value.column, name: names[table].names[value.column], row: row,
          kind: value.kind, utf8: UnsafeBufferPointer(rebasing: bytes[value.bytes]))
      }
    }
    valueCount += pendingValues.count
    textByteCount += pendingBytes.count
  }

  /// The pending feature's columns in its own order; `nil` if they rise.
  private func attributeOrder() -> [Int]? {
    var last = -1
    for value in pendingValues where value.table == .attribute {
      if value.column < last {
        return pendingValues.compactMap { $0.table == .attribute ? $0.column : nil }
      }
      last = value.column
    }
    return nil
  }

  private mutating func number(of use: ShapeUse) -> UInt16 {
    if let known = shapeUseNumbers[use] { return known }
    let number = UInt16(truncatingIfNeeded: shapeUses.count)
    shapeUses.append(use)
    shapeUseNumbers[use] = number
    return number
  }

  private mutating func closeBlock() {
    let rows = featureIDs.count
    guard rows > 0 else { return }
    let finished = tables.map { $0.finish(rows: rows) }
    let attributes = finished[Table.attribute.rawValue]
    var places: [Int: UInt16] = [:]
    for (place, number) in attributes.numbers.enumerated() {
      places[number] = UInt16(truncatingIfNeeded: place)
    }
    let blockShapes = shapeUses.map { use in
      var shape = shapes[use.shape]
      // A single feature with more columns than an index can address keeps the columns' order.
      shape.propertyOrder =
        attributes.columns.count > Int(UInt16.max) ? nil : use.order?.compactMap { places[$0] }
      return shape
    }
    blocks.append(
      FeatureBlock(
        FeatureBlockParts(
          geometry: geometry.block(), featureIDs: featureIDs,
          identifiers: finished[Table.identifier.rawValue].columns.first
            ?? AttributeColumn.missing(name: "id", rows: rows),
          attributes: attributes.columns,
          foreignMembers: finished[Table.member.rawValue].columns,
          geometryForeignMembers: finished[Table.geometryMember.rawValue].columns,
          sourceGeometries: finished[Table.sourceGeometry.rawValue].columns.first,
          sourceFeatures: finished[Table.sourceFeature.rawValue].columns.first,
          shapes: blockShapes, shapeIndices: shapeIndices)))
    beginBlock()
  }

  private mutating func beginBlock() {
    geometry = GeometryBlockBuilder()
    featureIDs.removeAll(keepingCapacity: true)
    for table in tables.indices { tables[table].removeAll() }
    shapeUses.removeAll(keepingCapacity: true)
    shapeUseNumbers.removeAll(keepingCapacity: true)
    shapeIndices.removeAll(keepingCapacity: true)
    valueCount = 0
    textByteCount = 0
  }
}
