package import PortolanDocuments

/// What one person does in one document.
package struct Work: Sendable {
  package internal(set) var activeLayer: LayerID?
  package internal(set) var selection = Selection()
  /// The selection before this one, for `gv`.
  var formerSelection = Selection()

  package internal(set) var draft: Draft?
  /// The stroke of the draft that the command under way has finished.
  var finishedStroke: Int?
  /// Whether INSERT is on; leaving it keeps the draft.
  package internal(set) var isDrawing = false
  /// The draft kind last chosen for each layer.
  var drawnKinds: [LayerID: Draft.Kind] = [:]
  package internal(set) var carry: Carry?
  package internal(set) var form: AttributeForm?

  /// What is searched for and marked.
  package internal(set) var searchText = ""
  var matches: Desk.Matches?
  var nearWalk: Desk.NearWalk?
  /// The feature visited last: the first one selected where the cursor then stands.
  var arrival: Desk.Arrival?

  /// Work on a document that was just opened.
  package init(on document: Document) { activeLayer = document.layers.last?.id }
}
