import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// What formats do not hold of shapes, texts and members is counted and told.
@Suite struct FormatLossTests {
  private func layer(
    _ geometry: String, _ more: String = "", _ value: String = "1"
  ) throws
    -> FeatureLayer
  {
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":\#(value)},"#
      + #""geometry":\#(geometry)\#(more)}]}"#
    let result = try GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "a")
    ) { _ in }
    return try #require(result.layers.first as? FeatureLayer)
  }

  private func losses(_ layer: FeatureLayer, _ name: String) throws -> [String] {
    let format = try #require(FileFormats.exporters.first { $0.name == name })
    var losses = FormatLosses(format.limits, name)
    losses.add(layer, ExportOptions())
    return losses.notes
  }

  private static let mixed = #"{"type":"LineString","coordinates":[[0,0,10],[1,1]]}"#
  private static let long = #"{"type":"LineString","coordinates":[[0,0,1,7],[1,1,2,8]]}"#
  private static let boxed =
    #"{"type":"LineString","bbox":[0,0,1,1],"coordinates":[[0,0],[1,1]]}"#

  @Test(arguments: ["csv", "gpkg", "kml", "flatgeobuf", "gml"])
  func `Heights and further numbers of positions are told where they go`(name: String) throws {
    #expect(
      try losses(layer(Self.mixed), name) == [
        "1 vertex has no height beside others that have one: written as 0"
      ])
    #expect(
      try losses(layer(Self.long), name) == [
        "1 shape has more than 3 numbers a position: \(name) has no place for those beyond"
      ])
    #expect(try losses(layer(Self.boxed), name).isEmpty)
    #expect(try losses(layer(Self.mixed), "geojson").isEmpty)
    #expect(try losses(layer(Self.long), "ndjson").isEmpty)
  }

  @Test func `Layers of one dimension give heights to all`() throws {
    var flat = try layer(#"{"type":"Point","coordinates":[0,0]}"#)
    let high = try layer(#"{"type":"Point","coordinates":[0,0,5]}"#)
    flat.blocks += high.blocks
    #expect(
      try losses(flat, "flatgeobuf") == [
        "1 vertex has no height beside others that have one: written as 0"
      ])
    #expect(try losses(flat, "gpkg").isEmpty)
  }

  @Test func `Conflicts, empty shapes and texts that are no Unicode are told`() throws {
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    let conflict = #","portolan:conflict":{"base":null,"theirs":{"type":"Feature"}}"#
    #expect(
      try losses(layer(point, conflict), "gpkg") == [
        "1 conflict of a merge is not in it, since gpkg has no place for them: the features are as "
          + "ours has them"
      ])
    #expect(try losses(layer(point, conflict), "geojson").isEmpty)
    let empty = try layer(#"{"type":"Polygon","coordinates":[]}"#)
    #expect(
      try losses(empty, "kml") == ["1 shape has no position: kml holds no empty shape"])
    #expect(try losses(empty, "csv").isEmpty)
    #expect(
      try losses(layer(point, "", #""\ud800""#), "gpkg") == [
        "1 text is not valid Unicode (lone surrogate): gpkg gets its JSON, in quotes"
      ])
    #expect(try losses(layer(point, "", #""\ud800""#), "topojson").isEmpty)
  }

  @Test func `A NUL in a text stays in tables, and becomes a blank in Shapefiles, told`() throws {
    let layer = try layer(#"{"type":"Point","coordinates":[1,2]}"#, "", #""x\u0000y""#)
    var table: [UInt8] = []
    let report = try CSVFormat.comma.write([layer], options: ExportOptions()) { table += $0 }
    #expect(String(decoding: table, as: UTF8.self) == "lon,lat,a\r\n1,2,\"x\0y\"\r\n")
    #expect(report.notes.isEmpty && CSVFormat.comma.fault(in: table[...]) == nil)
    #expect(CSVFormat.comma.fault(in: Array("lon,lat\n1,2\0\n".utf8)[...])?.code == .notText)
    let words = ["1 text has the control character NUL, which becomes a blank"]
    var files: [String: [UInt8]] = [:]
    let shapes = try ShapefileWriter().write([layer], options: ExportOptions()) { ending, bytes in
      files[ending, default: []] += bytes
    }
    #expect(shapes.notes == words)
    #expect(String(decoding: files["dbf"] ?? [], as: UTF8.self).contains("x y"))
  }

  @Test func `Shapes of too few positions are told of a Shapefile`() throws {
    for geometry in [
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#,
      #"{"type":"LineString","coordinates":[[0,0]]}"#,
    ] {
      let report = try ShapefileWriter().write(
        [layer(geometry)], options: ExportOptions(), toFiles: { _, _ in })
      #expect(
        report.notes == [
          "1 shape has rings of fewer than 4 positions or lines of one: readers of Shapefiles "
            + "leave these out"
        ])
    }
  }

  @Test func `Numbers of databases keep the digits that no double has`() throws {
    let value = "99999999999999.99"
    let block = try layer(#"{"type":"Point","coordinates":[1,2]}"#, "", value).blocks[0].plain
    #expect(block.attribute("a", row: 0) == .number(value))
    let short = try layer(#"{"type":"Point","coordinates":[1,2]}"#, "", "1.50").blocks[0].plain
    #expect(short.attribute("a", row: 0) == .number("1.5"))
  }

  @Test(
    .enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"),
    arguments: ["flatgeobuf", "gmt"])
  func `A conversion tells of texts that it changes`(name: String) throws {
    let format = try #require(FileFormats.exporters.first { $0.name == name })
    let quoted = try layer(#"{"type":"Point","coordinates":[1,2]}"#, "", #""say \"x\"""#)
    var bytes: [UInt8] = []
    let report = try format.write([quoted], options: ExportOptions()) { bytes += $0 }
    #expect(report.notes.contains { $0.hasPrefix("1 text has signs") } == (name == "gmt"))
    // A layer of lines with and without heights.
    var lines = try layer(Self.mixed)
    lines.blocks += try layer(#"{"type":"LineString","coordinates":[[5,5],[6,6]]}"#).blocks
    if name == "flatgeobuf" {
      var file: [UInt8] = []
      let written = try format.write([lines], options: ExportOptions()) { file += $0 }
      #expect(written.features == 2)
      let driver = try #require(BridgeDriver.all.first { $0.name == name })
      let read = try BridgedReader(driver).read(file, options: ImportOptions(name: "a")) { _ in }
      let found = try #require(read.layers.first as? FeatureLayer)
      // The order of features is the format's own.
      #expect(found.blocks.flatMap(\.geometry.elevations).sorted() == [0, 0, 0, 10])
    }
  }

  @Test(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
  func `Heights of a layer give none to the flat layers beside it`() throws {
    let writer = try #require(BridgedWriter.all.first { $0.name == "gml" })
    var (flat, high) = try (
      layer(#"{"type":"Point","coordinates":[4,3]}"#),
      layer(#"{"type":"Point","coordinates":[1,2,5]}"#)
    )
    (flat.name, high.name) = ("flat", "high")
    high.blocks += try layer(#"{"type":"Point","coordinates":[5,5]}"#).blocks
    var bytes: [UInt8] = []
    try writer.write([flat, high], options: ExportOptions()) { bytes += $0 }
    let text = String(decoding: bytes, as: UTF8.self)
    for position in [">3 4<", ">2 1 5<", ">5 5 0<"] { #expect(text.contains(position), "\(text)") }
  }
}
