import PortolanFiles
import Testing

@Suite("The file system in memory")
struct MemoryFileSystemTests {
  @Test("saves, replaces and keeps theirs as the real one does")
  func saves() throws {
    let files = MemoryFileSystem(files: ["/home/a.doc": Array("old".utf8)])
    let loaded = try files.load("/home/a.doc", limit: 100)
    let first = try files.save(
      Array("new".utf8), to: "/home/a.doc", expecting: .version(loaded.identity))
    #expect(first.theirs == nil && first.warnings.isEmpty)
    #expect(try files.read("/home/a.doc", limit: 100) == Array("new".utf8))
    files.put(Array("foreign".utf8), at: "/home/a.doc")
    let second = try files.save(
      Array("newer".utf8), to: "/home/a.doc", expecting: .version(first.identity))
    #expect(second.theirs == "/home/a.doc.theirs")
    #expect(try files.names(in: "/home") == ["a.doc", "a.doc.theirs"])
    #expect(try files.read("/home/a.doc.theirs", limit: 100) == Array("foreign".utf8))
  }

  @Test("follows links, and ends with those that go in circles")
  func links() throws {
    let files = MemoryFileSystem(files: ["/d/real": [1]])
    files.putLink(to: "d/real", at: "/link")
    files.putLink(to: "loop", at: "/loop")
    files.putLink(to: "/d/none", at: "/dangling")
    #expect(try files.read("/link", limit: 9) == [1])
    #expect(try files.realPath("/d/../link") == "/d/real")
    #expect(throws: FileError.self) { _ = try files.read("/loop", limit: 9) }
    #expect(throws: FileError.self) { _ = try files.read("/dangling", limit: 9) }
    _ = try files.save([2], to: "/link", expecting: .anything)
    _ = try files.save([3], to: "/dangling", expecting: .anything)
    #expect(try files.names(in: "/d") == ["none", "real"])
    #expect(try files.read("/d/real", limit: 9) == [2])
  }

  @Test("appends, reads back in parts and removes")
  func appends() throws {
    let files = MemoryFileSystem()
    for part in [[1, 2], [3]] as [[UInt8]] {
      let file = try files.open("/log", in: nil, .append)
      part.withUnsafeBytes { bytes in _ = try? files.write(file, bytes) }
      try files.close(file)
    }
    #expect(try files.read("/log", limit: 9) == [1, 2, 3])
    #expect(throws: FileError.self) { _ = try files.read("/log", limit: 2) }
    try files.remove("/log", in: nil)
    #expect(!files.exists("/log"))
  }

  @Test("keeps every version whole however a save fails, and locks between openings")
  func failing() throws {
    for call in 1...60 {
      let files = MemoryFileSystem(files: ["/a": Array("old".utf8)])
      let loaded = try files.load("/a", limit: 9)
      let failing = FailingFileSystem(files, plan: .from(number: call), number: 5)
      let outcome = try? failing.save(
        Array("new".utf8), to: "/a", expecting: .version(loaded.identity))
      let now = try files.read("/a", limit: 9)
      #expect(now == Array((outcome == nil ? "old" : "new").utf8))
    }
    let files = MemoryFileSystem(files: ["/a": []])
    let first = try files.open("/a", in: nil, .readWrite)
    let second = try files.open("/a", in: nil, .readWrite)
    #expect(try files.lock(first))
    #expect(try !files.lock(second))
    try files.close(first)
    #expect(try files.lock(second))
  }
}
