import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// The run loop with journals, on files in memory; the screen hangs up when its keys are used up.
@Suite struct AutosaveLoopTests {
  private let files: MemoryFileSystem
  private let state = StateFolder(path: "/state/portolan")

  init() throws {
    files = MemoryFileSystem()
    try files.makeDirectories("/home")
    try files.put(DocumentFile.bytes(of: .towns), at: "/home/site.doc")
  }

  /// Plays keys; answers the desk at its end.
  @discardableResult
  private func play(_ keys: String, open: [String] = ["/home/site.doc"]) throws -> Desk {
    var options = World.Options()
    options.state = state
    options.keepsEdits = true
    options.clock = { _ in "12:04" }
    let world = World(files: files, options: options)
    var loop = EditorLoop(desk: Desk(), screen: try FakeScreen(keys: keys), world: world)
    _ = try loop.run(files: open, patienceSeconds: 20)
    files.closeAll()
    return loop.desk
  }

  private var journals: [JournalFolder.Entry] { JournalFolder(state, in: files).entries() }

  private static let edit = ":select all<ret>:set name=Kept<ret>"

  @Test func `A hang-up keeps the edits, and the next open offers them`() throws {
    try play(Self.edit)
    #expect(journals.map(\.stepCount) == [1])
    let asked = try play("")
    #expect(asked.mode == .question)
    #expect(asked.isReadOnly)
    #expect(journals.map(\.state) == [.left])
    let recovered = try play("r")
    #expect(recovered.isEdited)
    #expect(recovered.history.undoTitle == "set name")
    // It was neither saved nor discarded.
    #expect(journals.map(\.stepCount) == [1])
  }

  @Test func `A hang-up keeps the vertices of a draft`() throws {
    try play(Self.edit + ":draw line<ret>:put 1 1<ret>:put 2 2<ret>")
    #expect(journals.map(\.stepCount) == [3])
    let asked = try play("")
    let drawn = "a line of 2 vertices in layer “towns”, the last at 2.0 2.0"
    #expect(asked.question?.text.contains("Being drawn: \(drawn).") == true)
    let recovered = try play("r")
    #expect(recovered.draft?.vertices == [Coordinate(x: 1, y: 1), Coordinate(x: 2, y: 2)])
    #expect(recovered.message?.text.contains("\(drawn) is being drawn: i goes on") == true)
    let finished = try play("ri:put 3 3<ret><ret>")
    #expect(finished.draft == nil)
    #expect(finished.history.undoTitle == "draw LineString")
  }

  @Test func `Edits after a recovery are kept too`() throws {
    try play(Self.edit)
    try play("r:select all<ret>:set name=Second<ret>u:set name=Third<ret>")
    #expect(journals.map(\.stepCount) == [3])
    let again = try play("r")
    #expect(again.history.past.count == 2)
    let layer = again.document.layers.first as? FeatureLayer
    #expect(layer?.blocks.first?.attribute("name", row: 0) == .string("Third"))
  }

  @Test func `Leaving without saving gives the edits up`() throws {
    try play(Self.edit + ":q!<ret>")
    #expect(journals.isEmpty)
    #expect(try play("").mode == .normal)
  }

  @Test func `What was given up does not come back, however soon one leaves`() throws {
    for _ in 0..<20 {
      try play(Self.edit + "u:set pop=1<ret>:q!<ret>")
      #expect(journals.isEmpty)
    }
  }

  @Test func `Discarding removes the journal, deciding later does not`() throws {
    try play(Self.edit)
    #expect(try play("o").isReadOnly)
    #expect(journals.count == 1)
    #expect(try play("x").isReadOnly, "one letter gives nothing up")
    let discarded = try play("xd")
    #expect(!discarded.isReadOnly && !discarded.isEdited)
    #expect(journals.isEmpty)
  }

  @Test func `Work on a file that was changed since becomes a document of its own`() throws {
    try play(Self.edit)
    var other = Document.towns
    other.metadata.title = "another program was here"
    try files.put(DocumentFile.bytes(of: other), at: "/home/site.doc")
    let desk = try play("r")
    #expect(desk.file.path == nil)
    #expect(desk.isEdited)
    #expect(desk.document.metadata.title != other.metadata.title)
    let layer = desk.document.layers.first as? FeatureLayer
    #expect(layer?.blocks.first?.attribute("name", row: 0) == .string("Kept"))
  }

  @Test func `A document without a name is kept and offered too`() throws {
    try play(":new-layer sketch<ret>", open: [])
    #expect(journals.map(\.document) == [""])
    let desk = try play("r", open: [])
    #expect(desk.document.layers.map(\.name) == ["sketch"])
    #expect(desk.file.path == nil)
  }
}
