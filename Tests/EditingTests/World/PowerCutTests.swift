import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanEditing

/// The whole of a save (lock, earlier version, document) on a disk whose power is cut at every
/// moment, judged by opening what is found as the program does.
@Suite struct PowerCutTests {
  typealias Seat = GuardingTests.Seat

  /// What is saved, and how.
  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The names that the document has before.
    var links = 1
    var exists = true
    var lines: [String]
  }

  static let examples = [
    Example(testDescription: "save", lines: ["open /m/a.doc", "new-layer new", "save"]),
    Example(
      testDescription: "save in place", links: 2,
      lines: ["open /m/a.doc", "new-layer new", "save"]),
    Example(
      testDescription: "save as", exists: false,
      lines: ["open /m/old.doc", "new-layer new", "save /m/a.doc"]),
    Example(
      testDescription: "take over the lock of a killed editor",
      lines: ["open /m/a.doc", "new-layer new", "save"]),
  ]

  @Test(arguments: examples)
  func `A power cut leaves the old document or the new one`(example: Example) throws {
    let files = try prepared(example)
    let disk = SimulatedDisk(files)
    var seat = Seat(disk.fileSystem)
    for line in example.lines { try seat.run(line) }
    #expect(!seat.desk.isEdited, "\(seat.message)")
    seat.world.letGoOfAll()
    var found: Set<[String]> = []
    var staleCount = 0
    let done = disk.position
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { position, files in
      if files.exists("/m/.a.doc.lock") { staleCount += 1 }
      var reader = Seat(files, process: 9)
      try reader.run("open /m/a.doc")
      let isThere = files.exists("/m/a.doc")
      let names = reader.names
      #expect(
        names == ["old", "new"] || (names == ["old"] && example.exists) || !isThere,
        "at \(position): \(names) \(reader.message)")
      #expect(!reader.desk.isReadOnly, "a lock outlived its process at \(position)")
      if example.exists { #expect(isThere) }
      if position == done { #expect(names == ["old", "new"], "saved, then lost") }
      found.insert(names)
    }
    #expect(found.count == 2)
    // The file of a lock does stay behind; that it means nothing is the point.
    #expect(staleCount > 0)
  }

  private func prepared(_ example: Example) throws -> MemoryFileSystem {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    var seat = Seat(files)
    try seat.run("new-layer old")
    try seat.run("save /m/old.doc")
    seat.world.letGoOfAll()
    if example.exists {
      files.put(try files.read("/m/old.doc", limit: 1 << 20), at: "/m/a.doc")
    }
    let folder = try files.open("/m", in: nil, .directory)
    for number in 1..<example.links { try files.link("a.doc", to: "b\(number)", in: folder) }
    try files.close(folder)
    if example.testDescription.contains("lock") {
      files.put(
        Array("Portolan has this document open\nheld user=x host=y process=3\n".utf8),
        at: "/m/.a.doc.lock")
    }
    return files
  }
}
