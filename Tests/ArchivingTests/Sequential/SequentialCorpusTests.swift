import Archiving
import Foundation
import PortolanTestSupport
import Testing

/// Real streams through the coders: kept objects are written back as they were, plain values of
/// known files come out as they were put in.
@Suite(.enabled(if: Shared.exists("corpus/MANIFEST.tsv"), "no shared/corpus"))
struct SequentialCorpusTests {
  static let files = TypedstreamCorpusTests.files.filter { !$0.isMalformed }.map(\.name)

  @Test(arguments: files)
  func `the roots of a stream are kept and written back byte for byte`(_ file: String) throws {
    let bytes = try Shared.bytes("corpus/" + file)
    let stream = try Typedstream(bytes)
    let keeper = Unarchiver(stream: stream)
    let archiver = Archiver(byteOrder: stream.byteOrder, systemVersion: stream.systemVersion)
    do {
      while !keeper.isAtEnd {
        try archiver.encodeObject(keeper.decodeObjectIfPresent(UnknownObject.self))
      }
    } catch let error as ArchiveError where error.code == .typeMismatch {
      // A group outside of all objects that is no object.
      return
    }
    #expect(try archiver.finish() == bytes)
  }

  @Test(arguments: files)
  func `all objects of a stream can be read without their classes`(_ file: String) throws {
    let stream = try Typedstream(Shared.bytes("corpus/" + file))
    var count = 0
    for number in 0..<stream.objectCount {
      guard case .object? = stream.entry(number) else { continue }
      let object = SequentialObject(stream: stream, number: number)
      count += try object.groups().isEmpty ? 0 : 1
      #expect(object.className?.isEmpty == false)
    }
    #expect(count > 0 || stream.objectCount == 0 || file.contains("NSNull"))
  }

  static let foundation = "corpus/typedstream/crabstep__test_data__foundation__"

  @Test func `known values of an Apple archive are decoded, and archive to the same bytes`() throws
  {
    let text = try Shared.bytes(Self.foundation + "NSString")
    let unarchiver = try Unarchiver(text)
    let string = try unarchiver.decodeString()
    #expect(unarchiver.isAtEnd && !string.isEmpty)
    let archiver = Archiver()
    try archiver.encodeString(string)
    #expect(try archiver.finish() == text)

    for name in ["NSDate", "NSDateFractional"] {
      let bytes = try Shared.bytes(Self.foundation + name)
      let date = try Unarchiver(bytes).decodeDate()
      let archiver = Archiver()
      try archiver.encodeDate(date)
      #expect(try archiver.finish() == bytes)
    }
    #expect(
      try Unarchiver(Shared.bytes(Self.foundation + "NSDate")).decodeDate() == 21_692_800)
    #expect(
      try Unarchiver(Shared.bytes(Self.foundation + "NSMutableData")).decodeData().count > 0)
  }

  @Test func `strings of the NEXTSTEP encoding are as Foundation reads them`() {
    for byte in UInt8.min...UInt8.max {
      let expected = String(bytes: [byte], encoding: .nextstep)
      var writer = TypedstreamWriter(systemVersion: 930)
      writer.beginGroup("@")
      writer.beginObject([("NSString", 1), ("NSObject", 0)])
      writer.beginGroup("+")
      writer.writeBytes([byte])
      writer.endObject()
      let text = try? Unarchiver(writer.bytes).decodeString()
      #expect(text == (byte < 0xFE ? expected : nil), "\(byte)")
    }
  }

  @Test func `text that is not of the encoding is refused, unless the reader names it`() throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    writer.beginObject([("NSString", 1), ("NSObject", 0)])
    writer.beginGroup("+")
    writer.writeBytes([0x47, 0xF2])
    writer.endObject()
    let error = #expect(throws: ArchiveError.self) { try Unarchiver(writer.bytes).decodeString() }
    #expect(error?.code == .typeMismatch)
    #expect(try Unarchiver(writer.bytes, textEncoding: .nextstep).decodeString() == "Gù")
  }
}

/// Our archives read by another program.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"] != nil,
    "PORTOLAN_PYTHON names no Python with pytypedstream"))
struct SequentialInteropTests {
  @Test(arguments: [TypedstreamByteOrder.littleEndian, .bigEndian])
  func `pytypedstream reads what we write`(_ order: TypedstreamByteOrder) throws {
    let archiver = Archiver(byteOrder: order)
    let boss = Employee("Ada", "Boss", number: 1)
    try archiver.encodeObjects(
      [boss, Employee("Bob", "Größe", number: 70_000, manager: boss)], forKey: "")
    try archiver.encodeStringDictionary(["key": "value"], forKey: "")
    try archiver.encodeInts([1, 300], forKey: "")
    try archiver.encodeData([1, 2, 3])
    try archiver.encodeValues(
      [.structure([.float(1.5), .float(2)]), .selector("copy:")], ofTypes: "{_NSPoint=ff}:")
    let output = try run(archiver.finish())
    for expected in [
      "NSArray", "Employee", "Ada", "Größe", "70000", "NSDictionary",
      "value", "NSNumber", "300", "NSData", "1.5", "copy:",
    ] { #expect(output.contains(expected), "no \(expected) in \(output)") }
  }

  private func run(_ bytes: [UInt8]) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "portolan-interop-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try #require(ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"]))
    process.arguments = ["-m", "typedstream", "decode", file.path]
    process.environment = ["PYTHONIOENCODING": "utf-8"]
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    return text
  }
}
