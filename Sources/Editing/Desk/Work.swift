package import PortolanDocuments

/// One person's work in one document.
package struct Work: Sendable {
  package internal(set) var activeLayer: LayerID?
  package internal(set) var selection = Selection()
  /// The selection before this one, for `gv`.
  var formerSelection = Selection()

  package internal(set) var draft: Draft?
  /// The stroke of the draft finished by the command under way.
  var finishedStroke: Int?
  /// Whether INSERT is on; leaving it keeps the draft.
  package internal(set) var isDrawing = false
  /// The draft kind last chosen for each layer.
  var drawnKinds: [LayerID: Draft.Kind] = [:]
  /// The features that are shown.
  package internal(set) var filters = RowFilters()

  /// How closed tables were arranged, for their next opening.
  var tables: [LayerID: TablePane] = [:]

  /// The open overlay of the document: a form, a panel, carried features.
  package var overlay: (any Overlay)?
  /// The map that is meant where no pane shows one.
  var unseenMap = MapState()

  /// The searched text, which is marked.
  package internal(set) var searchText = ""
  var matches: Desk.Matches?
  var nearWalk: Desk.NearWalk?
  /// The findings of the last check.
  var findings: FoundFaults?
  /// The feature visited last: the first to be selected while the cursor stays there.
  var arrival: Desk.Arrival?

  /// The comparison that is drawn above the map, and the file that was compared with last.
  var comparison: ShownComparison?
  var comparedFile: String?
  /// What the sources of layers have now, until it is taken or the document is edited.
  var refreshed: RefreshRequest.Answer?
  /// The sources that the question of `:refresh` shows.
  var shownSources: ShownSources?
  /// The layers before the last simplification.
  var ghost: Ghost?
  /// The conflict gone to last, which may be one of no feature.
  var conflict: Int?

  /// Work on a newly opened document.
  package init(on document: Document) { activeLayer = document.layers.last?.id }

  /// Whether it refers to features or layers of a document that an edit may have taken away.
  func refersToParts(of document: Document) -> Bool {
    !selection.isEmpty || selection.vertex != nil || draft != nil || isDrawing || overlay != nil
      || filters.filtered.contains { _ in true }
      || activeLayer.flatMap { document[layer: $0] } == nil
  }
}
