import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// Bytes that are read in parts are the bytes of the file.
@Suite struct PagedReaderTests {
  @Test(arguments: Seeds.some(3))
  func `A source and an array give the same for any access`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = [0, 7, 16_384, 50_001].randomElement(using: &random) ?? 0
    let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    let (array, paged) = (ByteReader(bytes), ByteReader(bytes.randomAccess))
    #expect(paged.isPaged && paged.count == array.count && paged.bytes.isEmpty)
    for _ in 0..<400 {
      let offset = place(in: size, &random)
      let width = Int.random(in: -1...9, using: &random)
      #expect(array.byte(at: offset) == paged.byte(at: offset))
      #expect(
        array.bigEndian(at: offset, width: width) == paged.bigEndian(at: offset, width: width))
      #expect(array.contains(offset, count: width) == paged.contains(offset, count: width))
      let end = max(offset, place(in: size, &random))
      let parts = [array, paged].map { reader in
        reader.withBytes(in: offset..<end) { [UInt8]($0) }
      }
      #expect(parts[0] == parts[1])
      let copies = [array, paged].map { reader in
        [UInt8](unsafeUninitializedCapacity: end - offset) { room, count in
          let target = UnsafeMutableRawBufferPointer(room)
          count = reader.copyBytes(in: offset..<end, to: target) ? end - offset : 0
        }
      }
      #expect(copies[0] == copies[1])
    }
    #expect(paged.failure == nil)
    try paged.checkSource()
  }

  /// Places at the ends of pages and of the file, and beyond.
  private func place(in size: Int, _ random: inout SeededGenerator) -> Int {
    let near = [0, 16_384, 32_768, size].randomElement(using: &random) ?? 0
    return Bool.random(using: &random)
      ? near + Int.random(in: -9...9, using: &random)
      : Int.random(in: -1...max(1, size), using: &random)
  }

  @Test(arguments: Seeds.some(2))
  func `Pages that do not fit are read again`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let reader = ByteReader(bytes.randomAccess)
    for _ in 0..<3_000 {
      let offset = Int.random(in: 0..<bytes.count, using: &random)
      #expect(reader.byte(at: offset) == bytes[offset])
    }
  }

  /// A source of which the reads fail from one on.
  private final class FailingSource: RandomAccessSource {
    struct Failure: Error {}
    let bytes: [UInt8]
    let end: Int

    init(_ bytes: [UInt8], failingFrom end: Int) { (self.bytes, self.end) = (bytes, end) }

    var byteCount: Int { bytes.count }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
      guard offset + target.count <= end else { throw Failure() }
      target.copyBytes(from: bytes[offset..<offset + target.count])
    }
  }

  @Test func `After a read that failed nothing is given, and the reason is`() {
    let source = FailingSource([UInt8](repeating: 1, count: 40_000), failingFrom: 16_384)
    let reader = ByteReader(source)
    #expect(reader.byte(at: 16_383) == 1)
    #expect(reader.failure == nil)
    #expect(reader.byte(at: 16_384) == nil)
    #expect(reader.failure is FailingSource.Failure)
    #expect(reader.withBytes(in: 0..<20_000) { $0.count } == nil)
    #expect(throws: FailingSource.Failure.self) { try reader.checkSource() }
  }

  @Test func `A list of a source that fails is unreadable, not damaged`() throws {
    var writer = BinaryPropertyListWriter()
    let text = writer.addString(String(repeating: "a", count: 20_000))
    let bytes = try writer.finish(top: text)
    let error = #expect(throws: PropertyListError.self) {
      try BinaryPropertyList(ByteReader(FailingSource(bytes, failingFrom: 16_384)))
    }
    #expect(error?.code == .unreadable)
  }

  // MARK: Files

  private func inFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result
  {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }

  @Test func `A file is read in parts`() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    try inFile(bytes) { path in
      let reader = ByteReader(try FileBytes(path: path))
      #expect(reader.withBytes(in: 0..<100_000) { [UInt8]($0) } == bytes)
      #expect(
        reader.bigEndian(at: 99_992, width: 8) == ByteReader(bytes).bigEndian(at: 99_992, width: 8))
      try reader.checkSource()
    }
  }

  @Test func `A file that is cut off or written underneath is noticed`() throws {
    try inFile([UInt8](repeating: 7, count: 100_000)) { path in
      let reader = ByteReader(try FileBytes(path: path))
      #expect(reader.byte(at: 0) == 7)
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 50_000)
      #expect(reader.byte(at: 99_999) == nil)
      #expect(throws: PropertyListError.self) { try reader.checkSource() }
      let other = ByteReader(try FileBytes(path: path))
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data(repeating: 8, count: 50_001))
      let error = #expect(throws: PropertyListError.self) { try other.checkSource() }
      #expect(error?.code == .unreadable)
    }
  }

  @Test(arguments: ["/nonexistent/x", "/tmp", "/dev/null", "/dev/zero", "a\0b"])
  func `What is no regular file is refused at once`(path: String) {
    let error = #expect(throws: PropertyListError.self) { try FileBytes(path: path) }
    #expect(error?.code == .unreadable)
  }
}
