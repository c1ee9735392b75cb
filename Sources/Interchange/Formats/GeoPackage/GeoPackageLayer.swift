import PortolanDatabases
import PortolanDocuments
import PortolanGraphics

/// Writes one layer as a table.
struct GeoPackageLayer {
  /// The number of its system in the file.
  var system = 4326
  /// Whether the file is of version 1.4, which has other triggers than 1.3.
  var isNew = false
  private let layer: any FeatureHolding
  /// The rows of each block to write.
  private let rows: [[Int]]
  private let table: String
  private let hasIndex: Bool
  private var columns: [Column] = []
  private var key = "fid"
  private var geometryName = "geom"
  private var hasOwnKeys = false
  /// Whether an id is less than one before it.
  private var hasFallingKeys = false
  private var hasIdentifiers = false
  private var hasGeometry = false
  private var types: WrittenTypes
  private var renamed: [String] = []

  /// A column of attributes.
  private struct Column {
    /// `nil` is the id of the feature.
    var attribute: String?
    var name: String
    var type: WrittenType
  }

  init(
    _ layer: any FeatureHolding, _ rows: [[Int]], named table: String, types: WrittenTypes,
    hasIndex: Bool, holdsIdentifiers: Bool
  ) {
    (self.layer, self.rows, self.table) = (layer, rows, table)
    self.hasIndex = hasIndex
    self.types = types
    hasOwnKeys = holdsIdentifiers
    hasGeometry = zip(layer.blocks, rows).contains { block, rows in
      rows.contains { block.geometry.kinds[$0] != .none }
    }
    // A table without rows is one of features, too, where nothing else is declared.
    if !hasGeometry {
      hasGeometry = layer.declared.kinds.map { !$0.isEmpty } ?? rows.allSatisfy(\.isEmpty)
    }
    chooseKeys()
    chooseColumns()
  }

  /// The number of its rows.
  var count: Int { rows.reduce(0) { $0 + $1.count } }

  /// Whether it has times in a form that version 1.4 of GeoPackages has and 1.3 has not.
  var needsNewVersion: Bool { types.hasShortTimes }

  /// What is told of it.
  var remarks: [String] {
    var remarks: [String] = []
    if table != layer.name { remarks.append("layer \(layer.name) is the table \(table)") }
    if !renamed.isEmpty {
      remarks.append(
        "layer \(layer.name): columns without a name, or that SQLite would not tell apart, are "
          + "renamed: " + renamed.prefix(5).joined(separator: ", ")
          + (renamed.count > 5 ? " and \(renamed.count - 5) more" : ""))
    }
    if hasOwnKeys, hasFallingKeys {
      remarks.append(
        "layer \(layer.name): features are in the order of their ids, which is another one than "
          + "that of the layer")
    }
    remarks += types.remarks(layer.name)
    return remarks
  }

  /// The remark on ids that cannot be row numbers; `nil` if there are none.
  var identifierRemark: String? {
    guard hasIdentifiers, let column = columns.last else { return nil }
    return "layer \(layer.name): ids become the attribute \(column.name)"
  }

  // MARK: Choices

  /// Ids that are different whole numbers are the numbers of the rows.
  private mutating func chooseKeys() {
    var (seen, last) = (Set<Int>(), Int.min)
    for (block, rows) in zip(layer.blocks, rows) {
      for row in rows {
        let kind = block.identifiers.kind(row)
        if kind != .missing { hasIdentifiers = true }
        guard kind == .number, hasOwnKeys, let number = Int(block.identifiers.value(row).text),
          seen.insert(number).inserted
        else {
          hasOwnKeys = false
          continue
        }
        if number < last { hasFallingKeys = true }
        last = number
      }
    }
    if hasOwnKeys { hasIdentifiers = false }
  }

  private mutating func chooseColumns() {
    var names = TableNames()
    let fields = layer.fieldNames
    let lower = Set(fields.map { $0.lowercased() })
    key = ["fid", "ogc_fid", "gpkg_fid"].first { !lower.contains($0) } ?? "fid"
    geometryName = ["geom", "geometry", "the_geom"].first { !lower.contains($0) } ?? "geom"
    key = names.unique(key)
    geometryName = names.unique(geometryName)
    for field in fields {
      let name = names.unique(field.isEmpty ? "column" : field.filter { $0 != "\0" })
      if name != field { renamed.append("\(field.isEmpty ? "“”" : field) → \(name)") }
      columns.append(
        Column(attribute: field, name: name, type: types.type(of: field, in: layer, rows)))
    }
    if hasIdentifiers {
      columns.append(Column(attribute: nil, name: names.unique("id"), type: .text))
    }
  }

  // MARK: Writing

  /// Makes the table, its rows, its index and its place in the catalogue.
  mutating func write(to database: Database, check: () throws -> Void) throws {
    let name = Database.quoted(table)
    var definitions = ["\(Database.quoted(key)) INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"]
    let kinds = Set(
      zip(layer.blocks, rows).flatMap { block, rows in
        rows.map { block.geometry.kinds[$0] }
      }
    ).subtracting([.none])
    let only = kinds.isEmpty ? layer.declared.kind : kinds.count == 1 ? kinds.first : nil
    let kind = only?.name?.uppercased() ?? "GEOMETRY"
    if hasGeometry { definitions.append("\(Database.quoted(geometryName)) \(kind)") }
    definitions += columns.map { "\(Database.quoted($0.name)) \($0.type.rawValue)" }
    try database.run("CREATE TABLE \(name) (\(definitions.joined(separator: ", ")))")
    let index = Database.quoted("rtree_\(table)_\(geometryName)")
    if hasGeometry, hasIndex {
      try database.run(
        "CREATE VIRTUAL TABLE \(index) USING rtree(id, minx, maxx, miny, maxy)")
    }
    let box = try writeRows(to: database, index, check)
    try register(in: database, kind, box)
  }

  private func writeRows(
    to database: Database, _ index: String, _ check: () throws -> Void
  ) throws -> Box {
    let count = columns.count + (hasGeometry ? 2 : 1)
    let marks = (1...count).map { "?\($0)" }.joined(separator: ", ")
    let insert = try Database.Statement(
      "INSERT INTO \(Database.quoted(table)) VALUES(\(marks))", in: database)
    let place =
      hasGeometry && hasIndex
      ? try Database.Statement("INSERT INTO \(index) VALUES(?1, ?2, ?3, ?4, ?5)", in: database)
      : nil
    var (whole, number) = (Box.empty, 0)
    for (block, rows) in zip(layer.blocks, rows) {
      try check()
      let attributes = columns.map { $0.attribute.map { block.column($0) } ?? block.identifiers }
      for row in rows {
        number = hasOwnKeys ? Int(block.identifiers.value(row).text) ?? 0 : number + 1
        insert.bind(number, at: 0)
        if hasGeometry { writeGeometry(block.geometry, row, number, insert, place) }
        whole = whole.union(block.geometry.boxes[row])
        for (offset, column) in columns.enumerated() {
          let target = offset + (hasGeometry ? 2 : 1)
          if let values = attributes[offset] {
            bind(values, row, column.type, at: target, in: insert)
          } else {
            insert.bindNull(at: target)
          }
        }
        try insert.run()
        if hasGeometry, !block.geometry.boxes[row].isEmpty { try place?.run() }
      }
    }
    return whole
  }

  private func writeGeometry(
    _ block: GeometryBlock, _ row: Int, _ number: Int, _ insert: Database.Statement,
    _ place: Database.Statement?
  ) {
    let box = block.boxes[row]
    let head = GeoPackageHead.bytes(system: Int32(clamping: system), box: box)
    guard let bytes = WKB.bytes(of: block, row: row, after: head) else {
      insert.bindNull(at: 1)
      return
    }
    insert.bind(blob: bytes, at: 1)
    guard !box.isEmpty else { return }
    place?.bind(number, at: 0)
    for (offset, value) in [box.minX, box.maxX, box.minY, box.maxY].enumerated() {
      place?.bind(value, at: offset + 1)
    }
  }

  private func bind(
    _ column: AttributeColumn, _ row: Int, _ type: WrittenType, at index: Int,
    in statement: Database.Statement
  ) {
    let kind = column.kind(row)
    if kind == .missing || kind == .null { return statement.bindNull(at: index) }
    switch type {
    case .boolean: statement.bind(kind == .yes ? 1 : 0, at: index)
    case .integer, .shortInteger:
      if let value = Int(column.value(row).text) { return statement.bind(value, at: index) }
      statement.bindNull(at: index)
    case .real:
      if let value = column.value(row).double { return statement.bind(value, at: index) }
      statement.bindNull(at: index)
    case .time where !isNew && column.textRange(row).count < 24:
      // ogr2ogr before version 3.8 would warn of a time without milliseconds.
      let text = column.bytes[column.textRange(row)].dropLast()
      let point = text.count == 19 ? "." : ""
      let zeros = String(repeating: "0", count: 23 - text.count - point.utf8.count)
      statement.bind(text: text + (point + zeros + "Z").utf8, at: index)
    case .text, .date, .time:
      if kind == .yes || kind == .no {
        return statement.bind(text: Array((kind == .yes ? "true" : "false").utf8)[...], at: index)
      }
      statement.bind(text: column.bytes[column.textRange(row)], at: index)
    }
  }

  /// Enters the table into the catalogue; its date is a fixed one, so that equal layers give equal
  /// bytes.
  private func register(in database: Database, _ kind: String, _ box: Box) throws {
    let name = Database.literal(table)
    let numbers =
      box.isEmpty
      ? "NULL, NULL, NULL, NULL" : "\(box.minX), \(box.minY), \(box.maxX), \(box.maxY)"
    try database.run(
      "INSERT INTO gpkg_contents VALUES(\(name), '\(hasGeometry ? "features" : "attributes")', "
        + "\(name), '', '1970-01-01T00:00:00.000Z', \(numbers), \(hasGeometry ? system : 0))")
    guard hasGeometry else { return }
    let hasHeights = zip(layer.blocks, rows).contains { block, rows in
      rows.contains { block.geometry.hasHeights(ofFeature: $0) }
    }
    let column = Database.literal(geometryName)
    try database.run(
      "INSERT INTO gpkg_geometry_columns VALUES(\(name), \(column), '\(kind)', \(system), "
        + "\(hasHeights ? 2 : 0), 0)")
    guard hasIndex else { return }
    try database.run(
      "INSERT INTO gpkg_extensions VALUES(\(name), \(column), 'gpkg_rtree_index', "
        + "'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')")
    for trigger in triggers { try database.run(trigger) }
  }

  /// What keeps the index right when other programs edit the table (annex F.3 of the standard).
  private var triggers: [String] {
    let (t, c, i) = (
      Database.quoted(table), Database.quoted(geometryName), Database.quoted(key)
    )
    let index = "rtree_\(table)_\(geometryName)"
    let r = Database.quoted(index)
    func trigger(
      _ end: String, _ event: String, _ condition: String, _ action: String
    ) -> String {
      let name = Database.quoted("\(index)_\(end)")
      return "CREATE TRIGGER \(name) AFTER \(event) ON \(t) WHEN \(condition) BEGIN \(action) END"
    }
    func has(_ row: String) -> String { "(\(row).\(c) NOT NULL AND NOT ST_IsEmpty(\(row).\(c)))" }
    func hasNot(_ row: String) -> String { "(\(row).\(c) ISNULL OR ST_IsEmpty(\(row).\(c)))" }
    let values = ["MinX", "MaxX", "MinY", "MaxY"].map { "ST_\($0)(NEW.\(c))" }
    let put =
      "INTO \(r) VALUES (NEW.\(i), " + values.joined(separator: ", ") + ");"
    let move =
      "UPDATE \(r) SET "
      + zip(["minx", "maxx", "miny", "maxy"], values).map { "\($0) = \($1)" }
      .joined(separator: ", ") + " WHERE id = NEW.\(i);"
    let replace = "INSERT OR REPLACE " + put
    let (same, other) = ("OLD.\(i) = NEW.\(i) AND ", "OLD.\(i) != NEW.\(i) AND ")
    let deleteOld = "DELETE FROM \(r) WHERE id = OLD.\(i);"
    let ofShape = "UPDATE OF \(c)"
    let changes =
      isNew
      ? [
        trigger("update6", ofShape, "\(same)\(has("NEW")) AND \(has("OLD"))", move),
        trigger("update7", ofShape, "\(same)\(has("NEW")) AND \(hasNot("OLD"))", "INSERT " + put),
      ] : [trigger("update1", ofShape, same + has("NEW"), replace)]
    return [trigger("insert", "INSERT", has("NEW"), replace)] + changes + [
      trigger("update2", ofShape, same + hasNot("NEW"), deleteOld),
      trigger(
        isNew ? "update5" : "update3", "UPDATE", other + has("NEW"), deleteOld + " " + replace),
      trigger(
        "update4", "UPDATE", other + hasNot("NEW"),
        "DELETE FROM \(r) WHERE id IN (OLD.\(i), NEW.\(i));"),
      trigger("delete", "DELETE", "OLD.\(c) NOT NULL", deleteOld),
    ]
  }
}
