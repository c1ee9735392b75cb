import Archiving
import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// Archives of GNUstep are shown item by item.
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
    try InspectedFile(bytes).write(
      form, at: InspectionPath(path), options, to: collected.output)
    return collected.text
  }

  @Test func `items stand below the object that began last`() throws {
    let expected = """
      format    GNUstep archive (sequential)
      written   by NSArchiver of GNUstep, version 1000000
      size      95 bytes, 1 object, 1 string or pointer, 1 class

      #1 T  (T v3)
        I 7
        i -2
        [2S] "ab"
        @ → #1
        * "␛[A" *1
        @ nil

      """
    #expect(try Self.write(Self.small, .tree) == expected)
  }

  @Test func `JSON tells every item with its place`() throws {
    let text = try Self.write(Self.small, .json)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let items = try #require(root["items"] as? [[String: Any]])
    #expect(items.compactMap { $0["at"] as? Int } == [51, 63, 68, 73, 83, 85, 94])
    #expect(items[3]["hex"] as? String == "00610062")
    #expect(items[5]["value"] as? String == "\u{1B}[A")
    #expect(!text.utf8.contains(0x1B))
  }

  @Test func `a path and a depth are refused where classes are not known`() throws {
    for (path, depth) in [("/root", nil), ("/", 2)] as [(String, Int?)] {
      for form in [InspectionForm.tree, .raw, .statistics] {
        let error = #expect(throws: InspectionError.self) {
          try Self.write(Self.small, form, path: path, depth: depth)
        }
        #expect(error?.code == (form == .tree ? .unsupported : .usage))
      }
    }
    let error = #expect(throws: InspectionError.self) { try InspectedArchive(graphOf: Self.small) }
    #expect(error?.code == .unsupported)
  }

  @Test(.enabled(if: Shared.exists("corpus/generated/gnustep-1.28/dict.gsa")))
  func `a path and a depth lead into objects of known classes`() throws {
    let bytes = try Shared.bytes("corpus/generated/gnustep-1.28/arr.gsa")
    let whole = try Self.write(bytes, .tree, depth: 9)
    #expect(whole.hasPrefix("format    GNUstep archive (sequential)\n\nroot"), "\(whole)")
    #expect(!whole.contains("#"), "\(whole)")
    let cut = try Self.write(bytes, .tree, depth: 0)
    #expect(cut.utf8.count < whole.utf8.count && cut.contains(" …\n"), "\(cut)")
    let part = try Self.write(bytes, .tree, path: "/root/0")
    #expect(part.hasPrefix("0: ") || part.hasPrefix("[0] "), "\(part)")
    #expect(whole.contains(part.split(separator: "\n")[0].dropFirst(4)), "\(part)")
    #expect(try Self.write(bytes, .json, path: "/root/0").contains(#""path":"/root/0""#))
  }

  static func differences(
    _ first: [UInt8], _ second: [UInt8], _ form: ArchiveDifference.Form = .text
  ) throws -> (Int, String) {
    let collected = CollectedOutput()
    let count = try InspectedFile(first).compare(
      with: InspectedFile(second), names: ("a", "b"), form: form, hasColours: false,
      send: { collected.add($0) })
    return (count, collected.text)
  }

  @Test func `a changed item is told below its object and nothing else`() throws {
    #expect(try Self.differences(Self.small, Self.small) == (0, ""))
    #expect(try Self.differences(Self.small, Self.small, .json) == (0, "[]\n"))
    var changed = Self.small
    changed[67] = 9
    let (count, text) = try Self.differences(Self.small, changed)
    #expect(count == 1)
    #expect(text == "--- a\n+++ b\n@@ /#1 T @@\n-  I 7\n+  I 9\n")
    let json = try Self.differences(Self.small, changed, .json).1
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(list.count == 1 && list[0]["change"] as? String == "changed")
    #expect((list[0]["new"] as? [String: Any])?["value"] as? Int == 9)
  }

  /// Two objects of a class, and a reference to one of them.
  static func pair(referringTo number: UInt8) -> [UInt8] {
    Array("GNUstep archive000f4240:00000001:00000002:00000000:".utf8)
      + [0x30, 1, 0x31, 1, 0, 1, 0x54, 0, 0, 0, 3, 0]
      + [0x26, 0, 0, 0, 7, 0x30, 2, 0xB1, 1, 0x26, 0, 0, 0, 8, 0xB0, number]
  }

  @Test func `a reference that leads elsewhere differs though the items look alike`() throws {
    let (one, two) = (Self.pair(referringTo: 1), Self.pair(referringTo: 2))
    #expect(try Self.differences(one, one).0 == 0)
    let (count, text) = try Self.differences(one, two)
    #expect(count == 1)
    #expect(text == "--- a\n+++ b\n@@ /#2 T @@\n-  @ → #1\n+  @ → #2\n")
  }

  @Test func `an archive of another kind is refused`() throws {
    let error = #expect(throws: InspectionError.self) {
      try Self.differences(Self.small, ConversionTests.archive(names: ["a"]))
    }
    #expect(error?.code == .usage)
  }

  @Test(arguments: files)
  func `a genuine archive does not differ from itself, and from any other`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes(file)
    #expect(try Self.differences(bytes, bytes).0 == 0)
    #expect(try Self.differences(bytes, Self.small).0 > 0)
  }

  @Test(arguments: files)
  func `a genuine archive is shown with every object once, in every form`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes(file)
    let archive = try GNUstepArchive(bytes)
    for form in [InspectionForm.tree, .raw] {
      let text = try Self.write(bytes, form)
      #expect(!text.utf8.contains { ($0 < 0x20 && $0 != 0x0A) || $0 == 0x7F })
      for number in 0..<archive.objectCount {
        let mark = "#\(number + 1) "
        let shown = text.split(separator: "\n").filter {
          $0.hasPrefix(mark) || $0.contains("  " + mark)
        }
        #expect(shown.count == 1, "\(mark)")
      }
    }
    for form in [InspectionForm.json, .statisticsJSON] {
      let parsed = try JSONSerialization.jsonObject(with: Data(Self.write(bytes, form).utf8))
      let root = try #require(parsed as? [String: Any])
      #expect((root["classes"] as? [Any])?.isEmpty == false)
    }
  }

  @Test func `a changed byte is shown or refused`() throws {
    for place in Self.small.indices {
      for value in [0, 0x15, 0x30, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = Self.small
        bytes[place] = value
        for form in [InspectionForm.tree, .json, .raw, .statistics] {
          do {
            let text = try Self.write(bytes, form)
            #expect(!text.utf8.contains(0x1B))
          } catch is InspectionError {
          }
        }
      }
      #expect(throws: Never.self) {
        do { _ = try Self.write(Array(Self.small.prefix(place)), .raw) } catch is InspectionError {
        }
      }
    }
  }
}
