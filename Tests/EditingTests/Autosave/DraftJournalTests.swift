import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanKeeping

/// Drafts outlive a kill, vertex by vertex.
@Suite struct DraftJournalTests {
  private let files = MemoryFileSystem()
  private var folder: JournalFolder {
    JournalFolder(StateFolder(path: "/state/portolan"), in: files)
  }

  /// What a process would find that comes after a kill.
  private func replayed(_ base: Document) throws -> History<Document> {
    let path = try #require(folder.entries().first).path
    let journal = try Journal(files.read(path, limit: 1 << 30))
    let first = try journal.base.map { try DocumentFile.open($0).document } ?? base
    let replay = JournalReplay(journal, base: first)
    #expect(replay.problem == nil)
    return replay.history
  }

  private func isEmpty(_ draft: Draft?) -> Bool { draft?.isEmpty ?? true }

  @Test(arguments: 1...12)
  func `A kill after any step loses no vertex, around saves too`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Editor()
    editor.desk.file.path = "/m/a.doc"
    let base = editor.document
    let writer = JournalWriter(folder: folder, process: 1, now: { 1000 }, report: { _ in })
    var keeper = JournalKeeper(writer: writer)
    let lines = [
      "draw line", "draw polygon", "put @1,1", "put @2,-1", "put 3 3", "put @1,0", "put @0,2",
      "unput", "next-part", "finish", "escape", "layer roads", "hide fields", "show fields",
      "undo", "redo", "undo 2", "move --by 1,1", "set n=1", "select all", "discard-draft", "save",
    ]
    for step in 0..<60 {
      let line = lines[Int.random(in: 0..<lines.count, using: &random)]
      try? editor.run(line)
      if let (job, request) = editor.effects.last?.save {
        editor.effects = []
        keeper.observe(editor.desk.file.journaled) { _ in nil }
        _ = editor.desk.handle(.saved(job, path: "/m/a.doc", revision: request.revision))
      }
      keeper.observe(editor.desk.file.journaled) { _ in nil }
      writer.drain()
      let draft = editor.desk.history.present.draft
      guard !folder.entries().isEmpty else {
        // Nothing is kept where nothing would be lost.
        #expect(isEmpty(draft) && !editor.desk.isEdited, "seed \(seed), step \(step): \(line)")
        continue
      }
      let history = try replayed(base)
      #expect(
        history.present.draft?.parts == draft?.parts, "seed \(seed), step \(step): \(line)")
      #expect(history.present.draft?.kind == draft?.kind)
      #expect(history.present.draft?.purpose == draft?.purpose)
      #expect(DocumentDifference.lines(from: history.value, to: editor.document).isEmpty)
    }
    writer.close(atMost: 5)
  }

  @Test func `A recovered draft is gone on with, and its vertices are undone`() throws {
    var editor = Editor()
    let writer = JournalWriter(folder: folder, process: 1, now: { 1000 }, report: { _ in })
    var keeper = JournalKeeper(writer: writer)
    for line in ["layer roads", "draw line", "put 0 0", "put 5 5", "put 9 1"] {
      try editor.run(line)
      keeper.observe(editor.desk.file.journaled) { _ in nil }
    }
    writer.close(atMost: 5)
    let history = try replayed(editor.document)
    #expect(history.past.count == 3)
    var desk = Desk(document: .towns)
    desk.history = history
    desk.draft = history.present.after?.draft
    try desk.run(line: "draw")
    #expect(desk.mode == .insert)
    try desk.run(line: "undo")
    #expect(desk.draft?.vertices.count == 2)
    try desk.run(line: "put 7 7")
    try desk.run(line: "finish")
    let roads = try #require(
      desk.document.layers.first { $0.name == "roads" } as? any FeatureHolding)
    #expect(roads.count == 2)
  }

  @Test func `Of a draft that is kept, or cannot be, the title tells as of edits`() throws {
    var editor = Editor()
    var memory = RenderMemory()
    let size = CellSize(columns: 100, rows: 24)
    func title() -> String {
      let text = editor.desk.frame(size: size, memory: &memory).plainText()
      return String(text.prefix { !$0.isNewline })
    }
    editor.desk.take(.failing("full"))
    #expect(!title().contains("autosaved"))
    for line in ["layer roads", "draw line", "put 0 0"] { try editor.run(line) }
    #expect(!editor.desk.isEdited)
    #expect(title().contains("[NOT autosaved]"))
    #expect(!editor.desk.file.keepsUnsavedEdits)
    editor.desk.take(.kept(time: "12:04"))
    #expect(title().contains("autosaved 12:04"))
    #expect(editor.desk.file.keepsUnsavedEdits)
  }
}
