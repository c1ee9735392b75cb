package import PortolanDocuments

/// A part of an edit that was changed since, so that the edit is not taken back.
package struct ChangedPart: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case feature(FeatureReference)
    case layer(LayerID)
    /// The order and the groups of layers.
    case order
    case document, coordinateSystem, coordinates, conflicts, views
    case bookmark(String)
  }

  package let kind: Kind
  /// The part in words.
  package let label: String

  init(_ kind: Kind, _ label: String) { (self.kind, self.label) = (kind, label) }

  /// Whether another edit changed the part.
  ///
  /// - Complexity: O(blocks).
  package func isChanged(from former: Document, to new: Document) -> Bool {
    switch kind {
    case .feature(let reference):
      return !Self.areSame(Self.row(reference, former), Self.row(reference, new))
    case .layer(let id):
      guard let old = former[layer: id], let other = new[layer: id] else {
        return (former[layer: id] == nil) != (new[layer: id] == nil)
      }
      return !LayerReversal.haveSameProperties(old, other)
        || !LayerReversal.areSame(old.heldBlocks, other.heldBlocks)
    case .order:
      return !former.layers.elementsEqual(new.layers) { $0.id == $1.id && $0.parent == $1.parent }
    case .document: return former.metadata != new.metadata
    case .coordinateSystem:
      return former.metadata.coordinateSystem != new.metadata.coordinateSystem
    case .coordinates: return !Self.haveSameBlocks(former, new)
    case .conflicts: return !Self.areSame(former.conflicts, new.conflicts)
    case .views: return Self.views(former) != Self.views(new)
    case .bookmark(let name): return !Self.areSame(former.bookmarks[name], new.bookmarks[name])
    }
  }

  private static func row(_ reference: FeatureReference, _ document: Document) -> ComparedRow? {
    guard let layer = document[layer: reference.layer] as? any FeatureHolding,
      let place = layer.position(of: reference.feature)
    else { return nil }
    return ComparedRow(block: layer.blocks[place.block], row: place.row, number: 0)
  }

  static func areSame(_ first: ComparedRow?, _ second: ComparedRow?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.block === second.block && first.row == second.row
      || MapDifference.areSame(first, second)
  }

  static func areSame(_ first: Bookmark?, _ second: Bookmark?) -> Bool {
    first?.name == second?.name && first?.place == second?.place
      && first?.magnification == second?.magnification
  }

  static func areSame(_ first: [Conflict], _ second: [Conflict]) -> Bool {
    first.elementsEqual(second) { one, other in
      one.part == other.part && one.layer == other.layer && one.feature == other.feature
        && one.base == other.base && one.theirs == other.theirs
        && one.removedBy == other.removedBy
    }
  }

  /// Whether the layers of two documents have the same blocks.
  static func haveSameBlocks(_ first: Document, _ second: Document) -> Bool {
    let held = [first, second].map { $0.layers.filter { !$0.heldBlocks.isEmpty } }
    return held[0].count == held[1].count
      && held[0].allSatisfy { layer in
        second[layer: layer.id].map {
          LayerReversal.areSame(layer.heldBlocks, $0.heldBlocks)
        } ?? false
      }
  }

  /// The views and panes of a document as bytes: the same for the same views.
  static func views(_ document: Document) -> [UInt8]? {
    var views = Document()
    (views.views, views.layout) = (document.views, document.layout)
    views.nextID = max(document.nextID, 1 << 40)
    return try? DocumentArchive.bytes(of: views)
  }
}

extension Layer {
  /// Its blocks of features; none for kinds without features.
  var heldBlocks: [FeatureBlock] { (self as? any FeatureHolding)?.blocks ?? [] }

  /// Where its features were read; `nil` for kinds that keep no such place.
  var keptOrigin: LayerOrigin? { (self as? any OriginKeeping)?.origin }
}
