import ArgumentParser
import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// An overlay, whole in this file: nothing else knows of it.
@Suite struct OverlayTests {
  private static let kinds = Kinds(
    panes: PaneKinds.all, overlays: [Tray.self] + Overlays.all,
    commands: Commands.all + [UseTray.self])
  private static let size = CellSize(columns: 100, rows: 30)

  private func editor() throws -> Editor {
    var editor = Editor()
    editor.desk = Desk(document: .towns, screenSize: Self.size, kinds: Self.kinds)
    try editor.run("tray")
    return editor
  }

  private func frame(_ desk: Desk) -> Frame {
    var memory = RenderMemory()
    return desk.frame(size: Self.size, memory: &memory)
  }

  private func tray(_ editor: Editor) throws -> Tray {
    try #require(editor.desk.work.overlay as? Tray)
  }

  @Test func `It stands above the map and has its mode, keys and hints`() throws {
    var editor = try editor()
    let shown = frame(editor.desk)
    #expect(shown.plainText().contains("a tray") && shown.plainText().contains(" TRAY "))
    #expect(shown.cursor == nil && editor.desk.hasOverlay)
    #expect(editor.desk.hints.map(\.keys) == ["j", "/"])
    let former = editor.desk.cursor
    try editor.press("jjl")
    #expect(try tray(editor).row == 2 && editor.desk.cursor == former)
    #expect(editor.message.contains("does nothing here"))
  }

  @Test func `A line is typed in it, with the keys of lines`() throws {
    var editor = try editor()
    try editor.press("/town<left><backspace>x:")
    #expect(try tray(editor).line?.text == "tox:n")
    #expect(editor.desk.mode == Tray.mode)
    try editor.press("<esc>")
    #expect(try tray(editor).line == nil)
    try editor.press("<esc>")
    #expect(editor.desk.work.overlay == nil && editor.desk.mode == .normal)
    #expect(!frame(editor.desk).plainText().contains("a tray"))
  }

  @Test func `Its mouse never reaches the map`() throws {
    var editor = try editor()
    let former = editor.desk.viewpoint
    for action in [MouseEvent.Action.press, .drag, .release, .doubleClick, .wheelDown] {
      let event = MouseEvent(action: action, button: 1, column: 20, row: 7)
      _ = editor.desk.handle(.terminal(.mouse(event)))
    }
    #expect(try tray(editor).row == 7)
    #expect(editor.desk.viewpoint == former && editor.desk.selection.isEmpty)
  }

  @Test func `Prompt, question and help stand above it`() throws {
    var editor = try editor()
    try editor.run("help keys")
    #expect(editor.desk.mode == .help)
    editor.desk.ask(Question(title: "?", text: "Well?", choices: [.init("y", "yes")]))
    #expect(editor.desk.mode == .question)
    editor.desk.openPrompt(.command, text: "")
    #expect(editor.desk.mode == .prompt)
    try editor.press("<esc>y<esc>j")
    #expect(try tray(editor).row == 1)
  }

  @Test func `Another mode of the document takes its place`() throws {
    for line in ["attributes", "classes", "draw point", "box start", "move"] {
      var editor = try editor()
      try editor.run("select all")
      try editor.run("layer towns")
      try editor.run(line)
      #expect(editor.desk.mode != Tray.mode, "\(line)")
      #expect(!frame(editor.desk).plainText().contains("a tray"), "\(line)")
    }
  }
}

/// Some rows of which one is chosen, and a line to type.
private struct Tray: Overlay {
  static let mode: Mode? = Mode("tray", .choosing)
  static let keys = """
    [tray]
    j = tray 1                     ;; down
    / = tray 0 --type              ;; type
    <esc> = escape
    """

  var row = 0
  var line: LineEditor?

  var takesText: Bool { line != nil }

  func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    frame.write("a tray", at: layout.map.column, row: layout.map.row + row)
  }

  func type(_ text: String, in desk: inout Desk) {
    var tray = self
    tray.line?.insert(text)
    desk.work.overlay = tray
  }

  func edit(_ action: LineAction, in desk: inout Desk) {
    var tray = self
    tray.line?.edit(action)
    desk.work.overlay = tray
  }

  func press(_ event: MouseEvent, in desk: inout Desk) {
    var tray = self
    if event.isClick { tray.row = event.row - desk.layout.map.row }
    tray.row += event.steps
    desk.work.overlay = tray
  }

  func escape(in desk: inout Desk) { desk.work.overlay = line == nil ? nil : Tray(row: row) }
}

/// Opens the tray, or moves in it.
private struct UseTray: Command {
  static let configuration = CommandConfiguration(commandName: "tray", abstract: "Use a tray.")

  @Argument var steps = 0
  @Flag var type = false

  func run(in desk: inout Desk) {
    var tray = desk.work.overlay as? Tray ?? Tray()
    tray.row += steps
    if type { tray.line = LineEditor() }
    desk.work.overlay = tray
  }
}
