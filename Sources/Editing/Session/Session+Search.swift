import Documents

/// Finding features by what their attributes say.
extension Session {
  /// The features found, in the order of the layers from the top.
  struct Matches: Sendable {
    var text: String
    var revision: Int
    var features: [FeatureReference]
    var index: Int
  }

  /// How a feature is asked for.
  enum Wanted {
    case name(String)
    case id(String)
  }

  /// Looks for a text and goes to the first match after the selected feature.
  mutating func search(_ text: String) throws {
    let text = text.isEmpty ? searchText : text
    if text.isEmpty { throw EditingError(.usage, "search TEXT: what to find") }
    searchText = text
    matches = nil
    try stepMatch(by: 1)
  }

  mutating func stepMatch(by steps: Int) throws {
    if searchText.isEmpty { throw EditingError(.refused, "nothing was searched for: / first") }
    if matches?.text != searchText || matches?.revision != history.present.revision {
      let finder = TextFinder(searchText)
      let features = choosableLayers.flatMap { finder.features(of: $0) }
      matches = Matches(
        text: searchText, revision: history.present.revision, features: features, index: -1)
    }
    guard var found = matches, !found.features.isEmpty else {
      let finder = TextFinder(searchText)
      throw notFound("“\(searchText)”", "“\(searchText)” is in no visible layer") {
        !finder.features(of: $0).isEmpty
      }
    }
    if let current = selection.currentFeature,
      let index = found.features.firstIndex(of: current)
    {
      found.index = index
    }
    let count = found.features.count
    let start = found.index < 0 && steps < 0 ? 0 : found.index
    found.index = ((start + steps) % count + count) % count
    matches = found
    visit(found.features[found.index], "\(found.index + 1) of \(count) with “\(searchText)”")
  }

  /// Looks for what has the same label as the feature under the cursor.
  mutating func searchSame() throws {
    guard let reference = featuresHere.first ?? selection.currentFeature,
      let feature = document.feature(reference), let layer = document[layer: reference.layer]
    else { throw EditingError(.notFound, "no feature here") }
    let fields = feature.attributes.map(\.name)
    let field = layer.style.labelField ?? LabelField.guess(fields) ?? fields.first
    let value = feature.attributes.first { $0.name == field }?.value.text ?? ""
    if value.isEmpty { throw EditingError(.notFound, "the feature here has no name to look for") }
    select([reference], .replace)
    try search(value)
  }

  /// Goes to a feature by its name or id.
  mutating func go(to wanted: Wanted) throws {
    let finder: TextFinder
    let text: String
    switch wanted {
    case .name(let name):
      text = name
      finder = TextFinder(name)
    case .id(let id):
      text = id
      for layer in choosableLayers {
        for block in layer.blocks {
          for row in 0..<block.rowCount where block.identifiers.value(row).text == id {
            let feature = FeatureReference(layer: layer.id, feature: block.featureIDs[row])
            visit(feature, "id \(id)")
            return
          }
        }
      }
      throw notFound("id \(id)", "no visible feature has the id \(id)") { layer in
        layer.blocks.contains { block in
          (0..<block.rowCount).contains { block.identifiers.value($0).text == id }
        }
      }
    }
    var best: (rank: Int, feature: FeatureReference)?
    for layer in choosableLayers where best?.rank != 0 {
      guard let found = finder.best(of: layer, fields: Self.nameFields(of: layer)) else { continue }
      if best.map({ found.rank < $0.rank }) ?? true { best = found }
    }
    if let best { return visit(best.feature, "named “\(text)”") }
    throw notFound(
      "“\(text)”", "no visible feature is named “\(text)”: / searches all attributes"
    ) { finder.best(of: $0, fields: Self.nameFields(of: $0)) != nil }
  }

  /// The attributes that a layer's features are named by.
  private static func nameFields(of layer: any FeatureHolding) -> [String] {
    let field = layer.style.labelField ?? LabelField.guess(layer.fieldNames)
    return field.map { [$0] } ?? layer.fieldNames
  }

  /// Why nothing was found: because it is in a layer that cannot be chosen from, or nowhere.
  private func notFound(
    _ what: String, _ nowhere: String, _ holds: (any FeatureHolding) -> Bool
  ) -> EditingError {
    for layer in document.layers.reversed() {
      let isShown = document.isShown(layer)
      guard !isShown || document.isProtected(layer),
        let layer = layer as? any FeatureHolding, holds(layer)
      else { continue }
      let (state, command) = isShown ? ("locked", "unlock") : ("hidden", "show")
      return EditingError(
        .notFound, "\(what) is only in layer “\(layer.name)”, which is \(state): :\(command) first")
    }
    return EditingError(.notFound, nowhere)
  }

  /// Goes to the view that the document was opened with.
  mutating func goHome() {
    rememberViewpoint()
    if filePath == nil {
      fit(document.extent)
    } else {
      let kept = panels
      showDocumentView()
      panels = kept
      settleCursor(at: viewpoint.center)
    }
  }
}
