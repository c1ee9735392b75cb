import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Texts, names and numbers that formats of GDAL do not hold harm no others, and are told.
@Suite(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
struct BridgeTextTests {
  private typealias Attributes = [(String, AttributeValue)]

  private func export(
    _ features: [Attributes], as name: String, _ geometry: Geometry = .point(Coordinate(x: 1, y: 2))
  ) throws -> (values: [[String: AttributeValue]], report: ExportReport) {
    var layer = FeatureLayer(
      id: LayerID(1), name: "towns", style: Style(name: "x", mark: MarkStyle()))
    for attributes in features { _ = layer.add(geometry: geometry, attributes: attributes) }
    let writer = try #require(FileFormats.exporters.first { $0.name == name })
    var bytes: [UInt8] = []
    let report = try writer.write([layer], options: ExportOptions()) { bytes += $0 }
    let reader = try #require(BridgedReader.all.first { $0.name == name })
    let result = try reader.read(bytes, options: ImportOptions(name: "file")) { _ in }
    let values = result.layers.compactMap { $0 as? FeatureLayer }.flatMap(\.blocks).flatMap {
      block in
      (0..<block.rowCount).map { row in
        Dictionary(block.attributes.map { ($0.name, $0.value(row)) }) { first, _ in first }
      }
    }
    return (values, report)
  }

  /// Signs that mean something to one of the formats, and pieces of them.
  private static let signs = [
    "\"", "\\", "|", "@", "#", "\n", "\r", "\t", " ", "'", "/", "<", ">", "&", ";", ":", ",", "=",
    "\u{B}", "\u{C}", "\u{1}", "a", "é", "# @D", "NaN", "]]>", "1",
  ]

  private static func text(_ random: inout SeededGenerator, _ count: ClosedRange<Int>) -> String {
    (0..<Int.random(in: count, using: &random))
      .compactMap { _ in signs.randomElement(using: &random) }.joined()
  }

  @Test(arguments: ["gmt", "gpx", "gml", "jml", "shapezip"])
  func `No text and no name of an attribute harms the others`(_ name: String) throws {
    for seed in Seeds.some(6) {
      var random = SeededGenerator(seed: seed)
      let names = (0..<4).map { "n\($0)" + Self.text(&random, 0...2) }
      let features = (0..<20).map { number -> Attributes in
        let odd: AttributeValue =
          number % 5 == 4 ? .json("[\"a\",\(number)]") : .string(Self.text(&random, 0...5))
        return [("before", .string("b\(number)x"))]
          + names.map { ($0, .string("x\($0.prefix(2))")) } + [("odd", odd)]
          + [("behind", .string("e\(number)x")), ("number", .number("\(number)"))]
      }
      let (values, report) = try export(features, as: name)
      #expect(values.count == features.count, "seed \(seed)")
      for (number, found) in values.enumerated() {
        let texts = Set(found.values.map(\.text))
        let wanted = ["b\(number)x", "e\(number)x", "\(number)", "xn0", "xn1", "xn2", "xn3"]
        #expect(texts.isSuperset(of: wanted), "seed \(seed): \(names) \(found) \(report.notes)")
      }
    }
  }

  @Test func `Quotes of GMT become others, told with their number`() throws {
    let texts = ["say \"x\"", "\"", "back\\slash", "end \\", "plain", "a|b @D #"]
    let (values, report) = try export(
      texts.map { [("text", .string($0)), ("behind", .string("end"))] }, as: "gmt")
    #expect(
      values.map { $0["text"]?.text } == [
        "say 'x'", "'", "back/slash", "end /", "plain", "a|b @D #",
      ])
    #expect(values.allSatisfy { $0["behind"] == .string("end") })
    #expect(
      report.notes == [
        "4 texts have signs that GMT vectors does not hold: \" becomes ', \\ becomes /"
      ])
    let named = try export([[("a b|c", .string("x")), ("d\"e", .string("y"))]], as: "gmt")
    #expect(named.values == [["a b|c": .string("x"), "d'e": .string("y")]])
    #expect(
      named.report.notes == [
        "layer towns: 1 attribute has a name that GMT vectors does not hold: d\"e → d'e"
      ])
  }

  @Test(arguments: ["gpx", "gml"])
  func `Names of attributes are names of elements, each its own`(_ name: String) throws {
    // The last name has the same letter as another, in other bytes.
    let names = ["a b", "a_b", "a/b", "<", "é", "1st", "e\u{301}"]
    let (values, report) = try export([names.map { ($0, .string("of \($0)")) }], as: name)
    let prefix = name == "gpx" ? "ogr_" : ""
    let first = name == "gpx" ? "1st" : "_1st"
    let wanted = ["a_b_2", "a_b", "a_b_3", "_", "é", first, "e_"]
    for (own, other) in zip(names, wanted) {
      #expect(values.first?[prefix + other] == .string("of \(own)"), "\(values)")
    }
    let count = name == "gpx" ? 4 : 5
    #expect(
      report.notes.contains { $0.hasPrefix("layer towns: \(count) attributes have a name that") },
      "\(report.notes)")
  }

  @Test(arguments: ["gpx", "jml", "gmt", "kml", "gml", "shapezip"])
  func `Whole numbers beyond 32 bits are told where a format has no type for them`(
    _ name: String
  ) throws {
    let long: AttributeValue = .number("3000000000")
    let (values, report) = try export(
      [[("n", long), ("m", .number("5"))], [("n", .number("1")), ("m", .number("6"))]], as: name)
    let words = "layer towns: 1 column has whole numbers beyond 32 bits, which "
    let isText = ["jml", "gmt", "kml"].contains(name)
    let told = name == "gpx" ? "GDAL reads from GPX as other numbers" : isText ? "become text" : nil
    #expect(report.notes == (told.map { [words + $0] } ?? []))
    if name != "gpx" { #expect(values.first?["n"]?.text == "3000000000") }
    #expect(values.last?[name == "gpx" ? "ogr_m" : "m"] == .number("6"))
  }

  @Test func `Kinds of shapes that a format does not hold are refused in our words`() throws {
    let points = [Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4), Coordinate(x: 5, y: 1)]
    func shape(_ kind: GeometryKind) -> Geometry {
      let role = PathRole(kind: kind, beginsMember: true, beginsPolygon: kind.dimension == 2)
      return Geometry(kind: kind, paths: [Geometry.Path(role: role, vertices: points)])
    }
    for (name, kind) in [
      ("gpx", GeometryKind.polygon), ("gpx", .multiPoint), ("dxf", .multiPoint),
    ] {
      let error = #expect(throws: ToolError.self) {
        _ = try export([[("n", .number("1"))]], as: name, shape(kind))
      }
      let words = error?.description ?? ""
      #expect(words.contains("and towns has \(kind.name ?? ""): choose"), "\(words)")
      #expect(!words.contains("ogr2ogr refuses it"))
    }
    var mixed = FeatureLayer(
      id: LayerID(1), name: "towns", style: Style(name: "x", mark: MarkStyle()))
    for kind in [GeometryKind.point, .lineString] {
      let geometry = kind == .point ? .point(points[0]) : shape(kind)
      _ = mixed.add(geometry: geometry, attributes: [])
    }
    for name in ["gpx", "shapezip"] {
      let writer = try #require(FileFormats.exporters.first { $0.name == name })
      let error = #expect(throws: ToolError.self) {
        try writer.write([mixed], options: ExportOptions()) { _ in }
      }
      #expect(error?.description.contains("and towns has Point and LineString: choose") == true)
    }
    let zip = try #require(FileFormats.exporters.first { $0.name == "shapezip" })
    let two = #expect(throws: ToolError.self) {
      try zip.write([mixed, mixed], options: ExportOptions()) { _ in }
    }
    #expect(two?.description.contains("holds one layer, and these are 2") == true)
  }
}
