import Documents
package import Terminals

/// The first line: what is open, whether it was edited, the views, where help is.
package enum TitleLine {
  package static func draw(_ session: Session, in rect: CellRect, on frame: inout Frame) {
    guard !rect.isEmpty else { return }
    let look = session.look
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
    var marks = session.isEdited ? " [+]" : ""
    if session.isReadOnly { marks += session.isWatching ? " [watching]" : " [read-only]" }
    if let trouble = session.fileTrouble { marks += " [\(trouble)]" }
    switch session.autosave {
    case .kept(let time) where session.isEdited: marks += " autosaved \(time)"
    case .failing where session.isEdited: marks += " [NOT autosaved]"
    default: break
    }
    let name = CutText.start(
      session.title, columns: max(8, room - marks.count - 2), signs: look.signs)
    line.append(" " + name, look.theme.barStrong)
    line.append(marks, look.theme.barStrong)
    let system = session.document.metadata.coordinateSystem
    if system != .crs84 { line.append("   " + system.name.prefix(40), bar, rank: 1) }
    let views = session.document.views.compactMap { $0 as? MapView }
    for (index, view) in views.prefix(6).enumerated() {
      line.append((index == 0 ? "   " : "  ") + "\(index + 1):\(view.name)", bar, rank: index + 2)
    }
    line.fit(room)
    line.write(
      to: &frame, in: CellRect(column: rect.column, row: rect.row, columns: room, rows: 1))
  }
}
