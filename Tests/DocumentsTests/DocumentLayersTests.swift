import PortolanGraphics
import Testing

@testable import PortolanDocuments

@Suite("Layers of a document")
struct DocumentLayersTests {
  private func document() -> Document {
    var document = Document()
    let style = Style.standard(forDimension: 1, index: 0)
    for name in ["a", "b", "c"] {
      document.layers.append(
        FeatureLayer(id: LayerID(document.makeID()), name: name, style: style))
    }
    return document
  }

  @Test(
    "Layers move, and stop at the ends", arguments: [(0, 2, "bca"), (2, -5, "cab"), (1, 9, "acb")])
  func move(from: Int, to: Int, order: String) throws {
    var document = document()
    try document.moveLayer(document.layers[from].id, to: to)
    #expect(document.layers.map(\.name).joined() == order)
  }

  @Test("Layers are removed; what is not there is refused, and a name is found that is free")
  func change() throws {
    var document = document()
    let id = document.layers[1].id
    try document.removeLayer(id)
    #expect(document.layers.map(\.name) == ["a", "c"])
    #expect(throws: DocumentError.self) { try document.removeLayer(id) }
    #expect(document.uniqueLayerName("a") == "a 2" && document.uniqueLayerName("b") == "b")
  }

  @Test("A shared style is replaced in every layer that has it")
  func replaceStyle() throws {
    var document = document()
    let former = document.layers[0].style
    document.layers[2].style = Style.standard(forDimension: 0, index: 1)
    let new = Style.standard(forDimension: 2, index: 3)
    document.replaceStyle(former, by: new)
    #expect(document.layers.map { $0.style === new } == [true, true, false])
  }

  @Test(
    "The attribute to label with is guessed",
    arguments: [
      (["id", "NAME", "name"], "name"), (["ID", "Title", "NAME"], "NAME"),
      (["iata", "lon"], "iata"),
      (["a", "b"], nil), ([], nil),
    ] as [([String], String?)])
  func labelField(names: [String], expected: String?) {
    #expect(LabelField.guess(names) == expected)
  }

  @Test("Standard styles of neighbours differ in more than hue")
  func styles() {
    for dimension in [0, 1, 2] {
      let marks = (0..<3).map { Style.standard(forDimension: dimension, index: $0).mark }
      #expect(Set(marks).count == 3)
      let forms = Set(marks.map { "\($0.symbol) \($0.dash) \($0.pattern)" })
      #expect(forms.count >= 2)
    }
  }

  @Test("A layer draws the blocks in view, also across the antimeridian, and then its labels")
  func drawing() {
    var layer = Samples.points(2_500)
    layer.style = Style(name: "", mark: MarkStyle(), labelField: "name", rankField: "rank")
    var canvas = RecordingCanvas(visible: Box(minX: 1_100, minY: -1_200, maxX: 1_200, maxY: 0))
    layer.draw(on: &canvas, labelPriority: 3)
    guard canvas.marks.count == 2, case .block(let block, _, _) = canvas.marks[0],
      case .labels(let labels) = canvas.marks[1]
    else {
      Issue.record("\(canvas.marks.count) marks")
      return
    }
    #expect(block === layer.blocks[1].geometry && labels.priority == 3)
    #expect(labels.text(5) == "point 1029" && labels.rank(4) == 1_028)
    canvas = RecordingCanvas(visible: Box(minX: 350, minY: -10, maxX: 370, maxY: 10))
    Samples.points(3).draw(on: &canvas, labelPriority: 0)
    // The block, and the signs of its points.
    #expect(canvas.marks.count == 2)
  }
}
