import PortolanDocuments
import PortolanTerminals

/// The sizes and places of panes, and what linked ones have in common.
extension Desk {
  /// Makes the pane wider or higher by a number of cells, narrower or lower below zero.
  mutating func growPane(_ axis: PaneTree.Axis, by cells: Int) throws {
    let arrangement = session.arrangement
    let rect = layout.map
    guard arrangement.tab.tree.panes.count > 1 else {
      throw EditingError(.refused, "there is one pane: split divides it")
    }
    // Borders that are not seen are not moved.
    guard arrangement.places(in: rect).panes.count > 1 || isHeadless else {
      throw EditingError(.refused, "this pane has all the room: pane whole shows the others")
    }
    guard let tree = arrangement.tab.tree.growing(pane.id, axis, by: cells, in: rect) else {
      throw EditingError(
        .refused,
        cells > 0
          ? "no pane beside it has room to give"
          : "the pane cannot be smaller, or no pane beside it can take the room")
    }
    session.arrangement.tab.tree = tree
  }

  /// Puts the pane in the place of another one of the tab, and that in its own.
  mutating func swapPane(with other: PaneID) {
    session.arrangement.tab.tree = session.arrangement.tab.tree.swapping(pane.id, other)
  }

  /// Puts each pane of the tab in the place of the next one.
  mutating func rotatePanes() throws {
    let tree = session.arrangement.tab.tree
    guard tree.panes.count > 1 else {
      throw EditingError(.refused, "there is one pane: split divides it")
    }
    session.arrangement.tab.tree = tree.rotated
  }

  /// Gives the pane all the room of the tab, or shows the other panes again.
  mutating func zoomPane() throws {
    guard session.arrangement.tab.tree.panes.count > 1 else {
      throw EditingError(.refused, "this is the only pane of the tab")
    }
    let isWhole = session.arrangement.tab.whole == pane.id
    session.arrangement.tab.whole = isWhole ? nil : pane.id
  }

  // MARK: Tabs

  /// The index of a tab by its number from 1 on, or by its name.
  func tab(named name: String) throws -> Int {
    let tabs = session.arrangement.tabs
    if let number = Int(name) {
      if tabs.indices.contains(number - 1) { return number - 1 }
      throw EditingError(
        .notFound, tabs.count == 1 ? "there is one tab" : "there are tabs 1 to \(tabs.count)")
    }
    let names = tabNames
    if let index = names.firstIndex(where: { $0.hasSameBytes(as: name) }) { return index }
    let near = Spelling.question(Spelling.nearest(to: name, among: names))
    throw EditingError(
      .notFound, "no tab “\(name)”: \(near)the tabs are \(names.joined(separator: ", "))")
  }

  /// Names the shown tab; without a name it has that of its view again.
  mutating func nameTab(_ name: String?) {
    session.arrangement.tab.name = name ?? ""
    say("tab \(session.arrangement.index + 1): \(tabNames[session.arrangement.index])")
  }

  /// Moves the pane into another tab, and goes there with it.
  ///
  /// - Parameter target: the number or the name of the tab, or `new`.
  mutating func movePane(toTab target: String) throws {
    let arrangement = session.arrangement
    let isAlone = !arrangement.tab.tree.panes.contains { $0 != pane.id && takesKeys($0) }
    let index = target == "new" ? nil : try tab(named: target)
    if index == nil, isAlone {
      throw EditingError(.refused, "the pane has a tab of its own already")
    }
    if index == arrangement.index {
      throw EditingError(.refused, "the pane is in that tab already")
    }
    let area = layout.map
    session.panes[pane.id] = pane
    session.arrangement.move(
      pane.id, toTab: index, area.columns >= 4 * area.rows ? .columns : .rows)
    tidyPanes()
  }

  // MARK: Links

  /// Links the pane with the other linked panes of its document, or unlinks it.
  ///
  /// - Parameter links: what they have in common; `nil` for the opposite of now.
  mutating func linkPane(_ links: PaneLayout.Links?) throws {
    let links = links ?? (pane.links.isEmpty ? .center : [])
    guard !links.isEmpty else {
      pane.links = []
      say("the pane is not linked now")
      return
    }
    try requireMap()
    let ids = session.arrangement.tab.tree.panes.filter {
      $0 != pane.id && session.panes[$0]?.document == file.id
        && session.panes[$0]?.state.map != nil
    }
    guard !ids.isEmpty else {
      throw EditingError(.refused, "no other pane of the tab shows this document: split makes one")
    }
    pane.links = links
    // A pane linked with no other would follow nothing.
    for link in [PaneLayout.Links.center, .magnification]
    where links.contains(link) && !ids.contains(where: { isLinked($0, link) }) {
      for id in ids { session.panes[id]?.links.insert(link) }
    }
    say("linked panes have one \(links.words ?? "")")
  }

  private func isLinked(_ id: PaneID, _ link: PaneLayout.Links) -> Bool {
    session.panes[id]?.links.contains(link) == true
  }

  // MARK: Borders held by the mouse

  /// Takes hold of a border between panes; returns whether one is there.
  mutating func pressBorder(_ event: MouseEvent) -> Bool {
    let found = session.arrangement.borders(in: layout.map).first {
      $0.cells.contains(column: event.column, row: event.row)
    }
    guard let found else { return false }
    press = Press(
      column: event.column, row: event.row, lastColumn: event.column, lastRow: event.row,
      isBox: false, border: found.border)
    return true
  }

  /// Moves a held border to the pointer.
  mutating func drag(_ border: PaneTree.Border, toColumn column: Int, row: Int) {
    session.arrangement.tab.tree = session.arrangement.tab.tree.moving(
      border, to: border.axis == .columns ? column : row, in: layout.map)
  }
}

extension PaneLayout.Links {
  /// What linked panes have in common, in words; `nil` for nothing.
  var words: String? {
    switch self {
    case [.center, .magnification]: "centre and zoom"
    case .center: "centre"
    case .magnification: "zoom"
    default: nil
    }
  }
}
