/// A person's work in a document beside a version of it: what undo and redo bring back.
package struct WorkNote: Sendable {
  /// The number of the person's session; `nil` where that is not known.
  package var author: Int?
  package var activeLayer: LayerID?
  /// The selected features in the order in which they were chosen.
  package var selection: [FeatureReference]
  package var draft: Draft?

  package init(
    author: Int? = nil, activeLayer: LayerID? = nil, selection: [FeatureReference] = [],
    draft: Draft? = nil
  ) {
    self.author = author
    self.activeLayer = activeLayer
    self.selection = selection
    self.draft = draft
  }
}
