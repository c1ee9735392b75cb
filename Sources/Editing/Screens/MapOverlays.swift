import PortolanDocuments
package import PortolanGraphics

/// Putting vertices into the draft.
struct Drawing: Overlay {
  static let mode: Mode? = .insert
  static let coversMap = false

  func escape(in desk: inout Desk) {
    desk.isDrawing = false
    if desk.draft?.isEmpty == true { desk.draft = nil }
    if desk.draft != nil { desk.say("the draft is kept: i goes on, :discard-draft drops it") }
  }
}

/// The focus of the layers panel.
struct LayersFocus: Overlay {
  static let mode: Mode? = .layers
  static let coversMap = false

  func escape(in desk: inout Desk) { desk.session.isLayersPanelFocused = false }
}

extension Carry: Overlay {
  package static let mode: Mode? = .move
  package static let coversMap = false

  package func escape(in desk: inout Desk) {
    desk.settleCursor(at: start)
    desk.carry = nil
    desk.say("put back")
  }
}

/// A box that features are being chosen with, from its anchor to the cursor.
package struct SelectionBox: Overlay {
  package static let mode: Mode? = .select
  package static let coversMap = false

  package var anchor: Coordinate
  /// Whether it takes features of all layers, not only of the active one.
  package var takesAllLayers = false

  package func escape(in desk: inout Desk) { desk.map.box = nil }
}
