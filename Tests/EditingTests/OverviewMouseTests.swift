import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// The mouse in the overview, and what the overview tells where there is nothing to look over.
@Suite struct OverviewMouseTests {
  /// An editor whose map shows a part of the towns, and the area of its overview.
  private func editor(
    size: CellSize = CellSize(columns: 120, rows: 40)
  ) throws -> (editor: Editor, area: CellRect) {
    var editor = Editor(.towns, size: size)
    try editor.run("zoom to 7")
    let panel = BarPanel.area(of: .overview, editor.desk)
    return (
      editor,
      CellRect(
        column: panel.column, row: panel.row + 1, columns: panel.columns, rows: panel.rows - 1)
    )
  }

  private func overview(_ editor: Editor, _ area: CellRect) -> Camera {
    OverviewPanel.camera(of: editor.document, editor.desk.plane, size: area.size)
  }

  /// The cell of the screen in the middle of the view's rectangle.
  private func middle(_ editor: Editor, _ area: CellRect) throws -> (column: Int, row: Int) {
    let cell = try #require(overview(editor, area).cell(at: editor.desk.camera.center))
    return (area.column + cell.column, area.row + cell.row)
  }

  @Test func `A view within a cell or two is one sign, wherever it lies`() throws {
    for step in 0..<16 {
      var editor = Editor(.towns, size: CellSize(columns: 120, rows: 40))
      try editor.run("zoom to 14")
      try editor.run("go to \(10 + Double(step) / 16) \(50 + Double(step) / 16)")
      var memory = RenderMemory()
      var frame = Frame(size: CellSize(columns: 30, rows: 10))
      OverviewPanel.draw(editor.desk, in: frame.bounds, memory: &memory, on: &frame)
      #expect(frame.plainText(.unicode).count { $0 == "▣" } <= 1, "\(step)")
    }
  }

  @Test func `A click beside the rectangle brings the view there, and zp brings it back`() throws {
    var (editor, area) = try editor()
    let former = editor.desk.camera.center
    let (column, row) = (area.column + 1, area.row + 1)
    try editor.press("<press:\(column),\(row)><release:\(column),\(row)>")
    let place = overview(editor, area).coordinate(column: 1, row: 1)
    let center = editor.desk.camera.center
    #expect(abs(center.x - place.x) < 0.01 && abs(center.y - place.y) < 0.01)
    #expect(editor.desk.selection.isEmpty)
    try editor.press("zp")
    #expect(abs(editor.desk.camera.center.x - former.x) < 0.01)
  }

  @Test func `The rectangle is dragged by as much as the pointer moves`() throws {
    var (editor, area) = try editor()
    let start = try middle(editor, area)
    let former = editor.desk.camera.center
    try editor.press("<press:\(start.column),\(start.row)>")
    #expect(editor.desk.camera.center == former)
    for step in 1...3 { try editor.press("<drag:\(start.column + step),\(start.row - 1)>") }
    let camera = overview(editor, area)
    let before = try #require(camera.dot(at: former))
    let after = try #require(camera.dot(at: editor.desk.camera.center))
    #expect(abs(after.x - before.x - 6) < 0.1 && abs(after.y - before.y + 4) < 0.1)
    // Back where it was taken hold of, the view is as before.
    try editor.press("<drag:\(start.column),\(start.row)><release:\(start.column),\(start.row)>")
    #expect(abs(editor.desk.camera.center.x - former.x) < 0.01)
    // Later movements drag nothing, and nothing was selected.
    try editor.press("<drag:\(start.column + 9),\(start.row)>")
    #expect(abs(editor.desk.camera.center.x - former.x) < 0.01)
    #expect(editor.desk.selection.isEmpty && editor.desk.mode == .normal)
  }

  @Test func `A press on the map after that drags the map`() throws {
    var (editor, area) = try editor()
    let start = try middle(editor, area)
    try editor.press("<press:\(start.column),\(start.row)><release:\(start.column),\(start.row)>")
    let former = editor.desk.camera
    let map = editor.desk.mapArea
    let (column, row) = (map.column + 20, map.row + 10)
    try editor.press("<press:\(column),\(row)><drag:\(column + 5),\(row)>")
    try editor.press("<release:\(column + 5),\(row)>")
    let moved = try #require(former.dot(at: editor.desk.camera.center))
    #expect(abs(moved.x - Double(former.dotWidth) / 2 + 10) <= 1)
  }

  @Test func `A hidden overview takes no clicks`() throws {
    var (editor, area) = try editor()
    try editor.run("overview off")
    let former = editor.desk.camera.center
    try editor.press("<press:\(area.column + 1),\(area.row + 1)>")
    #expect(editor.desk.camera.center == former)
  }

  // MARK: The whole world

  @Test func `Where the whole world is in view it tells what the document holds`() throws {
    var editor = Editor(.towns, size: CellSize(columns: 120, rows: 40))
    var memory = RenderMemory()
    func text() -> String {
      editor.desk.frame(size: editor.desk.screenSize, memory: &memory).plainText()
    }
    let vertices = ["fields", "roads", "towns"].flatMap { editor.layer($0)?.blocks ?? [] }
      .reduce(0) { $0 + $1.geometry.vertexCount }
    #expect(!text().contains("\(vertices) vertices"))
    editor.desk.zoom(to: -0.6)
    #expect(editor.desk.camera.showsWholeWorld)
    #expect(text().contains("7 features"))
    #expect(text().contains("\(vertices) vertices"))
    #expect(text().contains("10.0W to 31.0E"))
    #expect(text().contains("4.0S to 15.0N"))
    // A click there goes nowhere.
    let area = BarPanel.area(of: .overview, editor.desk)
    let former = editor.desk.camera.center
    try editor.press("<press:\(area.column + 1),\(area.row + 2)>")
    #expect(editor.desk.camera.center == former)
    var planar = Document.towns
    planar.metadata.take(.planar)
    #expect(!Editor(planar).desk.camera.showsWholeWorld)
  }
}
