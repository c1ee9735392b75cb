import Archiving
package import PortolanGraphics

/// A layer whose features are a list of blocks: all that editing and the journal need.
///
/// Only the kind itself sets the blocks; others use the requirements of `FeatureHolding`.
package protocol BlockHolding: FeatureHolding {
  var blocks: [FeatureBlock] { get set }
  var source: CollectionSource { get set }
  /// The number of the next added feature.
  var nextFeatureID: UInt64 { get set }
  /// Whether drawing in cells asks for no coordinates but to draw them, so that they can stay in
  /// the file.
  var isDrawnFromFile: Bool { get }
}

extension BlockHolding {
  package var isDrawnFromFile: Bool { false }

  package var count: Int { blocks.reduce(0) { $0 + $1.rowCount } }
  package var extent: Box { blocks.reduce(.empty) { $0.union($1.geometry.box) } }

  package var fieldNames: [String] {
    var seen = Set<ExactText>()
    var names: [String] = []
    for block in blocks {
      for column in block.attributes where seen.insert(ExactText(column.name)).inserted {
        names.append(column.name)
      }
    }
    return names
  }

  package func position(of id: FeatureID) -> (block: Int, row: Int)? {
    for (index, block) in blocks.enumerated() {
      if let row = block.row(of: id) { return (index, row) }
    }
    return nil
  }

  package func feature(_ id: FeatureID) -> Feature? {
    position(of: id).map { blocks[$0.block].feature(row: $0.row) }
  }
}

// MARK: Changes

extension BlockHolding {
  /// The layer without features.
  package func bare() -> Self {
    var bare = self
    bare.blocks = []
    bare.nextFeatureID = 1
    return bare
  }

  package func filled(from former: any Layer) -> Self {
    guard let former = former as? Self else { return self }
    var filled = self
    filled.blocks = former.blocks
    filled.nextFeatureID = former.nextFeatureID
    return filled
  }

  package func change(from former: (any Layer)?) -> (any LayerChange)? {
    let former = former as? Self
    return BlockListChange(
      from: former?.blocks ?? [], to: blocks, nextFeatureID: nextFeatureID,
      formerNextFeatureID: former?.nextFeatureID)
  }

  package static var changeTypes: [any LayerChange.Type] { [BlockListChange.self] }
}

extension BlockListChange: LayerChange {
  func applied(to former: (any Layer)?, as bare: any Layer) throws -> any Layer {
    guard var layer = bare as? any BlockHolding else { throw BlockArrays.misfit("layers") }
    layer.blocks = try blocks(after: (former as? any BlockHolding)?.blocks ?? [])
    layer.nextFeatureID = nextFeatureID
    return layer
  }
}

// MARK: Coding

extension BlockHolding {
  /// Writes the features and their source.
  ///
  /// - Throws: `DocumentError` if the numbers for features are used up: no reader would accept it.
  func encodeFeatures(with coder: any EncodingCoder) throws {
    guard nextFeatureID <= 1 << 53 else {
      throw DocumentError(
        .invalidValue, path: name, "the layer has no numbers left: copy it into a new layer")
    }
    try coder.encodeInt(Int(clamping: nextFeatureID), forKey: "nextFeatureID")
    try coder.encodeObject(source, forKey: "source")
    try coder.encodeObjects(blocks, forKey: "blocks")
  }

  /// Reads what `encodeFeatures` writes.
  mutating func decodeFeatures(with coder: any DecodingCoder) throws {
    nextFeatureID = try coder.decodeNumber(forKey: "nextFeatureID")
    source = try coder.decodeObjectIfPresent(CollectionSource.self, forKey: "source") ?? .plain
    blocks =
      try DocumentNeeds.readingLayer {
        try coder.decodeObjectsIfPresent(FeatureBlock.self, forKey: "blocks")
      } ?? []
    try checkNumbers(coder)
    blocks.removeAll { $0.rowCount == 0 }
  }

  /// Throws unless all features have unique numbers below the next one.
  private func checkNumbers(_ coder: any DecodingCoder) throws {
    var last: UInt64 = 0
    var areRising = true
    for block in blocks where block.rowCount > 0 {
      if !block.isSortedByID || block.idBounds.first <= last { areRising = false }
      last = max(last, block.idBounds.last)
    }
    guard last < nextFeatureID else {
      throw coder.invalidValue("a feature has the number \(last)", forKey: "nextFeatureID")
    }
    if areRising { return }
    var seen = Set<FeatureID>(minimumCapacity: count)
    for block in blocks {
      for id in block.featureIDs where !seen.insert(id).inserted {
        throw coder.invalidValue("two features of the number \(id.rawValue)", forKey: "blocks")
      }
    }
  }
}
