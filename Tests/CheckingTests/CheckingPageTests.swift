import Foundation
import PortolanChecking
import PortolanTestSupport
import Testing

/// The page on checking has each code with an example that holds.
@Suite struct CheckingPageTests {
  struct Section: CustomTestStringConvertible, Sendable {
    var code: String
    var title: String
    var words: String
    /// The options of the example, if it needs some.
    var options = ""
    var example: [UInt8]?
    var repaired: [UInt8]?
    var testDescription: String { code }
  }

  /// The sections `### CODE title`, each with its blocks.
  static func sections() throws -> [Section] {
    let url = Shared.package.appendingPathComponent("Docs/checking.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.components(separatedBy: "\n### ").dropFirst().map { part in
      let lines = part.components(separatedBy: "\n")
      let heading = lines[0].split(separator: " ", maxSplits: 1).map(String.init)
      var section = Section(
        code: heading[0], title: heading.count > 1 ? heading[1] : "",
        words: lines.dropFirst().first { !$0.isEmpty } ?? "")
      if let line = lines.first(where: { $0.hasPrefix("With `") }) {
        section.options = String(line.dropFirst(6).prefix { $0 != "`" })
      }
      let blocks = part.components(separatedBy: "```json\n").dropFirst().map {
        bytes($0.components(separatedBy: "\n```")[0])
      }
      section.example = blocks.first
      section.repaired = blocks.dropFirst().first
      if part.contains("A file without a byte.") { section.example = [] }
      return section
    }
  }

  /// The bytes of an example, in which `<F6>` is a byte.
  static func bytes(_ text: String) -> [UInt8] {
    let text = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "<"), index + 3 < text.count,
        text[index + 3] == UInt8(ascii: ">"),
        let byte = UInt8(String(decoding: text[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index += 4
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }

  @Test func `Each code has a section with its words`() throws {
    let sections = try Self.sections()
    #expect(sections.map(\.code) == FaultCode.allCases.map(\.rawValue).sorted(by: Self.isBefore))
    for section in sections {
      let code = try #require(FaultCode(rawValue: section.code))
      #expect(section.title == code.title)
      #expect(section.words.lowercased().hasPrefix(code.severity.word), "\(section.code)")
      #expect(section.words.contains("repaired by `--fix`") == code.isFixable, "\(section.code)")
      #expect(section.words.lowercased().contains(code.hint.lowercased()), "\(section.code)")
    }
  }

  /// The groups stand in the order of the list.
  private static func isBefore(_ left: String, _ right: String) -> Bool {
    let all = FaultCode.allCases.map(\.rawValue)
    return (all.firstIndex(of: left) ?? 0) < (all.firstIndex(of: right) ?? 0)
  }

  /// Those that no short text has: they are tested apart.
  static let without = ["J108", "G220", "T701"]

  @Test(arguments: try sections().filter { !without.contains($0.code) })
  func `An example has its fault, and its repair none`(_ section: Section) throws {
    let example = try #require(section.example)
    if section.options.isEmpty {
      let found = try Checking.check(example).findings
      #expect(found.contains { $0.code.rawValue == section.code }, "\(found)")
      for finding in found {
        let place = try #require(finding.place)
        #expect(place.line >= 1 && place.column >= 1)
      }
    } else {
      #expect(try questioned(example, section.options).contains(section.code))
    }
    guard let code = FaultCode(rawValue: section.code), code.isFixable else { return }
    let wanted = try #require(section.repaired)
    let repaired = try Checking.repaired(example)
    #expect(
      String(decoding: repaired.bytes, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
    #expect(repaired.repairs.contains { $0.code == code })
    #expect(repaired.rest.list.findings.allSatisfy { $0.severity == .note })
  }

  /// The codes of an example that is asked for more than its form.
  private func questioned(_ example: [UInt8], _ options: String) throws -> [String] {
    let layer = try Checking.layer(String(decoding: example, as: UTF8.self))
    let words = options.split(separator: " ", maxSplits: 1).map(String.init)
    switch words[0] {
    case "--expect":
      let text = words[1].trimmingCharacters(in: ["'"])
      return try ExpectationCheck.features(of: layer, expecting: text, isGeographic: true)
        .map(\.code.rawValue)
    case "--unique":
      return ExpectationCheck.features(of: layer, withoutUnique: words[1]).map(\.code.rawValue)
    default:
      return try CoverageCheck.check(layer, isGeographic: true).map(\.code.rawValue)
    }
  }

  @Test func `Values that are nested too deeply are told, and end the check`() throws {
    let deep = String(repeating: "[", count: 5_000)
    #expect(try Checking.codes("{\"type\": \"Point\", \"coordinates\": \(deep)") == ["J108"])
    let objects = String(repeating: "{\"type\": \"Feature\", \"geometry\": ", count: 3_000)
    #expect(try Checking.codes(objects).contains("J108"))
    #expect(try Checking.codes("{\"properties\": {\"a\": \(deep)") == ["J108"])
  }

  @Test func `A polygon of too many long edges is told as such`() throws {
    // A comb of slanted teeth: all edges are near all others.
    let count = 6_000
    var ring: [(Double, Double)] = []
    for tooth in 0..<count {
      let part = Double(tooth) / Double(count) * 1e-3
      ring.append((part, 0))
      ring.append((50 + part, 50 - part))
    }
    ring += [(60, -10), (-1, -10), (0, 0)]
    let found = try Checking.check(Checking.polygon([ring])).findings.map(\.code)
    #expect(found.contains(.intricate) && !found.contains(.crossing))
  }
}
