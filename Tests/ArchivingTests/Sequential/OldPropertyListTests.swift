import Archiving
import PortolanTestSupport
import Testing

@Suite struct OldPropertyListTests {
  /// The name of a font in a real file.
  static let monaco: [UInt8] = [
    6, 0, 0, 0, 0x0E, 0, 0, 0, 0xFE, 0xFF, 0, 0x4D, 0, 0x6F, 0, 0x6E, 0, 0x61, 0, 0x63, 0, 0x6F, 0,
    0,
  ]

  @Test func `a string of a real file is read and written`() throws {
    #expect(try OldPropertyList(Self.monaco) == .string("Monaco"))
    #expect(try OldPropertyList.string("Monaco").encoded() == Self.monaco)
    #expect(try OldPropertyList([5, 0, 0, 0, 2, 0, 0, 0, 0x47, 0xF2, 0, 0]) == .string("Gù"))
  }

  @Test func `lists are the same again in an archive of either byte order`() throws {
    let list = OldPropertyList.array([
      .string("größer 🗺"), .data([1, 2, 3]), .none, .array([]), .array([.array([.none])]),
    ])
    for order in [TypedstreamByteOrder.littleEndian, .bigEndian] {
      let archiver = Archiver(byteOrder: order)
      try archiver.encodePropertyList(list)
      let unarchiver = try Unarchiver(archiver.finish())
      #expect(try unarchiver.decodePropertyList() == list)
      #expect(unarchiver.isAtEnd)
    }
  }

  @Test func `what does not fit is an error`() throws {
    for end in Self.monaco.indices {
      #expect(throws: ArchiveError.self) { try OldPropertyList(Array(Self.monaco[..<end])) }
    }
    for bytes: [UInt8] in [
      [7, 0, 0, 0, 0, 0, 0, 0], [9, 0, 0, 0], [2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
      [8, 0, 0, 0, 0], [4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
      [6, 0, 0, 0, 2, 0, 0, 0, 0xD8, 0, 0, 0],
    ] { #expect(throws: ArchiveError.self) { try OldPropertyList(bytes) } }
    var deep = OldPropertyList.none
    for _ in 0..<100 { deep = .array([deep]) }
    #expect(throws: ArchiveError.self) { try deep.encoded() }
  }

  @Test(.enabled(if: Shared.exists("corpus/MANIFEST.tsv"), "no shared/corpus"))
  func `the fonts of real interfaces have names`() throws {
    var names: Set<String> = []
    for file in SequentialCorpusTests.files {
      let stream = try Typedstream(Shared.bytes("corpus/" + file))
      for number in 0..<stream.objectCount {
        guard case .object? = stream.entry(number) else { continue }
        let object = SequentialObject(stream: stream, number: number)
        guard object.className == "NSFont" else { continue }
        for group in try object.groups() {
          guard group.types.hasPrefix("["), case .bytes(let bytes)? = group.values.first else {
            continue
          }
          guard case .string(let name) = try OldPropertyList(bytes) else {
            Issue.record("a font of \(file) without a name")
            continue
          }
          names.insert(name)
        }
      }
    }
    #expect(names.contains("Helvetica") || names.contains("LucidaGrande"), "\(names)")
  }
}
