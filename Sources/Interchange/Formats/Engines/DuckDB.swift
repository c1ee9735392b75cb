import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanGraphics

/// DuckDB in a process of its own: its program, or the module of Python.
///
/// It needs none of its extensions: it writes each row as a feature whose shape is well-known
/// binary or text in a member of its own, and those are read here.
struct DuckDB {
  let folder: ScratchFolder
  private let program: ChildProcess
  /// Whether the program is Python.
  private let isPython: Bool

  /// `nil` where it is not installed.
  init?(_ progress: (Double) throws -> Void) throws {
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
  ///
  /// - Parameter place: the folder of the files that they name without one; `nil` is the scratch
  ///   folder.
  func run(
    _ sql: String, in place: String? = nil, _ progress: (Double) throws -> Void
  ) throws {
    var settings = Self.settings
    if let place {
      // The setting is a list with commas between.
      let hasComma = place.utf8.contains(UInt8(ascii: ","))
      let path = hasComma ? try folder.link(to: place) : place
      settings += "SET file_search_path=\(Self.literal(path)); "
    }
    let sql = settings + "SET lock_configuration=true; " + sql
    let words =
      isPython
      ? ["-c", "import duckdb,sys; duckdb.connect().execute(sys.argv[1])", sql] : ["-c", sql]
    let done = try program.run(words, in: folder) { _ in try progress(0.2) }
    guard done.end == .exit(code: 0) else {
      throw ToolError(.refused, "DuckDB refuses it: \(Self.cause(done.errors))")
    }
  }

  /// The line that tells why, without the name of a class of Python.
  private static func cause(_ errors: String) -> Substring {
    let words = errors.split(separator: "\n").last { $0.contains("Error") } ?? "it failed"
    let isNamed = words.hasPrefix("_duckdb.") || words.hasPrefix("duckdb.")
    let rest = isNamed ? words.firstRange(of: ": ").map { words[$0.upperBound...] } : nil
    return (rest ?? words).prefix(300)
  }

  // MARK: Columns

  /// A column of a table or of a question.
  struct Column {
    var name: String
    /// In DuckDB's words, such as `DOUBLE`.
    var type: String

    /// The name as SQL writes it.
    var quoted: String { DuckDB.quoted(name) }

    /// The member with its shape as hexadecimal digits.
    var digits: String {
      let bytes = isGeometry ? "ST_AsWKB(\(quoted))" : quoted
      return "hex(\(bytes)::BLOB) AS \"\(DuckDB.binaryMember)\", NULL AS geometry"
    }

    var isGeometry: Bool { type.hasPrefix("GEOMETRY") }
    var isBinary: Bool { type == "BLOB" || type == "WKB_BLOB" }

    /// Its kind as conditions know it; `nil` for all others.
    var kind: ColumnKind? {
      switch type {
      case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER",
        "UBIGINT":
        .whole
      case "FLOAT", "DOUBLE": .real
      case "VARCHAR": .text
      default: type.hasPrefix("DECIMAL(") ? .real : nil
      }
    }

    /// Its value in a feature: numbers that JSON has none of become text, not-a-number null.
    var value: String {
      guard type == "DOUBLE" || type == "FLOAT" else { return quoted }
      return "CASE WHEN isfinite(\(quoted)) THEN \(quoted)::VARCHAR::JSON WHEN isnan(\(quoted)) "
        + "THEN NULL ELSE to_json(if(\(quoted) > 0, 'Infinity', '-Infinity')) END"
    }
  }

  /// The columns of a table.
  ///
  /// - Parameter table: what stands behind `FROM`.
  func columns(
    of table: String, in place: String? = nil, _ progress: (Double) throws -> Void
  ) throws -> [Column] {
    try run(
      "COPY (SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM \(table))) "
        + "TO 'names.csv' (HEADER false, FORCE_QUOTE *);", in: place, progress)
    var scanner = CSVScanner(try folder.read("names.csv"), separator: UInt8(ascii: ","))
    var columns: [Column] = []
    while let record = try scanner.nextRecord() {
      guard record.count == 2 else { continue }
      columns.append(Column(name: scanner.name(record[0]), type: scanner.name(record[1])))
    }
    return columns
  }

  /// A question whose rows are features.
  ///
  /// - Parameters:
  ///   - shape: a member with the place, such as `NULL AS geometry`.
  ///   - identifier: the column of ids.
  static func features(
    of table: String, attributes: [Column], shape: String, identifier: Column? = nil
  ) -> String {
    let members = attributes.map { "\($0.quoted) := \($0.value)" }
    let properties = members.isEmpty ? "NULL" : "struct_pack(\(members.joined(separator: ", ")))"
    let id = identifier.map { "\($0.quoted) AS id, " } ?? ""
    return "SELECT 'Feature' AS type, \(id)\(properties) AS properties, \(shape) FROM \(table)"
  }

  /// The names of the members with shapes.
  static let (binaryMember, textMember) = ("portolan:wkb", "portolan:wkt")

  /// A name as SQL writes it.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as SQL writes it.
  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}

/// The blocks of features whose shapes are in members, with these shapes.
struct ShapedRows {
  private(set) var blocks: [FeatureBlock] = []
  private(set) var remarks: [String] = []
  private var builder = FeatureBlockBuilder()
  private var broken = 0
  private var measured = 0
  private var curved = 0

  init(_ source: [FeatureBlock]) {
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    for block in source {
      let members = block.foreignMembers
      let binary = members.first { $0.name == DuckDB.binaryMember }
      let text = members.first { $0.name == DuckDB.textMember }
      for row in 0..<block.rowCount {
        for attribute in block.attributes where attribute.kind(row) != .missing {
          builder.setAttribute(attribute.name, to: attribute.value(row))
        }
        if block.identifiers.kind(row) != .missing {
          builder.identifiers.pad(toRows: builder.row)
          builder.identifiers.append(block.identifiers.value(row))
        }
        var kind = GeometryKind.none
        if let digits = Self.word(binary, row) {
          kind = shapeKind(ofDigits: digits)
        } else if let words = Self.word(text, row) {
          kind = shapeKind(ofText: words)
        }
        builder.endRow(kind, shape: shape)
      }
    }
    blocks = builder.finish()
    if broken > 0 {
      let note = CountText.text(broken, "geometry is", "geometries are")
      remarks.append("\(note) broken; kept without a position")
    }
    if measured > 0 {
      let note = CountText.text(measured, "feature has", "features have")
      remarks.append("\(note) measures (M), which are left out")
    }
    if curved > 0 { remarks.append(ImportNoteCode.arcs.text(count: curved)) }
  }

  /// The text of a member.
  private static func word(_ column: AttributeColumn?, _ row: Int) -> [UInt8]? {
    switch column?.value(row) {
    case .json(let quoted)? where quoted.hasPrefix("\""):
      JSONText.value(between: Array(quoted.utf8.dropFirst().dropLast()))
    case .string(let text)?: Array(text.utf8)
    default: nil
    }
  }

  private mutating func shapeKind(ofDigits digits: [UInt8]) -> GeometryKind {
    if digits.isEmpty { return .none }
    let before = (builder.geometry.pathEnds.count, builder.geometry.vertexCount)
    var findings = WKB.Findings()
    let kind = WKBFormat.bytes(ofHex: digits[...]).flatMap { bytes in
      bytes.withUnsafeBytes { bytes -> GeometryKind? in
        var reader = WKBReader(bytes)
        let kind = try? reader.read(into: &builder.geometry)
        findings = reader.findings
        return kind
      }
    }
    if kind == nil {
      builder.geometry.truncate(paths: before.0, vertices: before.1)
      broken += 1
    } else {
      if findings.hasMeasures { measured += 1 }
      if findings.hasArcs { curved += 1 }
    }
    return kind ?? .none
  }

  private mutating func shapeKind(ofText text: [UInt8]) -> GeometryKind {
    if text.allSatisfy({ $0 <= 0x20 }) { return .none }
    guard let read = ShapeText(String(decoding: text, as: UTF8.self)) else {
      broken += 1
      return .none
    }
    if read.hasMeasures { measured += 1 }
    if read.hasArcs { curved += 1 }
    builder.geometry.appendPaths(of: read.geometry)
    return read.geometry.kind
  }
}
