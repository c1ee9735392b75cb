import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// The rectangle of a map's view, held by the mouse in an overview.
struct OverviewGrip: Sendable {
  /// The pane of the map.
  var map: PaneID
  /// The camera of the overview.
  var overview: Camera
  /// The centre of the view when it was taken hold of.
  var center: Coordinate
  /// The cell of the screen where that was.
  var column: Int
  var row: Int
}

/// The mouse in an overview: a click beside the rectangle of the view brings the view there; the
/// rectangle is dragged.
extension Desk {
  /// Handles a press of the first button in the overview panel; returns whether it was there.
  mutating func pressOverview(_ event: MouseEvent) -> Bool {
    var area = BarPanel.area(of: .overview, self)
    // Its first line is its heading.
    area = CellRect(
      column: area.column, row: area.row + 1, columns: area.columns, rows: area.rows - 1)
    guard let map, !document.extent.isEmpty, !map.camera.showsWholeWorld,
      area.contains(column: event.column, row: event.row)
    else { return false }
    let overview = OverviewPanel.camera(of: document, plane, size: area.size)
    takeHold(
      of: map, seenThrough: overview, column: event.column, row: event.row,
      at: (event.column - area.column, event.row - area.row))
    return true
  }

  /// Takes hold of the view of a map; a click beside its rectangle brings it there first.
  ///
  /// - Parameters:
  ///   - map: the desk at the map.
  ///   - column: of the screen; `row` too.
  ///   - cell: the same place in the overview.
  mutating func takeHold(
    of map: Desk, seenThrough overview: Camera, column: Int, row: Int,
    at cell: (column: Int, row: Int)
  ) {
    var center = map.camera.center
    let cells = OverviewPanel.cells(of: map.camera, seenThrough: overview)
    let isHeld =
      cells.map {
        ($0.left...max($0.left, $0.right)).contains(cell.column)
          && ($0.top...max($0.top, $0.bottom)).contains(cell.row)
      } ?? false
    if !isHeld {
      center = overview.coordinate(column: cell.column, row: cell.row)
      var map = map
      map.rememberViewpoint()
      put(back: map, centredOn: center)
    }
    press = Press(
      column: column, row: row, lastColumn: column, lastRow: row, isBox: false,
      grip: OverviewGrip(
        map: map.pane.id, overview: overview, center: center, column: column, row: row))
  }

  /// Moves the view by as much of the overview as the pointer has moved.
  mutating func drag(_ grip: OverviewGrip, toColumn column: Int, row: Int) {
    guard var place = grip.overview.dot(at: grip.center) else { return }
    place.x += Double(2 * (column - grip.column))
    place.y += Double(4 * (row - grip.row))
    let center = grip.overview.coordinate(at: place)
    if grip.map == pane.id {
      put(back: self, centredOn: center)
    } else if let pane = session.panes[grip.map], pane.document == file.id {
      var map = self
      map.pane = pane
      map.placeCursor()
      put(back: map, centredOn: center)
    }
  }

  /// Puts back the pane of a desk, centred on a place.
  private mutating func put(back map: Desk, centredOn center: Coordinate) {
    var map = map
    map.look(through: map.camera.centered(on: center), keeping: map.cursor)
    if map.pane.id == pane.id { pane = map.pane } else { session.panes[map.pane.id] = map.pane }
  }
}
