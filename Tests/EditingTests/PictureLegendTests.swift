import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// The legends of pictures: what they tell is true of the picture they stand in.
@Suite struct PictureLegendTests {
  /// Crowded points, and further layers that begin at some zooms.
  private static func document(
    _ numbers: inout SeededGenerator, name: String = "towns"
  ) -> Document {
    var document = Document()
    for index in 0...Int.random(in: 0...3, using: &numbers) {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: index == 0 ? name : "layer \(index)",
        style: .standard(forDimension: 0, index: index))
      for number in 0..<Int.random(in: 30...300, using: &numbers) {
        let place = Coordinate(
          x: Double.random(in: 0...12, using: &numbers),
          y: Double.random(in: 0...9, using: &numbers))
        _ = layer.add(geometry: .point(place), attributes: [("n", .number("\(number)"))])
      }
      let least = Double.random(in: 8...128, using: &numbers)
      if index > 0, let zooms = ZoomBounds(least: least, greatest: nil) { layer.zooms = zooms }
      document.layers.append(layer)
    }
    return document
  }

  private static func request(_ line: String, _ document: Document) throws -> PictureRequest {
    var editor = Editor(document)
    try editor.run(line)
    return try #require(
      editor.effects.lazy.compactMap { effect -> PictureRequest? in
        if case .perform(let request as RenderRequest, _) = effect { request.picture } else { nil }
      }.first)
  }

  @Test(arguments: Seeds.some(20))
  func `A legend tells the points that its picture shows`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let document = Self.document(&numbers)
    let file = try #require(["svg", "png", "html", "txt"].randomElement(using: &numbers))
    let cells = CellSize(
      columns: Int.random(in: 30...150, using: &numbers),
      rows: Int.random(in: 12...50, using: &numbers))
    let unit = file == "txt" ? 1 : 8
    let made = try Self.request(
      "render -o a.\(file) --legend --size \(unit * cells.columns)x\(unit * cells.rows) "
        + "--bbox=2,2,10,7", document)
    #expect(made.format.mapSize(in: made.size, made.parts) == made.camera.size)
    #expect(PictureRequest.legend(of: made.document, through: made.camera) == made.parts.legend)
    let shown = made.document.shownLayers
    #expect(shown.allSatisfy { made.document.isInZoom($0, at: made.camera.magnification) })
    let memory = RenderMemory()
    var canvas = CellCanvas(camera: made.camera, memory: memory, repeats: .hidden)
    MapLayers.draw(shown, on: &canvas)
    var frame = Frame(size: made.camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    let counts = try #require(memory.signCounts.values.first)
    for (layer, entry) in zip(shown.reversed(), made.parts.legend) {
      let index = try #require(shown.firstIndex { $0.id == layer.id })
      let count = try #require(counts[shown.count - index])
      let text = "\(Figures.grouped(count.shown)) of \(Figures.grouped(count.all))"
      // Few points left out are no matter.
      #expect(entry.shown == (4 * count.shown <= 3 * count.all ? text : ""))
    }
  }

  @Test func `A page for browsers tells it as well`() throws {
    var numbers = SeededGenerator(seed: 3)
    let made = try Self.request("render -o a.html --size 400x300", Self.document(&numbers))
    let page = String(
      decoding: try made.format.picture(of: made, depth: .trueColour), as: UTF8.self)
    #expect(page.contains(", thinned: "))
  }

  @Test(arguments: ["svg", "txt"])
  func `A long name leaves room for the number`(ending: String) throws {
    var numbers = SeededGenerator(seed: 4)
    let name = String(repeating: "Gemeinden ", count: 12)
    let size = ending == "svg" ? "400x300" : "44x20"
    let made = try Self.request(
      "render -o a.\(ending) --legend --size \(size)", Self.document(&numbers, name: name))
    let text = String(
      decoding: try made.format.picture(of: made, depth: .mono), as: UTF8.self)
    let shown = try #require(made.parts.legend.last?.shown)
    #expect(!shown.isEmpty)
    #expect(text.contains("…, thinned: \(shown)"))
  }

  @Test func `One long entry leaves the room of a second column`() throws {
    var numbers = SeededGenerator(seed: 6)
    var document = Self.document(&numbers, name: "a layer of towns with a long name")
    document.layers[0].style = document.layers[0].style.changed { $0.rankField = "n" }
    let made = try Self.request(
      "render -o a.svg --legend --size 900x400 --bbox=-30,-20,40,30", document)
    let text = String(
      decoding: try made.format.picture(of: made, depth: .trueColour), as: UTF8.self)
    let shown = try #require(made.parts.legend.last?.shown)
    // The field of the rank gives way to the number.
    #expect(text.contains("a layer of towns with a"))
    #expect(text.contains(", thinned: \(shown)") && !text.contains("name by n, thinned"))
    #expect(PageLayout(made.size, made.parts).legendColumns.width <= 900 / 2)
  }

  @Test func `The legend of the screen keeps the counts of classes with long names`() throws {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: .standard(forDimension: 0, index: 0))
    for number in 0..<26 {
      let kind = "A very long name of class \(number / 2)"
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(number), y: 1)), attributes: [("k", .string(kind))])
    }
    document.layers = [layer]
    var editor = Editor(document, size: CellSize(columns: 80, rows: 24))
    try editor.run("style towns --by k")
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    let text = frame.plainText(.unicode)
    #expect(text.contains("Legend"))
    #expect(text.contains(/● +A v[a-z ]*… +2/))
  }

  @Test func `Names keep off the number of a short scale bar`() throws {
    var numbers = SeededGenerator(seed: 5)
    let document = Self.document(&numbers)
    for width in stride(from: 60, to: 400, by: 20) {
      let made = try Self.request(
        "render -o a.svg --scalebar --size \(width)x300", document)
      guard let bar = ScaleBar.onPage(made) else { continue }
      let taken = try #require(ScaleBar.cells(onPage: made).first)
      #expect(Double(taken.columns) * PageCanvas.cellWidth >= 12 + bar.textWidth)
      #expect(Double(taken.columns) * PageCanvas.cellWidth >= 12 + bar.width)
    }
  }
}
