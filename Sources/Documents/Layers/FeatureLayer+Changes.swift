import Archiving

extension FeatureLayer {
  /// Its name, style and file, without features.
  package func bare() -> FeatureLayer {
    var bare = self
    bare.blocks = []
    bare.nextFeatureID = 1
    return bare
  }

  package func filled(from former: any Layer) -> FeatureLayer {
    guard let former = former as? FeatureLayer else { return self }
    var filled = self
    filled.blocks = former.blocks
    filled.nextFeatureID = former.nextFeatureID
    return filled
  }

  package func change(from former: (any Layer)?) -> (any LayerChange)? {
    let former = former as? FeatureLayer
    return BlockListChange(
      from: former?.blocks ?? [], to: blocks, nextFeatureID: nextFeatureID,
      formerNextFeatureID: former?.nextFeatureID)
  }

  package static var changeTypes: [any LayerChange.Type] { [BlockListChange.self] }

  package func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> FeatureLayer {
    var copy = FeatureLayer(
      id: id, name: name, style: style, source: source, blocks: blocks,
      nextFeatureID: nextFeatureID)
    copy.isVisible = isVisible
    copy.isLocked = isLocked
    copy.parent = parent
    copy.unread = unread.detached
    return copy
  }
}

extension BlockListChange: LayerChange {
  func applied(to former: (any Layer)?, as bare: any Layer) throws -> any Layer {
    guard var layer = bare as? FeatureLayer else { throw BlockArrays.misfit("layers") }
    layer.blocks = try blocks(after: (former as? FeatureLayer)?.blocks ?? [])
    layer.nextFeatureID = nextFeatureID
    return layer
  }
}
