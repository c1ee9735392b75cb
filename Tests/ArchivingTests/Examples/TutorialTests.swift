import Foundation
import Testing

/// The Swift code of the tutorial is that of the examples, which are compiled and tested.
///
/// The chapters are the articles of the DocC catalogue; `<!-- snippet: name -->` stands before a
/// block.
@Suite struct TutorialTests {
  private let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The articles, without the page that lists them.
  private func pages() throws -> [URL] {
    let catalogue = examples.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/Archiving/Archiving.docc")
    return try FileManager.default.contentsOfDirectory(
      at: catalogue, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "md" && $0.lastPathComponent != "Archiving.md" }
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
      } else if line.hasPrefix("```") || line.hasPrefix("~~~") {
        #expect(line == "```swift", "a block that is no Swift: \(line)")
        let mark = result.last ?? ""
        let name = String(mark.dropFirst(14).dropLast(4))
        #expect(mark == "<!-- snippet: \(name) -->", "a block without a name behind: \(mark)")
        #expect(snippets[name] != nil, "the page shows code that no example has: \(name)")
        names.append(name)
        result.append(line)
        result += snippets[name] ?? []
        isInside = true
        continue
      }
      result.append(line)
    }
    #expect(!isInside, "a block does not end")
    return (result, names)
  }

  @Test func `every Swift block of the tutorial is compiled`() throws {
    let snippets = try snippets()
    var names: [String] = []
    for page in try pages() {
      let stored = try lines(of: page)
      let (expected, found) = rewritten(stored, snippets)
      names += found
      if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1", expected != stored {
        try expected.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
        Issue.record("\(page.lastPathComponent) was written anew")
      }
      #expect(
        stored == expected, "\(page.lastPathComponent): UPDATE_GOLDENS=1 swift test writes it anew")
    }
    #expect(names.sorted() == snippets.keys.sorted(), "each example is in one page, once")
  }
}
