package import PortolanDocuments

/// Saving the panes: their views, and their layout.
extension Desk {
  /// The document to save, with the panes of this session that show it.
  package var documentToSave: Document { arranged().document }

  /// Adds once to the message of a save which panes it kept, if other documents have some too.
  mutating func sayKeptPanes() {
    let panes = session.panes.values
    guard !isHeadless, !session.knowsKeptPanes, !file.isData, let message,
      panes.contains(where: { $0.id != pane.id && $0.document != file.id })
    else { return }
    session.knowsKeptPanes = true
    let isKept = file.keepsLayout && !panes.contains { $0.id != pane.id && $0.document == file.id }
    say(
      message.text
        + (isKept
          ? "; its panes stay as saved before, since only one is shown"
          : "; it keeps its own panes, other documents keep theirs"),
      message.severity)
  }

  /// The document with its panes, and the view of each; and with all bookmarks.
  ///
  /// Each pane is saved as a view of its own; new ones get free numbers. Panes of other documents
  /// are left out. The document on the desk stays unchanged, since looking around is no edit.
  func arranged() -> (document: Document, views: [PaneID: ViewID]) {
    var arranging = Arranging(self)
    arranging.numberViews()
    arranging.saveViews()
    arranging.linkOverviews()
    arranging.arrange()
    var document = arranging.document
    document.bookmarks = bookmarks
    countMagnifications(of: &document, but: Set(arranging.views.values))
    return (document, arranging.views)
  }

  /// Counts the magnifications of a document to save from its own extent.
  ///
  /// - Parameter ids: the views that panes were saved in.
  private func countMagnifications(of document: inout Document, but ids: Set<ViewID>) {
    for index in document.views.indices {
      guard var map = document.views[index] as? any MapShowing, !ids.contains(map.id) else {
        continue
      }
      map.magnification = shownMagnification(map.magnification, map.projection)
      document.views[index] = map
    }
    for index in document.bookmarks.indices {
      guard let magnification = document.bookmarks[index].magnification else { continue }
      document.bookmarks[index].magnification = shownMagnification(
        magnification, bookmarkProjection)
    }
  }
}

/// A document to which the panes are added.
private struct Arranging {
  private let desk: Desk
  /// The panes of the document, in the order of the screen.
  private let panes: [Pane]
  private(set) var document: Document
  private(set) var views: [PaneID: ViewID] = [:]

  init(_ desk: Desk) {
    self.desk = desk
    document = desk.document
    let session = desk.session
    panes = session.arrangement.panes.compactMap { id in
      if id == desk.pane.id { return desk.pane }
      return session.panes[id].flatMap { $0.document == desk.file.id ? $0 : nil }
    }
  }

  // MARK: Views

  /// Assigns each pane its view: the one that it was opened from, unless an older pane has that.
  mutating func numberViews() {
    var taken = Set<ViewID>()
    for pane in panes.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      guard let id = pane.view ?? formerOverview(of: pane) else { continue }
      // A view that is not there was created by an earlier save.
      let fits = document.view(id).map { pane.kind.shows($0) } ?? pane.kind.makesViews
      guard fits, !pane.kind.makesViews || taken.insert(id).inserted else { continue }
      views[pane.id] = id
    }
    document.keepNumbers(Array(taken))
    for pane in panes where views[pane.id] == nil && pane.kind.makesViews {
      views[pane.id] = ViewID(document.makeID())
    }
  }

  /// The closed overview of its map, for an overview that is shown again.
  private func formerOverview(of pane: Pane) -> ViewID? {
    guard pane.kind == OverviewPane.self, let map = map(beside: pane),
      let id = map.view.flatMap({ document.view($0) as? any MapShowing })?.auxiliaryView,
      document.view(id) is any OverviewShowing
    else { return nil }
    return id
  }

  /// Saves the panes' state in their views.
  mutating func saveViews() {
    for pane in panes where pane.kind.makesViews {
      guard let id = views[pane.id] else { continue }
      var desk = self.desk
      desk.pane = pane
      desk.placeCursor()
      guard let saved = pane.state.view(of: desk, as: id, in: document) else {
        views[pane.id] = nil
        continue
      }
      if let index = document.views.firstIndex(where: { $0.id == id }) {
        document.views[index] = saved
      } else {
        document.views.append(saved)
      }
    }
    // The bars belong to the session, so they are saved in the view of the saving pane.
    guard let id = views[desk.pane.id],
      let index = document.views.firstIndex(where: { $0.id == id }),
      var map = document.views[index] as? any MapShowing
    else { return }
    map.showsLegend = desk.panels.contains(.legend)
    document.views[index] = map
  }

  // MARK: Overviews

  /// Sets the references from maps to their overviews.
  mutating func linkOverviews() {
    var linked = Set<PaneID>()
    for pane in panes where pane.kind == OverviewPane.self {
      guard let overview = views[pane.id], let beside = map(beside: pane),
        linked.insert(beside.id).inserted, let id = views[beside.id],
        let index = document.views.firstIndex(where: { $0.id == id }),
        var map = document.views[index] as? any MapShowing, map.auxiliaryView != overview
      else { continue }
      map.auxiliaryView = overview
      document.views[index] = map
    }
  }

  /// The map of an overview pane: the focused one, or the first of the tab.
  private func map(beside pane: Pane) -> Pane? {
    let tabs = desk.session.arrangement.tabs
    guard let tab = tabs.first(where: { $0.tree.panes.contains(pane.id) }) else { return nil }
    return ([tab.focus] + tab.tree.panes).lazy.compactMap { id in
      panes.first { $0.id == id && $0.state.map != nil }
    }.first
  }

  // MARK: The tree

  /// Sets the layout.
  mutating func arrange() {
    // One pane among those of other documents is not the arrangement of this one.
    if desk.file.keepsLayout, panes.count <= 1 { return }
    let arrangement = desk.session.arrangement
    var parts: [PaneLayout.Part] = []
    var selected = 0
    for (index, tab) in arrangement.tabs.enumerated() {
      guard let tree = tab.tree.filter({ views[$0] != nil }), isFocusable(tree) else { continue }
      if index <= arrangement.index { selected = parts.count }
      parts.append(PaneLayout.Part(name: tab.name, layout: layout(of: tree, focus: tab.focus)))
    }
    if parts.isEmpty { return }
    document.arrange(.node(PaneLayout.Node(axis: .tabs, parts: parts, selected: selected)))
  }

  /// Whether a pane of a tree can have the focus: an overview without its map is not saved.
  private func isFocusable(_ tree: PaneTree) -> Bool {
    let ids = tree.panes
    return panes.contains { ids.contains($0.id) && $0.kind.takesKeys }
  }

  private func layout(of tree: PaneTree, focus: PaneID) -> PaneLayout {
    switch tree {
    case .pane(let id):
      let pane = panes.first { $0.id == id }
      // Only panes that have a view are in the tree.
      let view = views[id] ?? ViewID(0)
      var leaf = pane?.leaf ?? PaneLayout.Leaf(view: view)
      leaf.view = view
      leaf.links = pane?.links ?? []
      return .leaf(leaf)
    case .split(let axis, let parts):
      return .node(
        PaneLayout.Node(
          axis: axis == .columns ? .columns : .rows,
          parts: parts.map { .init(share: $0.share, layout: layout(of: $0.tree, focus: focus)) },
          selected: parts.firstIndex { $0.tree.panes.contains(focus) } ?? 0))
    }
  }
}
