package import PortolanDocuments

/// A layer with the features of a newer version of its source.
package enum RefreshedLayer {
  /// The layer with the features of another: those that are on both sides keep their numbers.
  ///
  /// - Parameter key: the attribute that features are known by; `nil` for their `id`.
  /// - Complexity: O(vertices + values).
  package static func layer<Layer: BlockHolding>(
    _ old: Layer, from new: some BlockHolding, key: String? = nil
  ) -> Layer {
    let (olds, news) = (ComparedRow.rows(of: old), ComparedRow.rows(of: new))
    let matching = FeatureMatching(
      MatchedRows(rows: olds, key: key, hasNumbers: false),
      MatchedRows(rows: news, key: key, hasNumbers: false))
    var next = old.nextFeatureID
    let ids = news.indices.map { index -> FeatureID in
      if let other = matching.first[index] { return olds[other].id }
      defer { next &+= 1 }
      return FeatureID(next)
    }
    var layer = old
    var start = 0
    layer.blocks = new.blocks.map { block in
      defer { start += block.rowCount }
      return block.renumbered(Array(ids[start..<start + block.rowCount]))
    }
    layer.nextFeatureID = next
    layer.source = new.source
    return layer
  }
}
