import PortolanDocuments
package import PortolanGraphics
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// Looking around: the camera, the cursor, and the earlier viewpoints.
extension Desk {
  /// The area on the screen of the map that is meant; without one, that of the pane.
  package var mapArea: CellRect { session.arrangement.area(of: mapPane ?? pane.id, in: layout.map) }

  /// The pane's area on the screen.
  var paneArea: CellRect { session.arrangement.area(of: pane.id, in: layout.map) }

  /// The areas of all parts of the screen.
  package var layout: ScreenLayout { session.layout }

  /// The transformation from coordinates to the map.
  ///
  /// Planar coordinates are drawn as they are, whatever the projection; the plane depends on
  /// nothing but the document.
  package var plane: MapPlane { plane(map.viewpoint.projection) }

  func plane(_ projection: Projection) -> MapPlane {
    let isGlobe = isGeographic && projection != .planar
    return isGlobe
      ? MapPlane(projection: projection)
      : MapPlane(
        projection: .planar, reference: file.extent, isMetric: document.metadata.isMetric)
  }

  /// What a map pane of the document looks at now.
  func viewpoint(of map: MapState) -> Viewpoint {
    counted(map.viewpoint)
  }

  /// What a view of the document shows now.
  func viewpoint(of view: any MapShowing) -> Viewpoint { counted(Viewpoint(view)) }

  private func counted(_ viewpoint: Viewpoint) -> Viewpoint {
    guard let side = planarSide(viewpoint.projection) else {
      return viewpoint.counted(from: nil, formerly: nil)
    }
    return viewpoint.counted(from: side, formerly: keptSide)
  }

  /// The side of the planar map that the magnifications in views and bookmarks count from: that of
  /// the document as opened. A save counts them from the present one.
  private var keptSide: Double {
    MapPlane(projection: .planar, reference: file.planeReference).side
  }

  /// A present magnification as views and bookmarks keep it.
  func keptMagnification(_ magnification: Double, _ projection: Projection) -> Double {
    guard let side = planarSide(projection) else { return magnification }
    return Self.recounted(magnification, by: keptSide / side)
  }

  /// The present magnification for one of a view or a bookmark.
  func shownMagnification(_ magnification: Double, _ projection: Projection) -> Double {
    guard let side = planarSide(projection) else { return magnification }
    return Self.recounted(magnification, by: side / keptSide)
  }

  private static func recounted(_ magnification: Double, by factor: Double) -> Double {
    if factor == 1 { return magnification }
    let bounds = ZoomBounds.limits
    return min(max(magnification * factor, bounds.lowerBound), bounds.upperBound)
  }

  /// The projection that the magnifications of bookmarks belong to.
  var bookmarkProjection: Projection { isGeographic ? .webMercator : .planar }

  /// The side of the document as a planar map; `nil` where a projection of the globe is meant.
  func planarSide(_ projection: Projection) -> Double? {
    let plane = plane(projection)
    return plane.isGeographic ? nil : plane.side
  }

  /// Whether the document's coordinates are longitude and latitude; others are planar.
  package var isGeographic: Bool { document.metadata.isGeographic }

  /// The camera of the map pane.
  package var camera: Camera {
    let viewpoint = viewpoint
    return Camera(
      plane: plane, center: viewpoint.center, zoom: viewpoint.zoom, size: mapArea.size)
  }

  /// The camera whose window is the map's area.
  var mapCamera: Camera { camera.resized(to: mapArea.size) }

  /// Whether positions are exact: in a script and without an editor nothing depends on the screen,
  /// its cells or the visible part of the map.
  var isScripted: Bool { isHeadless || isInScript }

  /// Sets the camera; the cursor keeps its cell, in a script its coordinate.
  mutating func look(through camera: Camera) {
    viewpoint.center = camera.center
    viewpoint.zoom = camera.zoom
    if isScripted {
      settleCursor(at: cursor)
    } else {
      putCursor(column: cursorColumn, row: cursorRow)
    }
  }

  /// Sets the camera; the cursor keeps its coordinate, or goes to the middle.
  mutating func look(through camera: Camera, keeping coordinate: Coordinate) {
    viewpoint.center = camera.center
    viewpoint.zoom = camera.zoom
    settleCursor(at: coordinate)
  }

  /// Puts the cursor on the cell that shows a coordinate; if none does, into the middle, but in a
  /// script, and where no map is shown, on the coordinate all the same.
  mutating func settleCursor(at coordinate: Coordinate) {
    let camera = self.camera
    if let cell = camera.cell(at: coordinate) {
      cursorColumn = cell.column
      cursorRow = cell.row
      cursor = coordinate
    } else {
      putCursor(column: camera.size.columns / 2, row: camera.size.rows / 2)
      if isScripted || mapArea.isEmpty { cursor = coordinate }
    }
  }

  /// Puts the cursor on its coordinate again after the pane has changed its size.
  mutating func placeCursor() {
    let size = mapArea.size
    if map.size == size { return }
    map.size = size
    settleCursor(at: cursor)
  }

  /// The cursor's place in a newly opened document: the centre of its map view, or the middle of
  /// data without one.
  var startOfCursor: Coordinate {
    let box = document.extent.forFitting(on: plane)
    if box.isEmpty { return viewpoint.center }
    guard file.path != nil, file.addedData.isEmpty else { return box.center }
    if !file.isData { return viewpoint.center }
    // The middle of the window is lower where the scale bar takes a row.
    return Camera.fitting(box, plane: plane, size: mapArea.size).withoutEmptyRows.center
  }

  /// Puts the cursor on the middle of the map.
  mutating func centreCursor() { settleCursor(at: camera.center) }

  /// Puts the cursor on a cell of the map area, if one is given.
  ///
  /// - Throws: in a script, which has no cells.
  mutating func putCursor(on cell: CellArgument?) throws {
    guard let cell else { return }
    try requireCells()
    putCursor(column: cell.column, row: cell.row)
  }

  /// Throws in a script for arguments in cells: their extent on the map depends on the screen.
  func requireCells() throws {
    if isScripted {
      throw EditingError(
        .refused, "a script has no screen whose cells could be counted: go to LON LAT, or @DX,DY")
    }
  }

  /// Puts the cursor on a cell of the map area, clamped to it.
  mutating func putCursor(column: Int, row: Int) {
    let camera = self.camera
    cursorColumn = min(max(0, column), max(0, camera.size.columns - 1))
    cursorRow = min(max(0, row), max(0, camera.size.rows - 1))
    cursor = camera.coordinate(column: cursorColumn, row: cursorRow)
    guard camera.plane.isCurved, camera.size.columns > 0, camera.size.rows > 0 else { return }
    // Such a map ends within the window: the cursor stays on it.
    if camera.cell(at: cursor) == nil { cursor = camera.center }
    if let cell = camera.cell(at: cursor) { (cursorColumn, cursorRow) = cell }
  }

  /// Moves the cursor by cells; the map scrolls to keep it three cells away from the edges.
  mutating func moveCursor(columns: Int, rows: Int) {
    let camera = self.camera
    let limit = 100_000
    let column = cursorColumn + min(max(columns, -limit), limit)
    let row = cursorRow + min(max(rows, -limit), limit)
    let panColumns = Self.overflow(column, of: camera.size.columns, moved: columns)
    let panRows = Self.overflow(row, of: camera.size.rows, moved: rows)
    let kept = cursor
    defer { keepCursor(x: columns == 0 ? kept.x : nil, y: rows == 0 ? kept.y : nil) }
    if panColumns == 0 && panRows == 0 {
      putCursor(column: column, row: row)
      return
    }
    let before = camera.dot(at: camera.center)
    let panned = camera.panned(columns: panColumns, rows: panRows)
    let after = panned.dot(at: camera.center)
    viewpoint.center = panned.center
    // At the world's ends the map moves less: the cursor goes the rest of the way.
    let moved = Self.cells(from: after, to: before)
    putCursor(column: column - moved.columns, row: row - moved.rows)
  }

  /// Keeps the exact x or y of a cursor that moved only along the other axis, where its cell shows
  /// it.
  private mutating func keepCursor(x: Double?, y: Double?) {
    let kept = Coordinate(x: x ?? cursor.x, y: y ?? cursor.y)
    if let cell = camera.cell(at: kept), cell == (cursorColumn, cursorRow) { cursor = kept }
  }

  private static func cells(from: DotPoint?, to: DotPoint?) -> (columns: Int, rows: Int) {
    guard let from, let to, abs(to.x - from.x) < 1e9, abs(to.y - from.y) < 1e9 else {
      return (0, 0)
    }
    return (Int(((to.x - from.x) / 2).rounded()), Int(((to.y - from.y) / 4).rounded()))
  }

  /// The number of cells outside of the margin, on the side of the movement.
  private static func overflow(_ cell: Int, of count: Int, moved: Int) -> Int {
    let margin = min(3, max(0, (count - 1) / 2))
    if moved < 0 && cell < margin { return cell - margin }
    if moved > 0 && cell > count - 1 - margin { return cell - (count - 1 - margin) }
    return 0
  }

  /// Moves the map under the cursor.
  mutating func pan(columns: Int, rows: Int) {
    look(through: camera.panned(columns: columns, rows: rows))
  }

  /// Zooms by half steps; the cursor keeps its place on the map and on the screen.
  mutating func zoom(steps: Double) {
    let camera = self.camera
    zoom(to: camera.zoom + min(max(steps, -100), 100) * Camera.step)
  }

  mutating func zoom(to zoom: Double) {
    let kept = cursor
    look(
      through: camera.zoomed(to: zoom, keeping: kept, column: cursorColumn, row: cursorRow),
      keeping: kept)
  }

  /// Shows a whole box; empty boxes show the whole map.
  mutating func fit(_ box: Box) {
    rememberJump()
    let shown = box.forFitting(on: plane)
    let camera =
      isScripted
      ? Camera.fitting(shown, plane: plane, size: mapArea.size)
      : ScaleBar.fitting(shown, plane: plane, size: mapArea.size)
    look(through: camera.withoutEmptyRows, keeping: cursor)
  }

  /// Goes to a coordinate: the cursor is on it, and it is inside the margin of the map.
  mutating func visit(_ coordinate: Coordinate, centring: Bool = false) {
    let camera = self.camera
    let isInside =
      camera.cell(at: coordinate).map { cell in
        let across = min(3, max(0, (camera.size.columns - 1) / 2))
        let down = min(3, max(0, (camera.size.rows - 1) / 2))
        return cell.column >= across && cell.column < camera.size.columns - across
          && cell.row >= down && cell.row < camera.size.rows - down
      } ?? false
    if centring || !isInside || isScripted {
      rememberJump()
      viewpoint.center = camera.centered(on: coordinate).center
    }
    settleCursor(at: coordinate)
  }

  /// Goes to a typed position: vertices put there do not snap.
  mutating func visit(typed coordinate: Coordinate) {
    rememberJump()
    visit(coordinate)
    map.typedCursor = coordinate
  }

  /// Saves the present viewpoint and the cursor's place for `zp` and Ctrl-O.
  mutating func rememberJump() {
    let here = Jump(viewpoint: viewpoint, cursor: cursor)
    if map.pastJumps.last == here { return }
    map.pastJumps.append(here)
    if map.pastJumps.count > 200 { map.pastJumps.removeFirst() }
    map.futureJumps = []
  }

  /// Goes back so many jumps, or forward after that; as far as there are any.
  mutating func revisit(_ jumps: Int, forward: Bool) throws {
    for index in 0..<max(1, jumps) {
      let here = Jump(viewpoint: viewpoint, cursor: cursor)
      guard let next = forward ? map.futureJumps.popLast() : map.pastJumps.popLast() else {
        if index > 0 { return }
        throw EditingError(.notFound, forward ? "no later view" : "no earlier view")
      }
      if forward { map.pastJumps.append(here) } else { map.futureJumps.append(here) }
      viewpoint = next.viewpoint
      settleCursor(at: next.cursor)
    }
  }

  /// Looks at the whole document in all its panes: its coordinates became planar ones or degrees,
  /// so that no former viewpoint is a place any more.
  mutating func lookAnew() {
    fit(document.extent)
    centreCursor()
    (map.pastJumps, map.futureJumps) = ([], [])
    let others = session.panes.filter {
      $1.document == file.id && $1.state.map != nil && $0 != pane.id && $0 != mapPane
    }
    let state = MapState(viewpoint, cursor: cursor)
    for id in others.keys { session.panes[id]?.state.map = state }
  }

  /// Sets the viewpoint of the document's map view.
  mutating func showDocumentView() {
    guard let view = document.mapView else { return }
    pane.show(view)
    if view.showsLegend == false { panels.remove(.legend) }
    centreCursor()
  }
}
