import PortolanDatabases
import PortolanExpressions
import PortolanFiles

/// A table of PostgreSQL, its columns as the server has them.
///
/// GDAL reads numbers of any length as doubles, times without their microseconds, and has no form
/// for infinite dates, ranges and others: the server is asked for those columns as JSON.
///
///     SELECT "id" AS ogc_fid, "name", to_json("area") AS "area", "place" FROM "s"."lots"
struct PostgresTable {
  struct Column {
    var name: String
    /// The server's name of its type, such as `numeric`; `_text` is an array of `text`.
    var type: String
  }

  /// Its name in SQL.
  private let name: String
  private var columns: [Column]

  /// The types that GDAL reads as they are.
  private static let plainTypes: Set<String> = [
    "bool", "int2", "int4", "int8", "float4", "float8", "text", "varchar", "bpchar", "name", "uuid",
    "json", "jsonb", "bytea",
  ]

  private static let shapeTypes: Set<String> = ["geometry", "geography"]

  /// The name that makes a column of an answer the id for GDAL.
  private static let keyName = "ogc_fid"

  /// Whether it has a column of such a name.
  func holds(_ name: String) -> Bool { columns.contains { $0.name == name } }

  /// The kind of a column whose values the server compares as Portolan does; `nil` for others.
  func kind(_ name: String) -> ColumnKind? {
    switch columns.first(where: { $0.name == name })?.type {
    case "int2", "int4", "int8": .whole
    case "float4", "float8", "numeric": .real
    case "text", "varchar", "bpchar": .text
    default: nil
    }
  }

  /// The types, in the words of a GeoPackage, of columns that come as JSON.
  var declaredTypes: [String: String] {
    let words = ["date": "DATE", "timestamptz": "DATETIME", "numeric": "DOUBLE"]
    return Dictionary(
      columns.compactMap { column in words[column.type].map { (column.name, $0) } }
    ) { first, _ in first }
  }

  /// The question for its rows; `nil` if a column beside the key has the name that GDAL takes for
  /// that of ids.
  ///
  /// - Parameters:
  ///   - chosen: the attributes; `nil` takes all.
  ///   - conditions: SQL of the server, which all hold.
  func question(
    key: String?, place: String?, chosen: [String]?, conditions: [String]
  ) -> String? {
    var words: [String] = []
    for column in columns {
      let quoted = DuckDB.quoted(column.name)
      if column.name == key {
        words.append("\(quoted) AS \(Self.keyName)")
      } else if Self.shapeTypes.contains(column.type) {
        if column.name == place { words.append(quoted) }
      } else if column.name.lowercased() == Self.keyName {
        return nil
      } else if chosen?.contains(column.name) ?? true {
        let value = Self.value(quoted, column.type)
        words.append(value == quoted ? quoted : "\(value) AS \(quoted)")
      }
    }
    if words.isEmpty { return nil }
    let text = "SELECT \(words.joined(separator: ", ")) FROM \(name)"
    if conditions.isEmpty { return text }
    return text + " WHERE " + conditions.map { "(\($0)\n)" }.joined(separator: " AND ")
  }

  /// A column as the server is asked for it: moments in UTC, as they stand in a GeoPackage.
  private static func value(_ column: String, _ type: String) -> String {
    if plainTypes.contains(type) { return column }
    if type != "timestamptz" { return "to_json(\(column))" }
    let words = "(to_json(\(column) AT TIME ZONE 'UTC') #>> '{}') || 'Z'"
    return "CASE WHEN isfinite(\(column)) THEN to_json(replace(\(words), ' BCZ', 'Z BC')) "
      + "ELSE to_json(\(column)) END"
  }

  // MARK: Finding them

  /// The tables of some layers, by the names of these.
  static func all(
    of layers: [OGRTools.Layer], _ tools: OGRTools, _ line: String,
    _ progress: (Double) throws -> Void
  ) throws -> [String: PostgresTable] {
    let names = Dictionary(layers.map { ($0.name, tableName($0)) }) { first, _ in first }
    let wanted = Set(names.values).sorted().map(literal).joined(separator: ", ")
    let question = """
      SELECT format('%I.%I', n.nspname, c.relname) AS words, n.nspname || '.' || c.relname AS long,
        CASE WHEN n.nspname = current_schema() THEN c.relname END AS short, a.attname AS col,
        t.typname AS kind
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
        AND (n.nspname || '.' || c.relname IN (\(wanted))
          OR n.nspname = current_schema() AND c.relname IN (\(wanted)))
      ORDER BY c.oid, a.attnum
      """
    let file = "tables.gpkg"
    let words = ["-f", "GPKG", "-nln", "tables", file, line, "-sql", question]
    _ = try tools.convert(words) { _ in try progress(0) }
    var found: [String: PostgresTable] = [:]
    let database = try Database(tools.folder.read(file))
    try database.rows("SELECT words, long, short, col, kind FROM tables") {
      guard let words = $0.text(0), let column = $0.text(3), let type = $0.text(4) else { return }
      for name in [$0.text(1), $0.text(2)].compactMap({ $0 }) {
        var table = found[name] ?? PostgresTable(name: words, columns: [])
        // A table may be called as another one with its schema.
        guard table.name == words else { continue }
        table.columns.append(Column(name: column, type: type))
        found[name] = table
      }
    }
    return names.compactMapValues { found[$0] }
  }

  /// The name of the table of a layer, which GDAL may call `roads(centre)` for its column `centre`.
  private static func tableName(_ layer: OGRTools.Layer) -> String {
    let ending = layer.places.first.map { "(\($0))" } ?? ""
    return layer.name.hasSuffix(ending) ? String(layer.name.dropLast(ending.count)) : layer.name
  }

  private static func literal(_ text: String) -> String {
    "E'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
