import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// Going to features by name or id.
extension Desk {
  /// The feature of the last `go`, and the cursor's place on it.
  struct Arrival: Hashable, Sendable {
    var feature: FeatureReference
    var place: Coordinate
  }

  /// A feature's name or id.
  enum Wanted {
    case name(String)
    case id(String)
  }

  /// The feature of the last `go`, as long as the cursor stays and it can be chosen.
  var featureArrivedAt: FeatureReference? {
    guard let arrival = work.arrival, arrival.place == cursor, document.contains(arrival.feature),
      choosableLayers.contains(where: { $0.id == arrival.feature.layer })
    else { return nil }
    return arrival.feature
  }

  /// Goes to the single feature with a name or id.
  ///
  /// A full match of the name goes before names that only begin with the text or contain it. If
  /// several features match, the user gets a list to choose from.
  ///
  /// - Parameter name: The layer to look in; `nil` looks in all visible, unlocked ones.
  /// - Throws: in a script, if several features match: a list of them.
  mutating func go(to wanted: Wanted, inLayer name: String?) throws {
    var layers = choosableLayers
    if let name {
      let layer = try self.layer(named: name)
      layers = layers.filter { $0.id == layer.id }
    }
    let found = layers.flatMap { candidates(for: wanted, in: $0) }
    guard let best = found.map(\.rank).min() else { throw nothing(wanted, inLayer: name) }
    let isWhole = best <= TextFinder.Rank.sameIgnoringCase
    let meant = isWhole ? found.filter { $0.rank == best } : found.sortedByRank()
    if meant.count == 1 {
      let words = "\(wanted.words.prefix)\(wanted.text)\(wanted.words.suffix)"
      arrive(at: meant[0].feature, words)
      return
    }
    let features = meant.map(\.feature)
    if isScripted { throw ambiguous(wanted, features) }
    ask(choice(of: features, wanted))
  }

  /// Goes to the feature of a number, the notation in the lists of `go`.
  mutating func go(toFeature words: [String]) throws {
    guard words.count == 2, let number = UInt64(words[1]) else {
      throw EditingError(.usage, "go feature LAYER NUMBER")
    }
    let layer = try layer(named: words[0])
    let reference = FeatureReference(layer: layer.id, feature: FeatureID(number))
    guard document.contains(reference) else {
      throw EditingError(.notFound, "layer \(layer.name) has no feature \(number)")
    }
    guard let shown = choosableLayers.first(where: { $0.id == layer.id }) else {
      throw EditingError(
        .refused, "layer “\(layer.name)” is hidden or locked: :show or :unlock it first")
    }
    guard shown.position(of: reference.feature) != nil else {
      throw EditingError(
        .refused, "feature \(number) is hidden by the filter of “\(layer.name)”")
    }
    arrive(at: reference, "")
  }

  /// Chooses a feature and shows it whole, in the middle of the map.
  ///
  /// - Parameter isStaying: whether the map stays where the feature is seen well already.
  mutating func arrive(
    at reference: FeatureReference, _ suffix: String, isStaying: Bool = false
  ) {
    rememberJump()
    select([reference], .replace)
    if let place = document.feature(reference)?.geometry.anchor {
      let camera = self.camera(showing: reference, at: place)
      if isStaying, sees(reference, as: camera) {
        visit(place)
      } else {
        look(through: camera, keeping: place)
      }
    }
    work.arrival = Arrival(feature: reference, place: cursor)
    sayFeature(reference, suffix: suffix)
  }

  /// The camera that shows a feature whole.
  private func camera(showing reference: FeatureReference, at place: Coordinate) -> Camera {
    var box = reach(of: [reference])
    let isPlace = box.width == 0 && box.height == 0
    // A point has no size: as near as now, or as near as shows the country around it.
    let zoomMax = isPlace ? max(viewpoint.zoom, 4.5) : 16
    if isPlace { box = Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y) }
    return Camera.fitting(
      box.forFitting(on: plane), plane: plane, size: mapArea.size, margin: 0.1, zoomMax: zoomMax)
  }

  /// Whether the map shows a feature about as well as a camera that shows it whole: it is in view,
  /// and at least an eighth as large.
  private func sees(_ reference: FeatureReference, as whole: Camera) -> Bool {
    let box = reach(of: [reference])
    let isPlace = box.width == 0 && box.height == 0
    guard camera.zoom >= whole.zoom - (isPlace ? 0 : 3) else { return false }
    let corners = [
      Coordinate(x: box.minX, y: box.minY), Coordinate(x: box.maxX, y: box.maxY),
    ]
    return corners.allSatisfy { corner in
      guard let cell = camera.cell(at: corner) else { return false }
      return (0..<camera.size.columns).contains(cell.column)
        && (0..<camera.size.rows).contains(cell.row)
    }
  }

  // MARK: Candidates

  private func candidates(
    for wanted: Wanted, in layer: any FeatureHolding
  ) -> [TextFinder.Find] {
    switch wanted {
    case .name(let text):
      return TextFinder(text).finds(in: layer, names: Self.nameFields(of: layer), others: [])
    case .id(let id):
      return layer.blocks.flatMap { block in
        (0..<block.rowCount).filter { block.identifiers.value($0).text == id }.map {
          TextFinder.Find(
            rank: TextFinder.Rank.same,
            feature: FeatureReference(layer: layer.id, feature: block.featureIDs[$0]))
        }
      }
    }
  }

  private func nothing(_ wanted: Wanted, inLayer name: String?) -> EditingError {
    switch wanted {
    case .name(let text):
      let place = name.map { " in layer \($0)" } ?? ""
      return notFound(
        "“\(text)”", "no visible feature is named “\(text)”\(place): / searches all attributes"
      ) { !candidates(for: wanted, in: $0).isEmpty }
    case .id(let id):
      return notFound("id \(id)", "no visible feature has the id \(id)") {
        !candidates(for: wanted, in: $0).isEmpty
      }
    }
  }

  /// The attributes that name a layer's features.
  static func nameFields(of layer: any FeatureHolding) -> [String] {
    let field = layer.style.labelField ?? LabelField.guess(layer.fieldNames)
    return field.map { [$0] } ?? layer.fieldNames
  }

  // MARK: Several

  private static let listedMax = 200

  /// A list to choose from, with a letter for each of the first.
  private func choice(of features: [FeatureReference], _ wanted: Wanted) -> Question {
    let letters = Array("123456789abcdefghilmnopqrstuvwxyz")
    let listed = features.prefix(Self.listedMax)
    let choices = listed.enumerated().map { index, feature in
      Question.Choice(
        letters.indices.contains(index) ? letters[index] : nil,
        row(of: feature), line: line(goingTo: feature))
    }
    var text = "\(features.count) features have \(wanted.kind) “\(wanted.text)”."
    if features.count > listed.count { text += " These are the first \(listed.count)." }
    return Question(title: "Go to", text: text, choices: choices)
  }

  private func ambiguous(_ wanted: Wanted, _ features: [FeatureReference]) -> EditingError {
    let listed = features.prefix(12).map { feature in
      "\(line(goingTo: feature)) [\(row(of: feature))]"
    }
    let more = features.count > listed.count ? "; and \(features.count - listed.count) more" : ""
    return EditingError(
      .refused,
      "\(features.count) features have \(wanted.kind) “\(wanted.text)”: choose one with "
        + listed.joined(separator: "; ") + more)
  }

  /// The command line that goes to exactly this feature.
  private func line(goingTo feature: FeatureReference) -> String {
    let layers = document.layers
    let index = layers.firstIndex { $0.id == feature.layer } ?? 0
    let name = layers[index].name
    let isOnly = layers.count { $0.name == name } == 1
    let layer = isOnly ? CommandWord.quoted(name) : String(layers.count - index)
    return "go feature \(layer) \(feature.feature.rawValue)"
  }

  /// What tells a feature from others of its name: the country and the region that its attributes
  /// tell, its position, then its layer.
  private func row(of reference: FeatureReference) -> String {
    guard let layer = document[layer: reference.layer],
      let feature = document.feature(reference)
    else { return describe(reference) }
    let named = labelAttribute(of: feature, in: layer)
    let name = named.map { feature.attributes[$0].value.text } ?? "#\(reference.feature.rawValue)"
    let regions = RegionFields.guess(feature.attributes.map(\.name))
      .filter { $0 != named }.map { feature.attributes[$0].value.text }
    let place = feature.geometry.anchor.map {
      Positions.text($0, isGeographic: plane.isGeographic)
    }
    let kind = feature.geometry.kind.name ?? "no geometry"
    return ([name] + regions + [place ?? "", "\(kind) in \(layer.name)"])
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension Desk.Wanted {
  var text: String {
    switch self {
    case .name(let text), .id(let text): text
    }
  }

  /// The kind of name, for a sentence.
  var kind: String {
    switch self {
    case .name: "a name with"
    case .id: "the id"
    }
  }

  /// The text around the name in the message.
  var words: (prefix: String, suffix: String) {
    switch self {
    case .name: ("named “", "”")
    case .id: ("id ", "")
    }
  }
}
