import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import Testing

@testable import PortolanEditing

@Suite struct FileTests {
  /// The save that was asked for last.
  func save(_ editor: Editor) -> (JobID, SaveRequest)? {
    editor.effects.reversed().lazy.compactMap {
      $0.save
    }.first
  }

  func hasQuit(_ editor: Editor) -> Bool {
    editor.effects.contains { if case .quit = $0 { true } else { false } }
  }

  /// An editor whose document has a file.
  func saved() -> Editor {
    var editor = Editor()
    editor.desk.file.path = "towns.doc"
    return editor
  }

  @Test func `A save asks the world and clears the flag when it is done`() throws {
    var editor = saved()
    try editor.press("Vd:w<ret>")
    let (id, request) = try #require(save(editor))
    #expect(request.path == "towns.doc")
    #expect(request.overwrites)
    #expect(editor.desk.jobs.map(\.name) == ["saving towns.doc"])
    #expect(editor.desk.isEdited)
    _ = editor.desk.handle(
      .saved(id, path: "towns.doc", revision: request.revision, notice: nil))
    #expect(!editor.desk.isEdited)
    #expect(editor.message == "saved towns.doc")
    try editor.press("u")
    #expect(editor.desk.isEdited)
    try editor.press("U")
    #expect(!editor.desk.isEdited)
  }

  @Test func `What is edited during a save stays unsaved`() throws {
    var editor = saved()
    try editor.press("Vd<c-s>")
    let (id, request) = try #require(save(editor))
    try editor.run("hide roads")
    _ = editor.desk.handle(
      .saved(id, path: "towns.doc", revision: request.revision, notice: nil))
    #expect(editor.desk.isEdited)
  }

  @Test func `The view is saved without making the document edited`() throws {
    var editor = saved()
    try editor.press("3+20lH:w<ret>")
    #expect(!editor.desk.isEdited)
    let (_, request) = try #require(save(editor))
    let view = try #require(request.document.mapView)
    #expect(view.center == editor.desk.camera.center)
    #expect(view.magnification == editor.desk.camera.magnification)
    var other = Desk()
    let id = other.startJob("open")
    _ = other.handle(
      .opened(
        id, OpenedFile(path: "towns.doc", document: request.document, isDocumentFile: true)))
    #expect(other.camera.center == editor.desk.camera.center)
    #expect(abs(other.camera.zoom - editor.desk.camera.zoom) < 1e-9)
  }

  @Test func `Quitting with unsaved edits refuses and says how`() throws {
    var editor = saved()
    try editor.press("Vd:q<ret>")
    #expect(!editor.desk.hasQuit)
    #expect(editor.message.contains(":q!"))
    #expect(editor.message.contains(":wq"))
    try editor.press("<c-q>qq")
    #expect(!editor.desk.hasQuit)
    try editor.press(":q!<ret>")
    #expect(editor.desk.hasQuit)
    #expect(hasQuit(editor))
  }

  @Test(arguments: [":wq<ret>", "ZZ", ":x<ret>", "qw"])
  func `Save and quit leaves when the file is written`(keys: String) throws {
    var editor = saved()
    try editor.press("Vd" + keys)
    #expect(!editor.desk.hasQuit)
    let (id, request) = try #require(save(editor))
    let effects = editor.desk.handle(
      .saved(id, path: "towns.doc", revision: request.revision, notice: nil))
    #expect(editor.desk.hasQuit)
    #expect(effects.contains { if case .quit(code: 0) = $0 { true } else { false } })
  }

  @Test func `A failed save keeps the editor open and the edits`() throws {
    var editor = saved()
    try editor.press("Vd:wq<ret>")
    let (id, _) = try #require(save(editor))
    _ = editor.desk.handle(.failed(id, message: "towns.doc: no space left"))
    #expect(!editor.desk.hasQuit)
    #expect(editor.desk.isEdited)
    #expect(editor.desk.message == Message("towns.doc: no space left", .error))
  }

  @Test func `A document without a name needs one, and not another format's`() throws {
    var editor = Editor()
    #expect(throws: EditingError.self) { try editor.run("save") }
    let error = #expect(throws: EditingError.self) { try editor.run("save a/b.geojson") }
    #expect(error?.message.contains(":export") == true)
    try editor.run("save a.b/site.doc")
    let (id, request) = try #require(save(editor))
    #expect(!request.overwrites)
    _ = editor.desk.handle(
      .saved(id, path: "a.b/site.doc", revision: request.revision, notice: "kept the old one"))
    #expect(editor.desk.file.path == "a.b/site.doc")
    #expect(editor.desk.title == "site.doc")
    #expect(
      editor.desk.message == Message("saved a.b/site.doc; kept the old one", .warning))
  }

  @Test func `Opening refuses to lose edits and replaces the document`() throws {
    var editor = saved()
    try editor.press("Vd")
    #expect(throws: EditingError.self) { try editor.run("e other.geojson") }
    try editor.run("e! other.geojson")
    let id = try #require(editor.desk.jobs.first?.id)
    _ = editor.desk.handle(.progress(id, fraction: 0.5))
    #expect(editor.desk.jobs.first?.fraction == 0.5)
    _ = editor.desk.handle(
      .opened(
        id,
        OpenedFile(
          path: "other.geojson", document: .towns, isDocumentFile: false,
          notices: ["a ring was open", "another"]),
        givingUp: GivenUp(editor.desk)))
    #expect(editor.desk.jobs.isEmpty)
    #expect(!editor.desk.isEdited)
    #expect(editor.desk.file.path == nil)
    #expect(editor.desk.title == "other.geojson")
    #expect(editor.message == "other.geojson: a ring was open (and 1 more)")
    #expect(editor.desk.camera.visible.contains(Coordinate(x: 31, y: 14)))
  }

  @Test func `A file that comes after an edit does not replace it`() throws {
    var editor = saved()
    try editor.run("open big.geojson")
    let id = try #require(editor.desk.jobs.first?.id)
    try editor.press("Vd")
    let edited = editor.document.layers.map(\.count)
    _ = editor.desk.handle(
      .opened(id, OpenedFile(path: "big.geojson", document: Document(), isDocumentFile: false)))
    #expect(editor.document.layers.map(\.count) == edited)
    #expect(editor.message.contains("big.geojson was not opened"))
  }

  @Test func `Imported layers come on top as one undoable step`() throws {
    var editor = Editor()
    let id = editor.desk.startJob("import")
    let layer = try #require(editor.layer("towns"))
    _ = editor.desk.handle(.imported(id, ImportedData(path: "more.csv", layers: [layer])))
    #expect(editor.document.layers.map(\.name) == ["fields", "roads", "towns", "towns 2"])
    #expect(Set(editor.document.layers.map(\.id)).count == 4)
    #expect(editor.desk.active?.name == "towns 2")
    try editor.press("u")
    #expect(!editor.desk.isEdited)
  }

  @Test func `A cancelled job's answer is passed over`() throws {
    var editor = Editor()
    try editor.run("open big.geojson")
    let id = try #require(editor.desk.jobs.first?.id)
    try editor.press("<c-c>")
    #expect(editor.message == "cancelled: opening big.geojson")
    _ = editor.desk.handle(
      .opened(id, OpenedFile(path: "big", document: Document(), isDocumentFile: false)))
    #expect(editor.document.layers.count == 3)
    try editor.press("<c-c>")
    #expect(!editor.desk.hasQuit)
  }

  @Test func `Suspend, redraw and hang-up are wishes`() throws {
    var editor = Editor()
    try editor.press("<c-z><c-l><resumed><hangup>")
    let names = editor.effects.map { effect in
      switch effect {
      case .suspend: "suspend"
      case .redraw: "redraw"
      case .quit: "quit"
      default: "other"
      }
    }
    #expect(names == ["suspend", "redraw", "redraw", "quit"])
  }

  @Test(
    arguments: [
      "", ":", "/", "i", "v", "m", "e", "ea", "?", "?/", "<tab>", "<tab>c", "z", "<space>", "g",
      "]", "<c-w>", "5", ",", ":draw polygon<ret>", ":classes<ret>", "I", "ZZ",
    ])
  func `The editor is stopped and redrawn in every mode`(keys: String) throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press(keys)
    for (key, wanted) in [("<c-z>", "suspend"), ("<c-l>", "redraw")] {
      let mode = editor.desk.mode
      editor.effects = []
      try editor.press(key)
      #expect(editor.effects.map { "\($0)" } == [wanted], "\(key) after \(keys) in \(mode)")
      #expect(editor.desk.mode == mode)
    }
  }

  @Test func `A script stops at its first error with file and line`() throws {
    var editor = Editor()
    let id = editor.desk.startJob("script")
    _ = editor.desk.handle(
      .script(id, name: "a.portolan", text: "hide roads\n# note\nshow rods\nhide towns"))
    #expect(editor.message.hasPrefix("a.portolan:3:"))
    #expect(editor.document.layers.map(\.isVisible) == [true, false, true])
  }
}
