import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// GeoParquet by DuckDB.
struct ParquetReader {
  private let duckDB: DuckDB

  static let missing =
    "GeoParquet is read by DuckDB, which is not installed: pip install duckdb (or its program "
    + "duckdb, or an ogr2ogr with the driver Parquet)"

  /// The result of reading; `nil` where DuckDB is not installed.
  static func read(
    _ source: FileSource, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult? {
    guard let duckDB = try DuckDB(progress) else { return nil }
    return try ParquetReader(duckDB: duckDB).result(source, options, progress)
  }

  private func result(
    _ source: FileSource, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let folder = duckDB.folder
    try folder.write(source.bytes(), to: "input.parquet")
    // The column of shapes and its system.
    try duckDB.run(
      """
      COPY (SELECT json_extract_string(g, '$.primary_column') AS shape,
      json_extract_string(g, '$.columns.' || json_extract_string(g, '$.primary_column') ||
      '.encoding') AS encoding,
      json_extract(g, '$.columns.' || json_extract_string(g, '$.primary_column') || '.crs.id')
      AS crs, json_extract(g, '$.columns.' || json_extract_string(g, '$.primary_column') || '.crs')
      IS NOT NULL AS has_crs FROM (SELECT decode(value)::JSON AS g FROM
      parquet_kv_metadata('input.parquet') WHERE decode(key) = 'geo')) TO 'head.json' (FORMAT json);
      """, progress)
    let head = String(decoding: try folder.read("head.json"), as: UTF8.self)
    let columns = try duckDB.columns(of: "read_parquet('input.parquet')", progress)
    guard let name = Self.text("shape", in: head),
      let shape = columns.first(where: { $0.name == name })
    else {
      throw ToolError(
        .refused,
        "it is Parquet without the metadata of GeoParquet: ask for its rows with duckdb:SELECT … "
          + "FROM 'FILE'")
    }
    guard Self.text("encoding", in: head)?.uppercased() == "WKB" else {
      throw ToolError(.refused, "its shapes are not in the encoding WKB, the one that is read")
    }
    let features = DuckDB.features(
      of: "read_parquet('input.parquet')", attributes: columns.filter { $0.name != name },
      shape: shape.digits)
    try duckDB.run("COPY (\(features)) TO 'output.ndjson' (FORMAT json);", progress)
    let read = try GeoJSONFormat().read(
      folder.read("output.ndjson"), options: ImportOptions(name: options.name)
    ) { try progress(0.4 + 0.6 * $0) }
    guard let layer = read.layers.first as? FeatureLayer else {
      throw ToolError(.refused, "it has no rows")
    }
    let rows = ShapedRows(layer.blocks)
    let located = FeatureLayer(
      id: LayerID(1), name: options.name, style: LayerDefaults(blocks: []).style(named: ""),
      blocks: rows.blocks)
    return try ImportResult([LayerPart(located, Self.system(head))], remarks: rows.remarks, options)
  }

  /// The system of the metadata: `{"authority":"EPSG","code":25833}`; none at all is OGC:CRS84.
  private static func system(_ head: String) -> CoordinateSystem? {
    if head.contains("\"has_crs\":false") { return .crs84 }
    guard let authority = text("authority", in: head) else { return nil }
    let code = text("code", in: head) ?? number("code", in: head)
    return code.map { CoordinateSystem(named: "\(authority):\($0)") }
  }

  // MARK: Texts

  /// A member that is a text in the one line that DuckDB wrote.
  private static func text(_ name: String, in line: String) -> String? {
    guard let start = line.firstRange(of: "\"\(name)\":\"") else { return nil }
    var text: [UInt8] = []
    let rest = Array(line[start.upperBound...].utf8)
    var end = 0
    while end < rest.count, rest[end] != UInt8(ascii: "\"") {
      end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let isWhole = rest[..<min(end, rest.count)].withUnsafeBufferPointer {
      JSONText.unescape($0, into: &text)
    }
    return isWhole ? String(decoding: text, as: UTF8.self) : nil
  }

  private static func number(_ name: String, in line: String) -> String? {
    guard let start = line.firstRange(of: "\"\(name)\":") else { return nil }
    let digits = line[start.upperBound...].prefix(while: \.isNumber)
    return digits.isEmpty ? nil : String(digits)
  }
}
