import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Looks by the values of an attribute: `style LAYER --by FIELD`.
@Suite struct StyleClassCommandTests {
  /// A layer of squares beside each other with numbers, words and gaps.
  private static func editor(
    count: Int = 40, size: CellSize = CellSize(columns: 80, rows: 24)
  ) throws -> Editor {
    var document = Document()
    var plots = FeatureLayer(
      id: LayerID(document.makeID()), name: "plots", style: .standard(forDimension: 2, index: 0))
    for number in 0..<count {
      let (x, y) = (Double(number % 8 * 10), Double(number / 8 * 10))
      let soil = ["sand", "clay", "rock"][number % 3]
      let corners = [(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)]
      _ = plots.add(
        geometry: .polygon([corners.map(Coordinate.init(pair:))]),
        attributes: [
          ("n", number == 7 ? .missing : .number("\(number * number)")),
          ("soil", number == 5 ? .null : .string(soil)), ("name", .string("Plot \(number)")),
        ])
    }
    document.layers = [plots]
    return Editor(document, size: size)
  }

  private static func classes(_ editor: Editor) -> StyleClasses? {
    editor.desk.document.layers.first?.style.classes
  }

  @Test func `A class has lines in the legend for the kinds of its own features`() throws {
    var document = Document()
    var mixed = FeatureLayer(
      id: LayerID(document.makeID()), name: "mixed", style: .standard(forDimension: 0, index: 0))
    func add(_ geometry: Geometry, _ kind: String) {
      _ = mixed.add(geometry: geometry, attributes: [("k", .string(kind))])
    }
    add(.point(Coordinate(x: 1, y: 1)), "a")
    add(.point(Coordinate(x: 2, y: 1)), "b")
    add(.polygon([[(0, 0), (3, 0), (3, 3), (0, 0)].map(Coordinate.init(pair:))]), "b")
    add(.line([(0, 0), (3, 0)].map(Coordinate.init(pair:))), "c")
    document.layers = [mixed]
    var editor = Editor(document)
    try editor.run("style --by k")
    let legend = editor.document.layers[0].legend(in: nil).dropFirst()
    #expect(legend.map { "\($0.text)\($0.dimension)" } == ["b0", "b2", "a0", "c1"])
  }

  @Test func `Values, classes and one look again; each is one step of undo`() throws {
    var editor = try Self.editor()
    try editor.run("style --by soil")
    #expect(editor.message == "plots: 4 values of soil")
    let values = try #require(Self.classes(editor))
    #expect(
      values.scheme == .values([.string("sand"), .string("clay"), .string("rock"), .missing]))
    try editor.run("style --by n --classes 4 --method equal --ramp magma")
    #expect(editor.message == "plots: 4 classes of n by equal")
    #expect(Self.classes(editor)?.scheme == .breaks([0, 380.25, 760.5, 1140.75, 1521]))
    #expect(Self.classes(editor)?.looks.map(\.colour) == ColourRamp.named("magma")?.colours(4))
    try editor.run("style --ramp viridis --reverse")
    #expect(
      Self.classes(editor)?.looks.map(\.colour)
        == ColourRamp.all[0].colours(4, isReversed: true).map { $0 })
    try editor.run("style --class 2 --fill #112233 --title middling")
    #expect(Self.classes(editor)?.looks[1].colour == Colour(red: 0x11, green: 0x22, blue: 0x33))
    try editor.run("style --class no-value --fill none")
    #expect(Self.classes(editor)?.noValue.colour == nil)
    let legend = editor.desk.document.layers[0].legend(in: nil)
    #expect(
      legend.map(\.text)
        == ["plots", "0 – 380", "middling", "761 – 1141", "1141 – 1521", "no value"])
    try editor.run("style --breaks 0,100,2000")
    #expect(Self.classes(editor)?.scheme == .breaks([0, 100, 2000]))
    try editor.run("style --by none")
    #expect(Self.classes(editor) == nil)
    for _ in 0..<7 { try editor.run("undo") }
    #expect(Self.classes(editor) == nil && !editor.desk.isEdited)
  }

  @Test(arguments: [
    ("style --classes 3", "--by"), ("style --by nonsense", "no attribute"),
    ("style --by soil --method equal", "has no numbers"), ("style --class 1 --fill red", "--by"),
    ("style --by n --classes 61", "1 to 60"), ("style --by n --ramp rainbow", "viridis"),
    ("style --by n --breaks 3,2", "rising"), ("style --by n --breaks 1,x", "rising"),
    ("style --by n --breaks 1,2 --classes 3", "leave out"), ("style --title x", "--class"),
    ("style --ramp magma", "--by"), ("style --by none --ramp magma", "leave out"),
    ("style --class 1 --fill red --stroke red", "one colour"),
    ("style --by soil --breaks 1,2", "leave out --breaks"),
  ])
  func `What cannot be is told, and changes nothing`(line: String, words: String) throws {
    var editor = try Self.editor()
    let error = #expect(throws: (any Error).self) { try editor.run(line) }
    let text = error.map { String(describing: $0) } ?? ""
    #expect(text.contains(words) || editor.message.contains(words), "\(text)")
    #expect(Self.classes(editor) == nil && !editor.desk.isEdited)
  }

  @Test(arguments: [
    ("2000,3000", ", but no value is in one: all 39 lie below 2000"),
    ("-9,-1", ", but no value is in one: all 39 lie above -1"),
    ("2.1,2.2", ", but no value is in one: 2 lie below 2.1, 37 lie above 2.2"),
    ("0,1521", ""), ("1,2000", "; of 39 values 1 lies below 1"),
    ("1,1500", "; of 39 values 1 lies below 1, 1 lies above 1500"),
  ])
  func `Given breaks that leave values out are told`(bounds: String, words: String) throws {
    var editor = try Self.editor()
    try editor.run("style --by n --breaks=\(bounds)")
    #expect(editor.message == "plots: 1 class of n by the given breaks in viridis\(words)")
    #expect(Self.classes(editor)?.looks.count == 1)
  }

  @Test func `Few numbers have a class each in rising order, and a ramp is offered`() throws {
    var editor = try Self.editor(count: 5)
    try editor.run("style --by n")
    #expect(
      editor.message == "plots: 5 values of n, unordered colours: --classes N gives a ramp")
    let legend = editor.desk.document.layers[0].legend(in: nil)
    #expect(legend.map(\.text) == ["plots", "0", "1", "4", "9", "16"])
    try editor.run("style --by n --ramp magma")
    #expect(editor.message == "plots: 5 values of n")
  }

  @Test func `A layer without features has no classes`() throws {
    var editor = try Self.editor(count: 0)
    let error = #expect(throws: (any Error).self) { try editor.run("style --by n") }
    #expect(error.map { String(describing: $0).contains("no features") } ?? false)
    #expect(!editor.desk.isEdited)
  }

  @Test func `A document keeps the classes`() throws {
    var editor = try Self.editor()
    try editor.run("style --by n --classes 5 --method jenks")
    try editor.run("style --class 1 --title small --symbol ○ --pattern dense")
    let bytes = try DocumentArchive.bytes(of: editor.desk.document)
    let again = try DocumentArchive.open(bytes).document
    #expect(again.layers[0].style.content == editor.desk.document.layers[0].style.content)
    #expect(try DocumentArchive.bytes(of: again) == bytes)
  }

  @Test func `Features are drawn and picked as before, in the colours of their classes`() throws {
    var plain = try Self.editor()
    try plain.run("style --fill #202020")
    var editor = plain
    try editor.run("style --by n --classes 4")
    func cells(_ editor: Editor) -> (texts: [String], fills: Set<TerminalColour>) {
      var canvas = CellCanvas(
        camera: editor.desk.camera, memory: RenderMemory(), blocks: EdgeBlocks.none)
      editor.desk.document.layers[0].draw(on: &canvas, labelPriority: 0)
      let size = editor.desk.camera.size
      var frame = Frame(size: size)
      canvas.compose(
        into: &frame,
        at: CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows))
      var texts: [String] = []
      var fills = Set<TerminalColour>()
      for row in 0..<size.rows {
        for column in 0..<size.columns {
          texts.append(frame.text(of: frame[column, row].glyph))
          fills.insert(frame[column, row].style.background)
        }
      }
      return (texts, fills)
    }
    #expect(cells(plain).texts == cells(editor).texts)
    #expect(
      cells(editor).fills.isSuperset(of: ColourRamp.all[0].colours(4).map { TerminalColour($0) }))
    for place in ["5 5", "35 25", "75 45", "55 5"] {
      try plain.run("go to \(place)")
      try editor.run("go to \(place)")
      #expect(plain.desk.featuresHere == editor.desk.featuresHere)
      #expect(!editor.desk.featuresHere.isEmpty)
    }
  }

  @Test(arguments: ColourRamp.all.prefix(2), [ColourDepth.eight, .sixteen])
  func `With few colours classes are patterns, told apart without them`(
    ramp: ColourRamp, depth: ColourDepth
  ) throws {
    var editor = try Self.editor(size: CellSize(columns: 140, rows: 50))
    try editor.run("style --by n --classes 5 --ramp \(ramp.name)")
    editor.desk.session.capabilities = ScreenCapabilities(depth: depth, isUnicode: true)
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    let map = frame.part(editor.desk.mapArea)
    // The cursor alone has a ground of its own.
    #expect(map.cells.count { !$0.style.background.isStandard } <= 1)
    let look = editor.desk.look
    let samples = editor.desk.document.layers[0].legend(in: nil).dropFirst().prefix(5)
      .map { look.sample($0).text }
    #expect(Set(samples).count == samples.count, "\(samples)")
  }

  @Test(arguments: [ColourDepth.indexed, .trueColour])
  func `Labels upon classes have a contrast of 4,5 to 1 in every theme`(depth: ColourDepth) throws {
    for ramp in ColourRamp.all {
      var editor = try Self.editor(size: CellSize(columns: 140, rows: 50))
      try editor.run("style --by n --classes 6 --ramp \(ramp.name)")
      try editor.run("label --field name")
      var memory = RenderMemory()
      for theme in Theme.all where theme.ground != nil {
        editor.desk.session.capabilities = ScreenCapabilities(depth: depth, isUnicode: true)
        editor.desk.session.capabilities.apply(theme)
        let size = editor.desk.screenSize
        let frame = editor.desk.frame(size: size, memory: &memory)
        let area = editor.desk.mapArea
        var seen = 0
        for row in area.row..<area.row + area.rows {
          for column in area.column..<area.column + area.columns {
            let cell = frame[column, row]
            let text = frame.text(of: cell.glyph)
            guard text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic }),
              !cell.style.background.isStandard, !cell.style.attributes.contains(.reverse)
            else { continue }
            seen += 1
            let contrast = Palette.contrast(
              Self.shown(cell.style.foreground, depth), Self.shown(cell.style.background, depth))
            #expect(
              contrast >= 4.5,
              "\(ramp.name) \(theme.name) at \(column),\(row): \(text)")
          }
        }
        #expect(seen > 20)
      }
    }
  }

  private static func shown(_ colour: TerminalColour, _ depth: ColourDepth) -> TerminalColour {
    switch depth {
    case .mono: colour
    case .eight: Palette.colour(at: Palette.eight(colour))
    case .sixteen: Palette.colour(at: Palette.sixteen(colour))
    case .indexed: Palette.colour(at: Palette.indexed(colour))
    case .trueColour: colour
    }
  }
}
