import PortolanDocuments
import PortolanExpressions
import Synchronization

/// What the evaluation of expressions left out, counted by work on any thread.
final class LeftOut: Sendable {
  private let tally = Mutex(Tally())

  func add(_ other: Tally) { tally.withLock { $0 = $0 + other } }

  /// `nil` if nothing was left out.
  var words: String? { Self.words(tally.withLock { $0 }) }

  static func words(_ tally: Tally) -> String? {
    tally.words.isEmpty ? nil : tally.words.joined(separator: ", ")
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
      if layers.isEmpty {
        throw document.isShown(active)
          ? EditingError.locked(active.name) : EditingError.hidden(active.name)
      }
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

  /// Sets an attribute of some features to the values of an expression, in one step.
  ///
  /// - Parameter retyping: the type that the values are brought to; as they are if `nil`.
  mutating func setAttribute(
    _ name: String, by text: String, of features: [FeatureReference], _ retyping: Retyping? = nil
  ) throws {
    if features.isEmpty { throw nothingSelected() }
    let choice = FeatureChoice(features)
    let asked = QuestionedLayers(choice.layers, in: document)
    let expression = try asked.value(text)
    let isLong =
      asked.layers.reduce(0) { $0 + $1.count } > EditRequest.leastFeatures
      || asked.isLong(expression)
    let leftOut = LeftOut()
    let retyped = retyping.map { RetypedValues($0) }
    let warn: @Sendable (Document) -> String? = { _ in
      let words = [leftOut.words, retyped?.now.warning].compactMap { $0 }
      return words.isEmpty ? nil : words.joined(separator: "; ")
    }
    try edit(
      "set \(name)", isLong: isLong,
      saying: "computed \(name) of \(CountText.features(features.count))", warning: warn
    ) { document, progress in
      let asked = QuestionedLayers(choice.layers, in: document)
      var done = 0
      for (layer, blocks) in zip(asked.layers, asked.blocks) {
        if document.isProtected(layer) { throw EditingError.locked(layer.name) }
        guard let index = document.layers.firstIndex(where: { $0.id == layer.id }) else { continue }
        var tally = Tally()
        var typed = retyped?.now
        let bound = expression.bound(to: FeatureSet(blocks), &tally)
        let known = Dictionary(
          uniqueKeysWithValues: blocks.map { (ObjectIdentifier($0.block), $0) })
        var layer = layer
        try layer.setAttribute(name, of: choice) { block, rows in
          done += rows.count
          try progress.report(Double(done) / Double(features.count))
          guard let asked = known[ObjectIdentifier(block)] else { return [] }
          let evaluate = bound.evaluator(for: asked)
          return rows.map { row in
            let value =
              expression.attribute.map { Self.copied(block.attribute($0, row: row)) }
              ?? evaluate(row, &tally).attribute
            return typed?.value(of: value) ?? value
          }
        }
        document.layers[index] = layer
        leftOut.add(tally)
        if let typed { retyped?.now = typed }
      }
    }
  }

  /// A value copied from another attribute: what a feature lacks becomes null, as any expression's.
  private static func copied(_ value: AttributeValue) -> AttributeValue {
    value == .missing ? .null : value
  }
}
