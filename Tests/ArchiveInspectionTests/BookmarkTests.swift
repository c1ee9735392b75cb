import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import ArchiveInspection

/// Bookmarks of files: the reader returns the items of the writer, inside of archives too, and
/// survives damage.
@Suite struct BookmarkTests {
  private static let path = "\"path\":[\"Users\",\"zoë\",\"europe.doc\"]"

  /// An archive whose root has a bookmark.
  private static func archive(_ bookmark: [UInt8]) -> [UInt8] {
    let data = Data(bookmark).base64EncodedString()
    return ValueSamples.keyed([
      ValueSamples.object("<key>mark</key><data>\(data)</data>", class: 2),
      ValueSamples.objectClass("Item"),
    ])
  }

  @Test(arguments: [false, true])
  func `The entries have names, and flags are words`(_ isAliasFile: Bool) throws {
    var writer = BookmarkWriter.document
    writer.isAliasFile = isAliasFile
    let roots = try ValueSamples.roots(writer.bytes)
    for part in [
      Self.path, "\"fileIDs\":[23307,564764,54838727]",
      "\"fileFlags\":[\"regularFile\",\"readable\",\"writable\"]",
      "\"creationDate\":\"2024-12-31T12:00:00.25Z\"", "\"volumePath\":[\"/\"]",
      "\"volumeURL\":\"file:///\"", "\"volumeName\":\"Macintosh HD\"",
      "\"volumeSize\":494384795648", "\"volumeFlags\":[\"local\",\"internal\",\"journaling\"]",
      "\"isRootVolume\":true", "\"folderIndex\":1", "\"userName\":\"zoë\"",
      "\"bookmarkCreationDate\":\"2024-12-31T12:00:01.5Z\"",
      "\"table 2\":{\"0x1054\":null,\"diskImage\":\"00010203-0405-0607-0809-0A0B0C0D0E0F\"}",
    ] {
      #expect(roots.contains(part), "\(part) in \(roots)")
    }
    let other = Array("alis".utf8) + writer.bytes.dropFirst(4)
    #expect(try ValueSamples.roots(other) == roots)
    let tree = try InspectedArchive(writer.bytes).tree()
    #expect(tree.hasPrefix("format    bookmark (of a file)\n"), "\(tree)")
    #expect(tree.contains("volumeName: \"Macintosh HD\"\n"), "\(tree)")
    #expect(try ValueSamples.roots(writer.bytes, at: "/path/2") == "\"europe.doc\"")
  }

  @Test func `Data that hold a bookmark tell the way to the file`() throws {
    let bytes = Self.archive(BookmarkWriter.document.bytes)
    let tree = try InspectedArchive(bytes).tree { $0.columns = 120 }
    #expect(tree.contains("bookmark of \"/Users/zoë/europe.doc\" on Macintosh HD, created"))
    #expect(tree.contains("1 data value holds an archive"))
    let plain = try ValueSamples.roots(bytes)
    let held = "\"holds\":\"bookmark\",\"path\":\"/Users/zoë/europe.doc\""
    #expect(plain.contains(held), "\(plain)")
    let nested = try ValueSamples.roots(bytes) { $0.isNested = true }
    let start = "\"mark\":{\"$nested\":\"bookmark\",\"roots\":{\(Self.path)"
    #expect(nested.contains(start), "\(nested)")
  }

  @Test func `Data that only begin like a bookmark stay data`() throws {
    let bytes = Self.archive(Array("book".utf8) + Array(repeating: 48, count: 60))
    let nested = try ValueSamples.roots(bytes) { $0.isNested = true }
    #expect(nested.contains("\"$data\":"), "\(nested)")
    #expect(try InspectedArchive(bytes).tree().contains("64 bytes 626f6f6b"))
  }

  // MARK: Laws

  private static func random(
    _ generator: inout SeededGenerator, depth: Int = 0
  ) -> (item: BookmarkWriter.Item, json: String) {
    let bits = generator.next()
    switch bits % (depth < 3 ? 10 : 8) {
    case 0:
      let text = String(repeating: "ä/", count: Int(bits >> 8 % 9))
      return (.string(text), "\"\(text)\"")
    case 1:
      let value = Int32(truncatingIfNeeded: bits >> 8)
      return (.int32(value), "\(value)")
    case 2:
      let value = Int64(bits >> 20)
      return (.int64(-value), "\(-value)")
    case 3:
      let value = Double(bits >> 12) / 8
      return (.double(value.bitPattern), value.description)
    case 4: return (.bool(bits & 256 != 0), bits & 256 != 0 ? "true" : "false")
    case 5: return (.null, "null")
    case 6: return (.url("file:///\(bits)"), "\"file:///\(bits)\"")
    case 7:
      let bytes = (0..<Int(bits >> 8 % 20)).map { UInt8(truncatingIfNeeded: $0) }
      let data = Data(bytes).base64EncodedString()
      return (.data(bytes), "{\"$data\":\"\(data)\",\"bytes\":\(bytes.count)}")
    case 8:
      let parts = (0..<Int(bits >> 8 % 4)).map { _ in random(&generator, depth: depth + 1) }
      return (.array(parts.map(\.item)), "[" + parts.map(\.json).joined(separator: ",") + "]")
    default:
      let parts = (0..<Int(bits >> 8 % 4)).map { _ in random(&generator, depth: depth + 1) }
      let items = parts.enumerated().flatMap { [.string("k\($0.offset)"), $0.element.item] }
      let members = parts.enumerated().map { "\"k\($0.offset)\":\($0.element.json)" }
      return (.dictionary(items), "{" + members.joined(separator: ",") + "}")
    }
  }

  @Test(arguments: 0..<60)
  func `What the writer wrote the reader returns`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let parts = (0..<8).map { _ in Self.random(&generator) }
    let entries = parts.enumerated().map {
      (key: UInt32(0x4000 + $0.offset), item: $0.element.item)
    }
    let roots = try ValueSamples.roots(BookmarkWriter(entries).bytes)
    let members = parts.enumerated().map {
      "\"0x\(String(0x4000 + $0.offset, radix: 16))\":\($0.element.json)"
    }
    #expect(roots == "{" + members.joined(separator: ",") + "}")
  }

  // MARK: Damage

  @Test func `Cuts and flipped bits are survived in every form`() throws {
    let bytes = BookmarkWriter.document.bytes
    var inputs = (16..<bytes.count).map { Array(bytes[..<$0]) }
    for place in bytes.indices {
      for bit in [0, 3, 7] {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        inputs.append(damaged)
      }
    }
    for input in inputs {
      guard let file = try? InspectedArchive(input) else { continue }
      for form in [InspectionForm.tree, .json, .statistics] {
        let output = TextOutput(inputCount: input.count) { _ in }
        try Inspector(file).write(form, at: InspectionPath(""), TreeOptions(), to: output)
      }
      let output = TextOutput(inputCount: input.count) { _ in }
      try file.writeValues(at: InspectionPath(""), ValueOptions(), to: output)
    }
  }

  @Test func `Cycles, lost items and repeated bytes are bounded and told`() throws {
    // The array is the first item, at 4: its one element becomes itself.
    var bytes = BookmarkWriter([(0x1004, .array([.string("a")]))]).bytes
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [4, 0, 0, 0, 1, 6]) })
    bytes[start + 8] = UInt8(start - 48)
    #expect(try ValueSamples.roots(bytes).contains("\"$ref\""))
    bytes[start + 10] = 9
    let archive = try InspectedArchive(bytes)
    #expect(archive.firstBroken?.hasPrefix("no item at byte") == true)
    // Many entries, each of which is most of the file as another item.
    let text = String(repeating: "x", count: 4_000)
    var many = BookmarkWriter((0..<400).map { (0x4000 + UInt32($0), .string(text)) })
    many.tables[0].entries[0].item = .array((0..<900).map { .string("\($0)") })
    #expect(try InspectedArchive(many.bytes).brokenCount == 0)
    var shared = Array("book".utf8) + [0, 0, 0, 0, 0, 0, 4, 16, 48, 0, 0, 0]
    shared += Array(repeating: 0, count: 32) + [4, 0, 0, 0]
    // A table of 2,000 entries, which lead to the headers of items that go to the end.
    shared += [0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0, 0xD0, 7, 0, 0]
    let base = 24 + 12 * 2_000
    for entry in 0..<2_000 {
      let place = base + 8 * entry
      shared += [UInt8(entry & 255), UInt8(entry >> 8), 0, 0]
      shared += [UInt8(place & 255), UInt8(place >> 8 & 255), UInt8(place >> 16), 0, 0, 0, 0, 0]
    }
    for entry in 0..<2_000 {
      let rest = 8 * (1_999 - entry)
      shared += [UInt8(rest & 255), UInt8(rest >> 8), 0, 0, 1, 2, 0, 0]
    }
    #expect(throws: InspectionError.self) { try InspectedArchive(shared) }
  }
}
