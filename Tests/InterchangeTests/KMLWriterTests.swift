import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite struct KMLWriterTests {
  private static func written(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions(), isZipped: Bool = false
  ) throws -> (bytes: [UInt8], report: ExportReport) {
    var bytes: [UInt8] = []
    let report = try KMLWriter(isZipped: isZipped).write(layers, options: options) { bytes += $0 }
    return (bytes, report)
  }

  private static func layer(_ text: String) throws -> FeatureLayer {
    let result = try GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "a<b")
    ) { _ in }
    return try #require(result.layers.first as? FeatureLayer)
  }

  @Test func `A point without a place is an empty shape`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "a\tb\nc", style: Style(name: "x", mark: MarkStyle()))
    let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
    let empty = Geometry(kind: .point, paths: [Geometry.Path(role: role, vertices: [])])
    _ = layer.add(geometry: empty, attributes: [("n\to", .string("x\u{FFFE}y\u{FFFF}\u{FFFD}"))])
    _ = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
    let (bytes, report) = try Self.written([layer])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("<MultiGeometry></MultiGeometry>\n</Placemark>\n<Placemark>"), "\(text)")
    #expect(text.ranges(of: "<coordinates>1,2</coordinates>").count == 1)
    #expect(text.contains("<Schema name=\"a&#9;b&#10;c\"") && text.contains("\"n&#9;o\""))
    #expect(text.contains(">x y \u{FFFD}<"))
    #expect(report.remarks.contains { $0.contains("1 text has control characters") })
  }

  @Test func `The text of a file`() throws {
    let layer = try Self.layer(
      """
      {"type":"Feature","id":7,"properties":{"name":"x & y","n":1,"b":true},"geometry":
      {"type":"Polygon","coordinates":[[[0,0],[2.25,2,5],[2,0.1234567890123456],[0,0]]]}}
      """)
    let (bytes, report) = try Self.written([layer])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2">
        <Document>
        <Document>
        <name>a&lt;b</name>
        <Schema name="a&lt;b" id="schema1">
        <SimpleField name="n" type="int"/>
        <SimpleField name="b" type="bool"/>
        <SimpleField name="id" type="int"/>
        </Schema>
        <Placemark>
        <name>x &amp; y</name>
        <ExtendedData><SchemaData schemaUrl="#schema1">
        <SimpleData name="n">1</SimpleData>
        <SimpleData name="b">1</SimpleData>
        <SimpleData name="id">7</SimpleData>
        </SchemaData></ExtendedData>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 2.25,2,5 2,0.1234567890123456 0,0\
        </coordinates></LinearRing></outerBoundaryIs></Polygon>
        </Placemark>
        </Document>
        </Document>
        </kml>

        """)
    #expect(report.features == 1)
    #expect(report.notes == ["layer a<b: ids become the attribute id"])
  }

  @Test(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
  func `What reads KML brings back the same features`() throws {
    for seed in Seeds.some(2) {
      var random = RandomLayers(seed: seed)
      let layer = random.layer("one", hasHeights: seed % 2 == 0)
      let isZipped = seed % 2 == 1
      let bytes = try Self.written([layer, random.layer("two")], isZipped: isZipped).bytes
      let reader = try #require(
        BridgedReader.all.first { $0.name == (isZipped ? "kmz" : "kml") })
      #expect(reader.recognizes(bytes.prefix(FileHead.count)))
      let result = try reader.read(bytes, options: ImportOptions(name: "file")) { _ in }
      #expect(result.layers.map(\.name) == ["one", "two"])
      let again = try #require(result.layers.first as? FeatureLayer)
      let (old, new) = (FeatureValues.all(layer), FeatureValues.all(again))
      // GDAL reads a collection of one kind of shapes as a shape of several parts.
      let paths = [old, new].map { features in
        features.map { $0.paths.flatMap(\.ordinates) + $0.paths.flatMap(\.heights) }
      }
      #expect(paths[0] == paths[1], "seed \(seed)")
      for (old, new) in zip(old, new) {
        #expect(Self.expected(old) == new.attributes, "seed \(seed)")
      }
    }
  }

  /// Null is no value, whole numbers of more than 32 bits are text, and GDAL reads true as 1.
  private static func expected(_ values: FeatureValues) -> [[UInt8]: AttributeValue] {
    values.attributes.filter { $0.value.kind != .null }
      .map { name, value -> ([UInt8], AttributeValue) in
        let isLong = name == Array("long".utf8)
        if value.kind == .yes { return (name, AttributeValue.number("1")) }
        if value.kind == .no { return (name, AttributeValue.number("0")) }
        return (name, isLong ? AttributeValue.string(value.text) : value)
      }
      .reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  @Test func `Decimals are as many as are asked for`() throws {
    let layer = try Self.layer(#"{"type":"Point","coordinates":[1.23456,2.5,3.14159]}"#)
    let bytes = try Self.written([layer], ExportOptions(precision: 2)).bytes
    #expect(String(decoding: bytes, as: UTF8.self).contains(">1.23,2.5,3.14</coordinates>"))
  }

  @Test func `The checksum of a zip is that of ISO 3309`() {
    #expect(StoredZip.crc(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  // MARK: Shapes that formats do not hold

  private static let bow =
    #"{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}"#
  private static let line = #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#

  @Test(
    .enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"),
    arguments: BridgedWriter.all.map(\.name) + ["kml", "kmz"])
  func `Every shape is in the file, or nothing is written`(_ name: String) throws {
    let writer = try #require(FileFormats.exporters.first { $0.name == name })
    var lists = [[Self.line, Self.bow]]
    if writer is KMLWriter { lists.append([Self.line, Self.bow, "null"]) }
    for shapes in lists {
      let features = shapes.map {
        #"{"type":"Feature","properties":{"a":1},"geometry":\#($0)}"#
      }
      let layer = try Self.layer(features.joined(separator: "\n"))
      var bytes: [UInt8] = []
      do {
        _ = try writer.write([layer], options: ExportOptions()) { bytes += $0 }
      } catch let error as ToolError {
        #expect(bytes.isEmpty, "\(error)")
        continue
      }
      guard let reader = FileFormats.importers.first(where: { $0.name == name }) else {
        #expect(String(decoding: bytes, as: UTF8.self).split(separator: "INSERT").count > 1)
        continue
      }
      let result = try reader.read(bytes, options: ImportOptions(name: "file")) { _ in }
      var found = [0, 0, 0]
      for layer in result.layers.compactMap({ $0 as? FeatureLayer }) {
        for kind in layer.blocks.flatMap({ $0.geometry.kinds }) {
          if let dimension = kind.dimension { found[dimension] += 1 }
        }
      }
      #expect(found == [0, shapes.count - (shapes.count == 3 ? 2 : 1), 1], "\(shapes)")
    }
  }
}
