import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Numbers, ranges and coordinate systems.
@Suite struct ValueTests {
  @Test(arguments: Seeds.some(200))
  func `A number is read as the library reads it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = Double.random(in: -1000...1000, using: &generator)
    let texts = [
      "\(value)", "\((value * 1e6).rounded() / 1e6)", "\(value / 1e20)", "\(value * 1e30)",
      "\(Int(value))", "\(value)0000000000",
      "\(Int(value))e\(Int.random(in: -30...30, using: &generator))",
    ]
    for text in texts {
      let wanted = try #require(Double(text))
      let number = try Array(text.utf8).withUnsafeBufferPointer { bytes in
        var walker = try #require(JSONWalker(bytes))
        let number = try walker.scanNumber()
        #expect(walker.isAtEnd && walker.faults.isEmpty)
        return number.value
      }
      #expect((number - wanted).magnitude <= wanted.magnitude * 1e-14, "\(text)")
    }
  }

  /// Computed with PROJ 9.1.
  static let places: [(zone: Int, x: Double, y: Double, longitude: Double, latitude: Double)] = [
    (32, 565_811, 5_934_000, 9.993339415, 53.550761853),
    (33, 400_000, 7_500_000, 12.648146510, 67.598503864),
    (1, 200_000, 100, -179.695023223, 0.000903724),
    (60, 820_000, 4_000_000.5, 180.553949920, 36.091973885),
  ]

  @Test(arguments: Seeds.some(100))
  func `Ids of equal numbers are the same id, however they are written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let digits = ["1", "10", "120", "9007199254740992", "9007199254740993", "-7", "0", "2.5"]
    func spelled(_ text: String) -> String {
      let point = text.contains(".")
      return [
        text, text + (point ? "0" : ".0"), text + "e0", text + (point ? "000" : ".00") + "E+0",
        point || text == "0" ? text : text + "0e-1",
      ].randomElement(using: &generator) ?? text
    }
    let ids = (0..<8).map { _ -> (value: String, text: String) in
      let value = digits.randomElement(using: &generator) ?? "1"
      // A text is another id than the number of its digits.
      return Bool.random(using: &generator)
        ? ("\"\(value)\"", "\"\(value)\"") : (value, spelled(value))
    }
    let text = Checking.collection(
      ids.map {
        "{\"type\": \"Feature\", \"id\": \($0.text), \"properties\": null, \"geometry\": null}"
      })
    let wanted = ids.indices.filter { index in
      ids[..<index].contains { $0.value == ids[index].value }
    }
    let found = try Checking.check(text).findings.filter { $0.code == .duplicateIdentifier }
    #expect(found.compactMap { $0.place?.line } == wanted.map { $0 + 2 }, "\(ids)")
    let read = try DocumentCheck.check(Checking.document(text), DocumentCheck.Options()).findings
      .filter { $0.code == .duplicateIdentifier }
    #expect(read.map(\.feature?.feature.rawValue) == wanted.map { UInt64($0 + 1) }, "\(ids)")
  }

  @Test(arguments: places)
  func `Places in UTM are those of PROJ`(
    place: (zone: Int, x: Double, y: Double, longitude: Double, latitude: Double)
  ) {
    let found = TransverseMercator.utm(zone: place.zone, Coordinate(x: place.x, y: place.y))
    #expect((found.x - place.longitude).magnitude < 2e-8)
    #expect((found.y - place.latitude).magnitude < 2e-8)
  }

  @Test func `Places in Web Mercator are those of PROJ`() {
    let found = WebMercator.degrees(Coordinate(x: 1_112_000, y: 7_085_000))
    #expect((found.x - 9.989265959).magnitude < 1e-8)
    #expect((found.y - 53.547928279).magnitude < 1e-8)
  }

  private func points(_ places: [(Double, Double)]) -> String {
    Checking.collection(
      places.map {
        Checking.feature("{\"type\": \"Point\", \"coordinates\": [\($0.0), \($0.1)]}")
      })
  }

  @Test func `Metres are told with the systems that they fit`() throws {
    let web = try Checking.check(points([(1_112_000, 7_085_000), (1_113_000, 7_086_000)]))
    #expect(web.findings.map(\.code) == [.otherSystem])
    #expect(web.findings[0].message.contains("Web Mercator (EPSG:3857), near 9.99 E 53.55 N"))
    let zone = try Checking.check(points([(32_565_811, 5_934_000)]))
    #expect(zone.findings.map(\.code) == [.otherSystem])
    #expect(
      zone.findings[0].message.hasSuffix(
        "UTM zone 32 north (EPSG:32632) with the zone before the easting, near 9.99 E 53.55 N"))
  }

  @Test func `One position out of range is a fault of that position`() throws {
    let found = try Checking.check(points([(10, 50), (11, 51), (100, 95), (12, 52)]))
    #expect(found.findings.map(\.code) == [.beyondRange])
    #expect(found.findings[0].path == "$.features[2].geometry.coordinates")
    #expect(found.findings[0].position == Coordinate(x: 100, y: 95))
  }

  @Test func `A file that names its system is not measured in degrees`() throws {
    let text = points([(565_811, 5_934_000)]).replacing(
      "\"features\"",
      with:
        "\"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"EPSG:25832\"}}, \"features\"")
    #expect(try Checking.check(text).findings.map(\.code) == [.systemMember])
  }

  @Test func `Digits behind a run of zeros or nines are noise, random digits are none`() throws {
    func code(_ numbers: [String]) throws -> [FaultCode] {
      let places = numbers.map { "[\($0), 1]" }.joined(separator: ", ")
      return try Checking.check("{\"type\": \"MultiPoint\", \"coordinates\": [\(places)]}")
        .findings.map(\.code)
    }
    #expect(try code(["10.300000000000001"]) == [.roundingNoise])
    #expect(try code(["10.29999999999999"]) == [.roundingNoise])
    #expect(try code(["10.123456789", "11.987654321", "12.111222333"]) == [.roundingNoise])
    #expect(try code(["10.12345678912345", "11.9876543219876", "12.5"]) == [.manyDecimals])
    #expect(try code(["10.1234567", "11", "12.5"]) == [])
  }
}

/// Conflicts of documents that nobody has decided.
@Suite struct ConflictCheckTests {
  @Test func `an open conflict of a document is found`() throws {
    var document = Document()
    let layer = document.makeID()
    document.layers = [
      FeatureLayer(
        id: LayerID(layer), name: "a", style: .standard(forDimension: 0, index: 0))
    ]
    document.conflicts = [
      Conflict(.name, layer: LayerID(layer), base: "b", theirs: "c"),
      // Its layer is gone: decided.
      Conflict(.name, layer: LayerID(99), base: "b", theirs: "c"),
    ]
    let found = try DocumentCheck.check(document, DocumentCheck.Options()).findings.map(\.code)
    #expect(found == [.openConflict])
  }

  @Test func `a conflict that a merge of files left in a feature is found`() throws {
    let point = #""properties":{},"geometry":{"type":"Point","coordinates":[1,2]}"#
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature",\#(point)},"#
      + #"{"type":"Feature",\#(point),"portolan:conflict":{"base":null,"theirs":{}}}]}"#
    let result = try GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "a")
    ) { _ in }
    let layer = try #require(result.layers.first as? FeatureLayer)
    var document = Document()
    document.layers = [layer]
    let found = try DocumentCheck.check(document, DocumentCheck.Options()).findings
    #expect(found.map(\.code) == [.openConflict])
    #expect(found.map(\.path) == ["a, feature \(layer.blocks[0].featureIDs[1].rawValue)"])
  }
}
