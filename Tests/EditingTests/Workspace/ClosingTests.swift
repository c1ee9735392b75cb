import PortolanDocuments
import PortolanFiles
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanKeeping

/// What closes a pane or the editor gives no work up that nobody gave up.
@Suite struct ClosingTests {
  private let files = MemoryFileSystem(files: ["/m/other": [1]])

  /// Two saved documents side by side; the keys are in the second one.
  private static func office(_ files: MemoryFileSystem) throws -> Office {
    var office = Office(files)
    try office.run("save /m/a.doc")
    try office.run("split right /m/b.doc")
    try office.run("new-layer lines")
    try office.run("save")
    return office
  }

  /// Two saved documents in two tabs; the keys are in the second one.
  private static func tabs(_ files: MemoryFileSystem) throws -> Office {
    var office = try office(files)
    try office.run("pane close")
    try office.run("tab new")
    try office.run("open /m/b.doc")
    return office
  }

  private func document(_ path: String, in office: Office) -> OpenDocument? {
    office.workspace.documents.values.first { $0.path == path }
  }

  @Test(arguments: ["save-all", "wa", "wqa", "xa", "save-all --quit"])
  func `All documents are saved, and only then is the editor left`(line: String) throws {
    for edited in [["/m/a.doc"], ["/m/b.doc"], ["/m/a.doc", "/m/b.doc"], []] {
      let files = MemoryFileSystem(files: ["/m/other": [1]])
      var office = try Self.office(files)
      for path in ["/m/b.doc", "/m/a.doc"] {
        if edited.contains(path) { try office.run("new-layer more") }
        try office.run("pane next")
      }
      let former = try ["/m/a.doc", "/m/b.doc"].map { try files.read($0, limit: 1 << 20) }
      try office.run(line)
      for (path, bytes) in zip(["/m/a.doc", "/m/b.doc"], former) {
        let now = try files.read(path, limit: 1 << 20)
        #expect((now != bytes) == edited.contains(path), "\(line) \(edited): \(path)")
        let layers = try DocumentFile.open(now).document.layers.map(\.name)
        #expect(layers.contains("more") == edited.contains(path))
      }
      #expect(office.desk.hasQuit == (line != "save-all" && line != "wa"), "\(office.message)")
      #expect(!office.workspace.documents.values.contains { $0.hasUnsavedWork })
    }
  }

  @Test func `A document that cannot be saved is told, the others are saved`() throws {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    var office = Office(files)
    try office.run("new-layer nameless")
    try office.run("split right /m/b.doc")
    try office.run("new-layer more")
    try office.run("wqa")
    #expect(!office.desk.hasQuit && office.message.contains("no file name yet"))
    let layers = try DocumentFile.open(files.read("/m/b.doc", limit: 1 << 20)).document.layers
    #expect(layers.contains { $0.name == "more" })
    try office.run("quit --force")
    #expect(office.desk.hasQuit)
  }

  @Test(
    arguments: [
      "pane close", "pane only", "tab close", "quit", "save --quit", "wq", "open /m/c.doc",
      "open /m/a.doc",
    ], ["new-layer lost", "draw line"])
  func `No way of closing panes loses edits or a draft`(line: String, work: String) throws {
    for isElsewhere in [false, true] {
      let files = MemoryFileSystem(files: ["/m/other": [1]])
      let isTab = line == "tab close"
      var office = try isTab ? Self.tabs(files) : Self.office(files)
      try office.run(work)
      if work == "draw line" { try office.run("put 1 1") }
      if isElsewhere { try office.run(isTab ? "tab next" : "pane next") }
      // The document that nothing was done in may be closed, and what is saved may be left.
      try? office.run(line)
      let edited = document("/m/b.doc", in: office)
      if work == "draw line" {
        #expect(!office.desk.hasQuit && edited?.history.present.draft != nil, "\(line)")
        continue
      }
      let saved = try DocumentFile.open(files.read("/m/b.doc", limit: 1 << 20)).document
      let isSaved = saved.layers.contains { $0.name == "lost" }
      let isHere = edited?.history.value.layers.contains { $0.name == "lost" } == true
      #expect(isSaved || isHere && !office.desk.hasQuit, "\(line): \(office.message)")
    }
  }

  @Test func `Panes without keys close with the document that they show`() throws {
    var office = try Self.office(files)
    try office.run("overview --pane")
    #expect(office.panes.count == 3)
    try office.run("pane close")
    #expect(office.panes.count == 1)
    #expect(office.workspace.documents.count == 1)
    #expect(office.world.store.openPath(of: "/m/b.doc") == nil)
  }

  @Test func `A file that was opened for a pane that is gone is given back`() throws {
    var office = Office(files)
    try office.run("save /m/a.doc")
    try office.ask("split right /m/b.doc")
    try office.ask("pane close")
    try office.settle()
    #expect(office.desk.file.path == "/m/a.doc")
    #expect(office.workspace.documents.count == 1)
    #expect(office.world.store.openPath(of: "/m/b.doc") == nil)
    #expect(office.world.store.openPath(of: "/m/a.doc") != nil)
  }

  @Test func `Work done while a file is read is not replaced by it`() throws {
    var office = Office(files)
    try office.run("save /m/a.doc")
    try office.ask("open /m/b.doc")
    try office.ask("new-layer late")
    try office.settle()
    #expect(office.desk.file.path == "/m/a.doc")
    #expect(office.message.contains("unsaved work since"))
    #expect(office.world.store.openPath(of: "/m/b.doc") == nil)
    // What was given up is what stood there then.
    try office.ask("open --force /m/b.doc")
    try office.ask("new-layer later")
    try office.settle()
    #expect(office.names(office.desk.file.id).suffix(2) == ["late", "later"])
    try office.run("open --force /m/b.doc")
    #expect(office.desk.file.path == "/m/b.doc")
  }

  @Test func `A reload that an edit came before leaves their change to be found by the save`()
    throws
  {
    var office = Office(files)
    try office.run("save /m/a.doc")
    files.put(try DocumentArchive.bytes(of: Document()), at: "/m/a.doc")
    try office.ask("revert")
    try office.ask("new-layer ours")
    try office.settle()
    #expect(office.desk.file.trouble == "changed on disk")
    #expect(office.desk.document.layers.contains { $0.name == "ours" })
    try office.run("save")
    #expect(office.desk.question?.title == "a.doc changed on disk", "\(office.message)")
    let theirs = try DocumentFile.open(files.read("/m/a.doc", limit: 1 << 20)).document
    #expect(theirs.layers.isEmpty)
  }

  @Test func `A document that became one of its own is not taken for what is saved`() throws {
    var office = Office(files)
    try office.run("save /m/a.doc")
    try office.run("new-layer x")
    try office.ask("save")
    try office.ask("duplicate")
    try office.settle()
    #expect(office.desk.file.path == nil)
    #expect(office.desk.isEdited)
    #expect(office.world.store.openPath(of: "/m/a.doc") == nil)
  }

  @Test func `Ctrl-C leaves a save to become whole, and its reply finds the desk`() throws {
    var office = Office(files)
    try office.ask("save /m/a.doc")
    try office.ask("cancel")
    #expect(office.message.contains("goes on"))
    try office.settle()
    #expect(office.desk.file.path == "/m/a.doc")
    #expect(!office.desk.isEdited)
  }

  @Test func `A data file that is exported over an open document is refused`() throws {
    var office = try Self.office(files)
    try office.run("layer lines")
    try office.run("export -o /m/a.doc --format geojson --force")
    #expect(office.message.contains("open here"), "\(office.message)")
    _ = try DocumentFile.open(files.read("/m/a.doc", limit: 1 << 20))
  }

  @Test func `A script stays in the pane that it runs in, whatever has the keys`() throws {
    var office = try Self.office(files)
    let job = office.workspace.change { $0.startJob("script") }
    _ = office.workspace.takeEffects()
    office.waiting = office.workspace.handle(
      .script(job, name: "s", text: "save\nnew-layer first\nsave\nnew-layer second"))
    // The keys go to the other document while the script waits for its save.
    try office.ask("pane next")
    try office.settle()
    #expect(office.desk.file.path == "/m/a.doc")
    #expect(
      document("/m/b.doc", in: office)?.history.value.layers.map(\.name)
        == ["lines", "first", "second"])
    #expect(!office.desk.document.layers.contains { $0.name == "first" })
  }

  @Test func `A script in a hidden tab arranges its own tab, and no other pane is replaced`() throws
  {
    var office = try Self.office(files)
    try office.run("pane close")
    let script = office.desk.pane.id
    let job = office.workspace.change { $0.startJob("script") }
    _ = office.workspace.takeEffects()
    office.waiting = office.workspace.handle(
      .script(job, name: "s", text: "save\nsplit right /m/b.doc\nnew-layer late"))
    // The person works in another tab while the script waits for its save.
    try office.ask("tab new")
    let own = office.desk.pane.id
    try office.ask("new-layer mine")
    try office.settle()
    #expect(office.desk.pane.id == own)
    #expect(office.desk.document.layers.contains { $0.name == "mine" })
    let tree = try #require(office.desk.session.arrangement.tabs.first?.tree)
    #expect(tree.panes.contains(script) && tree.panes.count == 2)
    #expect(document("/m/b.doc", in: office)?.history.value.layers.last?.name == "late")
  }

  @Test func `A second script is refused while one runs`() throws {
    var office = try Self.office(files)
    let job = office.workspace.change { $0.startJob("script") }
    _ = office.workspace.takeEffects()
    office.waiting = office.workspace.handle(.script(job, name: "s", text: "save\nnew-layer one"))
    #expect(throws: EditingError.self) { try office.ask("run /m/other") }
    try office.settle()
    #expect(office.desk.document.layers.last?.name == "one")
  }

  @Test func `A file opened again before its first opening is given back stays locked`() throws {
    var office = Office(files)
    try office.run("save /m/b.doc")
    try office.run("open /m/a.doc")
    try office.ask("split right /m/b.doc")
    try office.ask("pane close")
    try office.ask("open --force /m/b.doc")
    try office.settle()
    #expect(office.desk.file.path == "/m/b.doc")
    #expect(office.world.store.openPath(of: "/m/b.doc") == "/m/b.doc")
    #expect(office.world.store.knows("/m/b.doc"))
    try office.run("open --force /m/c.doc")
    #expect(office.world.store.openPath(of: "/m/b.doc") == nil)
  }

  @Test func `A long edit under way is not left without a word`() throws {
    var office = Office(files)
    try office.run("save /m/a.doc")
    try office.ask("select all")
    try office.workspace.change {
      try $0.edit("long", isLong: true, saying: "done") { document, _ in document.layers = [] }
    }
    office.waiting += office.workspace.takeEffects()
    for line in ["quit", "wq", "open /m/b.doc"] {
      #expect(throws: EditingError.self, "\(line)") { try office.ask(line) }
    }
    try office.ask("cancel")
    try office.settle()
    #expect(office.desk.document.layers.count == 3)
    try office.ask("quit")
    #expect(office.desk.hasQuit)
  }

  @Test func `A file that cannot be opened beside the map leaves no pane behind`() throws {
    var office = Office(files)
    try office.run("split right /m/nothing.geojson")
    #expect(office.panes.count == 1)
    #expect(office.message.contains("nothing.geojson"), "\(office.message)")
    try office.run("tab new /m/nothing.geojson")
    #expect(office.desk.session.arrangement.tabs.count == 1)
  }

  @Test func `A document that is open already is shown as its pane shows it`() throws {
    var office = try Self.office(files)
    try office.run("go to 12 5")
    try office.run("zoom to 5")
    let camera = office.desk.camera
    try office.run("pane next")
    try office.run("open /m/b.doc")
    #expect(office.desk.file.path == "/m/b.doc")
    #expect(office.desk.camera.center == camera.center)
    #expect(office.desk.viewpoint.zoom == 5)
  }

  @Test func `Undo of a draft leaves NORMAL on`() throws {
    var office = Office(files)
    try office.run("draw line")
    try office.run("put 1 1")
    try office.run("put 2 2")
    try office.press("<esc>")
    #expect(office.desk.mode == .normal)
    try office.press("u")
    #expect(office.desk.mode == .normal)
    #expect(office.desk.draft?.vertexCount == 1)
  }
}
