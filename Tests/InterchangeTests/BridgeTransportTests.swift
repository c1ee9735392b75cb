import Foundation
import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// What the GeoPackage between ogr2ogr and the reader cannot carry by itself.
@Suite(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
struct BridgeTransportTests {
  private func read(
    _ text: String, as name: String, _ own: ReadingOptions? = nil
  ) throws -> ImportResult {
    let reader = try #require(BridgedReader.all.first { $0.name == name })
    return try reader.wanted(
      of: FileSource(Array(text.utf8)), options: ImportOptions(name: "file", own: own)
    ) { _ in }
  }

  private func values(_ layer: any Layer, _ name: String) -> [AttributeValue] {
    ((layer as? FeatureLayer)?.blocks ?? []).flatMap { block in
      (0..<block.rowCount).map { block.attribute(name, row: $0) }
    }
  }

  private static func gml(_ members: String...) -> String {
    "<?xml version=\"1.0\"?><ogr:FeatureCollection xmlns:ogr=\"http://ogr.maptools.org/\" "
      + "xmlns:gml=\"http://www.opengis.net/gml\">"
      + members.map { "<gml:featureMember>\($0)</gml:featureMember>" }.joined()
      + "</ogr:FeatureCollection>"
  }

  private static func town(_ id: String, _ inner: String, _ x: Int = 1) -> String {
    "<ogr:T fid=\"T.\(id)\"><ogr:place><gml:Point><gml:coordinates>\(x),2</gml:coordinates>"
      + "</gml:Point></ogr:place>\(inner)</ogr:T>"
  }

  @Test func `Lists stay lists, whatever signs are in their texts`() throws {
    let text = Self.gml(
      Self.town("1", "<ogr:s>a,b</ogr:s><ogr:s>(2:c</ogr:s><ogr:n>1</ogr:n><ogr:n>2</ogr:n>"),
      Self.town("2", "<ogr:s>&quot;</ogr:s><ogr:t>(1:no list)</ogr:t>", 5))
    let result = try read(text, as: "gml")
    #expect(values(result.layers[0], "s") == [.json(#"[ "a,b", "(2:c" ]"#), .json(#"[ "\"" ]"#)])
    #expect(values(result.layers[0], "n") == [.json("[ 1, 2 ]"), .missing])
    #expect(values(result.layers[0], "t") == [.missing, .string("(1:no list)")])
    let box = ReadingOptions(box: Box(minX: 4, minY: 0, maxX: 6, maxY: 9))
    #expect(try values(read(text, as: "gml", box).layers[0], "s") == [.json(#"[ "\"" ]"#)])
  }

  @Test func `Ids given twice are left out and told`() throws {
    let unique = try read(Self.gml(Self.town("7", ""), Self.town("0", "")), as: "gml")
    let layer = try #require(unique.layers.first as? FeatureLayer)
    #expect(FeatureValues.all(layer).map(\.identifier) == [.number("0"), .number("7")])
    #expect(unique.remarks == [])
    let result = try read(Self.gml(Self.town("7", ""), Self.town("7", "")), as: "gml")
    #expect(result.remarks == ["layer T: ids are given twice; they are left out"])
    let plain = try #require(result.layers.first as? FeatureLayer)
    #expect(FeatureValues.all(plain).map(\.identifier) == [.missing, .missing])
  }

  @Test func `Curves become lines, measures and unknown layers are told`() throws {
    let arc =
      "<ogr:T><ogr:place><gml:Curve><gml:segments><gml:ArcString><gml:posList>0 0 1 1 2 0"
      + "</gml:posList></gml:ArcString></gml:segments></gml:Curve></ogr:place></ogr:T>"
    let layer = try #require(read(Self.gml(arc), as: "gml").layers.first as? FeatureLayer)
    #expect(layer.blocks.first?.geometry.kinds == [.lineString])
    #expect((layer.blocks.first?.geometry.vertexCount ?? 0) > 40)
    let error = #expect(throws: ToolError.self) {
      _ = try read(Self.gml(arc), as: "gml", ReadingOptions(layers: ["Q"]))
    }
    #expect(error?.description == "no layer is named \"Q\": there are T")
  }

  @Test func `Layers whose names differ in capitals are read, each with its own features`() throws {
    func folder(_ name: String, _ x: Int) -> String {
      "<Folder><name>\(name)</name><Placemark><name>p\(x)</name><Point><coordinates>\(x),1"
        + "</coordinates></Point></Placemark></Folder>"
    }
    let text =
      "<?xml version=\"1.0\"?><kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>"
      + folder("a", 1) + folder("A", 2) + folder("gpkg_x", 3) + "</Document></kml>"
    let result = try read(text, as: "kml")
    #expect(result.layers.map(\.name) == ["a", "A (#2)", "gpkg_x"], "\(result.remarks)")
    #expect(
      result.layers.map { values($0, "Name") } == [
        [.string("p1")], [.string("p2")], [.string("p3")],
      ])
  }

  @Test func `Texts of JSON in a GeoPackage are lists and objects`() throws {
    let database = try Database()
    var catalogue = try GeoPackageCatalogue(database)
    _ = try catalogue.number(of: .crs84)
    try database.run("CREATE TABLE t (fid INTEGER PRIMARY KEY, j TEXT, s TEXT)")
    try database.run(
      "INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES('t', 'attributes', 't')"
    )
    try database.run(
      "CREATE TABLE gpkg_data_columns (table_name TEXT, column_name TEXT, name TEXT, title TEXT, "
        + "description TEXT, mime_type TEXT, constraint_name TEXT)")
    try database.run(
      "INSERT INTO gpkg_data_columns (table_name, column_name, mime_type) "
        + "VALUES('t', 'j', 'application/json')")
    for value in ["[1, 2]", "{\"a\": 1}", "[1", "text", "5"] {
      let text = Database.literal(value)
      try database.run("INSERT INTO t (j, s) VALUES(\(text), \(text))")
    }
    try database.run("COMMIT")
    let layer = try GeoPackageTests.read(try database.bytes()).layers[0]
    #expect(
      values(layer, "j") == [
        .json("[1, 2]"), .json("{\"a\": 1}"), .string("[1"), .string("text"), .string("5"),
      ])
    #expect(values(layer, "s").allSatisfy { $0.kind == .string })
  }
}
