import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct SelectingTests {
  @Test func `Enter selects under the cursor and again what lies below`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("<ret>")
    #expect(editor.selected == ["Beta"])
    #expect(editor.message.contains("1 of 2 here"))
    try editor.press("<ret>")
    #expect(editor.selected == ["Big"])
    try editor.press("<ret>")
    #expect(editor.selected == ["Beta"])
    try editor.press("<esc>")
    #expect(editor.selected == [])
  }

  @Test func `A cell selects the point whose sign it shows, an exact place its own point`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"Hamlet","population":10},
       "geometry":{"type":"Point","coordinates":[10.001,50]}},
      {"type":"Feature","properties":{"name":"City","population":100000},
       "geometry":{"type":"Point","coordinates":[10.02,50.01]}},
      {"type":"Feature","properties":{"name":"Far","population":1},
       "geometry":{"type":"Point","coordinates":[20,55]}}]}
      """
    let read = try GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "towns"), progress: { _ in })
    var document = Document()
    document.add(read.layers, hasLooks: false)
    var editor = Editor(document)
    let cell = try #require(editor.desk.camera.cell(at: Coordinate(x: 10.02, y: 50.01)))
    #expect(try #require(editor.desk.camera.cell(at: Coordinate(x: 10.001, y: 50))) == cell)
    #expect(editor.document.layers.first?.style.rankField == "population")
    let area = editor.desk.mapArea
    let at = "\(cell.column + area.column),\(cell.row + area.row)"
    try editor.press("<press:\(at)><release:\(at)>")
    #expect(editor.selected == ["City"])
    try editor.go(10.001, 50)
    try editor.press("<esc><ret>")
    #expect(editor.selected == ["Hamlet"])
    try editor.press("<ret>")
    #expect(editor.selected == ["City"])
  }

  @Test func `A hole is not part of its field`() throws {
    var editor = Editor()
    try editor.run("zoom in 6")
    try editor.go(4.7, 4.8)
    try editor.run("select here")
    #expect(editor.selected == [])
    try editor.go(2, 2.9)
    try editor.run("select here")
    #expect(editor.selected == ["Big"])
  }

  @Test func `A box selects what it touches`() throws {
    var editor = Editor()
    try editor.go(-15, 16)
    try editor.press("v")
    #expect(editor.desk.mode == .select)
    try editor.go(3, 7)
    try editor.press("a<ret>")
    #expect(editor.desk.mode == .normal)
    #expect(Set(editor.selected) == ["Alpha", "Beta", "Big"])
    #expect(editor.message == "3 selected (towns 2, fields 1)")
    try editor.run("box start --all")
    try editor.go(-15, 16)
    try editor.press("x")
    #expect(editor.selected == [])
  }

  @Test func `A box inside of a field selects the field`() throws {
    var editor = Editor()
    try editor.run("zoom in 8")
    try editor.go(1, 7)
    try editor.run("box start")
    try editor.press("a2l1j<ret>")
    #expect(editor.selected == ["Big"])
  }

  @Test func `Add, toggle and remove change the selection`() throws {
    var editor = Editor()
    try editor.press("V")
    #expect(editor.desk.selection.count == 4)
    try editor.go(2, 8)
    try editor.press("x")
    #expect(editor.selected == ["Alpha", "Gamma", "Delta"])
    try editor.press("s")
    #expect(editor.selected == ["Alpha", "Gamma", "Delta", "Beta"])
    try editor.run("select here --as toggle")
    #expect(editor.selected == ["Alpha", "Gamma", "Delta"])
    try editor.press("<esc>gv")
    #expect(editor.selected == ["Alpha", "Gamma", "Delta"])
  }

  @Test func `Hidden and locked layers are not selected from`() throws {
    var editor = Editor()
    try editor.run("hide towns")
    try editor.run("lock fields")
    try editor.go(2, 8)
    try editor.run("select here")
    #expect(editor.selected == [])
    try editor.run("select all")
    #expect(editor.selected == ["Main road"])
  }

  @Test func `Search finds text in any attribute and goes around`() throws {
    var editor = Editor()
    try editor.press("/MA<ret>")
    #expect(editor.selected == ["Main road"])
    #expect(editor.message.contains("1 of 3"))
    try editor.press("n")
    #expect(editor.selected == ["Gamma"])
    try editor.press("n")
    #expect(editor.selected == ["Small"])
    try editor.press("n")
    #expect(editor.selected == ["Main road"])
    try editor.press("2N")
    #expect(editor.selected == ["Gamma"])
    try editor.press("/nowhere<ret>")
    #expect(editor.message.contains("is in no visible layer"))
    #expect(editor.selected == ["Gamma"])
    try editor.press("/--same<ret>")
    #expect(editor.message.contains("“--same” is in no visible layer"))
  }

  @Test func `An exact name wins over a part of one in an upper layer`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("set name=Bigger")
    try editor.run("go name big")
    #expect(editor.selected == ["Big"])
    try editor.run("go name bigg")
    #expect(editor.selected == ["Bigger"])
  }

  @Test func `What is only in hidden or locked layers is said to be there`() throws {
    var editor = Editor()
    try editor.run("hide towns")
    try editor.run("lock fields")
    try editor.press(":go name beta<ret>")
    #expect(editor.message.contains("only in layer “towns”, which is hidden: :show first"))
    try editor.press("/Small<ret>")
    #expect(editor.message.contains("only in layer “fields”, which is locked: :unlock first"))
    try editor.press(":go name nowhere<ret>")
    #expect(editor.message.contains("no visible feature is named “nowhere”"))
  }

  @Test func `Search does not match across the values of two features`() throws {
    var editor = Editor()
    try editor.press("/alphabeta<ret>")
    #expect(editor.message.contains("is in no visible layer"))
  }

  @Test func `The star searches the name of what is here`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("*")
    #expect(editor.desk.work.searchText == "Beta")
    #expect(editor.selected == ["Beta"])
  }

  @Test func `A click selects, a drag pans, the wheel zooms at the pointer`() throws {
    var editor = Editor()
    let area = editor.desk.mapArea
    let cell = try #require(editor.desk.camera.cell(at: Coordinate(x: 2, y: 8)))
    let at = "\(cell.column + area.column),\(cell.row + area.row)"
    try editor.press("<press:\(at)><release:\(at)>")
    #expect(editor.selected == ["Beta"])
    let before = editor.desk.camera
    try editor.press("<press:20,10><drag:25,12><release:25,12>")
    #expect(editor.desk.camera.originShift(from: before) == -5)
    #expect(editor.selected == ["Beta"])
    let place = editor.desk.camera.coordinate(column: 30, row: 7)
    try editor.press("<wheelup:\(30 + area.column),\(7 + area.row)>")
    #expect(abs(editor.desk.camera.zoom - before.zoom - 0.2) < 1e-9)
    let after = try #require(editor.desk.camera.cell(at: place))
    #expect(after == (30, 7))
  }

  @Test func `A shift drag selects with a box`() throws {
    var editor = Editor()
    let area = editor.desk.mapArea
    let right = area.columns + area.column - 1
    let bottom = area.rows + area.row - 1
    try editor.press("<s-press:\(area.column),\(area.row)><s-drag:30,12>")
    #expect(editor.desk.mode == .select)
    try editor.press("<s-drag:\(right),\(bottom)><s-release:\(right),\(bottom)>")
    #expect(editor.message == "4 selected of towns")
  }
}
