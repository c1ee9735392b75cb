// The choice of a type for a number where a list names several.

/// A type that numbers can be read as in a place of a list.
protocol ListedNumber: FoundationValue {
  /// How near the type is to the kind of a number.
  static func rank(of value: Cocoa.Number.Value) -> NumberRank
  /// The same number as this type; `nil` when the type does not hold it exactly.
  init?(exactly number: Cocoa.Number)
}

/// How near a type is to the kind of a number; of listed types the nearest is taken.
enum NumberRank: Int {
  /// The type of just this kind, such as `Int` for a whole number.
  case own
  /// A narrower or wider one of the kind, such as `Int32` or `Float`.
  case near
  /// One that keeps every kind.
  case any
  /// One of another kind.
  case other
  /// One that says least of it, such as `Bool` for 1.
  case last
}

extension StandardNumber {
  init?(exactly number: Cocoa.Number) { self.init(number) }
}

extension Cocoa.Number: ListedNumber {
  static func rank(of value: Value) -> NumberRank { .any }

  init?(exactly number: Cocoa.Number) { self = number }
}

extension [any ListedNumber.Type] {
  /// A number as the nearest type that holds it exactly, of equally near ones the first.
  func value(of number: Cocoa.Number) -> (any Coding)? {
    var best: (rank: NumberRank, value: any Coding)?
    for type in self {
      let rank = type.rank(of: number.value)
      if let best, best.rank.rawValue <= rank.rawValue { continue }
      if let value = type.init(exactly: number) { best = (rank, value) }
    }
    return best?.value
  }
}

extension Float {
  /// The nearest number of 32 bits; `nil` when a finite one is too large.
  init?(fitting value: Double) {
    self.init(value)
    guard isFinite || !value.isFinite else { return nil }
  }
}
