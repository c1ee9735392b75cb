import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// What is edited or asked for is written by RFC 7946; the rest stays.
@Suite struct GeoJSONExportTests {
  @Test func `A ring that rounding turns over is wound as it stands there`() throws {
    let text = Sample.geometry(
      #"{"type":"Polygon","coordinates":[[[-40.37,-32.822],[84.164,34.386],[60.792,68.812],"#
        + #"[38.315,-71.93],[68.964,-9.895],[-40.37,-32.822]]]}"#)
    let options = ExportOptions(conformance: .rfc7946, precision: 0)
    let once = try Sample.write(try Sample.read(text).featureLayers, options)
    #expect(try Sample.write(try Sample.read(once).featureLayers, options) == once)
    #expect(try Sample.read(once).report[.clockwiseRings] == nil)
  }

  private func text(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions()
  ) throws
    -> String
  {
    String(decoding: try Sample.write(layers, options), as: UTF8.self)
  }

  private func layer(_ geometry: Geometry) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: "new", style: Style(name: "new", mark: MarkStyle()))
    _ = layer.add(
      geometry: geometry, attributes: [("name", .string("a\"b")), ("n", .number("1.50"))])
    return layer
  }

  private func coordinates(_ vertices: [(Double, Double)]) -> [Coordinate] {
    vertices.map { Coordinate(x: $0.0, y: $0.1) }
  }

  @Test func `A layer drawn in the editor is written a feature a line`() throws {
    #expect(
      try text([layer(.point(Coordinate(x: 13.4, y: 52.5)))])
        == "{\"type\":\"FeatureCollection\",\"features\":[\n"
        + "{\"type\":\"Feature\",\"properties\":{\"name\":\"a\\\"b\",\"n\":1.50},"
        + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.4,52.5]}}\n]}\n")
  }

  @Test func `An edited attribute changes only its own text`() throws {
    let bytes = try Sample.fixture("edge_rfc7946.geojson")
    var layer = try Sample.read(bytes).featureLayers[0]
    try layer.setAttribute("name", to: .string("other"), of: [FeatureID(5)])
    let expected = String(decoding: bytes, as: UTF8.self)
      .replacing("\"right winding with hole\"", with: "\"other\"")
    #expect(try text([layer]) == expected)
  }

  @Test func `An edited vertex changes only its own text`() throws {
    let bytes = try Sample.fixture("ne_110m_populated_places.geojson")
    var layer = try Sample.read(bytes).featureLayers[0]
    try layer.setGeometry(.point(Coordinate(x: 12.345_678_9, y: 41.9)), of: FeatureID(1))
    let expected = String(decoding: bytes, as: UTF8.self)
      .replacing("[12.45339,41.90328]", with: "[12.34568,41.9]")
    #expect(try text([layer]) == expected)
  }

  @Test func `A moved vertex changes the text of its position alone`() throws {
    let ring = "[[[0,0],[0,9],[9,9],[0,0]]]"
    let source =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":"#
      + #"{"type":"Polygon","coordinates":\#(ring)}},{"type":"Feature","properties":{},"geometry":"#
      + #"{"type":"Polygon","coordinates":\#(ring)}}]}"#
    var layer = try Sample.read(source).featureLayers[0]
    var geometry = try layer.row(1).geometry
    geometry.paths[0].vertices[1].y = 8
    try layer.setGeometry(geometry, of: FeatureID(2))
    let written = try text([layer])
    #expect(written.contains(ring) && written.contains("[[[0,0],[0,8],[9,9],[0,0]]]"))
    #expect(written.replacing("[0,8]", with: "[0,9]") == source)
    let strict = try text(
      [Sample.read(source).featureLayers[0]], ExportOptions(conformance: .rfc7946))
    #expect(!strict.contains(ring))
  }

  @Test(
    arguments: [
      // A box across the antimeridian, given both ways.
      (
        [(177, -20), (182, -20), (182, -16), (177, -16), (177, -20)],
        #""MultiPolygon","coordinates":[[[[180,-16],[177,-16],[177,-20],[180,-20],[180,-16]]],"#
          + #"[[[-180,-20],[-178,-20],[-178,-16],[-180,-16],[-180,-20]]]]"#
      ),
      (
        [(177, -20), (-178, -20), (-178, -16), (177, -16), (177, -20)],
        #""MultiPolygon","coordinates":[[[[180,-16],[177,-16],[177,-20],[180,-20],[180,-16]]],"#
          + #"[[[-180,-20],[-178,-20],[-178,-16],[-180,-16],[-180,-20]]]]"#
      ),
      // A world-wide box stays world-wide.
      (
        [(-180, -90), (180, -90), (180, -60), (-180, -60), (-180, -90)],
        #""Polygon","coordinates":[[[-180,-90],[180,-90],[180,-60],[-180,-60],[-180,-90]]]"#
      ),
      // Touching the antimeridian is not crossing it.
      (
        [(170, 0), (180, 0), (180, 10), (170, 0)],
        #""Polygon","coordinates":[[[170,0],[180,0],[180,10],[170,0]]]"#
      ),
    ] as [([(Double, Double)], String)])
  func `A polygon is cut at the antimeridian`(ring: [(Double, Double)], expected: String) throws {
    let written = try text([layer(.polygon([coordinates(ring)]))])
    #expect(written.contains(expected), "\(written)")
  }

  @Test func `A concave polygon is cut into separate parts`() throws {
    // A C that crosses the antimeridian with both arms.
    let ring = coordinates([
      (170, 0), (190, 0), (190, 2), (175, 2), (175, 8), (190, 8), (190, 10), (170, 10), (170, 0),
    ])
    let hole = coordinates([(171, 4), (171, 6), (173, 6), (173, 4), (171, 4)])
    let cut = ConformedGeometry(
      .polygon([ring, hole]), decimals: 6, isGeographic: true
    ).geometry
    #expect(cut.kind == .multiPolygon)
    #expect(cut.paths.map(\.role.beginsPolygon) == [true, false, true, true])
    #expect(cut.box == Box(minX: -180, minY: 0, maxX: 180, maxY: 10))
    let area = cut.paths.reduce(0) { $0 + Ring.signedArea($1.vertices) / 2 }
    #expect(area == 20 * 10 - 15 * 6 - 4)
  }

  @Test func `A line is cut at the antimeridian at the right latitude`() throws {
    let line = Geometry.line(coordinates([(170, 45), (190, 45), (200, 50)]))
    #expect(
      try text([layer(line)]).contains(
        #""MultiLineString","coordinates":[[[170,45],[180,45]],[[-180,45],[-170,45],[-160,50]]]"#))
    let slope = Geometry.line(coordinates([(179, 0), (-178, 1)]))
    #expect(
      try text([layer(slope)]).contains(
        #""coordinates":[[[179,0],[180,0.333333]],[[-180,0.333333],[-178,1]]]"#))
  }

  @Test func `A cut feature's box reaches across the antimeridian`() throws {
    let source = Sample.collection(
      #""bbox":[1,1,2,2],"properties":{},"geometry":{"type":"Point","coordinates":[1,2]}"#)
    var layer = try Sample.read(source).featureLayers[0]
    let ring = coordinates([(177, -20), (182, -20), (182, -16), (177, -16), (177, -20)])
    try layer.setGeometry(.polygon([ring]), of: FeatureID(1))
    #expect(try text([layer]).contains(#""bbox":[177,-20,-178,-16]"#))
  }

  @Test func `Strict export leaves out what RFC 7946 took away`() throws {
    let source =
      #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:4326"}},"#
      + #""features":[{"type":"Feature"},{"type":"Feature","properties":{},"geometry":"#
      + #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4]]]}}]}"#
    #expect(
      try text(Sample.read(source).featureLayers, ExportOptions(conformance: .rfc7946))
        == #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"#
        + #""geometry":null},{"type":"Feature","properties":{},"geometry":"#
        + #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]]]}}]}"#)
  }

  @Test func `Precision rounds every coordinate and nothing else`() throws {
    let source = Sample.collection(
      #""properties":{"a":1.23456},"geometry":{"type":"LineString","#
        + #""coordinates":[[1.23456,2.5],[1.999,-0.001,7.77777,8.88888]],"x":1.23456}"#)
    let written = try text(Sample.read(source).featureLayers, ExportOptions(precision: 2))
    #expect(
      written.contains("[[1.23,2.5],[2,-0,7.78,8.89]]") || written.contains("[2,0,7.78,8.89]"))
    #expect(written.contains(#""a":1.23456"#))
  }

  @Test(arguments: [
    // A ring of no area goes, and with an outer ring its holes.
    (
      #""MultiPolygon","coordinates":[[[[0,0],[0.2,0.3],[0.1,0.3],[0,0]]],[[[1,1],[2,1],[2,2],[1,1]]]]"#,
      #""MultiPolygon","coordinates":[[[[1,1],[2,1],[2,2],[1,1]]]]"#, 1, 0
    ),
    (
      #""Polygon","coordinates":[[[1,1],[9,1],[9,9],[8.8,9.2],[1,1]],[[4,2],[7,2.3],[6,1.9],[4,2]]]"#,
      #""Polygon","coordinates":[[[1,1],[9,1],[9,9],[1,1]]]"#, 1, 0
    ),
    (
      #""MultiLineString","coordinates":[[[0,0],[0.1,0]],[[1,1],[1.2,1],[3,1]]]"#,
      #""MultiLineString","coordinates":[[[1,1],[3,1]]]"#, 0, 1
    ),
    // A ring that crosses itself has an area, though its sum is none.
    (
      #""Polygon","coordinates":[[[0,0],[4,4],[4,0],[0,4],[0,0]]]"#,
      #""Polygon","coordinates":[[[0,0],[4,4],[4,0],[0,4],[0,0]]]"#, 0, 0
    ),
  ])
  func `Rounding leaves no ring without area and no line of one position, and tells`(
    shape: String, wanted: String, rings: Int, lines: Int
  ) throws {
    let source = Sample.collection(#""properties":{},"geometry":{"type":\#(shape)}"#)
    let layers = try Sample.read(source).featureLayers
    var writer = GeoJSONWriter(options: ExportOptions(precision: 0), arrangement: .text)
    var bytes: [UInt8] = []
    try writer.write(layers) { bytes += $0 }
    #expect(String(decoding: bytes, as: UTF8.self) == source.replacing(shape, with: wanted))
    let report = writer.report
    #expect(report.lost.rings == rings && report.lost.lines == lines && report.lost.shapes == 0)
    #expect(report.notes.isEmpty == (rings + lines == 0))
  }

  @Test func `A feature of which rounding leaves nothing has no geometry`() throws {
    let ring = "[[[0,0],[0.2,0.3],[0.1,0.3],[0,0]]]"
    let polygon = #"{"type":"Polygon","coordinates":\#(ring)}"#
    let source = Sample.collection(#""properties":{"a":1},"geometry":\#(polygon)"#)
    let options = ExportOptions(precision: 0)
    #expect(
      try text(Sample.read(source).featureLayers, options)
        == source.replacing(polygon, with: "null"))
    #expect(
      try text(Sample.read(polygon).featureLayers, options)
        == polygon.replacing(ring, with: "[]"))
  }

  @Test func `A box chooses features, also across the antimeridian`() throws {
    let source =
      #"{"type":"FeatureCollection","bbox":[-179,0,179,0],"features":["#
      + [-179, 0, 179].map {
        #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#($0),0]}}"#
      }.joined(separator: ",") + "]}"
    let layers = try Sample.read(source).featureLayers
    let middle = ExportOptions(box: Box(minX: -10, minY: -10, maxX: 10, maxY: 10))
    #expect(try Sample.read(text(layers, middle)).report.featureCount == 1)
    #expect(!(try text(layers, middle)).contains("bbox"))
    let across = ExportOptions(box: Box(minX: 170, minY: -10, maxX: -170, maxY: 10))
    #expect(try Sample.read(text(layers, across)).report.featureCount == 2)
    let none = ExportOptions(box: Box(minX: 10, minY: 80, maxX: 20, maxY: 85))
    #expect(try Sample.read(text(layers, none)).report.featureCount == 0)
  }

  @Test func `Lines hold one feature each, whatever their layout was`() throws {
    let bytes = try Sample.fixture("edge_rfc7946.geojson")
    let layers = try Sample.read(bytes).featureLayers
    let lines = try Self.text(layers, LinesFormat())
    #expect(lines.split(separator: "\n").count == 14)
    let again = try Sample.read(lines)
    #expect(again.featureLayers[0].source.root == .lines)
    #expect(again.featureLayers[0].count == 14)
    #expect(try Self.text(again.featureLayers, LinesFormat()) == lines)
  }

  private static func text(_ layers: [FeatureLayer], _ format: any Exporter) throws -> String {
    var bytes: [UInt8] = []
    try format.write(layers, options: ExportOptions()) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let feature =
    #"{ "type": "Feature", "properties": { "n": 1.50 }, "geometry": null }"#

  @Test func `A lone feature in a file of lines stays a line when others come`() throws {
    var layer = try Sample.read(Self.feature + "\n").featureLayers[0]
    let former = FormerFile(Array((Self.feature + "\n").utf8), layer)
    _ = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
    let file = try LinesFormat().rewrite(layer, over: former, system: .crs84)
    let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == Self.feature)
  }

  @Test(arguments: [
    "\(feature)\n\(feature)\n", "\(feature)\r\n\(feature)\r\n", "\(feature)\n\n\(feature)\n\n",
    "\(feature)\n \(feature)", "\u{FEFF}\(feature)\n\(feature) \n",
  ])
  func `Lines that were not edited keep their bytes, and edited ones change only themselves`(
    source: String
  ) throws {
    var layer = try Sample.read(source).featureLayers[0]
    #expect(try Self.text([layer], LinesFormat()) == source)
    try layer.setAttribute("n", to: .number("2"), of: [FeatureID(2)])
    let edited = Self.feature.replacingOccurrences(of: "1.50", with: "2")
    let place = try #require(source.range(of: Self.feature, options: .backwards))
    #expect(
      try Self.text([layer], LinesFormat()) == source.replacingCharacters(in: place, with: edited))
  }

  @Test func `A sequence that was not edited keeps its bytes`() throws {
    for source in [
      "\u{1E}\(Self.feature)\n", "\u{1E}\u{1E} \(Self.feature)\r\n\u{1E}\(Self.feature)\n",
    ] {
      let layers = try Sample.read(source).featureLayers
      #expect(try Self.text(layers, SequenceFormat()) == source)
    }
  }

  @Test func `Several layers are written into one collection`() throws {
    let first = try Sample.read(#"{"type":"Point","coordinates":[1,2]}"#, name: "a").featureLayers
    let second = try Sample.read(Sample.geometry("null"), name: "b").featureLayers
    let both = try text(first + second)
    #expect(try Sample.read(both).featureLayers[0].count == 2)
    #expect(both.hasPrefix(#"{"type":"FeatureCollection","features":["#))
    #expect(try text(first) == #"{"type":"Point","coordinates":[1,2]}"#)
    #expect(throws: ExportError(.nothingToWrite)) { _ = try text([]) }
  }

  @Test func `A geometry that got attributes becomes a feature in a collection`() throws {
    var layer = try Sample.read(#"{"type":"Point","coordinates":[1,2]}"#).featureLayers[0]
    try layer.setAttribute("a", to: .number("1"), of: [FeatureID(1)])
    #expect(
      try text([layer]).contains(
        #"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#)
    )
    #expect(try Sample.read(text([layer])).featureLayers[0].count == 1)
  }

  @Test func `A polygon drawn among indented points is indented too`() throws {
    let source =
      "{\n \"type\": \"FeatureCollection\",\n \"features\": [\n  {\n   \"type\": \"Feature\",\n"
      + "   \"properties\": {},\n   \"geometry\": {\n    \"type\": \"Point\",\n"
      + "    \"coordinates\": [\n     1.5,\n     2.5\n    ]\n   }\n  }\n ]\n}\n"
    var layer = try Sample.read(source).featureLayers[0]
    #expect(try text([layer]) == source)
    try layer.setGeometry(
      .polygon([coordinates([(0, 0), (1, 0), (1, 1), (0, 0)])]), of: FeatureID(1))
    #expect(
      try text([layer]).contains(
        "\"coordinates\": [\n     [\n      [\n       0,\n       0\n      ],\n      [\n"))
  }

  @Test func `Coordinates of 17 digits come back from their doubles alone`() throws {
    var random = SeededGenerator(seed: 9)
    let positions = (0..<2000).map { _ in
      let x = Double(random.next() >> 11) / 0x1p53 * 360 - 180
      return "[\(x),\(Double(random.next() >> 11) / 0x1p53 * 180 - 90)]"
    }.filter { !$0.contains("e") }
    let source = Sample.geometry(
      #"{"type":"LineString","coordinates":[\#(positions.joined(separator: ","))]}"#)
    let layer = try Sample.read(source).featureLayers[0]
    #expect(layer.blocks[0].sourceGeometries == nil)
    #expect(try text([layer]) == source)
  }
}
