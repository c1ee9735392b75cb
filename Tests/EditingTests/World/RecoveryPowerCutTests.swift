import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import Testing

@testable import PortolanEditing

/// Autosave, recovery and migration on a disk whose power is cut at every moment, judged by opening
/// what is found as the program does. Each has a control that does it wrong and must be found out.
@Suite struct RecoveryPowerCutTests {
  private static let path = "/m/a.doc"
  private static let state = MemoryFileSystem.state

  private static func world(_ files: any FileSystem) -> World {
    var options = World.Options()
    options.state = state
    options.keepsEdits = true
    return World(files: files, options: options)
  }

  /// A file system that holds a saved document, with work that was left on it.
  private func files(withWork: Bool = true) throws -> MemoryFileSystem {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    try files.put(DocumentFile.bytes(of: Document()), at: Self.path)
    if withWork { files.leaveJournal(title: "work", on: Document(), path: Self.path) }
    return files
  }

  /// The titles of what is found: of the document, and of the work that is left on it.
  private func found(
    _ files: MemoryFileSystem, at path: String = RecoveryPowerCutTests.path
  ) throws -> (document: String, work: String?) {
    let world = Self.world(files)
    let file = try world.open(path, .none)
    return (
      file.document.metadata.title, file.leftWork.first?.history?.value.metadata.title
    )
  }

  // MARK: Recovery

  private func recover(_ files: any FileSystem, into output: String) throws {
    _ = try Self.world(files).recover(
      RecoverRequest(
        path: Self.path, journal: nil, output: output, discards: false, overwrites: true))
  }

  @Test func `Work that is recovered into its document is in that or in its journal`() throws {
    let disk = SimulatedDisk(try files())
    try recover(disk.fileSystem, into: Self.path)
    let done = disk.position
    var titles: Set<String> = []
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { position, files in
      let (document, work) = try found(files)
      #expect(document == "work" || work == "work", "lost at \(position)")
      if position == done { #expect(document == "work", "saved, then lost") }
      titles.insert(document)
    }
    #expect(titles == ["", "work"])
  }

  @Test func `Work whose journal goes before it is saved is lost: the disk is not too kind`() throws
  {
    let disk = SimulatedDisk(try files())
    let folder = JournalFolder(Self.state, in: disk.fileSystem)
    let left = try #require(folder.takeOver(document: Self.path).first)
    try left.file.remove()
    var document = Document()
    document.metadata.title = "work"
    _ = try Self.world(disk.fileSystem).save(
      SaveRequest(path: Self.path, document: document, revision: 0, overwrites: true))
    var lostCount = 0
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { _, files in
      let (document, work) = try found(files)
      if document != "work" && work != "work" { lostCount += 1 }
    }
    #expect(lostCount > 0)
  }

  @Test func `Work that is recovered into another file stays in its journal`() throws {
    let disk = SimulatedDisk(try files())
    try recover(disk.fileSystem, into: "/m/b.doc")
    let done = disk.position
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { position, files in
      let (document, work) = try found(files)
      #expect(document.isEmpty && work == "work", "at \(position)")
      if files.exists("/m/b.doc") { #expect(try found(files, at: "/m/b.doc").document == "work") }
      if position == done { #expect(files.exists("/m/b.doc")) }
    }
  }

  @Test(arguments: [true, false])
  func `Whichever call of a recovery fails, the work is in the document or its journal`(
    once: Bool
  ) throws {
    var number = 1
    while number < 500 {
      let files = try files()
      let failing = FailingFileSystem(
        files, plan: once ? .once(number: number) : .from(number: number), number: 28)
      let isDone = (try? recover(failing, into: Self.path)) != nil
      files.closeAll()
      let (document, work) = try found(files)
      #expect(document == "work" || work == "work", "lost where call \(number) failed")
      if isDone { #expect(document == "work", "call \(number)") }
      if failing.failureCount == 0 { break }
      number += 1
    }
    #expect(number > 20 && number < 500)
  }

  // MARK: Autosave

  /// Edits a document, as the editor's journal takes it in; notes what was said to be on the disk.
  private func autosave(
    on disk: SimulatedDisk, adopting: Bool, synchronizing: Bool
  ) throws -> [(position: Int, title: String)] {
    let folder = JournalFolder(Self.state, in: disk.fileSystem)
    let writer = JournalWriter(folder: folder, process: 2, now: { 1 }, report: { _ in })
    var promises: [(position: Int, title: String)] = []
    var history = History(Document())
    if adopting {
      var left = try #require(folder.takeOver(document: Self.path).first)
      left.isToBeWrittenAnew = true
      history = JournalReplay(left.journal, base: Document()).history
      writer.adopt(left, JournalReach(before: history.past.count))
      writer.drain()
      #expect(writer.wantsHistory)
      promises.append((disk.position, "work"))
    }
    let identity = try disk.fileSystem.status(Self.path, in: nil).identity
    for number in 1...4 {
      let former = history.present
      var document = former.value
      document.metadata.title = "edit \(number)"
      history.record(document, title: "title")
      if number == 1 && !adopting || writer.wantsHistory {
        writer.begin(
          JournalWriter.Start(
            path: Self.path, identity: identity, history: history, basePlace: 0,
            isBaseSaved: true))
      } else {
        writer.add([.step(title: "title", from: former, to: history.present)])
      }
      writer.drain()
      if synchronizing { #expect(writer.finish(atMost: 60)) }
      promises.append((disk.position, "edit \(number)"))
    }
    return promises
  }

  /// How many states there are that lack an edit which was said to be kept.
  private func lostCount(
    _ disk: SimulatedDisk, _ promises: [(position: Int, title: String)]
  ) throws -> Int {
    let order = ["", "work", "edit 1", "edit 2", "edit 3", "edit 4"]
    var lostCount = 0
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { position, files in
      let promised = promises.last { $0.position <= position }?.title ?? ""
      let (document, work) = try found(files)
      #expect(document.isEmpty, "the document itself was touched")
      let title = try #require(order.firstIndex(of: work ?? ""))
      if try title < #require(order.firstIndex(of: promised)) { lostCount += 1 }
    }
    return lostCount
  }

  @Test(arguments: [false, true])
  func `What autosave said is kept is kept, also behind recovered work`(adopting: Bool) throws {
    let disk = SimulatedDisk(try files(withWork: adopting))
    let promises = try autosave(on: disk, adopting: adopting, synchronizing: true)
    #expect(promises.count == (adopting ? 5 : 4))
    #expect(try lostCount(disk, promises) == 0)
  }

  @Test func `Edits that are only written can be lost: the disk is not too kind`() throws {
    let disk = SimulatedDisk(try files(withWork: false))
    let promises = try autosave(on: disk, adopting: false, synchronizing: false)
    #expect(try lostCount(disk, promises) > 0)
  }

  // MARK: Migration

  private func olderDocument() throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](
      try Data(contentsOf: folder.appendingPathComponent("Fixtures/documents/v1-future-kinds.doc")))
  }

  /// Whether a content stands at the path, beside it or among the earlier versions.
  private func holds(_ bytes: [UInt8], _ files: MemoryFileSystem) throws -> Bool {
    for name in try files.names(in: "/m") {
      if try files.read("/m/" + name, limit: 1 << 20) == bytes { return true }
    }
    let store = VersionStore(in: Self.state, files)
    return store.versions(of: Self.path).contains {
      (try? store.bytes(of: $0, of: Self.path)) == bytes
    }
  }

  @Test(arguments: [true, false])
  func `The first save of an older document keeps it beside the new one`(
    keepsVersions: Bool
  ) throws {
    let older = try olderDocument()
    let disk = SimulatedDisk(MemoryFileSystem(files: [Self.path: older]))
    var options = World.Options()
    if keepsVersions { options.state = Self.state }
    let world = World(files: disk.fileSystem, options: options)
    var desk = Desk()
    for line in ["open \(Self.path)", "new-layer fresh", "save"] {
      try desk.run(line: line)
      for effect in desk.takeEffects() {
        if let answer = try world.perform(effect) { _ = desk.handle(answer) }
      }
    }
    #expect(!desk.isEdited)
    let done = disk.position
    var newCount = 0
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { position, files in
      let reader = World(files: files)
      let file = try reader.open(Self.path, .none)
      let isNew = file.document.layers.contains { $0.name == "fresh" }
      #expect(isNew == file.migration.isEmpty, "at \(position)")
      #expect(try holds(older, files), "the older document is lost at \(position)")
      newCount += isNew ? 1 : 0
      if position == done {
        #expect(isNew)
        #expect(try files.read(Self.path + ".v1", limit: 1 << 20) == older)
      }
    }
    #expect(newCount > 0)
  }

  @Test func `An older document that nobody keeps is lost: the disk is not too kind`() throws {
    let older = try olderDocument()
    let disk = SimulatedDisk(MemoryFileSystem(files: [Self.path: older]))
    _ = try disk.fileSystem.save(
      DocumentFile.bytes(of: Document()), to: Self.path, expecting: .anything)
    var lostCount = 0
    try disk.crashStates(samples: 8, exhaustiveMax: 4) { _, files in
      if try !holds(older, files) { lostCount += 1 }
    }
    #expect(lostCount > 0)
  }
}
