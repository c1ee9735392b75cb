import PortolanTestSupport
import Testing

@testable import PortolanFiles

struct RecentFilesTests {
  private func recent() throws -> RecentFiles {
    let files = MemoryFileSystem()
    return RecentFiles(in: StateFolder(path: "/state/portolan"), files)
  }

  @Test func `The list is empty before the first file`() throws {
    #expect(try recent().paths().isEmpty)
  }

  @Test(arguments: 0..<20)
  func `Noted files come back, newest first and each once, whatever their names`(
    seed: UInt64
  ) throws {
    let recent = try recent()
    var random = SeededGenerator(seed: seed)
    let names = (0..<70).map { number in
      let bytes: [UInt8] = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        UInt8.random(in: 1...255, using: &random)
      }
      return "/" + FilePath.text(of: bytes.filter { $0 != 0x2F }) + String(number)
    }
    var model: [String] = []
    for _ in 0..<200 {
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      try recent.note(name)
      model.removeAll { FilePath.isSame($0, name) }
      model = Array(([name] + model).prefix(RecentFiles.countMax))
    }
    let paths = recent.paths()
    #expect(paths.count == model.count)
    for (path, expected) in zip(paths, model) { #expect(FilePath.isSame(path, expected)) }
    try recent.forget()
    #expect(recent.paths().isEmpty)
  }

  @Test(arguments: 0..<20)
  func `A damaged list gives what can be read of it`(seed: UInt64) throws {
    let files = MemoryFileSystem()
    let recent = RecentFiles(in: StateFolder(path: "/state"), files)
    var random = SeededGenerator(seed: seed)
    var bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes += Array("\n/maps/towns.doc\nrelative\n".utf8)
    try files.makeDirectories("/state/recent")
    _ = try files.save(bytes, to: "/state/recent/files", expecting: .anything)
    let paths = recent.paths()
    #expect(paths.contains("/maps/towns.doc") && !paths.contains("relative"))
    try recent.note("/maps/b.doc")
    #expect(recent.paths().first == "/maps/b.doc")
  }

  @Test func `A list of files that are not named from the root is not kept`() throws {
    let recent = try recent()
    try recent.note("towns.doc")
    #expect(recent.paths().isEmpty)
  }
}
