import Foundation
import PropertyLists
import Testing

/// Archives whose objects share one long string or one long row of bytes in the list itself, which
/// other notations have to repeat: converted, they take no more memory than others.
@Suite struct SharedPartTests {
  /// An archive of an array of objects that are all one and the same entry of the list.
  private func archive(
    of count: Int, _ add: (inout BinaryPropertyListWriter) -> PropertyListReference
  ) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let root = writer.reserve()
    let part = add(&writer)
    let name = writer.addString("NSArray")
    let (names, record) = (writer.reserve(), writer.reserve())
    writer.setArray(names, [name, writer.addString("NSObject")])
    writer.setDictionary(
      record, keys: [writer.addString("$classname"), writer.addString("$classes")],
      values: [name, names])
    let (elements, object) = (writer.reserve(), writer.reserve())
    writer.setArray(elements, (0..<count).map { writer.addUID(UInt32($0 + 3)) })
    writer.setDictionary(
      object, keys: [writer.addString("NS.objects"), writer.addString("$class")],
      values: [elements, writer.addUID(2)])
    let (objects, top) = (writer.reserve(), writer.reserve())
    writer.setArray(
      objects,
      [writer.addString("$null"), object, record] + Array(repeating: part, count: count))
    writer.setDictionary(top, keys: [writer.addString("root")], values: [writer.addUID(1)])
    writer.setDictionary(
      root, keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), top, objects,
      ])
    return try writer.finish(top: root)
  }

  @Test(arguments: ["text", "data"])
  func `What is shared is not in memory as often as it is referred to`(kind: String) throws {
    let bytes = try archive(of: 120) { writer in
      kind == "text"
        ? writer.addString(String(repeating: "x", count: 250_000))
        : writer.addData([UInt8](repeating: 7, count: 250_000))
    }
    #expect(bytes.count < 260_000)
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("shared-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(bytes).write(to: url)
    let verdict = try #require(
      try Verdict.judge(url, reader: "conversion"), "the conversion ended the process")
    #expect(verdict.kibibytes <= Verdict.kibibytesMax(size: bytes.count))
    #expect(verdict.isAccepted, "\(verdict.message)")
  }
}
