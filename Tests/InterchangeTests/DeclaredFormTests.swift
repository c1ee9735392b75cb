import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// What a file declares of its shapes and columns is written where nothing else tells it.
@Suite(.enabled(if: Database.isFound, "SQLite is not installed"))
struct DeclaredFormTests {
  /// A GeoPackage with a table `a` of these columns, and a row of these values.
  private static func package(
    _ columns: String, _ values: String?, kind: String? = "POINT"
  ) throws -> [UInt8] {
    let database = try Database()
    var catalogue = try GeoPackageCatalogue(database)
    _ = try catalogue.number(of: .crs84)
    let shape = kind.map { "geom \($0), " } ?? ""
    try database.run("CREATE TABLE a (fid INTEGER PRIMARY KEY, \(shape)\(columns))")
    let nature = kind == nil ? "attributes" : "features"
    try database.run(
      "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) "
        + "VALUES('a', '\(nature)', 'a', 4326)")
    if let kind {
      try database.run(
        "INSERT INTO gpkg_geometry_columns VALUES('a', 'geom', '\(kind)', 4326, 0, 0)")
    }
    if let values {
      try database.run("INSERT INTO a VALUES(1, \(kind == nil ? "" : "NULL, ")\(values))")
    }
    try database.run("COMMIT")
    return try database.bytes()
  }

  /// The columns of the table `a` with their types, but for the key.
  private static func columns(_ bytes: [UInt8]) throws -> [String] {
    var columns: [String] = []
    try Database(bytes).rows("SELECT name, type FROM pragma_table_xinfo('a') WHERE pk = 0") {
      columns.append("\($0.text(0) ?? "") \($0.text(1) ?? "")")
    }
    return columns
  }

  private static let types = "b BOOLEAN, m MEDIUMINT, i INTEGER, r REAL, d DATE, t DATETIME, s TEXT"
  private static let nulls = "NULL, NULL, NULL, NULL, NULL, NULL, NULL"
  private static let written = [
    "b BOOLEAN", "m MEDIUMINT", "i INTEGER", "r DOUBLE", "d DATE", "t DATETIME", "s TEXT",
  ]

  @Test(arguments: ["POINT", "MULTIPOLYGON", "GEOMETRY", nil])
  func `Columns of nulls and a table without shapes keep their types`(kind: String?) throws {
    let bytes = try Self.package(Self.types, Self.nulls, kind: kind)
    let layer = try #require(GeoPackageTests.read(bytes).layers.first as? FeatureLayer)
    let again = try GeoPackageTests.written([layer])
    let shape = kind.map { ["geom \($0)"] } ?? []
    #expect(try Self.columns(again) == shape + Self.written)
    // The same where a box has left out all features, and where their values are gone.
    let box = ExportOptions(box: Box(minX: 50, minY: 50, maxX: 60, maxY: 60))
    #expect(try Self.columns(GeoPackageTests.written([layer], box)) == shape + Self.written)
    let full = try Self.package(
      Self.types, "1, 2, 3, 4.5, '2024-05-01', '2024-05-01T08:00:00.000Z', 'x'", kind: kind)
    var emptied = try #require(GeoPackageTests.read(full).layers.first as? FeatureLayer)
    for name in emptied.fieldNames {
      try emptied.setAttribute(name, to: .null, of: Set(emptied.blocks.flatMap(\.featureIDs)))
    }
    #expect(try Self.columns(GeoPackageTests.written([emptied])) == shape + Self.written)
  }

  @Test func `Values and shapes of other types than the declared ones decide`() throws {
    let bytes = try Self.package(
      Self.types, "'x', 3000000000, 'x', '2024-05-01', 1.5, 7, 8", kind: "LINESTRING")
    var layer = try #require(GeoPackageTests.read(bytes).layers.first as? FeatureLayer)
    let ids = layer.blocks.flatMap(\.featureIDs)
    try layer.setGeometry(.point(Coordinate(x: 1, y: 2)), of: ids[0])
    let again = try GeoPackageTests.written([layer])
    #expect(
      try Self.columns(again) == [
        "geom POINT", "b TEXT", "m INTEGER", "i TEXT", "r DATE", "d DOUBLE", "t INTEGER",
        "s TEXT",
      ])
    let back = try #require(GeoPackageTests.read(again).layers.first as? FeatureLayer)
    #expect(FeatureValues.all(layer).map(\.asTable) == FeatureValues.all(back).map(\.asTable))
    let short = try Self.package("m MEDIUMINT, i INTEGER", "7, 7")
    let kept = try GeoPackageTests.read(short).layers
    #expect(
      try Self.columns(GeoPackageTests.written(kept))
        == ["geom POINT", "m MEDIUMINT", "i INTEGER"])
  }

  @Test func `A document holds nothing of it`() throws {
    let bytes = try Self.package(Self.types, Self.nulls)
    var document = Document()
    document.layers = try GeoPackageTests.read(bytes).layers
    var plain = document
    var layer = try #require(plain.layers.first as? FeatureLayer)
    #expect(!layer.declared.types.isEmpty)
    layer.declared = DeclaredForm()
    plain.layers = [layer]
    #expect(try DocumentFile.bytes(of: document) == DocumentFile.bytes(of: plain))
  }

  @Test func `Shapefiles and FlatGeobuf keep the kind of shapes and the types`() throws {
    let bytes = try Self.package(Self.types, Self.nulls)
    let layer = try #require(GeoPackageTests.read(bytes).layers.first)
    var files: [String: [UInt8]] = [:]
    try ShapefileWriter().write([layer], options: ExportOptions()) { files[$0, default: []] += $1 }
    let system = MemoryFileSystem()
    try system.makeDirectories("/m")
    for (ending, bytes) in files where !bytes.isEmpty {
      _ = try system.save(bytes, to: "/m/a.\(ending)", expecting: .absent)
    }
    let shapes = try ShapefileFormat().read(
      FileSource(path: "/m/a.shp", in: system), options: ImportOptions(name: "a")
    ) { _ in }
    let read = try #require(shapes.layers.first as? FeatureLayer)
    #expect(read.declared.kind == .point)
    #expect(
      try Self.columns(GeoPackageTests.written([read])) == [
        "geom POINT", "b BOOLEAN", "m INTEGER", "i INTEGER", "r DOUBLE", "d DATE", "t TEXT",
        "s TEXT", "id INTEGER",
      ])
    guard GeoPackageTests.hasOGR else { return }
    var flat: [UInt8] = []
    try FlatGeobufWriter().write([layer], options: ExportOptions()) { flat += $0 }
    let reader = try #require(BridgedReader.all.first { $0.name == "flatgeobuf" })
    let result = try reader.read(flat, options: ImportOptions(name: "a")) { _ in }
    let bridged = try #require(result.layers.first as? FeatureLayer)
    #expect(bridged.declared.kind == .point)
    #expect(bridged.declared.types["t"] == "DATETIME" && bridged.declared.types["r"] == "REAL")
  }
}
