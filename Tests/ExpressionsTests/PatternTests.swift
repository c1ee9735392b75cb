import PortolanExpressions
import PortolanTestSupport
import Testing

/// Where a pattern stands first in a text, in bytes; the quick search must agree.
func firstMatch(_ pattern: String, in text: String) throws -> Range<Int>? {
  try firstMatch(pattern, in: Array(text.utf8))
}

func firstMatch(_ pattern: String, in bytes: [UInt8]) throws -> Range<Int>? {
  var matcher = PatternMatcher(try Pattern(pattern))
  return bytes.withUnsafeBufferPointer { bytes in
    let range = matcher.firstMatch(in: bytes)
    #expect(matcher.matches(bytes) == (range != nil), "\(pattern)")
    return range
  }
}

@Suite struct PatternTests {
  @Test(arguments: PatternCases.all)
  func `A pattern stands where Python's re finds it`(_ line: Substring) throws {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    try #require(cells.count == 3)
    let text = cells[1].replacing("␤", with: "\n")
    let range = try firstMatch(cells[0], in: text)
    #expect(range.map { "\($0.lowerBound) \($0.upperBound)" } ?? "-" == cells[2], "\(line)")
  }

  @Test(arguments: [
    ("", "", true), ("", "a", true), ("^$", "", true), ("^$", "\n", false),
    ("STRASSE", "strasse", false), ("(?i)STRASSE", "Strasse", true),
    ("(?i)łódź", "ŁÓDŹ", true), ("(?i)[^ł]", "Ł", false), ("(?i)ς", "Σ", true),
    ("(?i)k", "\u{212A}", true), ("(?i)ß", "ẞ", true),
    (#"^\p{L}+$"#, "Kraków東京", true), (#"^\p{Lu}\p{Ll}+$"#, "Århus", true),
    (#"\p{N}"#, "Ⅷ", true), (#"\p{Nd}"#, "Ⅷ", false), (#"\pN"#, "½", true),
    (#"^\P{L}$"#, "é", false), (#"\p{S}"#, "€", true), (#"\p{P}"#, "«", true),
    (#"\p{Z}"#, "\u{3000}", true), (#"^[\p{Lu}\d]+$"#, "E45", true),
    (#"^\x41\u00e9\u{1F600}$"#, "Aé😀", true), (#"^.$"#, "😀", true), (#"^..$"#, "e\u{301}", true),
    (#"^.$"#, "\n", false), (#"\bøl\b"#, "et øl.", true), (#"\bøl\b"#, "køl", false),
    (#"[]a]{2}"#, "]a", true), (#"[^]a]"#, "]a", false), ("[a-]", "-", true),
    ("a{,2}b", "aab", true), ("{x}", "{x}", true), ("a{", "a{", true), (#"\$\{\}"#, "${}", true),
    (#"\Aa\z"#, "a", true), (#"\s"#, "\u{A0}", true), (#"^\W$"#, "_", false),
  ])
  func `The syntax means what it means elsewhere`(
    _ pattern: String, _ text: String, _ isFound: Bool
  ) throws {
    #expect(try (firstMatch(pattern, in: text) != nil) == isFound)
  }

  @Test(arguments: [
    ("(a", 1), ("a)", 2), ("x[a", 2), ("é[z-a]", 3), ("*a", 1), ("a|+", 3), ("a**", 3),
    ("a*+", 3), ("a{2}{3}", 5), ("a{3,2}", 2), ("a{20001}", 2), (#"(a)\1"#, 4), (#"\k<a>"#, 1),
    ("a(?=b)", 2), ("(?!b)", 1), ("(?<=b)", 1), ("(?<!b)", 1), ("(?P<n>a)", 1), ("(?<n>a)", 1),
    ("a(?i)b", 2), ("(?s).", 1), ("(?>a)", 1), (#"\q"#, 1), (#"e\"#, 2), (#"\x4"#, 1),
    (#"\u{110000}"#, 1), (#"\uD800"#, 1), (#"\p{Q}"#, 1), (#"\p{L"#, 1), ("[[:alpha:]]", 2),
    (#"[a-\d]"#, 2), ("((a{100}){100}){100}", 1), ("🇩🇪e\u{301}(", 3),
  ])
  func `What is no pattern is refused with its place`(_ pattern: String, _ column: Int) {
    let error = #expect(throws: PatternError.self) { try Pattern(pattern) }
    #expect(error?.column == column, "\(error?.message ?? "")")
  }

  @Test func `Deep, long and large patterns are refused in a moment`() throws {
    for depth in [201, 5_000, 10_000, 1_000_000] {
      let opened = String(repeating: "(", count: depth)
      #expect(throws: PatternError.self) { try Pattern(opened) }
      #expect(throws: PatternError.self) {
        try Pattern(opened + "a" + String(repeating: ")", count: depth))
      }
    }
    let nested = String(repeating: "(", count: 200) + "a" + String(repeating: ")+", count: 200)
    #expect(try firstMatch(nested, in: "baa") == 1..<3)
    let nothing = String(repeating: "(", count: 100) + String(repeating: "){20000}", count: 100)
    #expect(try firstMatch(nothing, in: "") == 0..<0)
    let wide = (0..<100).map { #"[\w"# + "\(Character(Unicode.Scalar(UInt8($0 % 26 + 33))))]" }
    _ = try? Pattern(wide.joined())
  }

  @Test func `Bytes that are no characters match nothing and hide nothing`() throws {
    #expect(try firstMatch(".", in: [0xFF, 0xC3, 0xED, 0xA0, 0x80, 0xF8]) == nil)
    #expect(try firstMatch("[^a]", in: [0xC0, 0xAF, 0xE0, 0x80, 0xAF]) == nil)
    #expect(try firstMatch("a.", in: [0xFF, 0x61, 0xFF, 0x61, 0xC3, 0xA9]) == 3..<6)
    #expect(try firstMatch("é$", in: [0xE4, 0xC3, 0xA9]) == 1..<3)
    #expect(try firstMatch("é", in: [0xC3]) == nil)
  }

  @Test func `A search may start inside a text`() throws {
    let text = Array("one two one".utf8)
    var matcher = PatternMatcher(try Pattern(#"\bo"#))
    text.withUnsafeBufferPointer { text in
      #expect(matcher.firstMatch(in: text, from: 1) == 8..<9)
      #expect(matcher.firstMatch(in: text, from: 9) == nil)
      #expect(matcher.firstMatch(in: text, from: 12) == nil)
      #expect(matcher.firstMatch(in: text, from: -1) == nil)
    }
    var anchored = PatternMatcher(try Pattern("^o"))
    text.withUnsafeBufferPointer { text in
      #expect(anchored.firstMatch(in: text, from: 8) == nil)
    }
  }

  @Test(arguments: [
    "^(a+)+$", "(a*)*c", "(a|aa)+$", "(a?){30}a{30}$", "a[ab]{12}c", "(a|b|ab)*c", "[ab]{1,90}c",
  ])
  func `The time grows with the text only`(_ pattern: String) throws {
    func seconds(_ count: Int) throws -> Double {
      var random = SeededGenerator(seed: 7)
      let text =
        [UInt8](repeating: 97, count: count)
        + (0..<count).map { _ in 97 + UInt8(random.next() >> 63) }
        + [98]
      let pattern = try Pattern(pattern)
      return (0..<5).map { _ in
        var matcher = PatternMatcher(pattern)
        return processorTime { text.withUnsafeBufferPointer { _ = matcher.matches($0) } }
      }.min() ?? 0
    }
    let (one, two) = (try seconds(10_000), try seconds(20_000))
    #expect(two < 3 * one + 0.02, "\(one) \(two)")
  }
}
