/// The shortest decimal of a double by integer arithmetic, for the sizes that coordinates have.
///
/// For 15, 16 and 17 digits in turn, the nearest decimal of so many digits is tried: the first that
/// reads back as the same double is the shortest, and at 17 digits one always does.
enum ShortestDecimal {
  /// The digits and the number of them after the point, without trailing zeros.
  ///
  /// - Parameter value: not negative.
  /// - Returns: `nil` below 0.01, from 1e15 on, for powers of two (whose neighbours are at unequal
  ///   distances) and in the rare tie between two decimals: the standard library prints those.
  static func of(_ value: Double) -> (mantissa: UInt64, decimals: Int)? {
    guard value >= 0.01, value < 1e15, value.significandBitPattern != 0 else { return nil }
    // value = significand / 2^shift, with shift from 3 to 59.
    let significand = value.significandBitPattern | 1 << 52
    let shift = 52 - Int(value.exponent)
    let whole = wholeDigits(value)
    for digits in 15...17 {
      let decimals = digits - whole
      let product = UInt128(significand) * UInt128(DecimalPowers.integer(decimals))
      let quotient = UInt64(truncatingIfNeeded: product >> UInt128(shift))
      let rest = product & (UInt128(1) << UInt128(shift) - 1)
      let half = UInt128(1) << UInt128(shift - 1)
      if rest == half { return nil }
      var mantissa = rest > half ? quotient + 1 : quotient
      guard DecimalPowers.nearestDouble(mantissa, decimals: decimals) == value else { continue }
      var left = decimals
      while left > 0, mantissa % 10 == 0 {
        mantissa /= 10
        left -= 1
      }
      return (mantissa, left)
    }
    return nil
  }

  /// The number of digits before the point; one less for each zero after it.
  private static func wholeDigits(_ value: Double) -> Int {
    if value < 1 { return value < 0.1 ? -1 : 0 }
    var digits = 1
    while digits < 15, value >= DecimalPowers.doubles[digits] { digits += 1 }
    return digits
  }
}
