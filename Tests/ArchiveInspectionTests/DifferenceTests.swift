import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import ArchiveInspection

/// Differences are as short as the change, told apart by their values, and found in linear time.
@Suite struct DifferenceTests {
  /// A place with a name, the next place and a friend.
  final class Place: Coding {
    let name: String
    var next: Place?
    var friend: Place?
    static var archivedClass: ArchivedClass { "Place" }

    init(_ name: String, next: Place? = nil) { (self.name, self.next) = (name, next) }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeObject(next, forKey: "next")
      try coder.encodeObject(friend, forKey: "friend")
    }

    init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
  }

  /// Places in a chain, of which the last refers to another of them by its index.
  private static func chain(_ count: Int, friend: Int) throws -> [UInt8] {
    var places: [Place] = []
    for index in (0..<count).reversed() {
      places.append(Place("place \(index)", next: places.last))
    }
    places[0].friend = places[count - 1 - friend]
    let archiver = KeyedArchiver()
    try archiver.encodeObject(places[count - 1], forKey: "root")
    return try archiver.finish()
  }

  private static func json(_ first: [UInt8], _ second: [UInt8]) throws -> String {
    let collected = CollectedOutput()
    var difference = ArchiveDifference(
      try InspectedArchive(first), try InspectedArchive(second), names: ("a", "b"), form: .json,
      hasColours: false, send: { collected.add($0) })
    _ = try difference.write()
    return collected.text
  }

  @Test func `A reference to another object of both archives is told as its place`() throws {
    let (count, text) = try ConversionTests.differences(
      Self.chain(6, friend: 1), Self.chain(6, friend: 3))
    #expect(count == 1)
    #expect(
      text == """
        --- a
        +++ b
        @@ /root/next/next/next/next/next @@
        -friend: Place → /root/next
        +friend: Place → /root/next/next/next

        """)
  }

  @Test func `An added object is written once, and its references into both as places`() throws {
    let (first, second) = (Place("a"), Place("a"))
    let shared = Place("shared", next: Place("far"))
    (first.next, second.next) = (shared, shared)
    second.friend = Place("new", next: shared)
    var archives: [[UInt8]] = []
    for place in [first, second] {
      let archiver = KeyedArchiver()
      try archiver.encodeObject(place, forKey: "root")
      archives.append(try archiver.finish())
    }
    let (count, text) = try ConversionTests.differences(archives[0], archives[1])
    #expect(count == 1)
    #expect(text.contains("+friend: Place\n"))
    #expect(text.contains("+  name: \"new\"\n+  next: Place → /root/next\n"))
    #expect(!text.contains("far"))
  }

  @Test func `References that differ far below differ as stable text too`() throws {
    let texts = try [(40, 20), (40, 21)].map { count, friend in
      try InspectedArchive(Self.chain(count, friend: friend)).tree { $0.isStable = true }
    }
    #expect(texts[0] != texts[1])
    #expect(
      try InspectedArchive(Self.chain(40, friend: 20)).tree { $0.isStable = true } == texts[0])
  }

  @Test func `JSON tells both sides with their types, and whole paths`() throws {
    func list(_ body: (inout BinaryPropertyListWriter) -> PropertyListReference) throws -> [UInt8] {
      var writer = BinaryPropertyListWriter()
      var inner = body(&writer)
      for _ in 0..<40 {
        let outer = writer.reserve()
        writer.setArray(outer, [inner])
        inner = outer
      }
      return try writer.finish(top: inner)
    }
    let path = String(repeating: "/0", count: 40)
    let integer = try list { $0.addInteger(1) }
    let text = try list { $0.addString("1") }
    #expect(
      try Self.json(integer, text)
        == "[\n{\"path\":\"\(path)\",\"change\":\"changed\",\"old\":1,\"new\":\"1\"}\n]\n")
    let data = try [[UInt8](1...4), [UInt8](2...5)].map { bytes in try list { $0.addData(bytes) } }
    #expect(
      try Self.json(data[0], data[1]).contains(
        "\"old\":{\"data\":{\"hex\":\"01020304\"}},\"new\":{\"data\":{\"hex\":\"02030405\"}}"))
    #expect(
      try InspectedArchive(integer).value(at: InspectionPath(path)) == .integer(1))
    let objects = try Self.json(Self.chain(3, friend: 0), Self.chain(3, friend: 1))
    #expect(objects.contains("\"old\":{\"object\":\"Place\",\"path\":\"/root\"}"))
    #expect(objects.contains("\"new\":{\"object\":\"Place\",\"path\":\"/root/next\"}"))
  }

  @Test func `Long values that are referred to again and again are compared once`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let text = writer.addString(String(repeating: "long ", count: 20_000))
    let data = writer.addData([UInt8](repeating: 7, count: 100_000))
    let row = writer.reserve()
    writer.setArray(row, Array(repeating: text, count: 200))
    writer.setArray(
      top, (0..<30_000).map { $0 % 3 == 0 ? text : $0 % 3 == 1 ? data : row })
    let bytes = try writer.finish(top: top)
    let start = ContinuousClock.now
    #expect(try ConversionTests.differences(bytes, bytes).0 == 0)
    // 30,000 comparisons of 100 kB take minutes.
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `A list does not differ from its XML form, which shares nothing`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let inner = writer.reserve()
    writer.setArray(inner, [writer.addString("text")])
    writer.setArray(top, [inner, inner, inner])
    let binary = try writer.finish(top: top)
    let xml = try ArchiveConversion.convert(binary, to: .xml)
    #expect(try ConversionTests.differences(binary, xml) == (0, ""))
    #expect(try ConversionTests.differences(xml, binary) == (0, ""))
    let other = Array(
      String(decoding: xml, as: UTF8.self).replacing("text", with: "next", maxReplacements: 1).utf8)
    #expect(try ConversionTests.differences(binary, other).0 == 1)
  }

  @Test(arguments: SharedArchives.genuine(["bplist00", "xml"]))
  func `A list does not differ from its XML form, whatever it holds`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    guard try InspectedArchive(bytes).header.format == .propertyList,
      let xml = try? ArchiveConversion.convert(bytes, to: .xml)
    else { return }
    let (count, text) = try ConversionTests.differences(
      xml, ArchiveConversion.convert(xml, to: .keyed))
    #expect(count == 0, "\(text.prefix(300))")
  }

  @Test func `Another version, entry or object that nothing leads to is a difference`() throws {
    let bytes = try ConversionTests.archive(names: ["a"])
    let text = String(
      decoding: try ArchiveConversion.convert(bytes, to: .xml), as: UTF8.self)
    let version = text.replacing("<integer>100000</integer>", with: "<integer>100001</integer>")
    let (count, told) = try ConversionTests.differences(bytes, Array(version.utf8))
    #expect(count == 1)
    #expect(told == "--- a\n+++ b\n@@ $version @@\n-100000\n+100001\n")
    let entry = text.replacing(
      "<key>$version</key>", with: "<key>more</key><true/><key>$version</key>")
    #expect(try ConversionTests.differences(bytes, Array(entry.utf8)).0 == 1)
    let place = try #require(text.range(of: "\t</array>", options: .backwards))
    let orphan = text.replacingCharacters(in: place, with: "\t<string>z</string>\n\t</array>")
    let (orphans, words) = try ConversionTests.differences(bytes, Array(orphan.utf8))
    #expect(orphans == 1 && words.contains("@@ nothing leads to @@\n-0 objects\n+1 object\n"))
  }
}
