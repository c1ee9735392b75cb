import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// GeoParquet by DuckDB, in a process of its own: its program, or the module of Python.
///
/// DuckDB needs none of its extensions: it writes each row as a feature whose shape is well-known
/// binary in hexadecimal digits, and those are read here.
struct ParquetReader {
  private let folder: ScratchFolder
  private let program: ChildProcess
  /// Whether the program is Python.
  private let isPython: Bool

  static let missing =
    "GeoParquet is read by DuckDB, which is not installed: pip install duckdb (or its program "
    + "duckdb, or an ogr2ogr with the driver Parquet)"

  /// The result of reading; `nil` where DuckDB is not installed.
  static func read(
    _ source: FileSource, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult? {
    guard let tool = try ParquetReader(progress) else { return nil }
    return try tool.result(source, options, progress)
  }

  private init?(_ progress: (Double) throws -> Void) throws {
    folder = try ScratchFolder()
    if let duckdb = ChildProcess(named: "duckdb") {
      (program, isPython) = (duckdb, false)
      return
    }
    guard let python = ChildProcess(named: "python3") else { return nil }
    (program, isPython) = (python, true)
    let found = try python.run(["-c", "import duckdb"], in: folder) { _ in try progress(0) }
    if found.end != .exit(code: 0) { return nil }
  }

  private static let settings =
    "SET autoinstall_known_extensions=false; SET autoload_known_extensions=false; "
    + "SET memory_limit='4GB'; "

  /// Runs statements.
  private func run(_ sql: String, _ progress: (Double) throws -> Void) throws {
    let sql = Self.settings + sql
    let words =
      isPython
      ? ["-c", "import duckdb,sys; duckdb.connect().execute(sys.argv[1])", sql] : ["-c", sql]
    let done = try program.run(words, in: folder) { _ in try progress(0.2) }
    guard done.end == .exit(code: 0) else {
      let words = done.errors.split(separator: "\n").last { $0.contains("Error") } ?? "it failed"
      throw ToolError(.refused, "DuckDB refuses it: \(words.prefix(300))")
    }
  }

  private func result(
    _ source: FileSource, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult {
    try folder.write(source.bytes(), to: "input.parquet")
    // The column of shapes, its system, and the columns of attributes.
    try run(
      """
      COPY (SELECT json_extract_string(g, '$.primary_column') AS shape,
      json_extract_string(g, '$.columns.' || json_extract_string(g, '$.primary_column') ||
      '.encoding') AS encoding,
      json_extract(g, '$.columns.' || json_extract_string(g, '$.primary_column') || '.crs.id')
      AS crs, json_extract(g, '$.columns.' || json_extract_string(g, '$.primary_column') || '.crs')
      IS NOT NULL AS has_crs FROM (SELECT decode(value)::JSON AS g FROM
      parquet_kv_metadata('input.parquet') WHERE decode(key) = 'geo')) TO 'head.json' (FORMAT json);
      COPY (SELECT column_name FROM (DESCRIBE SELECT * FROM read_parquet('input.parquet')))
      TO 'names.csv' (HEADER false, FORCE_QUOTE *);
      """, progress)
    let head = String(decoding: try folder.read("head.json"), as: UTF8.self)
    let names = try Self.fields(folder.read("names.csv"))
    guard let shape = Self.text("shape", in: head), names.contains(shape) else {
      throw ToolError(.refused, "it is Parquet without the metadata of GeoParquet")
    }
    guard Self.text("encoding", in: head)?.uppercased() == "WKB" else {
      throw ToolError(.refused, "its shapes are not in the encoding WKB, the one that is read")
    }
    let members = names.filter { $0 != shape }.map { name in
      "\(Self.quoted(name)) := \(Self.quoted(name))"
    }
    let properties = members.isEmpty ? "NULL" : "struct_pack(\(members.joined(separator: ", ")))"
    try run(
      """
      COPY (SELECT 'Feature' AS type, \(properties) AS properties,
      hex(\(Self.quoted(shape))::BLOB) AS "portolan:wkb", NULL AS geometry
      FROM read_parquet('input.parquet')) TO 'output.ndjson' (FORMAT json);
      """, progress)
    let read = try GeoJSONFormat().read(
      folder.read("output.ndjson"), options: ImportOptions(name: options.name)
    ) { try progress(0.4 + 0.6 * $0) }
    guard let layer = read.layers.first as? FeatureLayer else {
      throw ToolError(.refused, "it has no rows")
    }
    let (blocks, remarks) = Self.shaped(layer.blocks)
    let located = FeatureLayer(
      id: LayerID(1), name: options.name, style: LayerDefaults(blocks: []).style(named: ""),
      blocks: blocks)
    return try ImportResult([LayerPart(located, Self.system(head))], remarks: remarks, options)
  }

  /// The system of the metadata: `{"authority":"EPSG","code":25833}`; none at all is OGC:CRS84.
  private static func system(_ head: String) -> CoordinateSystem? {
    if head.contains("\"has_crs\":false") { return .crs84 }
    guard let authority = text("authority", in: head) else { return nil }
    let code = text("code", in: head) ?? number("code", in: head)
    return code.map { CoordinateSystem(named: "\(authority):\($0)") }
  }

  /// The blocks with the shapes of their well-known binary.
  private static func shaped(_ blocks: [FeatureBlock]) -> ([FeatureBlock], [String]) {
    var builder = FeatureBlockBuilder()
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    var broken = 0
    for block in blocks {
      let column = block.foreignMembers.first { $0.name == "portolan:wkb" }
      for row in 0..<block.rowCount {
        for attribute in block.attributes where attribute.kind(row) != .missing {
          builder.setAttribute(attribute.name, to: attribute.value(row))
        }
        var kind = GeometryKind.none
        if case .json(let quoted)? = column?.value(row), quoted.hasPrefix("\"") {
          let digits = Array(quoted.utf8.dropFirst().dropLast())
          kind = shapeKind(digits, &builder.geometry, &broken)
        } else if case .string(let digits)? = column?.value(row) {
          kind = shapeKind(Array(digits.utf8), &builder.geometry, &broken)
        }
        builder.endRow(kind, shape: shape)
      }
    }
    let note = CountText.text(broken, "geometry is", "geometries are")
    return (
      builder.finish(), broken == 0 ? [] : ["\(note) broken; kept without a position"]
    )
  }

  private static func shapeKind(
    _ digits: [UInt8], _ builder: inout GeometryBlockBuilder, _ broken: inout Int
  ) -> GeometryKind {
    if digits.isEmpty { return .none }
    let before = (builder.pathEnds.count, builder.vertexCount)
    let kind = WKBFormat.bytes(ofHex: digits[...]).flatMap { bytes in
      bytes.withUnsafeBytes { bytes -> GeometryKind? in
        var reader = WKBReader(bytes)
        return try? reader.read(into: &builder)
      }
    }
    if kind == nil {
      builder.truncate(paths: before.0, vertices: before.1)
      broken += 1
    }
    return kind ?? .none
  }

  // MARK: Texts

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The fields of a table of one column, all of them in quotes.
  private static func fields(_ bytes: [UInt8]) throws -> [String] {
    var scanner = CSVScanner(bytes, separator: UInt8(ascii: ","))
    var fields: [String] = []
    while let record = try scanner.nextRecord() {
      if let field = record.first { fields.append(scanner.text(field)) }
    }
    return fields
  }

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
