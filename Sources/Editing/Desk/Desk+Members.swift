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
    get { work.overlay[Carry.self] }
    set { work.overlay[Carry.self] = newValue }
  }

  package internal(set) var form: AttributeForm? {
    get { work.overlay[AttributeForm.self] }
    set { work.overlay[AttributeForm.self] = newValue }
  }

  var matches: Desk.Matches? {
    _read { yield work.matches }
    _modify { yield &work.matches }
  }

  // MARK: The map that is meant

  package internal(set) var viewpoint: Viewpoint {
    get { viewpoint(of: map) }
    set { map.viewpoint = newValue.counted(from: planarSide(newValue.projection), formerly: nil) }
  }

  package internal(set) var cursorColumn: Int {
    get { map.cursorColumn }
    set { map.cursorColumn = newValue }
  }

  package internal(set) var cursorRow: Int {
    get { map.cursorRow }
    set { map.cursorRow = newValue }
  }

  package internal(set) var cursor: Coordinate {
    get { map.cursor }
    set { map.cursor = newValue }
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
    get { session.overlay[Help.self] }
    set { session.overlay[Help.self] = newValue }
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
