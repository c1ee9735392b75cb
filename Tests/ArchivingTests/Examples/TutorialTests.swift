import Foundation
import Testing

/// The Swift code of the tutorial is that of the examples, which are compiled and tested.
@Suite struct TutorialTests {
  private let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private var page: URL {
    examples.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Docs/tutorial-archiving.md")
  }

  private func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The regions from `// snippet: name` to `// end` of all examples, moved to the left.
  private func snippets() throws -> [String: [String]] {
    var snippets: [String: [String]] = [:]
    let files = try FileManager.default.contentsOfDirectory(
      at: examples, includingPropertiesForKeys: nil)
    for file in files where file.lastPathComponent.hasSuffix("Example.swift") {
      var open: (name: String, indent: Int, lines: [String])?
      for line in try lines(of: file) {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("// snippet: ") {
          #expect(open == nil, "\(file.lastPathComponent): a snippet in another: \(text)")
          open = (String(text.dropFirst(12)), line.prefix { $0 == " " }.count, [])
        } else if text == "// end", let snippet = open {
          #expect(snippets[snippet.name] == nil, "\(snippet.name) is there twice")
          snippets[snippet.name] = snippet.lines
          open = nil
        } else if let snippet = open {
          #expect(line.prefix(snippet.indent).allSatisfy { $0 == " " }, "\(line)")
          open?.lines.append(String(line.dropFirst(snippet.indent)))
        }
      }
      #expect(open == nil, "\(file.lastPathComponent): \(open?.name ?? "") does not end")
    }
    return snippets
  }

  /// The page with every block of Swift taken from the examples anew, and the blocks' names.
  private func rewritten(
    _ lines: [String], _ snippets: [String: [String]]
  ) -> (
    lines: [String], names: [String]
  ) {
    var (result, names): ([String], [String]) = ([], [])
    var isInside = false
    for line in lines {
      if isInside {
        guard line == "```" else { continue }
        isInside = false
      } else if line.hasPrefix("```swift") {
        let name = String(line.dropFirst(9))
        #expect(snippets[name] != nil, "the page shows code that no example has: \(line)")
        names.append(name)
        result.append(line)
        result += snippets[name] ?? []
        isInside = true
        continue
      } else {
        #expect(
          !line.hasPrefix("```") && !line.hasPrefix("~~~"), "a block that is no Swift: \(line)")
      }
      result.append(line)
    }
    #expect(!isInside, "a block does not end")
    return (result, names)
  }

  @Test func `every Swift block of the tutorial is compiled`() throws {
    let (stored, snippets) = (try lines(of: page), try snippets())
    let (expected, names) = rewritten(stored, snippets)
    #expect(names.sorted() == snippets.keys.sorted(), "each example is in the page once")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try expected.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
      Issue.record("the page was written anew")
    }
    #expect(stored == expected, "UPDATE_GOLDENS=1 swift test writes it anew")
  }
}
