import Archiving
import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// The reversible form of typedstreams.
@Suite struct ExactStreamTests {
  static func again(_ bytes: [UInt8]) throws -> [UInt8] {
    let text = try ExactTests.exact(bytes)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text)) }
    return try ArchiveConversion.convert(text, to: .typedstream)
  }

  @Test(arguments: SharedArchives.genuine(["typedstream", "streamtyped"]))
  func `a genuine typedstream comes back byte for byte`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    #expect(try Self.again(bytes) == bytes)
  }

  @Test func `the corpus has typedstreams`() {
    #expect(!Shared.exists("corpus") || !SharedArchives.genuine(["typedstream"]).isEmpty)
  }

  /// A stream of every type with random values and forms.
  static func random(_ random: inout SeededGenerator) -> [UInt8] {
    var writer = TypedstreamWriter(
      byteOrder: Bool.random(using: &random) ? .littleEndian : .bigEndian,
      systemVersion: Int.random(in: 0...2_000, using: &random))
    var objects: [Int] = []
    writeGroups(3, &writer, &objects, &random)
    return writer.bytes
  }

  private static func writeGroups(
    _ depth: Int, _ writer: inout TypedstreamWriter, _ objects: inout [Int],
    _ random: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: depth == 3 ? 1...6 : 0...6, using: &random) {
      let types =
        [
          "c", "C", "B", "s", "S", "i", "I", "l", "L", "q", "Q", "f", "d", "+", ":", "%", "*", "#",
          "@", "{a=if}", "[3s]", "[4c]", "[2{b=cd}]", "{c={d=i}@}", "i@d", "[5!]", "!",
        ].randomElement(using: &random) ?? "i"
      writer.beginGroup(types)
      let flat: [String: String] = [
        "{a=if}": "if", "[3s]": "sss", "[4c]": "cccc", "[2{b=cd}]": "cdcd", "{c={d=i}@}": "i@",
        "[5!]": "", "!": "",
      ]
      for type in (flat[types] ?? types).utf8 {
        write(type, depth, &writer, &objects, &random)
      }
    }
  }

  private static func write(
    _ type: UInt8, _ depth: Int, _ writer: inout TypedstreamWriter, _ objects: inout [Int],
    _ random: inout SeededGenerator
  ) {
    let forms: [NumberForm?] = [nil, nil, .oneByte, .twoBytes, .fourBytes, .eightBytes, .real]
    let form = forms.randomElement(using: &random) ?? nil
    let bits = random.next() >> UInt64.random(in: 0...63, using: &random)
    let text = ["", "text", "é😀", "a\"\\\n\u{1}"].randomElement(using: &random) ?? ""
    let bytes = Bool.random(using: &random) ? Array(text.utf8) : [0xFF, 0xC0, 0]
    let isNone = Int.random(in: 0..<5, using: &random) == 0
    switch type {
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"):
      writer.writeByte(UInt8(truncatingIfNeeded: bits))
    case UInt8(ascii: "f"):
      let values: [Float] = [0, -0.0, 2, 0.1, .nan, -.infinity, Float(bits)]
      writer.writeFloat(values.randomElement(using: &random) ?? 0, form: form)
    case UInt8(ascii: "d"):
      let values = [0, -0.0, 2, 1e300, .nan, .infinity, Double(bitPattern: bits), -7e9]
      writer.writeDouble(values.randomElement(using: &random) ?? 0, form: form)
    case UInt8(ascii: "+"): writer.writeBytes(isNone ? nil : bytes)
    case UInt8(ascii: ":"), UInt8(ascii: "%"): writer.writeString(isNone ? nil : bytes)
    case UInt8(ascii: "*"):
      if isNone { writer.writeNone() } else { writer.writeNewCString(bytes) }
    case UInt8(ascii: "#"):
      if isNone { writer.writeNone() } else { writer.writeClass([("A\(bits % 3)", 1), ("B", 0)]) }
    case UInt8(ascii: "@"):
      if let known = objects.randomElement(using: &random), bits % 3 == 0 {
        writer.writeReference(known)
      } else if isNone || depth == 0 {
        writer.writeNone()
      } else {
        objects.append(writer.beginObject([("Thing\(bits % 3)", Int(bits % 2)), ("NSObject", 0)]))
        writeGroups(depth - 1, &writer, &objects, &random)
        writer.endObject()
      }
    default: writer.writeInteger(Int64(bitPattern: bits), type: type, form: form)
    }
  }

  @Test(arguments: 1...200)
  func `a random typedstream comes back byte for byte`(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let bytes = Self.random(&random)
    _ = try Typedstream(bytes)
    #expect(try Self.again(bytes) == bytes, "seed \(seed)")
  }

  @Test func `a number as Apple's archiver writes it has no size in JSON`() throws {
    var writer = TypedstreamWriter()
    for (type, value) in [("I", 4_294_967_291), ("S", 65_000), ("s", -32_768), ("L", 1 << 31)] {
      writer.beginGroup(type)
      writer.writeInteger(Int64(value), type: Array(type.utf8)[0])
    }
    writer.beginGroup("I")
    writer.writeInteger(5, type: UInt8(ascii: "I"), form: .fourBytes)
    let json = try InspectedArchive(writer.bytes).text(.json)
    for field in ["[\"0\",\"I\",4294967291]", "\"S\",65000]", "\"s\",-32768]", "2147483648]"] {
      #expect(json.contains(field), "\(field) in \(json)")
    }
    #expect(json.contains("\"I\",5,4]"))
    #expect(try Self.again(writer.bytes) == writer.bytes)
  }

  @Test func `a damaged stream is written up to its damage and not taken back`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      let bytes = Self.random(&random)
      let cut = Array(bytes.prefix(Int.random(in: 16...max(17, bytes.count - 1), using: &random)))
      guard let file = try? InspectedArchive(cut), file.firstBroken != nil else { continue }
      let text = try ExactTests.exact(cut)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text)) }
      let error = #expect(throws: InspectionError.self) {
        try ArchiveConversion.convert(text, to: .typedstream)
      }
      #expect(error?.description.contains("broken") == true)
    }
  }

  @Test(arguments: [
    ("{\"a\":1}", "list of groups"), ("[1]", "list of its types"), ("[[\"i\"]]", "more or less"),
    ("[[\"i\",1,2]]", "more or less"), ("[[\"c\",128]]", "no value of the type c"),
    ("[[\"S\",-1]]", "no value of the type S"), ("[[\"i\",1.5]]", "no whole number"),
    ("[[\"i\",\"1\"]]", "no whole number"), ("[[\"Z\",1]]", "no types"),
    ("[[\"@\",{\"$ref\":1}]]", "leads to no"), ("[[\"@\",{\"$id\":1}]]", "no value of the type @"),
    ("[[\"@\",{\"$id\":1,\"$class\":[\"A\"],\"$versions\":[],\"$fields\":[]}]]", "a version"),
    ("[[\"[2i]\",[1]]]", "an array of 2"), ("[[\"[2c]\",{\"$data\":\"AA==\"}]]", "1 bytes"),
    ("[[\"{a=ii}\",[1]]]", "more or less"), ("[[\"[3!]\",[null]]]", "an array of 3"),
    ("[[\"i\",{\"$form\":3,\"$value\":1}]]", "no form"), ("[[\"!\",1]]", "null stands"),
    ("[[\"d\",\"1\"]]", "real number"), ("[[\"+\",1]]", "a text or data"),
  ])
  func `JSON that is no typedstream is refused with its reason`(
    _ roots: String, _ reason: String
  ) throws {
    let text =
      #"{"schema":"portolan-values/1","exact":true,"format":"typedstream","roots":"# + roots + "}"
    let error = try #require(throws: InspectionError.self) {
      try ArchiveConversion.convert(Array(text.utf8), to: .typedstream)
    }
    #expect(error.description.contains(reason), "\(error.description)")
  }
}
