import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// Layers of PostGIS by ogr2ogr, which libpq connects: its passwords may be in `~/.pgpass`, its
/// services in `~/.pg_service.conf`, and the variables `PGHOST`, `PGUSER` and the like hold.
///
/// The server applies the box, the condition and the limit. It is asked to change nothing.
///
///     ogr2ogr -f GPKG … -spat 5 45 15 55 -where "pop > 5000" -limit 100 1.gpkg PG:dbname=x towns
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
    var tools = try OGRTools(progress: progress)
    guard let driver = tools.driver(["PostgreSQL"]) else {
      throw ToolError(.missing, "this ogr2ogr has no driver PostgreSQL, which reads PostGIS")
    }
    tools.use(drivers: [driver, "GPKG", "GeoJSON"])
    tools.take(variables: Self.variables)
    tools.set(["PGOPTIONS": "-c default_transaction_read_only=on", "PGAPPNAME": "portolan"])
    if let password = connection.password { tools.set(["PGPASSWORD": password]) }
    return try result(tools, options, progress)
  }

  private func result(
    _ tools: OGRTools, _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let layers = try self.layers(tools, options, progress)
    if layers.isEmpty {
      throw ToolError(.refused, "the database has no table with a column of shapes")
    }
    var (parts, remarks): ([LayerPart], [String]) = ([], [])
    for (index, layer) in layers.enumerated() {
      let transport = TransportReader(
        tools, connection.line,
        GeoPackageReader.Conversion(hasIdentifiers: layer.key != nil, hasNulls: true))
      transport.isOrdered = false
      transport.arguments = Self.words(ofCondition: options.condition)
      // A box that the server does not know is cut here, before the limit.
      let isBoxed = options.box == nil || !options.boxWords.isEmpty
      if isBoxed, let limit = options.limit { transport.arguments += ["-limit", "\(limit)"] }
      var part = try transport.part(layer.name, options, index) {
        try progress((Double(index) + $0) / Double(layers.count))
      }
      remarks += transport.remarks
      let limited = isBoxed ? nil : options.limit
      let here = limited.map { part.layer.keep(options, $0, part.system) }
      if let limit = options.limit, let count = here ?? layer.count, count > limit {
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
    let counts =
      options.limit == nil
      ? ["-nocount"] : Self.words(ofCondition: options.condition) + options.boxWords
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

  /// The arguments of a condition; GDAL takes a text that begins with `@` for the name of a file.
  static func words(ofCondition condition: String?) -> [String] {
    condition.map { ["-where", "(\($0)\n)"] } ?? []
  }
}
