package import PortolanDocuments
package import PortolanGraphics
package import PortolanTerminals

/// The members of the four parts under their own names, changed in place.
extension Desk {
  // MARK: The document

  package internal(set) var history: History<Document> {
    _read { yield file.history }
    _modify { yield &file.history }
  }

  package var notices: [String] {
    _read { yield file.notices }
    _modify { yield &file.notices }
  }

  package internal(set) var migration: [Migrations.Step] {
    _read { yield file.migration }
    _modify { yield &file.migration }
  }

  // MARK: The work

  package internal(set) var activeLayer: LayerID? {
    _read { yield work.activeLayer }
    _modify { yield &work.activeLayer }
  }

  package internal(set) var selection: Selection {
    _read { yield work.selection }
    _modify { yield &work.selection }
  }

  package internal(set) var draft: Draft? {
    _read { yield work.draft }
    _modify { yield &work.draft }
  }

  package internal(set) var isDrawing: Bool {
    _read { yield work.isDrawing }
    _modify { yield &work.isDrawing }
  }

  package internal(set) var carry: Carry? {
    _read { yield work.carry }
    _modify { yield &work.carry }
  }

  package internal(set) var form: AttributeForm? {
    _read { yield work.form }
    _modify { yield &work.form }
  }

  var matches: Desk.Matches? {
    _read { yield work.matches }
    _modify { yield &work.matches }
  }

  // MARK: The pane

  package internal(set) var viewpoint: Viewpoint {
    _read { yield pane.viewpoint }
    _modify { yield &pane.viewpoint }
  }

  package internal(set) var cursorColumn: Int {
    _read { yield pane.cursorColumn }
    _modify { yield &pane.cursorColumn }
  }

  package internal(set) var cursorRow: Int {
    _read { yield pane.cursorRow }
    _modify { yield &pane.cursorRow }
  }

  package internal(set) var cursor: Coordinate {
    _read { yield pane.cursor }
    _modify { yield &pane.cursor }
  }

  // MARK: The session

  package internal(set) var panels: Panels {
    _read { yield session.panels }
    _modify { yield &session.panels }
  }

  package internal(set) var snap: SnapMode {
    _read { yield session.snap }
    _modify { yield &session.snap }
  }

  package internal(set) var prompt: Prompt? {
    _read { yield session.prompt }
    _modify { yield &session.prompt }
  }

  package internal(set) var help: Help? {
    _read { yield session.help }
    _modify { yield &session.help }
  }

  package internal(set) var questions: [Question] {
    _read { yield session.questions }
    _modify { yield &session.questions }
  }

  package internal(set) var message: Message? {
    _read { yield session.message }
    _modify { yield &session.message }
  }

  package internal(set) var keyMap: KeyMap {
    _read { yield session.keyMap }
    _modify { yield &session.keyMap }
  }

  package internal(set) var popup: [Desk.PopupItem] {
    _read { yield session.popup }
    _modify { yield &session.popup }
  }

  package internal(set) var count: Int? {
    _read { yield session.count }
    _modify { yield &session.count }
  }

  var press: Desk.Press? {
    _read { yield session.press }
    _modify { yield &session.press }
  }

  package internal(set) var screenSize: CellSize {
    _read { yield session.screenSize }
    _modify { yield &session.screenSize }
  }

  package var isHeadless: Bool {
    _read { yield session.isHeadless }
    _modify { yield &session.isHeadless }
  }

  package internal(set) var jobs: [Job] {
    _read { yield session.jobs }
    _modify { yield &session.jobs }
  }

  var script: ScriptQueue {
    _read { yield session.script }
    _modify { yield &session.script }
  }

  var effects: [Effect] {
    _read { yield session.effects }
    _modify { yield &session.effects }
  }

  var isInScript: Bool {
    _read { yield session.isInScript }
    _modify { yield &session.isInScript }
  }

  package internal(set) var hasQuit: Bool {
    _read { yield session.hasQuit }
    _modify { yield &session.hasQuit }
  }
}
