import Foundation
import PortolanChecking
import PortolanTestSupport
import Testing

/// Files that others have labelled as good or bad, and more of their kind.
@Suite struct LabelledFileTests {
  static let folder = "corpus/maps/check"
  static let names: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: Shared.path(folder)))?.sorted() ?? []

  @Test(.enabled(if: Shared.exists(folder), "the labelled files are not here"))
  func `Good files have no fault, bad ones have one`() throws {
    #expect(Self.names.count > 50)
    for name in Self.names {
      let found = try Checking.codes(Shared.bytes("\(Self.folder)/\(name)"), least: .warning)
      #expect(found.isEmpty == name.contains("good"), "\(name): \(found)")
    }
  }

  static let sound = [
    "{\"type\": \"MultiPoint\", \"coordinates\": []}",
    "{\"type\": \"FeatureCollection\", \"features\": []}",
    "{\"type\": \"GeometryCollection\", \"geometries\": []}",
    "{\"type\": \"Point\", \"coordinates\": [-180, 90], \"bbox\": [-180, 90, -180, 90]}",
    "{\"type\": \"Point\", \"coordinates\": [1e1, 5.0E-1], \"title\": {\"a\": [1, {}, null]}}",
    "{\"type\": \"Feature\", \"id\": 1.5, \"geometry\": null, \"properties\": {\"bbox\": 1}}",
    "{\"type\": \"Feature\", \"geometry\": null, \"properties\": {\"type\": 1, \"id\": [], "
      + "\"coordinates\": \"x\", \"geometry\": 2}}",
    "{\"bbox\": [177, -20, -178, -16], \"type\": \"MultiPoint\", \"coordinates\": [[178, -17], "
      + "[-179, -19]]}",
    "{\"coordinates\": [[[0, 0], [4, 0], [4, 4], [0, 0]]], \"type\": \"Polygon\"}",
    "{\"type\": \"Polygon\", \"coordinates\": [[[-180, -90], [180, -90], [180, 90], [-180, 90], "
      + "[-180, -90]]]}",
    "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], "
      + "[[2, 2], [2, 7], [7, 7], [7, 2], [2, 2]]], [[[3, 3], [6, 3], [6, 6], [3, 6], [3, 3]]], "
      + "[[[9, 9], [12, 9], [12, 12], [9, 9]]]]}",
    "{\"type\": \"Polygon\", \"coordinates\": [[[-100, -40], [120, -40], [120, 40], [-100, 40], "
      + "[-100, -40]]]}",
    "{\"type\": \"Polygon\", \"coordinates\": [[[-179.99, -85], [179.99, -85], [179.99, 85], "
      + "[-179.99, 85], [-179.99, -85]]]}",
    "{\"type\": \"Polygon\", \"coordinates\": [[[-180, -90], [180, -90], [180, -78], [60, -70], "
      + "[0, -72], [-60, -65], [-180, -78], [-180, -90]]]}",
    "{\"type\": \"LineString\", \"coordinates\": [[-180, 5], [180, 5]]}",
    "{\"type\": \"LineString\", \"coordinates\": [[-120, 5], [150, 5]]}",
    "{\"features\": [{\"geometry\": null, \"properties\": null, \"type\": \"Feature\"}], "
      + "\"type\": \"FeatureCollection\", \"name\": \"\\u00e9\\ud83d\\ude00\"}",
  ]

  @Test(arguments: sound) func `A sound text has no fault`(text: String) throws {
    #expect(try Checking.codes(Array(text.utf8), least: .warning) == [])
  }

  static let faulty: [(String, [String])] = [
    ("[]", ["G101"]), ("\"x\"", ["G101"]), ("1", ["G101"]), ("", ["J109"]), (" \n", ["J109"]),
    ("{", ["J102"]), ("{]", ["J101"]), ("{\"type\"}", ["J101"]), ("nul", ["G101", "J101"]),
    ("{\"type\": null}", ["G106"]),
    ("{\"type\": \"Point\", \"coordinates\": null}", ["G106"]),
    ("{\"type\": \"Point\", \"coordinates\": {}}", ["G106"]),
    ("{\"type\": \"Point\", \"coordinates\": []}", ["G202"]),
    ("{\"type\": \"Point\", \"coordinates\": [[1, 2]]}", ["G201"]),
    ("{\"type\": \"Point\", \"coordinates\": [null, null]}", ["G204", "G204"]),
    ("{\"type\": \"Point\", \"coordinates\": [{\"x\": 1}, 2]}", ["G201"]),
    ("{\"type\": \"LineString\", \"coordinates\": [[1, 2], 3]}", ["G201"]),
    ("{\"type\": \"LineString\", \"coordinates\": [[1, 2], [[3, 4]]]}", ["G201"]),
    ("{\"type\": \"LineString\", \"coordinates\": [[1, 2], []]}", ["G202"]),
    ("{\"type\": \"LineString\", \"coordinates\": []}", ["G205"]),
    ("{\"type\": \"MultiLineString\", \"coordinates\": [[[1, 2], [2, 3]], []]}", ["G205"]),
    ("{\"type\": \"Polygon\", \"coordinates\": [[]]}", ["G206"]),
    ("{\"type\": \"MultiPolygon\", \"coordinates\": [[[[0, 0], [1, 0], [1, 1]]]]}", ["G207"]),
    ("{\"type\": \"GeometryCollection\", \"geometries\": {}}", ["G106"]),
    ("{\"type\": \"GeometryCollection\"}", ["G105"]),
    ("{\"type\": \"GeometryCollection\", \"geometries\": [{}, {}]}", ["G102", "G102"]),
    ("{\"type\": \"Feature\"}", ["G105", "G105"]),
    ("{\"type\": \"Feature\", \"geometry\": [], \"properties\": {}}", ["G106"]),
    ("{\"type\": \"Feature\", \"geometry\": {}, \"properties\": {}}", ["G102"]),
    (
      "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Feature\", \"geometry\": null, "
        + "\"properties\": null}, \"properties\": {}}", ["G103"]
    ),
    ("{\"type\": \"Feature\", \"id\": true, \"geometry\": null, \"properties\": {}}", ["G107"]),
    ("{\"type\": \"Feature\", \"id\": null, \"geometry\": null, \"properties\": {}}", ["G107"]),
    (
      "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Point\", \"coordinates\": "
        + "[1, 2]}]}", ["G103"]
    ),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2], \"bbox\": []}", ["G401"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2], \"bbox\": null}", ["G401"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2], \"bbox\": [1, 2, 3, 4, 5]}", ["G401"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2, 3], \"bbox\": [1, 2, 9, 1, 2, 4]}", ["G402"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2, 3], \"bbox\": [1, 2, 4, 1, 2, 9]}", ["G403"]),
    ("{\"type\": \"Point\", \"coordinates\": [01, 2]}", ["J101"]),
    ("{\"type\": \"Point\", \"coordinates\": [+1, .5]}", ["J101", "J101"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, 1e999]}", ["J107"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, NaN]}", ["J107"]),
    ("{'type': 'Point'}", ["J101"]),
    ("{\"type\": \"Point\", \"coordinates\": [1e308, -1e308]}", ["G301"]),
    ("{\"type\": \"LineString\", \"coordinates\": [[179, 0], [-179, 1]]}", ["G308"]),
    (
      "{\"type\": \"MultiLineString\", \"coordinates\": [[[0, 0], [1, 1]], [[-170, 0], [-175, 0], "
        + "[175, 1]]]}", ["G308"]
    ),
    // A box across 180 degrees, or a wide one: clockwise, counter-clockwise, with a hole.
    (
      "{\"type\": \"Polygon\", \"coordinates\": [[[170, 50], [170, 60], [-170, 60], [-170, 50], "
        + "[170, 50]]]}", ["G308"]
    ),
    (
      "{\"type\": \"Polygon\", \"coordinates\": [[[170, 50], [-170, 50], [-170, 60], [170, 60], "
        + "[170, 50]]]}", ["G308"]
    ),
    (
      "{\"type\": \"Polygon\", \"coordinates\": [[[-170, 50], [170, 50], [170, 60], [-170, 60], "
        + "[-170, 50]], [[0, 52], [0, 55], [5, 55], [5, 52], [0, 52]]]}", ["G308"]
    ),
    // No box, with level edges: it is a narrow ring that winds wrongly.
    (
      "{\"type\": \"Polygon\", \"coordinates\": [[[170, 50], [165, 55], [170, 60], [-170, 60], "
        + "[-165, 55], [-170, 50], [170, 50]]]}", ["G208", "G308"]
    ),
    (
      "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]], "
        + "[[[2, 2], [3, 2], [3, 3], [2, 2]]]]}", ["G221"]
    ),
    ("// a map\n{}", ["J101"]),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2]} x", ["J113"]),
    (
      "{\"type\": \"Point\", \"coordinates\": [1, 2], \"crs\": {\"type\": \"name\", "
        + "\"properties\": {\"name\": \"EPSG:25832\"}}}", ["G110"]
    ),
    (
      "{\"type\": \"Feature\", \"geometry\": null, \"properties\": {\"a\": 1, \"b\": 2, \"a\": 1}}",
      ["J103"]
    ),
    (
      "{\"type\": \"Feature\", \"geometry\": null, \"properties\": {\"a\": {\"b\": 1, \"b\": 2}}}",
      ["J103"]
    ),
    (
      "{\"type\": \"Feature\", \"geometry\": null, \"properties\": {\"a\": 1, \"\\u0061\": 1}}",
      ["J103"]
    ),
    (
      "{\"type\": \"Feature\", \"geometry\": null, \"typ\\u0065\": \"Feature\", \"properties\": null}",
      ["J103"]
    ),
  ]

  @Test(arguments: faulty) func `A faulty text has its faults`(text: String, codes: [String]) throws
  {
    let found = try Checking.check(text).findings.filter { $0.severity > .note }
    #expect(found.map(\.code.rawValue) == codes, "\(text)")
  }

  @Test func `A broken line does not hold up the others`() throws {
    let good = Checking.feature("{\"type\": \"Point\", \"coordinates\": [1, 2]}")
    let lines = [good, "{\"type\": \"Feature\", ", good, "{\"type\": \"Pont\"}", good, ""]
    let found = try Checking.check(lines.joined(separator: "\n"), isOfLines: true)
    #expect(found.findings.map(\.code.rawValue) == ["J102", "G103"])
    #expect(found.findings.map(\.place?.line) == [2, 4])
    #expect(found.featureCount == 3)
  }

  @Test func `Ids are compared over lines, as numbers and as texts`() throws {
    let lines = ["1", "\"1\"", "2", "1"].map {
      "{\"type\": \"Feature\", \"id\": \($0), \"properties\": null, \"geometry\": null}"
    }
    let found = try Checking.check(lines.joined(separator: "\n"), isOfLines: true)
    #expect(found.findings.map(\.code) == [.duplicateIdentifier])
    #expect(found.findings.first?.place?.line == 4)
  }

  @Test func `A code is kept a thousand times, and then counted`() throws {
    let feature = "{\"type\": \"Feature\", \"properties\": null}"
    let found = try Checking.check(
      Checking.collection(Array(repeating: feature, count: 1_500)))
    #expect(found.findings.count == FindingList.keptMax)
    #expect(found.dropped == [.memberMissing: 500])
  }
}
