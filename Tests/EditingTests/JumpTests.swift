import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Going back and forth, bookmarks, and letters on features.
@Suite struct JumpTests {
  private func place(_ editor: Editor) -> Jump {
    Jump(viewpoint: editor.desk.viewpoint, cursor: editor.desk.cursor)
  }

  @Test func `Every jump is gone back to, with a count, and forward again`() throws {
    var editor = Editor()
    var places = [place(editor)]
    for line in [
      "go to 3 4", "search beta", "fit roads", "go name Delta", "bookmark a", "go to 20 10",
      "go bookmark a",
    ] {
      try editor.run(line)
      if place(editor) != places.last { places.append(place(editor)) }
    }
    #expect(places.count > 5)
    for former in places.dropLast().reversed() {
      try editor.press("<c-o>")
      #expect(place(editor) == former)
    }
    for later in places.dropFirst() {
      try editor.press("zn")
      #expect(place(editor) == later)
    }
    try editor.press("3<c-o>")
    #expect(place(editor) == places[places.count - 4])
    try editor.press("99<c-o>")
    #expect(editor.desk.map.pastJumps.isEmpty)
    #expect(throws: EditingError.self) { try editor.run("go previous") }
  }

  @Test(arguments: Seeds.some(50))
  func `Back and forward again is where it was`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Editor()
    for _ in 0..<20 {
      let x = Double.random(in: -170...170, using: &random)
      let y = Double.random(in: -80...80, using: &random)
      try editor.run(Bool.random(using: &random) ? "go to \(x) \(y)" : "fit roads")
    }
    let end = place(editor)
    let count = Int.random(in: 1...15, using: &random)
    try editor.run("go previous \(count)")
    try editor.run("go next \(count)")
    #expect(place(editor) == end)
  }

  // MARK: Bookmarks

  @Test func `A letter sets a bookmark, and the mark with it goes there`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("Ba")
    #expect(editor.document.bookmarks.map(\.name) == ["a"])
    #expect(editor.desk.history.past.count == 1)
    let zoom = editor.desk.viewpoint.zoom
    try editor.press("_+++")
    try editor.go(30, 12)
    try editor.press("'a")
    #expect(editor.desk.cursor == Coordinate(x: 2, y: 8))
    #expect((editor.desk.viewpoint.zoom - zoom).magnitude < 1e-9)
    try editor.press("<c-o>")
    #expect(editor.desk.cursor == Coordinate(x: 30, y: 12))
    try editor.press("Bj'j")
    #expect(editor.message == "bookmark j")
    try editor.run("bookmark --zoom 3 \"two words\"")
    try editor.run("bookmarks")
    let question = try #require(editor.desk.question)
    #expect(question.choices.map(\.key) == ["a", "j", nil])
    try editor.press("<down><down><ret>")
    #expect(editor.desk.viewpoint.zoom == 3)
    try editor.run("bookmark a --delete")
    #expect(editor.document.bookmarks.map(\.name) == ["j", "two words"])
    try editor.press("uuuu")
    #expect(editor.document.bookmarks.isEmpty)
    try editor.press("'")
    #expect(editor.message.contains("no bookmark yet"))
    try editor.press("B<esc>B<ret>")
    #expect(editor.desk.prompt?.line.text == "bookmark ")
  }

  @Test func `A document keeps its bookmarks, and one of a new name none of them loses`() throws {
    var office = Office()
    try office.run("save /m/towns.doc")
    try office.run("bookmark home")
    try office.run("save")
    try office.run("save /m/copy.doc")
    try office.run("open /m/towns.doc")
    #expect(office.desk.bookmarks.map(\.name) == ["home"])
    try office.run("open /m/copy.doc")
    #expect(office.desk.bookmarks.map(\.name) == ["home"])
  }

  @Test func `Bookmarks of map data are kept beside it, and go into its document`() throws {
    let text =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let files = MemoryFileSystem(files: ["/m/a.geojson": Array(text.utf8)])
    var office = Office(files)
    try office.run("open --force /m/a.geojson")
    try office.run("go to 1 2")
    try office.run("bookmark x")
    #expect(!office.desk.isEdited && office.desk.document.bookmarks.isEmpty)
    try office.run("open --force /m/none.doc")
    var later = Office(files)
    try later.run("open --force /m/a.geojson")
    #expect(later.desk.bookmarks.map(\.name) == ["x"])
    try later.run("save /m/a.doc")
    try later.run("open --force /m/towns2.doc")
    try later.run("open --force /m/a.doc")
    #expect(later.desk.document.bookmarks.map(\.name) == ["x"])
  }

  @Test func `A script sets and lists bookmarks the same on any screen`() throws {
    var printed: [String] = []
    for size in [CellSize(columns: 80, rows: 24), CellSize(columns: 200, rows: 60)] {
      let files = MemoryFileSystem()
      var runner = HeadlessRunner(world: World(files: files)) { _ in }
      runner.resize(to: size)
      try runner.run(
        script: """
          go to 13.4 52.5
          bookmark berlin
          go to 0 0
          bookmark --zoom 5 zero
          go bookmark berlin
          where
          bookmarks
          """, name: "s")
      printed.append(String(decoding: files.output, as: UTF8.self))
    }
    #expect(printed[0] == printed[1] && printed[0].contains("52.5000°N 13.4000°E"))
  }

  @Test func `What is wrong with a bookmark is said`() throws {
    var editor = Editor()
    for (line, words) in [
      ("bookmark --delete", "which one"), ("bookmark x --delete", "no bookmark “x”"),
      ("go bookmark", "NAME"), ("go bookmark x", "no bookmark “x”"), ("go previous 0", "how many"),
      ("bookmarks", "no bookmark yet"),
    ] {
      let error = #expect(throws: EditingError.self, "\(line)") { try editor.run(line) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  // MARK: Letters

  @Test func `Letters on the features in view put the cursor on one`() throws {
    var editor = Editor()
    try editor.press("f")
    let jump = try #require(editor.desk.work.overlay as? LabelJump)
    #expect(editor.desk.mode.name == "jump" && jump.targets.count == 7)
    #expect(jump.targets.map { String($0.letters) }.prefix(3) == ["a", "s", "d"])
    let target = jump.targets[2]
    let start = place(editor)
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    let cell = try #require(editor.desk.mapCamera.cell(at: target.place))
    let shown = frame[editor.desk.mapArea.column + cell.column, editor.desk.mapArea.row + cell.row]
    #expect(frame.text(of: shown.glyph) == "d")
    #expect(shown.style == editor.desk.look.theme.chosen)
    try editor.press("d")
    #expect(editor.desk.cursor == target.place && editor.desk.mode == .normal)
    #expect(editor.desk.selection.isEmpty)
    try editor.press("<ret>")
    #expect(editor.desk.selection.features == [target.feature])
    try editor.press("<esc>fS")
    #expect(editor.desk.selection.features == [jump.targets[1].feature])
    try editor.press("<c-o><c-o>")
    #expect(place(editor) == start)
    try editor.press("f<esc>")
    #expect(editor.desk.work.overlay == nil)
    try editor.press("fz")
    #expect(editor.message.contains("no letters begin with z") && editor.desk.mode.name == "jump")
  }

  @Test func `Many features have two letters each, no two the same and none over another`() throws {
    for count in [1, 26, 27, 400] {
      let letters = LabelJump.letters(count)
      #expect(letters.count == count && Set(letters).count == count)
      #expect(Set(letters.map(\.count)) == [count > 26 ? 2 : 1])
    }
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "points",
      style: .standard(forDimension: 0, index: 0))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      let place = Coordinate(
        x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random))
      _ = layer.add(geometry: .point(place), attributes: [])
    }
    document.layers = [layer]
    var editor = Editor(document)
    try editor.press("f")
    let jump = try #require(editor.desk.work.overlay as? LabelJump)
    #expect((100...400).contains(jump.targets.count))
    let camera = editor.desk.mapCamera
    let cells = jump.targets.compactMap { camera.cell(at: $0.place) }
    #expect(Set(cells.map { "\($0)" }).count == cells.count)
    let first = jump.targets[40]
    try editor.press(String(first.letters[0]) + "<backspace>" + String(first.letters))
    #expect(editor.desk.cursor == first.place)
  }

  @Test func `Letters need a screen and something in view`() throws {
    var editor = Editor()
    editor.desk.isInScript = true
    #expect(throws: EditingError.self) { try editor.run("jump") }
    editor.desk.isInScript = false
    try editor.run("go to -120 -60")
    try editor.run("zoom to 12")
    let error = #expect(throws: EditingError.self) { try editor.run("jump") }
    #expect(error?.message.contains("no features in view") == true)
  }
}
