import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// The samples of the legend are as legible as the signs on the map.
@Suite struct LegendSampleTests {
  @Test(arguments: [Ground.dark, .light], [ColourDepth.trueColour, .indexed])
  func `The sign of every class of every ramp stands out from the ground`(
    ground: Ground, depth: ColourDepth
  ) throws {
    let look = ScreenLook(
      capabilities: ScreenCapabilities(depth: depth, isUnicode: true, ground: ground))
    for ramp in ColourRamp.all {
      for colour in ramp.colours(9) {
        for dimension in [0, 1] {
          var mark = MarkStyle(stroke: colour, symbol: "●")
          mark.showsValue = true
          let sample = look.sample(LegendEntry(text: "", mark: mark, dimension: dimension))
          let shown = Palette.contrast(sample.style.foreground, ground.colour)
          #expect(shown >= 2.95, "\(ramp.name) \(colour.hex): \(shown)")
        }
      }
    }
  }

  @Test func `Where ranges have no room, the lower bounds tell the classes apart`() throws {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: .standard(forDimension: 0, index: 0))
    for number in 0..<60 {
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(number), y: 1)),
        attributes: [("n", .number("\(number * 70_000 + 140)"))])
    }
    document.layers = [layer]
    var editor = Editor(document, size: CellSize(columns: 80, rows: 24))
    try editor.run("style towns --by n --classes 20")
    var memory = RenderMemory()
    let text = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
      .plainText(.unicode)
    #expect(text.contains("140+"))
    #expect(text.contains("2.1M+"))
    // With the room for it, all of a range is told.
    try editor.run("style towns --by n --classes 3")
    let short = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
      .plainText(.unicode)
    #expect(short.contains("140 – "))
  }
}
