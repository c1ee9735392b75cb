import Foundation
import PortolanChecking
import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

/// Reports, baselines, choices of codes, and documents.
@Suite struct ReportTests {
  static let text = Checking.collection([
    Checking.feature("{\"type\": \"Point\", \"coordinates\": [1, \"2\"]}"),
    Checking.feature("{\"type\": \"Point\", \"coordinates\": [1, 2]}"),
    Checking.feature(
      "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [0, 4], [4, 4], [0, 0]]]}"),
  ])

  @Test func `A report for people has places, codes and hints`() throws {
    let list = try Checking.check(Self.text)
    let report = CheckReport([CheckedFile(name: "a.geojson", list: list)], least: .warning)
    #expect(
      report.lines == [
        "a.geojson:2:90: error G204: a string where a number should be",
        "    $.features[0].geometry.coordinates[1]: write a number without quotes (--fix does)",
        "a.geojson:4:89: warning G208: the outer ring winds clockwise",
        "    $.features[2].geometry.coordinates[0]: outer rings go counter-clockwise, holes "
          + "clockwise (--fix does)",
      ])
    #expect(report.summary == "1 error, 1 warning; --fix repairs 2")
    let errors = CheckReport(report.files, least: .error)
    #expect(errors.lines.count == 2)
  }

  @Test func `A report for programs is JSON whatever the texts are`() throws {
    var list = try Checking.check(Self.text)
    list.findings[0].message = "a \"quote\"\n\u{1B}[31m"
    let report = CheckReport([CheckedFile(name: "a\"b\\c.geojson", list: list)], least: .warning)
    let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
    let findings = try #require(object?["findings"] as? [[String: Any]])
    #expect(findings.count == 2)
    #expect(findings[0]["message"] as? String == "a \"quote\"\n\u{1B}[31m")
    #expect(findings[1]["line"] as? Int == 4)
    #expect(object?["errors"] as? Int == 1)
  }

  @Test func `A report for GitHub is a line a finding, whatever the texts are`() throws {
    var list = try Checking.check(Self.text)
    list.findings[0].message = "50%\nof::it"
    let report = CheckReport([CheckedFile(name: "a,b:c%.geojson", list: list)], least: .error)
    #expect(
      report.github == [
        "::error file=a%2Cb%3Ac%25.geojson,line=2,col=90,title=G204::50%25%0Aof::it "
          + "($.features[0].geometry.coordinates[1]): write a number without quotes"
      ])
  }

  @Test func `Codes are chosen by their beginnings`() throws {
    var options = CheckOptions()
    options.choice = CodeChoice(selected: ["G2"], ignored: ["G208"])
    let found = try MapText(Array(Self.text.utf8)).check(options).list.findings
    #expect(found.map(\.code) == [.notANumber])
    #expect(CodeChoice.unknown(["G2", "X1"]) == "X1")
    #expect(CodeChoice.unknown(["J101", "G"]) == nil)
  }

  @Test func `A baseline hides what it knows, until the feature is edited`() throws {
    let bytes = Array(Self.text.utf8)
    let found = try Checking.check(bytes).findings
    var written = Baseline()
    written.add(found, in: bytes, name: "a.geojson")
    var known = try Baseline(Array(written.text.utf8))
    #expect(known.new(found, in: bytes) == [])
    // Each line hides one finding.
    #expect(known.new(found, in: bytes).count == 2)

    // The features change places, and the winding is that of another ring.
    let moved = Checking.collection([
      Checking.feature(
        "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [0, 5], [4, 4], [0, 0]]]}"),
      Checking.feature("{\"type\": \"Point\", \"coordinates\": [1, \"2\"]}"),
    ])
    known = try Baseline(Array(written.text.utf8))
    let new = known.new(try Checking.check(moved).findings, in: Array(moved.utf8))
    #expect(new.map(\.code) == [.winding])
  }

  @Test(arguments: ["G204", "G204 12", "X999 0123456789abcdef", "hello"])
  func `A line that is none of a baseline is told`(line: String) {
    #expect(throws: BaselineError(line: 2)) { try Baseline(Array("# x\n\(line)\n".utf8)) }
  }

  @Test(arguments: Seeds.some(40))
  func `A document has the faults of rings that its text has`(seed: UInt64) throws {
    var map = RandomMap(seed: seed, count: 6)
    for index in map.features.indices {
      var parts = map.sound(index, kind: "Polygon")
      switch Int.random(in: 0..<4, using: &map.generator) {
      case 0: parts.rings[0].swapAt(1, 3)
      case 1: parts.rings[0].reverse()
      case 2: parts.rings[0].insert(parts.rings[0][2], at: 2)
      default: break
      }
      map.features[index] = parts.text
    }
    let wanted = try Checking.check(map.text).findings.map(\.code)
    let document = try Checking.document(map.text)
    let found = try DocumentCheck.check(document, DocumentCheck.Options()).findings
    #expect(
      found.map(\.code.rawValue).sorted() == wanted.map(\.rawValue).sorted(), "seed \(seed)")
    for finding in found {
      let feature = try #require(finding.feature)
      #expect(document[layer: feature.layer] != nil && feature.feature.rawValue <= 6)
      #expect(finding.position != nil)
    }
  }

  @Test func `A document has its faults of ids, columns and ranges`() throws {
    let text = Checking.collection([
      "{\"type\": \"Feature\", \"id\": 1, \"properties\": {\"a\": 1}, \"geometry\": "
        + "{\"type\": \"Point\", \"coordinates\": [-33.8, 151.2]}}",
      "{\"type\": \"Feature\", \"id\": 1, \"properties\": {\"a\": \"x\"}, \"geometry\": "
        + "{\"type\": \"Point\", \"coordinates\": [10, 50]}}",
      "{\"type\": \"Feature\", \"id\": 2, \"properties\": {\"a\": 3}, \"geometry\": null}",
    ])
    let found = try DocumentCheck.check(Checking.document(text), DocumentCheck.Options()).findings
    #expect(found.map(\.code) == [.duplicateIdentifier, .mixedColumn, .swappedAxes])
    #expect(found.map(\.feature?.feature.rawValue) == [2, 2, 1])
  }

  @Test func `Expectations and keys are asked of each feature`() throws {
    let layer = try Checking.layer(
      Checking.collection(
        ["1", "2", "null", "2"].map { Checking.feature("null", "{\"a\": \($0)}") }))
    let odd = try ExpectationCheck.features(of: layer, expecting: "a > 1", isGeographic: true)
    #expect(odd.map(\.feature?.feature.rawValue) == [1, 3])
    let twice = ExpectationCheck.features(of: layer, withoutUnique: "a")
    #expect(twice.map(\.feature?.feature.rawValue) == [3, 4])
    #expect(throws: (any Error).self) {
      try ExpectationCheck.features(of: layer, expecting: "b > 1", isGeographic: true)
    }
  }
}
