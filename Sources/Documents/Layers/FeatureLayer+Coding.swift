package import Archiving

extension FeatureLayer: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanFeatureLayer", superclass: LayerFields.archivedClass)

  /// - Throws: `DocumentError` if the numbers for features are used up: no reader would accept it.
  package func encode(with coder: any EncodingCoder) throws {
    guard nextFeatureID <= 1 << 53 else {
      throw DocumentError(
        .invalidValue, path: name, "the layer has no numbers left: copy it into a new layer")
    }
    let layer = LayerFields(
      id: id, name: name, isVisible: isVisible, isLocked: isLocked, parent: parent,
      style: style)
    try layer.encode(with: coder)
    try coder.encodeInt(Int(clamping: nextFeatureID), forKey: "nextFeatureID")
    try coder.encodeObject(source, forKey: "source")
    try coder.encodeObjects(blocks, forKey: "blocks")
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let layer = try LayerFields(coder: coder)
    self.init(id: layer.id, name: layer.name, style: layer.style)
    isVisible = layer.isVisible
    isLocked = layer.isLocked
    parent = layer.parent
    nextFeatureID = try coder.decodeNumber(forKey: "nextFeatureID")
    source = try coder.decodeObjectIfPresent(CollectionSource.self, forKey: "source") ?? .plain
    blocks = try coder.decodeObjectsIfPresent(FeatureBlock.self, forKey: "blocks") ?? []
    try checkNumbers(coder)
    blocks.removeAll { $0.rowCount == 0 }
    unread = try coder.unreadFields()
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
