import PortolanExpressions
package import PortolanGraphics

/// Numbers as text: the grammar of JSON (RFC 8259 section 6), and doubles written in it.
package enum NumberText {
  package static func isValid(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { isValid($0) }
  }

  /// Whether the bytes are one JSON number and nothing else.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 { index += 1 }
      return index - start
    }
    if index < bytes.count, bytes[index] == 0x2D { index += 1 }
    let first = index
    let whole = digits()
    guard whole == 1 || (whole > 1 && bytes[first] != 0x30) else { return false }
    if index < bytes.count, bytes[index] == 0x2E {
      index += 1
      guard digits() > 0 else { return false }
    }
    if index < bytes.count, bytes[index] | 0x20 == 0x65 {
      index += 1
      if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
      guard digits() > 0 else { return false }
    }
    return index == bytes.count
  }

  /// The shortest JSON number that reads back as the same double; `nil` if it is not finite.
  package static func shortest(_ value: Double) -> String? {
    guard value.isFinite else { return nil }
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The double nearest to the text of `value` with at most this many decimals, halves away from
  /// zero.
  package static func rounded(_ value: Double, decimals: Int) -> Double {
    decimals >= 0 ? DecimalRounding.rounded(value, places: decimals) : value
  }

  /// Ten to a power; of the greatest that rounding knows for greater ones.
  package static func power(ofTen exponent: Int) -> Double {
    powers[min(max(exponent, 0), powers.count - 1)]
  }

  /// The decimal sum of two numbers: 0.1 and 0.2 give 0.3.
  ///
  /// Numbers of more than 13 decimals, or of more digits than a double holds, are added as doubles.
  package static func sum(_ first: Double, _ second: Double) -> Double {
    guard let places = decimals(of: first), let others = decimals(of: second) else {
      return first + second
    }
    let power = powers[max(places, others)]
    let scaled = [(first * power).rounded(), (second * power).rounded()]
    let sum = scaled[0] + scaled[1]
    guard max(scaled[0].magnitude, scaled[1].magnitude, sum.magnitude) < 9_007_199_254_740_992
    else { return first + second }
    return sum / power
  }

  /// The fewest decimals that give the same double; `nil` if 13 do not.
  private static func decimals(of value: Double) -> Int? {
    powers.indices.first { decimals in
      let scaled = (value * powers[decimals]).rounded()
      return scaled.magnitude < 9_007_199_254_740_992 && scaled / powers[decimals] == value
    }
  }

  /// Powers of ten that are exact as doubles and leave digits before the point.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
  ]
}

extension Longitude {
  /// The same meridian within -180 to 180, by its decimals: 180.1 gives -179.9.
  package static func wrapped(_ longitude: Double) -> Double {
    guard longitude.magnitude > 180, longitude.magnitude < 1e6 else { return longitude }
    return NumberText.sum(longitude, -360 * ((longitude + 180) / 360).rounded(.down))
  }
}
