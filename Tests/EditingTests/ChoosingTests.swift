import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// What is meant is what is chosen: by name, by search, by box, vertex by vertex.
@Suite struct ChoosingTests {
  /// Two Washingtons, two Koreas, and a country below a town of its name.
  static let atlas: Document = {
    var document = Document()
    var countries = FeatureLayer(
      id: LayerID(document.makeID()), name: "countries",
      style: .standard(forDimension: 2, index: 0, labelField: "name"))
    for (name, x, y) in [
      ("North Korea", 60.0, 20.0), ("South Korea", 60, 10), ("France", 0, 40), ("Mali", 0, 0),
    ] {
      _ = countries.add(
        geometry: .polygon([
          [(x, y), (x + 8, y), (x + 8, y + 8), (x, y + 8)].map(Coordinate.init(pair:))
        ]), attributes: [("name", .string(name)), ("note", .string("a country"))])
    }
    var cities = FeatureLayer(
      id: LayerID(document.makeID()), name: "cities",
      style: .standard(forDimension: 0, index: 1, labelField: "name"))
    for (name, x, y, zone) in [
      ("Madison", -89.0, 43.0, "like Berlin"), ("New Berlin", -88, 43, ""),
      ("Berlin", 13, 52, "Berlin"), ("Berlingen", 9, 47, ""), ("Washington", -77, 39, ""),
      ("Washington", -90, 41, ""), ("Mali", 2, 2, ""),
    ] {
      _ = cities.add(
        geometry: .point(Coordinate(x: x, y: y)),
        attributes: [("zone", .string(zone)), ("name", .string(name))])
    }
    document.layers = [countries, cities]
    return document
  }()

  // MARK: By name

  @Test func `A name of several features gives a list, and the answer is taken`() throws {
    var editor = Editor(Self.atlas)
    try editor.press(":go name Washington<ret>")
    let question = try #require(editor.desk.question)
    #expect(question.choices.map(\.line) == ["go feature cities 5", "go feature cities 6"])
    #expect(question.text.contains("2 features"))
    #expect(editor.selected == [])
    try editor.press("2")
    #expect(editor.desk.question == nil)
    #expect(editor.desk.cursor == Coordinate(x: -90, y: 41))
    try editor.press(":go name korea<ret><esc>")
    #expect(editor.desk.cursor == Coordinate(x: -90, y: 41))
    try editor.press(":go name korea<ret><down><ret>")
    #expect(editor.selected == ["South Korea"])
  }

  @Test(arguments: [
    ("go name Washington", "go feature cities 5 [Washington, "),
    ("go name Korea", "go feature countries 1 [North Korea, "),
    ("go name Mali", "go feature cities 7"), ("go name Berli", "3 features"),
  ])
  func `A script is told that a name is of several features`(line: String, part: String) throws {
    var editor = Editor(Self.atlas)
    editor.desk.isHeadless = true
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(editor.selected == [])
  }

  @Test(arguments: [
    ("go name Berlin", "Berlin"), ("go name berlin", "Berlin"), ("go name madi", "Madison"),
    ("go --layer countries name Mali", "Mali"), ("go feature countries 2", "South Korea"),
    ("go feature 2 1", "North Korea"),
  ])
  func `A name that means one feature is gone to`(line: String, name: String) throws {
    var editor = Editor(Self.atlas)
    editor.desk.isHeadless = true
    try editor.run(line)
    #expect(editor.selected == [name])
  }

  @Test func `An id of several features is not taken from the first layer in silence`() throws {
    var document = Self.atlas
    for index in document.layers.indices {
      var layer = try #require(document.layers[index] as? FeatureLayer)
      try layer.setIdentifier(.string("7"), of: FeatureID(1))
      document.layers[index] = layer
    }
    var editor = Editor(document)
    try editor.press(":go id 7<ret>")
    #expect(editor.desk.question?.choices.count == 2)
  }

  @Test func `Features of one name are told apart, and the selection stays until one is chosen`()
    throws
  {
    var document = Self.atlas
    var layer = try #require(document.layers[1] as? FeatureLayer)
    for (index, country) in ["CR", "US", "US"].enumerated() {
      _ = layer.add(
        geometry: .point(Coordinate(x: 5 + Double(index), y: 5)),
        attributes: [
          ("name", .string("San Pedro")), ("admin1", .string("0\(index)")),
          ("country", .string(country)),
        ])
    }
    document.layers[1] = layer
    var editor = Editor(document)
    try editor.run("go name Berlin")
    try editor.press(":go name San Pedro<ret>")
    let texts = editor.desk.question?.choices.map(\.text) ?? []
    #expect(Set(texts).count == 3)
    #expect(texts.first?.hasPrefix("San Pedro, CR, 00, 5") == true, "\(texts)")
    #expect(editor.selected == ["Berlin"])
    try editor.press("<esc>")
    #expect(editor.selected == ["Berlin"])
    try editor.press(":go name San Pedro<ret><ret>")
    #expect(editor.selected == ["San Pedro"])
  }

  @Test func `A long list of choices is moved through to its end`() throws {
    var document = Self.atlas
    var layer = try #require(document.layers[1] as? FeatureLayer)
    for _ in 0..<60 {
      _ = layer.add(
        geometry: .point(Coordinate(x: 5, y: 5)), attributes: [("name", .string("Springfield"))])
    }
    document.layers[1] = layer
    var editor = Editor(document)
    try editor.press(":go name Springfield<ret>")
    #expect(editor.desk.question?.choices.count == 60)
    try editor.press("<up>")
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: CellSize(columns: 80, rows: 24), memory: &memory)
    let chosen = try #require(editor.desk.question?.choices.last)
    #expect(chosen.line == "go feature cities 67")
    #expect(frame.plainText(.unicode).contains("60 features have a name"))
    #expect(frame.plainText(.unicode).contains("Springfield"))
    try editor.press("<ret>")
    #expect(editor.desk.selection.features.map(\.feature) == [FeatureID(67)])
  }

  @Test(arguments: [CellSize(columns: 80, rows: 24), CellSize(columns: 50, rows: 14)])
  func `What is gone to is shown whole, and Enter selects it`(size: CellSize) throws {
    var editor = Editor(Self.atlas, size: size)
    try editor.run("fit all")
    try editor.run("go name France")
    let visible = editor.desk.camera.visible
    #expect(visible.minX <= 0 && visible.maxX >= 8 && visible.minY <= 40 && visible.maxY >= 48)
    #expect(visible.height < 40)
    try editor.press("<ret>")
    #expect(editor.selected == ["France"])
    // The town of the same name lies on it: still what was gone to is first.
    try editor.run("go --layer countries name Mali")
    try editor.run("zoom to 0")
    try editor.press("<ret>")
    #expect(editor.desk.selection.features.map(\.layer) == [Self.atlas.layers[0].id])
    try editor.press("<ret>")
    #expect(editor.desk.selection.features.map(\.layer) == [Self.atlas.layers[1].id])
  }

  // MARK: By search

  @Test func `A search finds names before other attributes, and all of it can be selected`() throws
  {
    var editor = Editor(Self.atlas)
    var order: [String] = []
    try editor.press("/berlin<ret>")
    #expect(editor.message.contains("1 of 4 with “berlin”, 3 by name"))
    for _ in 0..<4 {
      order += editor.selected
      try editor.press("n")
    }
    #expect(order == ["Berlin", "Berlingen", "New Berlin", "Madison"])
    try editor.press("g/")
    #expect(editor.selected == order)
    #expect(editor.message == "4 selected of cities")
    var fresh = Editor(Self.atlas)
    #expect(throws: EditingError.self) { try fresh.run("select found") }
  }

  @Test func `A search goes to what it found, and stays where that is seen well`() throws {
    var editor = Editor(Self.atlas)
    try editor.run("zoom to 0")
    let far = editor.desk.viewpoint
    try editor.press("/berlin<ret>")
    #expect(editor.selected == ["Berlin"])
    #expect(editor.desk.viewpoint.zoom >= 4.5)
    let near = editor.desk.viewpoint
    try editor.press("hhhh/berlin<ret>")
    #expect(editor.desk.viewpoint == near)
    try editor.press("2zp")
    #expect(editor.desk.viewpoint == far)
  }

  // MARK: By box

  @Test func `A box takes the active layer, and all layers when told to`() throws {
    var editor = Editor()
    try editor.press("_v")
    try editor.run("box replace --bbox=-180,-80,180,80")
    #expect(editor.message == "4 selected of towns")
    #expect(editor.desk.mode == .normal)
    try editor.run("layer roads")
    try editor.run("box add --bbox=-180,-80,180,80")
    #expect(editor.message == "5 selected (towns 4, roads 1)")
    try editor.press("d")
    #expect(editor.message == "5 features (towns 4, roads 1) deleted: u brings back")
    try editor.press("u")
    try editor.run("box replace --all --bbox=-180,-80,180,80")
    #expect(editor.message == "7 selected (towns 4, roads 1, fields 2)")
    try editor.run("hide roads")
    #expect(throws: EditingError.self) { try editor.run("box replace --bbox=0,0,1,1") }
    try editor.run("layer towns")
    try editor.run("box replace --bbox=0,-30,1,-20")
    #expect(editor.message.contains("nothing of layer towns is in the box"))
  }

  @Test func `A box wider than half the globe is the one that is seen`() throws {
    var editor = Editor(size: CellSize(columns: 400, rows: 100))
    try editor.run("zoom to 0")
    try editor.go(0, 0)
    try editor.run("center")
    try editor.go(-100, -30)
    try editor.press("v")
    try editor.go(120, 30)
    try editor.press("<ret>")
    #expect(editor.message == "4 selected of towns")
  }

  // MARK: Vertices

  @Test func `The vertex nearest to the cursor is picked first`() throws {
    var editor = Editor()
    try editor.run("select none")
    try editor.run("layer fields")
    try editor.run("go name Small")
    try editor.go(19.5, 14)
    try editor.press("]v")
    #expect(editor.desk.cursor == Coordinate(x: 20, y: 15))
    try editor.press("]v")
    #expect(editor.desk.cursor == Coordinate(x: 5, y: 15))
    try editor.press("<esc>")
    try editor.go(6, 6)
    try editor.press("[v")
    #expect(editor.desk.cursor == Coordinate(x: 5, y: 5))
  }

  @Test func `A click near a vertex of what is selected picks it, a second one goes on`() throws {
    var editor = Editor()
    try editor.run("go name Big")
    let area = editor.desk.mapArea
    func click(_ x: Double, _ y: Double) throws -> String {
      let cell = try #require(editor.desk.camera.cell(at: Coordinate(x: x, y: y)))
      let at = "\(cell.column + area.column),\(cell.row + area.row)"
      return "<press:\(at)><release:\(at)>"
    }
    try editor.press(try click(9.9, 9.9))
    #expect(editor.desk.cursor == Coordinate(x: 10, y: 10))
    let vertex = try #require(editor.desk.selection.vertex)
    #expect(editor.desk.coordinate(of: vertex) == Coordinate(x: 10, y: 10))
    try editor.press(try click(9.9, 9.9))
    #expect(editor.desk.selection.vertex == nil)
    try editor.press(try click(8, 2))
    #expect(editor.desk.selection.vertex == nil)
  }

  @Test func `Deleting one vertex after the other never deletes the feature`() throws {
    var editor = Editor()
    try editor.run("go name Main road")
    try editor.run("go to -10 2")
    try editor.press("]vd")
    #expect(editor.desk.selection.vertex?.vertex == 0)
    #expect(editor.desk.cursor == Coordinate(x: 30, y: 2))
    try editor.press("dddd")
    #expect(editor.message.contains("too few vertices"))
    #expect(editor.features("roads").count == 1)
    try editor.run("go name Small")
    try editor.run("go to 5 15")
    try editor.press("]vd")
    #expect(editor.desk.cursor == Coordinate(x: 5, y: 5))
    try editor.press("ddd")
    #expect(editor.features("fields").count == 2)
  }
}
