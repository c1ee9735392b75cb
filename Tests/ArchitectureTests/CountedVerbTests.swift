import Testing

/// Numbers in messages agree with their verbs: `1 feature is`, `2 features are`.
@Suite struct CountedVerbTests {
  /// A noun of `CountText` without its verb, and a verb that fits several things alone.
  private static var pattern: Regex<(Substring, Substring)> {
    #/CountText\.(features|vertices|text)\((?:[^()]|\([^()]*\))*\)\)?(?:\)| \+ ")? /#
  }
  private static let verbs = [
    "are", "have", "were", "do", "reach", "lie", "become", "go", "stay", "need", "exist", "come",
  ]

  /// The verbs that follow a noun of `CountText` in a line of source.
  static func lonelyVerbs(in line: String) -> [String] {
    line.matches(of: Self.pattern).compactMap { match in
      // The verb is that of what the things have: "the heights of 1 feature are".
      if line[..<match.range.lowerBound].hasSuffix(#" of \("#) { return nil }
      let noun = match.output.0
      let word = line[match.range.upperBound...].prefix { $0.isLetter }
      // The nouns of `text` have the verb with them: ("ring has", "rings have").
      return Self.verbs.contains(String(word)) && !noun.contains(#/"[^"]* [^"]*", "[^"]* [^"]*"/#)
        ? String(word) : nil
    }
  }

  @Test func `No verb of several things follows a number that may be one`() throws {
    #expect(Self.lonelyVerbs(in: #"say("\(CountText.features(found.count)) are gone")"#) == ["are"])
    #expect(Self.lonelyVerbs(in: #""\(CountText.features(f(a).count)) reach it""#) == ["reach"])
    #expect(Self.lonelyVerbs(in: #""\(CountText.text(n, "row has", "rows have")) do""#).isEmpty)
    #expect(Self.lonelyVerbs(in: #"say("\(CountText.features(count)) shown")"#).isEmpty)
    #expect(Self.lonelyVerbs(in: #""the shapes of \(CountText.features(n)) are""#).isEmpty)
    for file in try SourceTree.read.get().files where file.contains("CountText.") {
      for line in file.lines where line.contains("CountText.") {
        #expect(Self.lonelyVerbs(in: String(line)).isEmpty, "\(file.path): \(line)")
      }
    }
  }
}
