import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection
@testable import PropertyLists

/// The reversible form: an archive as JSON, and the archive made of it again.
@Suite struct ExactTests {
  static func exact(_ bytes: [UInt8]) throws -> [UInt8] {
    let collected = CollectedOutput()
    _ = try InspectedArchive(bytes).writeExact(ValueOptions(), to: collected.output)
    return collected.bytes
  }

  /// What differs between two archives.
  static func differences(_ first: [UInt8], _ second: [UInt8]) throws -> String {
    let collected = CollectedOutput()
    var difference = ArchiveDifference(
      try InspectedArchive(first), try InspectedArchive(second), names: ("a", "b"), form: .text,
      hasColours: false, send: { collected.add($0) })
    return try difference.write() == 0 ? "" : collected.text
  }

  /// The same text with numbers in the order in which they come.
  static func renumbered(_ text: [UInt8]) -> String {
    var numbers: [Substring: Int] = [:]
    var result = ""
    var rest = String(decoding: text, as: UTF8.self)[...]
    while let mark = rest.firstRange(of: /"\$(id|ref)":/) {
      result += rest[..<mark.upperBound]
      rest = rest[mark.upperBound...]
      let number = rest.prefix { $0 != "," && $0 != "}" }
      rest = rest[number.endIndex...]
      let known = numbers[number] ?? numbers.count
      numbers[number] = known
      result += String(known)
    }
    return result + rest
  }

  @Test(arguments: SharedArchives.genuine(["bplist00", "xml"]))
  func `a genuine archive comes back as it was`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    let text = try Self.exact(bytes)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text)) }
    let again = try ArchiveConversion.convert(text, to: .keyed)
    #expect(try Self.differences(bytes, again) == "")
    #expect(try Self.renumbered(Self.exact(again)) == Self.renumbered(text))
  }

  @Test(arguments: 1...60)
  func `a random graph comes back as it was`(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let bytes = try RandomGraph.archive(&random)
    let text = try Self.exact(bytes)
    let again = try ArchiveConversion.convert(text, to: .keyed)
    #expect(try Self.differences(bytes, again) == "", "seed \(seed)")
    #expect(try Self.renumbered(Self.exact(again)) == Self.renumbered(text), "seed \(seed)")
    // Values are JSON, and the same whatever the numbers are.
    let values = try ValueSamples.roots(bytes)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(values.utf8)) }
  }

  @Test func `a list that holds itself is written once`() throws {
    let head = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
    let trailer: [UInt8] =
      Array(repeating: 0, count: 6) + [1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
      + Array(repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, 10]
    let bytes = head + trailer
    let text = try Self.exact(bytes)
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        "{\"$id\":\"c0\",\"$array\":[{\"$ref\":\"c0\"}]}"))
    #expect(throws: (any Error).self) { try ArchiveConversion.convert(text, to: .keyed) }
  }

  @Test func `long names and hints of classes come back`() throws {
    let name = "_TtGC7MyApp3Box" + String(repeating: "A", count: 900)
    let text = Self.exactRoot(
      "{\"$id\":1,\"$class\":[\"\(name)\",\"NSObject\"],\"$hints\":[\"Box\",\"Old\"],\"x\":1}")
    let bytes = try ArchiveConversion.convert(Array(text.utf8), to: .keyed)
    #expect(
      String(decoding: try Self.exact(bytes), as: UTF8.self).contains(
        "\"$hints\":[\"Box\",\"Old\"]"))
    #expect(try ValueSamples.roots(bytes).contains(name))
    let again = try ArchiveConversion.convert(Self.exact(bytes), to: .keyed)
    #expect(try Self.differences(bytes, again) == "")
    let object = try InspectedArchive(again).archivedClass(of: 1)
    #expect(object?.chain == [name, "NSObject"] && object?.hints == ["Box", "Old"])
    let other = try ArchiveConversion.convert(
      Array(text.replacingOccurrences(of: ",\"$hints\":[\"Box\",\"Old\"]", with: "").utf8),
      to: .keyed)
    #expect(try Self.differences(bytes, other) != "")
    let far = text.replacingOccurrences(of: "AAAA", with: "AAAAAAAA")
    let long = try ArchiveConversion.convert(Array(far.utf8), to: .keyed)
    #expect(throws: InspectionError.self) { try Self.exact(long) }
  }

  @Test(arguments: [
    "<key>$classes</key><string>A</string>", "<key>$classes</key><array/>",
    "<key>$classes</key><array><string>B</string></array>",
    "<key>$classes</key><array><string>A</string><integer>1</integer></array>",
    "<key>$classhints</key><string>B</string>", "<key>other</key><true/>",
  ])
  func `a description of a class that would not come back is refused`(_ entry: String) throws {
    let text = """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>v</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string><dict>
      <key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
      <dict><key>$classname</key><string>A</string>ENTRY</dict></array></dict></plist>
      """
    #expect(throws: InspectionError.self) {
      try Self.exact(Array(text.replacing("ENTRY", with: entry).utf8))
    }
    let sound = "<key>$classes</key><array><string>A</string></array>"
    _ = try Self.exact(Array(text.replacing("ENTRY", with: sound).utf8))
  }

  @Test func `what stands beside the objects comes back`() throws {
    let text =
      """
      {"schema":"portolan-values/1","exact":true,"format":"keyed","archiver":"Other","version":7,\
      "roots":{"$$0":{"$id":1,"$value":{"$date":0.25}},"x":{"$id":2,"$class":["A","B"],"f":\
      {"$float":0.1},"n":{"$float":"nan:7fc00001"},"i":{"$int":"18446744073709551615"},"$$class2":null,\
      "u":{"$utf16":"2AA="}}},"entries":{"$$extra":{"list":[{"$uid":3}]}},"orphans":[{"$id":9,\
      "$value":"alone"}]}

      """
    let bytes = try ArchiveConversion.convert(Array(text.utf8), to: .keyed)
    let archive = try InspectedArchive(bytes)
    #expect(archive.header.archiver == "Other")
    #expect(archive.header.version == 7)
    #expect(archive.header.otherEntries == ["$extra"])
    #expect(archive.orphans.count == 1)
    let again = Self.renumbered(try Self.exact(bytes))
    // A UID leads to the object of that number where the archive has objects.
    #expect(again.contains("\"$$extra\":{\"list\":["))
    for part in ["\"$utf16\":\"2AA=\"", "\"nan:7fc00001\"", "\"$$0\":", "\"$date\":0.25", "alone"] {
      #expect(again.contains(part), "\(part)")
    }
  }

  @Test(arguments: [
    ("{", "no JSON at byte 1"), ("{} x", "no JSON at byte 3"), ("{\"a\":[1,]}", "no JSON"),
    ("{\"a\":1}", "--exact"), ("{\"schema\":\"portolan-values/1\",\"roots\":{}}", "--exact"),
    (exactRoot("{\"$ref\":4}"), "leads to no"), (exactRoot("{\"$ref\":\"c4\"}"), "no container"),
    (exactRoot("{\"$broken\":\"x\"}"), "broken"), (exactRoot("{\"$what\":1}"), "$what"),
    (exactRoot("{\"$id\":1,\"$value\":[]}"), "without parts"), (exactRoot("1e999"), "no number"),
    (exactRoot("[{\"$id\":1,\"$value\":1},{\"$id\":1,\"$value\":1}]"), "two objects"),
    (exactRoot("{\"$id\":1,\"$class\":[\"A\"]}").replacing("keyed", with: "plist"), "no object 1"),
    (exactRoot("{\"$ref\":1}").replacing("keyed", with: "plist"), "no object 1"),
    (exactRoot("{\"$class\":[\"A\"]}").replacing("keyed", with: "plist"), "no classes"),
    (String(exactRoot("1").dropLast()) + ",\"entries\":[1]}", "an object of JSON"),
    (exactRoot("\"\\ud800\""), "surrogates"), (exactRoot("{\"$data\":\"*\"}"), "base64"),
  ])
  func `JSON that is no archive is refused with its reason`(
    _ text: String, _ reason: String
  ) throws {
    let error = try #require(throws: InspectionError.self) {
      try ArchiveConversion.convert(Array(text.utf8), to: .keyed)
    }
    #expect(error.description.contains(reason), "\(error.description)")
  }

  private static func exactRoot(_ value: String) -> String {
    "{\"schema\":\"portolan-values/1\",\"exact\":true,\"format\":\"keyed\",\"roots\":{\"r\":\(value)}}"
  }

  @Test func `deep text needs no stack`() throws {
    let text = Self.exactRoot(
      String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000))
    let size = SmallStack.run(256 << 10) {
      (try? ExactReader.archive(Array(text.utf8)).count) ?? 0
    }
    #expect(size > 20_000)
  }
}

/// Random keyed archives: objects of some classes, values of all kinds, shared parts and circles.
enum RandomGraph {
  private static let names = ["Thing", "NSArray", "NSDictionary", "NSDate", "NSSet", "Note"]
  private static let keys = ["a", "é", "$b", "NS.objects", "NS.keys", "NS.time", "", "x/y~"]

  static func archive(_ random: inout SeededGenerator) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let count = Int.random(in: 1...30, using: &random)
    let top = writer.reserve()
    var objects = [writer.addString("$null")]
    let records = names.map { name in
      let (record, chain) = (writer.reserve(), writer.reserve())
      writer.setArray(chain, [writer.addString(name), writer.addString("NSObject")])
      writer.setDictionary(
        record, keys: [writer.addString("$classname"), writer.addString("$classes")],
        values: [writer.addString(name), chain])
      return record
    }
    for _ in 0..<count {
      objects.append(object(count, &writer, &random))
    }
    objects += records
    let list = writer.reserve()
    writer.setArray(list, objects)
    let roots = writer.reserve()
    let rootKeys = ["root", "$1", "other"].prefix(Int.random(in: 1...3, using: &random))
    writer.setDictionary(
      roots, keys: rootKeys.map { writer.addString($0) },
      values: rootKeys.map { _ in
        writer.addUID(UInt32.random(in: 0...UInt32(count), using: &random))
      }
    )
    writer.setDictionary(
      top, keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, list,
      ])
    return try writer.finish(top: top)
  }

  private static func object(
    _ count: Int, _ writer: inout BinaryPropertyListWriter, _ random: inout SeededGenerator
  ) -> PropertyListReference {
    guard Int.random(in: 0..<10, using: &random) > 2 else { return leaf(&writer, &random) }
    let fields = keys.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
    var values: [PropertyListReference] = []
    for _ in fields { values.append(value(count, 3, &writer, &random)) }
    let kind = UInt32.random(in: 0..<UInt32(names.count), using: &random)
    values.append(writer.addUID(UInt32(count) + 1 + kind))
    let body = writer.reserve()
    writer.setDictionary(
      body, keys: (fields + ["$class"]).map { writer.addString($0) }, values: values)
    return body
  }

  private static func value(
    _ count: Int, _ depth: Int, _ writer: inout BinaryPropertyListWriter,
    _ random: inout SeededGenerator
  ) -> PropertyListReference {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &random) {
    case 0..<5: return writer.addUID(UInt32.random(in: 0...UInt32(count), using: &random))
    case 5..<8: return leaf(&writer, &random)
    case 8:
      var elements: [PropertyListReference] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        elements.append(value(count, depth - 1, &writer, &random))
      }
      let array = writer.reserve()
      if Bool.random(using: &random) {
        writer.setArray(array, elements)
      } else {
        writer.setSet(array, elements)
      }
      return array
    default:
      let fields = keys.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      var values: [PropertyListReference] = []
      for _ in fields { values.append(value(count, depth - 1, &writer, &random)) }
      let dictionary = writer.reserve()
      writer.setDictionary(dictionary, keys: fields.map { writer.addString($0) }, values: values)
      return dictionary
    }
  }

  private static func leaf(
    _ writer: inout BinaryPropertyListWriter, _ random: inout SeededGenerator
  ) -> PropertyListReference {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return writer.addString(
        ["", "text", "é😀", "$x", "a\"\\\n\u{1}"].randomElement(using: &random) ?? "")
    case 1: return writer.addInteger(Int64(truncatingIfNeeded: random.next()))
    case 2: return writer.addInteger(Int64.random(in: -3...3, using: &random))
    case 3: return writer.addUnsigned(random.next())
    case 4: return writer.addDouble(Double(bitPattern: random.next()))
    case 5:
      return writer.addDouble(
        [0, -0.0, 2, 1e300, .nan, .infinity].randomElement(using: &random) ?? 0)
    case 6: return writer.addFloat(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
    case 7: return writer.addDate(Double.random(in: -1e10...1e10, using: &random))
    case 8: return writer.addBool(Bool.random(using: &random))
    default: return writer.addData((0..<Int.random(in: 0...40, using: &random)).map { UInt8($0) })
    }
  }
}
