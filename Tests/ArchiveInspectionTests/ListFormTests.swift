import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import ArchiveInspection

/// Property lists in every notation, with other bytes around them, with broken values.
@Suite struct ListFormTests {
  // MARK: Bytes around a list

  private static func noise(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let kind = Int.random(in: 0...2, using: &generator)
    return (0..<count).map { _ in
      kind == 0 ? 0 : kind == 1 ? 0xFF : UInt8.random(in: 0...255, using: &generator)
    }
  }

  private static func list(_ generator: inout SeededGenerator) throws -> [UInt8] {
    let count = [0, 1, 3, 40, 300].randomElement(using: &generator) ?? 1
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    writer.setArray(top, (0..<count).map { writer.addInteger(Int64($0) &* 7_919) })
    return try writer.finish(top: top)
  }

  @Test func `a binary list is found among other bytes, and where it begins is told`() throws {
    for seed in Seeds.some(300) {
      var generator = SeededGenerator(seed: seed)
      let isArchive = Bool.random(using: &generator)
      let list =
        try isArchive
        ? ArchiveConversion.convert(ValueSamples.keyed(["<string>quay</string>"]), to: .keyed)
        : Self.list(&generator)
      let start =
        Int.random(in: 0...1, using: &generator) * Int.random(in: 1...600, using: &generator)
      let rest = Int.random(in: 0...700, using: &generator)
      let file = Self.noise(start, &generator) + list + Self.noise(rest, &generator)
      let found = try InspectedArchive(file)
      #expect(try ValueSamples.roots(file) == ValueSamples.roots(list), "seed \(seed)")
      #expect(found.header.startCount == start && found.header.restCount == rest, "seed \(seed)")
      #expect(found.firstBroken == nil)
      let tree = try found.tree()
      let notes = try ArchiveConversion.convert(file, to: .keyed, checksFirst: true) { _ in }
      #expect(notes.isEmpty == (start + rest == 0), "seed \(seed)")
      #expect(start == 0 || tree.contains("begins at byte \(start)"))
      #expect(rest == 0 || tree.contains("from byte \(start + list.count) on"))
    }
  }

  @Test
  func `of several lists the first in the file counts where it begins the file, else the last`()
    throws
  {
    var writer = BinaryPropertyListWriter()
    let one = try writer.finish(top: writer.addString("one"))
    let two = try writer.finish(top: writer.addString("two"))
    #expect(try InspectedArchive(one + two).text(.text) == "one\n")
    #expect(try InspectedArchive([0] + one + [0] + two + [0]).text(.text) == "two\n")
    let error = #expect(throws: InspectionError.self) { try InspectedArchive([0] + one.dropLast()) }
    #expect(error?.description.contains("neither an archive") == true)
    // As hostile as can be: nothing but magics.
    let many = Array(repeatElement(Array("bplist00".utf8), count: 20_000).joined())
    #expect(throws: InspectionError.self) { try InspectedArchive(many) }
  }

  // MARK: Broken values

  @Test func `one broken value of an XML list hides no other`() throws {
    let good = ["<integer>5</integer>", "<string>x</string>", "<true/>", "<data>AQID</data>"]
    let bad = [
      "<date>2020-02-30T00:00:00Z</date>", "<integer>99999999999999999999</integer>",
      "<integer>x</integer>", "<real>1e</real>", "<data>A!</data>",
      // References to no character, and elements of other names with all that is in them.
      "<string>x&#xD800;y</string>", "<string>AT&T</string>", "<string>a &b; &#; &lt;</string>",
      "<integer>&five;</integer>", "<data>AQID&</data>", "<foo>1</foo>", "<foo/>",
      "<foo><foo b=\"/>\">1</foo><dict><key>z</key><!-- </foo> --></dict><![CDATA[</foo>]]></foo>",
      "<strings><string>x</string></strings>", "<integers>1</integers>",
    ]
    for broken in bad {
      let entries = (good + [broken] + good).enumerated().map { "<key>k\($0)</key>\($1)" }.joined()
      let bytes = Array("<plist version=\"1.0\"><dict>\(entries)</dict></plist>".utf8)
      let archive = try InspectedArchive(bytes)
      #expect(archive.brokenCount == 1)
      #expect(archive.firstBroken?.hasPrefix("line 1, column ") == true)
      let roots = try ValueSamples.roots(bytes)
      #expect(
        roots.contains("\"k3\":{\"$data\":\"AQID\",\"bytes\":3},\"k4\":{\"$broken\":\"line 1"))
      #expect(roots.contains("\"k8\":{\"$data\""))
      #expect(try archive.tree().contains("k4: broken: line 1, column"))
      #expect(try archive.text(.json).contains("[\"k4\",{\"broken\":\"line 1, column"))
      for notation in [ArchiveNotation.keyed, .xml, .json] {
        #expect(throws: InspectionError.self) { try ArchiveConversion.convert(bytes, to: notation) }
      }
    }
  }

  /// The value of a random list, whose strings are all the same.
  private func element(_ depth: Int, _ numbers: inout SeededGenerator) -> String {
    func elements(_ make: (Int, String) -> String) -> String {
      (0..<Int.random(in: 0...4, using: &numbers)).map { make($0, element(depth + 1, &numbers)) }
        .joined()
    }
    switch Int.random(in: 0..<(depth > 4 ? 2 : 4), using: &numbers) {
    case 0: return "<string>leaf</string>"
    case 1: return "<integer>7</integer>"
    case 2: return "<array>\(elements { $1 })</array>"
    default: return "<dict>\(elements { "<key>k\($0)</key>\($1)" })</dict>"
    }
  }

  @Test(arguments: Seeds.some(200))
  func `a broken value of a random list hides no other`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let leaf = "<string>leaf</string>"
    let broken = [
      "<string>&#xD800;</string>", "<data>A&</data>", "<x><x/><dict><key>q</key></dict></x>",
    ]
    let text = leaf + (0..<4).map { _ in element(0, &numbers) }.joined()
    let places = text.ranges(of: leaf)
    let place = try #require(places.randomElement(using: &numbers))
    var spoiled = text
    spoiled.replaceSubrange(place, with: try #require(broken.randomElement(using: &numbers)))
    let roots = try [text, spoiled].map {
      try ValueSamples.roots(Array("<plist><array>\($0)</array></plist>".utf8))
    }
    #expect(roots[1].replacing(/\{"\$broken":"[^"]*"\}/, with: "\"leaf\"") == roots[0])
    #expect(roots[1] != roots[0])
  }

  @Test func `a key with a broken reference is told`() throws {
    let bytes = Array(
      "<plist><dict><key>R&D</key><true/><key>b</key><string>x</string></dict></plist>".utf8)
    let archive = try InspectedArchive(bytes)
    #expect(archive.firstBroken?.contains("a bare &") == true)
    #expect(try ValueSamples.roots(bytes) == "{\"root\":{\"R&D\":true,\"b\":\"x\"}}")
  }

  /// Each fault is looked at once, however many there are.
  @Test(arguments: ["<string>&&&&&&&&</string>", "<x><x></x></x>"])
  func `very many broken values take no time each`(_ broken: String) throws {
    let list = String(repeating: broken, count: 50_000)
    let bytes = Array("<plist><array>\(list)</array></plist>".utf8)
    #expect(try InspectedArchive(bytes).brokenCount == 50_000)
    // An element that never ends, behind as many that do.
    #expect(throws: InspectionError.self) {
      try InspectedArchive(Array("<plist><array>\(list)<x><x></x></array></plist>".utf8))
    }
  }

  @Test func `a key that is there twice is shown twice and told`() throws {
    let bytes = Array(
      "<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>".utf8)
    let archive = try InspectedArchive(bytes)
    #expect(archive.firstBroken?.contains("a key that the dictionary has already") == true)
    #expect(
      try ValueSamples.roots(bytes).contains("[\"a\",true],[\"a\",false]"))
  }

  @Test func `a document type with declarations is passed over`() throws {
    let bytes = Array(
      """
      <!DOCTYPE plist SYSTEM "a.dtd" [ <!ENTITY h "harbour]>"> <!-- ]> --> ]>
      <plist version="0.9"><dict><key>a&amp;b</key><string>x</string></dict></plist>
      """.utf8)
    #expect(try ValueSamples.roots(bytes) == "{\"root\":{\"a&b\":\"x\"}}")
  }

  // MARK: Text

  private static let text = """
    { name = "Pier é"; depths = (1, 2, <0a0b>); open = <*BY>; since = <*D2001-01-02 00:00:00 +0000>; }
    """
  private static let xml = """
    <plist><dict><key>name</key><string>Pier é</string><key>depths</key><array><string>1</string>
    <string>2</string><data>Cgs=</data></array><key>open</key><true/><key>since</key>
    <date>2001-01-02T00:00:00Z</date></dict></plist>
    """

  @Test func `a list in the text notation has every form`() throws {
    let bytes = Array(Self.text.utf8)
    let archive = try InspectedArchive(bytes)
    #expect(archive.header.words == "text property list, no archive")
    #expect(try archive.text(.json).contains("\"notation\":\"text\""))
    #expect(try ValueSamples.roots(bytes) == ValueSamples.roots(Array(Self.xml.utf8)))
    #expect(try archive.text(.text, at: "/name") == "Pier é\n")
    #expect(try archive.tree().contains("name: \"Pier é\""))
    #expect(try ConversionTests.differences(bytes, Array(Self.xml.utf8)).0 == 0)
    for notation in [ArchiveNotation.keyed, .xml] {
      let converted = try ArchiveConversion.convert(bytes, to: notation)
      #expect(try ConversionTests.differences(bytes, converted).0 == 0)
    }
    let exact = Array(try archive.text(.exact).utf8)
    let again = try ArchiveConversion.convert(exact, to: .keyed)
    #expect(try ConversionTests.differences(bytes, again).0 == 0)
    let raw = CollectedOutput()
    try Inspector(archive).write(.raw, at: "", TreeOptions(), to: raw.output)
    #expect(raw.text.contains("\"Pier é\""))
  }

  @Test func `files of strings are read, in UTF-16 too`() throws {
    let text = "/* Title */\n\"title\" = \"Häfen\";\nplain = \"%@ of %@\";\n"
    let wide: [UInt8] =
      [0xFF, 0xFE]
      + text.utf16.flatMap { unit -> [UInt8] in
        [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      }
    for bytes in [Array(text.utf8), wide, Array(text.dropFirst(12).utf8)] {
      #expect(
        try ValueSamples.roots(bytes) == "{\"root\":{\"title\":\"Häfen\",\"plain\":\"%@ of %@\"}}")
    }
    let plain = Array("plain = 1;".utf8)
    #expect(try ValueSamples.roots(plain) == "{\"root\":{\"plain\":\"1\"}}")
    let error = #expect(throws: InspectionError.self) {
      try InspectedArchive(Array("{ \"type\": \"Feature\" }".utf8))
    }
    #expect(error?.description.contains("looks like JSON") == true)
  }
}
