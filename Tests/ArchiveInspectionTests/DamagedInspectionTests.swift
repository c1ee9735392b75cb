import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import ArchiveInspection

/// What is damaged is shown as far as it can be read, and never taken for whole.
@Suite struct DamagedInspectionTests {
  static let files = SharedArchives.genuine(["bplist00", "xml", "typedstream"])

  /// What a form shows of a file, with colours, and the first broken place it tells.
  private static func shown(
    _ bytes: [UInt8], _ form: InspectionForm
  ) throws -> (text: String, broken: String?) {
    var options = TreeOptions()
    options.hasColours = true
    let collected = CollectedOutput()
    let broken = try Inspector(InspectedArchive(graphOf: bytes, isRaw: form == .raw)).write(
      form, at: InspectionPath("/"), options,
      to: TextOutput(inputCount: bytes.count) { collected.add($0) })
    return (collected.text, broken)
  }

  private static func typedstream(_ names: [String]) throws -> [UInt8] {
    let keyed = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: names.map { NSString(string: $0) }),
      requiringSecureCoding: false)
    return try ArchiveConversion.convert([UInt8](keyed), to: .typedstream)
  }

  @Test(arguments: [
    "broken value at the top", "a key that is no string", "an entry that cannot be read",
  ])
  func `A list with a broken part is not taken for whole`(_ kind: String) throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let (key, value) = (writer.addString("key"), writer.addDouble(1.5))
    switch kind {
    case "broken value at the top": writer.setArray(top, [])
    case "a key that is no string": writer.setDictionary(top, keys: [value], values: [key])
    default: writer.setDictionary(top, keys: [key], values: [value])
    }
    var bytes = try writer.finish(top: top)
    if kind != "a key that is no string" {
      let marker: UInt8 = kind == "broken value at the top" ? 0xA0 : 0x23
      bytes[try #require(bytes.firstIndex(of: marker))] = 0x7F
    }
    for form in [InspectionForm.tree, .json, .raw, .statistics] {
      #expect(try Self.shown(bytes, form).broken != nil, "\(form)")
    }
    #expect(try InspectedArchive(bytes).firstBroken != nil)
  }

  @Test(arguments: files)
  func `What is shown as broken is told`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    guard bytes.count < 20_000 else { return }
    var generator = SeededGenerator(seed: UInt64(bytes.count))
    for _ in 0..<3 {
      var damaged = bytes
      let place = Int.random(in: 8..<bytes.count, using: &generator)
      damaged[place] = UInt8.random(in: 0...255, using: &generator)
      for form in [InspectionForm.tree, .raw] {
        guard let (text, broken) = try? Self.shown(damaged, form) else { continue }
        let isBroken = text.contains("\u{1B}[31mbroken")
        #expect(!isBroken || broken != nil, "byte \(place) of \(file)")
      }
      guard let archive = try? InspectedArchive(damaged) else { continue }
      let collected = CollectedOutput()
      var difference = ArchiveDifference(
        archive, archive, names: ("a", "b"), form: .text, hasColours: false,
        send: { collected.add($0) })
      #expect(try difference.write() == 0, "byte \(place) of \(file)")
    }
  }

  // MARK: Typedstreams

  @Test func `A cut typedstream is shown up to the cut`() throws {
    let bytes = try Self.typedstream(["first", "second", "third"])
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "third".utf8) })
    let cut = Array(bytes[..<(place + 2)])
    let (text, broken) = try Self.shown(cut, .tree)
    #expect(text.contains("\"first\"") && text.contains("\"second\""))
    #expect(text.contains("damage") && broken != nil, "\(text)")
    let raw = try Self.shown(cut, .raw)
    #expect(raw.text.contains("\"second\"") && raw.text.contains("broken: "))
    #expect(raw.broken != nil)
    #expect(throws: InspectionError.self) { try ArchiveConversion.convert(cut, to: .typedstream) }
  }

  @Test func `Bytes behind a whole typedstream are shown and told`() throws {
    let bytes = try Self.typedstream(["first"])
    let longer = bytes + [0, 0, 0xAB, 0xCD]
    let (text, broken) = try Self.shown(longer, .tree)
    #expect(text.contains("4 bytes from byte \(bytes.count) on"), "\(text)")
    #expect(text.contains("root") && text.contains("\"first\"") && broken != nil)
    #expect(try Self.shown(longer, .raw).text.contains("0000abcd"))
  }

  @Test(arguments: SharedArchives.genuine(["typedstream"]))
  func `Every beginning of a typedstream is shown in every form`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    let step = max(1, bytes.count / 4)
    for count in stride(from: 20, to: bytes.count, by: step) {
      let cut = Array(bytes[..<count])
      for form in [InspectionForm.tree, .json, .raw, .statistics, .statisticsJSON] {
        let (text, broken) = try Self.shown(cut, form)
        #expect(!text.isEmpty)
        guard let damage = try Typedstream(upToDamage: cut).damage else { continue }
        #expect(broken != nil && damage.offset <= count)
      }
    }
  }

  // MARK: XML

  private static let rests: [[UInt8]] = [
    [0], [0xFF, 0xFE], Array("<!-- open".utf8), Array("<dict/>".utf8),
  ]

  @Test(arguments: rests)
  func `What follows an XML list is told, and the list is shown`(_ rest: [UInt8]) throws {
    let text = "<plist version=\"1.0\"><dict><key>a</key><string>ö</string></dict></plist>\n"
    let bytes = Array(text.utf8) + rest
    let (shown, broken) = try Self.shown(bytes, .tree)
    #expect(shown.contains("\"ö\"") && broken == nil)
    #expect(shown.contains("from byte \(text.utf8.count) on follow"), "\(shown)")
    let json = try Self.shown(bytes, .json)
    #expect(json.text.contains("\n\"rest\":\(rest.count),\n"), "\(json.text)")
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(xml: bytes) }
    let wide: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) {
      $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)]
    }
    let wideShown = try Self.shown(wide + rest, .tree)
    #expect(wideShown.text.contains("from byte \(wide.count) on follow"), "\(wideShown)")
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(xml: wide + rest) }
  }
}
