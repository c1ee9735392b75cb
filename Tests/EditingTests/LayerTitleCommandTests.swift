import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// `title LAYER TEXT`: shown in legends, kept in the document, undone in one step.
@Suite struct LayerTitleCommandTests {
  @Test(arguments: Seeds.some(20))
  func `A title is shown and comes back through save and open`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["Städte", "of", "Europe", "<&>", "two", "“x”"]
    let title = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }
      .joined(separator: " ")
    var editor = Editor()
    try editor.run("title towns \(title)")
    #expect(editor.message == "towns: “\(title)”")
    let opened = try DocumentArchive.open(DocumentArchive.bytes(of: editor.document)).document
    #expect(opened.layers.map(\.title) == editor.document.layers.map(\.title))
    let texts = PictureRequest.legend(of: opened).map(\.text)
    #expect(texts.contains(title) && !texts.contains("towns"))
    try editor.run("layer roads")
    try editor.run("layer '\(title)'")
    #expect(editor.desk.active?.name == "towns")
    try editor.run("undo")
    #expect(editor.layer("towns")?.title == "" && !editor.desk.isEdited)
  }

  @Test func `Without a text a layer has the title of its name`() throws {
    var editor = Editor()
    try editor.run("rename ne_110m_populated_places.geojson")
    try editor.run("title ne_110m_populated_places.geojson Places")
    try editor.run("title Places")
    #expect(editor.message == "ne_110m_populated_places.geojson: “populated places”")
    let texts = PictureRequest.legend(of: editor.document).map(\.text)
    #expect(texts.contains("populated places"))
  }

  @Test func `The panel of layers shows the title that was given`() throws {
    var editor = Editor(size: CellSize(columns: 110, rows: 30))
    try editor.run("title towns Great places")
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: CellSize(columns: 110, rows: 30), memory: &memory)
    let lines = frame.plainText(.unicode).split(separator: "\n")
    #expect(lines.count { $0.contains("Great places") } >= 2)
  }
}
