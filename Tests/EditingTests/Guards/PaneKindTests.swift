import Archiving
import ArgumentParser
import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// A kind of pane, whole in this file: nothing else knows of it.
@Suite struct PaneKindTests {
  private static let kinds = Kinds(
    panes: [RosterPane.self] + PaneKinds.all, overlays: Overlays.all,
    commands: Commands.all + [Roster.self])
  private static let size = CellSize(columns: 100, rows: 30)

  /// An editor in which a roster has the focus, beside the map if it is split first.
  private func editor(isSplit: Bool = false) throws -> Editor {
    var editor = Editor()
    editor.desk = Desk(document: .towns, screenSize: Self.size, kinds: Self.kinds)
    if isSplit {
      var workspace = Workspace(editor.desk)
      try workspace.change { try $0.run(line: "split right") }
      try workspace.change { try $0.run(line: "roster show") }
      editor.desk = workspace.desk()
    } else {
      try editor.run("roster show")
    }
    return editor
  }

  private func screen(_ desk: Desk) -> String {
    var memory = RenderMemory()
    return desk.frame(size: Self.size, memory: &memory).plainText()
  }

  private func line(_ desk: Desk) throws -> Int {
    try #require(desk.pane.state as? RosterPane).line
  }

  @Test func `It draws, and tells its status and no map's`() throws {
    let editor = try editor()
    let text = screen(editor.desk)
    #expect(text.contains("> fields") && text.contains("  towns"))
    #expect(text.contains(" ROSTER ") && text.contains("line 1 of 3"))
    #expect(!text.contains("mag ") && !text.contains("/col"))
    #expect(editor.desk.hints.map(\.keys) == ["j"])
  }

  @Test func `Its keys move in it, those of maps do nothing`() throws {
    var editor = try editor()
    try editor.press("jj")
    #expect(try line(editor.desk) == 2)
    try editor.press("2k")
    #expect(try line(editor.desk) == 0)
    let serial = editor.desk.history.present.serial
    try editor.press("v<ret>id")
    #expect(editor.message.contains("does nothing here"))
    #expect(editor.desk.mode == RosterPane.mode && editor.desk.history.present.serial == serial)
    #expect(editor.desk.selection.isEmpty && editor.desk.draft == nil)
    try editor.press("?")
    #expect(editor.desk.help?.lines.contains { $0.hasPrefix("j") } == true)
  }

  @Test func `The keys of panes and the prompt act from it`() throws {
    var workspace = Workspace(try editor(isSplit: true).desk)
    for event in try EventNotation.events("<c-w>w") { _ = workspace.handle(.terminal(event)) }
    #expect(workspace.desk().isMapPane)
    for event in try EventNotation.events("<c-w>w:roster down<ret>") {
      _ = workspace.handle(.terminal(event))
    }
    #expect(try line(workspace.desk()) == 1)
  }

  @Test func `A click chooses a line, the wheel moves`() throws {
    var editor = try editor(isSplit: true)
    let area = editor.desk.paneArea
    func point(_ action: MouseEvent.Action, row: Int) {
      let event = MouseEvent(
        action: action, button: 1, column: area.column + 2, row: area.row + row)
      _ = editor.desk.handle(.terminal(.mouse(event)))
    }
    point(.press, row: 2)
    #expect(try line(editor.desk) == 2)
    point(.wheelUp, row: 0)
    #expect(try line(editor.desk) == 1)
    #expect(editor.desk.selection.isEmpty && editor.desk.message == nil)
  }

  @Test func `Legend and overview tell of the map beside it`() throws {
    let desk = try editor(isSplit: true).desk
    let map = try #require(desk.mapPane)
    #expect(map != desk.pane.id)
    #expect(desk.mapArea == desk.session.arrangement.area(of: map, in: desk.layout.map))
    #expect(desk.viewpoint == desk.session.panes[map]?.state.map?.viewpoint)
    #expect(screen(desk).contains("Legend"))
  }

  @Test func `It is saved and restored`() throws {
    var editor = try editor()
    try editor.press("jj")
    let bytes = try DocumentArchive.bytes(of: editor.desk.documentToSave)
    let kept = try DocumentArchive.open(bytes, views: ViewKinds.all + [RosterView.self]).document
    var workspace = Workspace(Desk(document: Document(), kinds: Self.kinds))
    func show(_ document: Document) {
      workspace.change { desk in
        let file = OpenDocument(id: desk.freshDocument, document: document, path: nil)
        desk.show(file)
      }
    }
    show(kept)
    #expect(try line(workspace.desk()) == 2)
    #expect(try DocumentArchive.bytes(of: workspace.desk().documentToSave) == bytes)
  }

  @Test func `A program that does not know it keeps it`() throws {
    var editor = try editor()
    try editor.press("j")
    let bytes = try DocumentArchive.bytes(of: editor.desk.documentToSave)
    let unknown = try DocumentArchive.open(bytes).document
    #expect(unknown.views.contains { $0.className == "PortolanRosterView" })
    let again = try DocumentArchive.open(
      DocumentArchive.bytes(of: unknown), views: ViewKinds.all + [RosterView.self])
    #expect(again.document.views.contains { ($0 as? RosterView)?.line == 1 })
  }
}

/// The names of the layers, of which one is chosen.
private struct RosterPane: PaneKind {
  static let name = "roster"
  static let mode = Mode("roster")
  static let keys = """
    [roster]
    j = roster down {count}        ;; down
    k = roster up {count}
    : = prompt command
    ? = help
    \(KeyMap.paneKeys)
    """

  var line = 0

  static func shows(_ view: any View) -> Bool { view is RosterView }

  mutating func show(_ view: any View) { line = (view as? RosterView)?.line ?? 0 }

  func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? {
    RosterView(id: id, name: "Roster", line: line)
  }

  func status(_ desk: Desk) -> PaneStatus {
    PaneStatus(place: "line \(line + 1) of \(desk.document.layers.count)")
  }

  func draw(_ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame) {
    for (row, layer) in desk.document.layers.prefix(rect.rows).enumerated() {
      frame.write(
        (row == line ? "> " : "  ") + layer.name, at: rect.column, row: rect.row + row,
        maxColumns: rect.columns)
    }
  }

  func press(_ event: MouseEvent, column: Int, row: Int, in desk: inout Desk) {
    switch event.action {
    case .press: desk.pane.state = moved(to: row, in: desk)
    case .wheelUp: desk.pane.state = moved(to: line - 1, in: desk)
    case .wheelDown: desk.pane.state = moved(to: line + 1, in: desk)
    case .doubleClick, .drag, .release: break
    }
  }

  func moved(to line: Int, in desk: Desk) -> RosterPane {
    RosterPane(line: min(max(0, line), desk.document.layers.count - 1))
  }

  init() {}
  private init(line: Int) { self.line = line }
}

/// Moves in a roster, or shows it.
private struct Roster: Command {
  enum Action: String, ExpressibleByArgument, CaseIterable, Sendable { case show, up, down }

  static let configuration = CommandConfiguration(
    commandName: "roster", abstract: "Show the layers, or go to another one.")

  @Argument var action = Action.show
  @Argument var count = 1

  func run(in desk: inout Desk) throws {
    guard let roster = desk.pane.state as? RosterPane else {
      desk.pane.state = RosterPane()
      desk.pane.view = nil
      return
    }
    desk.pane.state = roster.moved(
      to: roster.line + (action == .up ? -count : count), in: desk)
  }
}

/// A saved roster.
private struct RosterView: View, IdentifiedCoding {
  static let archivedClass = ArchivedClass(
    "PortolanRosterView", superclass: ViewFields.archivedClass)

  let id: ViewID
  var name: String
  var line: Int

  init(id: ViewID, name: String, line: Int) {
    (self.id, self.name, self.line) = (id, name, line)
  }

  func encode(with coder: any EncodingCoder) throws {
    try ViewFields(id: id, name: name).encode(with: coder)
    try coder.encodeInt(line, forKey: "line")
  }

  init(coder: any DecodingCoder) throws {
    let view = try ViewFields(coder: coder)
    (id, name) = (view.id, view.name)
    line = try coder.decodeInt(forKey: "line")
  }
}
