import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanKeeping

/// The writer on its own: calls that fail, journals that are given up or written anew.
@Suite struct JournalWriterTests {
  @Test func `A full disk is told, and the journal is whole when there is room again`() throws {
    let memory = MemoryFileSystem()
    let failing = FailingFileSystem(memory, plan: .every(call: "write"), number: 28)
    let reports = Reports()
    let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: failing)
    let writer = JournalWriter(folder: folder, process: 1, now: { 1 }, report: reports.add)
    var history = History(Document.towns)
    var changed = history.value
    changed.metadata.title = "changed"
    history.record(changed, title: "title")
    writer.begin(
      JournalWriter.Start(
        path: "", identity: nil, history: history, basePlace: 0, isBaseSaved: true))
    writer.drain()
    #expect(reports.all.contains { if case .failing = $0 { true } else { false } })
    #expect(folder.entries().isEmpty)
  }

  /// A history of the towns with one edit.
  private var edited: History<Document> {
    var history = History(Document.towns)
    var changed = history.value
    changed.metadata.title = "changed"
    history.record(changed, title: "title")
    return history
  }

  private func writer(
    _ files: any FileSystem, _ report: @escaping @Sendable (JournalWriter.Report) -> Void = { _ in }
  ) -> (writer: JournalWriter, folder: JournalFolder) {
    let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: files)
    return (JournalWriter(folder: folder, process: 1, now: { 1 }, report: report), folder)
  }

  @Test func `A journal that cannot be written can be given up, and stays away`() throws {
    let memory = MemoryFileSystem()
    let (first, folder) = writer(memory)
    let start = JournalWriter.Start(
      path: "", identity: nil, history: edited, basePlace: 0, isBaseSaved: true)
    first.begin(start)
    first.drain()
    #expect(folder.entries().count == 1)
    first.end()
    first.close(atMost: 5)
    first.begin(start)
    first.drain()
    #expect(folder.entries().isEmpty)
    // Neither does one whose records could not be written wait for them.
    let failing = FailingFileSystem(memory, plan: .every(call: "write"), number: 28)
    let (second, _) = writer(failing)
    second.begin(start)
    second.end()
    #expect(second.close(atMost: 5))
    #expect(folder.entries().isEmpty)
  }

  @Test func `Whichever call fails while a journal is written anew, one whole journal is there`()
    throws
  {
    let start = JournalWriter.Start(
      path: "", identity: nil, history: edited, basePlace: 0, isBaseSaved: true)
    let counting = FailingFileSystem(MemoryFileSystem(), plan: .never, number: 5)
    let (first, _) = writer(counting)
    first.begin(start)
    first.drain()
    let begun = counting.callCount
    first.begin(start)
    first.drain()
    #expect(counting.callCount > begun + 5)
    for number in begun + 1...counting.callCount {
      let memory = MemoryFileSystem()
      let failing = FailingFileSystem(memory, plan: .once(number: number), number: 5)
      let (writer, _) = writer(failing)
      let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: memory)
      for _ in 0..<2 { writer.begin(start) }
      writer.drain()
      let path = try #require(folder.entries().first, "call \(number)").path
      func title() throws -> String? {
        let journal = try Journal(memory.read(path, limit: 1 << 20))
        let base = try DocumentFile.open(#require(journal.base)).document
        return JournalReplay(journal, base: base).history.value.metadata.title
      }
      #expect(try title() == "changed", "call \(number)")
      // Tried once more, all is well; but what fsync refused once is not believed later.
      #expect(writer.close(atMost: 5) || failing.calls[number - 1] == "fsync", "call \(number)")
      #expect(try title() == "changed", "call \(number)")
      #expect(folder.entries().map(\.path) == [path], "call \(number)")
    }
  }

  @Test func `An fsync that failed is not repeated: the journal is to be written anew`() throws {
    let memory = MemoryFileSystem()
    let failing = FailingFileSystem(memory, plan: .every(call: "fsync"), number: 5)
    let (writer, folder) = writer(failing)
    var history = edited
    writer.begin(
      JournalWriter.Start(
        path: "", identity: nil, history: history, basePlace: 0, isBaseSaved: true))
    // It is synchronised after a pause.
    for _ in 0..<500 where !writer.wantsHistory { Thread.sleep(forTimeInterval: 0.02) }
    #expect(writer.wantsHistory)
    // As long as the editor does not hand over the history, records are only written.
    for number in 1...5 {
      let former = history.present
      var changed = former.value
      changed.metadata.title = "\(number)"
      history.record(changed, title: "title")
      writer.add([.step(title: "title", from: former, to: history.present)])
      writer.drain()
    }
    #expect(!writer.close(atMost: 5))
    #expect(failing.calls.count { $0 == "fsync" } == 1)
    let path = try #require(folder.entries().first).path
    let journal = try Journal(memory.read(path, limit: 1 << 20))
    let base = try DocumentFile.open(#require(journal.base)).document
    #expect(JournalReplay(journal, base: base).history.value.metadata.title == "5")
  }

  /// Edits and undoes at random while no call of fsync returns, with journals written anew among
  /// them; what a kill would leave is read after each.
  @Test(arguments: UInt64(1)...3)
  func `No edit waits for the disk, also while a journal is written anew`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let memory = MemoryFileSystem()
    let gate = Gate()
    let slow = FailingFileSystem(memory, before: { if $0 == "fsync" { gate.pass() } })
    let (writer, folder) = writer(slow)
    var history = edited
    func begin() {
      writer.begin(
        JournalWriter.Start(
          path: "", identity: nil, history: history, basePlace: 0, isBaseSaved: true))
    }
    func found() throws -> String? {
      let journal = try Journal(memory.read(path, limit: 1 << 24))
      let base = try DocumentFile.open(#require(journal.base)).document
      return JournalReplay(journal, base: base).history.value.metadata.title
    }
    begin()
    writer.drain()
    let path = try #require(folder.entries().first).path
    var rewriteCount = 0
    gate.close()
    defer { gate.open() }
    for number in 1...30 {
      if writer.wantsHistory {
        begin()
        rewriteCount += 1
      } else if history.past.count > 3, Int.random(in: 0..<5, using: &random) == 0 {
        history.undo()
        writer.add([.go(-1, to: history.present)])
      } else {
        let former = history.present
        var changed = former.value
        changed.metadata.title = "\(number)" + String(repeating: "x", count: 60_000)
        history.record(changed, title: "title")
        writer.add([.step(title: "title", from: former, to: history.present)])
      }
      writer.drainRecords()
      #expect(try found() == history.value.metadata.title, "edit \(number)")
      // Now and then the disk is done at last.
      if number % 15 == 0 {
        gate.open()
        writer.drain()
        #expect(try found() == history.value.metadata.title, "edit \(number)")
        gate.close()
      }
    }
    #expect(rewriteCount > 0)
    gate.open()
    #expect(writer.close(atMost: 60))
    #expect(try found() == history.value.metadata.title)
    #expect(folder.entries().count == 1)
  }

  @Test func `A small document is in its journal before the first edit is`() throws {
    let memory = MemoryFileSystem()
    try memory.put(DocumentFile.bytes(of: .towns), at: "/home/site.doc")
    let identity = try memory.status("/home/site.doc", in: nil).identity
    let (writer, folder) = writer(memory)
    writer.begin(
      JournalWriter.Start(
        path: "/home/site.doc", identity: identity, history: edited, basePlace: 0,
        isBaseSaved: true))
    writer.drain()
    let bytes = try memory.read(#require(folder.entries().first).path, limit: 1 << 20)
    // Wherever the journal is cut off: with a step, there is what it begins with.
    var stepCount = 0
    for count in 0...bytes.count {
      guard let journal = try? Journal(Array(bytes[..<count])) else { continue }
      stepCount = max(stepCount, journal.stepCount)
      if journal.stepCount > 0 { #expect(journal.base != nil) }
    }
    #expect(stepCount == 1)
  }

  @Test(arguments: [false, true])
  func `Work on a file that was changed before its first edit can be recovered`(
    isGone: Bool
  ) throws {
    let memory = MemoryFileSystem()
    try memory.put(DocumentFile.bytes(of: .towns), at: "/home/site.doc")
    let identity = try memory.status("/home/site.doc", in: nil).identity
    if isGone {
      try memory.remove("/home/site.doc", in: nil)
    } else {
      memory.put([1, 2, 3], at: "/home/site.doc")
    }
    let (writer, folder) = writer(memory)
    writer.begin(
      JournalWriter.Start(
        path: "/home/site.doc", identity: identity, history: edited, basePlace: 0,
        isBaseSaved: true))
    writer.close(atMost: 5)
    let bytes = try memory.read(#require(folder.entries().first).path, limit: 1 << 20)
    let journal = try Journal(bytes)
    let base = try DocumentFile.open(#require(journal.base)).document
    #expect(JournalReplay(journal, base: base).history.value.metadata.title == "changed")
  }
}

/// Holds up the threads that pass it while it is closed.
private final class Gate: Sendable {
  private let isClosed = Atomic<Bool>(false)

  func close() { isClosed.store(true, ordering: .sequentiallyConsistent) }
  func open() { isClosed.store(false, ordering: .sequentiallyConsistent) }

  func pass() {
    while isClosed.load(ordering: .sequentiallyConsistent) { usleep(500) }
  }
}

/// What a writer reported.
private final class Reports: Sendable {
  private let reports = Mutex<[JournalWriter.Report]>([])
  var all: [JournalWriter.Report] { reports.withLock { $0 } }
  func add(_ report: JournalWriter.Report) { reports.withLock { $0.append(report) } }
}
