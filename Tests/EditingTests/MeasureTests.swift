import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct MeasureTests {
  private static let plane: Document = {
    var document = Document.towns
    document.metadata.coordinateSystem = .planar
    document.metadata.units = "units"
    return document
  }()

  /// The standard output of a line without an editor.
  private func output(_ line: String) throws -> String {
    let files = MemoryFileSystem()
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    let command = try #require(try Commands.parse(line))
    try runner.run(command)
    return String(decoding: files.output, as: UTF8.self)
  }

  private func screen(_ editor: Editor, _ size: CellSize) -> String {
    var memory = RenderMemory()
    return editor.desk.frame(size: size, memory: &memory).plainText()
  }

  @Test func `A path is measured up to the cursor, and Escape leaves no trace`() throws {
    var editor = Editor()
    try editor.run("snap off")
    try editor.go(0, 0)
    try editor.press("M<space>")
    #expect(editor.desk.mode == .measure && editor.desk.measured?.count == 1)
    try editor.go(0, 10)
    let metres = Geodesy.distance(from: Coordinate(x: 0, y: 0), to: Coordinate(x: 0, y: 10))
    #expect(editor.desk.measured?.length == metres)
    #expect(editor.desk.measured?.leg?.initialBearing == 0)
    let status = screen(editor, CellSize(columns: 80, rows: 24))
    #expect(status.contains(" MEASURE ") && status.contains("1105.855 km  000.0°"))
    try editor.press("<space>l<backspace>")
    #expect(editor.desk.measuring?.path.places.count == 1)
    try editor.press("<esc>")
    #expect(editor.desk.measuring == nil && editor.desk.mode == .normal)
    #expect(!editor.desk.isEdited)
  }

  @Test func `Closed it has an area, and a point more opens it`() throws {
    var editor = Editor()
    try editor.run("measure 0,0 1,0 1,1 0,1")
    try editor.press("c")
    let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(Coordinate.init(pair:))
    let closing = try #require(editor.desk.measured?.closing)
    #expect(closing.area == Geodesy.area(betweenPositions: ring))
    #expect(closing.perimeter == Geodesy.length(of: ring + [ring[0]]))
    #expect(
      editor.message == ""
        && screen(editor, CellSize(columns: 80, rows: 24)).contains(
          "area 12308.778 km²")
    )
    try editor.press("c")
    #expect(editor.desk.measuring?.path.isClosed == false)
    try editor.press("c")
    try editor.run("measure -1,1")
    #expect(editor.desk.measuring?.path.isClosed == false)
    #expect(editor.desk.measuring?.path.places.count == 5)
  }

  @Test func `The panel of wide screens tells all figures`() throws {
    var editor = Editor(size: CellSize(columns: 200, rows: 60))
    try editor.run("measure 0,0 1,0 1,1")
    try editor.press("c")
    let text = screen(editor, CellSize(columns: 200, rows: 60))
    for words in ["─Measure─", "path      3 points", "length    221.", "perimeter 378.", "area"] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test func `Figures are copied, told, and drawn as a feature`() throws {
    var editor = Editor()
    try editor.run("measure --units nmi 0,0 0,1")
    try editor.press("y")
    let copied = editor.effects.compactMap { effect -> String? in
      if case .setClipboard(let text) = effect { text } else { nil }
    }
    #expect(copied == ["path       2 points\nlength     59.7054 nmi\nbearing    000.0°\n"])
    try editor.press("m")
    #expect(editor.message == "units: ft")
    try editor.press("<ret>")
    #expect(editor.message == "362776.9 ft, bearing 000.0°" && editor.desk.measuring == nil)
    #expect(!editor.desk.isEdited)
    try editor.run("layer roads")
    try editor.run("measure 0,0 3,4 5,5")
    let length = try #require(editor.desk.measuring?.path.length)
    try editor.press("d")
    #expect(editor.desk.mode == .normal && editor.features("roads").count == 2)
    try editor.run("set len := $length")
    let text = try #require(editor.features("roads").last?.attributes.first { $0.name == "len" })
    #expect(Double(text.value.text) == length)
    try editor.press("uu")
    #expect(editor.features("roads").count == 1 && !editor.desk.isEdited)
  }

  @Test func `Points snap as drawn vertices do`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.run("cursor right 0")
    try editor.press("l")
    try editor.run("snap vertex")
    try editor.press("M<space>")
    let place = try #require(editor.desk.measuring?.path.places.first)
    #expect(place == editor.desk.snappedCursor)
  }

  @Test func `A click puts a point, another zoom keeps the path`() throws {
    var editor = Editor()
    try editor.press("M<press:10,10><release:10,10><press:20,12><release:20,12>+")
    #expect(editor.desk.measuring?.path.places.count == 2)
    #expect(editor.desk.selection.isEmpty)
  }

  @Test func `Across 180 degrees and poles the shortest way counts`() throws {
    #expect(try output("measure 179,0 -179,0").contains("length     222.639 km"))
    #expect(try output("measure 0,80 180,80").contains("length     2233.652 km"))
    let cap = try output("measure --area 0,80 120,80 -120,80 --json")
    let ring = [(0, 80), (120, 80), (-120, 80)].map { Coordinate(x: $0.0, y: $0.1) }
    #expect(cap.contains("\"area\":\(Geodesy.area(betweenPositions: ring).description)"))
    var editor = Editor()
    try editor.run("measure 170,60 -170,60 180,70 --area")
    try editor.run("measure draw")
    let geometry = try #require(editor.desk.selection.features.first).feature
    let drawn = try #require(
      editor.document.layers.compactMap { $0 as? FeatureLayer }
        .first { $0.position(of: geometry) != nil && $0.id == editor.desk.activeLayer })
    #expect(drawn.extent.maxX == 190)
  }

  @Test func `Without an editor the same figures are printed`() throws {
    let text = try output("measure 13.4,52.5 2.35,48.86 -3.7,40.4")
    #expect(
      text == """
        path       3 points
        length     1933.223 km
        last leg   1054.771 km
        bearing    209.2° to 205.0°

        """)
    #expect(try output("measure 13.4 52.5 2.35 48.86 --units mi").contains(" mi\n"))
    #expect(try output("measure -95,40 -94,40").contains("85."))
    #expect(try output("measure 0,0 @100<90").contains("length     100.000 km"))
    let json = try output("measure 0,0 0,1 --json")
    #expect(json.hasPrefix("{\"points\":[[0,0],[0,1]],\"legs\":[{\"length\":110574.38855"))
  }

  @Test(arguments: [
    ("measure", "measure what"), ("measure 1,2", "two positions"), ("measure x y", "no position"),
    ("measure 0,0 1,1 --area", "three points"), ("measure 0,91 0,0", "latitude"),
    ("measure close", "key of the editor"), ("measure 0,0 1,1 --unitz km", "unknown option"),
    ("measure 0,0 1,1 --units feet", "feet"),
  ])
  func `What cannot be measured is refused with a way out`(line: String, words: String) throws {
    let error = #expect(throws: (any Error).self) { _ = try output(line) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(String(describing: error))")
  }

  @Test func `A plane is measured straight, in its own units`() throws {
    var editor = Editor(Self.plane)
    #expect(throws: EditingError.self) { try editor.run("measure 0,0 3,4 --area") }
    #expect(editor.desk.measuring == nil)
    try editor.run("measure 0,0 3,4")
    #expect(editor.message == "5.000 units, bearing 036.9°")
    try editor.run("measure 0,4")
    try editor.press("c")
    #expect(editor.desk.measured?.closing == .init(perimeter: 12, area: 6))
    #expect(throws: EditingError.self) { try editor.run("measure --units km") }
  }

  @Test(arguments: Seeds.some(200))
  func `Figures are those of geodesy, and dropped points leave nothing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var path = MeasuredPath(isGeographic: true)
    let places = (0..<Int.random(in: 2...9, using: &random)).map { _ in
      Coordinate(
        x: .random(in: -180...180, using: &random), y: .random(in: -90...90, using: &random))
    }
    for place in places { try path.extend(to: place) }
    #expect(path.figures().length == Geodesy.length(of: places))
    let former = path
    for _ in 0..<3 { path.add(places[0]) }
    path.close()
    for _ in 0..<4 { path.takeBack() }
    #expect(path == former)
    // The drawn way has the same length, and no step of half a turn but beside a pole.
    let way = path.way(to: nil, near: 100)
    let length = Geodesy.length(of: way)
    #expect((length - path.length).magnitude < 1e-3 + 1e-9 * length)
    #expect(way.allSatisfy { $0.x.isFinite && $0.y.magnitude <= 90 })
  }
}
