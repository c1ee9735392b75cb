import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanGraphics

/// The answer of DuckDB to a question as a layer: over files of Parquet, CSV and JSON and whatever
/// else it reads. Its rows are features; shapes are in a column of the type `GEOMETRY`, of
/// well-known binary or text, or in two columns of numbers.
///
///     duckdb:SELECT name, pop, lon, lat FROM 'towns.csv' WHERE pop > 1000000
///
/// A question is one SELECT: it changes nothing.
struct DuckQuery: Importer {
  private let question: String

  init(_ question: String) {
    // A comment at the end may hide nothing that follows.
    let words = question.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed()
    self.question = String(words) + "\n"
  }

  static let missing =
    "duckdb: asks DuckDB, which is not installed: pip install duckdb (or its program duckdb)"

  var name: String { "duckdb" }
  var title: String { "DuckDB" }
  var extensions: [String] { [] }

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  /// The place of a row.
  private enum Shape {
    case column(DuckDB.Column)
    case text(DuckDB.Column)
    case pair(x: DuckDB.Column, y: DuckDB.Column)
    case none

    var columns: [String] {
      switch self {
      case .column(let column), .text(let column): [column.name]
      case .pair(let x, let y): [x.name, y.name]
      case .none: []
      }
    }

    var member: String {
      switch self {
      case .column(let column): column.digits
      case .text(let column):
        "\(column.quoted)::VARCHAR AS \"\(DuckDB.textMember)\", NULL AS geometry"
      case .pair(let x, let y):
        "CASE WHEN isfinite(\(Self.number(x))) AND isfinite(\(Self.number(y))) THEN "
          + "struct_pack(type := 'Point', coordinates := [\(Self.number(x)), \(Self.number(y))]) "
          + "END AS geometry"
      case .none: "NULL AS geometry"
      }
    }

    static func number(_ column: DuckDB.Column) -> String {
      "TRY_CAST(\(column.quoted) AS DOUBLE)"
    }
  }

  func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    if options.choice != nil {
      throw ToolError(.refused, "the answer of DuckDB is one layer: leave --layers out")
    }
    guard let duckDB = try DuckDB(progress) else { throw ToolError(.missing, Self.missing) }
    let place = try RealFileSystem().realPath(".")
    let table = "query(\(DuckDB.literal(question)))"
    let columns = try duckDB.columns(of: table, in: place, progress)
    let (shape, system) = try shape(of: columns, options)
    let cut = cut(table, shape, options, system, columns)
    var remarks: [String] = []
    // The limit counts the features that are in the box.
    let isLimited = options.limit != nil && (options.box == nil || cut.isBoxed)
    let limit = isLimited ? options.limit : options.wishes.limit
    let chosen = columns.filter { !shape.columns.contains($0.name) || isKept(shape) }
    let lost = chosen.filter { $0.isGeometry || $0.isBinary }
    if !lost.isEmpty {
      let names = lost.map(\.name).joined(separator: ", ")
      remarks.append("columns of shapes and of binary values are left out: \(names)")
    }
    let identifier = options.table.idColumn.flatMap { name in
      PositionColumns.place(of: name, in: columns.map(\.name)).map { columns[$0] }
    }
    let attributes = options.wishes.taken(
      of: chosen.filter { !$0.isGeometry && !$0.isBinary }, \.name)
    func blocks(of table: String, limit: Int?) throws -> [FeatureBlock] {
      let features = DuckDB.features(
        of: table, attributes: attributes, shape: shape.member, identifier: identifier)
      let words = limit.map { " LIMIT \($0)" } ?? ""
      try duckDB.run(
        "COPY (\(Self.single(features + words))) TO 'output.ndjson' (FORMAT json);", in: place,
        progress)
      let bytes = try duckDB.folder.read("output.ndjson")
      // Without a row the file is empty.
      if bytes.isEmpty { return [] }
      let read = try GeoJSONFormat().read(bytes, options: ImportOptions(name: options.name)) {
        try progress(0.4 + 0.6 * $0)
      }
      return (read.layers.first as? FeatureLayer)?.blocks ?? []
    }
    var read = try blocks(of: cut.table, limit: limit)
    if read.isEmpty, options.wishes.choosesRows {
      // One row that is not chosen brings the names and the types of the attributes.
      read = try blocks(of: table, limit: 1)
    }
    var layer = layer(of: read, shape, options, &remarks)
    if let wanted = options.limit ?? limit {
      let isCounted = isLimited || options.limit == nil
      let total =
        isCounted
        ? try count(cut.table, duckDB, place, progress) : layer.keep(options, wanted, system)
      if total > wanted {
        remarks.append(EngineSource.words(wanted, of: total, layer.name, options))
      }
    }
    return try ImportResult([LayerPart(layer, system)], remarks: remarks, options)
  }

  /// A text of SQL that DuckDB takes as one SELECT, whatever stands in it.
  private static func single(_ sql: String) -> String {
    "FROM query(\(DuckDB.literal(sql)))"
  }

  /// Longitude and latitude stay attributes, too.
  private func isKept(_ shape: Shape) -> Bool {
    if case .pair = shape { return true }
    return false
  }

  /// What is asked, with the condition and the box if DuckDB can apply it.
  private func cut(
    _ table: String, _ shape: Shape, _ options: ImportOptions, _ system: CoordinateSystem?,
    _ columns: [DuckDB.Column]
  ) -> (table: String, isBoxed: Bool) {
    var conditions = options.condition.map { ["(\($0)\n)"] } ?? []
    conditions +=
      options.wishes.condition?.wideSQL { name in
        columns.first { $0.name == name }?.kind
      }.map { [$0] } ?? []
    var isBoxed = false
    if case .pair(let x, let y) = shape, let box = options.box ?? options.wishes.box {
      let keepsUnplaced = options.box == nil && options.wishes.keepsUnplaced
      let unplaced = " OR \(Shape.number(x)) IS NULL OR \(Shape.number(y)) IS NULL"
      conditions.append(
        "(\(Shape.number(y)) BETWEEN \(box.minY) AND \(box.maxY)"
          + "\(keepsUnplaced ? unplaced : ""))")
      // Longitudes may be whole turns of the globe apart from the box.
      if !keepsUnplaced, let system = options.system ?? system, !system.isDegrees {
        isBoxed = true
        conditions.append("\(Shape.number(x)) BETWEEN \(box.minX) AND \(box.maxX)")
      }
    }
    if conditions.isEmpty { return (table, isBoxed) }
    let all = "SELECT * FROM \(table) WHERE " + conditions.joined(separator: " AND ")
    return ("query(\(DuckDB.literal(all)))", isBoxed)
  }

  private func count(
    _ table: String, _ duckDB: DuckDB, _ place: String, _ progress: (Double) throws -> Void
  ) throws -> Int {
    try duckDB.run(
      "COPY (SELECT count(*) FROM \(table)) TO 'count.csv' (HEADER false);", in: place, progress)
    let digits = String(decoding: try duckDB.folder.read("count.csv"), as: UTF8.self)
    return Int(digits.filter(\.isNumber)) ?? 0
  }

  // MARK: Shapes

  private static let binaryNames: Set<String> = [
    "geometry", "geom", "wkb", "wkb_geometry", "the_geom", "shape", "geog", "geography",
  ]

  /// The columns with the place, and the system that they tell.
  private func shape(
    of columns: [DuckDB.Column], _ options: ImportOptions
  ) throws -> (Shape, CoordinateSystem?) {
    let named = options.table.namesPositions
    if options.table.pointColumn != nil {
      throw ToolError(.refused, "--point-column is for tables: let DuckDB split the text")
    }
    let names = columns.map(\.name)
    for name in options.table.columns where PositionColumns.place(of: name, in: names) == nil {
      throw ToolError(
        .refused, "no column is named \"\(name)\": there are \(names.joined(separator: ", "))")
    }
    if !options.table.hasPositions { return (.none, nil) }
    if !named, let column = columns.first(where: \.isGeometry) {
      return (.column(column), Self.system(column.type))
    }
    if !named,
      let column = columns.first(where: {
        $0.isBinary && Self.binaryNames.contains($0.name.lowercased())
      })
    {
      return (.column(column), nil)
    }
    switch PositionColumns(names, options: options) {
    case .text(let place): return (.text(columns[place]), nil)
    case .pair(let x, let y):
      let system: CoordinateSystem? =
        switch PositionColumns.claim(x: names[x], y: names[y]) {
        case .degrees: .crs84
        case .planar: .planar
        case .nothing: nil
        }
      return (.pair(x: columns[x], y: columns[y]), system)
    case .point, .nowhere, nil: return (.none, nil)
    }
  }

  /// The system of a type such as `GEOMETRY('EPSG:25833')`.
  private static func system(_ type: String) -> CoordinateSystem? {
    guard let start = type.firstIndex(of: "'"), let end = type.lastIndex(of: "'"), start < end
    else { return nil }
    let name = String(type[type.index(after: start)..<end]).replacing("''", with: "'")
    if name.contains("[") {
      var notes: [ImportNoteCode: Int] = [:]
      return ProjectionText.system(name, &notes)
    }
    return name.contains(":") && !name.contains("{") ? CoordinateSystem(named: name) : nil
  }

  private func layer(
    of answer: [FeatureBlock], _ shape: Shape, _ options: ImportOptions, _ remarks: inout [String]
  ) -> FeatureLayer {
    var blocks: [FeatureBlock]
    if case .pair = shape {
      blocks = answer.map(\.plain)
    } else {
      let rows = ShapedRows(answer)
      blocks = rows.blocks
      remarks += rows.remarks
    }
    if case .none = shape {
      if options.table.hasPositions {
        remarks.append(
          "no column holds shapes: GEOMETRY, well-known binary or text called geometry, or lon and "
            + "lat; its features have no place")
      }
    } else {
      let unlocated = blocks.reduce(0) { sum, block in
        sum + block.geometry.kinds.count { $0 == .none }
      }
      if unlocated > 0 {
        remarks.append(ImportReport.Note(code: .unlocated, count: unlocated).text)
      }
    }
    return FeatureLayer(
      id: LayerID(1), name: options.name, style: LayerDefaults(blocks: []).style(named: ""),
      blocks: blocks)
  }
}
