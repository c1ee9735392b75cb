import PortolanDocuments
import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// The first line: the document, whether it was edited, the views, the key for help.
package enum TitleLine {
  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    guard !rect.isEmpty else { return }
    frame.fill(rect, style: desk.look.theme.bar)
    let (line, help) = lines(desk, columns: rect.columns)
    help.writeRight(to: &frame, in: rect)
    line.write(
      to: &frame,
      in: CellRect(
        column: rect.column, row: rect.row, columns: room(rect.columns, beside: help), rows: 1))
  }

  /// The effect of a click on a cell of the line; `nil` where it has none.
  static func link(_ desk: Desk, column: Int, row: Int) -> TextLine.Link? {
    let rect = desk.layout.title
    guard rect.contains(column: column, row: row) else { return nil }
    let (line, help) = lines(desk, columns: rect.columns)
    let place = column - rect.column
    return help.link(at: place - max(0, rect.columns - help.width)) ?? line.link(at: place)
  }

  private static func room(_ columns: Int, beside help: TextLine) -> Int {
    max(0, columns - help.width - 2)
  }

  /// The document and its tabs, from the left; the keys for help and menu, at the right.
  private static func lines(_ desk: Desk, columns: Int) -> (left: TextLine, right: TextLine) {
    let look = desk.look
    let bar = look.theme.bar
    var help = TextLine()
    help.append("F1", look.theme.barStrong, link: .line("help"))
    help.append(" help  ", bar, link: .line("help"))
    // Elsewhere Space puts a point, marks a row or is typed.
    let menu = Key(.character(" "))
    if desk.keyMap.match([menu], in: desk.keyMode) == .prefix {
      help.append("Space", look.theme.barStrong, link: .menu(menu))
      help.append(" menu ", bar, link: .menu(menu))
    }

    let room = room(columns, beside: help)
    var line = TextLine()
    var marks = desk.isEdited ? " [+]" : ""
    if desk.isReadOnly { marks += desk.file.isWatching ? " [watching]" : " [read-only]" }
    if let trouble = desk.file.trouble { marks += " [\(trouble)]" }
    var saved = ""
    switch desk.file.autosave {
    case .kept(let time) where desk.file.hasWorkToKeep: saved = " autosaved \(time)"
    case .failing where desk.file.hasWorkToKeep: marks += " [NOT autosaved]"
    default: break
    }
    if desk.session.isWatching { marks += " [you watch]" }
    let company = desk.companyTexts(columns: room / 2)
    // A long name leaves room for who is here.
    let other = company.isEmpty ? 0 : min(room / 2, 3 + company[0].count + company[2].count)
    let name = CutText.start(
      desk.title, columns: max(8, room - marks.count - 2 - other), signs: look.signs)
    line.append(" " + name, look.theme.barStrong, link: .line("info"))
    line.append(marks, look.theme.barStrong, link: .line("info"))
    line.append(saved, look.theme.barStrong, rank: 3, link: .line("info"))
    for (index, part) in company.enumerated() {
      line.append(
        (index == 0 ? "   " : "") + part, look.theme.barStrong, rank: index == 1 ? 2 : 1)
    }
    let system = desk.document.metadata.coordinateSystem
    if system != .crs84 { line.append("   " + system.name.prefix(40), bar, rank: 4) }
    for (index, name) in desk.tabNames.enumerated() {
      let isShown = index == desk.session.arrangement.index && desk.tabNames.count > 1
      line.append(
        (index == 0 ? "   " : "  ") + "\(index + 1):\(name)",
        isShown ? look.theme.barStrong : bar, rank: isShown ? 2 : index + 5,
        link: .line("tab \(index + 1)"))
    }
    line.fit(room)
    return (line, help)
  }
}

extension Desk {
  /// The other people at terminals, in a few words: one of them, whether that one follows this map,
  /// and the others, by name where the columns have room; empty if nobody else is here.
  func companyTexts(columns: Int) -> [String] {
    let here = company.filter(\.isPresent)
    let leader = here.first { $0.id == session.following }
    guard let first = leader ?? here.first(where: { $0.following == session.id }) ?? here.first
    else { return [] }
    let one = (leader == nil ? "with " : "following ") + first.name
    let mark = first.following == session.id ? " (follows you)" : ""
    let others = here.filter { $0.id != first.id }.map { ", " + $0.name }.joined()
    if others.isEmpty { return [one, mark, ""] }
    let isRoom = DisplayWidth.of(one + mark + others) <= columns
    return [one, mark, isRoom ? others : " and \(here.count - 1) more"]
  }

  /// The names of the tabs: their own, or of the views in them, or of their documents if several
  /// are open.
  var tabNames: [String] {
    session.arrangement.tabs.map { tab in
      if !tab.name.isEmpty { return tab.name }
      let shown = session.panes[tab.focus] ?? pane
      if let other = others.first(where: { $0.id == shown.document }) { return other.title }
      if !others.isEmpty { return title }
      let view = shown.view.flatMap { id in document.views.first { $0.id == id } }
      return view?.name ?? document.mapView?.name ?? "Map"
    }
  }
}
