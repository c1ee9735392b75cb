package import PortolanDocuments
package import PortolanGraphics
import PortolanTerminals

/// A view of a document on the screen.
package struct Pane: Sendable {
  package internal(set) var id: PaneID
  package internal(set) var document: OpenDocument.ID
  /// The kind of view.
  package internal(set) var kind: any PaneKind.Type = MapPane.self
  /// The document's view that it was opened from, and is saved as.
  package internal(set) var view: ViewID?
  /// The leaf of the document's layout that it was opened from.
  var leaf: PaneLayout.Leaf?
  /// Whether it follows the centre of the other linked panes of its document in the tab.
  package internal(set) var isLinked = false
  /// The pane's size when its cursor was placed, in cells; negative before that.
  var size = CellSize(columns: -1, rows: -1)

  package internal(set) var viewpoint = Viewpoint()
  /// Earlier and later viewpoints.
  var pastViewpoints: [Viewpoint] = []
  var futureViewpoints: [Viewpoint] = []
  /// The cursor's cell within the map area.
  package internal(set) var cursorColumn = 0
  package internal(set) var cursorRow = 0
  /// The exact cursor position: the middle of its cell, or the vertex under it.
  package internal(set) var cursor = Coordinate(x: 0, y: 0)
  /// The last typed cursor position; a cursor that is still there does not snap.
  var typedCursor: Coordinate?
  /// The anchor corner of the selection box, while in SELECT.
  package internal(set) var boxAnchor: Coordinate?
  /// Whether the box takes features of all layers, not only of the active one.
  package internal(set) var boxTakesAllLayers = false

  package init(id: PaneID, document: OpenDocument.ID) {
    self.id = id
    self.document = document
  }

  /// The same view in another pane.
  func copy(_ id: PaneID) -> Pane {
    var copy = Pane(id: id, document: document)
    if kind == MapPane.self { copy.view = view }
    copy.viewpoint = viewpoint
    copy.cursor = cursor
    return copy
  }

  /// Shows a view of its document.
  mutating func show(_ view: any View) {
    self.view = view.id
    guard let map = view as? any MapShowing else { return }
    viewpoint = Viewpoint(map)
    cursor = map.center
  }
}
