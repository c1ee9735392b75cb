import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanDocuments
@testable import PortolanEditing
@testable import PortolanPrinting

/// Thinned and weighted lines in the editor: `style LAYER --thin no --weight bold`.
@Suite struct LineLooksTests {
  /// An editor with a dense layer of random lines in view.
  private static func editor(seed: UInt64, count: Int = 1200) throws -> Editor {
    var random = SeededGenerator(seed: seed)
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "streams",
      style: .standard(forDimension: 1, index: 0))
    for number in 0..<count {
      let x = Double.random(in: 0...20, using: &random)
      let y = Double.random(in: 0...10, using: &random)
      let end = Coordinate(
        x: x + .random(in: -1...1, using: &random), y: y + .random(in: -1...1, using: &random))
      _ = layer.add(
        geometry: .line([Coordinate(x: x, y: y), end]),
        attributes: [("scalerank", .number("\(number % 9)")), ("name", .string("S\(number)"))])
    }
    layer.style = layer.style.changed {
      ($0.rankField, $0.rankOrder, $0.labelField) = ("scalerank", .low, "name")
    }
    document.layers = [layer]
    var editor = Editor(document, size: CellSize(columns: 120, rows: 40))
    try editor.run("fit")
    return editor
  }

  private static func shown(_ editor: Editor) -> String {
    LegendPanel.entries(editor.desk).first?.shown ?? ""
  }

  @Test func `The legend counts the lines; boxes take all of them`() throws {
    var editor = try Self.editor(seed: 3)
    let words = Self.shown(editor).split(separator: " ")
    #expect(words.count == 3 && words.last == "1,200")
    #expect(try #require(Int(words.first ?? "")) < 600)
    try editor.run("select all")
    #expect(editor.desk.selection.features.count == 1200)
    let selected = MapPane.picture(of: editor.desk).plainText()
    try editor.run("select none")
    try editor.run("style streams --thin no")
    #expect(Self.shown(editor) == "")
    func dots(_ text: String) -> Int { text.count { $0 != " " && !$0.isASCII } }
    let all = dots(MapPane.picture(of: editor.desk).plainText())
    #expect(dots(selected) >= all * 9 / 10, "selected ones are drawn")
    try editor.run("undo")
    #expect(Self.shown(editor).hasSuffix("of 1,200"))
  }

  @Test func `The legends of pictures tell the lines that are left out`() throws {
    var editor = try Self.editor(seed: 6)
    func request(_ line: String) throws -> PictureRequest? {
      editor.effects = []
      try editor.run(line)
      return editor.effects.lazy.compactMap { effect -> PictureRequest? in
        if case .perform(let request as RenderRequest, _) = effect { request.picture } else { nil }
      }.first
    }
    for file in ["a.svg", "a.html", "a.txt"] {
      let made = try #require(try request("render -o \(file) --legend"))
      let count = try #require(
        editor.layer("streams")?.lineCount(
          in: made.camera.visible, at: made.camera.detail(in: made.format.unit)))
      let entry = try #require(made.parts.legend.first)
      let text = "\(Figures.grouped(count.shown)) of \(Figures.grouped(count.all))"
      let isTold = 4 * count.shown <= 3 * count.all
      #expect(entry.shown == (isTold ? text : ""))
      #expect(!isTold || PageLayout.text(of: entry).hasSuffix(", thinned: \(text)"))
    }
    try editor.run("style streams --thin no")
    #expect(try request("render -o a.svg --legend")?.parts.legend.first?.shown == "")
  }

  @Test func `Paper leaves out far fewer lines than cells, and only where they crowd`() throws {
    let editor = try Self.editor(seed: 6)
    let layer = try #require(editor.layer("streams"))
    let camera = editor.desk.camera
    let cells = try #require(layer.lineCount(in: camera.visible, at: camera.detail(in: .cells)))
    let paper = try #require(layer.lineCount(in: camera.visible, at: camera.detail(in: .pixels)))
    #expect(paper.shown > 5 * cells.shown && paper.all == cells.all)
    let page = PageCanvas(camera: camera, memory: RenderMemory())
    #expect(page.detail == camera.pageDetail)
    // Lines that have room on paper are all drawn.
    let few = try Self.editor(seed: 6, count: 120)
    let all = try #require(
      few.layer("streams")?.lineCount(
        in: few.desk.camera.visible, at: few.desk.camera.pageDetail))
    #expect(all.shown == all.all)
  }

  @Test func `The cursor finds the lines that are drawn, and no others`() throws {
    let editor = try Self.editor(seed: 4)
    let desk = editor.desk
    let layer = try #require(editor.document.layers.first as? FeatureLayer)
    let looks = try #require(layer.lineLooks(at: desk.camera.detail))
    let isShown = try (0..<layer.blocks.count).map { try #require(looks.shown(part: $0)) }
    var found = 0
    for x in stride(from: 1.0, to: 19, by: 0.35) {
      for reference in desk.features(near: Coordinate(x: x, y: 5)) {
        let place = try #require(layer.position(of: reference.feature))
        #expect(isShown[place.block](place.row))
        found += 1
      }
    }
    #expect(found > 5)
  }

  @Test func `Weights and thinning are kept in the archive and undone`() throws {
    var editor = try Self.editor(seed: 5, count: 4)
    try editor.run("style streams --weight light --thin no")
    let bytes = try DocumentArchive.bytes(of: editor.document)
    let again = try DocumentArchive.open(bytes).document
    #expect(again.layers[0].style.content == editor.document.layers[0].style.content)
    #expect(again.layers[0].style.mark.weight == .light)
    try editor.run("style streams --weight auto --thin yes")
    #expect(editor.layer("streams")?.style.isWeightChosen == false)
    for _ in 0..<2 { try editor.run("undo") }
    #expect(!editor.desk.isEdited)
  }

  @Test func `Sizes come from numbers, unset a chosen weight, and are told in the legend`() throws {
    var editor = try Self.editor(seed: 6, count: 20)
    try editor.run("style streams --weight light")
    #expect(throws: EditingError.self) { try editor.run("style streams --size-by name") }
    #expect(LegendPanel.entries(editor.desk).first?.note == "")
    try editor.run("style streams --size-by scalerank")
    #expect(editor.layer("streams")?.style.isWeightChosen == false)
    #expect(LegendPanel.entries(editor.desk).first?.note == "size by scalerank")
    try editor.run("style streams --size-by none")
    #expect(LegendPanel.entries(editor.desk).first?.note == "by scalerank")
  }

  @Test func `Bold lines have twice as many dots as normal ones, light ones fewer`() throws {
    func dots(_ weight: MarkStyle.Weight) -> Int {
      let camera = Camera(
        plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 2,
        size: CellSize(columns: 40, rows: 12))
      var canvas = CellCanvas(camera: camera, memory: RenderMemory())
      let style = MarkStyle(stroke: Colour(red: 0, green: 0, blue: 0)).with(weight: weight)
      let line = [Coordinate(x: -10, y: -3), Coordinate(x: 9, y: 6)]
      canvas.draw(.geometry(.line(line), style: style))
      var frame = Frame(size: camera.size)
      canvas.compose(into: &frame, at: frame.bounds)
      return frame.plainText().unicodeScalars
        .filter { (0x2800...0x28FF).contains($0.value) }
        .reduce(0) { $0 + ($1.value & 0xFF).nonzeroBitCount }
    }
    #expect(dots(.bold) == 2 * dots(.normal) && 10 * dots(.light) < 6 * dots(.normal))
  }
}
