import PortolanGraphics

/// The classes of a layer's points by their importance or size, each with a sign.
///
/// They depend on the least and the greatest rank of the layer alone, so that neither panning nor
/// the zoom changes a sign.
struct SignClasses: Hashable {
  /// The groups of points, in the order of their numbers.
  enum Group: Int, CaseIterable {
    case small, middle, large, capital, smallCapital
  }

  /// The attribute of the ranks; `nil` puts all points into the middle class.
  var field: ExactText?
  var order: RankOrder
  /// The least ranks of the middle and the large class.
  var middle: Double
  var large: Double
  /// Whether capitals are groups of their own.
  var hasCapitals: Bool

  /// Classes of points without ranks: all are middle ones.
  static let plain = SignClasses(
    field: nil, order: .high, middle: -.infinity, large: .infinity, hasCapitals: true)

  /// Classes by rank: a tenth and a hundredth of the greatest number where numbers are that far
  /// apart, else thirds.
  init(byRank field: String, _ order: RankOrder, _ bounds: ClosedRange<Double>?) {
    self = .plain
    guard let bounds, bounds.lowerBound < bounds.upperBound else { return }
    (self.field, self.order) = (ExactText(field), order)
    if order == .high, bounds.lowerBound < bounds.upperBound / 100 {
      (middle, large) = (bounds.upperBound / 100, bounds.upperBound / 10)
    } else {
      let third = bounds.upperBound / 3 - bounds.lowerBound / 3
      (middle, large) = (bounds.lowerBound + third, bounds.upperBound - third)
    }
  }

  /// Classes by size, in thirds of the diameter or so.
  init(bySize field: String, greatest: Double) {
    self.init(
      field: ExactText(field), order: .high, middle: greatest * 0.0625, large: greatest * 0.36,
      hasCapitals: false)
  }

  private init(
    field: ExactText?, order: RankOrder, middle: Double, large: Double, hasCapitals: Bool
  ) {
    (self.field, self.order) = (field, order)
    (self.middle, self.large, self.hasCapitals) = (middle, large, hasCapitals)
  }

  /// The class of a rank.
  func group(of rank: Double) -> Group {
    rank >= large ? .large : rank >= middle ? .middle : .small
  }

  /// The signs of the groups; `nil` for a sign that has no sizes.
  static func signs(of symbol: String) -> [String]? {
    families.first { $0[1] == symbol || $0[2] == symbol }.map { $0 + ["★", "☆"] }
  }

  /// Whether a sign is one that layers get by themselves, not a choice of the user.
  static func isStandard(_ symbol: String) -> Bool {
    symbol.isEmpty || Style.standardSigns.contains(symbol)
  }

  private static let families = [
    ["·", "•", "●"], ["·", "▴", "▲"], ["·", "▪", "■"], ["·", "⬩", "◆"],
  ]
}

extension AttributeColumn {
  /// Whether a row is the capital of a country; `nil` for a column that does not tell.
  func capitals() -> ((_ row: Int) -> Bool)? {
    switch name.lowercased() {
    case "featurecla":
      return { row in
        guard case .string(let text) = self.value(row) else { return false }
        return text.hasPrefix("Admin-0 capital")
      }
    case "adm0cap": return { row in self.value(row).double == 1 }
    case "capital":
      return { row in
        let value = self.value(row)
        return value == .bool(true) || ["yes", "primary", "1", "2"].contains(value.text)
      }
    default: return nil
    }
  }
}

extension FeatureBlock {
  /// Whether a row is the capital of a country and no second one; `nil` if no attribute tells.
  func chiefCapitals() -> ((_ row: Int) -> Bool)? {
    let capitals = attributes.compactMap { $0.capitals() }
    guard !capitals.isEmpty else { return nil }
    let kind = attributes.first { $0.name.lowercased() == "featurecla" }
    return { row in
      capitals.contains { $0(row) } && !(kind?.value(row).text.hasSuffix(" alt") ?? false)
    }
  }

  /// Puts the rows into the groups of signs.
  func signGroups(making classes: SignClasses) -> FeatureGroups {
    let ranks = classes.field.flatMap { self.ranks(by: $0.text, classes.order) }
    let capitals = classes.hasCapitals ? attributes.compactMap { $0.capitals() } : []
    let numbers = (0..<rowCount).map { row in
      let group: SignClasses.Group =
        classes.field == nil ? .middle : classes.group(of: ranks?[row] ?? -.infinity)
      let isCapital = capitals.contains { $0(row) }
      let shown = isCapital ? (group == .small ? .smallCapital : .capital) : group
      return UInt8(truncatingIfNeeded: shown.rawValue)
    }
    return FeatureGroups(numbers, count: SignClasses.Group.allCases.count)
  }
}

extension Style.Content {
  /// Takes a sign that has sizes, unless it has one.
  package mutating func chooseStandardSign() {
    if mark.symbol.isEmpty || !SignClasses.isStandard(mark.symbol) {
      mark.symbol = Style.standardSigns[0]
    }
  }
}

// MARK: Layers

/// The classes of a layer's points, and the sign of each.
typealias LayerSigns = (classes: SignClasses, signs: [String])

extension BlockHolding {
  /// The attribute by which its points count; by their size, if nothing else is chosen.
  var ranking: (field: String, order: RankOrder)? {
    style.rankField.map { ($0, style.rankOrder) } ?? style.sizeField.map { ($0, .high) }
  }

  /// The least and the greatest rank of its features; `nil` if none has one.
  ///
  /// - Parameter dimension: 0 for points, 1 for lines; blocks without them do not count.
  /// - Complexity: O(blocks), once O(features).
  func rankBounds(
    _ field: String, _ order: RankOrder, ofDimension dimension: Int = 0
  ) -> ClosedRange<Double>? {
    var bounds: ClosedRange<Double>?
    for block in blocks where block.dimensions & (0b1000 | 1 << UInt8(dimension)) != 0 {
      guard let own = block.ranks(by: field, order)?.bounds else { continue }
      bounds =
        bounds.map {
          min($0.lowerBound, own.lowerBound)...max($0.upperBound, own.upperBound)
        } ?? own
    }
    return bounds
  }

  /// Whether an attribute tells points or lines apart by size: has numbers above 0.
  package func hasSizes(_ field: String) -> Bool {
    [0, 1].contains { rankBounds(field, .high, ofDimension: $0).map { $0.upperBound > 0 } ?? false }
  }

  /// The value of the greatest sign; `nil` if the signs have one size.
  var greatestSize: (field: String, value: Double)? {
    guard let field = style.sizeField, let bounds = rankBounds(field, .high),
      bounds.upperBound > 0
    else { return nil }
    return (field, bounds.upperBound)
  }

  /// The classes of its points' signs, with the sign of each; `nil` if all have that of the style.
  ///
  /// A sign that the user chose stands for all points, and so do the signs of classes.
  var signClasses: LayerSigns? {
    guard !style.isSymbolChosen, let signs = SignClasses.signs(of: style.mark.symbol) else {
      return nil
    }
    if let greatestSize {
      if case .values = style.classes?.scheme { return nil }
      let (field, value) = greatestSize
      return (SignClasses(bySize: field, greatest: value), signs)
    }
    guard style.classes == nil else { return nil }
    let classes = ranking.map {
      SignClasses(byRank: $0.field, $0.order, rankBounds($0.field, $0.order))
    }
    guard let classes, classes.field != nil else {
      var plain = signs
      plain[SignClasses.Group.middle.rawValue] = style.mark.symbol
      return (.plain, plain)
    }
    return (classes, signs)
  }

  /// The lines of the legend for the signs of its points, below the one of the layer.
  func entries(
    of signs: LayerSigns, _ layer: LegendEntry
  ) -> [LegendEntry] {
    typealias Group = SignClasses.Group
    var counts = [Int](repeating: 0, count: Group.allCases.count)
    for block in blocks where block.dimensions & 0b1001 != 0 {
      for (number, count) in block.signGroups(by: signs.classes).counts.enumerated() {
        counts[number] += count
      }
    }
    func has(_ group: Group) -> Bool { counts[group.rawValue] > 0 }
    func sign(_ group: Group) -> String { signs.signs[group.rawValue] }
    let present = [Group.large, .middle, .small].filter(has)
    var entry = layer
    if let first = present.first, let last = present.last {
      entry.mark.symbol = sign(first)
      entry.smaller = first == last ? "" : sign(last)
    }
    let capitals = [Group.capital, .smallCapital].filter(has)
    guard let first = capitals.first, let last = capitals.last else { return [entry] }
    var capital = LegendEntry(text: "capital", mark: layer.mark, dimension: 0)
    capital.mark.symbol = sign(first)
    capital.smaller = first == last ? "" : sign(last)
    return [entry, capital]
  }

  /// The lines of the legend with samples of the sizes of signs, the greatest first.
  var sizeLegend: [LegendEntry] {
    guard let greatest = greatestSize else { return [] }
    let signClasses = signClasses
    return [1, 0.2, 0.02].map { part in
      let value = SignClasses.roundNumber(upTo: greatest.value * part)
      var entry = LegendEntry(
        text: StyleClasses.texts(of: [value]).joined(), mark: style.mark, dimension: 0)
      entry.size = RowSizes.size(of: value, greatest: greatest.value)
      if let signClasses {
        entry.sign = signClasses.signs[signClasses.classes.group(of: value).rawValue]
      }
      return entry
    }
  }
}

extension SignClasses {
  /// The greatest number of the series 1, 2, 5, 10 … up to a positive one.
  static func roundNumber(upTo value: Double) -> Double {
    guard value.isFinite, value > 1e-300 else { return 0 }
    var step = 1.0
    while step > value { step /= 10 }
    while step * 10 <= value { step *= 10 }
    return [5, 2].map { $0 * step }.first { $0 <= value } ?? step
  }
}

extension FeatureBlock {
  /// The signs of its rows.
  func signs(by signs: LayerSigns) -> GroupSigns {
    GroupSigns(groups: signGroups(by: signs.classes), values: signs.signs)
  }
}
