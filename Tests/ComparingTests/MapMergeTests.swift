import PortolanDocuments
import Testing

@testable import PortolanComparing

/// Merges of small files, each with what comes out.
@Suite struct MapMergeTests {
  /// A collection of features from the texts of their members.
  private static func collection(_ features: [String], _ members: String = "") -> String {
    "{\"type\":\"FeatureCollection\"\(members),\"features\":[\n"
      + features.joined(separator: ",\n") + "\n]}\n"
  }

  private static func point(
    _ id: String, _ attributes: String, _ place: String = "1,2", _ more: String = ""
  ) -> String {
    "{\"type\":\"Feature\",\(id)\"properties\":{\(attributes)},"
      + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(place)]}\(more)}"
  }

  private static func merge(
    _ base: String, _ ours: String, _ theirs: String, _ options: MergeOptions = MergeOptions()
  ) throws -> (text: String, conflicts: [String]) {
    var merge = MapMerge(
      base: try MapText(Array(base.utf8)), ours: try MapText(Array(ours.utf8)),
      theirs: try MapText(Array(theirs.utf8)), options: options)
    let text = String(decoding: try merge.merged(), as: UTF8.self)
    return (text, merge.conflicts.map(\.text))
  }

  @Test func `attributes are merged one by one, in ours' own bytes`() throws {
    let base =
      "{ \"type\":\"Feature\", \"properties\":{ \"a\": 1,  \"b\": 2, \"c\": 3 },"
      + " \"id\":7, \"geometry\":null }"
    let ours = base.replacing("\"a\": 1", with: "\"a\": 1.50")
    let theirs = base.replacing("\"b\": 2", with: "\"b\":20, \"new\":[1, 2]")
      .replacing(", \"c\": 3", with: "")
    let merged = try Self.merge(
      Self.collection([base]), Self.collection([ours]), Self.collection([theirs]))
    let expected =
      "{ \"type\":\"Feature\", \"properties\":{ \"a\": 1.50,  \"b\": 20,"
      + "  \"new\":[1, 2] }, \"id\":7, \"geometry\":null }"
    #expect(merged.text == Self.collection([expected]))
    #expect(merged.conflicts.isEmpty)
  }

  @Test func `numbers and texts count by their values`() throws {
    let base = Self.point("\"id\":1,", "\"n\":1,\"t\":\"é\"")
    let ours = Self.point("\"id\":1,", "\"n\":1.0,\"t\":\"\\u00e9\"")
    let theirs = Self.point("\"id\":1,", "\"n\":2,\"t\":\"é\"")
    let merged = try Self.merge(
      Self.collection([base]), Self.collection([ours]), Self.collection([theirs]))
    #expect(merged.conflicts.isEmpty && merged.text == Self.collection([theirs]))
    #expect(
      ExactNumber.spelling(Array("9007199254740993".utf8)[...])
        != ExactNumber.spelling(Array("9007199254740992".utf8)[...]))
    for (one, other) in [("1", "1.0"), ("100", "1e2"), ("-0.0", "0"), ("0.10", "1E-1")] {
      #expect(
        ExactNumber.spelling(Array(one.utf8)[...])
          == ExactNumber.spelling(Array(other.utf8)[...]), "\(one) \(other)")
    }
  }

  @Test func `a conflict keeps all versions in a valid file`() throws {
    let base = Self.point("\"id\":1,", "\"n\":1")
    let ours = Self.point("\"id\":1,", "\"n\":2")
    let theirs = Self.point("\"id\":1,", "\"n\":3")
    let merged = try Self.merge(
      Self.collection([base]), Self.collection([ours]), Self.collection([theirs]))
    let mark = ",\"portolan:conflict\":{\"base\":\(base),\"theirs\":\(theirs)}"
    #expect(merged.text == Self.collection([Self.point("\"id\":1,", "\"n\":2", "1,2", mark)]))
    #expect(merged.conflicts == ["feature 1 (id 1): n"])
    #expect(throws: MapMerge.SideFault.self) {
      _ = try Self.merge(Self.collection([base]), merged.text, Self.collection([theirs]))
    }
  }

  @Test func `what one side removed and the other changed is kept`() throws {
    let (one, two) = (Self.point("\"id\":1,", "\"n\":1"), Self.point("\"id\":2,", "\"n\":1"))
    let changed = Self.point("\"id\":1,", "\"n\":9")
    let both = Self.collection([one, two])
    let ours = try Self.merge(both, Self.collection([two]), Self.collection([changed, two]))
    #expect(ours.conflicts == ["feature 1 (id 1): removed by ours, changed by theirs"])
    #expect(
      ours.text
        == Self.collection([
          Self.point(
            "\"id\":1,", "\"n\":9", "1,2",
            ",\"portolan:conflict\":{\"base\":\(one),\"ours\":null}"), two,
        ]))
    let theirs = try Self.merge(both, Self.collection([changed, two]), Self.collection([two]))
    #expect(theirs.conflicts == ["feature 1 (id 1): removed by theirs, changed by ours"])
    #expect(theirs.text.contains("\"theirs\":null"))
  }

  @Test func `additions follow what they follow in theirs, behind ours`() throws {
    func name(_ text: String) -> String {
      Self.point("", "\"name\":\"\(text)\"", "\(text.utf8.count),0")
    }
    let names = ["a", "bb", "ccc"].map(name)
    let merged = try Self.merge(
      Self.collection(names), Self.collection([names[0], name("our"), names[1], names[2]]),
      Self.collection([name("first!"), names[0], name("their"), names[1], names[2], name("lasts")]))
    let expected = [
      name("first!"), names[0], name("our"), name("their"), names[1], names[2], name("lasts"),
    ]
    #expect(merged.text == Self.collection(expected))
  }

  @Test(arguments: [true, false])
  func `additions of both with one geometry are one feature, unless others have it too`(
    isBaseEmpty: Bool
  ) throws {
    let known = Self.point("", "\"n\":0", "0,0")
    let base = isBaseEmpty ? "" : Self.collection([known])
    func map(_ features: String...) -> String {
      Self.collection((isBaseEmpty ? [] : [known]) + features)
    }
    let ours = Self.point("", "\"n\":1,\"own\":true", "3,4")
    let theirs = Self.point("", "\"n\":2,\"other\":true", "3,4")
    let merged = try Self.merge(base, map(ours), map(theirs))
    let number = isBaseEmpty ? 1 : 2
    #expect(merged.conflicts == ["feature \(number): n"])
    let result = try MapText(Array(merged.text.utf8))
    #expect(result.features.count == number)
    for words in ["\"own\":true", "\"other\":true", "\"n\":1", "\"theirs\":\(theirs)"] {
      #expect(merged.text.contains(words))
    }
    // Of several at one place, nothing tells which is which.
    let two = try Self.merge(base, map(ours), map(theirs, Self.point("", "\"n\":5", "3,4")))
    #expect(two.conflicts.isEmpty)
    #expect(try MapText(Array(two.text.utf8)).features.count == number + 2)
    // A shape without a position is no place.
    let empty = { (number: Int) in
      #"{"type":"Feature","properties":{"n":\#(number)},"#
        + #""geometry":{"type":"Polygon","coordinates":[]}}"#
    }
    let bare = try Self.merge(base, map(empty(1)), map(empty(2)))
    #expect(bare.conflicts.isEmpty)
    #expect(try MapText(Array(bare.text.utf8)).features.count == number + 1)
    // Different ids are different features, wherever they lie.
    let apart = try Self.merge(
      base, map(Self.point("\"id\":1,", "\"n\":1", "3,4")),
      map(Self.point("\"id\":2,", "\"n\":2", "3,4")))
    #expect(apart.conflicts.isEmpty)
    #expect(try MapText(Array(apart.text.utf8)).features.count == number + 1)
  }

  @Test func `features without ids are found by their contents, or by a key`() throws {
    let base = [Self.point("", "\"k\":1,\"v\":1", "1,1"), Self.point("", "\"k\":2,\"v\":2", "2,2")]
    let ours = [Self.point("", "\"k\":1,\"v\":5", "1,1"), base[1]]
    let theirs = [base[1], Self.point("", "\"k\":1,\"v\":1", "9,9")]
    let merged = try Self.merge(
      Self.collection(base), Self.collection(ours), Self.collection(theirs),
      MergeOptions(key: "k"))
    #expect(merged.conflicts.isEmpty)
    #expect(
      merged.text == Self.collection([Self.point("", "\"k\":1,\"v\":5", "9,9"), base[1]]))
  }

  @Test func `an empty file is an empty map, and ours gives the form`() throws {
    let one = Self.point("\"id\":1,", "\"n\":1")
    #expect(try Self.merge("", "", Self.collection([one])).text == Self.collection([one]))
    #expect(try Self.merge("", Self.collection([one]), "").text == Self.collection([one]))
    let pretty = Self.collection([
      "{\n \"type\":\"Feature\",\"properties\":{\"x\":\"a b\"},\n"
        + "\"geometry\":null }"
    ])
    let lines = try Self.merge("", one + "\n" + one.replacing(":1,", with: ":2,") + "\n", pretty)
    #expect(
      lines.text == one + "\n" + one.replacing(":1,", with: ":2,") + "\n"
        + "{\"type\":\"Feature\",\"properties\":{\"x\":\"a b\"},\"geometry\":null}\n")
    let feature = try Self.merge("", one, Self.collection([one.replacing(":1,", with: ":2,")]))
    #expect(
      feature.text == Self.collection([one, one.replacing(":1,", with: ":2,")]))
  }

  @Test func `members beside the features are merged, boxes are made anew`() throws {
    let (one, two) = (Self.point("\"id\":1,", "", "1,2"), Self.point("\"id\":2,", "", "5,6"))
    let three = Self.point("\"id\":3,", "", "-7.50,6")
    let merged = try Self.merge(
      Self.collection([one], ",\"name\":\"x\",\"bbox\":[1,2,1,2]"),
      Self.collection([one, two], ",\"name\":\"x\",\"bbox\":[1,2,5,6]"),
      Self.collection([one, three], ",\"name\":\"y\",\"bbox\":[-7.5,2,1,6],\"licence\":\"CC0\""))
    #expect(
      merged.text
        == "{\"type\":\"FeatureCollection\",\"name\":\"y\",\"bbox\":[-7.50,2,5,6],\"features\":[\n"
        + [one, two, three].joined(separator: ",\n") + "\n],\"licence\":\"CC0\"}\n")
    let conflict = try Self.merge(
      Self.collection([one], ",\"name\":\"x\""), Self.collection([one], ",\"name\":\"y\""),
      Self.collection([one], ",\"name\":\"z\""))
    #expect(conflict.conflicts == ["the collection: name"])
    #expect(conflict.text.contains("{\"base\":{\"name\":\"x\"},\"theirs\":{\"name\":\"z\"}}"))
  }

  // MARK: Geometries

  private static func polygon(_ rings: String...) -> String {
    "{\"type\":\"Feature\",\"id\":1,\"properties\":null,\"geometry\":"
      + "{\"type\":\"Polygon\",\"coordinates\":[\(rings.joined(separator: ","))]}}"
  }

  private static let outer = "[[0,0],[10,0],[10,10],[0,10],[0,0]]"
  private static let hole = "[[2,2],[2,4],[4,4],[4,2],[2,2]]"

  @Test func `rings that one side changed are taken, one of both is a conflict`() throws {
    let hole = Self.hole.replacing("[4,4]", with: "[5,5]")
    let outer = Self.outer.replacing("[10,10]", with: "[11,11]")
    let merged = try Self.merge(
      Self.polygon(Self.outer, Self.hole), Self.polygon(outer, Self.hole),
      Self.polygon(Self.outer, hole))
    #expect(merged.text == Self.polygon(outer, hole) && merged.conflicts.isEmpty)
    let other = Self.outer.replacing("[0,10]", with: "[0,12]")
    let both = try Self.merge(
      Self.polygon(Self.outer), Self.polygon(outer), Self.polygon(other))
    #expect(both.conflicts == ["feature 1 (id 1): geometry, ring 1"])
    for (rule, expected) in [(MergeOptions.GeometryRule.ours, outer), (.theirs, other)] {
      let taken = try Self.merge(
        Self.polygon(Self.outer), Self.polygon(outer), Self.polygon(other),
        MergeOptions(geometry: rule))
      #expect(taken.text == Self.polygon(expected) && taken.conflicts.isEmpty)
    }
  }

  @Test func `vertices are merged on request, if the result is valid`() throws {
    let corners = ["[0,0]", "[10,0]", "[20,0]", "[20,10]", "[10,10]", "[0,10]", "[0,0]"]
    func ring(_ changes: [Int: String]) -> String {
      var all = corners
      for (index, place) in changes { all[index] = place }
      return Self.polygon("[" + all.joined(separator: ",") + "]")
    }
    let auto = MergeOptions(geometry: .auto)
    let good = try Self.merge(ring([:]), ring([1: "[10,1]"]), ring([4: "[10,9]"]), auto)
    #expect(good.text == ring([1: "[10,1]", 4: "[10,9]"]) && good.conflicts.isEmpty)
    // The closing vertex follows the first.
    let first = try Self.merge(
      ring([:]), ring([3: "[21,10]"]), ring([0: "[1,1]", 6: "[1,1]"]), auto)
    #expect(first.text == ring([0: "[1,1]", 3: "[21,10]", 6: "[1,1]"]))
    // Each is valid, both together cross.
    let bad = try Self.merge(ring([:]), ring([1: "[10,7]"]), ring([4: "[10,3]"]), auto)
    #expect(bad.conflicts == ["feature 1 (id 1): geometry, ring 1"])
    // The same run.
    let same = try Self.merge(ring([:]), ring([1: "[10,7]"]), ring([2: "[20,3]"]), auto)
    #expect(same.conflicts.count == 1)
    // Without the option.
    #expect(
      try Self.merge(ring([:]), ring([1: "[10,1]"]), ring([4: "[10,9]"])).conflicts.count == 1)
  }

  @Test(arguments: [
    "", "[1,2", "{\"type\":\"FeatureCollection\"}", "{\"type\":\"Point\",\"coordinates\":[1,2]}",
    "{\"type\":\"FeatureCollection\",\"features\":[1]}", "nul", "{\"a\":1 \"b\":2}",
    "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\"}", "\u{FEFF}[]", "\"a",
    "{\"type\":\"Feature\",\"properties\":{\"\\ud800\":01}}",
    String(repeating: "[", count: 100_000),
  ])
  func `no text traps`(text: String) {
    let bytes = Array(text.utf8)
    if let map = try? MapText(bytes) { #expect(map.root == .empty) }
    for end in 0..<min(bytes.count, 80) { _ = try? MapText(Array(bytes[..<end])) }
    _ = TextPatch(from: bytes, to: [1, 2, 255])
  }
}
