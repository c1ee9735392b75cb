import ArchiveInspection
import Archiving
import PortolanTestSupport
import Testing

/// The forms of an archive as adopters of the library ask for them: the import is no testable one.
@Suite struct PublicFormTests {
  static func archive() throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeString("Old Customs House", forKey: "name")
    try archiver.encodeInt(4, forKey: "platforms")
    return try archiver.finish()
  }

  @Test func `every form is written, whole and of a part`() throws {
    let archive = try InspectedArchive(Self.archive())
    let values = try archive.text(.values())
    let roots = #","roots":{"name":"Old Customs House","platforms":4}}"# + "\n"
    #expect(values.hasSuffix(roots), "\(values)")
    #expect(try archive.text(.text) == "Old Customs House\n")
    #expect(try archive.text(.tree(), at: "/name").hasPrefix("name: \"Old Customs House\""))
    #expect(try archive.text(.json).contains(#""platforms""#))
    #expect(try archive.text(.statistics).contains("platforms") == false)
    let again = try ArchiveConversion.convert(Array(archive.text(.exact).utf8), to: .keyed)
    #expect(try InspectedArchive(again).text(.values()).hasSuffix(roots))
    var difference = try ArchiveDifference(archive, InspectedArchive(again)) { _ in }
    #expect(try difference.write() == 0)
    let error = #expect(throws: InspectionError.self) { try archive.text(.exact, at: "/name") }
    #expect(error?.code == .usage)
  }

  @Test func `limits bound what is read and written`() throws {
    let bytes = try Self.archive()
    var limits = InspectionLimits()
    limits.byteCountMax = bytes.count - 1
    let error = #expect(throws: InspectionError.self) {
      try InspectedArchive(bytes, limits: limits)
    }
    #expect(error?.code == .unsupported)
    limits.byteCountMax = bytes.count
    #expect(try InspectedArchive(bytes, limits: limits).text(.text).isEmpty == false)
    (limits.expansionFactor, limits.expansionBase) = (0, 10)
    let archive = try InspectedArchive(bytes, limits: limits)
    #expect(throws: InspectionError.self) { try archive.text(.values()) }
  }

  @Test func `nested archives are resolved as deep as the limits say`() throws {
    let outer = KeyedArchiver()
    try outer.encodeData(Self.archive(), forKey: "data")
    let bytes = try outer.finish()
    var options = ValueOptions()
    options.isNested = true
    #expect(try InspectedArchive(bytes).text(.values(options)).contains("Customs"))
    var limits = InspectionLimits()
    limits.nestedDepthMax = 0
    let archive = try InspectedArchive(bytes, limits: limits)
    #expect(try !archive.text(.values(options)).contains("Customs"))
  }

  @Test(.enabled(if: Shared.exists("corpus/generated/gnustep-1.28/arr.gsa")))
  func `a GNUstep archive of Foundation's values is a graph`() throws {
    let folder = "corpus/generated/gnustep-1.28/"
    let list = try InspectedArchive(Shared.bytes(folder + "arr.gsa"))
    #expect(list.header.format == .gnustep)
    #expect(list.valueCount(of: list.top) == 1)
    #expect(try list.text(.values()).contains(#""roots":{"root":["#))
    #expect(throws: InspectionError.self) { try list.text(.exact) }
  }
}
