import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// A workspace with its world; what it asks for waits until `settle`.
struct Office {
  var workspace: Workspace
  let world: World
  var waiting: [Effect] = []

  init(
    _ files: any FileSystem = MemoryFileSystem(files: ["/m/other": [1]]),
    size: CellSize = CellSize(columns: 120, rows: 40)
  ) {
    var options = World.Options()
    options.beginsNewDocuments = true
    options.guardsDocuments = true
    options.state = StateFolder(path: "/state/portolan")
    world = World(files: files, options: options)
    workspace = Workspace(Desk(document: .towns, screenSize: size))
    workspace.change { $0.fit($0.document.extent) }
  }

  var desk: Desk { workspace.desk() }
  var message: String { desk.message?.text ?? "" }
  var panes: [PaneID] { desk.session.arrangement.tab.tree.panes }

  /// Runs a line, without doing what it asks for.
  mutating func ask(_ line: String) throws {
    try workspace.change { try $0.run(line: line) }
    waiting += workspace.takeEffects()
  }

  /// Runs a line, and does what it asks for.
  mutating func run(_ line: String) throws {
    try ask(line)
    try settle()
  }

  mutating func press(_ keys: String) throws {
    for event in try EventNotation.events(keys) { waiting += workspace.handle(.terminal(event)) }
    try settle()
  }

  /// Does what was asked for, and what comes of it.
  mutating func settle() throws {
    while !waiting.isEmpty {
      let effect = waiting.removeFirst()
      if let event = try world.perform(effect) { waiting += workspace.handle(event) }
      for text in world.doChores() { waiting += workspace.handle(.remark(text)) }
    }
  }

  func names(_ id: OpenDocument.ID) -> [String] {
    workspace.documents[id]?.history.value.layers.map(\.name) ?? []
  }

  /// The text of the screen.
  func screen(_ size: CellSize) -> String {
    var memory = RenderMemory()
    return workspace.frame(size: size, memory: &memory).plainText()
  }
}

@Suite struct WorkspaceTests {
  @Test func `A divided pane shows the same document, and has its own view`() throws {
    var office = Office()
    let first = office.desk.pane.id
    try office.press("<c-w>v")
    #expect(office.panes.count == 2)
    #expect(office.desk.pane.id != first)
    let centre = office.desk.camera.center
    try office.run("zoom to 6")
    try office.run("go to 15 -4")
    try office.run("select all")
    try office.press("<c-w>w")
    #expect(office.desk.pane.id == first)
    #expect(office.desk.camera.center == centre)
    #expect(office.desk.viewpoint.zoom != 6)
    // The work in the document is one.
    #expect(office.desk.selection.count == 7)
    try office.press("d")
    try office.press("<c-w>w")
    #expect(office.desk.document.layers.last?.count == 0)
    try office.press("u<c-w>q")
    #expect(office.panes == [first])
    #expect(office.desk.document.layers.last?.count == 4)
  }

  @Test func `Both panes stand on the screen with a heading each`() throws {
    let size = CellSize(columns: 120, rows: 40)
    var office = Office(size: size)
    try office.run("split right")
    let text = office.screen(size)
    #expect(text.contains(" 1: z "))
    #expect(text.contains(" 2: z "))
    try office.run("pane only")
    #expect(!office.screen(size).contains(" 1: z "))
  }

  @Test func `Linked panes keep one centre, and each its zoom`() throws {
    var office = Office()
    try office.press("<c-w>s")
    try office.run("zoom in 3")
    try office.press("<c-w>l")
    try office.run("go to 20 5")
    try office.run("center")
    let centre = office.desk.camera.center
    let zoom = office.desk.viewpoint.zoom
    try office.press("<c-w>w")
    #expect(abs(office.desk.camera.center.x - centre.x) < 1e-9)
    #expect(abs(office.desk.camera.center.y - centre.y) < 1e-9)
    #expect(office.desk.viewpoint.zoom != zoom)
    try office.press("<c-w>l")
    try office.run("go to 0 0")
    try office.run("center")
    try office.press("<c-w>w")
    #expect(abs(office.desk.camera.center.x - centre.x) < 1e-9)
  }

  @Test func `Two documents are open at once, and features go from one to the other`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    try office.run("split right /m/b.doc")
    #expect(office.workspace.documents.count == 2)
    #expect(office.desk.file.path == "/m/b.doc")
    #expect(office.desk.document.layers.isEmpty)
    try office.run("new-layer places")
    try office.press("<c-w>w")
    #expect(office.desk.file.path == "/m/a.doc")
    try office.run("select all")
    try office.press("y<c-w>w")
    try office.run("paste --in-place")
    #expect(office.desk.document.layers.map(\.name) == ["places", "fields", "roads", "towns"])
    #expect(office.desk.document.layers.map(\.count) == [0, 2, 1, 4])
    try office.run("undo")
    try office.run("layer places")
    try office.run("paste --in-place --into-active")
    #expect(office.desk.document.layers.map(\.count) == [7])
    #expect(office.desk.isEdited)
    #expect(throws: EditingError.self) { try office.ask("pane close") }
    try office.press("<c-w>w")
    #expect(!office.desk.isEdited)
    // Whoever leaves is told of the other one's edits.
    let refusal = #expect(throws: EditingError.self) { try office.ask("quit") }
    #expect(refusal?.message.contains("b.doc") == true)
    try office.press("<c-w>w")
    try office.run("save")
    try office.run("pane close")
    #expect(office.workspace.documents.count == 1)
    #expect(office.desk.file.path == "/m/a.doc")
    let store = office.world.store
    #expect(store.openPath(of: "/m/a.doc") == "/m/a.doc" && store.openPath(of: "/m/b.doc") == nil)
  }

  @Test func `Another coordinate system is looked at anew in all panes, and after undo`() throws {
    var planar = Document.towns
    planar.metadata.take(.planar)
    for index in planar.layers.indices {
      guard var layer = planar.layers[index] as? any FeatureHolding else { continue }
      try layer.changeGeometries(of: Set(layer.blocks.flatMap(\.featureIDs))) {
        $0.move(x: 5e5, y: 6e6, isGeographic: false)
      }
      planar.layers[index] = layer
    }
    var source = Editor(planar)
    try source.run("select all")
    try source.run("yank")
    var office = Office()
    try office.run("split right /m/b.doc")
    try office.run("split right")
    office.workspace.change { $0.session.register = source.desk.session.register }
    try office.run("paste")
    #expect(office.desk.cursor.y > 5e6)
    for key in ["<c-w>w", "<c-w>w"] {
      try office.press(key)
      let isPlanar = office.desk.file.path == "/m/b.doc"
      #expect((office.desk.camera.center.y > 5e6) == isPlanar)
    }
    try office.press("<c-w>w")
    try office.run("undo")
    for _ in 0..<3 {
      #expect(abs(office.desk.camera.center.y) <= 90 && abs(office.desk.cursor.y) <= 90)
      try office.press("<c-w>w")
    }
  }

  @Test func `A reply finds its document whatever has the keys`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    try office.run("split right /m/b.doc")
    let b = office.desk.file.id
    try office.run("new-layer inB")
    try office.press("<c-w>w")
    let a = office.desk.file.id
    try office.run("new-layer inA")
    try office.ask("save")
    try office.ask("pane next")
    #expect(office.desk.file.id == b)
    try office.settle()
    #expect(office.workspace.documents[a]?.history.isEdited == false)
    #expect(office.workspace.documents[b]?.history.isEdited == true)
    #expect(office.desk.file.path == "/m/b.doc")
    #expect(office.names(b) == ["inB"])
    // A failure is marked where it belongs.
    try office.ask("pane next")
    try office.ask("new-layer more")
    try office.ask("save")
    try office.ask("pane next")
    let job = try #require(office.desk.jobs.last?.id)
    office.waiting = office.workspace.handle(.failed(job, message: "a.doc: no space left"))
    #expect(office.workspace.documents[a]?.trouble == "not saved")
    #expect(office.workspace.documents[b]?.trouble == nil)
    // An earlier version comes back where it was asked for.
    office.waiting = []
    try office.ask("pane next")
    #expect(office.desk.file.id == a)
    try office.ask("versions --restore 1")
    try office.ask("pane next")
    try office.settle()
    #expect(office.names(a) == ["fields", "roads", "towns"])
    #expect(office.names(b) == ["inB"])
  }

  @Test func `A reply for a document that was closed is dropped`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    try office.run("split right /m/b.doc")
    try office.run("new-layer inB")
    try office.ask("save")
    try office.ask("pane close --force")
    try office.settle()
    #expect(office.desk.file.path == "/m/a.doc")
    #expect(office.desk.jobs.isEmpty)
    #expect(office.workspace.documents.count == 1)
  }

  @Test func `A file that is open is shown, not opened twice`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    let a = office.desk.file.id
    try office.run("tab new /m/b.doc")
    try office.run("open /m/a.doc")
    #expect(office.desk.file.id == a)
    #expect(office.workspace.documents.count == 1)
    try office.run("split below /m/a.doc")
    #expect(office.workspace.documents.count == 1)
    #expect(office.desk.file.id == a)
    try office.run("new-layer x")
    try office.press("<c-w>w")
    #expect(office.desk.document.layers.last?.name == "x")
  }

  @Test func `Tabs are opened, gone through and closed`() throws {
    var office = Office()
    try office.run("tab new")
    try office.run("zoom to 5")
    try office.run("tab new /m/b.doc")
    #expect(office.desk.session.arrangement.tabs.count == 3)
    #expect(office.desk.file.path == "/m/b.doc")
    try office.press("gt")
    #expect(office.desk.session.arrangement.index == 0)
    try office.press("gT")
    #expect(office.desk.session.arrangement.index == 2)
    try office.run("tab 2")
    #expect(office.desk.viewpoint.zoom == 5)
    #expect(throws: EditingError.self) { try office.ask("tab 9") }
    try office.run("tab close")
    try office.run("tab 2")
    try office.run("tab close")
    #expect(office.desk.session.arrangement.tabs.count == 1)
    #expect(office.workspace.documents.count == 1)
    #expect(throws: EditingError.self) { try office.ask("tab close") }
  }

  @Test func `The overview pane shows the map's place and a click moves the map`() throws {
    let size = CellSize(columns: 120, rows: 40)
    var office = Office(size: size)
    try office.run("zoom to 7")
    let map = office.desk.pane.id
    try office.run("overview --pane")
    #expect(office.panes.count == 2)
    #expect(office.desk.pane.id == map)
    #expect(office.screen(size).contains("overview"))
    // It never has the keys.
    #expect(throws: EditingError.self) { try office.ask("pane next") }
    let former = office.desk.camera.center
    let layout = office.desk.layout
    let rect = try #require(
      office.desk.session.arrangement.places(in: layout.map).panes.last?.rect)
    let press = MouseEvent(
      action: .press, button: 1, column: rect.column + 2, row: rect.row + 2, modifiers: [])
    office.waiting = office.workspace.handle(.terminal(.mouse(press)))
    #expect(office.desk.pane.id == map)
    #expect(office.desk.camera.center != former)
    try office.run("overview --pane")
    #expect(office.panes == [map])
  }

  @Test func `A press in another pane gives it the keys; the wheel zooms without them`() throws {
    var office = Office()
    try office.run("split right")
    let (left, right) = (office.panes[0], office.panes[1])
    let rect = try #require(
      office.desk.session.arrangement.places(in: office.desk.layout.map).panes.first?.rect)
    func mouse(_ action: MouseEvent.Action) -> Event {
      .terminal(
        .mouse(
          MouseEvent(
            action: action, button: 1, column: rect.column + 5, row: rect.row + 5, modifiers: [])))
    }
    let zoom = office.workspace.desk(at: left)?.viewpoint.zoom ?? 0
    _ = office.workspace.handle(mouse(.wheelUp))
    #expect(office.desk.pane.id == right)
    #expect((office.workspace.desk(at: left)?.viewpoint.zoom ?? 0) > zoom)
    _ = office.workspace.handle(mouse(.press))
    _ = office.workspace.handle(mouse(.release))
    #expect(office.desk.pane.id == left)
    #expect(office.desk.cursorColumn == 5)
    #expect(office.desk.cursorRow == 4)
  }

  @Test func `A command that throws has changed nothing in all four`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    try office.run("select all")
    try office.run("move --by 1,1")
    let (file, session) = (office.desk.file, office.desk.session)
    // It leaves the file and asks for its release before it finds that the name is no document's.
    #expect(throws: EditingError.self) { try office.ask("duplicate copy.geojson") }
    #expect(office.desk.file.path == file.path)
    #expect(office.desk.history.present.serial == file.history.present.serial)
    #expect(office.desk.history.savedRevision == file.history.savedRevision)
    #expect(office.desk.selection.count == 7)
    #expect(office.desk.session.arrangement == session.arrangement)
    #expect(office.workspace.takeEffects().isEmpty)
    #expect(office.desk.jobs.isEmpty)
  }

  @Test func `A script goes on in the pane that it went to`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    let job = office.workspace.change { $0.startJob("script") }
    _ = office.workspace.takeEffects()
    office.waiting = office.workspace.handle(
      .script(
        job, name: "s", text: "split right /m/b.doc\nnew-layer inB\npane next\nnew-layer inA"))
    try office.settle()
    #expect(office.desk.file.path == "/m/a.doc", "\(office.message)")
    #expect(office.desk.document.layers.map(\.name).last == "inA")
    let other = try #require(office.workspace.documents.values.first { $0.path == "/m/b.doc" })
    #expect(other.history.value.layers.map(\.name) == ["inB"])
  }

  @Test func `A second session on the document follows what the first one does`() throws {
    var office = Office()
    var second = Desk(document: office.desk.document, screenSize: CellSize(columns: 80, rows: 24))
    second.selection = Selection(
      office.desk.document.layers.last.map { layer in
        (layer as? FeatureLayer)?.blocks.flatMap(\.featureIDs).map {
          FeatureReference(layer: layer.id, feature: $0)
        } ?? []
      } ?? [])
    office.workspace.join(second, as: SessionID(2), on: office.desk.file.id)
    #expect(office.workspace.desk(of: SessionID(2)).selection.count == 4)
    try office.run("select all")
    try office.press("d")
    let other = office.workspace.desk(of: SessionID(2))
    #expect(other.document.layers.last?.count == 0)
    #expect(other.selection.isEmpty)
  }
}
