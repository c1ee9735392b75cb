import Archiving
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Layers that are shown at some zooms: `style LAYER --min-zoom Z --max-zoom Z`.
@Suite struct ZoomBoundsTests {
  private static func editor() throws -> Editor {
    var editor = Editor(size: CellSize(columns: 110, rows: 40))
    try editor.run("legend on")
    return editor
  }

  /// The frame as lines of text.
  private static func lines(_ editor: Editor) -> [String] {
    var memory = RenderMemory()
    let size = editor.desk.screenSize
    let frame = editor.desk.frame(size: size, memory: &memory)
    return (0..<size.rows).map { row in
      (0..<size.columns).map { frame.text(of: frame[$0, row].glyph) }.joined()
    }
  }

  @Test func `Bounds are set and taken away, each as one step of undo`() throws {
    var editor = try Self.editor()
    let old = try #require(editor.layer("towns")?.style)
    try editor.run("style towns --min-zoom 5.3")
    #expect(editor.message.contains("towns: shown from zoom 5.3; hidden at this zoom"))
    try editor.run("style towns --max-zoom 9")
    #expect(editor.message.contains("from zoom 5.3, below 9"))
    #expect(editor.layer("towns")?.zooms == ZoomBounds(least: pow2(5.3), greatest: 512))
    try editor.run("style towns --min-zoom none")
    #expect(editor.layer("towns")?.zooms == ZoomBounds(least: nil, greatest: 512))
    #expect(editor.layer("towns")?.style === old)
    try editor.run("style towns --max-zoom none")
    #expect(editor.message == "towns: shown at all zooms")
    for _ in 0..<4 { try editor.run("undo") }
    #expect(!editor.desk.isEdited && editor.layer("towns")?.zooms == .all)
    try editor.run("style towns --stroke red --min-zoom 3")
    try editor.run("undo")
    #expect(!editor.desk.isEdited)
  }

  @Test(arguments: [
    "style towns --min-zoom 5 --max-zoom 5", "style towns --min-zoom 9 --max-zoom 2",
    "style towns --min-zoom x", "style towns --max-zoom nan", "style towns --min-zoom 1e9",
    "style towns --class 1 --min-zoom 3",
  ])
  func `What cannot be changes nothing`(line: String) throws {
    var editor = try Self.editor()
    #expect(throws: (any Error).self) { try editor.run(line) }
    #expect(!editor.desk.isEdited && editor.layer("towns")?.zooms == .all)
  }

  @Test func `Drawing, labels, picking and boxes obey; selected, found and named do not`() throws {
    var editor = try Self.editor()
    try editor.run("label towns --field name")
    try editor.run("go name Beta")
    try editor.press("<esc>")
    #expect(!editor.desk.featuresHere.isEmpty)
    #expect(Self.lines(editor).contains { $0.contains("Beta") })
    try editor.run("style towns --min-zoom 20")
    #expect(editor.desk.featuresHere.allSatisfy { $0.layer != editor.layer("towns")?.id })
    #expect(!Self.lines(editor).dropLast().contains { $0.contains("Beta") })
    let legend = LegendPanel.entries(editor.desk)
    #expect(legend.filter(\.isAbsent).map(\.note) == ["hidden at this zoom"])
    #expect(Self.lines(editor).contains { $0.contains("hidden at this zoom") })
    try editor.run("select all")
    #expect(!editor.desk.selection.features.contains { $0.layer == editor.layer("towns")?.id })
    try editor.press("<esc>")
    try editor.run("search Beta")
    #expect(editor.selected == ["Beta"])
    try editor.run("style towns --min-zoom none")
    #expect(Self.lines(editor).contains { $0.contains("Beta") })
  }

  @Test func `A box of a layer out of its zooms says so`() throws {
    var editor = try Self.editor()
    try editor.run("style roads --min-zoom 20")
    try editor.run("layer roads")
    let box = "select-box -180 -90 180 90"
    try? editor.run(box)
    #expect(editor.desk.selection.isEmpty)
  }

  @Test func `A group hides its layers outside of its zooms`() throws {
    var editor = try Self.editor()
    try editor.run("group ways roads")
    try editor.run("style ways --min-zoom 20")
    let roads = try #require(editor.layer("roads"))
    let magnification = editor.desk.camera.magnification
    #expect(!editor.document.isInZoom(roads, at: magnification))
    #expect(editor.document.isInZoom(roads, at: pow2(20)))
    #expect(throws: EditingError.self) { try editor.run("style ways --min-zoom 3 --dash dotted") }
  }

  @Test(arguments: Seeds.some(12))
  func `A layer is shown where a zoom lies in its bounds, in the editor and in pictures`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var editor = try Self.editor()
    var bounds = (0..<2).map { _ in Double(Int.random(in: 0...44, using: &random)) / 2 }.sorted()
    if bounds[0] == bounds[1] { bounds[1] += 0.5 }
    try editor.run("style roads --min-zoom \(bounds[0]) --max-zoom \(bounds[1])")
    let road = try #require(editor.features("roads").first?.geometry.paths.first?.vertices.first)
    for _ in 0..<8 {
      let zoom = Double(Int.random(in: 0...44, using: &random)) / 2
      try editor.run("zoom to \(zoom)")
      let shown = editor.document.shownLayers(at: editor.desk.camera.magnification).map(\.name)
      let isMeant = zoom >= bounds[0] && zoom < bounds[1]
      #expect(shown.contains("roads") == isMeant, "\(zoom) in \(bounds)")
      try editor.run("render -o x.svg --legend --zoom \(zoom) --center \(road.x),\(road.y)")
      let requests = editor.effects.compactMap { effect -> PictureRequest? in
        guard case .perform(let request as RenderRequest, _) = effect else { return nil }
        return request.picture
      }
      let request = try #require(requests.last)
      #expect(request.document.shownLayers.contains { $0.name == "roads" } == isMeant)
      #expect(request.parts.legend.contains { $0.text == "roads" } == isMeant)
    }
    let bytes = try DocumentArchive.bytes(of: editor.document)
    let again = try DocumentArchive.open(bytes).document
    #expect(again.layers.map(\.zooms) == editor.document.layers.map(\.zooms))
    #expect(try DocumentArchive.bytes(of: again) == bytes)
  }

  private func pow2(_ zoom: Double) -> Double { Mathematics.power(ofTwo: zoom) }
}
