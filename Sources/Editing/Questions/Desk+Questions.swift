import PortolanDocuments
import PortolanExpressions
import Synchronization

/// What the evaluation of expressions left out, counted by work on any thread.
final class LeftOut: Sendable {
  private let tally = Mutex(Tally())

  func add(_ other: Tally) { tally.withLock { $0 = $0 + other } }

  /// `nil` if nothing was left out.
  var words: String? {
    let words = tally.withLock { $0.words }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

/// Selecting and setting by expressions.
extension Desk {
  /// Selects the features of the active layer, or of all that can be chosen from, for which a
  /// condition holds.
  mutating func selectWhere(
    _ text: String, _ change: SelectionChange, inAllLayers: Bool
  ) throws {
    let layers: [any FeatureHolding]
    if inAllLayers {
      layers = choosableLayers
    } else {
      let active = try requireActiveLayer()
      layers = choosableLayers.filter { $0.id == active.id }
      if layers.isEmpty { throw EditingError.locked(active.name) }
    }
    // Figures are of the whole layers; only what is shown is chosen.
    let whole = layers.compactMap { document[layer: $0.id] as? any FeatureHolding }
    let asked = QuestionedLayers(whole, in: document)
    let condition = try asked.condition(text)
    var tally = Tally()
    let found = asked.features(where: condition, &tally)
      .filter(isShown(among: Set(layers.map(\.id))))
    if found.isEmpty {
      throw EditingError(
        .notFound, "no feature: \(([text] + tally.words).joined(separator: "; "))")
    }
    select(found, change)
    let leftOut = LeftOut()
    leftOut.add(tally)
    say(selectedText, warning: leftOut.words)
  }

  /// Sets an attribute of features to the values of an expression, in one step.
  mutating func setAttribute(
    _ name: String, by text: String, of features: [FeatureReference]
  ) throws {
    let asked = QuestionedLayers(Array(Set(features.map(\.layer))), in: document)
    let expression = try asked.value(text)
    let members = Dictionary(grouping: features, by: \.layer).mapValues { Set($0.map(\.feature)) }
    let isLong = asked.layers.reduce(0) { $0 + $1.count } > EditRequest.least
    let leftOut = LeftOut()
    let words: @Sendable (Document) -> String? = { _ in leftOut.words }
    try edit(
      "set \(name)", isLong: isLong,
      saying: "computed \(name) of \(CountText.features(features.count))", warning: words
    ) { document, progress in
      let asked = QuestionedLayers(Array(members.keys), in: document)
      var done = 0
      for (layer, blocks) in zip(asked.layers, asked.blocks) {
        if document.isProtected(layer) { throw EditingError.locked(layer.name) }
        guard let index = document.layers.firstIndex(where: { $0.id == layer.id }),
          let ids = members[layer.id]
        else { continue }
        var tally = Tally()
        let bound = expression.bound(to: FeatureSet(blocks), &tally)
        let known = Dictionary(
          uniqueKeysWithValues: blocks.map { (ObjectIdentifier($0.block), $0) })
        var layer = layer
        try layer.setAttribute(name, of: ids) { block, rows in
          done += rows.count
          try progress.report(Double(done) / Double(features.count))
          if let source = expression.attribute {
            return rows.map { Self.copied(block.attribute(source, row: $0)) }
          }
          guard let asked = known[ObjectIdentifier(block)] else { return [] }
          let evaluate = bound.evaluator(for: asked)
          return rows.map { evaluate($0, &tally).attribute }
        }
        document.layers[index] = layer
        leftOut.add(tally)
      }
    }
  }

  /// A value copied from another attribute: what a feature lacks becomes null, as any expression's.
  private static func copied(_ value: AttributeValue) -> AttributeValue {
    value == .missing ? .null : value
  }
}
