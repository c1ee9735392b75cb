import PortolanDocuments
import PortolanGraphics

/// A database as a source of map data: the line that stands where the name of a file may.
///
///     PG:dbname=roads host=db.example.org
///     postgresql://db.example.org/roads
///     duckdb:SELECT * FROM 'towns.parquet' WHERE pop > 1000000
///
/// Data stays in it: a condition, a box and a limit are for it to apply, and the answer alone
/// travels.
package struct EngineSource: Hashable, Sendable {
  enum Kind: Hashable {
    case postgres(PostgresConnection)
    case duckDB(String)
  }

  let kind: Kind

  /// `nil` if a line names a file.
  package init?(_ line: String) {
    if let connection = PostgresConnection(line) {
      kind = .postgres(connection)
    } else if line.utf8.starts(with: "duckdb:".utf8) {
      kind = .duckDB(String(line.dropFirst("duckdb:".count)))
    } else {
      return nil
    }
  }

  /// The line without passwords, to be shown and kept.
  package var line: String {
    switch kind {
    case .postgres(let connection): connection.line
    case .duckDB(let sql): "duckdb:" + sql
    }
  }

  /// Whether a password stood in it, which is not kept.
  package var hasPassword: Bool {
    if case .postgres(let connection) = kind { return connection.password != nil }
    return false
  }

  /// Whether it has layers with names.
  package var hasLayers: Bool {
    if case .postgres = kind { return true }
    return false
  }

  /// The name of a layer that has no other.
  package var layerName: String {
    switch kind {
    case .postgres(let connection): connection.databaseName ?? "database"
    case .duckDB: "query"
    }
  }

  /// The words for a title.
  package var title: String {
    switch kind {
    case .postgres: "PG:" + layerName
    case .duckDB: "duckdb:" + layerName
    }
  }

  /// Whether a typed line may have the password of a database.
  package static func mayHoldPassword(_ text: String) -> Bool {
    let text = text.lowercased()
    if text.contains("password"), text.contains("pg:") || text.contains("postgres") { return true }
    return ["postgresql://", "postgres://"].contains { scheme in
      text.firstRange(of: scheme).map { text[$0.upperBound...].contains("@") } ?? false
    }
  }

  /// What is told where a limit left rows behind.
  static func words(
    _ limit: Int, of count: Int, _ layer: String, _ options: ImportOptions
  ) -> String {
    LimitText.words(limit, of: count, layer, isBoxed: options.box != nil)
  }
}

/// The remarks on limits.
package enum LimitText {
  /// The words where a limit left features of a layer behind: `layer towns: 1,204,311 features in
  /// the box, 100,000 taken (--limit)`.
  package static func words(
    _ limit: Int, of count: Int, _ layer: String, isBoxed: Bool
  ) -> String {
    let place = isBoxed ? " in the box" : ""
    let features = ImportNoteCode.many(count, "feature", "features")
    return "layer \(layer): \(features)\(place), \(ImportNoteCode.grouped(limit)) taken (--limit)"
  }
}

extension BlockHolding {
  /// Keeps the first features; returns how many there were.
  package mutating func keepFirst(_ limit: Int) -> Int {
    let all = count
    guard all > limit else { return all }
    var choice = FeatureChoice()
    var left = limit
    for block in blocks where left > 0 {
      choice.add(Array(block.featureIDs.prefix(left)), of: id)
      left -= min(left, block.rowCount)
    }
    keep(choice)
    return all
  }

  /// Keeps the first features in the box; returns how many there were.
  mutating func keep(
    _ options: ImportOptions, _ limit: Int, _ system: CoordinateSystem?
  ) -> Int {
    var count = 0
    let known = options.system ?? system
    let isGeographic = known?.isDegrees ?? !DegreesTest(blocks, claim: .open).arePlanar
    let touch = options.box.map { BoxTouch($0, isGeographic: isGeographic) }
    blocks = blocks.compactMap { block in
      var kept: Set<Int> = []
      for row in touch?.rows(in: block.geometry) ?? Array(0..<block.rowCount) {
        if count < limit { kept.insert(row) }
        count += 1
      }
      return block.keeping { kept.contains($0) }
    }
    return count
  }
}
