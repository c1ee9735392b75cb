import Archiving
import PortolanGraphics

/// The difference between two feature blocks: the rows that stay, then changes of single arrays.
///
/// Moving one vertex of a block of 16,384 records that vertex and nothing else.
struct BlockChange: Sendable {
  /// A column whose values changed.
  struct ColumnChange: Sendable {
    /// Its place among the new block's columns.
    var index: UInt32
    var kinds: ArrayChange<UInt8>
    var lengths: ArrayChange<UInt32>
    var bytes: ArrayChange<UInt8>
  }

  /// The columns of the new block, if they differ from those of the former one.
  struct ColumnList: Sendable {
    var tables: [UInt8]
    var names: [String]
  }

  /// How many rows and vertices the former block has: a change is for one block only.
  private var formerRows = 0
  private var formerVertices = 0
  /// The rows of the former block that stay; `nil` for all.
  private var rows: [UInt32]?
  private var coordinates = ArrayChange<Double>()
  private var elevations = ArrayChange<Double>()
  private var pathCounts = ArrayChange<UInt32>()
  private var pathRoles = ArrayChange<UInt8>()
  private var featureCounts = ArrayChange<UInt32>()
  private var kinds = ArrayChange<UInt8>()
  private var featureIDs = ArrayChange<UInt64>()
  private var shapeIndices = ArrayChange<UInt16>()
  /// The number of leading shapes that both blocks share.
  private var sharedShapes = 0
  private var shapes: [OrderedShape]?
  private var columnList: ColumnList?
  private var columns: [ColumnChange] = []

  /// Finds the difference; `nil` if little is shared, so that the whole new block is shorter.
  init?(from former: FeatureBlock, to new: FeatureBlock) {
    guard let runs = Self.commonRows(former, new) else { return nil }
    formerRows = former.rowCount
    formerVertices = former.geometry.vertexCount
    var old = BlockArrays(former)
    let isWhole = runs.count == 1 && runs[0] == (0, former.rowCount)
    if !isWhole {
      guard let kept = old.keeping(runs) else { return nil }
      old = kept
      rows = runs.flatMap {
        [UInt32(truncatingIfNeeded: $0.start), UInt32(truncatingIfNeeded: $0.count)]
      }
    }
    let arrays = BlockArrays(new)
    guard let coordinates = ArrayChange(from: old.coordinates, to: arrays.coordinates),
      let elevations = ArrayChange(from: old.elevations, to: arrays.elevations),
      let pathCounts = ArrayChange(from: old.pathCounts, to: arrays.pathCounts),
      let pathRoles = ArrayChange(from: old.pathRoles, to: arrays.pathRoles),
      let featureCounts = ArrayChange(from: old.featureCounts, to: arrays.featureCounts),
      let kinds = ArrayChange(from: old.kinds, to: arrays.kinds),
      let featureIDs = ArrayChange(from: old.featureIDs, to: arrays.featureIDs),
      let shapeIndices = ArrayChange(from: old.shapeIndices, to: arrays.shapeIndices),
      compareColumns(old.columns, arrays.columns)
    else { return nil }
    self.coordinates = coordinates
    self.elevations = elevations
    self.pathCounts = pathCounts
    self.pathRoles = pathRoles
    self.featureCounts = featureCounts
    self.kinds = kinds
    self.featureIDs = featureIDs
    self.shapeIndices = shapeIndices
    if old.shapes != arrays.shapes {
      sharedShapes = zip(old.shapes, arrays.shapes).prefix { $0 == $1 }.count
      shapes = arrays.shapes.dropFirst(sharedShapes).map { OrderedShape(shape: $0) }
    }
  }

  /// The rows of the former block that the new one has too, in the order of both.
  private static func commonRows(_ former: FeatureBlock, _ new: FeatureBlock) -> [RowRun]? {
    if former.featureIDs == new.featureIDs { return [(0, former.rowCount)] }
    var runs: [RowRun] = []
    var last = -1
    for id in new.featureIDs {
      guard let row = former.row(of: id) else { continue }
      guard row > last else { return nil }
      if row == last + 1, !runs.isEmpty {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((row, 1))
      }
      last = row
    }
    return runs.isEmpty ? nil : runs
  }

  private mutating func compareColumns(
    _ former: [BlockArrays.Column], _ new: [BlockArrays.Column]
  ) -> Bool {
    let isSameList =
      former.count == new.count
      && zip(former, new).allSatisfy { $0.table == $1.table && $0.name.hasSameBytes(as: $1.name) }
    if !isSameList {
      columnList = ColumnList(tables: new.map(\.table.rawValue), names: new.map(\.name))
    }
    let places = isSameList ? [:] : Self.places(of: former)
    for (index, column) in new.enumerated() {
      let place = isSameList ? index : places[ColumnKey(column.table, column.name)]
      let old = place.map { former[$0] } ?? BlockArrays.Column(table: column.table, name: "")
      guard let kinds = ArrayChange(from: old.kinds, to: column.kinds),
        let lengths = ArrayChange(from: old.lengths, to: column.lengths),
        let bytes = ArrayChange(from: old.bytes, to: column.bytes)
      else { return false }
      if kinds.isEmpty && lengths.isEmpty && bytes.isEmpty { continue }
      columns.append(
        ColumnChange(
          index: UInt32(truncatingIfNeeded: index), kinds: kinds, lengths: lengths, bytes: bytes))
    }
    return true
  }

  /// A column's table and name.
  private struct ColumnKey: Hashable {
    var table: UInt8
    var name: ExactText

    init(_ table: BlockArrays.Column.Table, _ name: String) {
      self.table = table.rawValue
      self.name = ExactText(name)
    }
  }

  private static func places(of columns: [BlockArrays.Column]) -> [ColumnKey: Int] {
    var places: [ColumnKey: Int] = [:]
    for (place, column) in columns.enumerated() {
      places[ColumnKey(column.table, column.name)] = place
    }
    return places
  }

  // MARK: Applying

  /// The new block.
  ///
  /// - Throws: `DocumentError` if the change does not belong to this block.
  func applied(to former: FeatureBlock) throws -> FeatureBlock {
    guard former.rowCount == formerRows, former.geometry.vertexCount == formerVertices else {
      throw BlockArrays.misfit("a change and its block")
    }
    var old = BlockArrays(former)
    if let rows {
      let runs = stride(from: 0, to: rows.count - 1, by: 2).map { index in
        (start: Int(rows[index]), count: Int(rows[index + 1]))
      }
      guard rows.count % 2 == 0, let kept = old.keeping(runs) else {
        throw BlockArrays.misfit("rows")
      }
      old = kept
    }
    var new = old
    new.coordinates = try Self.result(coordinates, old.coordinates)
    new.elevations = try Self.result(elevations, old.elevations)
    new.pathCounts = try Self.result(pathCounts, old.pathCounts)
    new.pathRoles = try Self.result(pathRoles, old.pathRoles)
    new.featureCounts = try Self.result(featureCounts, old.featureCounts)
    new.kinds = try Self.result(kinds, old.kinds)
    new.featureIDs = try Self.result(featureIDs, old.featureIDs)
    new.shapeIndices = try Self.result(shapeIndices, old.shapeIndices)
    if let shapes {
      guard (0...old.shapes.count).contains(sharedShapes) else {
        throw BlockArrays.misfit("shapes")
      }
      new.shapes = old.shapes.prefix(sharedShapes) + shapes.map(\.shape)
    }
    new.columns = try appliedColumns(old.columns)
    return try new.block()
  }

  private static func result<Element>(
    _ change: ArrayChange<Element>, _ former: [Element]
  ) throws -> [Element] {
    guard let new = change.applied(to: former) else { throw BlockArrays.misfit("stretches") }
    return new
  }

  private func appliedColumns(_ former: [BlockArrays.Column]) throws -> [BlockArrays.Column] {
    var new = former
    if let columnList {
      guard columnList.tables.count == columnList.names.count else {
        throw BlockArrays.misfit("columns")
      }
      let places = Self.places(of: former)
      new = try zip(columnList.tables, columnList.names).map { number, name in
        guard let table = BlockArrays.Column.Table(rawValue: number) else {
          throw BlockArrays.misfit("columns")
        }
        return places[ColumnKey(table, name)].map { former[$0] }
          ?? BlockArrays.Column(table: table, name: name)
      }
    }
    for change in columns {
      let index = Int(change.index)
      guard index < new.count else { throw BlockArrays.misfit("columns") }
      new[index].kinds = try Self.result(change.kinds, new[index].kinds)
      new[index].lengths = try Self.result(change.lengths, new[index].lengths)
      new[index].bytes = try Self.result(change.bytes, new[index].bytes)
    }
    return new
  }
}

/// A shape with its order of properties.
struct OrderedShape: Sendable {
  var shape: FeatureShape
}

// MARK: - Coding

extension BlockChange: Coding {
  static var archivedClass: ArchivedClass { "PortolanBlockChange" }

  /// The fields that follow: an edit changes few of them.
  private enum Part: Int, CaseIterable {
    case rows, coordinates, elevations, pathCounts, pathRoles, featureCounts, kinds, featureIDs
    case shapeIndices, shapes, columnList

    var bit: Int { 1 << rawValue }
  }

  private var parts: Int {
    let present: [(Part, Bool)] = [
      (.rows, rows != nil), (.coordinates, !coordinates.isEmpty),
      (.elevations, !elevations.isEmpty), (.pathCounts, !pathCounts.isEmpty),
      (.pathRoles, !pathRoles.isEmpty), (.featureCounts, !featureCounts.isEmpty),
      (.kinds, !kinds.isEmpty), (.featureIDs, !featureIDs.isEmpty),
      (.shapeIndices, !shapeIndices.isEmpty), (.shapes, shapes != nil),
      (.columnList, columnList != nil),
    ]
    return present.reduce(0) { $1.1 ? $0 | $1.0.bit : $0 }
  }

  func encode(with coder: any EncodingCoder) throws {
    let parts = self.parts
    try coder.encodeInt(formerRows, forKey: "formerRows")
    try coder.encodeInt(formerVertices, forKey: "formerVertices")
    try coder.encodeInt(parts, forKey: "parts")
    if let rows { try coder.encodePacked(rows, forKey: "rows") }
    func encode(_ part: Part, _ change: ArrayChange<some ExactElement>, _ key: String) throws {
      if parts & part.bit != 0 { try change.encode(with: coder, forKey: key) }
    }
    try encode(.coordinates, coordinates, "coordinates")
    try encode(.elevations, elevations, "elevations")
    try encode(.pathCounts, pathCounts, "pathCounts")
    try encode(.pathRoles, pathRoles, "pathRoles")
    try encode(.featureCounts, featureCounts, "featureCounts")
    try encode(.kinds, kinds, "kinds")
    try encode(.featureIDs, featureIDs, "featureIDs")
    try encode(.shapeIndices, shapeIndices, "shapeIndices")
    if let shapes {
      try coder.encodeInt(sharedShapes, forKey: "sharedShapes")
      try coder.encodeObjects(shapes, forKey: "shapes")
    }
    if let columnList {
      try coder.encodePacked(columnList.tables, forKey: "columnTables")
      try coder.encodeStrings(columnList.names, forKey: "columnNames")
    }
    try coder.encodeObjects(columns, forKey: "columns")
  }

  init(coder: any DecodingCoder) throws {
    formerRows = try coder.decodeInt(forKey: "formerRows")
    formerVertices = try coder.decodeInt(forKey: "formerVertices")
    let parts = try coder.decodeInt(forKey: "parts")
    func change<Element>(_ part: Part, _ key: String) throws -> ArrayChange<Element> {
      parts & part.bit == 0 ? ArrayChange() : try ArrayChange(coder: coder, forKey: key)
    }
    if parts & Part.rows.bit != 0 { rows = try coder.decodePacked(UInt32.self, forKey: "rows") }
    coordinates = try change(.coordinates, "coordinates")
    elevations = try change(.elevations, "elevations")
    pathCounts = try change(.pathCounts, "pathCounts")
    pathRoles = try change(.pathRoles, "pathRoles")
    featureCounts = try change(.featureCounts, "featureCounts")
    kinds = try change(.kinds, "kinds")
    featureIDs = try change(.featureIDs, "featureIDs")
    shapeIndices = try change(.shapeIndices, "shapeIndices")
    if parts & Part.shapes.bit != 0 {
      sharedShapes = try coder.decodeInt(forKey: "sharedShapes")
      shapes = try coder.decodeObjects(OrderedShape.self, forKey: "shapes")
    }
    if parts & Part.columnList.bit != 0 {
      columnList = ColumnList(
        tables: try coder.decodePacked(UInt8.self, forKey: "columnTables"),
        names: try coder.decodeStrings(forKey: "columnNames"))
    }
    columns = try coder.decodeObjects(ColumnChange.self, forKey: "columns")
  }
}

extension BlockChange.ColumnChange: Coding {
  static var archivedClass: ArchivedClass { "PortolanColumnChange" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(Int(index), forKey: "index")
    try kinds.encode(with: coder, forKey: "kinds")
    try lengths.encode(with: coder, forKey: "lengths")
    try bytes.encode(with: coder, forKey: "bytes")
  }

  init(coder: any DecodingCoder) throws {
    let index = try coder.decodeInt(forKey: "index")
    guard let place = UInt32(exactly: index) else {
      throw coder.invalidValue("\(index) is no place of a column", forKey: "index")
    }
    self.index = place
    kinds = try ArrayChange(coder: coder, forKey: "kinds")
    lengths = try ArrayChange(coder: coder, forKey: "lengths")
    bytes = try ArrayChange(coder: coder, forKey: "bytes")
  }
}

extension OrderedShape: Coding {
  static var archivedClass: ArchivedClass { "PortolanOrderedShape" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObject(shape, forKey: "shape")
    try coder.encodeBool(shape.propertyOrder != nil, forKey: "hasOrder")
    try coder.encodePacked(shape.propertyOrder ?? [], forKey: "order")
  }

  init(coder: any DecodingCoder) throws {
    var shape = try coder.decodeObject(FeatureShape.self, forKey: "shape")
    let hasOrder = try coder.decodeBool(forKey: "hasOrder")
    let order = try coder.decodePacked(UInt16.self, forKey: "order")
    shape.propertyOrder = hasOrder ? order : nil
    self.shape = shape
  }
}
