package import PortolanDocuments
package import PortolanGraphics

/// Collects rows of other blocks under new numbers.
package struct RowCollector {
  private var builder = FeatureBlockBuilder()
  private var ids: [FeatureID] = []
  /// The number of the next feature.
  package private(set) var nextID: UInt64
  package private(set) var blocks: [FeatureBlock] = []

  package init(nextID: UInt64 = 1) { self.nextID = max(nextID, 1) }

  /// Appends a row unchanged; without a number it gets the next one.
  package mutating func append(_ block: FeatureBlock, row: Int, id: FeatureID? = nil) {
    builder.append(block, rows: row..<row + 1)
    if let id {
      ids.append(id)
      nextID = max(nextID, id.rawValue + 1)
    } else {
      ids.append(FeatureID(nextID))
      nextID += 1
    }
    if ids.count >= Self.rowsMax || builder.geometry.vertexCount >= Self.verticesMax { close() }
  }

  /// Appends a block as it is.
  package mutating func append(_ block: FeatureBlock) {
    close()
    blocks.append(block)
    nextID = max(nextID, block.idBounds.last + 1)
  }

  /// A layer of features of one look.
  package static func layer(
    _ id: LayerID, name: String, _ mark: MarkStyle, labelField: String? = nil,
    _ blocks: [FeatureBlock]
  ) -> any FeatureHolding {
    var layer = LayerKinds.features(id, name: name)
    layer.style = Style(name: name, mark: mark, labelField: labelField)
    guard var holding = layer as? any BlockHolding else { return layer }
    holding.blocks = blocks
    holding.nextFeatureID = (blocks.map(\.idBounds.last).max() ?? 0) + 1
    return holding
  }

  /// All blocks.
  package mutating func finish() -> [FeatureBlock] {
    close()
    return blocks
  }

  private static let rowsMax = 1_024
  private static let verticesMax = 16_384

  private mutating func close() {
    guard !ids.isEmpty else { return }
    blocks.append(builder.block(isExact: true).renumbered(ids))
    (builder, ids) = (FeatureBlockBuilder(), [])
  }
}
