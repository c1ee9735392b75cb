import Foundation
import PortolanExpressions
import PortolanTestSupport
import Testing

@Suite struct PatternLawTests {
  /// The environment variable PORTOLAN_PYTHON names a Python 3.
  static let python = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"]

  /// Prints where each pattern stands in its text, as in `PatternCases`.
  static let script = #"""
    import re, sys
    for line in sys.stdin.buffer.read().decode().split("\n"):
        pattern, text = line.split("\t")
        text = text.replace("␤", "\n")
        m = re.search(pattern.replace("$", r"\Z"), text)
        at = lambda n: len(text[:n].encode())
        print(line + "\t" + (f"{at(m.start())} {at(m.end())}" if m else "-"))
    """#

  @Test(.enabled(if: python != nil, "PORTOLAN_PYTHON names no Python"))
  // A text has a character at least: for an empty one some Pythons deny `\B`.
  func `Random patterns stand in random texts where Python finds them`() throws {
    let count = 1_000
    let lines = Seeds.some(count).map { seed -> String in
      var random = SeededGenerator(seed: seed)
      return "\(Self.pattern(depth: 3, &random))\t\(Self.text(&random))"
    }
    let output = try run(lines.joined(separator: "\n"))
    #expect(output.count == lines.count)
    for line in output {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 3)
      let range = try firstMatch(cells[0], in: cells[1].replacing("␤", with: "\n"))
      // Python leaves some repeats of groups early, after an empty turn.
      let isRepeated = cells[0].contains(/\)[*+?{]/)
      let found = range.map {
        isRepeated ? "\($0.lowerBound)" : "\($0.lowerBound) \($0.upperBound)"
      }
      #expect(
        found ?? "-" == (isRepeated ? String(cells[2].prefix { $0 != " " }) : cells[2]), "\(line)")
    }
  }

  static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
    let alternatives = (0..<[1, 1, 1, 2, 3].randomElement(using: &random)!).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in part(depth: depth, &random) }.joined()
    }
    return alternatives.joined(separator: "|")
  }

  private static func part(depth: Int, _ random: inout SeededGenerator) -> String {
    let atoms = [
      "a", "b", "é", "日", "😀", ".", "[ab]", "[^a]", "[é-日]", #"\d"#, #"\w"#, #"\s"#, #"\W"#, "-",
      #"\S"#, #"\D"#, #"[\d-]"#, #"[^\wé]"#,
    ]
    let assertions = ["^", "$", #"\b"#, #"\B"#]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return assertions.randomElement(using: &random) ?? ""
    case 1...2 where depth > 0:
      let group = ["(", "(?:"].randomElement(using: &random) ?? ""
      return group + pattern(depth: depth - 1, &random) + ")" + repeats(&random)
    default: return (atoms.randomElement(using: &random) ?? "") + repeats(&random)
    }
  }

  private static func repeats(_ random: inout SeededGenerator) -> String {
    let some = [
      "", "", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{,1}", "*?", "+?", "??", "{1,2}?",
    ]
    return some.randomElement(using: &random) ?? ""
  }

  static func text(_ random: inout SeededGenerator) -> String {
    let characters = ["a", "a", "b", "é", "日", "😀", "1", " ", "-", "_", "␤"]
    return (0..<Int.random(in: 1...12, using: &random)).map { _ in
      characters.randomElement(using: &random) ?? ""
    }.joined()
  }

  private func run(_ input: String) throws -> [Substring] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "portolan-patterns-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(input.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = ["-X", "utf8", "-c", Self.script]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
  }
}
