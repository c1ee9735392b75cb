import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanEditing

@Suite struct DrawingTests {
  /// The vertices of the last feature of a layer, path by path.
  func paths(_ editor: Editor, _ layer: String) -> [[Coordinate]] {
    editor.features(layer).last?.geometry.paths.map(\.vertices) ?? []
  }

  @Test func `Points are drawn one after the other`() throws {
    var editor = Editor()
    try editor.press("i")
    #expect(editor.desk.mode == .insert)
    try editor.press(",1 1<ret>,3 3<ret><ret>")
    #expect(editor.desk.mode == .normal)
    #expect(editor.layer("towns")?.count == 6)
    #expect(paths(editor, "towns") == [[Coordinate(x: 3, y: 3)]])
    #expect(editor.desk.history.past.count == 2)
    try editor.press("2u")
    #expect(editor.layer("towns")?.count == 4)
  }

  @Test func `Space puts a vertex at the cursor`() throws {
    var editor = Editor()
    try editor.run("snap off")
    try editor.run("layer roads")
    try editor.go(-20, 20)
    let start = editor.desk.cursor
    try editor.press("i<space>10l<space>2j<space><backspace><space><ret>")
    let drawn = try #require(paths(editor, "roads").first)
    #expect(drawn.count == 3)
    #expect(abs(drawn[0].x - start.x) < 1e-5)
    #expect(drawn[1].y == drawn[0].y)
    #expect(drawn[2].y < drawn[1].y)
    #expect(editor.desk.selection.count == 1)
  }

  @Test func `A polygon with a hole is drawn and closed`() throws {
    var editor = Editor()
    try editor.run("layer fields")
    try editor.press("i,-30 -30<ret>,-10 -30<ret>,-10 -10<ret>,-30 -10<ret>n")
    try editor.press(",-25 -25<ret>,-15 -25<ret>,-15 -15<ret>c")
    #expect(editor.desk.mode == .normal)
    let geometry = try #require(editor.features("fields").last?.geometry)
    #expect(geometry.kind == .polygon)
    #expect(geometry.paths.map(\.role.isHole) == [false, true])
    #expect(geometry.paths[0].vertices.count == 5)
    #expect(geometry.paths[0].vertices.first == geometry.paths[0].vertices.last)
    #expect(geometry.paths[1].vertices.count == 4)
    #expect(editor.desk.history.past.count == 1)
  }

  @Test func `Drawing another kind tells that it discards the kept draft`() throws {
    var editor = Editor()
    try editor.run("draw line")
    try editor.press(",1 1<ret>,2 2<ret><esc>")
    try editor.run("draw point")
    #expect(
      editor.message.hasSuffix(
        "; the kept draft, a line of 2 vertices, was discarded: undo brings it back"))
    try editor.press("<esc>u")
    #expect(editor.desk.draft?.kind == .line && editor.desk.draft?.vertexCount == 2)
    try editor.run("draw line")
    #expect(editor.message == "going on with the draft (2 vertices)")
  }

  @Test func `Esc keeps the draft and i goes on with it`() throws {
    var editor = Editor()
    try editor.run("draw line")
    try editor.press(",1 1<ret>,2 2<ret><esc>")
    #expect(editor.desk.mode == .normal)
    #expect(editor.desk.draft?.vertices.count == 2)
    try editor.press("hhjji,5 5<ret><ret>")
    #expect(paths(editor, "towns").first?.count == 3)
    #expect(editor.desk.draft == nil)
  }

  @Test(arguments: ["", ":discard-draft<ret>"])
  func `A draft is not an edit`(keys: String) throws {
    var editor = Editor()
    try editor.run("draw polygon")
    try editor.press(",1 1<ret>,2 2<ret><esc>" + keys)
    #expect(!editor.desk.isEdited)
    #expect((editor.desk.draft == nil) == !keys.isEmpty)
  }

  @Test func `Too few vertices are refused and kept`() throws {
    var editor = Editor()
    try editor.run("draw polygon")
    try editor.press(",1 1<ret>,2 2<ret><ret>")
    #expect(editor.message.contains("needs three vertices"))
    #expect(editor.desk.draft?.vertices.count == 2)
    #expect(editor.desk.mode == .insert)
  }

  @Test func `A draft of several parts is told whole`() throws {
    var editor = Editor()
    try editor.run("draw polygon")
    try editor.press(",1 1<ret>,2 1<ret>,2 2<ret>n,5 5<ret>,6 6<ret><ret>")
    #expect(editor.message.contains("part 2 of the polygon needs three vertices"))
    try editor.press("<esc>i")
    #expect(editor.message.contains("5 vertices"))
  }

  @Test func `Drawing into an empty document makes a layer`() throws {
    var editor = Editor(Document())
    try editor.run("draw polygon")
    try editor.press(",1 1<ret>,2 1<ret>,2 2<ret><ret>")
    #expect(editor.document.layers.map(\.name) == ["polygons"])
    #expect(editor.layer("polygons")?.kindCode == "pg")
    try editor.press("2u")
    #expect(editor.document.layers.isEmpty)
    #expect(!editor.desk.isEdited)
  }

  @Test func `Coming back to the first vertex closes the ring`() throws {
    var editor = Editor()
    try editor.run("draw polygon")
    try editor.press(",-40 -40<ret>,-30 -40<ret>,-30 -30<ret>,-40 -40<ret>")
    #expect(editor.desk.mode == .normal)
    #expect(paths(editor, "towns").first?.count == 4)
  }

  @Test func `Vertices snap to what is there`() throws {
    var editor = Editor()
    try editor.run("zoom in 4")
    try editor.run("draw line")
    try editor.run("snap vertex")
    editor.desk.visit(Coordinate(x: 2.02, y: 8.02))
    try editor.run("put")
    #expect(editor.desk.draft?.vertices == [Coordinate(x: 2, y: 8)])
    editor.desk.visit(Coordinate(x: 7.02, y: 9.98))
    try editor.run("snap edge")
    #expect(abs(editor.desk.snappedCursor.y - 10) < 1e-9)
    #expect(abs(editor.desk.snappedCursor.x - 7.02) < 1e-9)
    try editor.press("ssss")
    #expect(editor.desk.snap == .vertex)
    try editor.run("snap off")
    #expect(editor.desk.snappedCursor == editor.desk.cursor)
  }

  @Test func `A vertex is moved, inserted and deleted`() throws {
    var editor = Editor()
    try editor.run("snap off")
    try editor.run("layer roads")
    try editor.press("]f]v")
    let before = editor.desk.cursor
    try editor.press("m3j<ret>")
    let moved = paths(editor, "roads")[0][1]
    #expect(moved.x == before.x)
    #expect(moved.y < before.y)
    try editor.press("[va")
    #expect(paths(editor, "roads")[0].count == 4)
    #expect(paths(editor, "roads")[0][1].x == 10)
    try editor.press("d")
    #expect(paths(editor, "roads")[0].count == 3)
    try editor.press("3u")
    #expect(!editor.desk.isEdited)
    #expect(paths(editor, "roads")[0][1] == Coordinate(x: 30, y: 2))
  }

  @Test func `A ring stays closed when its first vertex is moved or deleted`() throws {
    var editor = Editor()
    try editor.run("snap off")
    try editor.run("go name Small")
    try editor.press("]vm2h<ret>")
    var ring = try #require(paths(editor, "fields").first)
    #expect(ring.first == ring.last)
    #expect((ring.first?.x ?? 9) < 5)
    try editor.press("d")
    ring = try #require(paths(editor, "fields").first)
    #expect(ring.count == 4)
    #expect(ring.first == ring.last)
    try editor.press("]vd")
    #expect(editor.message.contains("too few vertices"))
  }

  @Test func `The selection is moved and put back`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("<ret>m4l")
    #expect(editor.desk.mode == .move)
    try editor.press("<esc>")
    #expect(!editor.desk.isEdited)
    #expect(editor.desk.cursor == Coordinate(x: 2, y: 8))
    try editor.press("m4l2k<ret>")
    let place = try #require(editor.features("towns")[1].geometry.paths.first?.vertices.first)
    #expect(abs(place.x - editor.desk.cursor.x) < 1e-5)
    #expect(abs(place.y - editor.desk.cursor.y) < 1e-5)
    try editor.run("go name Gamma")
    try editor.press(".")
    #expect(editor.features("towns")[2].geometry.paths[0].vertices[0].x > 15)
  }

  @Test func `Nothing is moved or drawn beyond the poles, and points come back to the globe`()
    throws
  {
    var editor = Editor()
    try editor.run("go name Beta")
    #expect(throws: EditingError.self) { try editor.run("move --by 0,83") }
    try editor.run("move --by 200,0")
    #expect(editor.features("towns")[1].geometry == .point(Coordinate(x: -158, y: 8)))
    try editor.run("draw line")
    #expect(throws: EditingError.self) { try editor.desk.putVertex(at: Coordinate(x: 0, y: 91)) }
  }

  @Test func `Features are deleted, copied and pasted`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press("yd")
    #expect(editor.layer("towns")?.count == 3)
    try editor.press("P")
    #expect(editor.features("towns").last?.geometry == .point(Coordinate(x: 2, y: 8)))
    #expect(editor.attribute("pop", of: "Beta") == .number("250.0"))
    try editor.go(-3, -3)
    try editor.press("p")
    #expect(editor.features("towns").last?.geometry == .point(Coordinate(x: -3, y: -3)))
    try editor.press("3u")
    #expect(!editor.desk.isEdited)
  }

  @Test func `Parts are added to a point, a line and an area`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press("o,4 9<ret><ret>")
    #expect(editor.features("towns")[1].geometry.kind == .multiPoint)
    try editor.run("go name 'Main road'")
    try editor.press("o,0 -9<ret>,5 -9<ret><ret>")
    #expect(editor.features("roads")[0].geometry.kind == .multiLineString)
    try editor.run("go name Small")
    try editor.press("o,7 7<ret>,9 7<ret>,9 9<ret><ret>")
    #expect(editor.features("fields")[1].geometry.kind == .polygon)
    #expect(editor.features("fields")[1].geometry.paths.count == 2)
    try editor.press("o,-7 -7<ret>,-9 -7<ret>,-9 -9<ret><ret>")
    #expect(editor.features("fields")[1].geometry.kind == .multiPolygon)
    #expect(editor.features("fields")[1].geometry.paths.map(\.role.isHole) == [false, true, false])
  }

  @Test func `A line and a ring are drawn on at their end`() throws {
    var editor = Editor()
    try editor.run("go name 'Main road'")
    try editor.press("a")
    #expect(editor.desk.cursor == Coordinate(x: 30, y: 12))
    try editor.press(",32 14<ret><ret>")
    #expect(paths(editor, "roads")[0].last == Coordinate(x: 32, y: 14))
    try editor.run("go name Small")
    try editor.press("a,2 12<ret><ret>")
    let ring = editor.features("fields")[1].geometry.paths[0].vertices
    #expect(ring.count == 6)
    #expect(ring[4] == Coordinate(x: 2, y: 12))
    #expect(ring.first == ring.last)
  }
}
