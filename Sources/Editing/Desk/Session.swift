import PortolanDocuments
package import PortolanTerminals

/// A person at a screen: panes, keys, prompt, messages, jobs and scripts.
package struct Session: Sendable {
  package internal(set) var id = SessionID.local
  /// The person's name, for the others.
  package var name = "1"
  /// The process of this machine that took it up last; `nil` for the host itself.
  package internal(set) var process: Int32?
  /// Whether a terminal shows the session; it is kept without one.
  package internal(set) var isPresent = true
  /// Whether the person left on purpose, to come back.
  package internal(set) var hasDetached = false
  /// Whether the person only looks: no document takes their changes.
  package internal(set) var isWatching = false
  /// The person whose map this one's map goes along with, until it is moved.
  package internal(set) var following: SessionID?
  /// What was said to this person, the newest last.
  package internal(set) var heard: [String] = []
  /// What this person says to the others, until the workspace delivers it.
  var said: [String] = []
  /// The person for whom commands of another program act here; `nil` for all other sessions.
  var actsFor: SessionID?
  /// Whether that person takes over panes and selection when the commands are done.
  var givesBack = false
  /// Whether the end of the session ends all others.
  var endsWorkspace = false
  package let kinds: Kinds
  package internal(set) var arrangement = Arrangement()
  package internal(set) var panes: [PaneID: Pane] = [:]
  /// The person's work in each open document.
  package internal(set) var works: [OpenDocument.ID: Work] = [:]
  package internal(set) var panels: Panels = .all
  /// Whether the layers panel has the focus.
  package internal(set) var isLayersPanelFocused = false
  package internal(set) var snap = SnapMode.vertex
  /// The unit of measured lengths.
  package internal(set) var measureUnit = MeasureUnit.metric
  /// Whether the person was told that each document keeps its own panes.
  var knowsKeptPanes = false
  /// Copied features.
  var register = Register()

  package internal(set) var prompt: Prompt?
  /// A page above the panes.
  package var overlay: (any Overlay)?
  /// Open questions, in the order of asking.
  package internal(set) var questions: [Question] = []
  package internal(set) var message: Message?

  // MARK: Keys

  package internal(set) var keyMap: KeyMap {
    get { ownKeyMap ?? kinds.keyMap }
    set { ownKeyMap = newValue }
  }
  /// Its own key map; `nil` for that of the kinds.
  private var ownKeyMap: KeyMap?
  /// Keys of an incomplete binding, such as the `z` of `zf`.
  package internal(set) var pendingKeys: [Key] = []
  /// The keys that can follow the pending ones; empty when there are none.
  package internal(set) var popup: [Desk.PopupItem] = []
  /// The line of that menu that Enter takes.
  package internal(set) var popupIndex = 0
  /// The count typed before a command.
  package internal(set) var count: Int?
  /// The mouse button that is held down.
  var press: Desk.Press?
  /// Whether the last press was on an overlay; its later events go there too.
  var isPressTaken = false
  var promptHistory: [Prompt.Kind: [String]] = [:]
  /// The line of the last edit, for `.`.
  var lastEditLine: String?

  // MARK: The outside

  /// The configuration at the start of the session, with later choices by `option`.
  package internal(set) var settings = Settings()
  /// Faults of the configuration that were not told beside a document.
  var untoldFaults: [String] = []
  /// The effects requested since the last event.
  var effects: [Effect] = []

  package internal(set) var screenSize: CellSize
  /// The capabilities of the screen.
  package var capabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  /// The theme that was chosen by a command, whatever the terminal tells.
  var chosenTheme: Theme?
  /// The theme that the terminal began with; one with a ground keeps the terminal from being asked
  /// for its own.
  var begunTheme: Theme?
  /// The terminal's background, as it was before a command chose another; `nil` before the first.
  var terminalGround: Ground?
  /// The characters for the edges of areas that were chosen by a command.
  var chosenBlocks: BlockChoice?
  /// The use of pictures that was chosen by a command.
  var chosenPictures: PictureChoice?
  /// The maps at rest, by pane.
  var stills: [PaneID: StillMap] = [:]
  /// The documents on which unsaved work was left at the start, newest first.
  var leftDocuments: [String] = []
  /// The files that were opened or saved last, newest first.
  var recentFiles: [String] = []
  /// The map behind the data.
  package var base = BaseSetting()
  /// Whether there is no editor: a verb or a script runs.
  package var isHeadless = false
  /// Whether saves keep earlier versions.
  package var keepsVersions = true
  package internal(set) var jobs: [Job] = []
  /// The remaining lines of scripts.
  var script = ScriptQueue()
  /// Whether a line of a script is running, or a reply to its request is being handled.
  var isInScript = false
  /// Without an editor: the failure that ends the verb or script.
  var failure: Failure?
  /// Failures that a script passed over, for verbose output.
  var passedOver: [String] = []
  /// How the other documents are to be saved; `nil` if nobody asked for it.
  var savesAll: SavesAll?
  /// What was said of documents that could not be saved with the others.
  var refusedSaves: [OpenDocument.ID: String] = [:]
  /// Whether the session is over.
  package internal(set) var hasQuit = false

  /// - Parameter keyMap: `nil` for that of the kinds.
  package init(screenSize: CellSize, kinds: Kinds, keyMap: KeyMap? = nil) {
    self.screenSize = screenSize
    self.kinds = kinds
    ownKeyMap = keyMap
  }

  /// The number under which the history notes the steps of the person.
  var author: Int { (actsFor ?? id).rawValue }

  /// The areas of the parts of the screen.
  package var layout: ScreenLayout {
    ScreenLayout(size: screenSize, sideBars: panels.isEmpty ? .hidden : .shown)
  }

  /// The first focusable pane of a document, preferably the focused one.
  func firstPane(of document: OpenDocument.ID) -> PaneID? {
    ([arrangement.focus] + arrangement.panes).first {
      panes[$0]?.document == document && panes[$0]?.kind.takesKeys == true
    }
  }

  /// A pane that shows a document as its first pane with keys does.
  func pane(_ id: PaneID, showing document: OpenDocument.ID) -> Pane {
    firstPane(of: document).flatMap { panes[$0] }?.copy(id) ?? Pane(id: id, document: document)
  }

  /// The unfocused pane under a mouse event; `nil` if there is none or an overlay covers the panes.
  func pane(under event: MouseEvent) -> PaneID? {
    guard overlays.isEmpty else { return nil }
    let found = arrangement.places(in: layout.map).panes.first {
      $0.rect.contains(column: event.column, row: event.row)
    }
    return found.flatMap { $0.id == arrangement.focus ? nil : $0.id }
  }
}
