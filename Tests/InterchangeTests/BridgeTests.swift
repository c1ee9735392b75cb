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
    let writer = try #require(BridgedWriter.all.first { $0.name == name })
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

  @Test func `A layer's name is no option, and a broken file is refused`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "--config", style: Style(name: "x", mark: MarkStyle()))
    _ = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [("a", .number("1"))])
    let bytes = try export([layer], as: "flatgeobuf").bytes
    let error = #expect(throws: ToolError.self) { _ = try read(bytes, as: "flatgeobuf") }
    #expect(error?.kind == .refused && error?.description.contains("\"--config\"") == true)
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

  @Test func `The answer of ogrinfo is read layer by layer`() {
    let text = """
      INFO: Open of `a'

      Layer name: one: two (Point)
      Geometry: 3D Measured Point
      Feature Count: 12
      Layer SRS WKT:
      PROJCRS["x",
          ID["EPSG",25833]]
      Data axis to CRS axis mapping: 1,2
      name: String (0.0)

      Layer name: none
      Geometry: None
      Feature Count: 0
      Layer SRS WKT:
      (unknown)
      """
    let layers = OGRTools.layers(text)
    #expect(layers.map(\.name) == ["one: two (Point)", "none"] && layers.map(\.count) == [12, 0])
    #expect(layers[0].geometry == "3D Measured Point" && layers[1].system.isEmpty)
    #expect(layers[0].system == "PROJCRS[\"x\",\n    ID[\"EPSG\",25833]]\n")
  }
}
