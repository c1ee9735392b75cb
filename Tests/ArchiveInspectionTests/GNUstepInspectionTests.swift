import Archiving
import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// Archives of GNUstep in the forms of all others: resolved where all classes are known, else each
/// item below the object that began last.
@Suite struct GNUstepInspectionTests {
  static let files = SharedArchives.genuine(["gnustep-archive"])

  /// An object of class `T`, a text of two UTF-16 units, a reference and a C string.
  static let small: [UInt8] =
    Array("GNUstep archive000f4240:00000001:00000001:00000001:".utf8)
    + [0x30, 1, 0x31, 1, 0, 1, 0x54, 0, 0, 0, 3, 0]
    + [0x26, 0, 0, 0, 7, 0x25, 0xFF, 0xFF, 0xFF, 0xFE]
    + [0x15, 0, 0, 0, 2, 4, 0, 0x61, 0, 0x62]
    + [0xB0, 1, 0x34, 1, 0, 0, 0, 3, 0x1B, 0x5B, 0x41, 0x90]

  static func write(
    _ bytes: [UInt8], _ form: InspectionForm, path: String = "/", depth: Int? = nil
  ) throws -> String {
    let collected = CollectedOutput()
    var options = TreeOptions()
    options.depthMax = depth
    try Inspector(InspectedArchive(graphOf: bytes, isRaw: form == .raw)).write(
      form, at: InspectionPath(path), options, to: collected.output)
    return collected.text
  }

  // MARK: Forms

  @Test func `items stand below the object that began last`() throws {
    let expected = """
      format    GNUstep archive (sequential)
      written   by NSArchiver of GNUstep, version 1000000
      size      95 bytes, 1 object, 1 class, 1 level
      note      byte 63: object #1 is of the class T: where objects end is not known, so each \
      item stands below the object that began last

      0 @ T v3 #1 ×2                                                              44 B
        0 I 7
        1 i -2
        2 [2S] "ab"
        3 @ T → #1
        4 * "␛[A"
        5 @ nil

      """
    #expect(try Self.write(Self.small, .tree) == expected)
  }

  @Test func `raw tells every item with its place`() throws {
    let expected = """
      0x000033  #1 T  (T v3)
      0x00003f    I 7
      0x000044    i -2
      0x000049    [2S] array of 2 numbers of 2 bytes 00610062
      0x000053    @ → #1
      0x000055    * "␛[A" *1
      0x00005e    @ nil

      """
    #expect(try Self.write(Self.small, .raw) == expected)
  }

  @Test func `JSON tells every item with its type`() throws {
    let text = try Self.write(Self.small, .json)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((root["unresolved"] as? String)?.contains("of the class T") == true)
    let objects = try #require(root["objects"] as? [[String: Any]])
    let fields = try #require(objects.first?["fields"] as? [[Any]])
    #expect(objects.count == 1 && objects[0]["id"] as? Int == 1)
    #expect(fields.map { $0[1] as? String } == ["I", "i", "[2S]", "@", "*", "@"])
    #expect(fields[1][2] as? Int == -2 && fields[2][2] as? String == "ab")
    #expect((fields[3][2] as? [String: Int]) == ["ref": 1])
    #expect(!text.utf8.contains(0x1B))
  }

  @Test func `every kind of item has its value and its type`() throws {
    let archive = try InspectedArchive(GNUstepWriter.everyItem.bytes)
    let track = try #require(archive.node(numbered: 3))
    let shown = try archive.tree().split(separator: "\n").drop { !$0.hasPrefix("2 @ Track") }
    #expect(
      shown.dropFirst().map { $0.dropFirst(2).drop { $0 != " " }.dropFirst() } == [
        "c -2", "C 254", "s -2", "S 4294967294", "i -2", "I 4294967294", "l -2",
        "L 4294967294", "q -2", "Q 4294967294", "q -2", "f 1.5", "d 0.1", "B true", "* \"a␛b\"",
        ": \"draw:\"", ": \"v@:@\"", ": \"draw:\"", "^ 1", "i 7", "^ 1", "[3i] array of 3",
        " [0] 1", " [1] -2", " [2] 3", "[2c] \"hi\"", "[2C] 2 bytes 00ff", "[ 2",
        "@ NSString → #2", "@ nil", "{ nothing", "# class Track", "@ class NSString",
        "@ class NSString",
      ])
    #expect(archive.nodes[track].references == 1)
    #expect(archive.node(numbered: 4) == nil)
    let raw = try Self.write(GNUstepWriter.everyItem.bytes, .raw)
    for words in [
      "^ pointer to what follows *3", "a structure, whose members follow", "[2 an array",
    ] {
      #expect(raw.contains(words), "\(raw)")
    }
  }

  @Test func `objects that the header counts besides are told`() throws {
    var writer = GNUstepWriter()
    writer.addString("x")
    #expect(try !InspectedArchive(writer.bytes).tree().contains("header counts"))
    writer.replacedCount = 2
    #expect(try InspectedArchive(writer.bytes).tree().contains("the header counts 3 objects: "))
  }

  @Test func `a path and a depth lead into an archive of unknown classes`() throws {
    #expect(try Self.write(Self.small, .tree, path: "/0/1") == "1: -2\n")
    #expect(try Self.write(Self.small, .tree, path: "/#1/2") == "2: \"ab\"\n")
    #expect(try Self.write(Self.small, .json, path: "/0/1").contains(#""value":-2"#))
    #expect(try Self.write(Self.small, .tree, depth: 0).contains("0 @ T v3 #1 ×2 …"))
    #expect(throws: InspectionError.self) { try Self.write(Self.small, .tree, path: "/1") }
  }

  @Test func `what an unknown class holds is refused where objects must be whole`() throws {
    let archive = try InspectedArchive(Self.small)
    for form in [InspectedArchive.Form.values(), .exact, .text] {
      let error = #expect(throws: InspectionError.self) { try archive.text(form) }
      #expect(error?.code == .unsupported && error?.description.contains("class T:") == true)
    }
    for notation in ArchiveNotation.allCases {
      let error = #expect(throws: InspectionError.self) {
        try ArchiveConversion.convert(Self.small, to: notation)
      }
      #expect(error?.code == .unsupported)
    }
  }

  @Test(.enabled(if: Shared.exists("corpus/generated/gnustep-1.28/dict.gsa")))
  func `a path and a depth lead into objects of known classes`() throws {
    let bytes = try Shared.bytes("corpus/generated/gnustep-1.28/arr.gsa")
    let whole = try Self.write(bytes, .tree)
    #expect(whole.contains("\nroot @ NSArray v1 #1, 3 elements"), "\(whole)")
    #expect(whole.contains("\n  [0] NSNumber 4 #2"), "\(whole)")
    let cut = try Self.write(bytes, .tree, depth: 0)
    #expect(cut.utf8.count < whole.utf8.count && cut.contains(" …"), "\(cut)")
    let part = try Self.write(bytes, .tree, path: "/root/0")
    #expect(part.hasPrefix("0: NSNumber"), "\(part)")
    #expect(try Self.write(bytes, .json, path: "/root/0").contains(#""path":"/root/0""#))
  }

  // MARK: Differences

  @Test func `a changed item is told below its object and nothing else`() throws {
    #expect(try ConversionTests.differences(Self.small, Self.small) == (0, ""))
    var changed = Self.small
    changed[67] = 9
    let (count, text) = try ConversionTests.differences(Self.small, changed)
    #expect(count == 1)
    #expect(text == "--- a\n+++ b\n@@ /0 @@\n-0: 7\n+0: 9\n")
  }

  /// Two objects of a class, and a reference to one of them.
  static func pair(referringTo number: UInt8) -> [UInt8] {
    Array("GNUstep archive000f4240:00000001:00000002:00000000:".utf8)
      + [0x30, 1, 0x31, 1, 0, 1, 0x54, 0, 0, 0, 3, 0]
      + [0x26, 0, 0, 0, 7, 0x30, 2, 0xB1, 1, 0x26, 0, 0, 0, 8, 0xB0, number]
  }

  @Test func `a reference that leads elsewhere differs though the items look alike`() throws {
    let (one, two) = (Self.pair(referringTo: 1), Self.pair(referringTo: 2))
    #expect(try ConversionTests.differences(one, one).0 == 0)
    let (count, text) = try ConversionTests.differences(one, two)
    #expect(count == 1)
    #expect(text.contains("@@ /1 @@\n-1: T → /0\n+1: T → /1\n"), "\(text)")
  }

  @Test func `an object more does not change those behind it`() throws {
    func archive(_ numbers: [Int]) -> [UInt8] {
      var writer = GNUstepWriter()
      for number in numbers {
        writer.beginObject("T")
        writer.addWhole(number, type: 5, width: 4)
        writer.addWhole(number * number, type: 5, width: 4)
      }
      return writer.bytes
    }
    let text = try ConversionTests.differences(archive([1, 2, 4, 5]), archive([1, 2, 3, 4, 5])).1
    #expect(text == "--- a\n+++ b\n@@ / @@\n+2: T v3\n+  0 i 3\n+  1 i 9\n")
  }

  @Test func `an archive of known classes is compared with one of unknown classes`() throws {
    var (known, unknown) = (GNUstepWriter(), GNUstepWriter())
    known.beginList("NSArray", count: 1)
    known.addString("a")
    unknown.beginList("NSArray", count: 2)
    unknown.addString("a")
    unknown.beginObject("T")
    let (count, text) = try ConversionTests.differences(known.bytes, unknown.bytes)
    #expect(count == 3 && text.contains("+2: T v3\n"), "\(text)")
    #expect(text.contains("-0: 1\n+0: 2\n"), "\(text)")
  }

  @Test func `an archive of another kind is refused`() throws {
    let error = #expect(throws: InspectionError.self) {
      try ConversionTests.differences(Self.small, ConversionTests.archive(names: ["a"]))
    }
    #expect(error?.code == .usage)
  }

  @Test(arguments: files)
  func `a genuine archive does not differ from itself, and from any other`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes(file)
    #expect(try ConversionTests.differences(bytes, bytes).0 == 0)
    #expect(try ConversionTests.differences(bytes, Self.small).0 > 0)
  }

  @Test(arguments: files)
  func `a genuine archive is shown with every object once, in every form`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes(file)
    let archive = try InspectedArchive(bytes)
    try GNUstepLaws.check(bytes)
    let text = try Self.write(bytes, .raw)
    #expect(!text.utf8.contains { ($0 < 0x20 && $0 != 0x0A) || $0 == 0x7F })
    for number in archive.nodes.indices.compactMap({ archive.number(of: $0) }) {
      let mark = "  #\(number) "
      #expect(text.split(separator: "\n").count { $0.contains(mark) } == 1, "\(mark)")
    }
  }
}
