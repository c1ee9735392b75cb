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
    guard mapPane != nil, !document.extent.isEmpty, !camera.showsWholeWorld,
      area.contains(column: event.column, row: event.row)
    else { return false }
    let overview = OverviewPanel.camera(of: document, plane, size: area.size)
    takeHold(
      seenThrough: overview, column: event.column, row: event.row,
      at: (event.column - area.column, event.row - area.row))
    return true
  }

  /// Takes hold of the view of the map that is meant; a click beside its rectangle brings it there
  /// first.
  ///
  /// - Parameters:
  ///   - column: of the screen; `row` too.
  ///   - cell: the same place in the overview.
  mutating func takeHold(
    seenThrough overview: Camera, column: Int, row: Int, at cell: (column: Int, row: Int)
  ) {
    guard let mapPane else { return }
    let cells = OverviewPanel.cells(of: camera, seenThrough: overview)
    let isHeld =
      cells.map {
        ($0.left...max($0.left, $0.right)).contains(cell.column)
          && ($0.top...max($0.top, $0.bottom)).contains(cell.row)
      } ?? false
    if !isHeld {
      rememberJump()
      centre(on: overview.coordinate(column: cell.column, row: cell.row))
    }
    press = Press(
      column: column, row: row, lastColumn: column, lastRow: row, isBox: false,
      grip: OverviewGrip(
        map: mapPane, overview: overview, center: camera.center, column: column, row: row))
  }

  /// Moves the view by as much of the overview as the pointer has moved.
  mutating func drag(_ grip: OverviewGrip, toColumn column: Int, row: Int) {
    guard grip.map == mapPane, var place = grip.overview.dot(at: grip.center) else { return }
    place.x += Double(2 * (column - grip.column))
    place.y += Double(4 * (row - grip.row))
    centre(on: grip.overview.coordinate(at: place))
  }

  /// Centres the map on a place; the cursor keeps its coordinate.
  private mutating func centre(on place: Coordinate) {
    look(through: camera.centered(on: place), keeping: cursor)
  }
}
