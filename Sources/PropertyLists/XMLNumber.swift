/// Numbers as they stand in XML.
enum XMLNumber {
  /// A whole number that was read.
  enum Integer: Equatable {
    case none
    case signed(Int64)
    case unsigned(UInt64)
  }

  /// The longest text of a number; longer text is no number.
  private static let textMax = 1_024

  /// Reads a whole number: a sign, then decimal digits, or hexadecimal ones behind `0x`.
  ///
  /// White space may stand around it and behind the sign, as Apple's reader has it. From −2⁶³ to
  /// 2⁶⁴−1, in both bases.
  static func integer(_ text: UnsafeRawBufferPointer) -> Integer {
    var text = trimmed(text)
    guard let first = text.first, text.count <= textMax else { return .none }
    if first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      text = text.dropFirst().drop(while: isSpace)
    }
    var radix: UInt64 = 10
    if text.first == UInt8(ascii: "0"), text.dropFirst().first.map({ $0 | 0x20 }) == 0x78 {
      radix = 16
      text = text.dropFirst(2)
    }
    guard !text.isEmpty else { return .none }
    var value: UInt64 = 0
    for byte in text {
      guard let digit = hexadecimal(byte), UInt64(digit) < radix else { return .none }
      let (scaled, tooFar) = value.multipliedReportingOverflow(by: radix)
      let (sum, over) = scaled.addingReportingOverflow(UInt64(digit))
      guard !tooFar, !over else { return .none }
      value = sum
    }
    guard first == UInt8(ascii: "-") else {
      return Int64(exactly: value).map { .signed($0) } ?? .unsigned(value)
    }
    guard value <= UInt64(Int64.max) + 1 else { return .none }
    return .signed(Int64(truncatingIfNeeded: 0 &- value))
  }

  /// Reads a real number: decimal, or the words for infinities and NaN in any case of letters.
  ///
  /// A number too large for a `Double` is none: its value would be another.
  static func real(_ text: UnsafeRawBufferPointer) -> Double? {
    let text = trimmed(text)
    guard !text.isEmpty, text.count <= textMax else { return nil }
    if isDecimal(text) {
      guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
        return nil
      }
      return value
    }
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }

  /// Whether it is a sign, digits with a point, and an exponent, as far as each is there.
  private static func isDecimal(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    var rest = text
    func skipSign() {
      guard let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
        return
      }
      rest = rest.dropFirst()
    }
    func skipDigits() -> Int {
      let before = rest.count
      rest = rest.drop { $0 &- 0x30 < 10 }
      return before - rest.count
    }
    skipSign()
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return false }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      skipSign()
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func trimmed(
    _ text: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer> {
    var text = text[...].drop(while: isSpace)
    while let last = text.last, isSpace(last) { text = text.dropLast() }
    return text
  }
}
