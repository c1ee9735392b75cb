package import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals

/// The whole map in a pane of its own, with a rectangle around a map pane's view; a click or the
/// dragged rectangle moves that map.
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
    let view = desk.map?.camera ?? desk.camera
    OverviewPanel.draw(
      desk, of: view, in: rect, name: "overview \(desk.pane.id.rawValue)", memory: &memory,
      on: &frame)
  }

  package static func press(column: Int, row: Int, in desk: inout Desk) {
    let area = desk.mapArea
    let camera = OverviewPanel.camera(of: desk.document, desk.plane, size: area.size)
    guard let map = desk.map, !desk.document.extent.isEmpty, !map.camera.showsWholeWorld
    else { return }
    desk.takeHold(
      of: map, seenThrough: camera, column: area.column + column, row: area.row + row,
      at: (column, row))
  }
}
