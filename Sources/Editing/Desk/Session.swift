import PortolanDocuments
package import PortolanTerminals

/// A person at a screen: panes, keys, prompt, messages, jobs and scripts.
package struct Session: Sendable {
  package internal(set) var id = SessionID.local
  package internal(set) var arrangement = Arrangement()
  package internal(set) var panes: [PaneID: Pane] = [:]
  /// What the person does in each open document.
  package internal(set) var works: [OpenDocument.ID: Work] = [:]
  package internal(set) var panels: Panels = .all
  /// Whether the layers panel has the keys.
  package internal(set) var isLayersPanelFocused = false
  package internal(set) var snap = SnapMode.vertex
  /// What was copied.
  var register = Register()

  package internal(set) var prompt: Prompt?
  package internal(set) var help: Help?
  /// What has to be decided, the first one first.
  package internal(set) var questions: [Question] = []
  package internal(set) var message: Message?

  // MARK: Keys

  package internal(set) var keyMap: KeyMap
  /// Keys of a binding that is not yet complete, such as the `z` of `zf`.
  package internal(set) var pendingKeys: [Key] = []
  /// What may follow the pending keys; empty when there are none.
  package internal(set) var popup: [Desk.PopupItem] = []
  /// The line of that menu that Enter takes.
  package internal(set) var popupIndex = 0
  /// The count typed before a command.
  package internal(set) var count: Int?
  /// The mouse button that is held down.
  var press: Desk.Press?
  /// Whether the last press was for what stands above the map, with all that belongs to it.
  var isPressTaken = false
  var promptHistory: [Prompt.Kind: [String]] = [:]
  var parsedLines = ParsedLines()
  /// The line of the last edit, for `.`.
  var lastEditLine: String?

  // MARK: The outside

  /// What is wanted from the outside since the last event.
  var effects: [Effect] = []

  package internal(set) var screenSize: CellSize
  /// What the screen can show.
  package var capabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  /// Whether there is no editor around it: a verb or a script.
  package var isHeadless = false
  /// Whether saves keep earlier versions.
  package var keepsVersions = true
  package internal(set) var jobs: [Job] = []
  var nextJobNumber = 1
  /// What a script has still to do.
  var script = ScriptQueue()
  /// Whether a line of a script is being run, or what it asked for is being taken in.
  var isInScript = false
  /// Without an editor: why the verb or script ends.
  var failure: Failure?
  /// What a script passed over, for those who asked for details.
  var passedOver: [String] = []
  /// Whether the session is over.
  package internal(set) var hasQuit = false

  package init(screenSize: CellSize, keyMap: KeyMap) {
    self.screenSize = screenSize
    self.keyMap = keyMap
  }

  /// Where everything stands on the screen.
  package var layout: ScreenLayout {
    ScreenLayout(size: screenSize, sideBars: panels.isEmpty ? .hidden : .shown)
  }

  /// The first pane with keys that shows a document, the one that has them before others.
  func firstPane(of document: OpenDocument.ID) -> PaneID? {
    ([arrangement.focus] + arrangement.panes).first {
      panes[$0]?.document == document && panes[$0]?.kind.takesKeys == true
    }
  }

  /// The pane without the keys that a mouse event is for; `nil` if it is for none or for what
  /// stands above the panes.
  func pane(under event: MouseEvent) -> PaneID? {
    guard prompt == nil, questions.isEmpty, help == nil, popup.isEmpty else { return nil }
    let found = arrangement.places(in: layout.map).panes.first {
      $0.rect.contains(column: event.column, row: event.row)
    }
    return found.flatMap { $0.id == arrangement.focus ? nil : $0.id }
  }
}

/// Copied features.
package struct Register: Sendable {
  var features: [Feature] = []
  /// The system of their coordinates.
  var system = CoordinateSystem.crs84
}
