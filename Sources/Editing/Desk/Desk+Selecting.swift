package import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// Choosing features.
extension Desk {
  /// Changes the selection.
  mutating func select(_ features: [FeatureReference], _ change: SelectionChange) {
    let former = selection
    switch change {
    case .replace: selection = Selection(features)
    case .add: for feature in features { selection.insert(feature) }
    case .remove:
      let gone = Set(features)
      selection.filter { !gone.contains($0) }
    case .toggle:
      let known = Set(features.filter { selection.contains($0) })
      selection.filter { !known.contains($0) }
      for feature in features where !known.contains(feature) { selection.insert(feature) }
    }
    selection.vertex = nil
    if former.features != selection.features, !former.isEmpty { work.formerSelection = former }
    if selection.count != 1 || change != .replace {
      say(selectedText)
    }
  }

  /// Selects the feature under the cursor; repeated on the same place, the next one below.
  ///
  /// The feature of a `go` comes first, whatever else lies there.
  mutating func selectHere(_ change: SelectionChange) {
    var here = featuresHere
    let arrived = featureArrivedAt
    if let arrived, !here.contains(arrived) { here.insert(arrived, at: 0) }
    guard !here.isEmpty else {
      if change == .replace, !selection.isEmpty { select([], .replace) }
      say("nothing here")
      return
    }
    guard change == .replace else {
      select([arrived ?? here[0]], change)
      return
    }
    var index = 0
    if let arrived, let place = here.firstIndex(of: arrived) {
      index = place
      work.arrival = nil
    } else if selection.count == 1, let present = here.firstIndex(of: selection.features[0]) {
      index = (present + 1) % here.count
    }
    select([here[index]], .replace)
    sayFeature(here[index], suffix: here.count > 1 ? "\(index + 1) of \(here.count) here" : "")
  }

  /// Names the chosen feature in a message.
  mutating func sayFeature(_ reference: FeatureReference, suffix: String = "") {
    let more = suffix.isEmpty ? "" : "  (\(suffix))"
    say(describe(reference) + more)
  }

  /// A feature in a few words: its layer and its name.
  package func describe(_ reference: FeatureReference) -> String {
    guard let layer = document[layer: reference.layer], let feature = document.feature(reference)
    else { return "a feature that is gone" }
    let kind = feature.geometry.kind.name ?? "no geometry"
    return "\(layer.name): \(name(of: reference)) (\(kind))"
  }

  /// The name of a feature, or else its number.
  ///
  /// - Parameter former: the document with it, if not the present one.
  func name(of reference: FeatureReference, in former: Document? = nil) -> String {
    let document = former ?? self.document
    let named =
      labelText(of: reference, in: document)
      ?? document.feature(reference).flatMap { feature in
        labelAttribute(of: feature, in: document[layer: reference.layer]).map {
          feature.attributes[$0].value.text
        }
      }
    return named ?? "#\(reference.feature.rawValue)"
  }

  /// The text that labels a feature on the map; `nil` if there is none.
  private func labelText(of reference: FeatureReference, in document: Document) -> String? {
    guard let layer = document[layer: reference.layer] as? any FeatureHolding,
      let field = layer.style.labelField, let place = layer.position(of: reference.feature),
      let text = layer.blocks[place.block].channel(field)?.value(place.row).text
    else { return nil }
    return text.isEmpty ? nil : text
  }

  /// The index of the attribute that names a feature: its layer's label field, else a name-like
  /// one, if it is not empty.
  func labelAttribute(of feature: Feature, in layer: (any Layer)?) -> Int? {
    let fields = feature.attributes.map(\.name)
    return [layer?.style.labelField, LabelField.guess(fields)].compactMap { $0 }
      .compactMap { name in fields.firstIndex(of: name) }
      .first { !feature.attributes[$0].value.text.isEmpty }
  }

  mutating func selectFormer() {
    let former = work.formerSelection
    let shown = shownDocument
    select(former.features.filter { shown.contains($0) }, .replace)
  }
}
