import PortolanDocuments
package import PortolanTerminals

/// The first line: the document, whether it was edited, the views, the key for help.
package enum TitleLine {
  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    guard !rect.isEmpty else { return }
    let look = desk.look
    let bar = look.theme.bar
    frame.fill(rect, style: bar)

    var help = TextLine()
    help.append("F1", look.theme.barStrong)
    help.append(" help  ", bar)
    help.append("Space", look.theme.barStrong)
    help.append(" menu ", bar)
    help.writeRight(to: &frame, in: rect)

    let room = max(0, rect.columns - help.width - 2)
    var line = TextLine()
    var marks = desk.isEdited ? " [+]" : ""
    if desk.isReadOnly { marks += desk.file.isWatching ? " [watching]" : " [read-only]" }
    if let trouble = desk.file.trouble { marks += " [\(trouble)]" }
    switch desk.file.autosave {
    case .kept(let time) where desk.file.hasWorkToKeep: marks += " autosaved \(time)"
    case .failing where desk.file.hasWorkToKeep: marks += " [NOT autosaved]"
    default: break
    }
    let name = CutText.start(
      desk.title, columns: max(8, room - marks.count - 2), signs: look.signs)
    line.append(" " + name, look.theme.barStrong)
    line.append(marks, look.theme.barStrong)
    let system = desk.document.metadata.coordinateSystem
    if system != .crs84 { line.append("   " + system.name.prefix(40), bar, rank: 1) }
    for (index, name) in desk.tabNames.enumerated() {
      let isShown = index == desk.session.arrangement.index && desk.tabNames.count > 1
      line.append(
        (index == 0 ? "   " : "  ") + "\(index + 1):\(name)",
        isShown ? look.theme.barStrong : bar, rank: isShown ? 1 : index + 2)
    }
    line.fit(room)
    line.write(
      to: &frame, in: CellRect(column: rect.column, row: rect.row, columns: room, rows: 1))
  }
}

extension Desk {
  /// The names of the tabs: of the views in them, or of their documents if several are open.
  var tabNames: [String] {
    session.arrangement.tabs.map { tab in
      let shown = session.panes[tab.focus] ?? pane
      if let other = others.first(where: { $0.id == shown.document }) { return other.title }
      if !others.isEmpty { return title }
      let view = shown.view.flatMap { id in document.views.first { $0.id == id } }
      return view?.name ?? document.mapView?.name ?? "Map"
    }
  }
}
