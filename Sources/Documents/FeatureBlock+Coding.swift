package import Archiving
import PortolanGraphics

/// Blocks as packed columns: `Docs/formats/document.md`, "Feature blocks".
extension FeatureBlock: Coding {
  package static var archivedClass: ArchivedClass { "PortolanFeatureBlock" }

  /// The layout of the packed data that this program writes and reads.
  static let layout = 1

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(Self.layout, forKey: "layout")
    try geometry.encode(with: coder)
    try coder.encodePacked(featureIDs.map(\.rawValue), forKey: "featureIDs")
    try coder.encodeObject(identifiers.isEmpty ? nil : identifiers, forKey: "identifiers")
    try coder.encodeObjects(attributes, forKey: "attributes")
    try coder.encodeObjects(foreignMembers, forKey: "members")
    try coder.encodeObjects(geometryForeignMembers, forKey: "geometryMembers")
    try coder.encodeObject(sourceGeometries, forKey: "sourceGeometries")
    try coder.encodeObject(sourceFeatures, forKey: "sourceFeatures")
    let packed = PackedShapes(shapes: shapes, indices: shapeIndices)
    try coder.encodeObjects(packed.shapes, forKey: "shapes")
    try coder.encodePacked(packed.shapeIndices, forKey: "shapeIndices")
    try coder.encodePacked(packed.orderEnds, forKey: "orderEnds")
    try coder.encodePacked(packed.orders, forKey: "orders")
    try coder.encodePacked(packed.orderIndices, forKey: "orderIndices")
    try coder.encodeUnreadFields(unread)
  }

  package convenience init(coder: any DecodingCoder) throws {
    let parts = try DocumentNeeds.readingBlock { try Self.parts(coder) }
    self.init(parts)
    if case .holding(let condition) = DocumentNeeds.current.get(), let held = parts.held {
      _ = derived.value(condition.key) { held }
    }
  }

  private static func parts(_ coder: any DecodingCoder) throws -> FeatureBlockParts {
    let layout = try coder.decodeInt(forKey: "layout")
    guard layout <= Self.layout else {
      throw DocumentError(.newerVersion, "a block of layout \(layout) needs a newer Portolan")
    }
    guard layout == Self.layout else {
      throw coder.invalidValue("there is no layout \(layout)", forKey: "layout")
    }
    let needs = DocumentNeeds.current.get()
    let kinds = Set(AttributeKind.allCases)
    // The attributes come first where they decide about the coordinates.
    var attributes: [AttributeColumn]?
    var asked = GeometryBlock.AskedRows.byShape
    var held: HeldRows?
    if case .holding(let condition) = needs {
      let found = try BlockColumns.unchecked("attributes", coder)
      attributes = found
      held = condition.held(among: found)
      asked = held.map { .runs($0.runs) } ?? .all
    }
    let geometry = try GeometryBlock.decode(with: coder, for: needs, asked: asked)
    let rows = geometry.featureCount
    let ids = try coder.decodePacked(UInt64.self, forKey: "featureIDs")
    guard ids.count == rows, ids.allSatisfy({ $0 >= 1 && $0 <= 1 << 53 }) else {
      throw coder.invalidValue("one number a feature is needed, 1 to 2^53", forKey: "featureIDs")
    }
    let columns = BlockColumns(coder: coder, rows: rows)
    let identifiers = try DocumentNeeds.current.withValue(.all) {
      try columns.one("identifiers", kinds: kinds)
    }
    let checked = try columns.checked(
      attributes ?? BlockColumns.unchecked("attributes", coder), "attributes", kinds: kinds)
    let parts = FeatureBlockParts(
      geometry: geometry, featureIDs: ids.map { FeatureID($0) },
      identifiers: identifiers ?? .missing(name: "id", rows: rows), attributes: checked,
      foreignMembers: try columns.many("members", kinds: [.missing, .json]),
      geometryForeignMembers: try columns.many("geometryMembers", kinds: [.missing, .json]),
      sourceGeometries: try columns.one("sourceGeometries", kinds: [.missing, .json]),
      sourceFeatures: try columns.one("sourceFeatures", kinds: [.missing, .json]),
      shapes: [], shapeIndices: [])
    var shaped = parts
    (shaped.shapes, shaped.shapeIndices) = try PackedShapes(coder: coder).unpacked(
      rows: rows, columns: checked.count, coder: coder)
    shaped.unread = try coder.unreadFields()
    shaped.held = held
    return shaped
  }
}

/// Reads the columns of a block and checks that each has a row for every feature.
private struct BlockColumns {
  let coder: any DecodingCoder
  let rows: Int

  func one(_ key: String, kinds: Set<AttributeKind>) throws -> AttributeColumn? {
    guard let column = try coder.decodeObjectIfPresent(AttributeColumn.self, forKey: key) else {
      return nil
    }
    try check(column, key, kinds)
    return column
  }

  func many(_ key: String, kinds: Set<AttributeKind>) throws -> [AttributeColumn] {
    try checked(Self.unchecked(key, coder), key, kinds: kinds)
  }

  static func unchecked(_ key: String, _ coder: any DecodingCoder) throws -> [AttributeColumn] {
    try coder.decodeObjectsIfPresent(AttributeColumn.self, forKey: key) ?? []
  }

  func checked(
    _ columns: [AttributeColumn], _ key: String, kinds: Set<AttributeKind>
  ) throws -> [AttributeColumn] {
    var names = Set<ExactText>()
    for column in columns {
      try check(column, key, kinds)
      guard names.insert(ExactText(column.name)).inserted else {
        throw coder.invalidValue("two columns of the name \(column.name)", forKey: key)
      }
    }
    return columns
  }

  private func check(
    _ column: AttributeColumn, _ key: String, _ kinds: Set<AttributeKind>
  ) throws {
    guard column.rowCount == rows else {
      throw coder.invalidValue(
        "a column of \(column.rowCount) rows in a block of \(rows)", forKey: key)
    }
    let admitted = kinds.reduce(UInt8(0)) { $0 | 1 << $1.rawValue }
    guard column.kinds.allSatisfy({ admitted & (1 << $0) != 0 }) else {
      throw coder.invalidValue("a value of a kind that does not belong here", forKey: key)
    }
  }
}
