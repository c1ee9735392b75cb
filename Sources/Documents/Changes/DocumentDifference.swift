import PortolanGraphics

/// The differences between two documents, in words for people.
package enum DocumentDifference {
  /// One sentence for each difference; empty if there is none that people see.
  ///
  /// - Complexity: O(blocks + features of blocks that are not shared).
  package static func lines(from former: Document, to new: Document) -> [String] {
    var lines: [String] = []
    if former.metadata != new.metadata { lines.append("the document's metadata") }
    if !former.bookmarks.elementsEqual(new.bookmarks, by: { $0.isSame(as: $1) }) {
      lines.append("the bookmarks")
    }
    for layer in former.layers where new[layer: layer.id] == nil {
      lines.append("layer “\(layer.name)”: removed, with \(CountText.features(layer.count))")
    }
    for layer in new.layers {
      guard let old = former[layer: layer.id] else {
        lines.append("layer “\(layer.name)”: added, with \(CountText.features(layer.count))")
        continue
      }
      let parts = parts(from: old, to: layer)
      if !parts.isEmpty {
        lines.append("layer “\(layer.name)”: " + parts.joined(separator: ", "))
      }
    }
    let kept = former.layers.map(\.id).filter { new[layer: $0] != nil }
    if new.layers.map(\.id).filter({ former[layer: $0] != nil }) != kept {
      lines.append("the order of layers")
    }
    return lines
  }

  private static func parts(from old: any Layer, to new: any Layer) -> [String] {
    var parts: [String] = []
    if !old.name.hasSameBytes(as: new.name) { parts.append("was called “\(old.name)”") }
    if old.isVisible != new.isVisible { parts.append(new.isVisible ? "shown" : "hidden") }
    if old.isLocked != new.isLocked { parts.append(new.isLocked ? "locked" : "unlocked") }
    if !isSame(old.style, new.style) { parts.append("another style") }
    guard let old = old as? any FeatureHolding, let new = new as? any FeatureHolding else {
      return parts
    }
    var counts = Counts(from: old.blocks, to: new.blocks)
    counts.compare()
    for (count, word) in [
      (counts.added, "added"), (counts.removed, "removed"), (counts.moved, "with another shape"),
      (counts.changed, "with other attributes"),
    ] where count > 0 {
      parts.append("\(CountText.features(count)) \(word)")
    }
    return parts
  }

  private static func isSame(_ old: Style, _ new: Style) -> Bool {
    old === new || old.changed { $0.name = new.name }.content == new.content
  }

  /// Counts added, removed and changed features, looking only at blocks that are not shared.
  private struct Counts {
    var (added, removed, moved, changed) = (0, 0, 0, 0)
    private var former: [FeatureID: (block: FeatureBlock, row: Int)] = [:]
    private var blocks: [FeatureBlock] = []

    init(from old: [FeatureBlock], to new: [FeatureBlock]) {
      let kept = Set(new.map { ObjectIdentifier($0) })
      let known = Set(old.map { ObjectIdentifier($0) })
      for block in old where !kept.contains(ObjectIdentifier(block)) {
        for row in 0..<block.rowCount { former[block.featureIDs[row]] = (block, row) }
      }
      blocks = new.filter { !known.contains(ObjectIdentifier($0)) }
    }

    mutating func compare() {
      for block in blocks {
        for row in 0..<block.rowCount {
          guard let old = former.removeValue(forKey: block.featureIDs[row]) else {
            added += 1
            continue
          }
          if old.block.geometry !== block.geometry, !hasSameGeometry(old, (block, row)) {
            moved += 1
          }
          if !hasSameAttributes(old, (block, row)) { changed += 1 }
        }
      }
      removed += former.count
    }

    private func hasSameGeometry(
      _ old: (block: FeatureBlock, row: Int), _ new: (block: FeatureBlock, row: Int)
    ) -> Bool {
      old.block.geometry.geometry(ofFeature: old.row)
        == new.block.geometry.geometry(ofFeature: new.row)
    }

    private func hasSameAttributes(
      _ old: (block: FeatureBlock, row: Int), _ new: (block: FeatureBlock, row: Int)
    ) -> Bool {
      let (first, second) = (old.block.attributes, new.block.attributes)
      let places = (
        old.block.attributeOrder(row: old.row), new.block.attributeOrder(row: new.row)
      )
      return places.0.count == places.1.count
        && zip(places.0, places.1).allSatisfy { one, other in
          first[one].name.hasSameBytes(as: second[other].name)
            && first[one].value(old.row) == second[other].value(new.row)
        }
        && old.block.identifiers.value(old.row) == new.block.identifiers.value(new.row)
    }
  }
}
