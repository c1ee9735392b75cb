import PortolanComparing
import PortolanDocuments

/// Deciding conflicts.
extension Document {
  /// Decides a conflict; it is gone then.
  ///
  /// - Returns: the features that stand for the one that was decided.
  mutating func resolve(
    _ place: ConflictPlace, _ decision: ConflictDecision
  ) throws -> [FeatureReference] {
    switch place.origin {
    case .collection(let text):
      try resolveCollection(place.layer, text, decision)
      return []
    case .document(let index, let conflict):
      let open = openConflicts
      conflicts = open.indices.filter { $0 != index }.map { open[$0] }
      guard conflict.part == .feature else {
        try take(conflict, decision)
        return []
      }
    case .member: break
    }
    guard let reference = place.reference, let text = place.text else { return [] }
    return try resolve(reference, text, decision)
  }

  private mutating func resolve(
    _ reference: FeatureReference, _ text: ConflictText, _ decision: ConflictDecision
  ) throws -> [FeatureReference] {
    guard let number = index(of: reference.layer),
      var layer = layers[number] as? any BlockHolding,
      let place = layer.position(of: reference.feature),
      let present = featureText(reference)
    else { throw EditingError(.notFound, "the feature is gone") }
    if isProtected(layer) { throw EditingError.locked(layer.name) }
    let block = layer.blocks[place.block]
    let texts = try text.decided(present, decision)
    if texts.isEmpty {
      layer.remove([reference.feature])
      layers[number] = layer
      return []
    }
    var collector = RowCollector(nextID: layer.nextFeatureID)
    let rows = block.removingMember(ConflictText.name, row: place.row)
    for row in 0..<place.row { collector.append(rows, row: row, id: rows.featureIDs[row]) }
    var decided: [FeatureReference] = []
    for (index, text) in texts.enumerated() {
      let id = index == 0 ? reference.feature : FeatureID(collector.nextID)
      if text == present {
        // Ours keeps its own form.
        collector.append(rows, row: place.row, id: id)
      } else {
        guard let made = try FeatureWriter.blocks([Array(text.utf8)]).first else { continue }
        collector.append(made, row: 0, id: id)
      }
      decided.append(FeatureReference(layer: reference.layer, feature: id))
    }
    for row in place.row + 1..<rows.rowCount {
      collector.append(rows, row: row, id: rows.featureIDs[row])
    }
    layer.blocks.replaceSubrange(place.block...place.block, with: collector.finish())
    layer.nextFeatureID = collector.nextID
    layers[number] = layer
    return decided
  }

  /// Members of the file beside its features: ours stay, or theirs are taken.
  private mutating func resolveCollection(
    _ id: LayerID?, _ text: ConflictText, _ decision: ConflictDecision
  ) throws {
    guard let id, let number = index(of: id), var layer = layers[number] as? any BlockHolding else {
      throw EditingError(.notFound, "the layer is gone")
    }
    layer.source.members.removeAll { $0.name == ConflictText.name }
    if decision == .theirs {
      for (name, json) in try text.theirMembers() {
        if let place = layer.source.members.firstIndex(where: { $0.name == name }) {
          layer.source.members[place].json = json
        } else {
          layer.source.members.append(CollectionSource.Member(name: name, json: json))
        }
      }
    }
    layers[number] = layer
  }

  /// A property: ours stays, or theirs is taken.
  private mutating func take(_ conflict: Conflict, _ decision: ConflictDecision) throws {
    if conflict.part == .layer {
      let isRemoved = decision.rawValue == conflict.removedBy?.rawValue
      if isRemoved, let layer = conflict.layer { try removeLayer(layer) }
      return
    }
    guard decision == .theirs, let theirs = conflict.theirs ?? (conflict.style == nil ? nil : "")
    else { return }
    switch conflict.part {
    case .documentTitle: metadata.title = theirs
    case .author: metadata.author = theirs
    case .licence: metadata.licence = theirs
    default: break
    }
    guard let id = conflict.layer, let number = index(of: id) else { return }
    switch conflict.part {
    case .name: layers[number].name = theirs
    case .title: layers[number].title = theirs
    case .zooms: if let bounds = ZoomText.bounds(theirs) { layers[number].zooms = bounds }
    case .style: if let style = conflict.style { layers[number].style = style }
    default: break
    }
  }
}
