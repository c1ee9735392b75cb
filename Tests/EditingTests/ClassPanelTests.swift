import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The panel of classes: `:classes`.
@Suite struct ClassPanelTests {
  private static func editor() throws -> Editor {
    var document = Document()
    var plots = FeatureLayer(
      id: LayerID(document.makeID()), name: "plots", style: .standard(forDimension: 2, index: 0))
    for number in 0..<40 {
      let (x, y) = (Double(number % 8 * 10), Double(number / 8 * 10))
      let corners = [(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)]
      _ = plots.add(
        geometry: .polygon([corners.map { Coordinate(x: $0.0, y: $0.1) }]),
        attributes: [
          ("n", .number("\(number * number)")), ("soil", .string(["sand", "clay"][number % 2])),
          ("few", .number("\(number % 3)")), ("-odd name", .string("x \(number % 4)")),
        ])
    }
    document.layers = [plots]
    var editor = Editor(document, size: CellSize(columns: 100, rows: 40))
    try editor.run("legend on")
    return editor
  }

  private static func frame(_ editor: Editor) -> Frame {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
  }

  private static func style(_ editor: Editor) -> Style? { editor.document.layers.first?.style }

  @Test(arguments: ["<esc>", "l<ret>"])
  func `From the list of layers it leads back there`(keys: String) throws {
    var editor = try Self.editor()
    try editor.press("<tab>c")
    #expect(editor.desk.classPanel != nil)
    try editor.press(keys)
    #expect(editor.desk.mode == .layers)
  }

  @Test func `The map shows the choices at once; Enter takes them in one step`() throws {
    var editor = try Self.editor()
    let former = try #require(Self.style(editor))
    try editor.run("classes")
    let before = Self.frame(editor)
    try editor.press("l")
    #expect(editor.desk.classPanel?.value(of: .attribute) == "n")
    #expect(editor.desk.classPanel?.word == "5 classes of n by quantile")
    #expect(Self.style(editor) === former && !editor.desk.isEdited)
    #expect(Self.frame(editor) != before)
    #expect(LegendPanel.entries(editor.desk).count == 6)
    try editor.press("jljjl")
    #expect(editor.desk.classPanel?.value(of: .colours) == "magma")
    try editor.press("<ret>")
    #expect(editor.desk.mode == .normal && editor.desk.classPanel == nil)
    let classes = try #require(Self.style(editor)?.classes)
    #expect(classes.field == "n" && classes.looks.count == 5)
    #expect(classes.looks.map(\.colour) == ColourRamp.named("magma")?.colours(5).map { $0 })
    var scripted = try Self.editor()
    try scripted.run("style --by n --method equal --classes 5 --ramp magma")
    #expect(Self.style(scripted)?.content == Self.style(editor)?.content)
    try editor.run("undo")
    #expect(!editor.desk.isEdited && Self.style(editor) === former)
  }

  @Test(arguments: 0..<60)
  func `Esc leaves all as it was, Enter is what the style command does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = try Self.editor()
    if Bool.random(using: &random) { try editor.run("style --by few --ramp reds --reverse") }
    editor.desk.message = nil
    let former = try #require(Self.style(editor))
    let steps = editor.desk.history.past.count
    let before = Self.frame(editor)
    try editor.run("classes")
    for _ in 0..<Int.random(in: 0...25, using: &random) {
      let keys = ["j", "k", "l", "h", "3l", "<space>", "<tab>"]
      try editor.press(keys[Int.random(in: 0..<keys.count, using: &random)])
      _ = Self.frame(editor)
    }
    let panel = try #require(editor.desk.classPanel)
    #expect(Self.style(editor) === former && editor.desk.history.past.count == steps)
    var other = editor
    try other.press("<esc>")
    other.desk.message = nil
    #expect(Self.style(other) === former && other.desk.history.past.count == steps)
    #expect(Self.frame(other) == before)
    try editor.press("<ret>")
    guard panel.isChanged else { return #expect(editor.desk.history.past.count == steps) }
    #expect(editor.desk.history.past.count == steps + 1)
    try other.run(
      "style " + panel.arguments.map { "'\($0)'" }.joined(separator: " "))
    #expect(Self.style(other)?.content == Self.style(editor)?.content)
    try editor.run("undo")
    #expect(Self.style(editor) === former)
  }

  @Test func `Classes that no method makes stay as they are while their colours change`() throws {
    for line in [
      "style --by n --breaks 0,10,500,2000", "style --by n --classes 4 --method jenks",
      "style --by n --classes 3 --method equal --ramp cividis", "style --by few",
    ] {
      var editor = try Self.editor()
      try editor.run(line)
      if line.contains("jenks") {
        try editor.run("style --class 2 --title middle --fill '#123456'")
      }
      let former = try #require(Self.style(editor)?.classes)
      try editor.run("classes")
      let isKept = line.contains("breaks") || line.contains("jenks")
      let panel = try #require(editor.desk.classPanel)
      #expect(
        panel.value(of: .method)
          == (isKept ? "as they are" : line.contains("equal") ? "equal" : "each value"), "\(line)")
      let row = try #require(panel.rows.firstIndex(of: .colours))
      try editor.press(String(repeating: "j", count: row) + "l")
      #expect(editor.desk.classPanel?.isChanged == true)
      try editor.press("<ret>")
      let classes = try #require(Self.style(editor)?.classes)
      #expect(classes.scheme == former.scheme && classes.field == former.field, "\(line)")
      #expect(classes.looks.map(\.title) == former.looks.map(\.title))
      #expect(classes.looks.map(\.colour) != former.looks.map(\.colour))
    }
  }

  @Test func `The panel needs a layer with features that may be changed`() throws {
    var editor = try Self.editor()
    try editor.run("lock plots")
    #expect(throws: EditingError.self) { try editor.run("classes") }
    try editor.run("unlock plots")
    try editor.run("new-layer empty")
    #expect(throws: EditingError.self) { try editor.run("classes") }
    #expect(throws: EditingError.self) { try editor.run("classes accept") }
  }

  @Test func `A line is chosen with the mouse too`() throws {
    var editor = try Self.editor()
    try editor.run("classes")
    try editor.press("l")
    let panel = try #require(editor.desk.classPanel)
    let area = ClassOverlay.area(panel, in: editor.desk.layout.map).inset(by: 1)
    let event = MouseEvent(
      action: .press, button: 1, column: area.column + 3, row: area.row + 2)
    _ = editor.desk.handle(.terminal(.mouse(event)))
    #expect(editor.desk.classPanel?.row == .classes)
    _ = editor.desk.handle(.terminal(.mouse(event)))
    #expect(editor.desk.classPanel?.value(of: .classes) == "6")
  }
}
