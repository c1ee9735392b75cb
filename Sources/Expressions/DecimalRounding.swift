/// Rounding of doubles by the decimal text that people see: the shortest one that reads back as the
/// same double. Halves go away from zero: 1.005 to two decimals is 1.01, though the double is less
/// than that.
package enum DecimalRounding {
  /// The double nearest to the rounded text of a value; a value that is not finite stays.
  ///
  /// Most values take a short way: where the product with the power of ten is further from a half
  /// than its own error, rounding it gives the same.
  ///
  /// - Parameter places: the number of decimals; negative ones round tens, hundreds ….
  package static func rounded(_ value: Double, places: Int) -> Double {
    guard value.isFinite, value != 0 else { return value }
    if powers.indices.contains(places) {
      let scaled = value.magnitude * powers[places]
      let part = scaled - scaled.rounded(.down)
      if scaled < 0x1p50, (part - 0.5).magnitude > scaled * 0x1p-50 {
        let magnitude = scaled.rounded(.toNearestOrAwayFromZero) / powers[places]
        return value < 0 ? -magnitude : magnitude
      }
    }
    return roundedText(value, places)
  }

  private static func roundedText(_ value: Double, _ places: Int) -> Double {
    // The value is 0.d₁d₂d₃… times a power of ten.
    var (digits, point): ([UInt8], Int) = ([], 0)
    var rest = Substring(value.magnitude.description)
    var exponent = 0
    if let mark = rest.firstIndex(of: "e") {
      exponent = Int(rest[rest.index(after: mark)...]) ?? 0
      rest = rest[..<mark]
    }
    var whole: Int?
    for byte in rest.utf8 {
      if byte == UInt8(ascii: ".") { whole = digits.count } else { digits.append(byte &- 0x30) }
    }
    point = (whole ?? digits.count) + exponent
    let leading = digits.prefix { $0 == 0 }.count
    digits.removeFirst(leading)
    point -= leading
    let (count, overflow) = point.addingReportingOverflow(places)
    if overflow || count >= digits.count { return value }
    var kept: [UInt8] = count > 0 ? Array(digits[..<count]) : []
    if count >= 0, digits[count] >= 5 {
      while let last = kept.last, last == 9 { kept.removeLast() }
      let dropped = max(0, count) - kept.count
      if kept.isEmpty { kept = [1] } else { kept[kept.count - 1] += 1 }
      kept += [UInt8](repeating: 0, count: dropped)
    }
    if kept.isEmpty { return value < 0 ? -0.0 : 0 }
    let text = String(decoding: kept.map { $0 + 0x30 }, as: UTF8.self) + "e\(-places)"
    guard let magnitude = Double(text), magnitude.isFinite else { return value }
    return value < 0 ? -magnitude : magnitude
  }

  /// The powers of ten that are exact as doubles.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
