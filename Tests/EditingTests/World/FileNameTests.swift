import Foundation
import PortolanInterchange
import PortolanKeeping
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanFiles

/// Whatever a file is called: any bytes but `/` and NUL, as the system takes them.
@Suite struct FileNameTests {
  typealias Seat = GuardingTests.Seat

  /// A folder of the real system, removed with the value's end.
  final class Folder {
    let path: String
    let files = RealFileSystem()
    var maps: String { path + "/maps" }
    var state: StateFolder { StateFolder(path: path + "/state") }

    init() throws {
      // In memory where there is such a folder: each save waits for the disk otherwise.
      let isShared = access("/dev/shm", R_OK | W_OK | X_OK) == 0
      let parent = try files.realPath(isShared ? "/dev/shm" : NSTemporaryDirectory())
      path = parent + "/portolan-names-\(UUID().uuidString)"
      try files.makeDirectories(path + "/maps", mode: 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names as the system has them, sorted.
    func names() throws -> [[UInt8]] {
      let stream = try #require(opendir(maps))
      defer { closedir(stream) }
      var names: [[UInt8]] = []
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
      }
      return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func seat(process: Int32, guards: Bool = true) -> Seat {
      Seat(files, guards: guards, process: process, state: state)
    }
  }

  /// Names that are hard to carry, and random ones: bytes of all kinds, accents, names that fill
  /// what the system takes.
  static func names(seed: UInt64) -> [[UInt8]] {
    var random = SeededGenerator(seed: seed)
    let parts: [[UInt8]] = [
      [0xE9], [0xFF], [0xC3], [0xC3, 0xA9], Array("e\u{301}".utf8), Array("\u{301}".utf8),
      Array("\u{600}".utf8), Array("\u{10FFE9}".utf8), [0xED, 0xA0, 0x80], [0xF4, 0x8F, 0xBF],
      Array("'".utf8), Array("\"".utf8), Array("\\".utf8), Array(" ".utf8), Array("#".utf8),
      Array("$'\\xE9'".utf8), [0x0A], [0x1B, 0x5B], [0x7F], Array(".".utf8), Array("日本".utf8),
      Array("\r\n".utf8), Array("~".utf8), Array("--".utf8), Array("a".utf8), Array("🗺️".utf8),
    ]
    return (0..<40).map { number in
      var name: [UInt8] = []
      let countMax = number % 7 == 0 ? 251 : Int(random.next() % 24) + 1
      while name.count < countMax {
        let part =
          random.next() % 2 == 0
          ? parts[Int(random.next() % UInt64(parts.count))]
          : [UInt8(random.next() % 255) + 1]
        name += part.filter { $0 != 0x2F }
      }
      return name.prefix(251) + Array(".doc".utf8)
    }
  }

  @Test(arguments: Seeds.some(3))
  func `Open, save, versions, lock, leftovers and recovery find the file of any name`(
    seed: UInt64
  ) throws {
    for name in Self.names(seed: seed) {
      let folder = try Folder()
      let path = FilePath.join(folder.maps, FilePath.text(of: name))
      var seat = folder.seat(process: 1)
      try seat.run("open \(FilePath.quoted(path))")
      try #require(seat.desk.file.path != nil, "seed \(seed), \(name): \(seat.message)")
      try seat.run("new-layer first")
      try seat.run("save")
      #expect(!seat.desk.isEdited, "seed \(seed), \(name): \(seat.message)")
      #expect(try folder.names().filter { !$0.starts(with: [0x2E]) || $0 == name } == [name])
      #expect(try folder.names().count == 2, "the document and its lock: \(name)")

      var other = folder.seat(process: 2)
      try other.run("open \(FilePath.quoted(path))")
      #expect(other.names == ["first"] && other.desk.isReadOnly, "seed \(seed), \(name)")
      other.world.letGoOfAll()
      try seat.run("new-layer second")
      try seat.run("save")
      seat.world.letGoOfAll()
      #expect(try folder.names() == [name])

      // A save that was killed leaves a hidden file beside it.
      let target = try SaveTarget(resolving: path, in: folder.files)
      try folder.files.close(target.folder)
      let hidden = FilePath.join(folder.maps, target.hiddenName(".abc.tmp"))
      _ = try folder.files.save([1], to: hidden, expecting: .absent)
      #expect(try folder.names().count == 2)
      try other.run("open \(FilePath.quoted(path))")
      other.world.letGoOfAll()
      #expect(try folder.names() == [name], "seed \(seed)")

      try expectVersionsAndWork(of: path, named: name, in: folder)
    }
  }

  private func expectVersionsAndWork(
    of path: String, named name: [UInt8], in folder: Folder
  ) throws {
    let store = VersionStore(in: folder.state, folder.files)
    #expect(store.versions(of: path).count == 2, "\(name)")
    var script = HeadlessRunner(
      world: folder.seat(process: 3, guards: false).world, verbosity: .quiet
    ) { _ in }
    try script.run(line: "versions \(FilePath.quoted(path)) --restore 1 --force")
    #expect(
      try folder.files.read(path, limit: 1 << 20)
        == store.bytes(of: store.versions(of: path)[0], of: path))
    #expect(try folder.names() == [name])

    let journals = JournalFolder(folder.state, in: folder.files)
    let real = DocumentStore(files: folder.files).realPath(of: path)
    let head = JournalHead(
      path: real, base: .embedded(nil), isBaseSaved: false, title: "edit", begun: 1, process: 1)
    try journals.create(head).leave()
    let left = journals.takeOver(document: real)
    #expect(left.map { FilePath.bytes(of: $0.journal.head.path) } == [FilePath.bytes(of: path)])
    #expect(Array(FilePath.bytes(of: path).suffix(name.count)) == name)
    for journal in left { journal.file.leave() }
  }

  @Test func `An accent in the letter and one behind it are two files`() throws {
    let folder = try Folder()
    let paths = ["\u{E9}.doc", "e\u{301}.doc"].map { FilePath.join(folder.maps, $0) }
    #expect(paths[0] == paths[1] && !FilePath.isSame(paths[0], paths[1]))
    var seat = folder.seat(process: 1)
    for (path, layer) in zip(paths, ["one", "two"]) {
      try seat.run("open \(path)")
      #expect(seat.names.isEmpty, "\(seat.message)")
      try seat.run("new-layer \(layer)")
      try seat.run("save")
    }
    #expect(try folder.names().filter { $0.first != 0x2E }.count == 2)
    let first = try folder.files.read(paths[0], limit: 1 << 20)
    try seat.run("save \(paths[0])")
    #expect(seat.message.contains("exists already"), "\(seat.message)")
    #expect(try folder.files.read(paths[0], limit: 1 << 20) == first)
    let store = VersionStore(in: folder.state, folder.files)
    #expect(paths.map { store.versions(of: $0).count } == [1, 1])
  }

  @Test func `Long names that begin alike have locks of their own`() throws {
    let folder = try Folder()
    let start = String(repeating: "x", count: 249)
    let paths = ["1.doc", "2.doc"].map { FilePath.join(folder.maps, start + $0) }
    var (one, two) = (folder.seat(process: 1), folder.seat(process: 2))
    for path in paths { _ = try folder.files.save([], to: path, expecting: .absent) }
    for path in paths { try folder.files.remove(path, in: nil) }
    try one.run("open \(paths[0])")
    try two.run("open \(paths[1])")
    #expect(!two.desk.isReadOnly, "\(two.message)")
    one.world.letGoOfAll()
    two.world.letGoOfAll()
  }

  @Test func `A message shows the bytes of a name that is not UTF-8`() throws {
    var seat = Seat(MemoryFileSystem(files: ["/m/other": [1]]))
    try seat.run("open $'/m/lat\\xE9.geojson'")
    #expect(seat.message.contains("lat\u{10FFE9}.geojson"))
    #expect(FilePath.shown(seat.message).contains("/m/lat\\xE9.geojson: "))
    let error = #expect(throws: EditingError.self) { try Commands.parse("set name=$'\\xE9'") }
    #expect(error?.message == "“name=\\xE9” is not UTF-8 text")
  }
}
