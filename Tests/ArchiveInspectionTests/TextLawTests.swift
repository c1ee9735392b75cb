import Archiving
import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// The text of a message is the text that is shown of it, whatever its script.
@Suite struct TextLawTests {
  // MARK: Texts

  /// The first and last characters of scripts; texts begin with one of them.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0xC0...0x17F, 0x370...0x3FF, 0x400...0x4FF, 0x5D0...0x5EA, 0x620...0x64A,
    0x904...0x939, 0xE01...0xE30, 0x10A0...0x10FF, 0x1200...0x1248, 0x3041...0x3096,
    0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFFFC...0xFFFD, 0x10400...0x1044F, 0x1F300...0x1F64F,
    0x20000...0x2A6D6, 0x300...0x36F,
  ]

  static func text(_ generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    let count = [1, 2, 7, 60, 199, 200, 201, 1_025].randomElement(using: &generator) ?? 1
    let first = scripts.randomElement(using: &generator) ?? 0x41...0x5A
    while text.count < count {
      let script =
        text.isEmpty || Bool.random(using: &generator)
        ? first : scripts.randomElement(using: &generator) ?? first
      guard let scalar = Unicode.Scalar(UInt32.random(in: script, using: &generator)) else {
        continue
      }
      text.append(scalar)
    }
    return String(text)
  }

  // MARK: Archives

  private static let end: UInt8 = 0x86

  private static func number(_ value: Int) -> [UInt8] {
    value < 128
      ? [UInt8(value)]
      : [0x81, UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private static func name(_ text: String, version: UInt8) -> [UInt8] {
    [0x84, UInt8(text.utf8.count)] + Array(text.utf8) + [version]
  }

  /// A string or attributed string as `NSArchiver` writes it, byte by byte.
  static func typedstream(_ text: String, isAttributed: Bool, isMutable: Bool) -> [UInt8] {
    let head = [0x04, 0x0B] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03, 0x84, 0x01, 0x40]
    let string =
      [0x84, 0x01, UInt8(ascii: "+")] + number(text.utf8.count) + Array(text.utf8) + [end]
    guard isAttributed else {
      // Object 0, classes from 1 on.
      let chain =
        isMutable
        ? name("NSMutableString", version: 1) + [0x84] + name("NSString", version: 1)
        : name("NSString", version: 1)
      return head + [0x84, 0x84] + chain + [0x84] + name("NSObject", version: 0) + [0x85]
        + string
    }
    let chain =
      isMutable
      ? name("NSMutableAttributedString", version: 0) + [0x84]
        + name("NSAttributedString", version: 0)
      : name("NSAttributedString", version: 0)
    let root: UInt8 = isMutable ? 0x95 : 0x94
    return head + [0x84, 0x84] + chain + [0x84] + name("NSObject", version: 0) + [0x85, 0x92]
      + [0x84, 0x84] + name("NSString", version: 1) + [root] + string
      + [0x84, 0x02] + Array("iI".utf8) + [0x01] + number(text.utf16.count)
      + [0x92, 0x84, 0x84] + name("NSDictionary", version: 0) + [root, 0x84, 0x01]
      + Array("i".utf8) + [0x00, end, end]
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : String($0) }.joined()
  }

  /// The same as a keyed archive.
  static func keyed(_ text: String, isAttributed: Bool, isMutable: Bool) -> [UInt8] {
    let string = "<string>\(escaped(text))</string>"
    guard isAttributed || isMutable else { return ValueSamples.keyed([string]) }
    let kind = isMutable ? "Mutable" : ""
    guard isAttributed else {
      return ValueSamples.keyed([
        ValueSamples.object("<key>NS.string</key>" + string, class: 2),
        ValueSamples.objectClass("NSMutableString"),
      ])
    }
    return ValueSamples.keyed([
      ValueSamples.object(ValueSamples.uid(3, "NSString"), class: 2),
      ValueSamples.objectClass("NS\(kind)AttributedString"), string,
    ])
  }

  // MARK: The law

  private func lines(
    _ bytes: [UInt8], _ encoding: ArchiveLines.Encoding, _ form: ArchiveLines.Form
  ) throws -> (json: [String: Any], badCount: Int) {
    let digits =
      encoding == .hex ? InspectionText.hexadecimal(bytes) : Data(bytes).base64EncodedString()
    let collected = CollectedOutput()
    var reader = ArchiveLines(encoding, form, ValueOptions(), at: "") { collected.add($0) }
    try Array("7|\(digits)\n".utf8).withUnsafeBytes { try reader.add($0) }
    try reader.finish()
    let json = try JSONSerialization.jsonObject(with: Data(collected.bytes))
    return (json as? [String: Any] ?? [:], reader.badCount)
  }

  /// The text of a root that is a string or an attributed one.
  private func rootText(_ json: [String: Any]) -> String? {
    let root = (json["roots"] as? [String: Any])?["root"]
    return root as? String ?? (root as? [String: Any])?["$text"] as? String
  }

  private func check(_ bytes: [UInt8], _ text: String) throws {
    let units = Array(text.utf8)
    let archive = try InspectedArchive(bytes)
    #expect(Array(try archive.text(.text).utf8) == units + [0x0A])
    let values = try archive.text(.values())
    let json = try JSONSerialization.jsonObject(with: Data(values.utf8)) as? [String: Any]
    #expect(rootText(json ?? [:]).map { Array($0.utf8) } == units)
    for encoding in ArchiveLines.Encoding.allCases {
      let line = try lines(bytes, encoding, .text)
      #expect(line.badCount == 0)
      #expect((line.json["text"] as? String).map { Array($0.utf8) } == units)
      let resolved = try lines(bytes, encoding, .values)
      #expect(rootText(resolved.json).map { Array($0.utf8) } == units)
    }
    let exact = Array(try archive.text(.exact).utf8)
    let isStream = archive.header.format == .typedstream
    let again = try ArchiveConversion.convert(exact, to: isStream ? .typedstream : .keyed)
    #expect(Array(try InspectedArchive(again).text(.text).utf8) == units + [0x0A])
  }

  @Test(arguments: Seeds.some(108))
  func `the text of an archive is its text in every form`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = Self.text(&generator)
    for isAttributed in [false, true] {
      for isMutable in [false, true] {
        let stream = Self.typedstream(text, isAttributed: isAttributed, isMutable: isMutable)
        try check(stream, text)
        let keyed = Self.keyed(text, isAttributed: isAttributed, isMutable: isMutable)
        try check(keyed, text)
        // And through the other kind of archive.
        try check(try ArchiveConversion.convert(keyed, to: .typedstream), text)
        try check(try ArchiveConversion.convert(stream, to: .keyed), text)
      }
    }
  }

  @Test(arguments: Seeds.some(200))
  func `a text is cut between characters`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = Self.text(&generator)
    let stream = try InspectedArchive(
      Self.typedstream(text, isAttributed: false, isMutable: false))
    let list = try InspectedArchive(Self.keyed(text, isAttributed: false, isMutable: false))
    for archive in [stream, list] {
      let value = try #require(archive.resolved(archive.value(0, of: archive.top)))
      for limit in [0, 1, 2, 3, 4, Int.random(in: 0...300, using: &generator)] {
        let cut = try #require(archive.text(of: value, limit: limit))
        let whole = Array(text.utf8)
        #expect(whole.starts(with: cut.text.utf8) && !cut.isRepaired)
        #expect(cut.isCut == (cut.text.utf8.count < whole.count))
        #expect(cut.isCut || cut.text.utf8.count == whole.count)
      }
    }
  }

  // MARK: What is no text

  @Test func `bytes that only begin like a text are shown as bytes and told`() throws {
    for count in [0, 1, 199, 400] {
      var bytes = Self.typedstream(
        String(repeating: "x", count: count) + "\u{7F}", isAttributed: false, isMutable: false)
      let place = try #require(bytes.lastIndex(of: 0x7F))
      bytes[place] = 0xFF
      let archive = try InspectedArchive(bytes)
      #expect(throws: InspectionError.self) { try archive.text(.text) }
      #expect(try archive.tree { $0.cutsTexts = false }.contains("\(count + 1) byte"))
      let line = try lines(bytes, .hex, .text)
      #expect(line.badCount == 1 && line.json["error"] != nil && line.json["text"] == nil)
    }
  }

  @Test func `a text that is not valid is told with its replacement`() throws {
    let list =
      Array("bplist00".utf8) + [0x62, 0xD8, 0x00, 0x00, 0x78, 8, 0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13]
    let archive = try InspectedArchive(list)
    for form in [InspectedArchive.Form.values(), .text] {
      var bytes: [UInt8] = []
      let broken = try archive.write(form) { bytes += $0 }
      #expect(broken?.contains("half a surrogate pair") == true)
      #expect(String(decoding: bytes, as: UTF8.self).contains("\u{FFFD}x"))
    }
    #expect(try archive.text(.exact).contains("{\"$utf16\":\"2AAAeA==\"}"))
    let line = try lines(list, .hex, .values)
    #expect(line.badCount == 1 && line.json["error"] != nil && line.json["roots"] != nil)
  }

  @Test func `a key is whole however long it is, and told where it is not valid`() throws {
    let key = String(repeating: "é", count: 3_000)
    let list = Array(
      "<plist><dict><key>\(key)a</key><true/><key>\(key)b</key><false/></dict></plist>".utf8)
    let archive = try InspectedArchive(list)
    var whole = TreeOptions()
    whole.cutsTexts = false
    for form in [InspectedArchive.Form.values(), .exact, .json, .tree(whole)] {
      let text = try archive.text(form)
      #expect(text.contains(key + "a") && text.contains(key + "b"))
    }
    let again = try ArchiveConversion.convert(Array(try archive.text(.exact).utf8), to: .keyed)
    #expect(try ConversionTests.differences(list, again).0 == 0)

    let broken =
      Array("bplist00".utf8) + [0xD1, 1, 2, 0x62, 0xD8, 0x00, 0x00, 0x78, 0x09, 8, 11, 16]
      + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 17]
    let half = try InspectedArchive(broken)
    #expect(half.firstBroken == "a key with half a surrogate pair")
    let exact = Array(try half.text(.exact).utf8)
    #expect(throws: InspectionError.self) { try ArchiveConversion.convert(exact, to: .keyed) }
  }
}
