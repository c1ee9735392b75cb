import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// What is not degrees is read as planar and never written as degrees.
@Suite struct CoordinateSystemTests {
  /// A `crs` member's value, and the system that it names.
  struct Spelling: Sendable, CustomTestStringConvertible {
    var json: String
    var name: String
    var testDescription: String { json }

    init(_ json: String, _ name: String) {
      self.json = json
      self.name = name
    }

    static func named(_ text: String, _ name: String) -> Spelling {
      Spelling(#"{"type":"name","properties":{"name":"\#(text)"}}"#, name)
    }
  }

  static let planar: [Spelling] = [
    .named("EPSG:3857", "EPSG:3857"), .named("epsg:25832", "EPSG:25832"),
    .named("urn:ogc:def:crs:EPSG::3857", "EPSG:3857"),
    .named("urn:ogc:def:crs:EPSG:6.18.3:31467", "EPSG:31467"),
    .named("urn:x-ogc:def:crs:EPSG:32633", "EPSG:32633"),
    .named("http://www.opengis.net/def/crs/EPSG/0/2056", "EPSG:2056"),
    .named(#"http:\/\/www.opengis.net\/gml\/srs\/epsg.xml#27700"#, "EPSG:27700"),
    // Grads from Paris, and geocentric metres: codes among those of degrees.
    .named("EPSG:4807", "EPSG:4807"), .named("EPSG:4978", "EPSG:4978"),
    .named("ESRI:102100", "ESRI:102100"), .named("WGS84 / UTM zone 32N", "WGS84 / UTM zone 32N"),
    .named(#"W\u0047S_1984_Web_Mercator"#, "WGS_1984_Web_Mercator"),
    .named("urn:ogc:def:crs:EPSG::43260", "EPSG:43260"), .named("planar", "planar"),
    .named(#"LOCAL_CS[\"site grid\",UNIT[\"unknown\",1]]"#, "site grid"),
    Spelling(
      #"{ "properties" : { "href":"http://spatialreference.org/ref/epsg/26801/proj4/", "#
        + #""type":"proj4"}, "type" : "link" }"#, "EPSG:26801"),
    Spelling(
      #"{"type":"link","properties":{"href":"http://example.com/crs/42"}}"#,
      "http://example.com/crs/42"),
    Spelling(#"{"type":"EPSG","properties":{"code":3857}}"#, "EPSG:3857"),
    Spelling(#""EPSG:3035""#, "EPSG:3035"),
  ]

  static let degrees: [Spelling] = [
    .named("urn:ogc:def:crs:OGC:1.3:CRS84", "OGC:CRS84"), .named("EPSG:4326", "OGC:CRS84"),
    .named("urn:ogc:def:crs:OGC::CRS84", "OGC:CRS84"), .named("CRS:84", "OGC:CRS84"),
    .named("urn:ogc:def:crs:EPSG::4326", "OGC:CRS84"), .named("WGS 84", "OGC:CRS84"),
    .named("EPSG:4269", "EPSG:4269"), .named("urn:ogc:def:crs:EPSG::4258", "EPSG:4258"),
    .named("http://www.opengis.net/def/crs/OGC/1.3/CRS83", "OGC:CRS83"),
    Spelling("null", "OGC:CRS84"), Spelling("{}", "OGC:CRS84"), Spelling("[1]", "OGC:CRS84"),
    Spelling("8", "OGC:CRS84"), Spelling(#""anything""#, "OGC:CRS84"),
  ]

  private func collection(_ crs: String, _ positions: [(Double, Double)]) -> String {
    let features = positions.map { x, y in
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}"#
    }
    return #"{"type":"FeatureCollection",\#(crs)"features":["# + features.joined(separator: ",")
      + "]}"
  }

  @Test(arguments: planar + degrees)
  func `A crs member tells the system in any spelling`(spelling: Spelling) throws {
    for text in [
      collection("\"crs\":\(spelling.json),", [(10.5, 50.25)]),
      #"{"type":"FeatureCollection","features":[],"crs": \#(spelling.json)}"#,
    ] {
      let result = try Sample.read(text)
      #expect(result.coordinateSystem.name == spelling.name)
      #expect(try Sample.write(result.featureLayers) == Array(text.utf8))
      let isPlanar = Self.planar.contains { $0.json == spelling.json }
      #expect(result.coordinateSystem.isDegrees == !isPlanar)
    }
  }

  /// The random texts of planar data, by seed: collections, lines, features that name their system
  /// themselves, tables.
  private func randomPlanar(_ random: inout SeededGenerator) throws -> ImportResult {
    let positions = (0..<Int.random(in: 1...5, using: &random)).map { _ -> (Double, Double) in
      // Near the origin, where nothing but the name tells them from degrees, and far away.
      let reach: Double = Bool.random(using: &random) ? 80 : 5_000_000
      return (
        Double.random(in: -reach...reach, using: &random).rounded(),
        Double.random(in: -reach...reach, using: &random).rounded()
      )
    }
    let crs = Self.planar.randomElement(using: &random)?.json ?? ""
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return try Sample.read(collection("\"crs\":\(crs),", positions))
    case 1:
      let lines = positions.map { x, y in
        #"{"type":"Feature","properties":{},"geometry":{"type":"Point","crs":\#(crs),"#
          + #""coordinates":[\#(x),\#(y)]}}"#
      }
      return try Sample.read(lines.joined(separator: "\n") + "\n")
    case 2:
      let far = [(450_000.0, 5_700_000.0)] + positions.prefix(1)
      return try Sample.read(collection("", far))
    default:
      let rows = positions.map { "\($0.0),\($0.1),a\n" }
      let table = "Easting,NORTHING,name\n" + rows.joined()
      return try CSVFormat.comma.read(
        Array(table.utf8), options: ImportOptions(name: "t"), progress: { _ in })
    }
  }

  @Test(arguments: Seeds.some(300))
  func `What is planar never comes out as degrees`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let result = try randomPlanar(&random)
    let system = result.coordinateSystem
    try #require(!system.isDegrees)
    var layers = result.featureLayers
    // Parts of the data, and what is drawn beside it, are planar too.
    if Bool.random(using: &random), layers[0].count > 1 { layers[0].remove([FeatureID(1)]) }
    if Bool.random(using: &random) {
      _ = layers[0].add(geometry: .point(Coordinate(x: 12, y: 48)), attributes: [])
    }
    if Bool.random(using: &random) {
      var drawn = FeatureLayer(id: LayerID(9), name: "drawn", style: layers[0].style)
      _ = drawn.add(geometry: .point(Coordinate(x: 13, y: 52)), attributes: [])
      layers.append(drawn)
    }
    for format in FileFormats.both {
      for conformance in ExportOptions.Conformance.allCases {
        let options = ExportOptions(conformance: conformance, coordinateSystem: system)
        var bytes: [UInt8] = []
        let report: ExportReport
        do {
          report = try format.write(layers, options: options) { bytes += $0 }
        } catch let error as ExportError {
          #expect([.notWGS84, .noPlaceForSystem].contains(error.code), "seed \(seed)")
          #expect(error.description.contains(system.name))
          #expect(bytes.isEmpty)
          continue
        }
        #expect(conformance != .rfc7946, "seed \(seed) \(format.name)")
        if format is CSVFormat {
          let header = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self).lowercased()
          #expect(!header.contains("lon") && !header.contains("lat"), "seed \(seed): \(header)")
          let again = try format.read(
            bytes, options: ImportOptions(name: "again"), progress: { _ in }
          ).coordinateSystem
          #expect(!again.isDegrees || !report.notes.isEmpty, "seed \(seed): \(header)")
          if header.contains("wkt"), system.authority == "EPSG" {
            #expect(again == system && report.notes.isEmpty, "seed \(seed): \(header)")
          }
        } else {
          let again = try format.read(
            bytes, options: ImportOptions(name: "again"), progress: { _ in })
          #expect(again.coordinateSystem == system, "seed \(seed) \(format.name)")
        }
      }
    }
  }

  @Test func `RFC 7946 takes degrees of WGS 84 only`() throws {
    let nad = try Sample.read(collection(#""crs":"EPSG:4269","#, [(-100, 40)]))
    let options = ExportOptions(conformance: .rfc7946, coordinateSystem: nad.coordinateSystem)
    #expect(throws: ExportError(.notWGS84, "EPSG:4269")) {
      try Sample.write(nad.featureLayers, options)
    }
    let wgs = try Sample.read(collection(#""crs":"EPSG:4326","#, [(-100, 40)]))
    let text = String(
      decoding: try Sample.write(wgs.featureLayers, ExportOptions(conformance: .rfc7946)),
      as: UTF8.self)
    #expect(!text.contains("crs"))
    let point = #"{"type":"Point","crs":"EPSG:4326","coordinates":[1,2]}"#
    let inner = try Sample.read(Sample.geometry(point))
    let bare = try Sample.write(inner.featureLayers, ExportOptions(conformance: .rfc7946))
    #expect(!String(decoding: bare, as: UTF8.self).contains("crs"))
  }

  @Test func `Layers of different systems are not written into one file`() throws {
    let metres = try Sample.read(collection(#""crs":"EPSG:3857","#, [(1e6, 5e6)]))
    let degrees = try Sample.read(collection("", [(10, 50)]))
    for format in FileFormats.both {
      let error = #expect(throws: ExportError.self) {
        try format.write(
          metres.featureLayers + degrees.featureLayers, options: ExportOptions(), to: { _ in })
      }
      #expect(error?.code == .mixedSystems)
    }
  }

  @Test func `Features of different systems are refused with their place`() throws {
    let text = """
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}
      {"type":"Feature","properties":{},"crs":"EPSG:3857",\
      "geometry":{"type":"Point","coordinates":[1,2]}}

      """
    let error = try #require(Sample.error(Array(text.utf8)))
    #expect(error.code == .mixedSystems && error.line == 1)
    #expect(error.description.contains("ogr2ogr"))
    let unlocated = text.replacing(#"{"type":"Point","coordinates":[1,2]}}"#, with: "null}")
    #expect(try Sample.read(unlocated).coordinateSystem == .crs84)
  }

  @Test(arguments: [
    ("lon,lat\n10,50\n", "OGC:CRS84", false), ("x,y\n10,50\n", "OGC:CRS84", true),
    ("x,y\n10,50\n20,95\n", "planar", false), ("easting,northing\n10,50\n", "planar", false),
    ("lon,lat\n10,50\n20,95\n", "OGC:CRS84", false),
    ("lon,lat\n1000000,5000000\n1000001,5000001\n", "planar", false),
    ("wkt\nPOINT (10 50)\n", "OGC:CRS84", true), ("wkt\nPOINT (1000 50)\n", "planar", false),
    ("wkt\nSRID=3857;POINT (10 50)\n", "EPSG:3857", false),
    ("wkt\nSRID=4326;POINT (10 50)\n", "OGC:CRS84", false),
  ])
  func `Tables are planar where names or numbers say so`(
    text: String, system: String, isAssumed: Bool
  ) throws {
    let result = try CSVFormat.comma.read(
      Array(text.utf8), options: ImportOptions(name: "t"), progress: { _ in })
    #expect(result.coordinateSystem.name == system)
    #expect(result.isSystemAssumed == isAssumed)
    if text.hasPrefix("x") || text.hasPrefix("e") || system != "OGC:CRS84" {
      #expect(!(result.notices + [result.assumption ?? ""]).joined().isEmpty)
    }
  }

  @Test func `A single latitude beyond the pole makes degrees no planar data`() throws {
    let result = try Sample.read(collection("", [(1, 2), (3, 4), (5, 1e6)]))
    #expect(result.coordinateSystem == .crs84)
    #expect(result.report[.latitudes]?.count == 1)
    let metres = try Sample.read(collection("", [(1e6, 2e6), (3, 4)]))
    #expect(metres.coordinateSystem == .planar)
    #expect(metres.report[.beyondDegrees]?.count == 1)
    #expect(metres.report[.latitudes] == nil)
  }
}
