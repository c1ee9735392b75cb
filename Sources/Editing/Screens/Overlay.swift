import PortolanDocuments
package import PortolanTerminals

/// A layer of the screen above the panes, with the mouse or the keys before them.
///
/// To add one: a file with a type whose value is the open overlay, and a line in `Overlays.all`. A
/// command opens it in `Session.overlay`, or in `Work.overlay` if it belongs to the document.
package protocol Overlay: Sendable {
  /// The section of the key map that its keys are in; `nil` leaves the keys to the next overlay.
  static var mode: Mode? { get }
  /// That section with its keys; empty if the key map of maps has them.
  static var keys: String { get }
  /// Whether it covers the map: it has the mouse, and the map shows no cursor.
  static var coversMap: Bool { get }

  /// Whether keys that are bound to nothing are text.
  var takesText: Bool { get }
  /// The section of the key map for its line of text.
  var textMode: Mode { get }

  func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame)

  /// Handles a key before the key map; returns whether it did.
  func take(_ key: Key, in desk: inout Desk) -> Bool

  /// Types text into its line.
  func type(_ text: String, in desk: inout Desk)

  /// Applies a key's action to its line.
  func edit(_ action: LineAction, in desk: inout Desk) throws

  func press(_ event: MouseEvent, in desk: inout Desk)

  /// Leaves it, or its innermost part.
  func escape(in desk: inout Desk)
}

extension Overlay {
  package static var keys: String { "" }
  package static var coversMap: Bool { true }
  package var takesText: Bool { false }
  package var textMode: Mode { .prompt }
  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {}
  package func take(_ key: Key, in desk: inout Desk) -> Bool { false }
  package func type(_ text: String, in desk: inout Desk) {}
  package func edit(_ action: LineAction, in desk: inout Desk) throws {}
  package func press(_ event: MouseEvent, in desk: inout Desk) {}
}

extension MouseEvent {
  /// Whether a button was pressed, once or twice.
  var isPress: Bool { action == .press || action == .doubleClick }
  /// Whether the first button was pressed once: a double click must not press a line of the overlay
  /// that its first click opened.
  var isClick: Bool { action == .press && button == 1 }
  /// The steps of the wheel: -1 up, 1 down, 0 for no wheel.
  var steps: Int { action == .wheelUp ? -1 : action == .wheelDown ? 1 : 0 }
}

/// The list of overlays.
package enum Overlays {
  package static let all: [any Overlay.Type] = [
    Prompt.self, KeyPopup.self, Question.self, Help.self, AttributeForm.self, ClassPanel.self,
    FrequencyPanel.self, FindingsPanel.self, CellEditor.self, Carry.self, Measuring.self,
    SelectionBox.self,
    Drawing.self, LayersFocus.self, BookmarkLetter.self, LabelJump.self, CommandPalette.self,
  ]
}

extension Session {
  /// The open overlays of the person, the top one first.
  var overlays: [any Overlay] {
    let open: [(any Overlay)?] = [
      prompt, popup.isEmpty ? nil : KeyPopup(), questions.first, overlay,
    ]
    return open.compactMap { $0 }
  }
}

extension Desk {
  /// All open overlays, the top one first.
  var overlays: [any Overlay] {
    let open: [(any Overlay)?] = [
      work.overlay, map.box, isDrawing && isMapPane ? Drawing() : nil,
      session.isLayersPanelFocused ? LayersFocus() : nil,
    ]
    return session.overlays + open.compactMap { $0 }
  }

  /// The overlay that has the keys.
  var keyOverlay: (any Overlay)? { overlays.first { Swift.type(of: $0).mode != nil } }

  /// The present mode of the keys.
  package var mode: Mode { keyOverlay.flatMap { Swift.type(of: $0).mode } ?? pane.kind.mode }

  /// Whether an overlay stands above the map.
  var hasOverlay: Bool { overlays.contains { Swift.type(of: $0).coversMap } }

  /// Leaves the innermost mode, or empties the selection; the draft is kept.
  mutating func escape() {
    if let top = keyOverlay {
      top.escape(in: &self)
    } else if selection.vertex != nil {
      selection.vertex = nil
    } else {
      if selection.isEmpty { work.ghost = nil } else { select([], .replace) }
      message = nil
    }
  }

  /// Leaves all modes of the document before another begins.
  mutating func leaveModes() {
    work.overlay = nil
    map.box = nil
    isDrawing = false
    session.isLayersPanelFocused = false
    if draft?.isEmpty == true { draft = nil }
  }

  /// Handles a mouse event on an overlay; returns whether there is one.
  ///
  /// A press on an overlay never reaches the map, nor do the events that belong to it.
  mutating func pointAbove(_ event: MouseEvent) -> Bool {
    // The second press of a double click comes alone; after a press on an overlay it belongs to it.
    let wasTaken = session.isPressTaken && event.action != .press
    if event.action == .press { session.isPressTaken = false }
    guard let top = overlays.first(where: { Swift.type(of: $0).coversMap }) else {
      return wasTaken && event.steps == 0
    }
    if event.isPress { session.isPressTaken = true }
    press = nil
    if event.isClick, popup.isEmpty, prompt == nil,
      let key = HintLine.key(self, column: event.column, row: event.row)
    {
      press(key)
    } else {
      top.press(event, in: &self)
    }
    return true
  }
}

extension Optional where Wrapped == any Overlay {
  /// The overlay if it is of a kind; setting it to `nil` leaves others open.
  subscript<Kind: Overlay>(_ kind: Kind.Type) -> Kind? {
    get { self as? Kind }
    set { if newValue != nil || self is Kind { self = newValue } }
  }
}
