/// Real numbers in decimal with seventeen significant digits: C's `%.17g`.
///
/// Apple writes it into XML and into the texts of points and rectangles. Seventeen digits
/// say every `Double` apart, though not in the fewest characters.
package enum RealText {
  /// How many digits there are at most, zeros at the end left out.
  private static let digitCount = 17

  /// The text of a finite number; `nan`, `inf` or `-inf` of another.
  package static func text(_ value: Double) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of a number.
  package static func append(_ value: Double, to output: inout [UInt8]) {
    guard value.isFinite else {
      output.append(contentsOf: (value.isNaN ? "nan" : value < 0 ? "-inf" : "inf").utf8)
      return
    }
    if value.sign == .minus { output.append(UInt8(ascii: "-")) }
    let size = value.magnitude
    // Whole numbers of up to fifteen digits need no rounding.
    if size < 1e15, size == size.rounded(.down) {
      output.append(contentsOf: String(UInt64(size)).utf8)
      return
    }
    var (digits, exponent) = exactDigits(size)
    round(&digits, &exponent)
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    if exponent < -4 || exponent >= digitCount {
      appendScientific(digits, exponent, to: &output)
    } else {
      appendPlain(digits, exponent, to: &output)
    }
  }

  /// All decimal digits of a positive number, and the power of ten of the first.
  ///
  /// A binary fraction of k places is a whole number times 5^k, k places of decimals moved: the
  /// whole number is kept in words of nine digits, the lowest first.
  private static func exactDigits(_ value: Double) -> (digits: [UInt8], exponent: Int) {
    var significand = value.significandBitPattern
    var power = Int(value.exponentBitPattern) - 1_075
    if value.exponentBitPattern == 0 { power += 1 } else { significand |= 1 << 52 }
    if power < 0 {
      let spare = min(significand.trailingZeroBitCount, -power)
      significand >>= UInt64(spare)
      power += spare
    }
    var words: [UInt32] = []
    while significand > 0 {
      words.append(UInt32(significand % 1_000_000_000))
      significand /= 1_000_000_000
    }
    let factor: UInt64 = power < 0 ? 5 : 2
    let stepMax = power < 0 ? 12 : 28
    var left = Int(power.magnitude)
    while left > 0 {
      let step = min(left, stepMax)
      multiply(&words, by: (0..<step).reduce(1) { product, _ in product * factor })
      left -= step
    }
    var digits: [UInt8] = []
    digits.reserveCapacity(words.count * 9)
    for word in words.reversed() {
      var unit: UInt32 = 100_000_000
      while unit > 0 {
        let digit = UInt8(word / unit % 10)
        if digit != 0 || !digits.isEmpty { digits.append(digit) }
        unit /= 10
      }
    }
    return (digits, digits.count - 1 + min(power, 0))
  }

  private static func multiply(_ words: inout [UInt32], by factor: UInt64) {
    var carry: UInt64 = 0
    for place in words.indices {
      let product = UInt64(words[place]) * factor + carry
      words[place] = UInt32(product % 1_000_000_000)
      carry = product / 1_000_000_000
    }
    if carry > 0 { words.append(UInt32(carry)) }
  }

  /// Cuts the digits to seventeen; a half goes to the even digit.
  private static func round(_ digits: inout [UInt8], _ exponent: inout Int) {
    guard digits.count > digitCount else { return }
    let rest = digits[digitCount...]
    let isHalf = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
    let isOdd = digits[digitCount - 1] & 1 == 1
    let goesUp = isHalf ? isOdd : (rest.first ?? 0) >= 5
    digits.removeLast(digits.count - digitCount)
    guard goesUp else { return }
    var place = digitCount - 1
    while place >= 0, digits[place] == 9 {
      digits[place] = 0
      place -= 1
    }
    if place >= 0 {
      digits[place] += 1
    } else {
      digits[0] = 1
      exponent += 1
    }
  }

  private static func appendPlain(
    _ digits: [UInt8], _ exponent: Int, to output: inout [UInt8]
  ) {
    if exponent < 0 {
      output.append(contentsOf: "0.".utf8)
      output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -exponent - 1))
    }
    for (place, digit) in digits.enumerated() {
      if place == exponent + 1, exponent >= 0 { output.append(UInt8(ascii: ".")) }
      output.append(UInt8(ascii: "0") + digit)
    }
    let missing = exponent + 1 - digits.count
    if missing > 0 { output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: missing)) }
  }

  private static func appendScientific(
    _ digits: [UInt8], _ exponent: Int, to output: inout [UInt8]
  ) {
    for (place, digit) in digits.enumerated() {
      if place == 1 { output.append(UInt8(ascii: ".")) }
      output.append(UInt8(ascii: "0") + digit)
    }
    output.append(UInt8(ascii: "e"))
    output.append(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    if exponent.magnitude < 10 { output.append(UInt8(ascii: "0")) }
    output.append(contentsOf: String(exponent.magnitude).utf8)
  }
}
