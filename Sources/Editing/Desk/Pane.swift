package import PortolanDocuments

/// A view of a document on the screen.
package struct Pane: Sendable {
  package internal(set) var id: PaneID
  package internal(set) var document: OpenDocument.ID
  /// The document's view that it was opened from, and is saved as.
  package internal(set) var view: ViewID?
  /// The leaf of the document's layout that it was opened from.
  var leaf: PaneLayout.Leaf?
  /// What it has in common with the other linked panes of its document in the tab.
  package internal(set) var links: PaneLayout.Links = []
  /// What it shows, by its kind.
  package var state: any PaneKind

  package init(id: PaneID, document: OpenDocument.ID, state: any PaneKind = MapPane()) {
    (self.id, self.document, self.state) = (id, document, state)
  }

  package var kind: any PaneKind.Type { type(of: state) }

  /// A map in another pane, of the same view if this one is a map.
  func copy(_ id: PaneID) -> Pane {
    var copy = Pane(id: id, document: document)
    guard let map = state.map else { return copy }
    copy.view = view
    copy.state.map = MapState(map.viewpoint, cursor: map.cursor)
    return copy
  }

  /// Shows a view of its document.
  mutating func show(_ view: any View) {
    self.view = view.id
    state.show(view)
  }
}
