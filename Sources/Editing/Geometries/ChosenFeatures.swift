import PortolanDocuments
import PortolanGraphics

/// The features that an operation works on.
struct ChosenFeatures: Sendable {
  /// One layer, and the features of it that are meant; `nil` for all.
  struct Part: Sendable {
    var layer: LayerID
    var features: Set<FeatureID>?
  }

  /// In the order of the document.
  var parts: [Part]

  /// The name of the only layer, for messages and new layers.
  func name(in document: Document) -> String {
    parts.first.flatMap { document[layer: $0.layer]?.name } ?? ""
  }

  /// The number of vertices of the layers.
  func vertexCount(in document: Document) -> Int {
    parts.reduce(0) { sum, part in
      let blocks = (document[layer: part.layer] as? any FeatureHolding)?.blocks ?? []
      return sum + blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
  }

  /// The number of features.
  func count(in document: Document) -> Int {
    parts.reduce(0) { $0 + ($1.features?.count ?? document[layer: $1.layer]?.count ?? 0) }
  }
}

extension Desk {
  /// The features that an operation works on: those of the named layers, or the selected ones, or
  /// the shown ones of the active layer; as a verb those of all layers.
  ///
  /// - Parameter besides: a layer that is not meant, as it is the other one of two.
  mutating func chosenFeatures(
    _ names: [String], _ condition: WhereOption, asVerb isVerb: Bool, besides other: LayerID? = nil
  ) throws -> ChosenFeatures {
    var chosen = try chosenParts(names, asVerb: isVerb, besides: other)
    let ids = chosen.parts.map(\.layer)
    if let fitting = try condition.features(of: ids, in: document, telling: &self) {
      for index in chosen.parts.indices {
        let layer = chosen.parts[index].layer
        let found = Set(fitting.lazy.filter { $0.layer == layer }.map(\.feature))
        chosen.parts[index].features =
          chosen.parts[index].features.map { $0.intersection(found) } ?? found
      }
    }
    // Of files an empty result is a result.
    guard isVerb || chosen.count(in: document) > 0 else {
      throw EditingError(.notFound, "there are no features to work on")
    }
    return chosen
  }

  private func chosenParts(
    _ names: [String], asVerb isVerb: Bool, besides other: LayerID?
  ) throws -> ChosenFeatures {
    if !names.isEmpty || isVerb {
      let ids =
        names.isEmpty ? document.layers.map(\.id) : try LayerNames.ids(names, in: document)
      let holding = document.layers.filter {
        $0 is any BlockHolding && ids.contains($0.id) && $0.id != other
          && !(isVerb && $0 is any NoteHolding)
      }
      if holding.isEmpty { throw EditingError(.notFound, "there is no layer with features") }
      return ChosenFeatures(parts: holding.map { ChosenFeatures.Part(layer: $0.id) })
    }
    if !selection.isEmpty {
      let groups = Dictionary(grouping: selection.features, by: \.layer)
      return ChosenFeatures(
        parts: document.layers.compactMap { layer in
          groups[layer.id].map {
            ChosenFeatures.Part(layer: layer.id, features: Set($0.map(\.feature)))
          }
        })
    }
    let layer = try requireActiveLayer()
    guard layer is any BlockHolding else {
      throw EditingError(.refused, "“\(layer.name)” holds no features: choose another layer")
    }
    if layer.id == other {
      throw EditingError(
        .refused, "“\(layer.name)” is both layers: choose another one with :layer, or --layers")
    }
    // What a filter hides is not meant.
    let shown = work.filters[layer.id] == nil ? nil : Set(features(of: layer).map(\.feature))
    return ChosenFeatures(parts: [ChosenFeatures.Part(layer: layer.id, features: shown)])
  }
}
