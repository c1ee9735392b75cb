import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Sound files as other programs write them, with what few files have.
@Suite struct OddFilesTests {
  private func texts(_ layer: (any Layer)?) -> [String] {
    let holding = layer as? any FeatureHolding
    return (holding?.blocks ?? []).flatMap { block in
      (0..<block.rowCount).map { WKT.text(block.geometry.geometry(ofFeature: $0)) ?? "none" }
    }
  }

  // MARK: GeoPackages

  /// A point in a GeoPackage as a literal of SQL.
  private static let point =
    "X'47500001E6100000" + "0101000000" + "000000000000F03F" + "0000000000000040'"

  @Test(.enabled(if: Database.isFound, "SQLite is not installed"))
  func `Computed columns, views and tables that are gone`() throws {
    let database = try Database()
    _ = try GeoPackageCatalogue(database)
    for sql in [
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom POINT, a INTEGER, "
        + "twice INTEGER GENERATED ALWAYS AS (a * 2) VIRTUAL, "
        + "half REAL GENERATED ALWAYS AS (a / 2.0) STORED)",
      "INSERT INTO t (fid, geom, a) VALUES (7, \(Self.point), 5), (9, NULL, NULL)",
      "CREATE VIEW v AS SELECT fid AS OGC_FID, geom, a + 1 AS more FROM t",
      "CREATE TABLE \"T Ü\" (fid INTEGER PRIMARY KEY, geom POINT)",
    ] { try database.run(sql) }
    for name in ["t", "v", "gone", "t ü"] {
      try database.run(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) "
          + "VALUES ('\(name)', 'features', '\(name)', 4326)")
      try database.run(
        "INSERT INTO gpkg_geometry_columns VALUES ('\(name)', 'geom', 'POINT', 4326, 0, 0)")
    }
    try database.run("COMMIT")
    let result = try GeoPackageTests.read(database.bytes())
    #expect(result.layers.map(\.name) == ["t", "v"])
    let block = try #require((result.layers[0] as? FeatureLayer)?.blocks.first)
    #expect(block.attributes.map(\.name) == ["a", "twice", "half"])
    #expect(block.attribute("twice", row: 0).text == "10")
    #expect(block.attribute("half", row: 0).text == "2.5")
    let view = try #require((result.layers[1] as? FeatureLayer)?.blocks.first)
    #expect(view.attributes.map(\.name) == ["more"] && view.identifiers.value(1).text == "9")
    #expect(texts(result.layers[1]) == ["POINT (1 2)", "none"])
  }

  @Test(
    .enabled(if: Database.isFound, "SQLite is not installed"),
    arguments: [("Übersicht", "fid", [String]()), ("v", "'k' || fid", ["ogc_fid"])])
  func `The numbers of the rows of a view are whole, else an attribute`(
    name: String, key: String, attributes: [String]
  ) throws {
    let database = try Database()
    _ = try GeoPackageCatalogue(database)
    for sql in [
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom POINT)",
      "INSERT INTO t (fid, geom) VALUES (7, \(Self.point)), (9, \(Self.point))",
      "CREATE VIEW \(name) AS SELECT \(key) AS ogc_fid, geom FROM t",
      "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) "
        + "VALUES ('\(name)', 'features', '\(name)', 4326)",
      "INSERT INTO gpkg_geometry_columns VALUES ('\(name)', 'geom', 'POINT', 4326, 0, 0)", "COMMIT",
    ] { try database.run(sql) }
    let layer = try GeoPackageTests.read(database.bytes()).layers.first as? FeatureLayer
    let block = try #require(layer?.blocks.first)
    #expect(block.attributes.map(\.name) == attributes)
    #expect(block.identifiers.value(1).text == (attributes.isEmpty ? "9" : ""))
  }

  @Test(
    .enabled(if: Database.isFound, "SQLite is not installed"),
    arguments: [
      ("a TEXT, b TEXT, c TEXT, PRIMARY KEY (a, b)", ["a", "b", "c"]),
      ("a INTEGER, b TEXT, c TEXT, PRIMARY KEY (b, a)", ["a", "b", "c"]),
      // Of one length, so that the bytes can be exchanged.
      ("x1_ TEXT, x2_ TEXT, c TEXT", ["\u{FFFD}1_", "\u{FFFD}1__2", "c"]),
    ])
  func `Keys of several columns, and names that are no text`(
    columns: String, names: [String]
  ) throws {
    let database = try Database()
    _ = try GeoPackageCatalogue(database)
    for sql in [
      "CREATE TABLE t (geom POINT, \(columns))",
      "INSERT INTO t VALUES (\(Self.point), 1, 2, 3), (NULL, 4, 5, 6)",
      "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) "
        + "VALUES ('t', 'features', 't', 4326)",
      "INSERT INTO gpkg_geometry_columns VALUES ('t', 'geom', 'POINT', 4326, 0, 0)", "COMMIT",
    ] { try database.run(sql) }
    var bytes = try database.bytes()
    for name in ["x1_", "x2_"] {
      if let place = bytes.firstRange(of: Array(name.utf8)) {
        bytes.replaceSubrange(place, with: [0xE8 + (name == "x1_" ? 1 : 0), 0x31, 0x5F])
      }
    }
    let layer = try GeoPackageTests.read(bytes).layers.first as? FeatureLayer
    let block = try #require(layer?.blocks.first)
    #expect(block.attributes.map(\.name) == names)
    for (index, name) in names.enumerated() {
      #expect(block.attribute(name, row: 0).text == "\(index + 1)")
      #expect(block.attribute(name, row: 1).text == "\(index + 4)")
    }
  }

  // MARK: Arcs

  @Test func `Measures of an arc are those of no other member, and single heights stay`() throws {
    let text = "GEOMETRYCOLLECTION(CIRCULARSTRING M(0 0 1,1 1 2,2 0 3),POINT(5 5 7))"
    #expect(try WKT.geometry(text).paths.last?.elevations == [7])
    let inner = "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION M(POINT(1 2 3)),POINT(5 5 7))"
    #expect(try WKT.geometry(inner).paths.map(\.elevations) == [[], [7]])
    let heights = try WKT.geometry("CIRCULARSTRING(0 0 1,1 1,2 0 3)").paths[0].elevations
    #expect(heights.first == 1 && heights.last == 3 && heights.contains(nil))
  }

  @Test(arguments: [
    ("CIRCULARSTRING(0 0,1 1,2 0)", 47, 1.0, 1.0, 0.0),
    ("CURVEPOLYGON(CIRCULARSTRING(-3 1,1 1,-3 1))", 91, 2.0, -1.0, 1.0),
    ("CIRCULARSTRING(1000000 0,1000005 5,1000010 0)", 47, 5.0, 1_000_005.0, 0.0),
    (
      "MULTISURFACE(CURVEPOLYGON(COMPOUNDCURVE(CIRCULARSTRING(2 0,0 2,-2 0),(-2 0,2 0))))", 47,
      2.0, 0.0, 0.0
    ),
  ])
  func `Arcs are steps on their circle, in text and in binary`(
    text: String, count: Int, radius: Double, x: Double, y: Double
  ) throws {
    var room = Arcs.Room(bytes: text.utf8.count)
    let read = try WKT.read(text, &room)
    #expect(read.hasArcs)
    let path = try #require(read.geometry.paths.first)
    #expect((count...(count + 1)).contains(path.vertices.count), "\(path.vertices.count)")
    for vertex in path.vertices {
      let distance = ((vertex.x - x) * (vertex.x - x) + (vertex.y - y) * (vertex.y - y))
        .squareRoot()
      #expect((distance - radius).magnitude < 1e-9, "\(vertex)")
    }
  }

  @Test func `A file of very many arcs gets steps of up to 45 degrees`() {
    var room = Arcs.Room(bytes: 0)
    let circle = [0.0, 0, 2, 0, 0, 0]
    var (counts, added): (Set<Int>, Int) = ([], 0)
    for _ in 0..<60_000 where !room.isUsedUp {
      let count = Arcs.line(circle, [], &room).pairs.count / 2
      counts.insert(count)
      added += count - 3
    }
    #expect(room.isUsedUp)
    #expect((4 << 20...(4 << 20) + 200).contains(added), "\(added)")
    #expect(Arcs.line(circle, [], &room).pairs.count / 2 < 12)
    #expect(counts.max() ?? 0 >= 90)
  }

  @Test func `Random arcs hold their three positions, and lie on one circle`() {
    for seed in Seeds.some(200) {
      var random = SeededGenerator(seed: seed)
      func number() -> Double { Double.random(in: -100...100, using: &random) }
      let pairs = (0..<6).map { _ in number() }
      var room = Arcs.Room(bytes: 0)
      let (line, heights) = Arcs.line(pairs, [1, 3, 2], &room)
      #expect(Array(line.prefix(2)) == Array(pairs.prefix(2)))
      #expect(Array(line.suffix(2)) == Array(pairs.suffix(2)), "seed \(seed)")
      let places = stride(from: 0, to: line.count, by: 2).map { [line[$0], line[$0 + 1]] }
      #expect(places.contains([pairs[2], pairs[3]]) && heights.count == places.count)
      #expect(heights.allSatisfy { (1...3).contains($0) } && heights.contains(3))
      #expect(places.count <= 93)
    }
  }

  @Test(arguments: [
    ("COMPOUNDCURVE((0 0,1 0),(1 0,2 2))", "LINESTRING (0 0, 1 0, 2 2)"),
    ("CIRCULARSTRING(0 0,1 0,2 0)", "LINESTRING (0 0, 1 0, 2 0)"),
    ("MULTICURVE((0 0,1 1),EMPTY,(2 2,3 3))", "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))"),
    ("CURVEPOLYGON((0 0,1 0,1 1))", "POLYGON ((0 0, 1 0, 1 1, 0 0))"),
    (
      "MULTISURFACE(((0 0,1 0,1 1,0 0),(.1 .1,.2 .1,.2 .2,.1 .1)),CURVEPOLYGON((5 5,6 5,6 6,5 5)))",
      "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0), (0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1)), "
        + "((5 5, 6 5, 6 6, 5 5)))"
    ),
    ("TRIANGLE Z ((0 0 1,1 0 1,0 1 1,0 0 1))", "POLYGON Z ((0 0 1, 1 0 1, 0 1 1, 0 0 1))"),
    (
      "TIN(((0 0,1 0,0 1,0 0)),((1 0,1 1,0 1,1 0)))",
      "MULTIPOLYGON (((0 0, 1 0, 0 1, 0 0)), ((1 0, 1 1, 0 1, 1 0)))"
    ),
    (
      "GEOMETRYCOLLECTION(POINT(1 2),COMPOUNDCURVE((0 0,1 0)))",
      "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 0))"
    ),
  ])
  func `Kinds of curves and surfaces become lines and areas`(text: String, words: String) throws {
    #expect(WKT.text(try WKT.geometry(text)) == words)
    #expect(WKTFormat().recognizes(Array(text.utf8)[...]))
  }

  @Test(arguments: [
    "COMPOUNDCURVE(COMPOUNDCURVE((0 0,1 0)))", "CURVEPOLYGON(POINT(1 2))",
    "MULTICURVE(((0 0,1 1)))",
    "CIRCULARSTRING((0 0,1 1))", "CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,0 0)", "MULTISURFACE((0 0))",
  ])
  func `Curves in places where none can be are faults`(text: String) {
    #expect(throws: WKT.Fault.self) { try WKT.geometry(text) }
  }

  @Test func `Curves of well-known binary, cut off anywhere`() throws {
    func head(_ kind: UInt8, _ count: UInt8) -> [UInt8] { [1, kind, 0, 0, 0, count, 0, 0, 0] }
    func run(_ kind: UInt8, _ numbers: [Double]) -> [UInt8] {
      head(kind, UInt8(numbers.count / 2))
        + numbers.flatMap { value in
          withUnsafeBytes(of: value.bitPattern.littleEndian) { [UInt8]($0) }
        }
    }
    let arcs = run(8, [0, 0, 2, 2, 4, 0])
    let ring = head(9, 2) + arcs + run(2, [4, 0, 0, 0])
    let bytes =
      head(12, 2) + head(10, 1) + ring
      + head(3, 1) + [4, 0, 0, 0] + run(2, [8, 8, 9, 8, 9, 9, 8, 8]).dropFirst(9)
    let layer = try WKBFormat().read(bytes, options: ImportOptions(name: "x")) { _ in }
    let block = try #require((layer.layers.first as? FeatureLayer)?.blocks.first)
    #expect(block.geometry.kinds == [.multiPolygon] && block.geometry.pathEnds.count == 2)
    #expect(layer.remarks == ["1 feature has arcs, which became lines of steps of 4 degrees"])
    for count in 5..<bytes.count {
      #expect(throws: (any Error).self) {
        try WKBFormat().read(Array(bytes.prefix(count)), options: ImportOptions(name: "x")) { _ in }
      }
    }
  }

  // MARK: Tables

  private func table(_ text: String) throws -> ImportResult {
    try CSVFormat.comma.read(Array(text.utf8), options: ImportOptions(name: "t")) { _ in }
  }

  @Test(arguments: [
    ("sep=;\r\nname;lat;lon\r\na;1,5;2\r\n", "POINT (2 1.5)"),
    ("\u{FEFF}sep=|\nname|lat|lon\na|1|2\n", "POINT (2 1)"),
    ("stop_id,stop_lat,stop_lon\na,1,2\n", "POINT (2 1)"),
    ("Geo Latitude,Geo Longitude\n1,2\n", "POINT (2 1)"),
    ("id,geom\n1,0101000000000000000000F03F0000000000000040\n", "POINT (1 2)"),
    ("id,wkb\n1,\\x0101000020E6100000000000000000F03F0000000000000040\n", "POINT (1 2)"),
    ("id,geometry\n1,\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[1,2]}\"\n", "POINT (1 2)"),
    (
      "geo_shape,id\n\"{\"\"coordinates\"\":[[0,0],[1,1]],\"\"type\"\":\"\"LineString\"\"}\",1\n",
      "LINESTRING (0 0, 1 1)"
    ),
  ])
  func `Positions under many names and in many forms`(text: String, shape: String) throws {
    let result = try table(text)
    #expect(texts(result.layers.first) == [shape])
    #expect(result.coordinateSystem.isWGS84)
    #expect(!result.isSystemAssumed || !text.contains("lat"))
  }

  @Test(arguments: [
    "start_lat,start_lon,end_lat,end_lon\n1,2,3,4\n", "stop_lat,name_lon\n1,2\n", "sep=;\n",
    "_lat,_lon\n1,2\n", "id,geom\n1,0101\n",
  ])
  func `What leaves the positions open is refused or kept without`(text: String) throws {
    let shapes = (try? table(text)).map { texts($0.layers.first) } ?? []
    #expect(shapes.allSatisfy { $0 == "none" })
  }

  @Test func `A line that tells the separator stays in an edited table`() throws {
    let text = "sep=;\r\nname;lat;lon\r\na;1,5;2\r\nb;2,5;3\r\n"
    let source = try #require(try table(text).layers.first as? FeatureLayer)
    var edited = source
    let id = try #require(source.blocks.first?.featureIDs.first)
    edited.remove([id])
    let former = FormerFile(Array(text.utf8), source)
    let file = try CSVFormat.comma.rewrite(edited, over: former, system: .crs84)
    #expect(String(decoding: file.bytes, as: UTF8.self) == "sep=;\r\nname;lat;lon\r\nb;2,5;3\r\n")
  }

  // MARK: Archives

  /// A zip archive of empty files.
  private static func zip(_ names: [String], comment: [UInt8] = []) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let rest = names.flatMap { name -> [UInt8] in
      [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 24) + number(name.utf8.count, 2)
        + [UInt8](repeating: 0, count: 16) + Array(name.utf8)
    }
    return [0x50, 0x4B, 3, 4] + rest + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + number(names.count, 2)
      + number(names.count, 2) + number(rest.count, 4) + number(4, 4) + number(comment.count, 2)
      + comment
  }

  @Test func `The folder of a zipped Shapefile is found in its directory`() throws {
    let names = ["a b/roads.SHP", "a b/roads.dbf", "__MACOSX/x/._roads.shp"]
    #expect(ZipNames.folder(ofFiles: ".shp", in: Self.zip(names)) == "a b")
    #expect(ZipNames.folder(ofFiles: ".shp", in: Self.zip(names, comment: [1, 2, 3])) == "a b")
    #expect(ZipNames.folder(ofFiles: ".shp", in: Self.zip(["a/x.shp", "b/y.shp"])) == "")
    #expect(ZipNames.folder(ofFiles: ".shp", in: Self.zip(["x.shp"])) == "")
    let whole = Self.zip(names, comment: [0x50, 0x4B, 5, 6])
    for count in 0..<whole.count { _ = ZipNames.list(Array(whole.prefix(count))) }
    for place in whole.indices {
      var damaged = whole
      damaged[place] = 0xFF
      _ = ZipNames.list(damaged)
    }
  }
}
