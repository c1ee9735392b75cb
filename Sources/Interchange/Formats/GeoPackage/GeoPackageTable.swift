import PortolanDatabases
import PortolanDocuments
import PortolanGraphics

/// A table of a GeoPackage that is a layer: what its catalogue says.
struct GeoPackageTable {
  /// A column of attributes.
  struct Column {
    var name: String
    var type = ColumnType.any
    /// Its place among all columns of the table.
    var place = 0
  }

  /// The types of columns whose values are no plain numbers and texts.
  enum ColumnType: Hashable {
    case any
    /// 0 and 1 in it are no and yes.
    case boolean
    /// Numbers of 32 bits.
    case float
    case time
    /// Texts of JSON: the lists and objects among them are such.
    case json
  }

  var name: String
  /// The column of geometries; `nil` if it has attributes only.
  var geometry: String?
  /// The column of the features' numbers.
  var key: String?
  var columns: [Column] = []
  /// What it says of its shapes and columns, whatever the rows.
  var declared = DeclaredForm()
  /// `nil` if none is stated.
  var system: CoordinateSystem?
  /// What the text of its system leaves open.
  var notes: [ImportNoteCode: Int] = [:]
  /// The number of rows as another program counted them: for progress only.
  var count: Int?

  /// All layers, in the order of their catalogue; tables that are in no catalogue follow.
  static func all(_ database: Database) throws -> [GeoPackageTable] {
    var known: Set<String> = []
    var views: Set<String> = []
    // SQLite takes capitals of ASCII alone for small letters.
    try database.rows(
      "SELECT lower(name), type FROM sqlite_master WHERE type IN ('table', 'view')"
    ) { row in
      guard let name = row.text(0) else { return }
      known.insert(name)
      if row.text(1) == "view" { views.insert(name) }
    }
    guard known.contains("gpkg_contents") else {
      throw ToolError(
        .refused, "it is a database of SQLite without gpkg_contents, no GeoPackage")
    }
    var tables: [GeoPackageTable] = []
    var namesOfViews: Set<String> = []
    try database.rows(
      "SELECT table_name, lower(table_name) FROM gpkg_contents "
        + "WHERE data_type IN ('features', 'attributes', 'aspatial') ORDER BY rowid"
    ) { row in
      guard let name = row.text(0), let key = row.text(1), known.contains(key) else { return }
      if views.contains(key) { namesOfViews.insert(name) }
      if !tables.contains(where: { $0.name == name }) { tables.append(GeoPackageTable(name: name)) }
    }
    if known.contains("gpkg_geometry_columns") {
      var places: [(table: String, column: String, system: Int)] = []
      try database.rows("SELECT table_name, column_name, srs_id FROM gpkg_geometry_columns") {
        if let table = $0.text(0), let column = $0.text(1) {
          places.append((table, column, $0.integer(2)))
        }
      }
      for index in tables.indices {
        let name = tables[index].name.lowercased()
        guard let place = places.first(where: { $0.table.lowercased() == name }) else { continue }
        tables[index].geometry = place.column
        tables[index].system = try system(place.system, database, &tables[index].notes)
      }
    }
    for index in tables.indices {
      try tables[index].readColumns(database)
      if namesOfViews.contains(tables[index].name) { try tables[index].takeKeyOfView(database) }
      if known.contains("gpkg_data_columns") { try tables[index].readSchema(database) }
    }
    return tables
  }

  private mutating func readColumns(_ database: Database) throws {
    var keys: [Column] = []
    var found: [Column] = []
    var place = -1
    var geometryName = geometry
    declared.kinds = []
    // Hidden are columns of virtual tables (1); computed ones (2 and 3) are columns as others.
    try database.rows(
      "SELECT name, type, pk FROM pragma_table_xinfo(\(Database.literal(name))) WHERE hidden != 1"
    ) {
      place += 1
      guard let plain = $0.text(0) else { return }
      // Bytes that are no UTF-8 can make two names equal.
      var (name, number) = (plain, 2)
      while (keys + found).contains(where: { $0.name == name }) {
        name = "\(plain)_\(number)"
        number += 1
      }
      let type = ($0.text(1) ?? "").uppercased()
      if $0.integer(2) > 0 {
        keys.append(Column(name: name, place: place))
        if type == "INTEGER" { return }
      }
      if name.lowercased() == geometryName?.lowercased() {
        geometryName = name
        let all = GeometryKind.allCases.filter { $0 != .none }
        let kind = all.first { $0.name?.uppercased() == type }
        declared.kinds = kind.map { [$0] } ?? Set(all)
      } else {
        found.append(Column(name: name, type: Self.types[type] ?? .any, place: place))
        declared.types[name] = type
      }
    }
    geometry = geometryName
    // Only a single whole number is the number of a row.
    if keys.count == 1, !found.contains(where: { $0.name == keys[0].name }) { key = keys[0].name }
    columns = found
    if keys.count > 1 {
      // Keys of other types than whole numbers are columns already.
      columns = keys.filter { key in !found.contains { $0.place == key.place } } + found
      columns.sort { $0.place < $1.place }
    }
  }

  /// Takes the column with the numbers of the rows, which programs that know no other call so, if
  /// each row has one.
  private mutating func takeKeyOfView(_ database: Database) throws {
    guard key == nil, let place = columns.firstIndex(where: { $0.name.lowercased() == "ogc_fid" })
    else { return }
    let column = Database.quoted(columns[place].name)
    var hasOthers = false
    try database.rows(
      "SELECT 1 FROM \(Database.quoted(name)) WHERE typeof(\(column)) != 'integer' LIMIT 1"
    ) { hasOthers = $0.integer(0) == 1 }
    if hasOthers { return }
    key = columns.remove(at: place).name
  }

  private static let types: [String: ColumnType] = [
    "BOOLEAN": .boolean, "FLOAT": .float, "DATETIME": .time,
  ]

  /// Finds the columns whose texts are JSON, by the extension of schemas.
  private mutating func readSchema(_ database: Database) throws {
    var names: Set<String> = []
    try database.rows(
      "SELECT column_name FROM gpkg_data_columns WHERE mime_type = 'application/json' AND "
        + "lower(table_name) = lower(\(Database.literal(name)))"
    ) { row in
      if let name = row.text(0) { names.insert(name.lowercased()) }
    }
    for index in columns.indices where names.contains(columns[index].name.lowercased()) {
      columns[index].type = .json
    }
  }

  /// The system of a number of `gpkg_spatial_ref_sys`.
  private static func system(
    _ number: Int, _ database: Database, _ notes: inout [ImportNoteCode: Int]
  ) throws -> CoordinateSystem? {
    // −1 is planar and unknown, 0 geographic and unknown, 99999 GDAL's number for unknown.
    if number == -1 { return .planar }
    if number == 0 { return nil }
    if number == 99_999, try isUndefined(number, database) { return nil }
    var system: CoordinateSystem?
    var found: [ImportNoteCode: Int] = [:]
    try database.rows(
      "SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys "
        + "WHERE srs_id = \(number)"
    ) { row in
      let organization = (row.text(0) ?? "").uppercased()
      if ["EPSG", "ESRI"].contains(organization) {
        system = CoordinateSystem(named: "\(organization):\(row.integer(1))")
      } else {
        system = row.text(2).flatMap { text in
          text.hasPrefix("LOCAL_CS[")
            ? CoordinateSystem(named: text) : ProjectionText.system(text, &found)
        }
      }
    }
    notes = found
    // A number without a row is used as the code itself by most programs.
    return system
      ?? (number > 0 && number < 1 << 24 ? CoordinateSystem(named: "EPSG:\(number)") : nil)
  }

  private static func isUndefined(_ number: Int, _ database: Database) throws -> Bool {
    var isUndefined = false
    try database.rows(
      "SELECT definition FROM gpkg_spatial_ref_sys WHERE srs_id = \(number)"
    ) { isUndefined = $0.text(0)?.lowercased() == "undefined" }
    return isUndefined
  }

  /// Whether all names of columns are UTF-8: others cannot be asked for, and SQLite would take an
  /// unknown name in quotes for a text.
  var areNamesText: Bool { !columns.contains { $0.name.contains("\u{FFFD}") } }

  /// Where a column of attributes stands in the answer.
  func place(ofColumn index: Int) -> Int { 2 + (areNamesText ? index : columns[index].place) }

  /// The question for its rows: the key, the geometry, the attributes.
  ///
  /// - Parameter box: the index, which must be there, leaves out rows far from it.
  func question(in box: Box?) -> String {
    var names = [key.map(Database.quoted) ?? "NULL", geometry.map(Database.quoted) ?? "NULL"]
    names += areNamesText ? columns.map { Database.quoted($0.name) } : ["*"]
    let text = "SELECT \(names.joined(separator: ", ")) FROM \(Database.quoted(name))"
    guard let frames = box.flatMap(BoxTouch.frames(forIndexOf:)), let geometry, let key else {
      return text
    }
    let index = "SELECT id FROM \(Database.quoted("rtree_\(name)_\(geometry)")) WHERE "
    let parts =
      frames.map {
        "maxx >= \($0.minX) AND minx <= \($0.maxX) AND maxy >= \($0.minY) AND miny <= \($0.maxY)"
      } + ["maxx >= 0 AND minx <= 0 AND maxx - minx >= \(Longitude.leastJump)"]
    let found = parts.map { index + $0 }.joined(separator: " UNION ALL ")
    return text + " WHERE \(Database.quoted(key)) IN (\(found))"
  }
}
