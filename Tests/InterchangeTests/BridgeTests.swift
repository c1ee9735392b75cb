import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
struct BridgeTests {
  private func export(
    _ layers: [FeatureLayer], as name: String, _ options: ExportOptions = ExportOptions()
  ) throws -> (bytes: [UInt8], report: ExportReport) {
    let writer = try #require(FileFormats.exporters.first { $0.name == name })
    var bytes: [UInt8] = []
    let report = try writer.write(layers, options: options) { bytes += $0 }
    return (bytes, report)
  }

  private func read(_ bytes: [UInt8], as name: String) throws -> ImportResult {
    let reader = try #require(BridgedReader.all.first { $0.name == name })
    #expect(reader.recognizes(bytes.prefix(FileHead.count)) || name == "dxf")
    return try reader.read(bytes, options: ImportOptions(name: "file")) { _ in }
  }

  @Test(arguments: ["flatgeobuf", "gml", "kml", "kmz", "gpx", "shapezip"])
  func `Points go out and come back with names and places`(_ name: String) throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "towns", style: Style(name: "towns", mark: MarkStyle()))
    for (text, x, y) in [("Zoë", 10.5, 60.25), ("東京", 12, 42)] {
      _ = layer.add(
        geometry: .point(Coordinate(x: x, y: y)),
        attributes: [("name", .string(text)), ("pop", .number("9007199254740993"))])
    }
    let result = try read(export([layer], as: name).bytes, as: name)
    let again = try #require(result.layers.first as? FeatureLayer)
    #expect(result.coordinateSystem == .crs84 && again.count == 2)
    let block = try #require(again.blocks.first)
    // Numbers of rows are no ids.
    if name != "gml" { #expect((0...1).allSatisfy { block.identifiers.kind($0) == .missing }) }
    let field = name == "kml" || name == "kmz" ? "Name" : "name"
    // FlatGeobuf sorts features by their places.
    let places = (0...1).map { row in
      "\(block.attribute(field, row: row).text) \(block.geometry.coordinate(at: row).x) "
        + "\(block.geometry.coordinate(at: row).y)"
    }
    #expect(places.sorted() == ["Zoë 10.5 60.25", "東京 12.0 42.0"])
    // The driver of GPX reads whole numbers of 32 bits.
    if name != "gpx" {
      #expect(block.attribute("pop", row: 0).text == "9007199254740993")
    }
  }

  @Test func `Each driver of vectors that is installed can be skipped`() throws {
    let info = try #require(ChildProcess(named: "ogrinfo"))
    let answer = try info.run(["--formats"], in: ScratchFolder()) { _ in }
    // `  GPX -vector- (rw+v): GPX`
    let drivers = answer.output.split(separator: "\n").compactMap { line -> String? in
      guard let mark = line.firstRange(of: " -"),
        line[mark.upperBound...].prefix(while: { $0 != "(" }).contains("vector")
      else { return nil }
      return line[..<mark.lowerBound].drop { $0 == " " }.lowercased()
    }
    #expect(drivers.contains("geojson"))
    let known = Set(OGRTools.known.map { $0.lowercased() })
    #expect(drivers.filter { !known.contains($0) } == [])
  }

  @Test func `Nothing leaves as degrees that is not`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "towns", style: Style(name: "towns", mark: MarkStyle()))
    _ = layer.add(geometry: .point(Coordinate(x: 500_000, y: 0)), attributes: [])
    let zone = ExportOptions(coordinateSystem: CoordinateSystem(named: "EPSG:32631"))
    let (bytes, report) = try export([layer], as: "kml", zone)
    #expect(report.remarks.contains("converted from EPSG:32631 into longitude and latitude"))
    let again = try #require(try read(bytes, as: "kml").layers.first as? FeatureLayer)
    #expect(again.blocks[0].geometry.coordinates == [3, 0])
    let error = #expect(throws: ToolError.self) {
      _ = try export([layer], as: "kml", ExportOptions(coordinateSystem: .planar))
    }
    #expect(error?.description.contains("knows longitude and latitude on WGS 84 only") == true)
    let flat = try read(export([layer], as: "flatgeobuf", zone).bytes, as: "flatgeobuf")
    #expect(flat.coordinateSystem == CoordinateSystem(named: "EPSG:32631"))
  }

  @Test(arguments: Seeds.some(2))
  func `Doubles beside round numbers keep their last bit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number() -> Double {
      let power = Double([1, 10, 1e3, 1e6].randomElement(using: &random) ?? 1)
      let value = (Double.random(in: -170...170, using: &random) * power).rounded() / power
      return (0..<Int.random(in: 0...3, using: &random)).reduce(value) { value, _ in value.nextUp }
    }
    let wanted = (0..<200).map { _ in [number(), number() / 2, number() * 1e4] }
    let features = wanted.map { values in
      "{\"type\":\"Feature\",\"properties\":{\"a\":\(values[2])},\"geometry\":{\"type\":\"Point\","
        + "\"coordinates\":[\(values[0]),\(values[1])]}}"
    }
    let source = try GeoJSONFormat().read(
      Array(features.joined(separator: "\n").utf8), options: ImportOptions(name: "towns")
    ) { _ in }
    let layer = try #require(source.layers.first as? FeatureLayer)
    let result = try read(export([layer], as: "flatgeobuf").bytes, as: "flatgeobuf")
    let again = try #require(result.layers.first as? FeatureLayer)
    let found = again.blocks.flatMap { block in
      (0..<block.rowCount).map { row -> [Double] in
        let place = block.geometry.coordinate(at: row)
        return [place.x, place.y, Double(block.attribute("a", row: row).text) ?? .nan]
      }
    }
    // FlatGeobuf sorts features by their places.
    func order(_ one: [Double], _ other: [Double]) -> Bool { one.lexicographicallyPrecedes(other) }
    #expect(found.sorted(by: order) == wanted.sorted(by: order), "seed \(seed)")
  }

  @Test(arguments: Seeds.some(2))
  func `Texts that read as lists or objects stay texts`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let signs = ["[", "]", "{", "}", "1", ",", " ", "\"", ":", "true", "\n", "é"]
    var texts = ["[1, 2]", "{\"x\":  1.50}", "{}", "[]", "[abc]", "", "{\"a\":\"b\"\"}"]
    for _ in 0..<60 {
      let inner = (0..<Int.random(in: 0...6, using: &random))
        .compactMap { _ in signs.randomElement(using: &random) }.joined()
      texts.append(Bool.random(using: &random) ? "[\(inner)]" : "{\(inner)}")
    }
    let towns = layer("towns", texts.enumerated().map { ($1, Double($0)) })
    let result = try read(export([towns], as: "flatgeobuf").bytes, as: "flatgeobuf")
    let again = try #require(result.layers.first as? FeatureLayer)
    for block in again.blocks {
      for row in 0..<block.rowCount {
        let index = Int(block.geometry.coordinate(at: row).x)
        #expect(block.attribute("a", row: row) == .string(texts[index]), "seed \(seed)")
      }
    }
  }

  /// A layer of points with a text each; `nil` has no place.
  private func layer(_ name: String, _ texts: [(String, Double?)]) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: name, style: Style(name: "x", mark: MarkStyle()))
    for (text, x) in texts {
      let place = x.map { Geometry.point(Coordinate(x: $0, y: 2)) }
      _ = layer.add(
        geometry: place ?? Geometry(kind: .none, paths: []), attributes: [("a", .string(text))])
    }
    return layer
  }

  @Test(arguments: ["flatgeobuf", "gml", "kml", "gpx", "dxf", "gmt", "jml", "shapezip"])
  func `Each feature arrives, or is told or refused`(_ name: String) throws {
    let towns = layer("towns", [("one", 1), ("two", nil), ("three", 3)])
    do {
      let (bytes, report) = try export([towns], as: name)
      let found = try read(bytes, as: name).layers.reduce(0) { sum, layer in
        sum + ((layer as? FeatureLayer)?.count ?? 0)
      }
      let told = report.remarks.contains { $0.contains("1 feature without a place; left out") }
      #expect(found == (told ? 2 : 3), "\(name): \(report.remarks)")
    } catch let error as ToolError {
      #expect(error.description.contains("features without a place cannot be written as"))
    }
  }

  @Test(arguments: ["kml", "kmz", "gml", "gpx", "jml"])
  func `Controls leave as blanks in markup, told`(_ name: String) throws {
    let towns = layer("towns", [("a\u{1}b\u{1F}", 1), ("tab\tline", 2)])
    let (bytes, report) = try export([towns], as: name)
    #expect(report.remarks.contains { $0.contains("1 text has control characters") })
    let again = try #require(try read(bytes, as: name).layers.first as? FeatureLayer)
    let values = again.blocks[0].attributes.flatMap { column in
      (0..<column.rowCount).map { column.value($0).text }
    }
    #expect(values.contains { $0.hasPrefix("a b") } && again.count == 2, "\(values)")
  }

  @Test func `A refusal of GDAL names its cause`() throws {
    var shapes = layer("towns", [])
    for x in [1.0, 2] {
      let points = Geometry(
        kind: .geometryCollection,
        paths: [
          Geometry.Path(
            role: PathRole(kind: .multiPoint, beginsMember: true, beginsPolygon: false),
            vertices: [Coordinate(x: x, y: 1), Coordinate(x: x, y: 2)])
        ])
      let texts = (0..<8).map { ("a\($0)", AttributeValue.string("x")) }
      _ = shapes.add(geometry: points, attributes: texts)
    }
    let error = #expect(throws: ToolError.self) { _ = try export([shapes], as: "dxf") }
    #expect(error?.description.contains("Multi Point") == true, "\(error!)")
  }

  @Test func `The only layer needs no name, and a broken file is refused`() throws {
    for name in ["--config", "a\nb"] {
      let bytes = try export([layer(name, [("x", 1)])], as: "flatgeobuf").bytes
      #expect(try read(bytes, as: "flatgeobuf").layers.count == 1)
    }
    let bytes = try export([layer("towns", [("x", 1)])], as: "flatgeobuf").bytes
    let broken = #expect(throws: ToolError.self) {
      _ = try read(Array(bytes.prefix(60)), as: "flatgeobuf")
    }
    #expect(broken?.kind == .refused)
  }

  @Test func `It stops when it is cancelled`() throws {
    struct Stop: Error {}
    let bytes = Array("<gpx version=\"1.1\"></gpx>".utf8)
    let reader = try #require(BridgedReader.all.first { $0.name == "gpx" })
    #expect(throws: Stop.self) {
      _ = try reader.read(bytes, options: ImportOptions(name: "file")) { _ in throw Stop() }
    }
  }

  @Test func `The answer of ogrinfo is read layer by layer`() throws {
    let text = """
      INFO: Open of `a'

      Layer name: one: two (Point)
      Geometry: 3D Measured Point
      Feature Count: 12
      Layer SRS WKT:
      PROJCRS["x",
          ID["EPSG",25833]]
      Data axis to CRS axis mapping: 1,2
      FID Column = id
      name: String (0.0)

      Layer name: none
      Geometry: None
      Feature Count: 0
      Layer SRS WKT:
      (unknown)
      """
    let long = text + String(repeating: " ", count: OGRTools.outputMax)
    #expect(throws: ToolError.self) { _ = try OGRTools.layers(long) }
    let layers = try OGRTools.layers(text)
    #expect(layers.map(\.name) == ["one: two (Point)", "none"] && layers.map(\.count) == [12, 0])
    #expect(layers.map(\.key) == ["id", nil])
    #expect(layers.map(\.system) == [#"PROJCRS["x",    ID["EPSG",25833]]"#, ""])
  }
}
