package import PortolanTerminals

/// The panes of a session: tabs, each a tree of panes, and the focused one.
package struct Arrangement: Hashable, Sendable {
  /// Panes shown together.
  package struct Tab: Hashable, Sendable {
    package internal(set) var tree: PaneTree
    /// The pane focused last.
    package internal(set) var focus: PaneID
    /// The pane that has all the room until another one is focused.
    package internal(set) var whole: PaneID?
    /// Its name; empty for that of the view or the document in it.
    package internal(set) var name = ""
  }

  package internal(set) var tabs: [Tab]
  /// The tab that is shown.
  package internal(set) var index = 0
  private var nextPane: Int

  /// The least size in which a pane is drawn or can be split: cells without the heading.
  static let least = CellSize(columns: 12, rows: 3)

  package init() {
    let first = PaneID(1)
    tabs = [Tab(tree: .pane(first), focus: first)]
    nextPane = 2
  }

  package var tab: Tab {
    get { tabs[min(max(0, index), tabs.count - 1)] }
    set { tabs[min(max(0, index), tabs.count - 1)] = newValue }
  }

  package var focus: PaneID { tab.focus }
  package var panes: [PaneID] { tabs.flatMap(\.tree.panes) }

  mutating func makeID() -> PaneID {
    defer { nextPane += 1 }
    return PaneID(nextPane)
  }

  /// Focuses a pane, and shows its tab.
  mutating func show(_ id: PaneID) {
    guard let index = tabs.firstIndex(where: { $0.tree.panes.contains(id) }) else { return }
    self.index = index
    tab.focus = id
    if tab.whole != id { tab.whole = nil }
  }

  /// Adds a tab with one pane behind the present one, and shows it.
  mutating func addTab(_ id: PaneID) {
    index = min(index + 1, tabs.count)
    tabs.insert(Tab(tree: .pane(id), focus: id), at: index)
  }

  /// Moves a pane into another tab, beside the pane focused there, and shows it.
  ///
  /// - Parameter target: the index of the tab; `nil` for a new one behind the present one.
  mutating func move(_ id: PaneID, toTab target: Int?, _ axis: PaneTree.Axis) {
    guard let target else {
      remove(id)
      return addTab(id)
    }
    guard tabs.indices.contains(target), !tabs[target].tree.panes.contains(id) else { return }
    let neighbour = tabs[target].focus
    remove(id)
    // Its former tab may be gone.
    guard let index = tabs.firstIndex(where: { $0.tree.panes.contains(neighbour) }) else { return }
    tabs[index].tree = tabs[index].tree.splitting(neighbour, axis, with: id)
    tabs[index].whole = nil
    show(id)
  }

  /// Puts the shown tab in another place.
  mutating func moveTab(to place: Int) {
    guard tabs.indices.contains(place), tabs.indices.contains(index) else { return }
    tabs.insert(tabs.remove(at: index), at: place)
    index = place
  }

  /// The borders of the shown tab's panes in a rectangle; none where one pane has all the room.
  func borders(in rect: CellRect) -> [(border: PaneTree.Border, cells: CellRect)] {
    places(in: rect).panes.count > 1 ? tab.tree.borders(in: rect) : []
  }

  /// Removes a pane; the focus goes to a neighbour. The last pane of all stays.
  mutating func remove(_ id: PaneID) {
    guard panes.count > 1, let owner = tabs.firstIndex(where: { $0.tree.panes.contains(id) })
    else { return }
    let former = tabs[owner].tree.panes
    guard let rest = tabs[owner].tree.removing(id) else {
      tabs.remove(at: owner)
      if index > owner || index >= tabs.count { index -= 1 }
      return
    }
    tabs[owner].tree = rest
    if tabs[owner].focus == id {
      let place = former.firstIndex(of: id) ?? 0
      tabs[owner].focus = former[place == 0 ? 1 : place - 1]
    }
  }

  /// The areas of the shown tab's panes in a rectangle; the focused one has it alone if it is to,
  /// or if the rectangle is too small for all of them.
  package func places(in rect: CellRect) -> PaneTree.Places {
    if tab.whole == focus { return PaneTree.pane(focus).places(in: rect) }
    let places = tab.tree.places(in: rect)
    let isTight = places.panes.contains {
      $0.rect.columns < Self.least.columns || $0.rect.rows < Self.least.rows + 1
    }
    return isTight ? PaneTree.pane(focus).places(in: rect) : places
  }

  /// The part of a pane's rectangle below its heading, which a single pane does not have.
  package func area(of id: PaneID, in rect: CellRect) -> CellRect {
    // A pane that is not drawn looks as if it stood alone.
    guard case .split = tab.tree,
      let pane = places(in: rect).panes.first(where: { $0.id == id })?.rect
    else { return rect }
    return CellRect(
      column: pane.column, row: pane.row + 1, columns: pane.columns, rows: max(0, pane.rows - 1))
  }
}
