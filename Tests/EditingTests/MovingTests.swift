import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct MovingTests {
  @Test(arguments: [
    ("h", -1, 0), ("j", 0, 1), ("k", 0, -1), ("l", 1, 0), ("5l", 5, 0), ("12h", -12, 0),
    ("<down><down>", 0, 2), ("<left>", -1, 0), ("3<up>", 0, -3),
  ])
  func `Keys move the cursor by cells`(keys: String, columns: Int, rows: Int) throws {
    var editor = Editor()
    let column = editor.desk.cursorColumn
    let row = editor.desk.cursorRow
    let camera = editor.desk.camera
    try editor.press(keys)
    #expect(editor.desk.cursorColumn == column + columns)
    #expect(editor.desk.cursorRow == row + rows)
    #expect(editor.desk.camera == camera)
  }

  @Test func `A coordinate never becomes infinite`() throws {
    var document = Document.towns
    document.metadata.take(.planar)
    var editor = Editor(document)
    try editor.run("select all")
    try editor.run("move --by 1.7e308,1.7e308")
    let box = editor.document.extent
    #expect(throws: EditingError.self) { try editor.run("move --by 1.7e308,1.7e308") }
    #expect(editor.document.extent == box)
    #expect(box.maxX.isFinite && box.maxY.isFinite)
  }

  @Test func `The map scrolls to keep the cursor three cells inside`() throws {
    var editor = Editor()
    let before = editor.desk.camera
    let start = editor.desk.cursorColumn
    try editor.press("100l")
    let width = editor.desk.mapArea.columns
    #expect(editor.desk.cursorColumn == width - 4)
    let moved = 100 - (width - 4 - start)
    #expect(editor.desk.camera.originShift(from: before) == moved)
    #expect(editor.desk.camera.cell(at: editor.desk.cursor)?.column == width - 4)
  }

  @Test func `At the world's end the cursor goes on to the edge`() throws {
    var editor = Editor()
    try editor.press("_1000k")
    #expect(editor.desk.cursorRow >= 0)
    #expect(editor.desk.camera.center.y <= 85.06)
    try editor.press("2000j")
    #expect(editor.desk.cursorRow < editor.desk.mapArea.rows)
  }

  @Test func `Zooming keeps the cursor's place on screen and map`() throws {
    var editor = Editor()
    try editor.press("7l3j")
    let place = editor.desk.cursor
    let cell = (editor.desk.cursorColumn, editor.desk.cursorRow)
    let zoom = editor.desk.camera.zoom
    try editor.press("4+")
    #expect(abs(editor.desk.camera.zoom - zoom - 2) < 1e-9)
    #expect(editor.desk.cursor == place)
    #expect((editor.desk.cursorColumn, editor.desk.cursorRow) == cell)
    let shown = try #require(editor.desk.camera.cell(at: place))
    #expect(shown == cell)
    try editor.press("4-")
    #expect(abs(editor.desk.camera.zoom - zoom) < 1e-9)
  }

  @Test(arguments: [
    "H", "J", "K", "L", "<c-d>", "<c-u>", "<pagedown>", "<pageup>", "<c-f>", "<c-b>",
  ])
  func `Panning moves the map and leaves the cursor's cell`(key: String) throws {
    var editor = Editor()
    try editor.press("4+")
    let before = editor.desk.viewpoint
    let cell = (editor.desk.cursorColumn, editor.desk.cursorRow)
    try editor.press(key)
    #expect(editor.desk.viewpoint.center != before.center)
    #expect(editor.desk.viewpoint.zoom == before.zoom)
    #expect((editor.desk.cursorColumn, editor.desk.cursorRow) == cell)
  }

  @Test func `Former views are gone back to and forward again`() throws {
    var editor = Editor()
    let start = editor.desk.viewpoint
    try editor.run("fit roads")
    let roads = editor.desk.viewpoint
    try editor.run("go to 100 40")
    try editor.press("zp")
    #expect(editor.desk.viewpoint == roads)
    try editor.press("zp")
    #expect(editor.desk.viewpoint == start)
    try editor.press("zn")
    #expect(editor.desk.viewpoint == roads)
    #expect(throws: EditingError.self) {
      try editor.run("go next")
      try editor.run("go next")
    }
  }

  @Test func `Stepping by distance visits every feature in view once`() throws {
    var editor = Editor()
    try editor.go(14, -3)
    var visited: [String] = []
    for _ in 0..<7 {
      try editor.press("w")
      visited.append(editor.message)
    }
    #expect(visited[0].contains("Gamma"))
    #expect(Set(visited).count == 7)
    try editor.press("w")
    #expect(editor.message == visited[0])
    try editor.press("b")
    #expect(editor.message == visited[6])
  }

  @Test func `Features, layers and vertices are stepped through in order`() throws {
    var editor = Editor()
    try editor.press("]f")
    #expect(editor.selected == ["Alpha"])
    try editor.press("2]f")
    #expect(editor.selected == ["Gamma"])
    try editor.press("[f[f[f")
    #expect(editor.selected == ["Delta"])
    try editor.press("]l")
    #expect(editor.desk.active?.name == "roads")
    try editor.press("]f]v")
    #expect(editor.desk.cursor == Coordinate(x: 30, y: 2))
    try editor.press("[v")
    #expect(editor.desk.cursor == Coordinate(x: -10, y: 2))
    try editor.press("[v")
    #expect(editor.desk.cursor == Coordinate(x: 30, y: 12))
  }

  @Test func `A resize keeps the cursor's place`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("<resize:200x60>")
    #expect(editor.desk.cursor == Coordinate(x: 2, y: 8))
    let cell = editor.desk.camera.cell(at: Coordinate(x: 2, y: 8))
    #expect(cell?.column == editor.desk.cursorColumn)
    try editor.press("<resize:0x0>hjkl+-_<resize:80x24>l")
    #expect(editor.desk.mapArea.columns > 0)
  }

  @Test func `Where am I tells the place and what is there`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("<c-g>")
    #expect(editor.message.hasPrefix("8.0000°N 2.0000°E; on towns: Beta (Point), fields: Big"))
    try editor.go(-9, 15)
    try editor.press("<c-g>")
    #expect(editor.message.contains("nothing here"))
    #expect(editor.message.contains("Alpha"))
    #expect(editor.message.contains("south"))
  }

  @Test(arguments: [
    ("13.4 52.5", 13.4, 52.5), ("-13.4, -52.5", -13.4, -52.5), ("52°30'N 13°24'E", 13.4, 52.5),
    ("13.4E 52.5S", 13.4, -52.5), ("52°30'36\"N 13°24'36\"W", -13.41, 52.51), ("@1,-2", 3, 6),
    ("@110.5986<0", 2, 9), ("@0<90", 2, 8), ("N52°30' E13°24'", 13.4, 52.5),
    ("13d24m0sE 52d30m0sN", 13.4, 52.5), ("52 30 0 N, 13 24 0 E", 13.4, 52.5),
    ("52°30,6'N 13°24,6'E", 13.41, 52.51), ("52.5S 200E", -160, -52.5),
  ])
  func `Positions are read in every notation`(text: String, x: Double, y: Double) throws {
    let place = try Positions.parse(text, base: Coordinate(x: 2, y: 8), isGeographic: true)
    #expect(abs(place.x - x) < 1e-4)
    #expect(abs(place.y - y) < 1e-4)
  }

  @Test(arguments: [
    "", "13", "a b", "13.4 92", "13.4 52.5 1", "@", "@1", "52N", "52N 13", "nan 3", "52'N 13E 1N",
    "-52N 13E", "52°61'N 13°E", "52x30N 13E",
  ])
  func `What is no position says how to write one`(text: String) {
    #expect(throws: EditingError.self) {
      try Positions.parse(text, base: Coordinate(x: 0, y: 0), isGeographic: true)
    }
  }

  @Test func `A box is zoomed to`() throws {
    var editor = Editor()
    try editor.go(0, 0)
    try editor.press("v")
    try editor.go(10, 10)
    try editor.press("Z")
    #expect(editor.desk.mode == .normal)
    let visible = editor.desk.camera.visible
    #expect(visible.contains(Coordinate(x: 0, y: 0)) && visible.contains(Coordinate(x: 10, y: 10)))
    #expect(visible.height < 15)
  }

  @Test func `A feature is gone to by its id`() throws {
    var document = Document.towns
    var towns = try #require(document.layers[2] as? FeatureLayer)
    try towns.setIdentifier(.string("SE-7"), of: FeatureID(3))
    document.layers[2] = towns
    var editor = Editor(document)
    try editor.press("giSE-7<ret>")
    #expect(editor.selected == ["Gamma"])
    #expect(throws: EditingError.self) { try editor.run("go id 8") }
  }

  @Test func `Esc drops a count and a prefix before anything else`() throws {
    var editor = Editor()
    try editor.press("V12<esc>")
    #expect(editor.desk.selection.count == 4)
    #expect(editor.desk.count == nil)
    try editor.press("3z<esc>")
    #expect(editor.desk.selection.count == 4)
    #expect(editor.desk.session.pendingKeys.isEmpty)
    try editor.press("<esc>")
    #expect(editor.desk.selection.isEmpty)
  }

  @Test func `The position prompt goes there`() throws {
    var editor = Editor()
    try editor.press("gc-20.5 33<ret>")
    #expect(editor.desk.cursor == Coordinate(x: -20.5, y: 33))
    try editor.press(":go name gam<ret>")
    #expect(editor.selected == ["Gamma"])
  }
}

extension Camera {
  /// By how many columns the picture moved.
  func originShift(from other: Camera) -> Int {
    guard let here = cell(at: center), let there = other.dot(at: center) else { return .min }
    return Int((there.x / 2).rounded(.down)) - here.column
  }
}
