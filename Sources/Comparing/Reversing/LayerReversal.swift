import PortolanDocuments

/// The layers of a reversal: which there are, their order, properties and features.
extension EditReversal {
  func reverseLayers(_ result: inout Document) throws {
    var layers: [LayerID: any Layer] = [:]
    for own in present.layers { layers[own.id] = own }
    for new in after.layers {
      guard let own = layers[new.id] else {
        // Somebody has removed it since.
        guard let old = before[layer: new.id], !isSame(old, new) else { continue }
        throw ChangedPart(.layer(new.id), "layer \(new.name)")
      }
      if let old = before[layer: new.id] {
        layers[new.id] = try LayerReversal(
          old: old, new: new, own: own, isProtected: isProtected(own, new)
        ).reversed()
      } else {
        guard isSame(own, new) else { throw ChangedPart(.layer(new.id), "layer \(own.name)") }
        layers[new.id] = nil
      }
    }
    for old in before.layers where after[layer: old.id] == nil {
      guard layers[old.id] == nil else {
        throw ChangedPart(.layer(old.id), "layer \(old.name)")
      }
      layers[old.id] = old
    }
    result.layers = try arranged(layers)
  }

  private func isSame(_ first: any Layer, _ second: any Layer) -> Bool {
    LayerReversal.haveSameProperties(first, second)
      && LayerReversal.areSame(first.heldBlocks, second.heldBlocks)
  }

  /// Whether a layer was locked since the edit.
  private func isProtected(_ own: any Layer, _ new: any Layer) -> Bool {
    present.isProtected(own) && !after.isProtected(new)
  }

  // MARK: Order

  private struct Place: Equatable {
    var id: LayerID
    var parent: LayerID?
  }

  private func places(_ document: Document, _ numbers: Set<LayerID>) -> [Place] {
    document.layers.filter { numbers.contains($0.id) }.map { Place(id: $0.id, parent: $0.parent) }
  }

  /// The layers in the order that they have without the edit.
  ///
  /// - Throws: the order as a part, where it was changed since or a group goes that is needed.
  private func arranged(_ layers: [LayerID: any Layer]) throws -> [any Layer] {
    let fault = ChangedPart(.order, "the order or the groups of layers")
    let common = Set(
      after.layers.map(\.id).filter { before[layer: $0] != nil && present[layer: $0] != nil })
    let (old, new, own) = (
      places(before, common), places(after, common), places(present, common)
    )
    let isMoved = old != new && own != old
    if isMoved, own != new { throw fault }
    let (model, rest) = isMoved ? (before, present) : (present, before)
    var order = model.layers.filter { layers[$0.id] != nil }.map {
      Place(id: $0.id, parent: $0.parent)
    }
    // The others follow their predecessor.
    for (index, layer) in rest.layers.enumerated()
    where layers[layer.id] != nil && !order.contains(where: { $0.id == layer.id }) {
      let place = rest.layers[..<index].reversed().lazy.compactMap { former in
        order.firstIndex { $0.id == former.id }
      }.first.map { $0 + 1 }
      order.insert(Place(id: layer.id, parent: layer.parent), at: place ?? 0)
    }
    let result = order.compactMap { place -> (any Layer)? in
      var layer = layers[place.id]
      layer?.parent = place.parent
      return layer
    }
    guard Self.isGrouped(result) else { throw fault }
    return result
  }

  /// Whether each layer of a group stands right below it.
  private static func isGrouped(_ layers: [any Layer]) -> Bool {
    var open: [LayerID] = []
    for layer in layers.reversed() {
      if let parent = layer.parent {
        guard let place = open.lastIndex(of: parent) else { return false }
        open.removeSubrange((place + 1)...)
      } else {
        open = []
      }
      if layer.isGroup { open.append(layer.id) }
    }
    return true
  }
}

/// One layer of a reversal: before the edit, after it, and at present.
struct LayerReversal {
  let old: any Layer
  let new: any Layer
  let own: any Layer
  /// Whether it was locked since: its features stay as they are then.
  let isProtected: Bool

  private var changed: ChangedPart { ChangedPart(.layer(own.id), "layer \(own.name)") }

  func reversed() throws -> any Layer {
    var layer = own
    func value<Value: Equatable>(_ value: (any Layer) -> Value) throws -> Value {
      try EditReversal.value(value(old), value(new), value(own), changed)
    }
    layer.name = try value(\.name)
    layer.title = try value(\.title)
    layer.isVisible = try value(\.isVisible)
    layer.isLocked = try value(\.isLocked)
    layer.zooms = try value(\.zooms)
    layer.style = try EditReversal.value(old.style, new.style, own.style, changed, Self.areSame)
    if var keeping = layer as? any OriginKeeping {
      keeping.origin = try value(\.keptOrigin)
      layer = keeping
    }
    guard let old = old as? any BlockHolding, let new = new as? any BlockHolding,
      var holding = layer as? any BlockHolding
    else { return layer }
    let isEdited = !Self.areSame(old.blocks, new.blocks)
    holding.source = try source(old.source, new.source, holding.source, isEdited: isEdited)
    guard isEdited else { return holding }
    if isProtected { throw changed }
    holding.blocks =
      Self.areSame(holding.blocks, new.blocks)
      ? old.blocks
      : try FeatureReversal(old: old, new: new, own: holding).blocks()
    holding.nextFeatureID = max(holding.nextFeatureID, old.nextFeatureID, new.nextFeatureID)
    holding.updateCollectionBox()
    return holding
  }

  /// The members around the features; the `bbox` among them goes with the features.
  ///
  /// - Parameter isEdited: whether the edit changed features: the last one may have taken it along.
  private func source(
    _ old: CollectionSource, _ new: CollectionSource, _ own: CollectionSource, isEdited: Bool
  ) throws -> CollectionSource {
    func plain(_ source: CollectionSource) -> CollectionSource {
      var source = source
      source.members.removeAll { $0.name == "bbox" }
      return source
    }
    var result = try EditReversal.value(plain(old), plain(new), plain(own), changed)
    for source in isEdited ? [own, old] : [own] {
      guard let place = source.members.firstIndex(where: { $0.name == "bbox" }) else { continue }
      result.members.insert(source.members[place], at: min(place, result.members.count))
      break
    }
    return result
  }

  /// Whether two lists share all their blocks.
  static func areSame(_ first: [FeatureBlock], _ second: [FeatureBlock]) -> Bool {
    first.elementsEqual(second, by: ===)
  }

  private static func areSame(_ first: Style, _ second: Style) -> Bool {
    first === second || first.content == second.content
  }

  /// Whether two versions of a layer differ in nothing but their features and their place.
  static func haveSameProperties(_ first: any Layer, _ second: any Layer) -> Bool {
    first.name == second.name && first.title == second.title
      && first.isVisible == second.isVisible && first.isLocked == second.isLocked
      && first.zooms == second.zooms && areSame(first.style, second.style)
      && first.keptOrigin == second.keptOrigin
      && (first as? any FeatureHolding)?.source == (second as? any FeatureHolding)?.source
  }
}
