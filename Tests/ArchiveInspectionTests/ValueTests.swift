import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection
@testable import Archiving
@testable import PropertyLists

/// Resolved values: what the objects of an archive stand for.
@Suite struct ValueTests {
  /// One object of a class, and the value that it is.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var fields: String
    var json: String
    var testDescription: String { name + " " + json }

    init(_ name: String, _ fields: String, _ json: String) {
      self.name = name
      self.fields = fields
      self.json = json
    }
  }

  /// The objects 3 to 7 are "a", "b", 12, "$c" and an empty dictionary.
  static let cases: [Case] = [
    Case("NSNull", "", "null"),
    Case("NSMutableString", "<key>NS.string</key><string>x</string>", "\"x\""),
    Case(
      "NSDate", "<key>NS.time</key><real>757339200.25</real>", "\"2024-12-31T12:00:00.25Z\""),
    Case("NSDate", "<key>NS.time</key><real>-0.75</real>", "\"2000-12-31T23:59:59.25Z\""),
    Case("NSDate", "<key>NS.time</key><real>1e300</real>", "{\"$date\":1e+300}"),
    Case(
      "NSURL", ValueSamples.uid(0, "NS.base") + ValueSamples.uid(3, "NS.relative"), "\"a\""),
    Case(
      "NSUUID", "<key>NS.uuidbytes</key><data>AAECAwQFBgcICQoLDA0ODw==</data>",
      "\"00010203-0405-0607-0809-0A0B0C0D0E0F\""),
    Case(
      "NSMutableData", "<key>NS.data</key><data>YnBsaXN0MDA=</data>",
      "{\"$data\":\"YnBsaXN0MDA=\",\"bytes\":8,\"holds\":\"bplist\"}"),
    Case("NSArray", ValueSamples.row("NS.objects", [3, 5, 3]), "[\"a\",12,\"a\"]"),
    Case("NSArray", ValueSamples.row("NS.objects", []), "[]"),
    Case("NSMutableSet", ValueSamples.row("NS.objects", [4]), "{\"$set\":[\"b\"]}"),
    Case("NSOrderedSet", ValueSamples.row("NS.objects", [4]), "{\"$orderedSet\":[\"b\"]}"),
    Case(
      "NSOrderedSet",
      ValueSamples.uid(3, "NS.object.1") + ValueSamples.uid(4, "NS.object.0"),
      "{\"$orderedSet\":[\"b\",\"a\"]}"),
    Case(
      "NSCountedSet",
      "<key>NS.count</key><integer>1</integer><key>NS.count0</key><integer>3</integer>"
        + ValueSamples.uid(3, "NS.object0"), "{\"$countedSet\":[[\"a\",3]]}"),
    Case(
      "NSDictionary",
      ValueSamples.row("NS.keys", [4, 3]) + ValueSamples.row("NS.objects", [5, 5]),
      "{\"b\":12,\"a\":12}"),
    Case(
      "NSDictionary",
      ValueSamples.row("NS.keys", [6]) + ValueSamples.row("NS.objects", [7]), "{\"$$c\":{}}"),
    Case(
      "NSDictionary",
      ValueSamples.row("NS.keys", [5, 3]) + ValueSamples.row("NS.objects", [3, 4]),
      "{\"$dictionary\":[[12,\"a\"],[\"a\",\"b\"]]}"),
    Case(
      "NSDictionary",
      ValueSamples.row("NS.keys", [3, 3]) + ValueSamples.row("NS.objects", [3, 4]),
      "{\"$dictionary\":[[\"a\",\"a\"],[\"a\",\"b\"]]}"),
    Case(
      "Note",
      ValueSamples.uid(3, "title") + "<key>$class2</key><integer>9007199254740993</integer>",
      "{\"$class\":\"Note\",\"title\":\"a\",\"$$class2\":{\"$int\":\"9007199254740993\"}}"),
    Case(
      "Note", "<key>size</key><real>2.5</real><key>whole</key><real>2</real>",
      "{\"$class\":\"Note\",\"size\":2.5,\"whole\":2.0}"),
    Case(
      "NSValue",
      "<key>NS.special</key><integer>4</integer>" + ValueSamples.uid(5, "NS.rangeval.location")
        + ValueSamples.uid(5, "NS.rangeval.length"),
      "{\"$class\":\"NSValue\",\"$value\":\"range {12, 12}\",\"NS.special\":4,"
        + "\"NS.rangeval.location\":12,\"NS.rangeval.length\":12}"),
    Case(
      "NSAttributedString", ValueSamples.uid(3, "NSString") + ValueSamples.uid(7, "NSAttributes"),
      "{\"$text\":\"a\",\"$runs\":[{\"utf16\":[0,1],\"characters\":[0,1],\"attributes\":{}}]}"),
  ]

  @Test(arguments: cases)
  func `an object of a value class is its value`(_ sample: Case) throws {
    let objects = [
      ValueSamples.object(sample.fields, class: 2), ValueSamples.objectClass(sample.name),
      "<string>a</string>", "<string>b</string>", "<integer>12</integer>", "<string>$c</string>",
      ValueSamples.object(
        ValueSamples.row("NS.keys", []) + ValueSamples.row("NS.objects", []), class: 8),
      ValueSamples.objectClass("NSDictionary"),
    ]
    let roots = try ValueSamples.roots(ValueSamples.keyed(objects))
    #expect(roots == "{\"root\":\(sample.json)}")
  }

  @Test func `runs of a text count units and characters`() throws {
    // Two units, one character each; the attributes of the first run come again in the third.
    let objects = [
      ValueSamples.object(
        ValueSamples.uid(3, "NSString") + ValueSamples.uid(4, "NSAttributes")
          + ValueSamples.uid(9, "NSAttributeInfo"), class: 2),
      ValueSamples.objectClass("NSAttributedString"), "<string>😀é😀</string>",
      ValueSamples.object(ValueSamples.row("NS.objects", [5, 6]), class: 7),
      ValueSamples.object(
        ValueSamples.row("NS.keys", [3]) + ValueSamples.row("NS.objects", [3]), class: 8),
      ValueSamples.object(
        ValueSamples.row("NS.keys", []) + ValueSamples.row("NS.objects", []), class: 8),
      ValueSamples.objectClass("NSArray"), ValueSamples.objectClass("NSDictionary"),
      "<data>AgABAQIA</data>",
    ]
    let roots = try ValueSamples.roots(ValueSamples.keyed(objects))
    let attributes = "\"attributes\":{\"😀é😀\":\"😀é😀\"}"
    #expect(
      roots == "{\"root\":{\"$text\":\"😀é😀\",\"$runs\":["
        + "{\"utf16\":[0,2],\"characters\":[0,1],\(attributes)},"
        + "{\"utf16\":[2,1],\"characters\":[1,1],\"attributes\":{}},"
        + "{\"utf16\":[3,2],\"characters\":[2,1],\(attributes)}]}}")
  }

  // MARK: Shared parts

  @Test(arguments: [(30, false), (31, false), (32, true), (60, true)])
  func `a shared array is repeated up to thirty-two values`(_ count: Int, _ isRef: Bool) throws {
    let objects = [
      ValueSamples.object(ValueSamples.row("NS.objects", [3, 3]), class: 2),
      ValueSamples.objectClass("NSArray"),
      ValueSamples.object(
        ValueSamples.row("NS.objects", Array(repeating: 4, count: count)), class: 2),
      "<integer>1</integer>",
    ]
    let roots = try ValueSamples.roots(ValueSamples.keyed(objects))
    let ones = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
    let both = isRef ? "{\"$id\":3,\"$array\":\(ones)},{\"$ref\":3}" : ones + "," + ones
    #expect(roots == "{\"root\":[\(both)]}")
  }

  @Test func `circles are closed by a reference`() throws {
    let objects = [
      ValueSamples.object(ValueSamples.uid(3, "next"), class: 2), ValueSamples.objectClass("Ring"),
      ValueSamples.object(ValueSamples.uid(1, "next") + ValueSamples.uid(4, "list"), class: 2),
      ValueSamples.object(ValueSamples.row("NS.objects", [4]), class: 5),
      ValueSamples.objectClass("NSArray"),
    ]
    let roots = try ValueSamples.roots(ValueSamples.keyed(objects))
    #expect(
      roots == "{\"root\":{\"$id\":1,\"$class\":\"Ring\",\"next\":{\"$class\":\"Ring\","
        + "\"next\":{\"$ref\":1},\"list\":{\"$id\":4,\"$array\":[{\"$ref\":4}]}}}}")
  }

  @Test func `a long chain and a million references need no stack and no square`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let count = 200_000
    var objects = [writer.addString("$null")]
    let record = writer.reserve()
    let name = writer.addString("Link")
    let chain = writer.reserve()
    writer.setArray(chain, [name])
    writer.setDictionary(
      record, keys: [writer.addString("$classname"), writer.addString("$classes")],
      values: [name, chain])
    objects.append(record)
    let keys = ["$class", "next", "first"].map { writer.addString($0) }
    let first = writer.addUID(2)
    for number in 0..<count {
      let next = writer.addUID(UInt32(number + 1 < count ? number + 3 : 2))
      let body = writer.reserve()
      writer.setDictionary(body, keys: keys, values: [writer.addUID(1), next, first])
      objects.append(body)
    }
    let list = writer.reserve()
    writer.setArray(list, objects)
    let roots = writer.reserve()
    writer.setDictionary(roots, keys: [writer.addString("root")], values: [first])
    writer.setDictionary(
      top, keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, list,
      ])
    let bytes = try writer.finish(top: top)
    let file = try InspectedArchive(bytes)
    let result = SmallStack.run(256 << 10) {
      var length = 0
      _ = try? file.writeValues(
        at: InspectionPath("/"), ValueOptions(),
        to: TextOutput(inputCount: bytes.count) { length += $0.count })
      return length
    }
    #expect(result > count * 30)
    #expect(result < count * 60)
  }

  // MARK: Other formats

  @Test func `a plain list keeps the order of its keys, sets and UIDs`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let set = writer.reserve()
    writer.setSet(set, [writer.addInteger(1)])
    writer.setDictionary(
      top, keys: ["z", "a", "$b", "n"].map { writer.addString($0) },
      values: [
        writer.addUID(3), set, writer.addDate(0.5), writer.addDouble(.nan),
      ])
    let roots = try ValueSamples.roots(writer.finish(top: top))
    #expect(
      roots == "{\"root\":{\"z\":{\"$uid\":3},\"a\":{\"$set\":[1]},"
        + "\"$$b\":\"2001-01-01T00:00:00.5Z\",\"n\":{\"$real\":\"nan\"}}}")
  }

  @Test func `an object of a typedstream has fields by position`() throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    writer.beginObject([("Note", 2), ("NSObject", 0)])
    writer.beginGroup("i")
    writer.writeInteger(7)
    writer.beginGroup("@")
    writer.beginObject([("NSString", 1), ("NSObject", 0)])
    writer.beginGroup("+")
    writer.writeBytes(Array("x".utf8))
    writer.endObject()
    writer.beginGroup("f")
    writer.writeFloat(0.1)
    writer.endObject()
    let roots = try ValueSamples.roots(writer.bytes)
    #expect(
      roots == "{\"root\":{\"$class\":\"Note\",\"$fields\":[[\"i\",7],[\"@\",\"x\"],[\"f\",0.1]]}}")
  }

  @Test func `broken parts are told and the rest is written`() throws {
    let objects = [
      ValueSamples.object(ValueSamples.row("NS.objects", [77, 3]), class: 2),
      ValueSamples.objectClass("NSArray"), "<integer>5</integer>",
    ]
    let bytes = ValueSamples.keyed(objects)
    let roots = try ValueSamples.roots(bytes)
    #expect(roots == "{\"root\":[{\"$broken\":\"reference to object 77 of 4\"},5]}")
    let broken = try InspectedArchive(bytes).writeValues(
      at: InspectionPath("/"), ValueOptions(), to: CollectedOutput().output)
    #expect(broken != nil)
  }

  /// Values that GNUstep wrote, each in an archive of its own.
  static let gnustep: [(file: String, json: String)] = [
    ("arr", "[4,5,6]"), ("dict", "{\"k\":\"v\"}"), ("set", "{\"$set\":[\"a\"]}"),
    ("oset", "{\"$orderedSet\":[\"a\"]}"), ("cset", "{\"$countedSet\":[[\"a\",1]]}"),
    ("string", "\"abcdefg\""), ("mstr", "\"m\""), ("null", "null"), ("num123", "123"),
    ("dbl", "1234567.5"), ("date", "\"2001-09-09T01:46:40Z\""), ("url", "\"http://a.b/c\""),
    ("data", "{\"$data\":\"YWJj\",\"bytes\":3}"), ("dec", "{\"$decimal\":\"-12.345\"}"),
    ("mdata", "{\"$data\":\"YWJj\",\"bytes\":3}"),
    (
      "loc",
      "{\"$class\":\"NSLocale\",\"$value\":\"en_US\",\"$fields\":[[\"@\",\"en_US\"]]}"
    ),
    (
      "attr",
      "{\"$text\":\"hello\",\"$runs\":[{\"utf16\":[0,5],\"characters\":[0,5],"
        + "\"attributes\":{\"k\":\"v\"}}]}"
    ),
    ("uuid", "\"346FF5A7-DFB6-6909-668C-0C63945E8F77\""),
    (
      "tz",
      "{\"$class\":\"NSTimeZone\",\"$value\":\"GMT\",\"$fields\":[[\"@\",\"GMT\"]]}"
    ),
    (
      "iset",
      "{\"$class\":\"NSIndexSet\",\"$value\":\"3…6\","
        + "\"$fields\":[[\"Q\",1],[\"Q\",3],[\"Q\",4]]}"
    ),
    (
      "err",
      "{\"$class\":\"NSError\",\"$value\":\"D 3\","
        + "\"$fields\":[[\"i\",3],[\"@\",\"D\"],[\"@\",null]]}"
    ),
    (
      "cal",
      "{\"$class\":\"NSCalendar\",\"$value\":\"gregorian\",\"$fields\":[[\"@\",\"gregorian\"],"
        + "[\"@\",\"en_US_POSIX@calendar=gregorian\"],[\"@\",{\"$class\":\"NSTimeZone\","
        + "\"$value\":\"Etc/UTC\",\"$fields\":[[\"@\",\"Etc/UTC\"]]}]]}"
    ),
  ]

  /// A GNUstep archive of items behind a header.
  private func gnustepArchive(_ items: [UInt8]) -> [UInt8] {
    Array("GNUstep archive000f4240:00000009:00000009:00000000:".utf8) + items
  }

  private func gnustepClass(_ number: UInt8, _ name: String) -> [UInt8] {
    let head: [UInt8] = [0x31, number, 0, UInt8(name.utf8.count)]
    return head + Array(name.utf8) + Array(repeating: 0, count: 5)
  }

  @Test func `A tiny GNUstep archive of a long long number is resolved`() throws {
    let number: [UInt8] = [0x30, 1] + gnustepClass(1, "NSNumber") + [0x01, 0x71]
    let value: [UInt8] = [0x49, 0, 0, 0, 0, 0, 0, 0, 42]
    let bytes = gnustepArchive(number + value)
    #expect(bytes.count < 0x71)
    #expect(try ValueSamples.roots(bytes) == "{\"root\":42}")
  }

  @Test func `A GNUstep URL with a base is an object with both`() throws {
    func text(_ number: UInt8, _ kind: [UInt8], _ letter: UInt8) -> [UInt8] {
      let text: [UInt8] = [0x26, 0, 0, 0, 1, 0x25, 0, 0, 0, 4, 0x15, 0, 0, 0, 1, 1, letter]
      return [0x30, number] + kind + text
    }
    let url: [UInt8] = [0x30, 1] + gnustepClass(1, "NSURL")
    let base: [UInt8] = [0x30, 3, 0xB1, 1] + text(4, [0xB1, 2], 0x62)
    let string = text(2, gnustepClass(2, "NSString"), 0x61)
    let bytes = gnustepArchive(url + string + base + [0x90])
    let roots = try ValueSamples.roots(bytes)
    #expect(
      roots == "{\"root\":{\"$class\":\"NSURL\","
        + "\"$fields\":[[\"c\",0],[\"@\",\"a\"],[\"@\",\"b\"]]}}", "\(roots)")
  }

  @Test(arguments: gnustep)
  func `a GNUstep archive of value classes is resolved`(_ file: String, _ json: String) throws {
    let path = "corpus/generated/gnustep-1.28/\(file).gsa"
    guard Shared.exists(path) else {
      return print("skipped: no shared/\(path)")
    }
    #expect(try ValueSamples.roots(Shared.bytes(path)) == "{\"root\":\(json)}")
  }

  @Test(arguments: SharedArchives.genuine(["gnustep-archive"]))
  func `a GNUstep archive is resolved, or refused with the class and advice`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes(file)
    do {
      #expect(try ValueSamples.values(bytes).contains("\"format\":\"gnustep\""))
    } catch let error as InspectionError {
      #expect(error.code == .unsupported)
      #expect(
        error.description.contains(" is of the class ") && error.description.contains("--json"))
    }
  }

  // MARK: Genuine and hostile files

  @Test(arguments: CorpusInspectionTests.files)
  func `a genuine archive is written as JSON, the same each time`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    let text = try ValueSamples.values(bytes) { $0.isNested = true }
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let object = try #require(parsed as? [String: Any])
    #expect(object["schema"] as? String == "portolan-values/1")
    #expect(object["roots"] is [String: Any])
    // One has an archive in it that lacks a class.
    #expect(!text.contains("\"$broken\"") || file.hasSuffix("URLMessage"))
    #expect(try ValueSamples.values(bytes) { $0.isNested = true } == text)
  }
}

/// Runs work on a thread with a small stack.
enum SmallStack {
  static func run(_ size: Int, _ body: @escaping @Sendable () -> Int) -> Int {
    let result = Box()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      result.value = body()
      done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    return result.value
  }

  private final class Box: @unchecked Sendable {
    var value = 0
  }
}
