import Archiving
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// A layer of a kind that no list holds: it draws points, and they can be picked.
private struct NoteLayer: Layer {
  static let archivedClass = ArchivedClass("PortolanNoteLayer", superclass: "PortolanLayer")
  let id: LayerID
  var name = "notes"
  var isVisible = true
  var isLocked = false
  var parent: LayerID?
  var style = Style(
    name: "", mark: MarkStyle(stroke: Colour(red: 255, green: 255, blue: 255), symbol: "N"))
  var block: GeometryBlock

  init(id: LayerID, at place: Coordinate) {
    self.id = id
    let layer = LayerKinds.features(id, name: "")
    var points = layer
    _ = points.add(geometry: .point(place), attributes: [])
    block = points.blocks[0].geometry
  }

  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }
  func encode(with coder: any EncodingCoder) throws {}

  var kindCode: String { "note" }
  var count: Int { block.featureCount }
  var extent: Box { block.box }
  var parts: [AnyObject] { [style, block] }
  func legend(in visible: Box?) -> [LegendEntry] {
    [LegendEntry(text: "a note", mark: style.mark, dimension: 0)]
  }

  func draw(on canvas: inout some Canvas, labelPriority priority: Int) {
    canvas.draw(.block(block, style: style.mark, hidden: []))
  }

  func featureIDs(of block: GeometryBlock) -> [FeatureID]? {
    block === self.block ? [FeatureID(1)] : nil
  }

  func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> NoteLayer { self }
}

/// What a new kind of layer gets from the editor without a change of it.
@Suite struct LayerKindTests {
  private func document(at place: Coordinate) -> Document {
    var document = Document.towns
    document.layers.append(NoteLayer(id: LayerID(document.makeID()), at: place))
    return document
  }

  private func text(_ desk: Desk, _ memory: inout RenderMemory) -> String {
    var frame = Frame(size: CellSize(columns: 80, rows: 24))
    MapPane().draw(desk, in: frame.bounds, memory: &memory, on: &frame)
    return frame.plainText(.unicode)
  }

  @Test func `It is drawn, and drawn anew when its content is another`() throws {
    var memory = RenderMemory()
    var editor = Editor(document(at: Coordinate(x: 12, y: 11)))
    let first = text(editor.desk, &memory)
    #expect(first.contains("N"))
    let id = try #require(editor.document.layers.last).id
    try editor.desk.edit("move the note") {
      $0[layer: id] = NoteLayer(id: id, at: Coordinate(x: -5, y: -2))
    }
    let second = text(editor.desk, &memory)
    #expect(second.contains("N") && second != first)
    try editor.press("u")
    #expect(text(editor.desk, &memory) == first)
  }

  @Test func `It is picked where it is drawn, on the screen and in a script`() throws {
    var editor = Editor(document(at: Coordinate(x: 12, y: 11)))
    let id = try #require(editor.document.layers.last).id
    let note = FeatureReference(layer: id, feature: FeatureID(1))
    #expect(editor.desk.features(near: Coordinate(x: 12, y: 11)).first == note)
    #expect(!editor.desk.features(near: Coordinate(x: -5, y: 4)).contains(note))
    try editor.desk.edit("lock") { $0[layer: id]?.isLocked = true }
    #expect(!editor.desk.features(near: Coordinate(x: 12, y: 11)).contains(note))
  }

  @Test func `Legend, overview and picture show it`() throws {
    let editor = Editor(document(at: Coordinate(x: 12, y: 11)))
    #expect(LegendPanel.entries(editor.desk).first?.text == "a note")
    #expect(PictureRequest.legend(of: editor.document).first?.text == "a note")
    let with = try overview(editor.document)
    let without = try overview(.towns)
    #expect(with != without)
  }

  /// The overview alone, of a document that reaches as far with the note as without it.
  private func overview(_ document: Document) throws -> String {
    let editor = Editor(document)
    var memory = RenderMemory()
    var frame = Frame(size: CellSize(columns: 40, rows: 20))
    OverviewPanel.draw(editor.desk, in: frame.bounds, memory: &memory, on: &frame)
    return frame.plainText(.unicode)
  }

  @Test func `Layers of a document come with their groups`() throws {
    var foreign = Document.towns
    try foreign.group([foreign.layers[0].id, foreign.layers[1].id], named: "ground")
    var editor = Editor()
    let job = editor.desk.startJob("import")
    let data = ImportedData(path: "other.doc", layers: foreign.layers, isStyled: true)
    _ = editor.desk.handle(.imported(job, data))
    let groups = editor.document.layers.map { editor.document.groups(around: $0).map(\.name) }
    #expect(groups == [[], [], [], ["ground"], ["ground"], [], []])
    #expect(editor.document.layers.suffix(2).map(\.name) == ["ground", "towns 2"])
    #expect(editor.desk.active?.name == "towns 2")
    try editor.press("u")
    #expect(editor.document.layers.count == 3)
  }
}
