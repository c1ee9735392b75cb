/// A person's work in a document at a version of it, which undo and redo restore.
package struct WorkNote: Sendable {
  /// The number of the person's session; `nil` if it is not known.
  package var author: Int?
  package var activeLayer: LayerID?
  /// The selected features in the order of choosing.
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
