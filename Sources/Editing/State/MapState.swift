package import PortolanGraphics
import PortolanTerminals

/// A viewpoint with the cursor in it, to go back to.
struct Jump: Hashable, Sendable {
  var viewpoint: Viewpoint
  var cursor: Coordinate
}

/// What a map pane looks at, and where its cursor is.
package struct MapState: Sendable {
  package internal(set) var viewpoint = Viewpoint()
  /// Where it was before, and after that.
  var pastJumps: [Jump] = []
  var futureJumps: [Jump] = []
  /// The pane's size when its cursor was placed, in cells; negative before that.
  var size = CellSize(columns: -1, rows: -1)
  /// The cursor's cell within the map area.
  package internal(set) var cursorColumn = 0
  package internal(set) var cursorRow = 0
  /// The exact cursor position: the middle of its cell, or the vertex under it.
  package internal(set) var cursor = Coordinate(x: 0, y: 0)
  /// The last typed cursor position; a cursor that is still there does not snap.
  var typedCursor: Coordinate?
  /// The selection box, while in SELECT.
  package internal(set) var box: SelectionBox?

  package init() {}

  /// The same view without its past.
  init(_ viewpoint: Viewpoint, cursor: Coordinate) {
    (self.viewpoint, self.cursor) = (viewpoint, cursor)
  }
}
