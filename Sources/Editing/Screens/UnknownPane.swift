package import PortolanDocuments
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// A pane for a view of an unknown kind: it keeps its place and names the kind.
package struct UnknownPane: PaneKind {
  package static let name = "unknown"
  package static let makesViews = false

  package init() {}

  package static func shows(_ view: any View) -> Bool { true }

  package func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    guard rect.columns > 4 else { return }
    let lines = MessagesPanel.wrapped(sentence(desk), columns: rect.columns - 4, most: rect.rows)
    var row = rect.row + (rect.rows - lines.count) / 2
    for line in lines {
      frame.write(
        line, at: rect.column + 2, row: row, style: desk.look.theme.faint,
        maxColumns: rect.columns - 4)
      row += 1
    }
  }

  private func sentence(_ desk: Desk) -> String {
    let view = desk.pane.view.flatMap { desk.document.view($0) }
    guard let view else { return "This view is not in the document any more." }
    let name = view.name.isEmpty ? "" : " “\(view.name)”"
    return "The view\(name) is a \(view.className), which this Portolan cannot show. "
      + "It is saved as it is."
  }
}
