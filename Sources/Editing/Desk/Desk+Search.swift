import PortolanDocuments

/// Finding features by the text of their attributes.
extension Desk {
  /// The matching features: those with this name first, then names that begin with the text or
  /// contain it, then other attributes that contain it; equals in the order of the layers from the
  /// top.
  struct Matches: Sendable {
    var text: String
    var revision: Int
    var features: [FeatureReference]
    /// The number of leading matches with the text in their names.
    var namedCount: Int
    var index: Int
  }

  /// Searches for a text and goes to the first match; without a text, to the next match of the last
  /// search.
  mutating func search(_ text: String) throws {
    if text.isEmpty {
      if work.searchText.isEmpty { throw EditingError(.usage, "search TEXT: what to find") }
      try stepMatch(by: 1)
      return
    }
    work.searchText = text
    var found = try findMatches()
    found.index = 0
    matches = found
    let (count, named) = (found.features.count, found.namedCount)
    let names = named > 0 && named < count ? ", \(named) by name" : ""
    let advice = count > 1 ? "; n next, g/ selects all" : ""
    let words = "1 of \(count) with “\(text)”\(names)\(advice)"
    arrive(at: found.features[0], words, isStaying: true)
  }

  /// All features that match the last search, best first.
  mutating func foundFeatures() throws -> [FeatureReference] {
    let found = try findMatches()
    matches = found
    return found.features
  }

  /// The matches of the last search in the present document.
  ///
  /// - Throws: if there are none.
  private func findMatches() throws -> Matches {
    if work.searchText.isEmpty { throw EditingError(.refused, "nothing was searched for: / first") }
    if let matches, matches.text == work.searchText, matches.revision == history.present.revision,
      !matches.features.isEmpty
    {
      return matches
    }
    let finder = TextFinder(work.searchText)
    let finds = choosableLayers.flatMap { layer in
      finder.finds(in: layer, names: Self.nameFields(of: layer), others: layer.fieldNames)
    }.sortedByRank()
    if finds.isEmpty {
      throw notFound("“\(work.searchText)”", "“\(work.searchText)” is in no visible layer") {
        !finder.finds(in: $0, names: [], others: $0.fieldNames).isEmpty
      }
    }
    return Matches(
      text: work.searchText, revision: history.present.revision, features: finds.map(\.feature),
      namedCount: finds.count { $0.rank <= TextFinder.Rank.within }, index: -1)
  }

  mutating func stepMatch(by steps: Int) throws {
    var found = try findMatches()
    if let current = selection.currentFeature,
      let index = found.features.firstIndex(of: current)
    {
      found.index = index
    }
    let count = found.features.count
    let start = found.index < 0 && steps < 0 ? 0 : found.index
    found.index = ((start + steps) % count + count) % count
    matches = found
    visit(found.features[found.index], "\(found.index + 1) of \(count) with “\(work.searchText)”")
  }

  /// Searches for features with the label of the one under the cursor.
  mutating func searchSame() throws {
    guard let reference = featuresHere.first ?? selection.currentFeature,
      let feature = document.feature(reference), let layer = document[layer: reference.layer]
    else { throw EditingError(.notFound, "no feature here") }
    let fields = feature.attributes.map(\.name)
    let field = layer.style.labelField ?? LabelField.guess(fields) ?? fields.first
    let value = feature.attributes.first { $0.name == field }?.value.text ?? ""
    if value.isEmpty { throw EditingError(.notFound, "the feature here has no name to look for") }
    select([reference], .replace)
    work.searchText = value
    try stepMatch(by: 1)
  }

  /// The error for a search without matches: they are in a layer that cannot be chosen from, or
  /// nowhere.
  func notFound(
    _ what: String, _ nowhere: String, _ holds: (any FeatureHolding) -> Bool
  ) -> EditingError {
    for layer in document.layers.reversed() {
      let isShown = document.isShown(layer)
      let isFiltered = work.filters[layer.id] != nil
      guard !isShown || isFiltered || document.isProtected(layer),
        let layer = layer as? any FeatureHolding, holds(layer)
      else { continue }
      if isShown, !document.isProtected(layer) {
        return EditingError(.notFound, "\(what) is hidden by the filter of “\(layer.name)”")
      }
      let (state, command) = isShown ? ("locked", "unlock") : ("hidden", "show")
      return EditingError(
        .notFound, "\(what) is only in layer “\(layer.name)”, which is \(state): :\(command) first")
    }
    return EditingError(.notFound, nowhere)
  }

  /// Goes to the view of the opened document.
  mutating func goHome() {
    rememberJump()
    if file.path == nil || file.isData {
      fit(document.extent)
    } else {
      let kept = panels
      showDocumentView()
      panels = kept
      settleCursor(at: viewpoint.center)
    }
  }
}
