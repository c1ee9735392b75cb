import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Vertices that areas share, by keys and by script; and simplified maps.
@Suite struct SharedVertexTests {
  private static func square(_ x: Double, _ y: Double) -> Geometry {
    .polygon([
      [(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)].map {
        Coordinate(x: $0.0, y: $0.1)
      }
    ])
  }

  /// Three squares: two beside each other, one above both.
  private static let document: Document = {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "areas",
      style: .standard(forDimension: 2, index: 0, labelField: "name"))
    let above = [(0.0, 10.0), (10, 10), (20, 10), (20, 20), (0, 20)]
    let shapes = [
      square(0, 0), square(10, 0),
      .polygon([above.map { Coordinate(x: $0.0, y: $0.1) }]),
    ]
    for (name, shape) in zip(["a", "b", "c"], shapes) {
      _ = layer.add(geometry: shape, attributes: [("name", .string(name))])
    }
    document.layers = [layer]
    return document
  }()

  /// An editor with the vertex at 10 10 of the first square picked.
  private static func editor() throws -> Editor {
    var editor = Editor(document)
    try editor.run("go name a")
    try editor.go(10, 10)
    try editor.run("next vertex")
    #expect(editor.desk.selection.vertex?.vertex == 2)
    return editor
  }

  private static func places(_ editor: Editor) -> [Set<Coordinate>] {
    editor.features("areas").map { Set($0.geometry.paths[0].vertices) }
  }

  private static func moved(_ editor: Editor, to place: Coordinate) -> [Bool] {
    places(editor).map { $0.contains(place) }
  }

  @Test func `m moves a shared vertex in all areas, gm in one`() throws {
    for (keys, expected) in [("m", [true, true, true]), ("gm", [true, false, false])] {
      var editor = try Self.editor()
      let former = editor.document.layers
      try editor.press(keys)
      #expect(editor.message.contains("3 areas share it") == (keys == "m"))
      #expect(editor.desk.carriedVertices.count == (keys == "m" ? 3 : 1))
      try editor.go(11, 12)
      try editor.run("snap off")
      try editor.press("<ret>")
      #expect(editor.message.contains("3 areas share it") == (keys == "m"))
      let place = editor.desk.selection.vertex.flatMap { editor.desk.coordinate(of: $0) }
      #expect(Self.moved(editor, to: try #require(place)) == expected)
      try editor.press("u")
      #expect(
        zip(editor.document.layers, former).allSatisfy { $0.parts.elementsEqual($1.parts, by: ===) }
      )
    }
  }

  @Test func `move --by moves the vertex that is picked, with its areas or alone`() throws {
    var editor = try Self.editor()
    try editor.run("move --by 0.5,0.25")
    let place = Coordinate(x: 10.5, y: 10.25)
    #expect(Self.moved(editor, to: place) == [true, true, true])
    try editor.run("move --alone --by 1,0")
    #expect(Self.moved(editor, to: place) == [false, true, true])
    #expect(editor.desk.history.past.count == 2)
  }

  @Test func `A border that would cross another one stays, and what is carried too`() throws {
    var editor = try Self.editor()
    #expect(throws: EditingError.self) { try editor.run("move --by 15,0") }
    #expect(editor.desk.history.past.isEmpty)
    try editor.press("m")
    try editor.go(25, 5)
    try editor.press("<ret>")
    #expect(editor.message.contains("would cross or touch another one"))
    #expect(editor.desk.carry != nil && editor.desk.history.past.isEmpty)
    try editor.run("move --alone --by 0,1")
  }

  @Test func `d and a change all areas of an edge, and a parting stays`() throws {
    var editor = try Self.editor()
    try editor.press("d")
    #expect(editor.message.contains("borders part here"))
    // From 10 10 on goes the border to 0 10, which the area above has too.
    try editor.press("a")
    #expect(editor.message.contains("2 areas share it"))
    #expect(Self.moved(editor, to: Coordinate(x: 5, y: 10)) == [true, false, true])
    try editor.press("d")
    #expect(editor.message.contains("2 areas share it"))
    #expect(Self.moved(editor, to: Coordinate(x: 5, y: 10)) == [false, false, false])
    try editor.press("[vA")
    #expect(Self.moved(editor, to: Coordinate(x: 5, y: 10)) == [true, false, false])
    try editor.press("D")
    #expect(Self.moved(editor, to: Coordinate(x: 5, y: 10)) == [false, false, false])
  }

  // MARK: Simplifying

  @Test func `simplify takes the selection, else the layer, and u brings all back`() throws {
    var editor = Editor(Self.document)
    let former = editor.document.layers
    try editor.run("simplify 100%")
    #expect(editor.message.contains("nothing changed") && editor.desk.history.past.isEmpty)
    try editor.run("simplify 0%")
    #expect(editor.message.contains("vertices left"))
    #expect(editor.desk.history.past.count == 1)
    try editor.press("u")
    #expect(
      zip(editor.document.layers, former).allSatisfy { $0.parts.elementsEqual($1.parts, by: ===) })
    try editor.run("go name c")
    try editor.run("simplify --tolerance 100000km")
    // What the others share stays.
    #expect(
      editor.features("areas").prefix(2).map(\.geometry)
        == Editor(Self.document)
        .features("areas").prefix(2).map(\.geometry))
  }

  @Test(arguments: [
    ("simplify", "how much"), ("simplify 10% --keep 5%", "one amount"),
    ("simplify --keep 500m", "no share"), ("simplify --tolerance 10%", "is a share"),
    ("simplify --tolerance 5", "coordinates are degrees"),
    ("simplify --resolution 0", "resolution"),
    ("simplify 10% -o x.geojson", "-o is for files"), ("simplify map.geojson 10%", ":open"),
    ("simplify 10% --method best", "weighted"),
  ])
  func `What simplify cannot do is told`(line: String, words: String) throws {
    var editor = Editor(Self.document)
    do {
      try editor.run(line)
      Issue.record("\(line) is taken")
    } catch let error as EditingError {
      #expect(error.message.contains(words), "\(error.message)")
    }
  }

  @Test func `Sizes are read with their units`() throws {
    let sizes: [(String, DetailArgument.Size?)] = [
      ("10%", .share(0.1)), ("500m", .metres(500)), ("1.5km", .metres(1500)),
      ("4km2", .metres(2000)), ("4m²", .metres(2)), ("25", .units(25)), ("-5", nil), ("5x", nil),
      ("101%", nil), ("nan", nil), ("a.geojson", nil), ("m", nil), ("%", nil),
    ]
    for (word, size) in sizes { #expect(DetailArgument(word)?.size == size, "\(word)") }
  }
}
