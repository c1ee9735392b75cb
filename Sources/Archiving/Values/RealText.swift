/// Real numbers as text with 17 significant digits, as C's `%.17g` prints them.
///
/// The digits are those of the exact value, rounded half to even, so that archives hold the same
/// bytes as Foundation's and every number is read back as the same one.
enum RealText {
  private static let digitCount = 17
  private static let limbBase: UInt64 = 1_000_000_000

  static func text(_ value: Double) -> String {
    if value.isNaN { return value.sign == .minus ? "-nan" : "nan" }
    let sign = value.sign == .minus ? "-" : ""
    if value.isInfinite { return sign + "inf" }
    if value.isZero { return sign + "0" }
    if let whole = Int64(exactly: value), whole.magnitude < 100_000_000_000_000_000 {
      return String(whole)
    }
    var (digits, point) = exactDigits(value.magnitude)
    point += round(&digits)
    while digits.last == 0 { digits.removeLast() }
    return sign + layOut(digits, exponent: point - 1)
  }

  /// All decimal digits of a value above zero, and how many of them stand before the point.
  private static func exactDigits(_ value: Double) -> ([UInt8], Int) {
    let isSubnormal = value.exponentBitPattern == 0
    var mantissa = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    var exponent = (isSubnormal ? 1 : Int(value.exponentBitPattern)) - 1_075
    let zeros = mantissa.trailingZeroBitCount
    mantissa >>= UInt64(zeros)
    exponent += zeros
    var limbs = [mantissa % limbBase, mantissa / limbBase]
    if exponent >= 0 {
      multiply(&limbs, by: 2, power: exponent, step: 29)
    } else {
      // m / 2^k is m * 5^k / 10^k: the digits of m * 5^k with the point k places further left.
      multiply(&limbs, by: 5, power: -exponent, step: 12)
    }
    let digits = decimalDigits(limbs)
    return (digits, digits.count + min(exponent, 0))
  }

  /// Multiplies by a power of a small base, `step` factors at a time.
  private static func multiply(
    _ limbs: inout [UInt64], by base: UInt64, power: Int, step: Int
  ) {
    var left = power
    while left > 0 {
      let count = min(left, step)
      var factor: UInt64 = 1
      for _ in 0..<count { factor *= base }
      var carry: UInt64 = 0
      for place in limbs.indices {
        let product = limbs[place] * factor + carry
        limbs[place] = product % limbBase
        carry = product / limbBase
      }
      if carry > 0 { limbs.append(carry) }
      left -= count
    }
  }

  /// The digits of a number in limbs, most significant first, without leading zeros.
  private static func decimalDigits(_ limbs: [UInt64]) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(limbs.count * 9)
    for limb in limbs.reversed() {
      var divisor = limbBase / 10
      while divisor > 0 {
        let digit = UInt8(truncatingIfNeeded: limb / divisor % 10)
        if digit > 0 || !digits.isEmpty { digits.append(digit) }
        divisor /= 10
      }
    }
    return digits
  }

  /// Rounds to the digits that are printed; gives 1 when the number gained a place before the
  /// point.
  private static func round(_ digits: inout [UInt8]) -> Int {
    guard digits.count > digitCount else { return 0 }
    let next = digits[digitCount]
    let isTie = next == 5 && digits[(digitCount + 1)...].allSatisfy { $0 == 0 }
    let goesUp = isTie ? digits[digitCount - 1] % 2 == 1 : next >= 5
    digits.removeLast(digits.count - digitCount)
    guard goesUp else { return 0 }
    for place in digits.indices.reversed() {
      if digits[place] < 9 {
        digits[place] += 1
        return 0
      }
      digits[place] = 0
    }
    digits[0] = 1
    return 1
  }

  /// Puts digits into the form that `%g` has for their exponent.
  private static func layOut(_ digits: [UInt8], exponent: Int) -> String {
    let text = digits.map { Character(Unicode.Scalar(0x30 + $0)) }
    if exponent < -4 || exponent >= digitCount {
      let fraction = text.count > 1 ? "." + String(text[1...]) : ""
      let size = String(exponent.magnitude)
      let padded = size.utf8.count < 2 ? "0" + size : size
      return String(text[0]) + fraction + "e" + (exponent < 0 ? "-" : "+") + padded
    }
    if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + String(text) }
    let whole = exponent + 1
    if text.count <= whole {
      return String(text) + String(repeating: "0", count: whole - text.count)
    }
    return String(text[..<whole]) + "." + String(text[whole...])
  }

  /// The numbers that stand in a text between braces, commas and blanks.
  ///
  /// - Returns: At most `count` numbers; `nil` when something else stands among them.
  static func numbers(in text: String, atMost count: Int) -> [Double]? {
    var numbers: [Double] = []
    var token: [UInt8] = []
    func isSeparator(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x7B, 0x7D, 0x2C, 0x20, 0x09, 0x0A, 0x0D: true
      default: false
      }
    }
    for byte in text.utf8 {
      if !isSeparator(byte) {
        // No number of ours is longer; a longer token is refused before it is gathered.
        guard token.count < 400 else { return nil }
        token.append(byte)
        continue
      }
      guard !token.isEmpty else { continue }
      guard let number = number(token) else { return nil }
      numbers.append(number)
      token.removeAll()
      if numbers.count == count { return numbers }
    }
    if !token.isEmpty {
      guard let number = number(token) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func number(_ token: [UInt8]) -> Double? {
    // Hexadecimal forms, which Swift reads, are none of C's `%g`.
    guard !token.contains(where: { $0 == 0x78 || $0 == 0x58 }) else { return nil }
    return Double(String(decoding: token, as: UTF8.self))
  }
}
