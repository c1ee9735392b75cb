package import Documents
package import Graphics
package import Interchange
package import Terminals

/// The whole editor as a value: what is open, what is looked at, what is being typed.
///
/// It turns events into changes of itself and wishes to the outside: `handle(_:)`. It has no
/// clock, no file and no thread, so that everything the editor does can be tried in a test.
package struct Session: Sendable {
  // MARK: The document

  /// The document with its past and its future.
  package internal(set) var history: History<Document>
  /// The document file that `:w` writes; `nil` until it has a name.
  package internal(set) var filePath: String?
  /// Whether saves keep earlier versions.
  package var keepsVersions = true
  /// The file that the data came from, when that is not a document.
  package internal(set) var sourcePath: String?
  /// Another number for each document that is opened or recovered.
  package internal(set) var documentNumber = 0
  /// Work that editors which ended too early have left; it waits to be decided on, the first one
  /// first.
  package internal(set) var leftWork: [LeftWork] = []
  /// The journal that this document was recovered from.
  package internal(set) var recovered: LeftJournal?
  /// Whether edits are kept in case the program ends before they are saved.
  package internal(set) var autosave = AutosaveState.idle
  /// Why nothing may be changed or saved under this name; `nil` if it may.
  package internal(set) var readOnlyReason: String?
  /// How the document was lifted from an older version of the format when it was opened.
  package internal(set) var migration: [Migrations.Step] = []

  /// What is wrong with the file on disk, in a word or two for the title; `nil` if nothing is.
  package internal(set) var fileTrouble: String?
  /// Whether the disk confirmed the last save; if not, a power cut may still take it back.
  package internal(set) var isSaveConfirmed = true
  /// Whether a document that can only be read is read again whenever its file changes.
  package internal(set) var isWatching = false

  // MARK: Where one looks

  package internal(set) var viewpoint: Viewpoint
  /// The box that a planar map's square shows; kept while the document grows.
  var planeReference = Box.empty
  /// Where one has looked before, and where one went back from.
  var pastViewpoints: [Viewpoint] = []
  var futureViewpoints: [Viewpoint] = []
  /// The cursor's cell within the map area.
  package internal(set) var cursorColumn = 0
  package internal(set) var cursorRow = 0
  /// Exactly where the cursor is: the middle of its cell, or the vertex it was put on.
  package internal(set) var cursor = Coordinate(x: 0, y: 0)
  /// The place that was typed for the cursor last; a cursor that is still there does not snap.
  var typedCursor: Coordinate?

  // MARK: What is chosen and shown

  package internal(set) var activeLayer: LayerID?
  package internal(set) var selection = Selection()
  /// The selection before this one, for `gv`.
  var formerSelection = Selection()
  package internal(set) var panels: Panels = .all
  /// The line of the layers panel that the keys act on, when it has them.
  package internal(set) var isLayersPanelFocused = false
  package internal(set) var snap = SnapMode.vertex
  /// What was last chosen to be drawn in a layer, while this document is open.
  var drawnKinds: [LayerID: Draft.Kind] = [:]
  /// What is searched for and marked.
  package internal(set) var searchText = ""
  var matches: Matches?
  var nearWalk: NearWalk?
  /// The feature that was gone to last: what is selected first where the cursor then stands.
  var arrival: Arrival?
  /// What was copied.
  var register: [Feature] = []
  /// What its coordinates are.
  var registerSystem = CoordinateSystem.crs84

  // MARK: What is being done

  package internal(set) var draft: Draft?
  /// The other corner of the selection box, while in SELECT.
  package internal(set) var boxAnchor: Coordinate?
  /// Whether the box takes features of all layers, not only of the active one.
  package internal(set) var boxTakesAllLayers = false
  package internal(set) var carry: Carry?
  /// Whether INSERT is on; leaving it keeps the draft.
  package internal(set) var isDrawing = false
  package internal(set) var prompt: Prompt?
  package internal(set) var form: AttributeForm?
  package internal(set) var help: Help?
  /// What has to be decided, the first one first.
  package internal(set) var questions: [Question] = []

  // MARK: Keys

  package internal(set) var keyMap: KeyMap
  /// Keys of a binding that is not yet complete, such as the `z` of `zf`.
  package internal(set) var pendingKeys: [Key] = []
  /// What may follow the pending keys; empty when there are none.
  package internal(set) var popup: [PopupItem] = []
  /// The line of that menu that Enter takes.
  package internal(set) var popupIndex = 0
  /// The count typed before a command.
  package internal(set) var count: Int?
  /// The mouse button that is held down.
  var press: Press?
  /// Whether the last press was for what stands above the map, with all that belongs to it.
  var isPressTaken = false
  var promptHistory: [Prompt.Kind: [String]] = [:]
  var parsedLines = ParsedLines()
  /// The line of the last edit, for `.`.
  var lastEditLine: String?

  // MARK: The outside

  package internal(set) var screenSize: CellSize
  /// What the screen can show.
  package var capabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  /// Whether there is no editor around it: a verb or a script.
  package var isHeadless = false
  /// What was odd in the files that were read, one sentence each.
  package var notices: [String] = []
  package internal(set) var message: Message?
  package internal(set) var jobs: [Job] = []
  var nextJobNumber = 1
  /// What a script has still to do.
  var script = ScriptQueue()
  /// Whether a line of a script is being run, or what it asked for is being taken in.
  var isInScript = false
  /// Quit as soon as the save under way is done.
  var quitsAfterSave = false
  /// Whether the session is over.
  package internal(set) var hasQuit = false
  /// The last time that was told.
  package internal(set) var now = 0.0
  /// Wishes since the last event.
  var effects: [Effect] = []

  /// A session on a document.
  package init(
    document: Document = Document(), filePath: String? = nil,
    screenSize: CellSize = CellSize(columns: 80, rows: 24), keyMap: KeyMap = .modal
  ) {
    history = History(document)
    self.filePath = filePath
    self.screenSize = screenSize
    self.keyMap = keyMap
    viewpoint = Viewpoint()
    activeLayer = document.layers.last?.id
    showDocumentView()
  }

  /// What the keys mean at the moment.
  package var mode: Mode {
    if prompt != nil { return .prompt }
    if !questions.isEmpty { return .question }
    if help != nil { return .help }
    if form != nil { return .form }
    if carry != nil { return .move }
    if boxAnchor != nil { return .select }
    if isDrawing { return .insert }
    return isLayersPanelFocused ? .layers : .normal
  }
}
