import Documents
package import Terminals

/// The first line: what is open, whether it was edited, the views, where help is.
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
    case .kept(let time) where desk.isEdited: marks += " autosaved \(time)"
    case .failing where desk.isEdited: marks += " [NOT autosaved]"
    default: break
    }
    let name = CutText.start(
      desk.title, columns: max(8, room - marks.count - 2), signs: look.signs)
    line.append(" " + name, look.theme.barStrong)
    line.append(marks, look.theme.barStrong)
    let system = desk.document.metadata.coordinateSystem
    if system != .crs84 { line.append("   " + system.name.prefix(40), bar, rank: 1) }
    let views = desk.document.views.compactMap { $0 as? any MapShowing }
    for (index, view) in views.prefix(6).enumerated() {
      line.append((index == 0 ? "   " : "  ") + "\(index + 1):\(view.name)", bar, rank: index + 2)
    }
    line.fit(room)
    line.write(
      to: &frame, in: CellRect(column: rect.column, row: rect.row, columns: room, rows: 1))
  }
}
