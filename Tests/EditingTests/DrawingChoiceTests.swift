import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// What `i` draws, and what vertices snap to.
@Suite struct DrawingChoiceTests {
  // MARK: What is drawn

  @Test func `A layer that does not tell is asked about once, and the answer is remembered`()
    throws
  {
    var editor = Editor(Document())
    try editor.run("new-layer sites")
    for _ in 0..<2 {
      try editor.press("i")
      #expect(editor.desk.mode == .question)
      #expect(editor.desk.draft == nil)
      try editor.press("<esc>")
    }
    try editor.press("il")
    #expect(editor.desk.draft?.kind == .line)
    try editor.press("<esc>i")
    #expect(editor.desk.mode == .insert)
    #expect(editor.desk.draft?.kind == .line)
    try editor.press("<esc>")
    try editor.run("new-layer others")
    try editor.press("ig")
    #expect(editor.desk.draft?.kind == .polygon)
    try editor.press("<esc>")
    try editor.run("layer sites")
    try editor.press("i")
    #expect(editor.desk.draft?.kind == .line)
    try editor.press("<esc><space>dp<esc>i")
    #expect(editor.desk.draft?.kind == .point)
  }

  @Test func `A layer of one kind draws that without a question`() throws {
    for (layer, kind) in [("towns", Draft.Kind.point), ("roads", .line), ("fields", .polygon)] {
      var editor = Editor()
      try editor.run("layer \(layer)")
      try editor.press("i")
      #expect(editor.desk.draft?.kind == kind)
    }
  }

  @Test func `A mixed layer asks, and without any layer one is made for the answer`() throws {
    var editor = Editor()
    try editor.run("draw line")
    try editor.press(",1 1<ret>,2 2<ret><ret>")
    editor.desk.work.drawnKinds = [:]
    try editor.press("i")
    #expect(editor.desk.question?.text.contains("towns is mixed") == true)
    try editor.press("p")
    #expect(editor.desk.draft?.kind == .point)
    editor = Editor(Document())
    try editor.press("i")
    #expect(editor.desk.mode == .question)
    #expect(editor.document.layers.isEmpty)
    try editor.press("g")
    #expect(editor.document.layers.map(\.name) == ["polygons"])
    #expect(editor.desk.draft?.kind == .polygon)
  }

  @Test func `A script has to say what it draws`() throws {
    var editor = Editor(Document())
    editor.desk.isHeadless = true
    try editor.run("new-layer sites")
    let error = #expect(throws: EditingError.self) { try editor.run("draw") }
    #expect(error?.message.contains("draw point, draw line or draw polygon") == true)
    try editor.run("draw point")
    try editor.run("put 1 2")
    try editor.run("escape")
    try editor.run("draw")
    #expect(editor.desk.draft?.kind == .point)
    editor = Editor(Document())
    let job = editor.desk.startJob("reading a script")
    _ = editor.desk.handle(.script(job, name: "s", text: "new-layer a\ndraw\n"))
    #expect(editor.desk.question == nil)
    #expect(editor.message.contains("draw point"))
  }

  // MARK: Snapping

  @Test func `What a vertex snapped to is said, with how far it jumped`() throws {
    var editor = Editor()
    try editor.run("zoom to 2")
    let place = Coordinate(x: 2, y: 8)
    let cell = try #require(editor.desk.camera.cell(at: place))
    try editor.run("draw line")
    try editor.run("put --at \(cell.column),\(cell.row)")
    #expect(editor.desk.draft?.vertices == [place])
    #expect(editor.message.contains("snapped to a vertex of towns: Beta"))
    #expect(editor.message.contains("km from the cursor") || editor.message.contains("m from"))
    try editor.run("snap grid")
    try editor.run("put --at \(cell.column + 3),\(cell.row)")
    #expect(editor.message.contains("snapped to the grid"))
    try editor.run("snap off")
    try editor.run("put --at \(cell.column + 6),\(cell.row)")
    #expect(!editor.message.contains("snapped"))
  }

  @Test func `A typed position never snaps`() throws {
    var editor = Editor()
    try editor.run("zoom to 1")
    try editor.run("draw line")
    try editor.press(",2.01 8.01<ret>")
    #expect(editor.desk.draft?.vertices.last == Coordinate(x: 2.01, y: 8.01))
    try editor.press("<esc>")
    try editor.go(15.01, -4.01)
    try editor.press("i<space>")
    #expect(editor.desk.draft?.vertices.last == Coordinate(x: 15.01, y: -4.01))
    try editor.press("l<space>h")
    #expect(editor.desk.snapTarget?.place == Coordinate(x: 15, y: -4))
  }

  @Test(arguments: [SnapMode.vertex, .edge, .grid, .all])
  func `A vertex never jumps farther than half a cell's height`(mode: SnapMode) throws {
    var generator = SeededGenerator(seed: 22)
    var editor = Editor()
    try editor.run("draw line")
    try editor.run("snap \(mode.rawValue)")
    var jumps = 0
    for _ in 0..<400 {
      let zoom = Double.random(in: -1...9, using: &generator)
      let near = [(2.0, 8.0), (15, -4), (30, 2), (10, 10), (0, 5), (-10, 12)]
        .map(Coordinate.init(pair:)).randomElement(using: &generator)
      editor.desk.visit(try #require(near), centring: true)
      editor.desk.zoom(to: zoom)
      editor.desk.putCursor(
        column: editor.desk.cursorColumn + Int.random(in: -2...2, using: &generator),
        row: editor.desk.cursorRow + Int.random(in: -2...2, using: &generator))
      guard let target = editor.desk.snapTarget else { continue }
      jumps += 1
      let camera = editor.desk.camera
      let from = try #require(camera.dot(at: editor.desk.cursor))
      let to = try #require(camera.dot(at: target.place))
      let limit = mode == .vertex || mode == .edge ? 2.05 : 2.9
      let jump = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y))
        .squareRoot()
      #expect(jump <= limit, "\(editor.desk.cursor) to \(target) at \(zoom)")
    }
    #expect(jumps > 5)
  }

  @Test func `Without a screen nothing snaps`() throws {
    var editor = Editor()
    editor.desk.isHeadless = true
    try editor.run("draw line")
    editor.desk.settleCursor(at: Coordinate(x: 2.01, y: 8.01))
    try editor.run("put")
    #expect(editor.desk.draft?.vertices == [Coordinate(x: 2.01, y: 8.01)])
  }

  @Test func `The status says what vertices snap to at 80 columns`() throws {
    var editor = Editor()
    try editor.run("rename 'a layer with quite a long name'")
    try editor.press("w<ret>:draw polygon<ret><space>5l<space>3k<space>")
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    let status = frame.plainText().split(separator: "\n", omittingEmptySubsequences: false)[22]
    #expect(status.contains("snap vertex"), "\(status)")
    #expect(status.contains("polygon 3 vertices"), "\(status)")
  }
}
