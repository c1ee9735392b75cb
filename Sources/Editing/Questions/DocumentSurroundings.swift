import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import Synchronization

/// What expressions can relate the features of a document to: its layers, features by their names,
/// and positions.
///
/// Layers are indexed when they are first asked, and the indices kept as long as this is.
final class DocumentSurroundings: Surroundings, BlockRelations {
  private let document: Document
  private let isGeographic: Bool
  private let found = Mutex<[Relation.Place: RelatedPlace]>([:])

  init(_ document: Document) {
    self.document = document
    isGeographic = document.metadata.coordinateSystem.isDegrees
  }

  // MARK: Before a run

  func types(of relation: Relation) throws(RelationFault) -> ValueTypes {
    let place = try place(relation.place)
    if relation.kind != .distance { try place.requireShapes(for: relation) }
    switch relation.member {
    case nil: return relation.kind == .distance ? .number : .truth
    case .quality(let quality): return try place.types(of: quality)
    case .attribute(let name): return try place.types(ofAttribute: name)
    }
  }

  func layers(with attribute: String) -> [String] {
    featureLayers.filter { layer in layer.blocks.contains { $0.column(attribute) != nil } }
      .map(\.name)
  }

  /// The blocks of the features that some relations ask, whose change makes their values anew.
  func basis(of relations: [Relation]) -> [FeatureBlock] {
    if relations.isEmpty { return [] }
    let isNamed = relations.contains { relation in
      if case .named = relation.place { true } else { false }
    }
    // The feature of a name may be in any layer.
    if isNamed { return featureLayers.flatMap(\.blocks) }
    return relations.flatMap { relation -> [FeatureBlock] in
      guard case .layer(let name) = relation.place else { return [] }
      return (try? layers(named: name))?.flatMap(\.blocks) ?? []
    }
  }

  // MARK: In a run

  func evaluator(
    _ relation: Relation, for block: FeatureBlock
  ) -> BoundExpression.Evaluator? {
    guard let place = try? place(relation.place) else { return nil }
    return place.evaluator(relation, for: block)
  }

  // MARK: Places

  private var featureLayers: [any FeatureHolding] {
    document.layers.compactMap { $0 as? any FeatureHolding }
  }

  private func place(_ place: Relation.Place) throws(RelationFault) -> RelatedPlace {
    if let known = found.withLock({ $0[place] }) { return known }
    let made: RelatedPlace
    switch place {
    case .layer(let name): made = RelatedPlace(try layers(named: name), isGeographic)
    case .named(let text): made = try named(text)
    }
    // Of two at once the first one is shared.
    return found.withLock { found in
      if let known = found[place] { return known }
      found[place] = made
      return made
    }
  }

  private func layers(named name: String) throws(RelationFault) -> [any FeatureHolding] {
    let named = document.layers.filter { $0.name == name }
    let titled = document.layers.filter { !name.isEmpty && $0.title == name }
    let matching = named.isEmpty ? titled : named
    guard let layer = matching.first else {
      let names = document.layers.filter { $0 is any FeatureHolding }.map(\.name)
      let near = NearNames.of(name, among: names).map { "“\($0)”" }
      let advice =
        near.isEmpty
        ? LayerNames.existing(Array(names.prefix(20)))
          + "; the name of a feature is written '\(name)'"
        : "did you mean \(near.joined(separator: " or "))?"
      throw RelationFault("no layer “\(name)”: \(advice)")
    }
    guard matching.count == 1 else {
      throw RelationFault("\(matching.count) layers are named “\(name)”: rename one")
    }
    if let layer = layer as? any FeatureHolding { return [layer] }
    let inside = featureLayers.filter { inner in
      document.groups(around: inner).contains { $0.id == layer.id }
    }
    if inside.isEmpty { throw RelationFault("layer “\(name)” has no features") }
    return inside
  }

  /// A position in words, or the feature that alone has a name.
  private func named(_ text: String) throws(RelationFault) -> RelatedPlace {
    let isRelative = text.drop(while: \.isWhitespace).hasPrefix("@")
    if text.contains(where: \.isNumber), !isRelative,
      let place = try? Positions.parse(
        text, base: Coordinate(x: 0, y: 0), isGeographic: isGeographic)
    {
      return RelatedPlace(place, isGeographic)
    }
    let layers = featureLayers
    let found = layers.flatMap { layer in
      TextFinder(text).finds(in: layer, names: Desk.nameFields(of: layer), others: [])
    }
    guard let best = found.map(\.rank).min(), best <= TextFinder.Rank.sameIgnoringCase else {
      let near = names(of: found.sorted { $0.rank < $1.rank }.prefix(3).map(\.feature))
      let advice = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
      throw RelationFault("no feature is named “\(text)”\(advice)")
    }
    let meant = found.filter { $0.rank == best }
    guard meant.count == 1, let layer = layers.first(where: { $0.id == meant[0].feature.layer })
    else {
      throw RelationFault(
        "\(meant.count) features are named “\(text)”: make a layer of the one that is meant, or "
          + "write its position")
    }
    return RelatedPlace(layer, meant[0].feature.feature, isGeographic)
  }

  private func names(of features: [FeatureReference]) -> [String] {
    features.compactMap { reference in
      guard let layer = document[layer: reference.layer] as? any FeatureHolding,
        let feature = document.feature(reference)
      else { return nil }
      let fields = Desk.nameFields(of: layer)
      return feature.attributes.first { fields.contains($0.name) }.map { "“\($0.value.text)”" }
    }
  }
}
