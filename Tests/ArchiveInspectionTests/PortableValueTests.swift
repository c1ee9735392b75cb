import Archiving
import Testing

@testable import ArchiveInspection

/// Values that both kinds of archive hold go from one to the other and back; others are refused.
@Suite struct PortableValueTests {
  /// A colour as AppKit writes it into a keyed archive.
  struct Colour: Coding {
    var space = 1
    var key = "NSRGB"
    var text = ""
    var names: [String] = []
    var extra = false

    static var archivedClass: ArchivedClass { "NSColor" }

    init(_ space: Int, _ key: String, _ text: String, names: [String] = [], extra: Bool = false) {
      (self.space, self.key, self.text) = (space, key, text)
      (self.names, self.extra) = (names, extra)
    }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(space, forKey: "NSColorSpace")
      if space == 6 {
        try coder.encodeString(names.first, forKey: "NSCatalogName")
        try coder.encodeString(names.last, forKey: "NSColorName")
        try coder.encodeObject(Colour(3, "NSWhite", "0.5"), forKey: "NSColor")
      } else {
        try coder.encodeBytes(Array(text.utf8) + [0], forKey: key)
      }
      if extra { try coder.encodeInt(1, forKey: "NSLinearExposure") }
    }

    init(coder: any DecodingCoder) throws { throw coder.valueNotFound() }
  }

  static let colours: [(colour: Colour, words: String)] = [
    (Colour(1, "NSRGB", "0 0.5 1"), "calibrated RGB 0 0.5 1"),
    (Colour(2, "NSRGB", "0.25 0.5 1 0.75"), "device RGB 0.25 0.5 1, alpha 0.75"),
    (Colour(3, "NSWhite", "0.5"), "calibrated white 0.5"),
    (Colour(4, "NSWhite", "1 0"), "device white 1, alpha 0"),
    (Colour(5, "NSCMYK", "0 0.25 0.5 1"), "device CMYK 0 0.25 0.5 1"),
    (Colour(6, "", "", names: ["System", "textColor"]), "System textColor"),
  ]

  @Test(arguments: colours.indices)
  func `a colour is told in words and goes to a typedstream and back`(_ index: Int) throws {
    let (colour, words) = Self.colours[index]
    let keyed = try KeyedArchiver.archive(colour)
    let line = "NSColor \(words) #"
    #expect(try InspectedArchive(keyed).tree().contains("root: " + line))
    let stream = try ArchiveConversion.convert(keyed, to: .typedstream)
    #expect(try InspectedArchive(stream).tree().contains("root @ " + line))
    // As the corpus has it: the space in a byte, then the numbers or names in one group.
    let raw = CollectedOutput()
    try Inspector(InspectedArchive(stream)).write(
      .raw, at: InspectionPath("/"), TreeOptions(), to: raw.output)
    let types = raw.text.split(separator: "\n").compactMap { line in
      line.split(separator: " ").drop { $0 != "types" }.dropFirst().first.map(String.init)
    }
    #expect(types.starts(with: ["@", "c"]), "\(types)")
    let wanted = index == 5 ? "@@@" : ["ffff", "ffff", "ff", "ff", "fffff"][index]
    #expect(types.contains(wanted), "\(types)")
    let back = try ArchiveConversion.convert(stream, to: .keyed)
    #expect(try ConversionTests.differences(keyed, back) == (0, ""))
  }

  @Test func `a colour with fields that only keyed archives have does not lose them`() throws {
    let keyed = try KeyedArchiver.archive(Colour(1, "NSRGB", "0 0 1", extra: true))
    #expect(try InspectedArchive(keyed).tree().contains("NSLinearExposure: 1"))
    let error = #expect(throws: InspectionError.self) {
      try ArchiveConversion.convert(keyed, to: .typedstream)
    }
    #expect(error?.code == .unsupported && error?.description.contains("/root: NSColor") == true)
  }

  @Test(arguments: ["1 2", "a b c", "1 2 3 4 5", "nan 0 0", ""])
  func `a colour that is none is shown with its fields`(_ text: String) throws {
    let keyed = try KeyedArchiver.archive(Colour(1, "NSRGB", text))
    let tree = try InspectedArchive(keyed).tree()
    #expect(tree.contains("NSColorSpace: 1") && tree.contains("NSRGB: "))
    #expect(throws: InspectionError.self) {
      try ArchiveConversion.convert(keyed, to: .typedstream)
    }
  }

  static let values: [(value: Cocoa.Value, words: String)] = [
    (.point(Cocoa.Point(x: 1.5, y: -2)), "point {1.5, -2}"),
    (.size(Cocoa.Size(width: 1.7976931348623157e308, height: 0)), "1.7976931348623157e+308"),
    (.rect(Cocoa.Rect(x: 1, y: 2, width: 3, height: 4)), "rect {{1, 2}, {3, 4}}"),
    (
      .edgeInsets(Cocoa.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4.5)), "insets {1, 2, 3, 4.5}"
    ),
    (.other(type: "i", .integer(-7)), "i -7"), (.other(type: "C", .integer(200)), "C 200"),
    (.other(type: "S", .integer(65_535)), "S 65535"), (.other(type: "d", .double(0.1)), "d 0.1"),
    (.other(type: "f", .float(0.1)), "f 0.1"), (.other(type: "q", .integer(.min)), "q -922"),
    (.other(type: "I", .integer(4_000_000_000)), "I 4000000000"),
  ]

  @Test(arguments: values.indices)
  func `a structure or C value goes to a typedstream and back`(_ index: Int) throws {
    let (value, words) = Self.values[index]
    let keyed = try KeyedArchiver.archive(value)
    #expect(try InspectedArchive(keyed).tree().contains(words))
    let stream = try ArchiveConversion.convert(keyed, to: .typedstream)
    #expect(try InspectedArchive(stream).tree().contains(words))
    #expect(try Unarchiver.unarchive(Cocoa.Value.self, from: stream) == value)
    let back = try ArchiveConversion.convert(stream, to: .keyed)
    #expect(try KeyedUnarchiver.unarchive(Cocoa.Value.self, from: back) == value)
  }

  /// Where nothing was found, the location is the greatest number: it must not go through a real.
  @Test func `a range keeps its numbers to the last digit`() throws {
    let archiver = Archiver()
    try archiver.encodeObject(
      Cocoa.Value.other(
        type: "{_NSRange=QQ}", .structure([.integer(.max), .integer(9_007_199_254_740_993)])))
    let stream = try archiver.finish()
    #expect(
      try InspectedArchive(stream).tree().contains("range {\(Int64.max), 9007199254740993}"))
    let keyed = try ArchiveConversion.convert(stream, to: .keyed)
    let back = try ArchiveConversion.convert(keyed, to: .typedstream)
    #expect(try ConversionTests.differences(stream, back) == (0, ""))
  }

  @Test(arguments: ["NSOrderedSet", "NSLocale", "NSTimeZone", "NSUUID"])
  func `a class whose typedstream form nobody knows is refused with that reason`(
    _ name: String
  ) throws {
    let object: any Coding =
      switch name {
      case "NSOrderedSet": Cocoa.OrderedSet(["a"])
      case "NSLocale": Cocoa.Locale("nb_NO")
      case "NSTimeZone": Cocoa.TimeZone("UTC")
      default: try #require(Cocoa.UUID(bytes: [UInt8](repeating: 1, count: 16)))
      }
    let keyed = try KeyedArchiver.archive(object)
    let error = #expect(throws: InspectionError.self) {
      try ArchiveConversion.convert(keyed, to: .typedstream)
    }
    #expect(
      error?.description
        == "/root: \(name) cannot go into a typedstream: how Apple's class codes itself there is "
        + "not known; XML (--format xml) holds every object")
  }

  /// A value as GNUstep writes it into a keyed archive.
  struct GNUstepValue: Coding {
    static var archivedClass: ArchivedClass { "NSUUID" }
    init() {}
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeBytes([UInt8](1...16), forKey: "uuid")
    }
    init(coder: any DecodingCoder) throws { throw coder.valueNotFound() }
  }

  @Test func `a UUID of GNUstep's is told as one`() throws {
    let tree = try InspectedArchive(KeyedArchiver.archive(GNUstepValue())).tree()
    #expect(tree.contains("root: NSUUID 01020304-0506-0708-090A-0B0C0D0E0F10 #"))
    #expect(!tree.contains("uuid:"))
  }

  @Test func `a list with another archiver's name goes to the binary form as it is`() throws {
    let xml = """
      <plist version="1.0"><dict><key>$archiver</key><string>Other</string>
      <key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>
      <dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string><string>a</string></array></dict></plist>
      """
    let bytes = Array(xml.utf8)
    let binary = try ArchiveConversion.convert(bytes, to: .keyed)
    #expect(binary.starts(with: "bplist00".utf8))
    #expect(try ConversionTests.differences(bytes, binary) == (0, ""))
    #expect(try InspectedArchive(binary).header.archiver == "Other")
  }

  // MARK: Keys

  @Test func `keys that are empty or numbers are shown and lead on`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeInt(4, forKey: "")
    let table: Cocoa.Dictionary = [5: "five", "a/b": "slash", "": "none"]
    try archiver.encodeObject(table, forKey: "root")
    let bytes = try archiver.finish()
    let archive = try InspectedArchive(bytes)
    let tree = try archive.tree()
    #expect(tree.contains("\n\"\": 4\n") && tree.contains("\n  5: \"five\"\n"))
    #expect(try archive.tree(at: "/root/5") == "5: \"five\"\n")
    #expect(try archive.tree(at: "/root/a~1b") == "a/b: \"slash\"\n")
    #expect(try archive.tree(at: "/root/") == "\"\": \"none\"\n")
    #expect(try archive.tree(at: "/root/5/") == "5: \"five\"\n")
    let other: Cocoa.Dictionary = [5: "FIVE", "a/b": "slash", "": "none"]
    let changed = KeyedArchiver()
    try changed.encodeInt(4, forKey: "")
    try changed.encodeObject(other, forKey: "root")
    let (count, text) = try ConversionTests.differences(bytes, changed.finish())
    #expect(count == 1 && text.contains("-5: \"five\"\n+5: \"FIVE\"\n"))
  }

  @Test func `what differs at the end of a long text or of bytes is in the line`() throws {
    func archive(_ text: String, _ bytes: [UInt8]) throws -> [UInt8] {
      let archiver = KeyedArchiver()
      try archiver.encodeString(text, forKey: "text")
      try archiver.encodeData(bytes, forKey: "bytes")
      return try archiver.finish()
    }
    let long = String(repeating: "å", count: 5_000)
    let zeros = [UInt8](repeating: 0, count: 5_000)
    let (count, text) = try ConversionTests.differences(
      archive(long + "1", zeros + [1]), archive(long + "2", zeros + [2]))
    #expect(count == 2)
    #expect(text.contains("-text: behind 4,992 equal ones: \"åååååååå1\"\n"))
    #expect(text.contains("+text: behind 4,992 equal ones: \"åååååååå2\"\n"))
    #expect(text.contains("-bytes: behind 4,996 equal ones: 5 bytes 00000000 01\n"), "\(text)")
  }

  @Test(arguments: [
    ("", "is empty: give an archive or a property list"),
    ("hello\nworld", "it begins with “hello\\nworld”"),
    ("\u{1}\u{2}", "it begins with the bytes 0102"),
  ])
  func `a file that is no archive is told by how it begins`(
    _ text: String, _ words: String
  ) throws {
    let error = #expect(throws: InspectionError.self) { try InspectedArchive(Array(text.utf8)) }
    #expect(error?.code == .unreadable && error?.description.hasSuffix(words) == true)
  }
}
