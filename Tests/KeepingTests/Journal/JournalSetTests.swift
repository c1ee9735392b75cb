import Foundation
import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanKeeping

/// The journals of several documents that are open at once.
@Suite struct JournalSetTests {
  private static let state = StateFolder(path: "/state/portolan")

  private func journals(_ files: any FileSystem) -> JournalSet {
    JournalSet(
      folder: JournalFolder(Self.state, in: files), process: 1, now: { 1 }, base: { _ in nil },
      report: { _, _ in })
  }

  /// A document that was given a title.
  private func edited(_ id: Int) -> JournaledDocument {
    var history = History(Document.towns)
    history.record(Document.towns.titled("edited \(id)"), title: "title")
    return JournaledDocument(id: id, history: history, path: "/home/\(id).doc", isFile: true)
  }

  /// The titles that the journals of a disk lead to.
  private func titles(_ files: any FileSystem) throws -> [String] {
    let folder = JournalFolder(Self.state, in: files)
    return try folder.entries().map { entry in
      let journal = try Journal(files.read(entry.path, limit: 1 << 20))
      let base = try DocumentFile.open(#require(journal.base)).document
      return JournalReplay(journal, base: base).history.value.metadata.title
    }.sorted()
  }

  @Test func `A hang-up leaves the journals of both documents on the disk within a second`() throws
  {
    let disk = SimulatedDisk(MemoryFileSystem())
    // One after the other they would take longer than there is time.
    let slow = FailingFileSystem(disk.fileSystem) { call in
      if call == "fsync" { Thread.sleep(forTimeInterval: 0.1) }
    }
    var journals = journals(slow)
    journals.observe([edited(1), edited(2)])
    let start = ContinuousClock.now
    #expect(journals.close(atMost: 0.9))
    #expect(ContinuousClock.now - start < .seconds(1))
    let done = disk.position
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { position, files in
      guard position == done else { return }
      let titles = try titles(files)
      #expect(titles == ["edited 1", "edited 2"])
    }
  }

  @Test func `A document that is closed takes its journal with it, the other one stays`() throws {
    let files = MemoryFileSystem()
    var journals = journals(files)
    journals.observe([edited(1), edited(2)])
    journals.observe([edited(2)])
    #expect(journals.close(atMost: 60))
    files.closeAll()
    #expect(try titles(files) == ["edited 2"])
  }

  @Test func `What was given up is gone before the journals are closed, however soon`() throws {
    for _ in 0..<20 {
      let files = MemoryFileSystem()
      var journals = journals(files)
      for id in 1...3 { journals.observe([edited(id), edited(10)]) }
      journals.end()
      #expect(journals.close(atMost: 60))
      #expect(try titles(files) == [])
    }
  }

  @Test func `A data file's journal holds the document itself`() throws {
    let files = MemoryFileSystem(files: ["/home/1.doc": Array("not an archive".utf8)])
    let identity = try files.status("/home/1.doc", in: nil).identity
    var journals = JournalSet(
      folder: JournalFolder(Self.state, in: files), process: 1, now: { 1 },
      base: { _ in FileBase(identity: identity, isArchive: false) }, report: { _, _ in })
    journals.observe([edited(1)])
    #expect(journals.close(atMost: 60))
    files.closeAll()
    #expect(try titles(files) == ["edited 1"])
    let left = JournalFolder(Self.state, in: files).takeOver(document: "/home/1.doc")
    #expect(left.first?.journal.head.base == .embedded(identity))
  }
}
