import Documents
import Files
import Interchange
import Synchronization
import Terminals
import Testing

@testable import Editing

/// A desk whose edits are kept in a journal in memory.
private struct KeptEditor {
  var editor: Editor
  let files: any FileSystem
  let folder: JournalFolder
  let writer: JournalWriter
  var keeper: JournalKeeper
  var identity: FileIdentity?

  init(_ document: Document = .towns, files: any FileSystem = MemoryFileSystem()) {
    editor = Editor(document)
    self.files = files
    folder = JournalFolder(StateFolder(path: "/state/portolan"), in: files)
    writer = JournalWriter(folder: folder, process: 1, now: { 1000 }, report: { _ in })
    keeper = JournalKeeper(writer: writer)
  }

  mutating func run(_ line: String) throws {
    try editor.run(line)
    observe()
  }

  mutating func observe() {
    let identity = self.identity
    keeper.observe(editor.desk.file) { _ in identity }
  }

  /// The journal as a process would find it that comes after a kill.
  func journal() throws -> Journal {
    writer.drain()
    let path = try #require(folder.entries().first).path
    return try Journal(files.read(path, limit: 1 << 30))
  }

  func replayed(base: Document? = nil) throws -> History<Document> {
    let journal = try journal()
    let document = try base ?? DocumentFile.open(#require(journal.base)).document
    let replay = JournalReplay(journal, base: document)
    #expect(replay.problem == nil)
    return replay.history
  }
}

@Suite struct JournalKeeperTests {
  private func titles(_ history: History<Document>) -> [String] {
    (0..<history.count).map { history[$0].title }
  }

  private func expectSame(_ kept: KeptEditor, base: Document? = nil) throws {
    let history = try kept.replayed(base: base)
    let desk = kept.editor.desk
    #expect(titles(history) == titles(desk.history))
    #expect(history.past.count == desk.history.past.count)
    for place in 0..<history.count {
      let (found, wanted) = (history[place].value, desk.history[place].value)
      #expect(try DocumentArchive.bytes(of: found) == DocumentArchive.bytes(of: wanted))
    }
  }

  /// Going back to the saved version gives two places the same revision.
  @Test func `A script that edits behind a revert is journalled as it was`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    for line in ["set pop=1", "set pop=2"] { try kept.run(line) }
    let wentBack = kept.editor.desk.history.goBackToSaved(title: "revert")
    #expect(wentBack)
    kept.observe()
    try kept.run("set pop=3")
    // All of this happens between two looks, as the lines of a script do.
    for _ in 0..<4 { try kept.editor.run("undo") }
    for line in ["set pop=4", "set pop=5"] { try kept.editor.run(line) }
    _ = kept.editor.desk.history.goBackToSaved(title: "revert")
    try kept.editor.run("set pop=6")
    kept.observe()
    try expectSame(kept)
  }

  @Test func `The journal leads to what is on screen, with its undo`() throws {
    var kept = KeptEditor()
    for line in [
      "select all", "set pop=5", "layer towns", "select all", "set name=X", "undo", "undo",
      "redo", "rename-layer villages", "hide fields", "undo", "set fresh=1", "delete",
    ] {
      try? kept.run(line)
    }
    #expect(kept.editor.desk.history.past.count >= 3)
    try expectSame(kept)
  }

  @Test func `Nothing is kept before something is edited, nor after it is saved`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    kept.writer.drain()
    #expect(kept.folder.entries().isEmpty)
    try kept.run("set a=1")
    kept.writer.drain()
    #expect(kept.folder.entries().count == 1)
    try kept.run("save a.doc")
    guard let (job, request) = kept.editor.effects.last?.save else {
      Issue.record("no save")
      return
    }
    kept.identity = FileIdentity(device: 1, inode: 2, size: 3000, modified: 4)
    _ = kept.editor.desk.handle(
      .saved(job, path: "a.doc", revision: request.revision, notice: nil))
    kept.observe()
    kept.writer.drain()
    #expect(kept.folder.entries().isEmpty)
    // The next edit begins with the file, and earlier versions can still be undone to.
    let saved = kept.editor.document
    try kept.run("set a=2")
    kept.writer.drain()
    let journal = try kept.journal()
    #expect(journal.head.base == .file(try #require(kept.identity)))
    kept.writer.finish(atMost: 5)
    kept.writer.drain()
    try expectSame(kept, base: saved)
    try kept.run("undo 2")
    try expectSame(kept, base: saved)
    try kept.run("set b=3")
    try expectSame(kept, base: saved)
  }

  @Test func `A duplicate is kept as a document of its own, and shares nothing`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    try kept.run("save a.doc")
    guard let (job, request) = kept.editor.effects.last?.save else { return }
    kept.identity = FileIdentity(device: 1, inode: 2, size: 3000, modified: 4)
    _ = kept.editor.desk.handle(
      .saved(job, path: "a.doc", revision: request.revision, notice: nil))
    try kept.run("set a=1")
    kept.writer.drain()
    let original = kept.editor.desk
    #expect(try kept.journal().head.path.hasSuffix("a.doc"))
    try kept.run("duplicate")
    try kept.run("set a=2")
    kept.writer.close(atMost: 5)
    (kept.files as? MemoryFileSystem)?.closeAll()
    #expect(kept.folder.entries().count == 1)
    let found = kept.folder.takeOver(document: "")
    #expect(found.count == 1)
    let base = try DocumentFile.open(#require(found.first?.journal.base)).document
    let replay = JournalReplay(try #require(found.first).journal, base: base)
    #expect(
      try DocumentArchive.bytes(of: replay.history.value)
        == DocumentArchive.bytes(of: kept.editor.document))
    #expect(kept.editor.desk.file.path == nil && kept.editor.desk.isEdited)
    #expect(
      try DocumentArchive.bytes(of: original.document)
        != DocumentArchive.bytes(of: kept.editor.document))
    #expect(original.history.past.count + 1 == kept.editor.desk.history.past.count)
  }

  @Test func `A save that the disk did not confirm ends no journal`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    try kept.run("set a=1")
    func save(isConfirmed: Bool) throws {
      try kept.run("save a.doc")
      guard let (job, request) = kept.editor.effects.last?.save else {
        Issue.record("no save")
        return
      }
      _ = kept.editor.desk.handle(
        .saved(
          job, path: "a.doc", revision: request.revision, notice: nil, isConfirmed: isConfirmed))
      kept.observe()
      kept.writer.drain()
    }
    try save(isConfirmed: false)
    #expect(kept.folder.entries().count == 1)
    // What is edited from then on is kept too.
    try kept.run("set a=2")
    kept.writer.drain()
    let steps = try kept.journal().stepCount
    try kept.run("set a=3")
    kept.writer.drain()
    #expect(try kept.journal().stepCount == steps + 1)
    try save(isConfirmed: false)
    #expect(kept.folder.entries().count == 1)
    try save(isConfirmed: true)
    #expect(kept.folder.entries().isEmpty)
  }

  @Test func `An edit that is made while a save is under way is kept`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    try kept.run("set a=1")
    try kept.run("save a.doc")
    guard let (job, request) = kept.editor.effects.last?.save else { return }
    let saved = kept.editor.document
    try kept.run("set a=2")
    kept.identity = FileIdentity(device: 1, inode: 2, size: 3000, modified: 4)
    _ = kept.editor.desk.handle(
      .saved(job, path: "a.doc", revision: request.revision, notice: nil))
    kept.observe()
    kept.writer.drain()
    let journal = try kept.journal()
    #expect(journal.head.base == .file(try #require(kept.identity)))
    try expectSame(kept, base: saved)
  }

  @Test func `A long journal is written anew and stays within its bounds`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    let text = String(repeating: "x", count: 20_000)
    var size = 0
    for number in 0..<120 {
      try kept.run("set name=\(number)\(text)")
      kept.writer.drain()
      size = max(size, kept.folder.entries().reduce(0) { $0 + $1.byteCount })
    }
    let document = try DocumentFile.bytes(of: kept.editor.document).count
    #expect(size < 2 * document + 1 << 20)
    let history = try kept.replayed()
    #expect(
      try DocumentArchive.bytes(of: history.value)
        == DocumentArchive.bytes(of: kept.editor.document))
    #expect(history.past.count > 2)
  }

  @Test func `A full disk is told, and the journal is whole when there is room again`() throws {
    let memory = MemoryFileSystem()
    let failing = FailingFileSystem(memory, plan: .every(call: "write"), number: 28)
    let kept = KeptEditor(.towns, files: failing)
    kept.writer.drain()
    #expect(kept.folder.entries().isEmpty)
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
      // Tried once more, all is well.
      #expect(writer.close(atMost: 5))
      #expect(try title() == "changed", "call \(number)")
      #expect(folder.entries().map(\.path) == [path], "call \(number)")
    }
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

  @Test func `Work that was left is offered, and recovering brings its undo back`() throws {
    var kept = KeptEditor()
    try kept.run("select all")
    try kept.run("set name=Recovered")
    let bytes = try kept.journal()
    _ = bytes
    kept.writer.finish(atMost: 5)
    let disk = MemoryFileSystem()
    let path = try #require(kept.folder.entries().first).path
    disk.put(try kept.files.read(path, limit: 1 << 20), at: path)
    var options = World.Options()
    options.state = StateFolder(path: "/state/portolan")
    let world = World(files: disk, options: options)
    var desk = Desk()
    let job = desk.startJob("looking")
    let answer = try #require(try world.perform(.perform(FindWorkRequest(), job)))
    _ = desk.handle(answer)
    #expect(desk.mode == .question)
    #expect(desk.isReadOnly)
    _ = desk.handle(.terminal(.key(Key(.character("r")))))
    #expect(!desk.isReadOnly)
    #expect(desk.history.undoTitle == kept.editor.desk.history.undoTitle)
    #expect(desk.document.layers.map(\.name) == kept.editor.document.layers.map(\.name))
    try desk.run(line: "undo")
    #expect(!desk.isEdited)
    // Nothing is removed before it is saved or discarded.
    #expect(disk.exists(path))
  }
}

/// What a writer reported.
private final class Reports: Sendable {
  private let reports = Mutex<[JournalWriter.Report]>([])
  var all: [JournalWriter.Report] { reports.withLock { $0 } }
  func add(_ report: JournalWriter.Report) { reports.withLock { $0.append(report) } }
}
