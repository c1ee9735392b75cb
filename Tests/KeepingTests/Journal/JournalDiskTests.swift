import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanKeeping

/// What a journal promises, with the power cut at every moment and every call failing.
@Suite struct JournalDiskTests {
  @Test func `What was synchronised survives a power cut at any moment`() throws {
    let files = MemoryFileSystem()
    let sample = try JournalSample(files: files)
    let disk = SimulatedDisk(files)
    /// Up to a moment: the version that must be there at least.
    var promises: [(position: Int, version: Int)] = [(0, 0)]
    var file = try sample.begun()
    for version in 1...3 {
      try sample.append(version, to: &file)
      if version != 2 {
        try file.synchronize()
        promises.append((disk.position, version))
      }
    }
    // Written anew, shorter, in the place of the first one.
    var head = sample.head()
    head.isBaseSaved = false
    var next = try sample.folder.createSuccessor(of: file, head)
    try sample.writeBase(3, to: &next)
    try next.replace(file)
    promises.append((disk.position, 3))
    for version in 4...6 { try sample.append(version, to: &next) }
    try next.synchronize()
    promises.append((disk.position, 6))
    let states = try disk.crashStates(samples: 60) { position, found in
      let least = promises.last { $0.position <= position }?.version ?? 0
      let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: found)
      let versions = try folder.takeOver(document: sample.path).compactMap { left in
        try sample.recovered(left.journal)
      }
      #expect((versions.max() ?? 0) >= least, "at \(position)")
      #expect(versions.count <= 1, "at \(position)")
    }
    #expect(states > 100)
  }

  @Test func `A journal put in place before it is on the disk is lost: the disk is not too kind`()
    throws
  {
    let files = MemoryFileSystem()
    let sample = try JournalSample(files: files)
    var file = try sample.begun()
    try sample.append(1, to: &file)
    try file.synchronize()
    let disk = SimulatedDisk(files)
    var next = try sample.folder.createSuccessor(of: file, sample.head())
    try sample.writeBase(1, to: &next)
    let place = try files.open(FilePath.folder(of: file.path), in: nil, .directory)
    try files.rename(
      FilePath.name(of: next.path), to: FilePath.name(of: file.path), in: place, .replace)
    try files.synchronize(place)
    var lostCount = 0
    try disk.crashStates(samples: 20) { _, found in
      let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: found)
      let versions = try folder.takeOver(document: sample.path).compactMap { left in
        try sample.recovered(left.journal)
      }
      if versions.isEmpty { lostCount += 1 }
    }
    #expect(lostCount > 0)
  }

  @Test func `Whichever call fails, the journal goes on and nothing is lost`() throws {
    var number = 1
    while number < 500 {
      let memory = MemoryFileSystem()
      let sample = try JournalSample(files: memory)
      var file = try sample.begun()
      let path = file.path
      let failing = FailingFileSystem(memory, plan: .once(number: number), number: 28)
      file.leave()
      let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: failing)
      // A journal that was begun, taken over by one whose calls fail.
      guard let left = folder.takeOver(document: "x").first ?? adopt(path, failing) else {
        number += 1
        continue
      }
      file = left.file
      for version in 1...4 {
        do {
          try sample.append(version, to: &file)
        } catch {
          try sample.append(version, to: &file)
        }
      }
      do { try file.synchronize() } catch { try file.synchronize() }
      let journal = try Journal(memory.read(path, limit: 1 << 20))
      #expect(try sample.recovered(journal) == 4, "call \(number)")
      #expect(!journal.isTorn)
      if failing.failureCount == 0 { break }
      number += 1
    }
    #expect(number > 10)
  }

  private func adopt(_ path: String, _ files: any FileSystem) -> LeftJournal? {
    guard let found = try? JournalFile.adopt(path, in: files),
      let journal = try? Journal(found.bytes)
    else { return nil }
    var file = found.file
    file.resume(journal)
    return LeftJournal(journal: journal, file: file)
  }
}
