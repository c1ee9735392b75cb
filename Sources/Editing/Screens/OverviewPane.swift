package import PortolanDocuments
package import PortolanRendering
package import PortolanTerminals

/// The whole map in a pane of its own, with a rectangle around a map pane's view; a click moves
/// that map.
package enum OverviewPane: PaneKind {
  package static let name = "overview"
  package static let takesKeys = false

  package static func shows(_ view: any View) -> Bool { view is any OverviewShowing }

  package static func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? {
    document.view(id) ?? ViewKinds.overview(id)
  }

  package static func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    let view = map(of: desk)?.camera ?? desk.camera
    OverviewPanel.draw(
      desk, of: view, in: rect, name: "overview \(desk.pane.id.rawValue)", memory: &memory,
      on: &frame)
  }

  package static func press(column: Int, row: Int, in desk: inout Desk) {
    let camera = OverviewPanel.camera(of: desk.document, desk.plane, size: desk.mapArea.size)
    guard var map = map(of: desk) else { return }
    let place = camera.coordinate(column: column, row: row)
    map.look(through: map.camera.centered(on: place), keeping: map.cursor)
    desk.session.panes[map.pane.id] = map.pane
  }

  /// The map of the overview: the focused one, or the first of the tab.
  private static func map(of desk: Desk) -> Desk? {
    let session = desk.session
    let ids = [session.arrangement.focus] + session.arrangement.tab.tree.panes
    let found = ids.lazy.compactMap { session.panes[$0] }.first {
      $0.document == desk.file.id && $0.kind == MapPane.self
    }
    guard let found else { return nil }
    var map = desk
    map.pane = found
    map.placeCursor()
    return map
  }
}
