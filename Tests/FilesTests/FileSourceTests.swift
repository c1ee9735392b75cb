import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// A file and those beside it, as readers see them.
@Suite struct FileSourceTests {
  private static func files(_ contents: [String: [UInt8]]) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    for (path, bytes) in contents {
      try files.makeDirectories(FilePath.folder(of: path))
      _ = try files.save(bytes, to: path, expecting: .absent)
    }
    return files
  }

  @Test(arguments: Seeds.some(50))
  func `Parts and pieces are those of the whole, in memory and in a file`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...200_000, using: &random)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let files = try Self.files(["/m/a.b": bytes])
    for source in [FileSource(bytes), FileSource(path: "/m/a.b", in: files)] {
      #expect(try source.bytes() == bytes)
      #expect(try source.head().elementsEqual(bytes.prefix(FileHead.count)))
      let start = Int.random(in: 0...bytes.count + 10, using: &random)
      let end = start + Int.random(in: 0...5_000, using: &random)
      let part = try source.bytes(in: start..<end)
      #expect(part == Array(bytes.dropFirst(start).prefix(end - start)))
      var pieces: [UInt8] = []
      try source.readPieces { pieces += $0 }
      #expect(pieces == bytes)
    }
    #expect(try FileSource(bytes).bytes(in: 5..<Int.max) == Array(bytes.dropFirst(5)))
  }

  @Test func `Siblings have the same name, whatever the capitals of the ending`() throws {
    let files = try Self.files([
      "/m/a.shp": [1], "/m/a.dbf": [2], "/m/a.DBF": [3], "/m/a.Prj": [4], "/m/A.cpg": [5],
      "/m/a.b.shx": [6], "/m/x\u{10FFE9}.shp": [7], "/m/x\u{10FFE9}.SHX": [8],
    ])
    let source = FileSource([1], path: "/m/a.shp", in: files)
    #expect(try source.sibling("dbf")?.bytes() == [2])
    #expect(try source.sibling("prj")?.bytes() == [4])
    #expect(try source.sibling("cpg")?.path == nil)
    #expect(try source.sibling("shx")?.path == nil)
    #expect(try source.sibling("dbf")?.sibling("shp")?.bytes() == [1])
    let other = FileSource([7], path: "/m/x\u{10FFE9}.shp", in: files)
    #expect(try other.sibling("shx")?.bytes() == [8])
  }

  @Test(arguments: ["-", "/dev/fd/3"])
  func `A stream has none beside it`(path: String) throws {
    let files = try Self.files(["/dev/fd/3.dbf": [1]])
    #expect(try FileSource([], path: path, in: files).sibling("dbf")?.path == nil)
  }
}
