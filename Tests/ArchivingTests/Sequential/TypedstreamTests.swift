import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// Typedstreams without classes: real ones are read whole and written again as they were.
@Suite(.enabled(if: Shared.exists("corpus/MANIFEST.tsv"), "no shared/corpus"))
struct TypedstreamCorpusTests {
  static let files: [(name: String, isMalformed: Bool)] = {
    return Shared.manifest("corpus/MANIFEST.tsv").compactMap { row in
      guard let file = row["file"], file.hasPrefix("typedstream/"),
        Shared.exists("corpus/" + file)
      else { return nil }
      return (file, (row["note"] ?? "").contains("must be rejected"))
    }
  }()

  @Test func `there are files to read`() {
    #expect(Self.files.filter { !$0.isMalformed }.count > 100)
  }

  @Test(arguments: files.filter { !$0.isMalformed }.map(\.name))
  func `a genuine stream is written again byte for byte from its values`(_ file: String) throws {
    let bytes = try Shared.bytes("corpus/" + file)
    let stream = try Typedstream(bytes)
    #expect(try TypedstreamWriter.rewrite(stream) == bytes)
    // Nothing of it depends on how the numbers were written.
    #expect(try TypedstreamWriter.rewrite(stream, forms: .shortest) == bytes)
    for number in 0..<stream.objectCount {
      guard case .object(let index)? = stream.entry(number) else { continue }
      #expect(!stream.chain(ofClass: index).isEmpty)
      let range = try #require(stream.range(ofObject: number))
      #expect(bytes[range.upperBound - 1] == 0x86)
    }
  }

  @Test(arguments: files.filter(\.isMalformed).map(\.name))
  func `a damaged stream is refused with its place`(_ file: String) throws {
    let bytes = try Shared.bytes("corpus/" + file)
    let error = try #require(throws: ArchiveError.self) { try Typedstream(bytes) }
    #expect(error.code == .corrupt)
    #expect(error.offset != nil)
    #expect(error.path.hasPrefix("group 0"))
  }
}

/// Streams made here, byte by byte.
@Suite struct TypedstreamTests {
  /// The worked example of the format's description.
  static let array: [UInt8] =
    header + [0x84, 0x01, 0x40, 0x84, 0x84, 0x84, 0x07] + Array("NSArray".utf8)
    + [0x00, 0x84, 0x84, 0x08] + Array("NSObject".utf8) + [0x00, 0x85, 0x84, 0x01, 0x69, 0x03]
    + [0x92, 0x84, 0x84, 0x84, 0x08] + Array("NSString".utf8)
    + [0x01, 0x94, 0x84, 0x01, 0x2B, 0x01, 0x61, 0x86, 0x92, 0x84, 0x84, 0x84, 0x08]
    + Array("NSNumber".utf8) + [0x00, 0x84, 0x84, 0x07] + Array("NSValue".utf8)
    + [0x00, 0x94, 0x84, 0x01, 0x2A, 0x84, 0x84, 0x01, 0x71, 0x9B, 0x01, 0x86]
    + [0x92, 0x84, 0x96, 0x97, 0x01, 0x62, 0x86, 0x86]

  static let header: [UInt8] =
    [0x04, 0x0B] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03]

  static func events(_ bytes: [UInt8]) throws -> [TypedstreamEvent] {
    var scanner = try TypedstreamScanner(bytes)
    var events: [TypedstreamEvent] = []
    while let event = try scanner.next() { events.append(event) }
    return events
  }

  @Test func `the parts of a stream have the numbers of the description`() throws {
    let stream = try Typedstream(Self.array)
    #expect(stream.byteOrder == .littleEndian)
    #expect(stream.systemVersion == 1_000)
    #expect(stream.stringCount == 10)
    #expect(stream.objectCount == 10)
    #expect(stream.chain(ofClass: 0) == ["NSArray", "NSObject"])
    #expect(stream.entry(9) == .object(classIndex: 2))
    #expect(stream.entry(8) == .cString(string: 9))
    #expect(stream.version(forClassName: "NSString") == 1)
    #expect(stream.version(forClassName: "NSSet") == nil)
    #expect(try TypedstreamWriter.rewrite(stream) == Self.array)
  }

  @Test func `a scan of an opened stream reports what the first scan did`() throws {
    var scanner = try Typedstream(Self.array).events()
    var events: [TypedstreamEvent] = []
    while let event = try scanner.next() { events.append(event) }
    #expect(try events == Self.events(Self.array))
  }

  @Test(
    arguments: [
      (0, [0x00]), (127, [0x7F]), (128, [0x81, 0x80, 0x00]), (-110, [0x92]),
      (-111, [0x81, 0x91, 0xFF]), (32_767, [0x81, 0xFF, 0x7F]), (-32_767, [0x81, 0x01, 0x80]),
      (-32_768, [0x82, 0x00, 0x80, 0xFF, 0xFF]), (32_768, [0x82, 0x00, 0x80, 0x00, 0x00]),
      (-9_000_000_000, [0x87, 0x00, 0xE6, 0x8E, 0xE7, 0xFD, 0xFF, 0xFF, 0xFF]),
    ] as [(Int64, [UInt8])])
  func `whole numbers are written as Apple writes them`(_ value: Int64, _ form: [UInt8]) throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("q")
    writer.writeInteger(value, type: UInt8(ascii: "q"))
    #expect(writer.bytes == Self.header + [0x84, 0x01, 0x71] + form)
    guard case .integer(value, _)? = try Self.events(writer.bytes).last else {
      Issue.record("\(value) is read as something else")
      return
    }
  }

  @Test(
    arguments: [
      (0, [0x00]), (1.5, [0x83, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]),
      (21_692_800, [0x82, 0x80, 0x01, 0x4B, 0x01]), (-3, [0xFD]),
      (6_000_000_000, [0x83, 0, 0, 0, 0xC0, 0x0B, 0x5A, 0xF6, 0x41]),
      // Exact as a double, not as a float.
      (16_777_217, [0x83, 0, 0, 0, 0x10, 0, 0, 0x70, 0x41]),
      (.infinity, [0x83, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F]),
    ] as [(Double, [UInt8])])
  func `real numbers are written whole where a float holds them`(
    _ value: Double, _ form: [UInt8]
  ) throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("d")
    writer.writeDouble(value)
    #expect(writer.bytes == Self.header + [0x84, 0x01, 0x64] + form)
    guard case .double(value, _)? = try Self.events(writer.bytes).last else {
      Issue.record("\(value) is read as something else")
      return
    }
  }

  @Test(arguments: [TypedstreamByteOrder.littleEndian, .bigEndian])
  func `all types are read back in both byte orders`(_ order: TypedstreamByteOrder) throws {
    let bytes = Self.everyType(order)
    let stream = try Typedstream(bytes)
    #expect(stream.byteOrder == order)
    #expect(try TypedstreamWriter.rewrite(stream) == bytes)
    let events = try Self.events(bytes)
    #expect(events.contains(.integer(0xFFFF, .oneByte)))
    #expect(events.contains(.integer(4_294_967_295, .oneByte)))
    #expect(events.contains(.integer(0x8097, .twoBytes)))
    #expect(events.contains(.float(0.1, .real)))
    #expect(events.contains(.beginArray(count: 3)))
    #expect(events.contains(.nothing))
  }

  /// A stream with each type, an array of structures, and a bit field packed by hand.
  static func everyType(_ order: TypedstreamByteOrder) -> [UInt8] {
    var writer = TypedstreamWriter(byteOrder: order, systemVersion: 930)
    writer.beginGroup("cCsSiIlLqQfdB")
    writer.writeByte(0x80)
    writer.writeByte(0x92)
    writer.writeInteger(-2, type: UInt8(ascii: "s"))
    writer.writeInteger(0xFFFF, type: UInt8(ascii: "S"))
    writer.writeInteger(-70_000, type: UInt8(ascii: "i"))
    writer.writeInteger(4_294_967_295, type: UInt8(ascii: "I"))
    writer.writeInteger(0x1_0000_0000, type: UInt8(ascii: "l"))
    writer.writeInteger(4_000_000_000, type: UInt8(ascii: "L"))
    writer.writeInteger(.min, type: UInt8(ascii: "q"))
    writer.writeInteger(-1, type: UInt8(ascii: "Q"))
    writer.writeFloat(0.1)
    writer.writeDouble(0.1)
    writer.writeByte(1)
    writer.beginGroup("S")
    writer.writeInteger(0x8097, type: UInt8(ascii: "S"))
    writer.beginGroup("*:%+*")
    let text = writer.writeNewCString(Array("text".utf8))
    writer.writeString(Array("copy:".utf8))
    writer.writeString(Array("text".utf8))
    writer.writeBytes(Array("bytes".utf8))
    writer.writeReference(text)
    writer.beginGroup("[3{_NSPoint=ff}]![4c]#@")
    for place in 0..<6 { writer.writeFloat(Float(place)) }
    writer.writeByteArray([1, 2, 3, 4])
    writer.writeClass([("View", 41), ("NSObject", 0)])
    let view = writer.beginObject([("View", 41), ("NSObject", 0)])
    writer.beginGroup("@I")
    writer.writeReference(view)
    // Three flags and a number of 29 bits.
    writer.writeInteger(0b101 | 1_000 << 3, type: UInt8(ascii: "I"))
    writer.endObject()
    return writer.bytes
  }

  @Test func `a stream that is written in longer forms keeps them`() throws {
    let bytes = Self.header + [0x84, 0x02, 0x69, 0x64, 0x82, 1, 0, 0, 0, 0x83] + zeros(8)
    let stream = try Typedstream(bytes)
    #expect(try TypedstreamWriter.rewrite(stream) == bytes)
    #expect(
      try TypedstreamWriter.rewrite(stream, forms: .shortest)
        == Self.header + [0x84, 0x02, 0x69, 0x64, 1, 0])
  }

  @Test func `a version that is not read is named`() throws {
    var bytes = Self.array
    bytes[0] = 3
    let error = try #require(throws: ArchiveError.self) { try Typedstream(bytes) }
    #expect(error.code == .unsupportedVersion)
    #expect(error.reason.contains("NEXTSTEP"))
  }

  @Test(
    arguments: [
      ([0x84, 0x01, 0x40, 0x92], "reference to object 0 of 0"),
      ([0x93], "reference to shared string 1 of 0"),
      (
        [0x84, 0x04] + Array("[2*]".utf8) + [0x84, 0x84, 0x01, 0x61, 0x85, 0x95], "shared string 3"
      ),
      ([0x84, 0x02] + Array("*@".utf8) + [0x84, 0x84, 0x01, 0x61, 0x92], "is a C string"),
      ([0x84, 0x01, 0x40, 0x84, 0x85], "without a class"),
      ([0x84, 0x01, 0x40, 0x84, 0x84, 0x84, 0x01, 0x41, 0x00, 0x85], "ends too early"),
      ([0x84, 0x01, 0x23, 0x84, 0x84, 0x01, 0x41, 0x00, 0x92], "its own superclass"),
      ([0x84, 0x07] + Array("[9999i]".utf8) + [0, 0], "an array of 9999 elements"),
      ([0x84, 0x01, 0x69, 0x88], "the head 88"),
      ([0x86], "where a number belongs"),
      ([0x84, 0x02] + Array("{i".utf8), "ends too early"),
      ([0x84, 0x03] + Array("(i)".utf8), "cannot be archived"),
    ] as [([UInt8], String)])
  func `what contradicts itself is refused`(_ body: [UInt8], _ reason: String) throws {
    let error = try #require(throws: ArchiveError.self) { try Typedstream(Self.header + body) }
    #expect(error.description.contains(reason), "\(error)")
    #expect(error.offset != nil)
  }

  @Test func `types cannot ask for more steps than the bytes justify`() throws {
    let braces = String(repeating: "{", count: 60) + "c" + String(repeating: "}", count: 60)
    let type = Array("[60000\(braces)]".utf8)
    let text = [0x84, 0x81, UInt8(type.count & 0xFF), UInt8(type.count >> 8)] + type
    #expect(throws: ArchiveError.self) {
      try Typedstream(Self.header + text + zeros(60_000))
    }
    let nothing = try Typedstream(Self.header + [0x84, 0x0D] + Array("[4294967295!]".utf8))
    #expect(nothing.stringCount == 1)
  }

  @Test func `a chain of objects of any depth needs no stack`() throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    for _ in 0..<200_000 {
      writer.beginObject([("Link", 0), ("NSObject", 0)])
      writer.beginGroup("@")
    }
    writer.writeNone()
    for _ in 0..<200_000 { writer.endObject() }
    let stream = try Typedstream(writer.bytes)
    #expect(stream.objectCount == 200_002)
    #expect(try TypedstreamWriter.rewrite(stream) == writer.bytes)
  }

  private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}
