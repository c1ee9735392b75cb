import PortolanFiles
import Testing

@Suite("Power cuts on a simulated disk")
struct SimulatedDiskTests {
  private static let old = [UInt8](repeating: 0x6F, count: 9000)
  private static let new = [UInt8](repeating: 0x6E, count: 12_000)

  /// A disk with one document, which other names may share.
  private func disk(names: Int) throws -> SimulatedDisk {
    let files = MemoryFileSystem(files: ["/d/a.doc": Self.old])
    let folder = try files.open("/d", in: nil, .directory)
    for number in 1..<names { try files.link("a.doc", to: "b\(number)", in: folder) }
    try files.close(folder)
    return SimulatedDisk(files)
  }

  @Test("leave the old or the new version at every moment of a save", arguments: [1, 2])
  func saves(names: Int) throws {
    let disk = try disk(names: names)
    let loaded = try disk.fileSystem.load("/d/a.doc", limit: 1 << 20)
    let outcome = try disk.fileSystem.save(
      Self.new, to: "/d/a.doc", expecting: .version(loaded.identity))
    #expect(outcome.warnings.isEmpty)
    let saved = disk.position
    var whole: Set<[UInt8]> = []
    let count = try disk.crashStates { position, files in
      if let interrupted = InterruptedSave.find(for: "/d/a.doc", in: files) {
        try interrupted.finish(in: files)
      }
      let bytes = try files.read("/d/a.doc", limit: 1 << 20)
      #expect(bytes == Self.old || bytes == Self.new, "at \(position)")
      if position == saved { #expect(bytes == Self.new, "saved, then lost") }
      whole.insert(bytes)
    }
    #expect(whole.count == 2)
    #expect(count > 10)
  }

  @Test("lose nothing that was saved before when a new file is made")
  func newFile() throws {
    let disk = SimulatedDisk(MemoryFileSystem(files: ["/d/other": [1]]))
    _ = try disk.fileSystem.save(Self.new, to: "/d/a.doc", expecting: .absent)
    let saved = disk.position
    try disk.crashStates { position, files in
      let other = try files.read("/d/other", limit: 9)
      #expect(other == [1])
      let bytes = try? files.read("/d/a.doc", limit: 1 << 20)
      #expect(bytes == nil || bytes == Self.new)
      if position == saved { #expect(bytes == Self.new) }
    }
  }

  @Test("tear a file that is overwritten without care: the disk is not too kind")
  func negativeControl() throws {
    let disk = try disk(names: 1)
    let file = try disk.fileSystem.open("/d/a.doc", in: nil, .readWrite)
    try disk.fileSystem.truncate(file, to: 0)
    try Self.new.withUnsafeBytes { bytes in try disk.fileSystem.writeAll(file, bytes) }
    try disk.fileSystem.close(file)
    var torn = 0
    try disk.crashStates { _, files in
      let bytes = try files.read("/d/a.doc", limit: 1 << 20)
      if bytes != Self.old && bytes != Self.new { torn += 1 }
    }
    #expect(torn > 0)
  }

  @Test("leave hidden files that are collected when they are old and free")
  func leftovers() throws {
    let disk = try disk(names: 1)
    _ = try disk.fileSystem.save(Self.new, to: "/d/a.doc", expecting: .anything)
    var collected = 0
    try disk.crashStates { _, files in
      let late: Int64 = 1 << 50
      #expect(AtomicSave.removeLeftovers(of: "/d/a.doc", now: 0, in: files).isEmpty)
      collected += AtomicSave.removeLeftovers(of: "/d/a.doc", now: late, in: files).count
      let names = try files.names(in: "/d")
      #expect(names == ["a.doc"])
    }
    #expect(collected > 0)
    let save = try AtomicSave(to: "/d/a.doc", expecting: .anything, in: disk.fileSystem)
    #expect(AtomicSave.removeLeftovers(of: "/d/a.doc", now: 1 << 50, in: disk.fileSystem).isEmpty)
    save.abandon()
  }
}
