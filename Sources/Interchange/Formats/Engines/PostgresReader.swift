import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanGraphics

/// Layers of PostGIS by ogr2ogr, which libpq connects: its passwords may be in `~/.pgpass`, its
/// services in `~/.pg_service.conf`, and the variables `PGHOST`, `PGUSER` and the like hold.
///
/// The server applies the box, the condition and the limit, and what it can of the wishes of a verb
/// (`SourceWishes`). It is asked to change nothing.
///
///     ogr2ogr -f GPKG … -spat 5 45 15 55 -limit 100 1.gpkg PG:dbname=x -sql "SELECT …"
struct PostgresReader: Importer {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) { self.connection = connection }

  var name: String { "postgis" }
  var title: String { "PostGIS" }
  var extensions: [String] { [] }

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  /// The variables of libpq that may hold.
  private static let variables: Set<String> = [
    "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSWORD", "PGPASSFILE",
    "PGSERVICE", "PGSERVICEFILE", "PGSYSCONFDIR", "PGSSLMODE", "PGSSLCERT", "PGSSLKEY",
    "PGSSLROOTCERT", "PGSSLCRL", "PGREQUIREPEER", "PGREQUIRESSL", "PGCHANNELBINDING",
    "PGTARGETSESSIONATTRS", "PGGSSENCMODE", "PGKRBSRVNAME", "PGCONNECT_TIMEOUT", "KRB5CCNAME",
  ]

  func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    if connection.hasOptions {
      throw ToolError(
        .refused, "a line with the key options is not taken: sessions are read-only by these")
    }
    for name in options.choice ?? [] where name.isEmpty || name.hasPrefix("-") {
      throw ToolError(.refused, "no layer is named \"\(name)\"")
    }
    var tools = try OGRTools()
    tools.use(drivers: ["PostgreSQL", "GPKG", "GeoJSON"])
    tools.take(variables: Self.variables)
    let session = "-c default_transaction_read_only=on -c IntervalStyle=iso_8601"
    tools.set(["PGOPTIONS": session, "PGAPPNAME": "portolan"])
    if let password = connection.password { tools.set(["PGPASSWORD": password]) }
    do {
      return try result(tools, options, progress)
    } catch let error as ToolError {
      if tools.hasDriver(["PostgreSQL"]) { throw error }
      throw ToolError(.missing, "this ogr2ogr has no driver PostgreSQL, which reads PostGIS")
    }
  }

  private func result(
    _ tools: OGRTools, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let layers = try self.layers(tools, options, progress)
    if layers.isEmpty {
      throw ToolError(.refused, "the database has no table with a column of shapes")
    }
    // A box is in the system of the result, into which tables of others are converted: all of their
    // rows come then, and the box is applied behind.
    let systems = Set(layers.filter { !$0.places.isEmpty }.map(\.system))
    let takesBox = options.system != nil || systems.count <= 1
    var wishes = options.wishes
    wishes.box = takesBox ? options.box ?? wishes.box : nil
    let tables = try PostgresTable.all(of: layers, tools, connection.line, progress)
    var (parts, remarks): ([LayerPart], [String]) = ([], [])
    for (index, layer) in layers.enumerated() {
      let transport = TransportReader(
        tools, connection.line,
        GeoPackageReader.Conversion(hasIdentifiers: layer.key != nil, hasNulls: true))
      transport.isOrdered = false
      transport.takesBox = takesBox
      let table = tables[layer.name]
      let wish = ServerWish(wishes, table, layer.places.first)
      transport.ask(table, layer, wish.columns, [options.condition, wish.condition])
      // Of the shapes near a box those that touch it are chosen here, before the limit.
      let hasBox = options.box != nil
      if !hasBox, let limit = options.limit ?? options.wishes.limit {
        transport.arguments += ["-limit", "\(limit)"]
      }
      func read(_ number: Int) throws -> LayerPart {
        try transport.part(layer.name, options, number) {
          try progress((Double(index) + $0) / Double(layers.count))
        }
      }
      var part = try read(2 * index)
      if part.layer.count == 0, wish.condition != nil, !hasBox {
        // One row that is not chosen brings the names and the types of the attributes.
        transport.ask(table, layer, nil, [])
        transport.arguments += ["-limit", "1"]
        part = try read(2 * index + 1)
      }
      remarks += transport.remarks
      part.layer.declared.types.merge(table?.declaredTypes ?? [:]) { $1 }
      if transport.question == nil {
        remarks.append(
          "layer \(layer.name): numbers and times come as GDAL rounds them, since "
            + (table == nil ? "its table is not found" : "a column is called ogc_fid"))
      }
      remarks += layer.places.dropFirst().map { place in
        "layer \(layer.name): its other column of shapes, \(place), is left out: --layers "
          + "'\(layer.name)(\(place))' reads it"
      }
      let limited = hasBox && takesBox ? options.limit : nil
      let here = limited.map { part.layer.keep(options, $0, part.system) }
      let wanted = !hasBox || takesBox ? options.limit ?? options.wishes.limit : nil
      if let limit = wanted, let count = here ?? layer.count, count > limit {
        remarks.append(EngineSource.words(limit, of: count, layer.name, options))
      }
      // Tables without rows are left out beside others.
      if part.layer.count > 0 || layers.count == 1 || options.choice != nil { parts.append(part) }
    }
    if parts.isEmpty { throw ToolError(.refused, "none of its \(layers.count) tables has a row") }
    return try ImportResult(parts, remarks: remarks, options)
  }

  /// The wanted layers; counted if a limit asks for it.
  private func layers(
    _ tools: OGRTools, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> [OGRTools.Layer] {
    let isLimited = options.limit != nil || options.wishes.limit != nil
    let counts =
      isLimited && options.box == nil
      ? Self.words(ofConditions: [options.condition]) : ["-nocount"]
    let choice = options.choice
    do {
      return try tools.layers(
        of: connection.line, ["-noextent"] + counts, names: choice ?? [], progress: progress)
    } catch let error as ToolError where choice != nil && error.kind == .refused {
      // The names that there are, are told.
      let all = try tools.layers(
        of: connection.line, ["-noextent", "-nocount"], names: [], progress: progress)
      _ = try options.chosen(all, \.name)
      throw error
    }
  }

  /// The arguments of conditions that all hold; GDAL takes a text that begins with `@` for the name
  /// of a file.
  static func words(ofConditions conditions: [String?]) -> [String] {
    let parts = conditions.compactMap { $0.map { "(\($0)\n)" } }
    return parts.isEmpty ? [] : ["-where", parts.joined(separator: " AND ")]
  }
}

extension TransportReader {
  /// Takes a layer of PostGIS by a question for its table, or as GDAL has it.
  fileprivate func ask(
    _ table: PostgresTable?, _ layer: OGRTools.Layer, _ columns: [String]?, _ conditions: [String?]
  ) {
    question = table?.question(
      key: layer.key, place: layer.places.first, chosen: columns,
      conditions: conditions.compactMap(\.self))
    arguments = question == nil ? PostgresReader.words(ofConditions: conditions) : []
  }
}

/// What a verb wishes of a table, in words for the server.
private struct ServerWish {
  /// A condition in SQL; `nil` if there is none, or if the server knows none of it.
  let condition: String?
  /// The columns; `nil` takes all.
  let columns: [String]?

  init(_ wishes: SourceWishes, _ table: PostgresTable?, _ place: String?) {
    let chosen = wishes.condition?.wideSQL { table?.kind($0) }
    let box = wishes.box.flatMap { box in
      place.flatMap { Self.words(of: box, $0, orUnplaced: wishes.keepsUnplaced) }
    }
    let parts = [chosen, box].compactMap { $0 }
    condition = parts.isEmpty ? nil : parts.joined(separator: " AND ")
    // If one is missing, the verb gets all columns and tells which.
    columns = wishes.columns.flatMap { names in
      names.allSatisfy { table?.holds($0) ?? false } ? names : nil
    }
  }

  /// A condition that holds for every shape that touches a box: see `BoxTouch`. The index of the
  /// server knows the operator `&&`.
  private static func words(
    of box: Box, _ column: String, orUnplaced: Bool
  ) -> String? {
    guard let frames = BoxTouch.frames(forIndexOf: box) else { return nil }
    let shape = DuckDB.quoted(column) + "::geometry"
    func meets(_ box: Box) -> String {
      "\(shape) && ST_MakeEnvelope(\(box.minX), \(box.minY), \(box.maxX), \(box.maxY))"
    }
    let width = "ST_XMax(\(shape)) - ST_XMin(\(shape))"
    let jumps =
      meets(Box(minX: 0, minY: -90, maxX: 0, maxY: 90))
      + " AND \(width) >= \(Longitude.leastJump)"
    let unplaced = orUnplaced ? ["\(shape) IS NULL", "ST_IsEmpty(\(shape))"] : []
    return "(" + (frames.map(meets) + unplaced + ["(\(jumps))"]).joined(separator: " OR ") + ")"
  }
}
