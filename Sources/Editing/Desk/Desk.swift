package import PortolanDocuments
package import PortolanTerminals

/// The scope of a command: a person's session, a pane, the document in it, and that person's work
/// there.
///
/// It turns events into changes of itself and requests: `handle(_:)`. It has no clock, no file and
/// no thread, so that a test can run all of the editor. A command that throws has changed none of
/// the four.
package struct Desk: Sendable {
  package var session: Session
  package internal(set) var pane: Pane
  package internal(set) var file: OpenDocument
  package internal(set) var work: Work
  /// The other documents that are open.
  package internal(set) var others: [OtherDocument] = []
  /// The other people in this workspace.
  package internal(set) var company: [Companion] = []
  /// What one of them has copied last.
  package internal(set) var offered: OfferedCopies?
  /// How other terminals reach the workspace.
  package internal(set) var sharing = Sharing()
  /// The number of the next document to be opened.
  var freshDocument: OpenDocument.ID
  /// The number of the next job of any session.
  var freshJob = JobID(1)
  /// Another open document for the pane to show.
  var shown: OpenDocument.ID?

  /// A desk with one document.
  package init(
    document: Document = Document(), filePath: String? = nil,
    screenSize: CellSize = CellSize(columns: 80, rows: 24), kinds: Kinds = .standard,
    keyMap: KeyMap? = nil
  ) {
    let id = OpenDocument.ID(1)
    let session = Session(screenSize: screenSize, kinds: kinds, keyMap: keyMap)
    self.init(
      session: session, pane: Pane(id: session.arrangement.focus, document: id),
      file: OpenDocument(id: id, document: document, path: filePath), work: Work(on: document))
    showDocumentView()
  }

  init(session: Session, pane: Pane, file: OpenDocument, work: Work) {
    self.session = session
    self.pane = pane
    self.file = file
    self.work = work
    freshDocument = OpenDocument.ID(file.id.rawValue + 1)
    placeCursor()
  }

  /// Whether the pane has the focus.
  package var isFocused: Bool { session.arrangement.focus == pane.id }

  /// Whether another focusable pane shows the document too.
  var isShownElsewhere: Bool {
    session.panes.values.contains {
      $0.id != pane.id && $0.document == file.id && $0.kind.takesKeys
    }
  }

  /// Whether the document stays open when the pane shows another one: in another pane, or with
  /// another person.
  var isKeptElsewhere: Bool { isShownElsewhere || isShared(file.id) }

  /// Whether the document's unsaved work is kept when the pane shows another one.
  var isKeptSafely: Bool { isShownElsewhere || isInHands(file.id) }
}
