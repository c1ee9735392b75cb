import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanKeeping

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
    let base = identity.map { FileBase(identity: $0, isArchive: true) }
    keeper.observe(editor.desk.file.journaled) { _ in base }
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

  @Test func `Edits in the event of a recovery are journalled behind what was recovered`() throws {
    var lost = KeptEditor()
    for line in ["hide roads", "hide towns"] { try lost.run(line) }
    lost.writer.drain()
    lost.writer.close(atMost: 5)
    var kept = KeptEditor(files: lost.files)
    let left = try #require(kept.folder.takeOver(document: "") { _ in }.first)
    let history = JournalReplay(left.journal, base: .towns).history
    kept.editor.desk.file.recovered = RecoveredJournal(left, history: history)
    kept.editor.desk.history = history
    try kept.editor.run("hide fields")
    kept.observe()
    try expectSame(kept)
  }

  @Test func `A journal that begins with a draft begins with the document without it`() throws {
    var kept = KeptEditor()
    for line in ["draw line", "put 1 1", "put 2 2"] { try kept.editor.run(line) }
    kept.observe()
    var history = try kept.replayed()
    #expect(history.present.draft?.vertexCount == 2)
    while history.undo() != nil {}
    #expect(history.present.draft == nil)
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

  @Test(arguments: ["draw line; put 1 1", "select all; set a=1; undo"])
  func `A save of what was not edited is what the journal begins with`(lines: String) throws {
    var kept = KeptEditor()
    kept.identity = FileIdentity(device: 1, inode: 2, size: 2000, modified: 3)
    kept.editor.desk.file.path = "a.doc"
    let base = kept.editor.document
    for line in lines.split(separator: "; ") { try kept.run(String(line)) }
    #expect(!kept.editor.desk.isEdited)
    try kept.run("save")
    let (job, request) = try #require(kept.editor.effects.last?.save)
    kept.identity = FileIdentity(device: 1, inode: 4, size: 3000, modified: 5)
    _ = kept.editor.desk.handle(
      .saved(job, path: "a.doc", revision: request.revision, notice: nil))
    kept.observe()
    for line in ["draw point", "put 2 2", "select all", "set a=2"] { try kept.run(line) }
    #expect(try kept.journal().head.base == .file(try #require(kept.identity)))
    try expectSame(kept, base: base)
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
