import Foundation
import PortolanFiles
import Testing

@Suite("Reading files")
struct ReadingTests {
  @Test("reads a file whole, up to the limit", arguments: [0, 1, 4095, 4096, 100_000])
  func readsWhole(count: Int) throws {
    let scratch = try Scratch()
    let text = String(repeating: "x", count: count)
    let path = try scratch.file("a", text)
    #expect(try scratch.fileSystem.read(path, limit: count).count == count)
    if count > 0 {
      #expect(throws: FileError.self) { _ = try scratch.fileSystem.read(path, limit: count - 1) }
    }
  }

  @Test("counts what a file without a size gives")
  func countsWhileReading() throws {
    let fileSystem = RealFileSystem()
    #expect(try fileSystem.read("/proc/self/status", limit: 1 << 20).count > 100)
    #expect(throws: FileError.self) { _ = try fileSystem.read("/proc/self/status", limit: 10) }
  }

  @Test("refuses what is no file, at once")
  func refusesOthers() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch.path + "/pipe", 0o600) == 0)
    let expected: [(String, FileError.Problem)] = [
      (scratch.path, .isDirectory), (scratch.path + "/pipe", .isPipe), ("/dev/zero", .isDevice),
      ("/dev/full", .isDevice), (scratch.path + "/none", .system),
    ]
    for (path, problem) in expected {
      do {
        _ = try scratch.fileSystem.read(path, limit: 100)
        Issue.record("read \(path)")
      } catch {
        #expect(error.problem == problem)
        #expect(error.path == path)
        #expect(error.description.hasPrefix(path + ": "))
      }
    }
  }

  @Test("refuses a sparse giant without asking for its memory")
  func sparseGiant() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a", "")
    #expect(truncate(path, 1 << 40) == 0)
    #expect(throws: FileError.self) { _ = try scratch.fileSystem.read(path, limit: 1 << 30) }
  }

  @Test(
    "takes a path's bytes there and back",
    arguments: [
      [0x61, 0x2F, 0x62], [0xFF, 0x61], [0xC3, 0xA4], [0xC3], [0xF4, 0x8F, 0xBF, 0xBF],
      [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80, 0x80],
    ] as [[UInt8]])
  func pathBytes(bytes: [UInt8]) {
    #expect(FilePath.bytes(of: FilePath.text(of: bytes)) == bytes)
  }

  @Test("opens a file whose name is not UTF-8")
  func notUTF8() throws {
    let scratch = try Scratch()
    let name = FilePath.text(of: [0x61, 0xFF, 0x2E])
    let path = scratch.path + "/" + name
    _ = try scratch.fileSystem.save([1, 2], to: path, expecting: .absent)
    #expect(try scratch.fileSystem.read(path, limit: 9) == [1, 2])
    #expect(try scratch.names == [name])
  }

  @Test("splits and joins paths")
  func paths() {
    #expect(FilePath.name(of: "/a/b.doc") == "b.doc")
    #expect(FilePath.folder(of: "/a/b.doc") == "/a")
    #expect(FilePath.folder(of: "b.doc") == ".")
    #expect(FilePath.folder(of: "/b.doc") == "/")
    #expect(FilePath.join("/", "x") == "/x")
  }
}
