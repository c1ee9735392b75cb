import PortolanDocuments

/// Prints doubles as JSON numbers: plain decimals, never an exponent below 1e21.
enum NumberPrinter {
  /// Appends the shortest decimal that reads back as the same double.
  ///
  /// Coordinates of few decimals take a short way: the number times 10^decimals, rounded, must give
  /// the same double back; with at most 15 digits that text is then the shortest, its trailing
  /// zeros left out.
  ///
  /// - Parameters:
  ///   - value: a finite number.
  ///   - decimals: a likely number of decimals.
  ///   - isPointed: whether whole numbers end in `.0`.
  static func appendShortest(
    _ value: Double, decimals: Int, isPointed: Bool, to text: inout OutputBuffer
  ) {
    let places = min(max(decimals, 0), 8)
    let power = text.power(places)
    let scaled = value.magnitude * power + 0.5
    let mantissa = scaled < 1e15 ? UInt64(truncatingIfNeeded: Int64(scaled)) : 0
    if scaled < 1e15, value.magnitude < 1e8, Double(mantissa) / power == value.magnitude {
      // The quotient of so few digits is no nearer to another whole number: its whole part is the
      // double's.
      let isWhole = text.appendShortDecimal(
        mantissa, whole: UInt32(value.magnitude), decimals: places,
        isNegative: value.sign == .minus)
      if isPointed, isWhole { text.append(".0") }
    } else if let short = ShortestDecimal.of(value.magnitude) {
      text.appendDecimal(
        short.mantissa, decimals: short.decimals, isNegative: value.sign == .minus)
      if isPointed, short.decimals == 0 { text.append(".0") }
    } else {
      text.append(contentsOf: shortest(value, isPointed: isPointed))
    }
  }

  /// Appends a number with exactly so many decimals, trailing zeros included.
  static func appendFixed(_ value: Double, decimals: Int, to text: inout OutputBuffer) {
    let places = min(max(decimals, 0), 15)
    let scaled = whole(value.magnitude, text.power(places), places)
    if scaled < 9e15 {
      text.appendDecimal(UInt64(scaled), decimals: places, isNegative: value.sign == .minus)
    } else {
      text.append(contentsOf: shortest(value, isPointed: false))
    }
  }

  /// A number times a power of ten, rounded as `NumberText.rounded` does.
  @inline(__always)
  private static func whole(_ magnitude: Double, _ power: Double, _ places: Int) -> Double {
    let product = magnitude * power
    let nearest = product.rounded(.toNearestOrEven)
    // The product of a half may be less or more than one.
    if (product - nearest).magnitude < 0.4375 { return nearest }
    return (NumberText.rounded(magnitude, decimals: places) * power).rounded(.toNearestOrEven)
  }

  /// A number with exactly so many decimals.
  static func fixed(_ value: Double, decimals: Int) -> [UInt8] {
    let places = min(max(decimals, 0), 15)
    let scaled = whole(value.magnitude, DecimalPowers.doubles[places], places)
    guard scaled < 9e15 else { return shortest(value, isPointed: false) }
    var digits = Array(String(UInt64(scaled)).utf8)
    let missing = places + 1 - digits.count
    if missing > 0 { digits.insert(contentsOf: [UInt8](repeating: 0x30, count: missing), at: 0) }
    if places > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - places) }
    return (value.sign == .minus ? [UInt8(ascii: "-")] : []) + digits
  }

  /// Whether a number's text is its shortest, with whole numbers plain or with `.0`.
  static func styles(
    of value: Double, _ text: UnsafeBufferPointer<UInt8>, _ parts: DecimalParts
  ) -> (isShortest: Bool, isPointed: Bool) {
    if parts.significantDigits <= 19, let short = ShortestDecimal.of(value.magnitude) {
      let isSame = parts.mantissa == short.mantissa && parts.decimals == short.decimals
      if short.decimals > 0 { return (isSame, isSame) }
      return (isSame, parts.decimals == 1 && parts.mantissa == short.mantissa &* 10)
    }
    return (
      shortest(value, isPointed: false).elementsEqual(text),
      shortest(value, isPointed: true).elementsEqual(text)
    )
  }

  /// The shortest decimal of a double without an exponent (below 1e21), for any number of digits.
  static func shortest(_ value: Double, isPointed: Bool) -> [UInt8] {
    guard value.isFinite else { return Array("null".utf8) }
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    let description = value.magnitude.description
    var rest = Substring(description)
    if let mark = rest.firstIndex(of: "e") {
      exponent = Int(rest[rest.index(after: mark)...]) ?? 0
      rest = rest[..<mark]
    }
    for byte in rest.utf8 {
      if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
    }
    var whole = (point ?? digits.count) + exponent
    while digits.last == 0x30, digits.count > 1, digits.count > whole { digits.removeLast() }
    while digits.first == 0x30, digits.count > 1 {
      digits.removeFirst()
      whole -= 1
    }
    if digits == [0x30] { whole = 1 }
    var text: [UInt8] = value.sign == .minus ? [UInt8(ascii: "-")] : []
    guard whole <= 21 else {
      text.append(contentsOf: description.utf8)
      return text
    }
    if whole <= 0 {
      text.append(contentsOf: [0x30, 0x2E])
      text.append(contentsOf: [UInt8](repeating: 0x30, count: min(-whole, 400)))
      text.append(contentsOf: digits)
      return text
    }
    text.append(contentsOf: digits.prefix(whole))
    if digits.count > whole {
      text.append(UInt8(ascii: "."))
      text.append(contentsOf: digits[whole...])
    } else {
      text.append(contentsOf: [UInt8](repeating: 0x30, count: whole - digits.count))
      if isPointed { text.append(contentsOf: [0x2E, 0x30]) }
    }
    return text
  }
}
