import PortolanGraphics

/// What a layer's areas or lines are by their nature, where maps have usual colours for it.
enum LayerNature: CaseIterable {
  case water, ice, town, railway, road

  /// The colour of areas.
  var areaColour: Colour? {
    switch self {
    case .water: Colour(hex: "#7cbcec")
    case .ice: Colour(hex: "#c9dbe6")
    case .town: Colour(hex: "#b0aaa4")
    case .railway, .road: nil
    }
  }

  /// The colour of lines.
  var lineColour: Colour? {
    switch self {
    case .water: Colour(hex: "#56b4e9")
    case .railway: Colour(hex: "#a58fa8")
    case .road: Colour(hex: "#cf8b7c")
    case .ice, .town: nil
    }
  }

  /// The dashes of lines.
  var dash: MarkStyle.Dash { self == .railway ? .dashed : .solid }

  /// The words of a layer's name, or of its features' kinds.
  fileprivate var words: Set<String> {
    switch self {
    case .water:
      [
        "water", "waters", "waterway", "waterways", "waterbody", "waterbodies", "lake", "lakes",
        "river", "rivers", "stream", "streams", "creek", "creeks", "canal", "canals", "reservoir",
        "reservoirs", "lagoon", "lagoons", "pond", "ponds", "sea", "seas", "ocean", "oceans",
        "hydro", "hydrography", "bathymetry", "playa",
      ]
    case .ice: ["ice", "glacier", "glaciers", "glaciated", "icecap", "icecaps"]
    case .town: ["urban", "builtup"]
    case .railway:
      [
        "railway", "railways", "railroad", "railroads", "rail", "rails", "tram", "trams",
        "tramway", "tramways", "subway", "subways",
      ]
    case .road:
      [
        "road", "roads", "street", "streets", "highway", "highways", "motorway", "motorways",
        "freeway", "freeways", "expressway", "expressways", "autobahn", "autobahnen", "strassen",
      ]
    }
  }
}

extension Layer {
  /// The nature of its areas or lines: by the kinds of its first features, else by its name;
  /// `nil` for none of those that are known.
  var nature: LayerNature? {
    let kinds = featureKinds
    if !kinds.isEmpty {
      return LayerNature.allCases.first { nature in
        kinds.allSatisfy { !Self.words(of: $0).isDisjoint(with: nature.words) }
      }
    }
    let words = Self.words(of: name)
    return LayerNature.allCases.first { !words.isDisjoint(with: $0.words) }
  }

  /// Whether its lines are borders, by its name, by attributes that only borders have, or by the
  /// kinds of its first features.
  var isOfBorders: Bool {
    if isCalled(["border", "boundar", "frontier"]) || hasKind(with: "boundar") { return true }
    return (self as? any FeatureHolding)?.blocks.contains { block in
      block.attributes.contains { ["adm0_left", "admin_level"].contains($0.name.lowercased()) }
    } ?? false
  }

  /// Whether its borders are all within countries: of states, provinces, counties.
  var isOfInnerBorders: Bool {
    guard isOfBorders else { return false }
    let levels = firstTexts(of: "admin_level").map { Double($0) ?? 0 }
    if !levels.isEmpty { return levels.allSatisfy { $0 > Self.countryLevel } }
    let kinds = featureKinds
    return kinds.isEmpty
      ? Self.isInner(name) : kinds.allSatisfy { Self.isInner($0) || $0.hasPrefix("admin-1") }
  }

  /// The `admin_level` of countries.
  private static var countryLevel: Double { 2 }

  private static func isInner(_ text: String) -> Bool {
    let words = words(of: text)
    return !words.contains("united") && !words.isDisjoint(with: innerWords)
  }

  private static var innerWords: Set<String> {
    [
      "state", "states", "province", "provinces", "provincial", "county", "counties", "district",
      "districts", "canton", "cantons", "department", "departments", "municipality",
      "municipalities", "municipal",
    ]
  }

  /// Whether its areas are land, with the sea around them: by the kinds of its first features, else
  /// by its name.
  package var isOfLand: Bool {
    guard ["pg", "mix"].contains(kindCode), nature == nil else { return false }
    let kinds = featureKinds
    if !kinds.isEmpty {
      return kinds.allSatisfy { $0.hasPrefix("admin-0") || Self.isLand($0) }
    }
    return Self.isLand(name)
  }

  private static func isLand(_ text: String) -> Bool {
    let words = words(of: text)
    return !words.isDisjoint(with: landWords) && words.isDisjoint(with: ["use", "cover"])
  }

  private static var landWords: Set<String> {
    [
      "land", "landmass", "countries", "country", "nations", "continents", "continent", "coast",
      "coasts", "coastline", "coastlines", "shore", "shoreline", "shorelines",
    ]
  }

  /// Whether its lines are coasts, by its name or by the kinds of its first features.
  var isOfCoasts: Bool { isCalled(["coast", "shore"]) || hasKind(with: "coast") }

  private func isCalled(_ words: [String]) -> Bool {
    let name = name.lowercased()
    return words.contains(where: name.contains)
  }

  private func hasKind(with word: String) -> Bool { featureKinds.contains { $0.contains(word) } }

  /// The attribute `featurecla` of its first features, in lower case.
  private var featureKinds: [String] { firstTexts(of: "featurecla").map { $0.lowercased() } }

  /// The values of an attribute of its first features, without empty ones.
  ///
  /// - Parameter name: in lower case.
  private func firstTexts(of name: String) -> [String] {
    guard let block = (self as? any FeatureHolding)?.blocks.first,
      let column = block.attributes.first(where: { $0.name.lowercased() == name })
    else { return [] }
    return (0..<min(16, block.rowCount)).map { column.value($0).text }.filter { !$0.isEmpty }
  }

  private static func words(of text: String) -> Set<String> {
    Set(text.lowercased().split { !$0.isLetter }.map(String.init))
  }
}
