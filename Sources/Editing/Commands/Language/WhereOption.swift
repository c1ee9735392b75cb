import ArgumentParser
import PortolanDocuments
import PortolanExpressions

/// Chooses features by an expression.
struct WhereOption: ParsableArguments, Sendable {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only features for which this holds, as pop > 1e6 and name like 'S%'.",
      valueName: "expression"), completion: .expression)
  var condition: TextArgument?

  init() {}

  /// The features of some layers of a document for which the condition holds; `nil` without a
  /// condition. What it left out is told.
  func features(
    of layers: [LayerID], in document: Document, telling desk: inout Desk
  ) throws -> Set<FeatureReference>? {
    try choice(of: layers, in: document, telling: &desk).map { choice in
      Set(
        layers.flatMap { layer in
          choice.ids(of: layer).map { FeatureReference(layer: layer, feature: $0) }
        })
    }
  }

  /// The same as a choice.
  func choice(
    of layers: [LayerID], in document: Document, telling desk: inout Desk
  ) throws -> FeatureChoice? {
    guard let condition else { return nil }
    let asked = QuestionedLayers(layers, in: document)
    var tally = Tally()
    let found = asked.choice(where: try asked.condition(condition.text), &tally)
    for words in tally.words { desk.send(.warn("--where: \(words)")) }
    return found
  }

  /// A document with only the features for which the condition holds.
  ///
  /// - Parameter whole: the document with the features that are hidden: figures are of them too.
  func part(
    of document: Document, in whole: Document? = nil, telling desk: inout Desk
  ) throws -> Document {
    let holding = document.layers.filter { $0 is any FeatureHolding }.map(\.id)
    return try choice(of: holding, in: whole ?? document, telling: &desk).map {
      document.keeping($0)
    } ?? document
  }
}

extension Document {
  /// The document with some features only.
  func keeping(_ features: FeatureChoice) -> Document {
    var document = self
    for (index, layer) in layers.enumerated() {
      guard var layer = layer as? any BlockHolding else { continue }
      layer.keep(features)
      document.layers[index] = layer
    }
    return document
  }
}
