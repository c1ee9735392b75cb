import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// Compiled nibs: the reader returns the values of the writer, and survives and tells damage.
@Suite struct NibTests {
  private static func shown(
    _ bytes: [UInt8], _ form: InspectionForm = .tree, at path: String = ""
  ) throws -> (text: String, broken: String?) {
    let collected = CollectedOutput()
    let broken = try Inspector(InspectedArchive(graphOf: bytes, isRaw: form == .raw)).write(
      form, at: InspectionPath(path), TreeOptions(),
      to: TextOutput(inputCount: bytes.count) { collected.add($0) })
    return (collected.text, broken)
  }

  // MARK: Forms

  @Test func `The tree shows objects, collections and numbers by their meaning`() throws {
    let (text, broken) = try Self.shown(NibWriter.window.bytes)
    #expect(broken == nil)
    for line in [
      "format    NIBArchive (compiled nib)", "UINibTopLevelObjectsKey: NSArray #1, 2 elements",
      "count: 2\n", "  [0] UIWindow #2 ×2", "UISubviews: NSMutableArray #4, 1 element",
      "UITitle: NSString \"Grüße\" #5 ×3", "UIAlpha: 0.5\n", "UITag: -3\n", "UIDelegate: nil\n",
      "UIWidth: 320\n", "UIButton : UIView", "UISuperview: UIWindow → #2", "UIHidden: false\n",
      "UIEvents: 1048576\n", "names: NSDictionary #7, 1 element", "\"Grüße\": NSNumber 1000 #6",
    ] {
      #expect(text.contains(line), "\(line) in\n\(text)")
    }
  }

  @Test func `Points, rectangles and transforms are shown as numbers`() throws {
    func packed(_ type: UInt8, _ bits: [(UInt64, Int)]) -> [UInt8] {
      [type]
        + bits.flatMap { bits, width in
          (0..<width).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        }
    }
    let doubles = [0, -0.5, 320, 480].map { ($0.bitPattern, 8) }
    let floats = [1, 0.1].map { (UInt64(Float($0).bitPattern), 4) }
    let odd = [Double.nan, 1].map { ($0.bitPattern, 8) }
    let bytes = NibWriter([
      NibWriter.Object(
        "UIView",
        [
          ("UIBounds", .data(packed(7, doubles))), ("UICenter", .data(packed(6, floats))),
          ("UIOdd", .data(packed(7, odd))), ("UIThree", .data(packed(7, Array(doubles.prefix(3))))),
          ("UIMask", .data(packed(8, floats))),
        ])
    ]).bytes
    let text = try Self.shown(bytes).text
    for line in [
      "UIBounds: numbers {0, -0.5, 320, 480}\n", "UICenter: numbers {1, 0.1}\n",
      "UIOdd: 17 bytes 07000000", "UIThree: 25 bytes", "UIMask: 9 bytes 08",
    ] {
      #expect(text.contains(line), "\(line) in\n\(text)")
    }
    let roots = try ValueSamples.roots(bytes)
    #expect(roots.contains(#""bytes":33,"holds":"numbers","numbers":[0.0,-0.5,320.0,480.0]}"#))
    #expect(roots.contains(#""holds":"numbers","numbers":[1.0,0.1]}"#), "\(roots)")
    #expect(roots.components(separatedBy: "numbers\":[").count == 3)
  }

  @Test func `Values are those of any archive`() throws {
    let bytes = NibWriter.window.bytes
    let roots = try ValueSamples.roots(bytes)
    #expect(roots.hasPrefix("{\"UINibTopLevelObjectsKey\":[{\"$id\":2,\"$class\":\"UIWindow\""))
    #expect(roots.hasSuffix("\"count\":2,\"names\":{\"Grüße\":1000}}"), "\(roots)")
    let path = "/UINibTopLevelObjectsKey/1/UITitle"
    #expect(try ValueSamples.roots(bytes, at: path) == "\"Grüße\"")
    var output: [UInt8] = []
    try ArchiveConversion.convert(bytes, to: .json, checksFirst: true) { output += $0 }
    let json = String(decoding: output, as: UTF8.self)
    #expect(json.contains("\"format\":\"nib\",\"roots\":\(roots)"))
    let error = try #require(throws: InspectionError.self) {
      try ArchiveConversion.convert(bytes, to: .keyed)
    }
    #expect(error.code == .unsupported && error.description.contains("--format json"))
  }

  @Test func `JSON and the tables tell everything`() throws {
    let json = try Self.shown(NibWriter.window.bytes, .json).text
    #expect(json.contains("\"format\":\"nib\",\n\"version\":10,"))
    #expect(json.contains("{\"chain\":[\"_TtC5MyApp6Button\",\"UIButton\",\"UIView\"]"))
    #expect(json.contains("{\"id\":4,\"class\":\"NSMutableArray\",\"classIndex\":"))
    #expect(json.contains("[\"UIAlpha\",{\"float\":0.5}]"))
    let raw = try Self.shown(NibWriter.window.bytes, .raw).text
    for line in ["objects: 8\n", "#3 _TtC5MyApp6Button", "\"UINibEncoderEmptyKey\"", "→ #5\n"] {
      #expect(raw.contains(line), "\(line) in\n\(raw)")
    }
  }

  @Test func `Differences are those of the objects`() throws {
    let writer = NibWriter.window
    var other = writer
    other.objects[3].fields[2].value = .int16(301)
    other.objects.append(.string("more"))
    let (count, text) = try ConversionTests.differences(writer.bytes, other.bytes)
    #expect(count == 1 && text.contains("-UITag: 300\n+UITag: 301"), "\(text)")
    #expect(try ConversionTests.differences(writer.bytes, writer.bytes).0 == 0)
  }

  @Test func `The example on the page of the format is read as the page tells`() throws {
    let page = Shared.package.appendingPathComponent("Docs/formats/nibarchive.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let block = try #require(text.components(separatedBy: "```nib\n").last)
    var bytes: [UInt8] = []
    for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
      for word in line.prefix(while: { $0 != "#" }).split(separator: " ") {
        if word.hasPrefix("\"") {
          bytes += Array(word.dropFirst().dropLast().utf8)
        } else {
          bytes.append(try #require(UInt8(word, radix: 16)))
        }
      }
    }
    let fields: [(key: String, value: NibWriter.Value)] = [("a", .object(1))]
    #expect(bytes == NibWriter([NibWriter.Object("NSObject", fields), .string("Hi")]).bytes)
    #expect(try ValueSamples.roots(bytes) == "{\"a\":\"Hi\"}")
  }

  // MARK: Laws

  private static func random(_ seed: UInt64) -> NibWriter {
    var generator = SeededGenerator(seed: seed)
    func pick<Element>(_ list: [Element]) -> Element {
      list[Int(generator.next() % UInt64(list.count))]
    }
    let count = Int.random(in: 1...40, using: &generator)
    let classes = ["NSObject", "Note", "UIView", "Ünde", "NSArrayish"]
    var objects: [NibWriter.Object] = []
    for _ in 0..<count {
      var fields: [(key: String, value: NibWriter.Value)] = []
      for number in 0..<Int.random(in: 0...6, using: &generator) {
        let bits = generator.next()
        let value: NibWriter.Value =
          switch bits % 11 {
          case 0: .int8(Int8(truncatingIfNeeded: bits >> 8))
          case 1: .int16(Int16(truncatingIfNeeded: bits >> 8))
          case 2: .int32(Int32(truncatingIfNeeded: bits >> 8))
          case 3: .int64(Int64(truncatingIfNeeded: bits))
          case 4: .bool(bits & 256 != 0)
          case 5: .float(Float(Int32(truncatingIfNeeded: bits)).bitPattern)
          case 6: .double(Double(Int64(truncatingIfNeeded: bits)).bitPattern)
          case 7: .data((0..<Int(bits >> 8 % 200)).map { UInt8(truncatingIfNeeded: $0) })
          case 8: .none
          default: .object(UInt32(truncatingIfNeeded: bits >> 8) % UInt32(count))
          }
        fields.append(("key\(number == 3 ? "" : String(bits % 300))", value))
      }
      objects.append(NibWriter.Object(pick(classes), fields))
    }
    return NibWriter(objects)
  }

  @Test(arguments: 0..<60)
  func `What the writer wrote the reader returns`(_ seed: UInt64) throws {
    let writer = Self.random(seed)
    let archive = try InspectedArchive(writer.bytes)
    #expect(archive.brokenCount == 0 && archive.header.notes.isEmpty)
    #expect(archive.nodes.count == writer.objects.count)
    for (number, object) in writer.objects.enumerated() {
      #expect(archive.archivedClass(of: number)?.name == object.name)
      #expect(archive.valueCount(of: number) == object.fields.count)
      for (index, field) in object.fields.enumerated() {
        #expect(archive.label(index, of: number) == .key(field.key))
        let value = archive.value(index, of: number)
        let wanted: InspectedValue =
          switch field.value {
          case .int8(let value): .integer(Int64(value))
          case .int16(let value): .integer(Int64(value))
          case .int32(let value): .integer(Int64(value))
          case .int64(let value): .integer(value)
          case .bool(let value): .bool(value)
          case .float(let bits): .float(Float(bitPattern: bits))
          case .double(let bits): .double(Double(bitPattern: bits))
          case .none: .none
          case .object(let number): .node(Int(number))
          case .data(let bytes): archive.data(value) == bytes ? value : .broken("other bytes")
          case .other: .nothing
          }
        #expect(value == wanted, "object \(number), \(field.key)")
      }
    }
    #expect(try ConversionTests.differences(writer.bytes, writer.bytes).0 == 0)
  }

  // MARK: Damage

  @Test func `A cut archive is shown up to the cut, and never taken for whole`() throws {
    let bytes = NibWriter.window.bytes
    for count in 10..<bytes.count {
      let cut = Array(bytes[..<count])
      guard count >= 50 else {
        #expect(throws: InspectionError.self) { try InspectedArchive(cut) }
        continue
      }
      for form in [InspectionForm.tree, .json, .raw, .statistics] {
        let (text, broken) = try Self.shown(cut, form)
        #expect(!text.isEmpty && broken != nil, "\(form) of \(count) bytes")
      }
    }
    let rest = try Self.shown(bytes + [0, 1, 2])
    #expect(rest.text.contains("3 bytes from byte \(bytes.count) on belong to no table"))
  }

  @Test func `Every flipped bit is survived in every form`() throws {
    let bytes = NibWriter.window.bytes
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        guard let archive = try? InspectedArchive(damaged) else {
          continue
        }
        let collected = CollectedOutput()
        _ = try? archive.writeValues(
          at: InspectionPath(""), ValueOptions(),
          to: TextOutput(inputCount: damaged.count) { collected.add($0) })
        #expect(try Inspector(archive).archive.tree().isEmpty == false)
        #expect(try ConversionTests.differences(damaged, damaged).0 == 0)
      }
    }
  }

  @Test func `Unknown types, references and keys are broken where they stand`() throws {
    let bytes = NibWriter([
      NibWriter.Object(
        "NSObject", [("a", .int8(1)), ("b", .object(7)), ("c", .other(11, [])), ("d", .int8(2))])
    ]).bytes
    let (text, broken) = try Self.shown(bytes)
    #expect(text.contains("a: 1\nb: broken: reference to object 7 of 1\n"), "\(text)")
    #expect(text.contains("?: broken: no value 2 of 2"))
    #expect(broken?.contains("values end at number 2 of 4") == true, "\(broken ?? "")")
  }

  @Test func `Counts beyond the file and values of many objects are bounded`() throws {
    var bytes = NibWriter.window.bytes
    for start in [18, 26, 34, 42] {
      for place in start..<start + 4 { bytes[place] = 0xFF }
    }
    #expect(try Self.shown(bytes).broken != nil)
    // Each of 3,000 objects claims all of 3,000 values.
    let object = NibWriter.Object("NSObject", (0..<3_000).map { _ in ("k", .none) })
    let others = Array(repeating: NibWriter.Object("A", []), count: 3_000)
    var shared = NibWriter([object] + others).bytes
    let table = 50
    let claim = NibWriter.variable(1) + NibWriter.variable(0) + NibWriter.variable(3_000)
    shared.replaceSubrange(
      table..<table + 4 * 3_000, with: Array(repeating: claim, count: 3_000).joined())
    #expect(throws: InspectionError.self) { try InspectedArchive(shared) }
  }
}

extension InspectedArchive {
  /// The bytes of data.
  fileprivate func data(_ value: InspectedValue) -> [UInt8]? {
    if case .data(let range) = value { slice(range) } else { nil }
  }
}
