/// The number style of a geometry; flags that are only ever set.
struct NumberTraits {
  /// A number is not the shortest text of its double, whole numbers without a point.
  static let notShortest: UInt8 = 1
  /// A number is not the shortest text of its double, whole numbers with `.0`.
  static let notPointed: UInt8 = 2
  /// A number has an exponent or more than 15 digits.
  static let notFixed: UInt8 = 4

  var flags: UInt8 = 0
  var decimalsMin = Int.max
  var decimalsMax = 0

  /// Notes a number of up to 15 digits without an exponent.
  @inline(__always)
  mutating func note(decimals: Int, last: UInt8) {
    if decimals == 0 {
      flags |= Self.notPointed
    } else if last == 0x30 {
      flags |= decimals == 1 ? Self.notShortest : Self.notShortest | Self.notPointed
    }
    if decimals < decimalsMin { decimalsMin = decimals }
    if decimals > decimalsMax { decimalsMax = decimals }
  }
}

/// Powers of ten that doubles and words hold exactly.
enum DecimalPowers {
  static let doubles: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private static let integers: [UInt64] = {
    var powers: [UInt64] = [1]
    for _ in 1...19 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  /// 10 to the power of 0 to 19.
  static func integer(_ exponent: Int) -> UInt64 { integers[min(max(exponent, 0), 19)] }

  /// The double nearest to `mantissa` / 10^`decimals`, for up to 19 decimals.
  ///
  /// The quotient is taken to at least 62 bits by an integer division; with the remainder as a
  /// sticky bit, rounding it half to even is exact.
  static func nearestDouble(_ mantissa: UInt64, decimals: Int) -> Double {
    guard mantissa != 0 else { return 0 }
    let divisor = integer(decimals)
    let divisorShift = divisor.leadingZeroBitCount
    let shift = mantissa.leadingZeroBitCount
    let scaled = mantissa << UInt64(shift)
    // 2^62 <= high < 2^63 <= divisor: the division cannot overflow.
    let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth(
      (scaled >> 1, scaled << 63))
    // The value is quotient * 2^(divisorShift - shift - 63); the last bit is sticky, and the
    // conversion then rounds half to even.
    let sticky = quotient | (remainder == 0 ? 0 : 1)
    return Double(
      sign: .plus, exponent: divisorShift - shift - 63, significand: Double(sticky))
  }
}

extension JSONScanner {
  /// Reads a number to the nearest double and notes its style.
  ///
  /// Up to 15 digits a single division of exact operands gives the nearest double (Clinger 1990);
  /// up to 19 an integer division does; the rest goes through the standard library.
  @inline(__always)
  mutating func scanNumber(_ traits: inout NumberTraits) throws(ScanFault) -> Double {
    let start = position
    var at = start
    let isNegative = at < count && base[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var mantissa: UInt64 = 0
    let whole = at
    while at < count {
      let digit = base[at] &- 0x30
      if digit > 9 { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      at += 1
    }
    var digits = at - whole
    var decimals = 0
    if at < count, base[at] == UInt8(ascii: ".") {
      at += 1
      let fraction = at
      while at < count {
        let digit = base[at] &- 0x30
        if digit > 9 { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        at += 1
      }
      decimals = at - fraction
      digits += decimals
    }
    let next = at < count ? base[at] : 0
    guard digits <= 15, digits > decimals, next | 0x20 != UInt8(ascii: "e"),
      base[whole] != 0x30 || digits - decimals == 1, decimals > 0 || base[at - 1] != 0x2E
    else { return try scanOddNumber(&traits) }
    position = at
    traits.note(decimals: decimals, last: base[at - 1])
    let value = Double(mantissa) / powers[decimals]
    return isNegative ? -value : value
  }

  /// Reads a number of more than 15 digits or with an exponent; throws the fault of an invalid one.
  @inline(never)
  private mutating func scanOddNumber(_ traits: inout NumberTraits) throws(ScanFault) -> Double {
    let start = position
    let range = try skipNumber()
    let parts = DecimalParts(bytes(range))
    let value: Double
    if let exact = parts.nearestDouble {
      value = exact
    } else {
      // The text was checked; its bytes are ASCII.
      value = Double(String(decoding: bytes(range), as: UTF8.self)) ?? .infinity
    }
    guard value.isFinite else { throw ScanFault(.numberTooLarge, at: start) }
    traits.flags |= NumberTraits.notFixed
    if parts.hasExponent {
      traits.flags |= NumberTraits.notShortest | NumberTraits.notPointed
    } else {
      let (isShortest, isPointed) = NumberPrinter.styles(of: value, bytes(range), parts)
      if !isShortest { traits.flags |= NumberTraits.notShortest }
      if !isPointed { traits.flags |= NumberTraits.notPointed }
      traits.decimalsMin = min(traits.decimalsMin, parts.decimals)
      traits.decimalsMax = max(traits.decimalsMax, parts.decimals)
    }
    return value
  }

  /// Skips a number and checks it against the grammar.
  @discardableResult
  mutating func skipNumber() throws(ScanFault) -> Range<Int> {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let whole = position
    skipDigits()
    if position == whole {
      if isAtEnd { throw ScanFault(.cut, at: count) }
      position = start
      let fault = unexpected("a number expected")
      throw fault.code == .notJSON ? ScanFault(.badNumber, at: start) : fault
    }
    if base[whole] == 0x30, position - whole > 1 {
      throw ScanFault(.badNumber, at: start, "no leading zeros")
    }
    if current == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      skipDigits()
      if position == fraction {
        throw ScanFault(isAtEnd ? .cut : .badNumber, at: start, "digits must follow the point")
      }
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      let exponent = position
      skipDigits()
      if position == exponent {
        throw ScanFault(isAtEnd ? .cut : .badNumber, at: start, "digits must follow the e")
      }
    }
    return start..<position
  }

  @inline(__always)
  private mutating func skipDigits() {
    while position < count, base[position] &- 0x30 <= 9 { position += 1 }
  }
}

/// The parts of a checked JSON number's text.
struct DecimalParts {
  var isNegative = false
  /// All digits without the point, modulo 2^64 when there are more than 19.
  var mantissa: UInt64 = 0
  /// Digits from the first that is not 0.
  var significantDigits = 0
  var decimals = 0
  var hasExponent = false

  init(_ text: UnsafeBufferPointer<UInt8>) {
    var isFraction = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        hasExponent = true
        return
      default:
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
        if mantissa != 0 || significantDigits > 0 { significantDigits += 1 }
        if isFraction { decimals += 1 }
      }
    }
  }

  /// The nearest double, for up to 19 digits without an exponent.
  var nearestDouble: Double? {
    guard significantDigits <= 19, decimals <= 19, !hasExponent else { return nil }
    let value = DecimalPowers.nearestDouble(mantissa, decimals: decimals)
    return isNegative ? -value : value
  }
}
