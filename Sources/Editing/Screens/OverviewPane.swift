package import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals

/// The whole map in a pane of its own, with a rectangle around a map pane's view; a click or the
/// dragged rectangle moves that map.
package struct OverviewPane: PaneKind {
  package static let name = "overview"
  package static let takesKeys = false

  package init() {}

  package static func shows(_ view: any View) -> Bool { view is any OverviewShowing }

  package func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? {
    document.view(id) ?? ViewKinds.overview(id)
  }

  package func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    OverviewPanel.draw(
      desk, of: desk.camera, in: rect, name: "overview \(desk.pane.id.rawValue)", memory: &memory,
      on: &frame)
  }

  package func press(_ event: MouseEvent, column: Int, row: Int, in desk: inout Desk) {
    let area = desk.paneArea
    let camera = OverviewPanel.camera(of: desk.document, desk.plane, size: area.size)
    guard event.action == .press, event.button == 1, !desk.document.extent.isEmpty,
      !desk.camera.showsWholeWorld
    else { return }
    desk.takeHold(
      seenThrough: camera, column: area.column + column, row: area.row + row,
      at: (column, row))
  }
}
