import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import ArchiveInspection

/// Conversion and comparison: nothing is lost, or what cannot go is named.
@Suite struct ConversionTests {
  static let keyed = SharedArchives.genuine(["bplist00", "xml"])
  static let typedstreams = SharedArchives.genuine(["typedstream"])

  static func differences(_ first: [UInt8], _ second: [UInt8]) throws -> (Int, String) {
    let collected = CollectedOutput()
    var difference = ArchiveDifference(
      try InspectedArchive(first), try InspectedArchive(second), names: ("a", "b"), form: .text,
      hasColours: false, send: { collected.add($0) })
    return (try difference.write(), collected.text)
  }

  @Test(arguments: keyed)
  func `a keyed archive goes to XML and back as an equal graph`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    var xml: [UInt8] = []
    let notes = try ArchiveConversion.convert(bytes, to: .xml, checksFirst: false) { xml += $0 }
    let binary = try ArchiveConversion.convert(xml, to: .keyed)
    let (count, text) = try Self.differences(bytes, binary)
    // Key equivalents of menus are control characters.
    #expect(count == 0 || notes.contains { $0.contains("XML forbids") }, "\(text.prefix(400))")
    let canonical = try ArchiveConversion.convert(bytes, to: .keyed)
    #expect(try Self.differences(bytes, canonical).0 == 0)
    #expect(try ArchiveConversion.convert(canonical, to: .keyed) == canonical)
  }

  @Test(arguments: typedstreams)
  func `a typedstream that stays one keeps every byte`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    #expect(try ArchiveConversion.convert(bytes, to: .typedstream) == bytes)
  }

  @Test(arguments: typedstreams)
  func `a typedstream of Foundation's values goes to a keyed archive and back`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes(file)
    let keyed: [UInt8]
    do {
      keyed = try ArchiveConversion.convert(bytes, to: .keyed)
    } catch let error as InspectionError {
      #expect(error.code == .unsupported && error.description.contains("/"))
      return
    }
    let graph = try ObjectGraph(keyed)
    try graph.list.validate()
    let back = try ArchiveConversion.convert(keyed, to: .typedstream)
    let again = try ArchiveConversion.convert(back, to: .keyed)
    #expect(try Self.differences(keyed, again).0 == 0)
  }

  @Test func `Some of the corpus goes between the two kinds`() throws {
    let going = Self.typedstreams.filter { file in
      (try? ArchiveConversion.convert(Shared.bytes(file), to: .keyed)) != nil
    }
    #expect(Self.typedstreams.isEmpty || going.count > 20, "\(going.count)")
  }

  @Test func `What cannot go is named with its place`() throws {
    let bytes = try Self.archive(names: ["a"])
    let error = #expect(throws: InspectionError.self) {
      try ArchiveConversion.convert(bytes, to: .typedstream)
    }
    #expect(
      error?.description
        == "/root/0: Thing cannot go into a typedstream: its fields have names, and there they "
        + "would have an order that only its program knows; XML (--format xml) holds every object")
  }

  // MARK: Differences

  @Test func `A changed field is told with its path and nothing else`() throws {
    let (count, text) = try Self.differences(
      Self.archive(names: ["a", "b", "c"]), Self.archive(names: ["a", "x", "c"]))
    #expect(count == 1)
    #expect(text == "--- a\n+++ b\n@@ /root/1 @@\n-name: \"b\"\n+name: \"x\"\n")
  }

  @Test func `An element put in moves the others, and only it is told`() throws {
    let (count, text) = try Self.differences(
      Self.archive(names: ["a", "b", "c"]), Self.archive(names: ["a", "new", "b", "c"]))
    #expect(count == 1)
    #expect(text.hasPrefix("--- a\n+++ b\n@@ /root @@\n+1: Thing"))
    #expect(text.contains("+  name: \"new\"") && !text.contains("\n-"))
  }

  @Test func `Equal archives do not differ, whatever their numbers`() throws {
    let bytes = try Self.archive(names: ["a", "b"])
    #expect(try Self.differences(bytes, bytes) == (0, ""))
  }

  /// An array of things with names.
  static func archive(names: [String]) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(names.map { Thing(name: $0) }, forKey: "root")
    let bytes = try archiver.finish()
    return bytes
  }

  final class Thing: Coding {
    let name: String
    static var archivedClass: ArchivedClass { "Thing" }
    init(name: String) { self.name = name }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
    }
    init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
  }
}

/// Long chains and wide graphs are shown on a small stack.
@Suite struct LargeInspectionTests {
  /// A chain of objects, each of which holds the next, written without a coder.
  static func chain(_ count: Int) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    var bodies = [writer.addString("$null")]
    let (next, classKey) = (writer.addString("next"), writer.addString("$class"))
    let record = writer.addUID(UInt32(count + 1))
    for number in 1...count {
      let body = writer.reserve()
      writer.setDictionary(
        body, keys: [next, classKey],
        values: [writer.addUID(number == count ? 0 : UInt32(number + 1)), record])
      bodies.append(body)
    }
    let body = writer.reserve()
    writer.setDictionary(
      body, keys: [writer.addString("$classname")], values: [writer.addString("Link")])
    bodies.append(body)
    let (roots, objects) = (writer.reserve(), writer.reserve())
    writer.setDictionary(roots, keys: [writer.addString("root")], values: [writer.addUID(1)])
    writer.setArray(objects, bodies)
    writer.setDictionary(
      top, keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, objects])
    return try writer.finish(top: top)
  }

  @Test func `A chain of 100,000 objects is shown, counted and compared on 256 KiB`() throws {
    let bytes = try Self.chain(100_000)
    let result = OnSmallStack.run {
      let archive = try InspectedArchive(bytes)
      let tree = try archive.tree()
      let statistics = CollectedOutput()
      try InspectionStatistics(archive).write(TreeOptions(), to: statistics.output)
      let (count, _) = try ConversionTests.differences(bytes, bytes)
      return (tree.utf8.count, archive.depth, count)
    }
    let (size, depth, differences) = try result.get()
    #expect(size < 12_000_000 && size > 100_000)
    #expect(depth > 99_999)
    #expect(differences == 0)
  }
}

/// Runs something on a thread with a stack of 256 KiB.
enum OnSmallStack {
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) -> Result<Value, any Error> {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.result = Result { try body() }
      done.signal()
    }
    thread.stackSize = 256 * 1024
    thread.start()
    done.wait()
    return box.result ?? .failure(CancellationError())
  }

  private final class Box<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
  }
}
