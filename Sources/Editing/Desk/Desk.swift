package import Documents
package import Terminals

/// What one command may touch: a person's session, a pane, the document in it, and that person's
/// work there.
///
/// It turns events into changes of itself and requests: `handle(_:)`. It has no clock, no file and
/// no thread, so that everything the editor does can be tried in a test. A command that throws has
/// changed none of the four.
package struct Desk: Sendable {
  package var session: Session
  package internal(set) var pane: Pane
  package internal(set) var file: OpenDocument
  package internal(set) var work: Work
  /// Requests since the last event.
  var effects: [Effect] = []

  /// A desk with one document.
  package init(
    document: Document = Document(), filePath: String? = nil,
    screenSize: CellSize = CellSize(columns: 80, rows: 24), keyMap: KeyMap = .modal
  ) {
    session = Session(screenSize: screenSize, keyMap: keyMap)
    pane = Pane()
    file = OpenDocument(id: OpenDocument.ID(1), document: document, path: filePath)
    work = Work(on: document)
    showDocumentView()
  }

  /// What the keys mean at the moment.
  package var mode: Mode {
    if prompt != nil { return .prompt }
    if !questions.isEmpty { return .question }
    if help != nil { return .help }
    if form != nil { return .form }
    if carry != nil { return .move }
    if pane.boxAnchor != nil { return .select }
    if isDrawing { return .insert }
    return session.isLayersPanelFocused ? .layers : .normal
  }
}
