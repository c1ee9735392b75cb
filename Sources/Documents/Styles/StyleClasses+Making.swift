package import PortolanGraphics

/// Classes made of the values of a layer.
extension StyleClasses {
  /// The values of an attribute, with the number of features of each.
  package struct Survey: Sendable {
    package let field: String
    /// The values of different kind or text, the most frequent first, of equal ones the first met;
    /// `.missing` for no value.
    package private(set) var values: [(value: AttributeValue, count: Int)] = []
    /// The finite numbers, rising.
    package private(set) var numbers: [Double] = []

    /// - Complexity: O(features); O(n log n) in the numbers.
    package init(_ field: String, of layer: any FeatureHolding) {
      self.field = field
      var counts: [ClassKey: (value: AttributeValue, count: Int, order: Int)] = [:]
      for block in layer.blocks {
        let column = block.channel(field)
        for row in 0..<block.rowCount {
          var value = column?.value(row) ?? .missing
          if value == .null { value = .missing }
          if let number = value.double, number.isFinite { numbers.append(number) }
          let order = counts.count
          counts[ClassKey(value), default: (value, 0, order)].count += 1
        }
      }
      values = counts.values.sorted { ($1.count, $0.order) < ($0.count, $1.order) }
        .map { ($0.value, $0.count) }
      numbers.sort()
    }

    /// Whether all values are numbers.
    package var isNumeric: Bool {
      !numbers.isEmpty && values.allSatisfy { $0.value == .missing || $0.value.kind == .number }
    }
  }

  /// A class for each of the most frequent values; numbers rise, other values are in that order.
  ///
  /// - Parameter ramp: the colours; `nil` for colours without an order.
  package static func categories(
    _ survey: Survey, limit: Int, ramp: ColourRamp? = nil, isReversed: Bool = false,
    base: MarkStyle
  ) -> StyleClasses? {
    var values = survey.values.prefix(min(max(limit, 0), Self.limit)).map(\.value)
    if survey.isNumeric {
      values.sort { ($0.double ?? .infinity) < ($1.double ?? .infinity) }
    }
    let colours = ramp?.colours(values.count, isReversed: isReversed) ?? hues
    let looks = values.indices.map { number in
      ClassLook(
        colour: colours[number % colours.count],
        symbol: base.symbol.isEmpty || values.count < 2 ? nil : signs[number % signs.count],
        dash: nil, pattern: base.fill == nil ? nil : patterns[number % patterns.count])
    }
    return StyleClasses(
      field: survey.field, scheme: .values(values), looks: looks, noValue: noValue(base),
      other: otherValue(base))
  }

  /// Classes of numbers between bounds.
  ///
  /// - Parameter order: the numbers that matter most: their signs are the greatest.
  package static func breaks(
    _ field: String, _ bounds: [Double], order: RankOrder = .high, ramp: ColourRamp,
    isReversed: Bool = false, base: MarkStyle
  ) -> StyleClasses? {
    let count = bounds.count - 1
    guard count >= 1, count <= limit else { return nil }
    let colours = ramp.colours(count, isReversed: isReversed)
    let sizes = base.symbol.isEmpty ? nil : sizes.first { $0.count == count }
    let looks = (0..<count).map { number in
      ClassLook(
        colour: colours[number], symbol: sizes?[order == .low ? count - 1 - number : number],
        pattern: base.fill == nil
          ? nil : density(ofClass: number, of: count))
    }
    // Signs that no class has: circles stand for numbers.
    var (none, other) = (noValue(base), otherValue(base))
    if !base.symbol.isEmpty { (none.symbol, other.symbol) = ("×", "+") }
    return StyleClasses(
      field: field, scheme: .breaks(bounds), looks: looks, noValue: none, other: other)
  }

  /// The same classes in other colours.
  package func recoloured(by ramp: ColourRamp, isReversed: Bool) -> StyleClasses? {
    let colours = ramp.colours(looks.count, isReversed: isReversed)
    let looks = zip(looks, colours).map { look, colour in
      var look = look
      look.colour = colour
      return look
    }
    return StyleClasses(
      field: field, scheme: scheme, looks: looks, noValue: noValue, other: other)
  }

  // MARK: Looks

  /// Features without a value: grey, small.
  private static func noValue(_ base: MarkStyle) -> ClassLook {
    ClassLook(
      colour: Colour(red: 0x8A, green: 0x8F, blue: 0x94), symbol: base.symbol.isEmpty ? nil : "○",
      pattern: base.fill == nil ? nil : MarkStyle.Pattern.none)
  }

  private static func otherValue(_ base: MarkStyle) -> ClassLook {
    ClassLook(
      colour: Colour(red: 0x6E, green: 0x73, blue: 0x78), symbol: base.symbol.isEmpty ? nil : "·",
      pattern: base.fill == nil ? nil : .hatched)
  }

  /// Colours without an order, told apart by colour-blind eyes as far as twelve can be.
  private static let hues = [
    "#56b4e9", "#f0b429", "#3fb68b", "#e37fb5", "#f5e663", "#ff7f50", "#8f94e9", "#b0b8c0",
    "#7ed957", "#c49c6b", "#d65f5f", "#6fd3d9",
  ].compactMap { Colour(hex: $0) }

  private static let signs = ["●", "▲", "■", "◆", "★", "▼", "○", "△", "□", "◇"]
  /// The signs of ordered classes, by their number.
  private static let sizes = [
    ["•", "●"], ["·", "•", "●"], ["·", "•", "○", "●"], ["·", "•", "○", "●", "◉"],
    ["·", "•", "○", "◎", "●", "◉"], ["·", "◦", "•", "○", "◎", "●", "◉"],
  ]
  private static let patterns: [MarkStyle.Pattern] = [
    .sparse, .medium, .dense, .heavy, .full, .hatched,
  ]

  /// The pattern of an ordered class. Hatched areas are those of other layers, as far as the other
  /// patterns are enough.
  private static func density(ofClass number: Int, of count: Int) -> MarkStyle.Pattern {
    let all: [MarkStyle.Pattern] =
      count > 6
      ? [.none, .sparse, .hatched, .medium, .dense, .heavy, .full]
      : [.none, .sparse, .medium, .dense, .heavy, .full]
    let densities = all.prefix(max(4, count))
    return count < 2 ? .medium : densities[number * (densities.count - 1) / (count - 1)]
  }
}
