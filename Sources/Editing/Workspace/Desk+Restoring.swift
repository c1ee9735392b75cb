import PortolanDocuments

/// Restoring the saved layout of a document.
extension Desk {
  /// Shows the document in the place of this pane: with all its tabs and panes if the pane is the
  /// only one, else with its first view only.
  mutating func showArrangement() {
    let tabs = session.arrangement.tabs
    let arrangement = document.arrangement
    let owner = tabs.firstIndex { $0.tree == .pane(pane.id) }
    var restored: [Arrangement.Tab] = []
    var shown = 0
    if owner != nil, let arrangement {
      for (index, part) in arrangement.tabs.enumerated() {
        if index <= arrangement.selectedTab { shown = restored.count }
        if var tab = tab(part.layout) {
          tab.name = part.name
          restored.append(tab)
        }
      }
    }
    guard let owner, !restored.isEmpty else {
      file.keepsLayout = (arrangement?.leaves.count ?? 0) > 1
      showDocumentView()
      return
    }
    var former = pane
    shown = min(shown, restored.count - 1)
    // The focused pane is on the desk, under the number of the replaced pane.
    let focus = restored[shown].focus
    restored[shown] = restored[shown].replacing(focus, with: pane.id)
    if let found = session.panes.removeValue(forKey: focus) {
      former = found
      former.id = pane.id
    }
    session.arrangement.replaceTab(at: owner, with: restored, showing: shown)
    pane = former
    session.panes[pane.id] = pane
    if let view = view(of: pane) as? any MapShowing, view.showsLegend == false {
      panels.remove(.legend)
    }
  }

  /// The view that a pane was opened from.
  private func view(of pane: Pane) -> (any View)? { pane.view.flatMap { document.view($0) } }

  /// A tab with new panes; `nil` if none of them can have the focus.
  private mutating func tab(_ layout: PaneLayout) -> Arrangement.Tab? {
    var focus: PaneID?
    let tree = tree(layout, isFocused: true, focus: &focus)
    let ids = [focus].compactMap { $0 } + tree.panes
    guard let chosen = ids.first(where: { session.panes[$0]?.kind.takesKeys == true }) else {
      for id in tree.panes { session.panes[id] = nil }
      return nil
    }
    return Arrangement.Tab(tree: tree, focus: chosen)
  }

  private mutating func tree(
    _ layout: PaneLayout, isFocused: Bool, focus: inout PaneID?
  ) -> PaneTree {
    switch layout {
    case .node(let node) where !node.parts.isEmpty:
      var parts: [PaneTree.Part] = []
      for (index, part) in node.parts.enumerated() {
        let tree = tree(
          part.layout, isFocused: isFocused && index == node.selected, focus: &focus)
        parts.append(PaneTree.Part(share: part.share, tree: tree))
      }
      let first = parts[0].tree
      return PaneTree.joined(node.axis == .columns ? .columns : .rows, parts) ?? first
    case .leaf(let leaf):
      let id = makePane(leaf)
      if isFocused { focus = id }
      return .pane(id)
    case .node: return .pane(makePane(nil))
    }
  }

  /// A pane for the view of a leaf.
  private mutating func makePane(_ leaf: PaneLayout.Leaf?) -> PaneID {
    let id = session.arrangement.makeID()
    var pane = Pane(id: id, document: file.id)
    pane.leaf = leaf
    pane.links = leaf?.links ?? []
    pane.view = leaf?.view
    if let view = view(of: pane) {
      pane.state = session.kinds.pane(showing: view).init()
      pane.show(view)
    }
    session.panes[id] = pane
    return id
  }
}

extension Arrangement {
  /// Replaces one tab by others, and shows one of them if it was shown.
  mutating func replaceTab(at owner: Int, with restored: [Tab], showing shown: Int) {
    guard tabs.indices.contains(owner), !restored.isEmpty else { return }
    tabs.replaceSubrange(owner...owner, with: restored)
    if index == owner {
      index = owner + shown
    } else if index > owner {
      index += restored.count - 1
    }
  }
}

extension Arrangement.Tab {
  /// The tab with one pane's number replaced.
  fileprivate func replacing(_ id: PaneID, with other: PaneID) -> Arrangement.Tab {
    Arrangement.Tab(
      tree: tree.replacing(id, with: other), focus: focus == id ? other : focus, name: name)
  }
}
