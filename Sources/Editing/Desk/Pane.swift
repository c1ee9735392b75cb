package import Graphics

/// A view of a document on the screen.
package struct Pane: Sendable {
  package internal(set) var viewpoint = Viewpoint()
  /// Earlier and later viewpoints.
  var pastViewpoints: [Viewpoint] = []
  var futureViewpoints: [Viewpoint] = []
  /// The cursor's cell within the map area.
  package internal(set) var cursorColumn = 0
  package internal(set) var cursorRow = 0
  /// Exactly where the cursor is: the middle of its cell, or the vertex it was put on.
  package internal(set) var cursor = Coordinate(x: 0, y: 0)
  /// The place that was typed for the cursor last; a cursor that is still there does not snap.
  var typedCursor: Coordinate?
  /// The other corner of the selection box, while in SELECT.
  package internal(set) var boxAnchor: Coordinate?
  /// Whether the box takes features of all layers, not only of the active one.
  package internal(set) var boxTakesAllLayers = false
}
