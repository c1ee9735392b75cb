import PortolanDocuments
import PortolanInterchange
import PortolanTestSupport
import Testing

@testable import PortolanComparing

/// Differences between two maps, and what they make of a file.
@Suite struct DifferenceTests {
  private static func document(_ text: String) throws -> Document {
    let result = try GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "map")
    ) { _ in }
    var document = Document()
    document.layers = result.layers
    return document
  }

  private static func difference(
    _ old: String, _ new: String, key: String? = nil
  ) throws -> MapDifference {
    try MapDifference(
      from: document(old), to: document(new), options: MapDifference.Options(key: key))
  }

  private static func lines(_ old: String, _ new: String) throws -> [String] {
    var text = DifferenceText(try difference(old, new))
    return text.all(("a", "b")).map(\.text)
  }

  private static func feature(_ id: Int?, _ attributes: String, _ geometry: String) -> String {
    "{\"type\":\"Feature\",\(id.map { "\"id\":\($0)," } ?? "")\"properties\":{\(attributes)},"
      + "\"geometry\":\(geometry)}\n"
  }

  private static func point(_ x: Double, _ y: Double) -> String {
    "{\"type\":\"Point\",\"coordinates\":[\(x),\(y)]}"
  }

  @Test func `features are told by what differs`() throws {
    let old =
      Self.feature(1, "\"name\":\"A\",\"pop\":1,\"x\":null", Self.point(0, 0))
      + Self.feature(2, "\"name\":\"B\"", Self.point(1, 1))
      + Self.feature(3, "\"name\":\"C\"", Self.point(2, 2))
    let new =
      Self.feature(1, "\"name\":\"A\",\"pop\":2", Self.point(0, 0.001))
      + Self.feature(3, "\"name\":\"C\"", Self.point(2, 2))
      + Self.feature(4, "\"name\":\"D\"", Self.point(3, 3))
    #expect(
      try Self.lines(old, new) == [
        "--- a", "+++ b", "1 changed, 1 added, 1 removed, 1 the same", "",
        "~ feature 1 “A” (id 1)", "    pop: 1 → 2", "    x: null → none",
        "    geometry: 1 vertex moved 110.6 m",
        "      path 1, vertex 1: 0 0 → 0 0.001 (110.6 m)",
        "+ feature 3 “D” (id 4): Point at 3 3", "- feature 2 “B” (id 2): Point at 1 1",
      ])
  }

  @Test func `equal values are no difference, however they are written`() throws {
    let old = Self.feature(1, "\"n\":1,\"o\":{\"a\": [1, 2]}", Self.point(1, 2))
    let new = old.replacing("\"n\":1", with: "\"n\":1.0").replacing(" ", with: "")
    #expect(try Self.difference(old, new).isEmpty)
    #expect(try !Self.difference(old, new.replacing("1.0,", with: "1.01,")).isEmpty)
  }

  @Test func `features without ids are matched by geometry, attributes and order`() throws {
    let names = ["a", "b", "c", "d", "e"]
    let old = names.enumerated().map { index, name in
      Self.feature(nil, "\"n\":\"\(name)\"", Self.point(Double(index), 0))
    }
    var new = old
    new[1] = Self.feature(nil, "\"n\":\"other\"", Self.point(1, 0))
    new[2] = Self.feature(nil, "\"n\":\"c\"", Self.point(2, 5))
    new[3] = Self.feature(nil, "\"n\":\"new\"", Self.point(3, 7))
    let difference = try Self.difference(old.joined(), new.joined())
    #expect(difference.count(.changed) == 3 && difference.sameCount == 2)
    #expect(difference.count(.added) == 0 && difference.count(.removed) == 0)
    let turned = try Self.difference(old.joined(), (old[1...] + old[..<1]).joined())
    #expect(turned.movedCount == 1 && turned.sameCount == 5 && !turned.isEmpty)
  }

  @Test func `ids that one file alone has are no difference`() throws {
    func text(_ hasIDs: Bool, _ value: Int, _ places: [Double]) -> String {
      places.enumerated().map { index, x in
        Self.feature(
          hasIDs ? index + 1 : nil, "\"v\":\(index == 0 ? value : index)", Self.point(x, 0))
      }.joined()
    }
    for (old, new) in [(true, false), (false, true)] {
      let same = try Self.difference(text(old, 0, [1, 2, 3]), text(new, 0, [1, 2, 3]))
      #expect(same.isEmpty && same.sameCount == 3)
      let edited = try Self.difference(text(old, 0, [1, 2, 3]), text(new, 7, [1, 2, 3]))
      #expect(edited.count(.changed) == 1 && edited.sameCount == 2)
      #expect(edited.count(.added) == 0 && edited.count(.removed) == 0)
    }
    // Ids that both files have are compared.
    let gone = try Self.difference(
      text(true, 0, [1, 2]),
      Self.feature(1, "\"v\":0", Self.point(1, 0)) + Self.feature(nil, "\"v\":1", Self.point(2, 0)))
    #expect(gone.count(.changed) == 1 && gone.sameCount == 1)
  }

  @Test func `rings and vertices are told by their numbers`() throws {
    func polygon(_ rings: String) -> String {
      Self.feature(1, "", "{\"type\":\"Polygon\",\"coordinates\":[\(rings)]}")
    }
    let outer = "[[0,0],[10,0],[10,10],[0,10],[0,0]]"
    let hole = "[[2,2],[2,4],[4,4],[4,2],[2,2]]"
    let wide = "[[0,0],[5,0],[6,0],[10,0],[10,10],[0,10],[0,0]]"
    let lines = try Self.lines(polygon(outer + "," + hole), polygon(wide))
    #expect(
      lines.suffix(2) == [
        "    geometry: 2 vertices added, 1 part or ring removed",
        "      from path 1, vertex 2: 0 vertices → 2",
      ])
  }

  @Test(arguments: Seeds.some(40))
  func `a difference makes the new file, byte for byte`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 3_000_000)
    let old = RandomMap(&random)
    let new = old.edited(&random, from: 100)
    let patch = TextPatch(from: old.text, to: new.text)
    #expect(patch.applied(to: old.text) == new.text, "seed \(seed)")
    let difference = try Self.difference(
      String(decoding: old.text, as: UTF8.self), String(decoding: new.text, as: UTF8.self))
    var json: [UInt8] = []
    DifferenceFile.write(
      difference, from: DifferenceFile.Side(name: "a", bytes: old.text),
      to: DifferenceFile.Side(name: "b", bytes: new.text), patch: true
    ) { json += $0 }
    #expect(try DifferenceFile.apply(json, to: old.text) == new.text, "seed \(seed)")
    // It is found exactly where features differ.
    let isSame = old.features == new.features
    #expect(difference.isEmpty == isSame, "seed \(seed)")
    guard old.text != new.text else { return }
    #expect(throws: DifferenceFile.Refusal.isNew) {
      _ = try DifferenceFile.apply(json, to: new.text)
    }
    #expect(throws: DifferenceFile.Refusal.otherFile("a")) {
      _ = try DifferenceFile.apply(json, to: old.text + [0x20])
    }
  }

  @Test(arguments: Seeds.some(20))
  func `bytes of any kind are patched`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 4_000_000)
    func bytes() -> [UInt8] {
      (0..<Int.random(in: 0...40, using: &random)).map { _ in
        [0x0A, 0x41, 0xC3, 0xA9, 0xFF].randomElement(using: &random) ?? 0
      }
    }
    let (old, new) = (bytes(), bytes())
    let patch = TextPatch(from: old, to: new)
    let json = JSONSpans(Array(patch.json.utf8))
    let again = try #require(try TextPatch(json, 0..<json.bytes.count))
    #expect(again.exchanges == patch.exchanges, "seed \(seed)")
    #expect(again.applied(to: old) == new, "seed \(seed)")
  }

  @Test(arguments: [
    "", "{}", "[]", "{\"format\":\"portolan-diff\"}",
    "{\"format\":\"portolan-diff\",\"old\":{},\"new\":{}}",
    "{\"format\":\"portolan-diff\",\"old\":{},\"new\":{},\"patch\":7}",
  ])
  func `no other text is taken for a difference`(text: String) {
    #expect(throws: (any Error).self) {
      _ = try DifferenceFile.apply(Array(text.utf8), to: [])
    }
  }

  @Test func `exchanges beyond the file are refused`() {
    let huge = TextPatch(exchanges: [
      TextPatch.Exchange(at: Int.max, removed: Int.max, added: [])
    ])
    #expect(huge.applied(to: [1, 2, 3]) == nil)
    let back = TextPatch(exchanges: [
      TextPatch.Exchange(at: 2, removed: 1, added: []),
      TextPatch.Exchange(at: 0, removed: 1, added: []),
    ])
    #expect(back.applied(to: [1, 2, 3]) == nil)
  }
}
