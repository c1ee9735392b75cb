import PropertyLists
import Testing

@testable import ArchiveInspection

/// Values that few archives have are shown, and none is dropped in silence.
@Suite struct OddValueTests {
  /// A list of one array: a whole number of sixteen bytes, and the text that stands behind it.
  private static func wide(_ bytes: [UInt8]) -> [UInt8] {
    var list = Array("bplist00".utf8) + [0xA2, 1, 2, 0x14] + bytes + [0x51, 0x78]
    let table = list.count
    list += [8, 11, UInt8(12 + bytes.count)]
    list += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [3, 0, table] { list += Array(repeating: 0, count: 7) + [UInt8(number)] }
    return list
  }

  /// The halves of numbers, the more significant one first, and their digits.
  static let numbers: [([UInt64], String)] = [
    ([1, 0], "18446744073709551616"), ([0x8000_0000_0000_0000, 0], "\(Int128.min)"),
    ([0x7FFF_FFFF_FFFF_FFFF, .max], "\(Int128.max)"), ([.max - 1, 5], "\(Int128(-2) << 64 + 5)"),
    ([0, 1 << 63], "9223372036854775808"), ([.max, .max], "-1"),
  ]

  @Test(arguments: numbers)
  func `Whole numbers of sixteen bytes are shown in every form`(
    _ halves: [UInt64], _ digits: String
  ) throws {
    let bytes = Self.wide(
      halves.flatMap { half in
        (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
      })
    let archive = try InspectedArchive(bytes)
    #expect(archive.brokenCount == 0)
    #expect(try archive.tree().contains("[0] \(digits)\n"))
    for form in [InspectionForm.json, .raw] {
      let collected = CollectedOutput()
      let broken = try Inspector(archive).write(
        form, at: InspectionPath(""), TreeOptions(), to: collected.output)
      #expect(collected.text.contains(digits) && broken == nil, "\(form): \(collected.text)")
    }
    let number = digits.count > 15 ? "{\"$int\":\"\(digits)\"}" : digits
    #expect(try ValueSamples.roots(bytes) == "{\"root\":[\(number),\"x\"]}")
    #expect(try ConversionTests.differences(bytes, bytes).0 == 0)
    var other = bytes
    other[27] ^= 1
    #expect(try ConversionTests.differences(bytes, other).0 == 1)
  }

  @Test func `Arrays among the objects are shown whole, and may hold themselves`() throws {
    let row = "<array><integer>7</integer>\(ValueSamples.uid(1))\(ValueSamples.uid(2))</array>"
    let bytes = ValueSamples.keyed([row, "<array/>"])
    #expect(
      try ValueSamples.roots(bytes) == "{\"root\":{\"$id\":1,\"$array\":[7,{\"$ref\":1},[]]}}")
    let archive = try InspectedArchive(bytes)
    #expect(try archive.tree().contains("[0] 7\n"))
    #expect(throws: InspectionError.self) {
      _ = try Inspector(archive).write(
        .json, at: InspectionPath("/root/1/x"), TreeOptions(), to: CollectedOutput().output)
    }
    #expect(try ConversionTests.differences(bytes, bytes).0 == 0)
  }

  @Test(arguments: [
    ("<string>Note</string>", "\"Note\"", "\"Note\""),
    (ValueSamples.uid(1), "→ #1", "{\"ref\":1}"),
    (ValueSamples.uid(99), "broken: ", "{\"broken\""),
  ])
  func `What stands in place of a class is shown`(
    _ value: String, _ shown: String, _ json: String
  ) throws {
    let object = "<dict><key>$class</key>\(value)<key>a</key><integer>5</integer></dict>"
    let archive = try InspectedArchive(ValueSamples.keyed([object]))
    #expect(archive.brokenCount > 0)
    let tree = try archive.tree()
    #expect(tree.contains("? broken $class: \(shown)") && tree.contains("a: 5"), "\(tree)")
    let collected = CollectedOutput()
    try Inspector(archive).write(
      .json, at: InspectionPath(""), TreeOptions(), to: collected.output)
    #expect(
      collected.text.contains("\"class\":null,\"classValue\":\(json)"), "\(collected.text)")
  }

  // MARK: XML

  private static func xml(_ bytes: [UInt8]) throws -> (text: String, notes: [String]) {
    for checksFirst in [true, false] {
      var output: [UInt8] = []
      let notes = try ArchiveConversion.convert(bytes, to: .xml, checksFirst: checksFirst) {
        output += $0
      }
      if !checksFirst { return (String(decoding: output, as: UTF8.self), notes) }
    }
    return ("", [])
  }

  private static func list(_ text: String, _ seconds: [Double]) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    writer.setArray(top, [writer.addString(text)] + seconds.map { writer.addDate($0) })
    return try writer.finish(top: top)
  }

  @Test func `XML tells which dates lose fractions of a second`() throws {
    let (text, notes) = try Self.xml(Self.list("a", [1, 1.5, -0.25]))
    #expect(text.contains("<date>2001-01-01T00:00:01Z</date>"))
    #expect(notes == ["2 dates lost their fractions of a second"])
    #expect(try Self.xml(Self.list("a", [1])).notes.isEmpty)
  }

  @Test(arguments: ["\u{1B}[2J \u{0}", "ö\u{1}\u{FFFE}"])
  func `XML has no character that strict readers refuse`(_ text: String) throws {
    let (xml, notes) = try Self.xml(Self.list("a\tb\r\n" + text, []))
    #expect(notes == ["2 characters that XML forbids are replaced by U+FFFD"])
    #expect(xml.contains("a\tb&#13;\n"))
    #expect(xml.unicodeScalars.filter { $0.value == 0xFFFD }.count == 2)
    #expect(!xml.unicodeScalars.contains { $0.value < 9 || $0.value == 0x1B || $0 == "\u{FFFE}" })
  }

  // MARK: Width

  @Test func `Statistics cut nothing without a width`() throws {
    let text = String(repeating: "long ", count: 80)
    let classes = (0..<30).map { "<string>Superclass\($0)</string>" }.joined()
    let record =
      "<dict><key>$classname</key><string>Superclass0</string>"
      + "<key>$classes</key><array>\(classes)</array></dict>"
    let bytes = ValueSamples.keyed([
      ValueSamples.object(ValueSamples.uid(2, "a") + ValueSamples.uid(3, "b"), class: 4),
      "<string>\(text)</string>", "<string>\(text)</string>", record,
    ])
    var options = TreeOptions()
    options.cutsTexts = false
    let collected = CollectedOutput()
    try InspectionStatistics(InspectedArchive(bytes)).write(options, to: collected.output)
    #expect(collected.text.contains("\"\(text)\"") && collected.text.contains("Superclass29"))
    #expect(!collected.text.contains("…"))
  }
}
