/// The order in which the values of a rank field count, first the features that matter most.
package enum RankOrder: String, Hashable, Sendable, CaseIterable {
  /// The greatest number first: populations.
  case high
  /// The smallest number first: Natural Earth's `scalerank`.
  case low
  /// Features with a text first, whatever it is: airports with an IATA code.
  case given

  /// A capital of a country counts as a town that is so many times as large.
  static let capitalFactor = 4.0

  /// The usual order of a field of this name.
  package init(ofFieldNamed name: String) {
    switch name.lowercased() {
    case let name where RankField.lowFirst.contains(name): self = .low
    case let name where RankField.givenFirst.contains(name): self = .given
    default: self = .high
    }
  }

  /// The rank of a value, the greatest first; -∞ for a value without one.
  func rank(of value: AttributeValue) -> Double {
    switch self {
    case .high: return value.finiteNumber ?? -.infinity
    case .low: return value.finiteNumber.map { -$0 } ?? -.infinity
    case .given:
      if case .string(let text) = value, !text.isEmpty { return 1 }
      return 0
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
  /// A column must hold numbers, or texts for codes that only important features have. Elevations
  /// are no rank.
  package static func guess(_ columns: [AttributeColumn]) -> String? {
    for words in [highFirst, lowFirst, givenFirst] {
      let kind: AttributeKind = words == givenFirst ? .string : .number
      for word in words {
        let column = columns.first {
          $0.name.lowercased() == word && $0.kinds.contains(kind.rawValue)
        }
        if let column { return column.name }
      }
    }
    return nil
  }

  private static let highFirst = ["population", "pop_est", "pop_max", "pop"]
  static let lowFirst = ["scalerank", "labelrank", "min_label", "min_zoom"]
  static let givenFirst = ["iata", "iata_code"]
}
