package import Documents
import Graphics

extension Session {
  package var document: Document { history.present.document }
  package var isEdited: Bool { history.isEdited }
  package var isReadOnly: Bool { readOnlyReason != nil }

  /// Changes the document in one undoable step; if the change throws, nothing has happened.
  package mutating func edit(
    _ title: String, _ change: (inout Document) throws -> Void
  ) throws {
    if let readOnlyReason {
      throw EditingError(.refused, "the document is read-only: \(readOnlyReason)")
    }
    var document = self.document
    try change(&document)
    history.record(document, title: title)
    forgetWhatIsGone()
  }

  /// Drops references to layers and features that the document no longer has.
  mutating func forgetWhatIsGone() {
    let document = self.document
    selection.filter { document.feature($0) != nil }
    if activeLayer.flatMap({ document[layer: $0] }) == nil {
      activeLayer = document.layers.last?.id
    }
  }

  /// Looks where the document's map view says.
  mutating func showDocumentView() {
    guard let view = document.mapView else { return }
    viewpoint.center = view.center
    viewpoint.projection = view.projection
  }
}

extension Document {
  /// The first map view.
  package var mapView: MapView? { views.lazy.compactMap { $0 as? MapView }.first }

  /// A feature by its reference.
  package func feature(_ reference: FeatureReference) -> Feature? {
    (self[layer: reference.layer] as? any FeatureHolding)?.feature(reference.feature)
  }
}
