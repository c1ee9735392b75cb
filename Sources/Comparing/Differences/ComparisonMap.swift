package import PortolanDocuments
import PortolanGraphics

/// A difference as a map: equal, removed, changed (before and after) and added features, each kind
/// a layer with colours, dashes and signs of its own.
package enum ComparisonMap {
  private enum Part: CaseIterable {
    case same, removed, before, changed, added

    var name: String {
      switch self {
      case .same: "same"
      case .removed: "removed"
      case .before: "changed, before"
      case .changed: "changed"
      case .added: "added"
      }
    }

    /// Whether its features have their names beside them; a changed one has it once.
    var isNamed: Bool { self != .same && self != .before }

    /// The word in the attribute of a feature.
    var word: String { self == .before ? "before" : name }

    /// Colours that most people tell apart (Okabe and Ito); a sign, a dash and a pattern tell them
    /// apart without.
    var mark: MarkStyle {
      var mark: MarkStyle
      switch self {
      case .same: mark = MarkStyle(stroke: Colour(hex: "808080"), symbol: "·")
      case .removed:
        mark = MarkStyle(
          stroke: Colour(hex: "d55e00"), fill: Colour(hex: "d55e00")?.dimmed, dash: .dotted,
          pattern: .sparse, symbol: "-")
      case .before: mark = MarkStyle(stroke: Colour(hex: "56b4e9"), dash: .dashed, symbol: "○")
      case .changed:
        mark = MarkStyle(
          stroke: Colour(hex: "f0e442"), fill: Colour(hex: "f0e442")?.dimmed, pattern: .medium,
          symbol: "~")
      case .added:
        mark = MarkStyle(
          stroke: Colour(hex: "009e73"), fill: Colour(hex: "009e73")?.dimmed, pattern: .hatched,
          symbol: "+")
      }
      mark.weight = self == .same ? .light : .bold
      mark.isEmphasized = false
      return mark
    }
  }

  /// The attribute with the kind of a change.
  package static let changeField = "portolan:change"
  /// The attribute with the changes in words.
  package static let detailsField = "portolan:details"

  /// The document of a difference between two maps.
  ///
  /// - Parameter hasSame: whether the features that are the same are part of it.
  package static func document(
    of difference: MapDifference, like new: Document, hasSame: Bool
  ) -> Document {
    var document = Document()
    document.metadata.title = "difference"
    document.metadata.units = new.metadata.units
    document.metadata.coordinateSystem = new.metadata.coordinateSystem
    for part in Part.allCases where hasSame || part != .same {
      let rows = difference.layers.flatMap { entries(part, $0, difference) }
      guard !rows.isEmpty else { continue }
      var layer = RowCollector.layer(
        LayerID(document.makeID()), name: part.name, part.mark,
        labelField: part.isNamed ? labelField(rows) : nil, blocks(rows, part))
      // A title says it all: the legend adds no note on ranks.
      layer.title = part.name
      document.layers.append(layer)
    }
    if !document.metadata.isGeographic {
      for index in document.views.indices {
        guard var map = document.views[index] as? any MapShowing else { continue }
        map.projection = .planar
        document.views[index] = map
      }
    }
    return document
  }

  private typealias Entry = (row: ComparedRow, details: String)

  private static func entries(
    _ part: Part, _ layer: MapDifference.LayerDifference, _ difference: MapDifference
  ) -> [Entry] {
    if part == .same { return layer.same.map { ($0, "") } }
    return layer.features.compactMap { feature in
      let details = {
        DifferenceText.details(
          of: feature, isGeographic: difference.isGeographic, verticesMax: 0
        ).joined(separator: "; ")
      }
      switch (part, feature.change) {
      case (.added, .added): return feature.new.map { ($0, "") }
      case (.removed, .removed): return feature.old.map { ($0, "") }
      case (.changed, .changed): return feature.new.map { ($0, details()) }
      case (.before, .changed):
        return feature.geometry == nil ? nil : feature.old.map { ($0, details()) }
      default: return nil
      }
    }
  }

  /// The attribute with the names of most features.
  private static func labelField(_ rows: [Entry]) -> String? {
    ["name", "NAME", "Name", "title", "label"].first { field in
      rows.contains { $0.row.block.attribute(field, row: $0.row.row).kind == .string }
    }
  }

  private static func blocks(_ rows: [Entry], _ part: Part) -> [FeatureBlock] {
    var collector = RowCollector()
    for entry in rows { collector.append(entry.row.block, row: entry.row.row) }
    let blocks = collector.finish()
    var layer = RowCollector.layer(LayerID(1), name: "", MarkStyle(), blocks)
    let ids = Set(blocks.flatMap(\.featureIDs))
    var next = 0
    // Every feature exists, and the values are texts.
    try? layer.setAttribute(changeField, to: .string(part.word), of: ids)
    if part != .same {
      try? layer.setAttribute(detailsField, of: ids) { _, chosen in
        defer { next += chosen.count }
        return chosen.indices.map { index in
          let details = rows[next + index].details
          return details.isEmpty ? .missing : .string(details)
        }
      }
    }
    return layer.blocks
  }
}
