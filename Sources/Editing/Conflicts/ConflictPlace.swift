import PortolanComparing
import PortolanDocuments
import PortolanGraphics

/// A conflict of a merge that is to be decided, and where it is kept.
struct ConflictPlace: Sendable {
  enum Origin: Sendable {
    /// In a member of the feature, as files of GeoJSON have it.
    case member(ConflictText)
    /// In a member of the collection.
    case collection(ConflictText)
    /// Among the conflicts of the document: its index.
    case document(Int, Conflict)
  }

  var origin: Origin
  var layer: LayerID?
  var feature: FeatureID?

  /// The feature that is to be decided; `nil` for a property.
  var reference: FeatureReference? {
    guard let layer, let feature else { return nil }
    return FeatureReference(layer: layer, feature: feature)
  }

  /// The versions of a feature on both sides.
  var text: ConflictText? {
    switch origin {
    case .member(let text): text
    case .collection: nil
    case .document(_, let conflict):
      conflict.part == .feature
        ? ConflictText(
          base: conflict.base, theirs: conflict.theirs,
          removedBy: conflict.removedBy.map { $0 == .ours ? .ours : .theirs })
        : nil
    }
  }

  /// The other side's feature as a value; `nil` if it removed it, or for a property.
  var theirs: Feature? {
    Self.feature(text?.theirs)
  }
}

extension Document {
  /// All conflicts, in the order of layers and features; those of properties come last.
  ///
  /// - Complexity: O(blocks), where a block without conflicts is not looked through.
  var conflictPlaces: [ConflictPlace] {
    var places: [ConflictPlace] = []
    let kept = openConflicts
    for layer in layers {
      guard let holding = layer as? any FeatureHolding else { continue }
      for block in holding.blocks {
        let column = block.foreignMembers.first { $0.name == ConflictText.name }
        guard let column else { continue }
        for row in 0..<block.rowCount where column.kind(row) == .json {
          guard let text = ConflictText(json: column.value(row).text) else { continue }
          places.append(
            ConflictPlace(
              origin: .member(text), layer: layer.id, feature: block.featureIDs[row]))
        }
      }
      let own = holding.source.members.first { $0.name == ConflictText.name }
      if let text = own.flatMap({ ConflictText(json: $0.json) }) {
        places.append(ConflictPlace(origin: .collection(text), layer: layer.id))
      }
    }
    for (index, conflict) in kept.enumerated() {
      places.append(
        ConflictPlace(
          origin: .document(index, conflict), layer: conflict.layer, feature: conflict.feature))
    }
    return places
  }

  /// Whether there may be conflicts, without looking at features.
  var mayHaveConflicts: Bool {
    !conflicts.isEmpty
      || layers.contains { layer in
        guard let holding = layer as? any FeatureHolding else { return false }
        return holding.source.members.contains { $0.name == ConflictText.name }
          || holding.blocks.contains { block in
            block.foreignMembers.contains { $0.name == ConflictText.name }
          }
      }
  }
}

extension ConflictPlace {
  /// The parts of the feature or the property that the sides disagree about, in words; attributes
  /// with all of their values.
  func words(in document: Document) -> String {
    switch origin {
    case .collection(let text):
      return "members of the collection: \(text.theirs?.prefix(80) ?? "")"
    case .document(_, let conflict) where conflict.part != .feature:
      return Self.words(for: conflict)
    default: break
    }
    guard let text, let reference else { return "" }
    var versions = versions(in: document)
    guard text.removedBy == nil else {
      let way =
        text.removedBy == .ours
        ? "removed by ours, changed by theirs" : "changed by ours, removed by theirs"
      return ([way] + versions.map(\.words)).joined(separator: "; ")
    }
    guard let present = document.featureText(reference) else { return "" }
    var parts = ((try? text.disagreements(present)) ?? []).map { part -> String in
      let index = versions.firstIndex { $0.name.hasSameBytes(as: part) }
      return index.map { versions.remove(at: $0).words } ?? part
    }
    if let index = parts.lastIndex(where: { $0.hasPrefix("geometry") }),
      let own = document.feature(reference)?.geometry, let other = theirs?.geometry, own != other
    {
      let isGeographic = document.metadata.isGeographic
      let difference = GeometryDifference(from: own, to: other, isGeographic: isGeographic)
      parts[index] += " (ours to theirs: \(difference.summary(isGeographic: isGeographic)))"
    }
    return parts.isEmpty ? "both changed it" : parts.joined(separator: "; ")
  }

  private static func words(for conflict: Conflict) -> String {
    switch conflict.part {
    case .style: "the style of the layer"
    case .layer:
      conflict.removedBy == .ours
        ? "the layer: removed by ours, changed by theirs"
        : "the layer: changed by ours, removed by theirs"
    case .order: "the order and groups of layers, which are ours"
    default: "\(conflict.part.rawValue): theirs is “\(conflict.theirs ?? "")”"
    }
  }
}

extension Document {
  /// A feature as JSON without its conflict; `nil` if it is gone.
  func featureText(_ reference: FeatureReference) -> String? {
    guard let layer = self[layer: reference.layer] as? any FeatureHolding,
      let place = layer.position(of: reference.feature)
    else { return nil }
    let block = layer.blocks[place.block].removingMember(ConflictText.name, row: place.row)
    return String(decoding: FeatureWriter.text(block, row: place.row), as: UTF8.self)
  }
}
