import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanDocuments
@testable import PortolanEditing
@testable import PortolanPrinting

/// The signs of points by rank and size: `style LAYER --size-by FIELD`, ● • · and ★.
@Suite struct PointSignTests {
  /// Points in rows, far from each other.
  private static func editor(
    _ values: [Double?], capitals: Set<Int> = [], field: String = "pop_max", rank: String? = nil,
    columns: Int = 100
  ) throws -> Editor {
    var document = Document()
    var towns = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: .standard(forDimension: 0, index: 0))
    for (number, value) in values.enumerated() {
      let place = Coordinate(x: Double(number % 8) * 10, y: Double(number / 8) * 8)
      _ = towns.add(
        geometry: .point(place),
        attributes: [
          ("name", .string("Town \(number)")), (field, value.map { .number("\($0)") } ?? .missing),
          ("capital", .bool(capitals.contains(number))), ("word", .string("w\(number)")),
        ])
    }
    towns.style = towns.style.changed {
      $0.rankField = rank
      $0.rankOrder = RankOrder(ofFieldNamed: rank ?? "")
    }
    document.layers = [towns]
    return Editor(document, size: CellSize(columns: columns, rows: 44))
  }

  /// The signs of the features in their order: at this zoom none hides another.
  private static func signs(_ editor: Editor, depth: ColourDepth = .trueColour) -> [String] {
    let camera = editor.desk.camera
    var canvas = CellCanvas(camera: camera, memory: RenderMemory(), depth: depth)
    editor.desk.document.layers[0].draw(on: &canvas, labelPriority: 0)
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    return editor.features("towns").map { feature in
      guard let place = feature.geometry.paths.first?.vertices.first,
        let cell = camera.cell(at: place)
      else { return "" }
      return frame.text(of: frame[cell.column, cell.row].glyph)
    }
  }

  @Test func `Ranked points have signs of three sizes, capitals a star`() throws {
    let values: [Double?] = [9e6, 9e5, 8.9e5, 9e4, 8e4, 10, nil, 5e6, 20]
    var editor = try Self.editor(values, capitals: [7, 8], rank: "pop_max")
    #expect(Self.signs(editor) == ["●", "●", "•", "•", "·", "·", "·", "★", "☆"])
    let legend = editor.document.layers[0].legend(in: nil)
    #expect(legend.map(\.text) == ["towns", "capital"])
    #expect(legend.map(\.mark.symbol) == ["●", "★"] && legend.map(\.smaller) == ["·", "☆"])
    try editor.run("style towns --symbol ▲")
    #expect(Set(Self.signs(editor)) == ["▲"])
    try editor.run("style towns --symbol •")
    #expect(Set(Self.signs(editor)) == ["•"])
    let bytes = try DocumentArchive.bytes(of: editor.document)
    #expect(try DocumentArchive.open(bytes).document.layers[0].style.isSymbolChosen)
    try editor.run("style towns --symbol auto")
    #expect(Self.signs(editor).contains("★"))
    for _ in 0..<3 { try editor.run("undo") }
    #expect(!editor.desk.isEdited && Self.signs(editor).contains("●"))
  }

  @Test func `Small ranks count first where they do; thirds where numbers are near each other`()
    throws
  {
    let editor = try Self.editor(
      [0, 1, 3, 4, 6, 7, 10, nil], field: "scalerank", rank: "scalerank")
    #expect(Self.signs(editor) == ["●", "●", "●", "•", "•", "·", "·", "·"])
    let same = try Self.editor([5, 5, 5], field: "scalerank", rank: "scalerank")
    #expect(Set(Self.signs(same)) == ["•"])
  }

  @Test(arguments: 0..<20)
  func `The area of a sign in a picture is proportional to its value`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<30).map { _ in Double.random(in: 1e3...1e6, using: &random).rounded() }
    var editor = try Self.editor(values.map { $0 }, field: "n")
    try editor.run("style towns --size-by n")
    let camera = editor.desk.camera
    var page = PageCanvas(camera: camera, memory: RenderMemory())
    editor.document.layers[0].draw(on: &page, labelPriority: 0)
    var painter = SignPainter()
    page.compose(on: &painter, at: PagePoint(x: 0, y: 0))
    let greatest = try #require(values.max())
    #expect(painter.signs.count == values.count)
    for sign in painter.signs {
      let radius = try #require(sign.radius)
      let part = values[sign.row] / greatest
      if part > 0.01 { #expect(abs(radius * radius / 121 - part) < 1e-9) }
    }
    let radii = painter.signs.compactMap(\.radius)
    #expect(radii == radii.sorted(by: >), "great signs lie below small ones")
    // The screen shows the same order in three steps.
    let steps = ["·": 0, "•": 1, "●": 2]
    let shown = zip(values, Self.signs(editor)).sorted { $0.0 < $1.0 }.compactMap { steps[$0.1] }
    #expect(shown == shown.sorted() && shown.count == values.count)
    let samples = editor.document.layers[0].legend(in: nil).dropFirst()
    #expect(samples.map(\.sign) == ["●", "•", "·"])
    #expect(samples.compactMap(\.size) == samples.compactMap(\.size).sorted(by: >))
  }

  @Test func `Signs of sizes are all of one kind, on screens and pages`() throws {
    let values: [Double?] = [9e6, 8e6, 7e5, 6e3, 5e3]
    var editor = try Self.editor(values, capitals: [1, 4])
    try editor.run("style towns --size-by pop_max")
    #expect(Self.signs(editor) == ["●", "●", "•", "·", "·"])
    let legend = editor.document.layers[0].legend(in: nil)
    #expect(legend.count == 4 && !legend.contains { $0.text == "capital" })
    let camera = editor.desk.camera
    var page = PageCanvas(camera: camera, memory: RenderMemory())
    editor.document.layers[0].draw(on: &page, labelPriority: 0)
    var painter = SignPainter()
    page.compose(on: &painter, at: PagePoint(x: 0, y: 0))
    let signs = painter.signs.sorted { $0.row < $1.row }
    #expect(signs.allSatisfy { $0.style.symbol == "•" })
    let radii = signs.compactMap(\.radius)
    #expect(radii.count == 5 && radii == radii.sorted(by: >))
  }

  @Test func `Where low ranks count first they have the great signs of classes`() throws {
    let ranks: [Double?] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    var low = try Self.editor(ranks, field: "scalerank")
    try low.run("style towns --by scalerank --breaks 0,3,6,8")
    #expect(Self.signs(low) == ["●", "●", "●", "•", "•", "•", "·", "·", "·"])
    var high = try Self.editor(ranks, field: "size")
    try high.run("style towns --by size --breaks 0,3,6,8")
    #expect(Self.signs(high) == ["·", "·", "·", "•", "•", "•", "●", "●", "●"])
    try high.run("style towns --rank size --rank-order low")
    try high.run("style towns --by size --breaks 0,3,6,8")
    #expect(Self.signs(high).first == "●")
  }

  @Test func `Small signs are legible on coloured areas`() throws {
    var editor = try Self.editor([9e6, 8e3, 7e3])
    try editor.run("style towns --size-by pop_max --stroke #f0f080")
    var document = editor.document
    var land = FeatureLayer(
      id: LayerID(document.makeID()), name: "land",
      style: .standard(forDimension: 2, index: 1))
    let corners = [(-90.0, -60.0), (90, -60), (90, 60), (-90, 60)].map(Coordinate.init(pair:))
    _ = land.add(geometry: .polygon([corners]), attributes: [])
    land.style = land.style.changed { $0.mark.fill = Colour(hex: "#f0e040") }
    document.layers.insert(land, at: 0)
    let camera = editor.desk.camera
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    for layer in document.layers { layer.draw(on: &canvas, labelPriority: 0) }
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    for feature in editor.features("towns") {
      let place = try #require(feature.geometry.paths.first?.vertices.first)
      let cell = try #require(camera.cell(at: place))
      let style = frame[cell.column, cell.row].style
      #expect(style.background == TerminalColour(Colour(hex: "#f0e040")))
      #expect(Palette.contrast(style.foreground, style.background) >= 3)
    }
  }

  @Test func `Sizes are kept, taken away, and undone`() throws {
    var editor = try Self.editor([1, 2, 3], field: "n")
    try editor.run("style towns --symbol '' --size-by n")
    #expect(editor.layer("towns")?.style.sizeField == "n")
    #expect(editor.layer("towns")?.style.mark.symbol == "•")
    let bytes = try DocumentArchive.bytes(of: editor.document)
    let again = try DocumentArchive.open(bytes).document
    #expect(again.layers[0].style.content == editor.document.layers[0].style.content)
    try editor.run("style towns --size-by none")
    #expect(editor.layer("towns")?.style.sizeField == nil)
    for _ in 0..<2 { try editor.run("undo") }
    #expect(!editor.desk.isEdited)
    #expect(throws: EditingError.self) { try editor.run("style towns --size-by nonsense") }
    var other = Editor()
    #expect(throws: EditingError.self) { try other.run("style fields --size-by area") }
    #expect(!other.desk.isEdited && !editor.desk.isEdited)
  }

  @Test(arguments: ColourRamp.all)
  func `Signs of classes keep their colours on paper, and stand out from it`(ramp: ColourRamp) {
    for ground in [Ground.light, .dark] {
      let ink = GroundInk(ground)
      for colour in ramp.colours(9) {
        var mark = MarkStyle(stroke: colour, symbol: "•")
        mark.showsValue = true
        let sign = ink.sign(mark)
        let paper = TerminalColour(ink.paper)
        #expect(sign.fill == colour)
        let contrasts = [sign.fill, sign.outline].map {
          Palette.contrast(TerminalColour($0), paper)
        }
        #expect(contrasts.contains { $0 >= 3 }, "\(ramp.name) \(colour.hex)")
      }
    }
  }

  @Test(arguments: [ColourDepth.mono, .eight], [6, 9, 24, 60])
  func `Where colours are few, no two classes share a sign`(depth: ColourDepth, count: Int) throws {
    for command in ["--by n --classes \(count) --method equal", "--by word --classes \(count)"] {
      var editor = try Self.editor((0..<60).map(Double.init), field: "n")
      try editor.run("style towns \(command)")
      let classes = try #require(editor.layer("towns")?.style.classes)
      let groups = editor.features("towns").map { feature in
        classes.group(of: feature.attributes.first { $0.name == classes.field }?.value ?? .missing)
      }
      let signs = Dictionary(grouping: zip(groups, Self.signs(editor, depth: depth))) { $0.0 }
        .filter { classes.looks.indices.contains($0.key) }.mapValues { Set($0.map(\.1)) }
      #expect(signs.count == count && signs.values.allSatisfy { $0.count == 1 })
      #expect(Set(signs.values.compactMap(\.first)).count == count)
      let legend = LegendPanel.entries(editor.desk).filter { !$0.isHeading }
      let look = ScreenLook(capabilities: ScreenCapabilities(depth: depth, isUnicode: true))
      #expect(Set(legend.prefix(count).map { look.sample($0).text }).count == count)
    }
  }
}

/// Collects the signs of a page.
private struct SignPainter: PagePainter {
  var signs: [PageSign] = []

  mutating func begin(_ part: PagePart) {}
  mutating func end(_ part: PagePart) {}
  mutating func paint(_ shape: PageShape) {}
  mutating func paint(_ sign: PageSign) { signs.append(sign) }
  mutating func paint(dots: [PagePoint], style: MarkStyle) {}
  mutating func paint(_ label: PageLabel) {}
}

/// The number of signs in the legend.
@Suite struct SignCountTests {
  private static func editor(_ places: [Coordinate]) -> Editor {
    var document = Document()
    var towns = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: .standard(forDimension: 0, index: 0))
    for place in places { _ = towns.add(geometry: .point(place), attributes: []) }
    document.layers = [towns]
    return Editor(document, size: CellSize(columns: 120, rows: 40))
  }

  @Test(arguments: 0..<20)
  func `The legend counts signs and points in view, and the memory changes nothing`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let places = (0..<400).map { _ in
      Coordinate(
        x: Double.random(in: -180...180, using: &random),
        y: Double.random(in: -60...70, using: &random))
    }
    var editor = Self.editor(places)
    try editor.run("legend on")
    var memory = RenderMemory()
    for zoom in [0, 2, 5.5, 1] {
      try editor.run("zoom to \(zoom)")
      let size = editor.desk.screenSize
      let frame = editor.desk.frame(size: size, memory: &memory)
      var empty = RenderMemory()
      #expect(editor.desk.frame(size: size, memory: &empty) == frame)
      let camera = editor.desk.camera
      let count = try #require(memory.signCounts[MapPane.pictureName(editor.desk)]?[1])
      let inView = places.count { place in
        guard let cell = camera.cell(at: place) else { return false }
        return cell.column >= 0 && cell.row >= 0 && cell.column < camera.size.columns
          && cell.row < camera.size.rows
      }
      #expect(count.all == inView && count.shown <= count.all)
      let text = count.shown < count.all ? "\(count.shown) of \(count.all)" : ""
      let counts = memory.signCounts[MapPane.pictureName(editor.desk)] ?? [:]
      #expect(LegendPanel.entries(editor.desk, counts).first?.shown == text)
    }
  }

  @Test func `Numbers have their thousands apart`() {
    for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (-2_310_004, "-2,310,004")] {
      #expect(Figures.grouped(number) == text)
    }
  }

  @Test(arguments: [
    ("ne_110m_admin_0_boundary_lines_land", "x", true), ("Borders", "x", true),
    ("lines", "admin_level", true), ("rivers", "x", false),
  ])
  func `New layers of borders are dashed`(name: String, field: String, isDashed: Bool) {
    var layer = FeatureLayer(
      id: LayerID(1), name: name, style: .standard(forDimension: 1, index: 0))
    _ = layer.add(
      geometry: .line([Coordinate(x: 0, y: 0), Coordinate(x: 9, y: 9)]),
      attributes: [(field, .number("2"))])
    layer.takeStandardLook(above: [])
    #expect((layer.style.mark.dash == .dashed) == isDashed)
  }
}
