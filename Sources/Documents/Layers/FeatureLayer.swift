import Graphics

/// A layer of features: points, lines and polygons with attributes.
package struct FeatureLayer: Sendable {
  package let id: LayerID
  package var name: String
  package var isVisible: Bool
  package var isLocked: Bool
  package var style: Style
  package var source: CollectionSource
  package private(set) var blocks: [FeatureBlock]
  /// The number that the next added feature gets.
  package private(set) var nextFeatureID: UInt64

  package init(
    id: LayerID, name: String, style: Style, source: CollectionSource = .plain,
    blocks: [FeatureBlock] = [], nextFeatureID: UInt64 = 1
  ) {
    self.id = id
    self.name = name
    isVisible = true
    isLocked = false
    self.style = style
    self.source = source
    self.blocks = blocks
    self.nextFeatureID = nextFeatureID
  }
}
