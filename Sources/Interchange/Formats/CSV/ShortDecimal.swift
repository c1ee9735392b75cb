/// A JSON number of at most 15 digits without an exponent, as most positions are.
///
/// So short a decimal is the only one of its length that reads as its double: it is the shortest,
/// unless its fraction ends in zeros.
struct ShortDecimal {
  private let mantissa: UInt64
  /// The number of digits after the point.
  let decimals: Int
  private let isNegative: Bool
  private let endsInZero: Bool

  /// Reads a whole text; `nil` for any other number, and for what is none.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    isNegative = text.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard text.count > start, text.count - start <= 16 else { return nil }
    var mantissa: UInt64 = 0
    var point: Int?
    for place in start..<text.count {
      let digit = text[place] &- 0x30
      if digit <= 9 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
      } else {
        guard text[place] == UInt8(ascii: "."), point == nil else { return nil }
        point = place
      }
    }
    let whole = (point ?? text.count) - start
    decimals = point.map { text.count - $0 - 1 } ?? 0
    guard whole >= 1, whole + decimals <= 15, point == nil || decimals >= 1,
      text[start] != 0x30 || whole == 1
    else { return nil }
    self.mantissa = mantissa
    endsInZero = decimals > 0 && text[text.count - 1] == 0x30
  }

  /// The nearest double: the quotient of two exact ones is rounded once (Clinger 1990).
  var value: Double {
    let magnitude = Double(mantissa) / DecimalPowers.doubles[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// Whether it is the shortest text of its value, whole numbers without a point.
  var isShortest: Bool { !endsInZero }
  /// The same, whole numbers with `.0`.
  var isPointed: Bool { decimals > 0 && (!endsInZero || decimals == 1) }
}
