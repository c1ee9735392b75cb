import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// The letters of names on pages, and the patterns of screens that have letters alone.
@Suite struct PageLetteringTests {
  /// The names on a page, with the look of their letters.
  private struct Reader: PagePainter {
    let layers: [any Layer]
    let ink: GroundInk
    var names: [(label: PageLabel, lettering: PageLettering)] = []

    mutating func begin(_ part: PagePart) {}
    mutating func end(_ part: PagePart) {}
    mutating func paint(_ shape: PageShape) {}
    mutating func paint(_ sign: PageSign) {}
    mutating func paint(dots: [PagePoint], style: MarkStyle) {}
    mutating func paint(_ label: PageLabel) {
      names.append((label, PageLettering(label, of: layers, ink, on: ink.paper)))
    }
  }

  private static func names(_ editor: Editor, _ ground: Ground = .light) -> Reader {
    var canvas = PageCanvas(camera: editor.desk.camera, memory: RenderMemory())
    for (number, layer) in editor.document.layers.enumerated() {
      canvas.beginLayer(number)
      layer.draw(on: &canvas, labelPriority: editor.document.layers.count - number)
    }
    var reader = Reader(layers: editor.document.layers, ink: GroundInk(ground))
    canvas.compose(on: &reader, at: PagePoint(x: 0, y: 0))
    return reader
  }

  private static func document(_ random: inout SeededGenerator, areas: Bool) -> Document {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: areas ? "plots" : "towns",
      style: .standard(forDimension: areas ? 2 : 0, index: 0, labelField: "name"))
    for number in 0..<12 {
      let (x, y) = (Double(number % 4) * 20, Double(number / 4) * 20)
      let place = Coordinate(
        x: x + .random(in: 2...8, using: &random), y: y + .random(in: 2...8, using: &random))
      let corners = [(x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20), (x, y)]
      _ = layer.add(
        geometry: areas
          ? .polygon([corners.map { Coordinate(x: $0.0, y: $0.1) }]) : .point(place),
        attributes: [
          ("name", .string("Name \(number)")),
          ("population", .number("\(Int.random(in: 1...1000, using: &random) * 1000)")),
        ])
    }
    document.layers = [layer]
    return document
  }

  @Test(arguments: Seeds.some(20))
  func `The greater sign has the larger letters`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Editor(
      Self.document(&random, areas: false), size: CellSize(columns: 200, rows: 60))
    try editor.run("style towns --rank population")
    try editor.run("fit")
    let names = Self.names(editor).names
    #expect(names.count > 6)
    let sizes = ["·": 9.0, "•": 9.5, "●": 10]
    for (label, lettering) in names {
      #expect(lettering.size == sizes[label.style.symbol], "\(label.text) \(label.style.symbol)")
    }
    try editor.run("style towns --symbol ●")
    #expect(Self.names(editor).names.allSatisfy { $0.lettering.size == 9.5 })
  }

  @Test(arguments: Seeds.some(20))
  func `Areas have capitals, in black or white upon the colour of their class`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let ramp = try #require(ColourRamp.all.randomElement(using: &random))
    let ground = try #require(Ground.allCases.randomElement(using: &random))
    var editor = Editor(
      Self.document(&random, areas: true), size: CellSize(columns: 200, rows: 60))
    try editor.run("fit")
    let plain = Self.names(editor, ground).names
    #expect(plain.count > 6 && plain.allSatisfy { $0.label.text == $0.label.text.uppercased() })
    try editor.run("style plots --by population --classes 5 --ramp \(ramp.name)")
    let names = Self.names(editor, ground).names
    #expect(names.contains { $0.label.hasOneGround })
    for (label, lettering) in names where !label.isBeside {
      // Upon several classes none has the letters alone.
      let own = label.hasOneGround ? label.style.fill : GroundInk(ground).paper
      #expect(lettering.halo == own)
      let contrast = Palette.contrast(
        TerminalColour(lettering.colour), TerminalColour(lettering.halo))
      #expect(contrast >= 4.58, "\(ramp.name) \(lettering.halo.hex)")
    }
  }

  @Test(arguments: Seeds.some(20))
  func `No town has larger letters than an area, and all names stand out from their ground`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var document = Self.document(&random, areas: true)
    var towns = try #require(
      Self.document(&random, areas: false).layers.first?
        .renumbered(LayerID(document.makeID()), name: "towns", parent: nil))
    towns.style = towns.style.changed { $0.rankField = "population" }
    document.layers.append(towns)
    var editor = Editor(document, size: CellSize(columns: 200, rows: 60))
    try editor.run("fit")
    if Bool.random(using: &random) {
      let ramp = try #require(ColourRamp.all.randomElement(using: &random))
      try editor.run("style plots --by population --classes 5 --ramp \(ramp.name)")
    }
    let ground = try #require(Ground.allCases.randomElement(using: &random))
    let names = Self.names(editor, ground).names
    let least = names.filter { $0.label.isCapital }.map(\.lettering.size).min() ?? .infinity
    #expect(names.filter { $0.label.layer == 1 }.allSatisfy { $0.lettering.size <= least })
    #expect(names.contains { $0.label.layer == 1 && $0.label.ground != nil })
    for (label, lettering) in names {
      let contrast = Palette.contrast(
        TerminalColour(lettering.colour), TerminalColour(lettering.halo))
      #expect(contrast >= 4.5, "\(label.text)")
    }
  }

  @Test(arguments: 2...6)
  func `Where cells show letters, the map has those of the legend`(count: Int) throws {
    var random = SeededGenerator(seed: 5)
    var editor = Editor(
      Self.document(&random, areas: true), size: CellSize(columns: 120, rows: 40))
    editor.desk.session.capabilities = ScreenCapabilities(depth: .mono, isUnicode: false)
    try editor.run("style plots --label none")
    try editor.run("style plots --by population --classes \(count)")
    try editor.run("fit")
    let look = editor.desk.look
    let camera = editor.desk.camera
    let area = editor.desk.mapArea
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    let layer = try #require(editor.document.layers.first as? FeatureLayer)
    let classes = try #require(layer.style.classes)
    for block in layer.blocks {
      for row in 0..<block.rowCount {
        let box = block.geometry.boxes[row]
        // Beside the middle, where the cursor may be.
        let place = Coordinate(x: box.minX + box.width * 0.3, y: box.minY + box.height * 0.3)
        let cell = try #require(camera.cell(at: place))
        let group = classes.group(of: block.attribute("population", row: row))
        let entry = LegendEntry(
          text: "", mark: classes.mark(ofGroup: group, layer.style.mark), dimension: 2)
        let sample = look.sample(entry).text
        let shown = frame.text(of: frame[area.column + cell.column, area.row + cell.row].glyph)
        #expect(sample == "[]" ? shown == " " : sample == shown + shown, "\(sample) \(shown)")
      }
    }
  }
}
