/// The order in which the values of a rank field count, first the features that matter most.
package enum RankOrder: String, Hashable, Sendable, CaseIterable {
  /// The greatest number first: populations.
  case high
  /// The smallest number first: Natural Earth's `scalerank`.
  case low
  /// Features with a text first: airports with an IATA code; words for sizes by their sizes.
  case given

  /// A capital of a country counts as a town that is so many times as large.
  static let capitalFactor = 2.0
  /// A capital of a `scalerank` up to this counts as one of so many people at least: New Delhi, a
  /// part of Delhi.
  static let greatScale = 1.0
  static let greatCapital = 9e6

  /// The usual order of a field of this name.
  package init(ofFieldNamed name: String) {
    switch name.lowercased() {
    case let name where RankField.lowFirst.contains(name): self = .low
    case let name where RankField.givenFirst.contains(name): self = .given
    case let name where RankField.sizedFirst.contains(name): self = .given
    default: self = .high
    }
  }

  /// The rank of a value, the greatest first; -∞ for a value without one.
  func rank(of value: AttributeValue) -> Double {
    switch self {
    case .high: return value.finiteNumber ?? -.infinity
    case .low: return value.finiteNumber.map { -$0 } ?? -.infinity
    case .given:
      guard case .string(let text) = value, !text.isEmpty else { return 0 }
      return RankField.sizes[text] ?? 1
    }
  }
}

extension AttributeValue {
  fileprivate var finiteNumber: Double? {
    guard let number = double, number.isFinite else { return nil }
    return number
  }
}

/// Guesses the attribute that tells how important features are.
package enum RankField {
  /// The best guess out of a layer's columns, or `nil`: features then rank in their order.
  ///
  /// A column must hold numbers, words for sizes, or texts for codes that only important features
  /// have. Elevations are no rank.
  package static func guess(_ columns: [AttributeColumn]) -> String? {
    for words in [highFirst, lowFirst, sizedFirst, givenFirst] {
      let kind: AttributeKind = words == givenFirst || words == sizedFirst ? .string : .number
      for word in words {
        let column = columns.first {
          $0.name.lowercased() == word && $0.kinds.contains(kind.rawValue)
            && (words != sizedFirst || hasSizes($0))
        }
        if let column { return column.name }
      }
    }
    return nil
  }

  private static func hasSizes(_ column: AttributeColumn) -> Bool {
    (0..<column.rowCount).contains { row in
      if case .string(let text) = column.value(row) { sizes[text] != nil } else { false }
    }
  }

  /// Whether an attribute has numbers of people.
  static func isOfPeople(_ field: String) -> Bool { highFirst.contains(field.lowercased()) }

  /// The column of Natural Earth's `scalerank`, the least of the most important.
  static func scale(_ columns: [AttributeColumn]) -> AttributeColumn? {
    columns.first { $0.name.lowercased() == "scalerank" }
  }

  /// The names of what has codes: they tell airports with flights abroad; `nil` for other fields.
  static func names(besides field: String, _ columns: [AttributeColumn]) -> AttributeColumn? {
    guard givenFirst.contains(field.lowercased()) else { return nil }
    return LabelField.guess(columns.map(\.name)).flatMap { name in
      columns.first { $0.name.hasSameBytes(as: name) }
    }
  }

  /// Whether a name is that of a great airport.
  static func isOfGreat(_ name: AttributeValue) -> Bool {
    guard case .string(let text) = name else { return false }
    return text.contains("International")
  }

  private static let highFirst = ["population", "pop_est", "pop_max", "pop"]
  static let lowFirst = ["scalerank", "labelrank", "min_label", "min_zoom"]
  static let givenFirst = ["iata", "iata_code"]
  static let sizedFirst = ["type", "size"]
  /// The ranks of words for sizes: of airports at OurAirports, and others.
  static let sizes: [String: Double] = [
    "large_airport": 4, "large": 4, "major": 4, "medium_airport": 3, "medium": 3, "mid": 3,
    "small_airport": 2, "small": 2, "minor": 2,
  ]
}
