/// A number as it is written.
struct NumberForm {
  var value: Double
  /// Its digits as a whole number, for up to 18 of them.
  var mantissa: UInt64
  /// The digits after the point, without an exponent.
  var decimals: Int
  /// All digits.
  var digits: Int
}

/// Reading numbers, and checking bytes.
extension JSONWalker {
  /// Reads a number; up to 15 digits it is the nearest double, beyond that within one unit in the
  /// last place.
  ///
  /// - Returns: a value that is not finite for NaN, Infinity and numbers beyond a double.
  @inline(__always)
  mutating func scanNumber() throws(ScanStop) -> NumberForm {
    var at = position
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
    else { return try scanOddNumber() }
    position = at
    let value = Double(mantissa) / Self.power(decimals)
    return NumberForm(
      value: isNegative ? -value : value, mantissa: mantissa, decimals: decimals, digits: digits)
  }

  /// A power of ten from 0 to 15, exact.
  @inline(__always)
  private static func power(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    default: 1e15
    }
  }

  /// Reads a number of more than 15 digits, with an exponent, or one that JSON does not allow.
  @inline(never)
  private mutating func scanOddNumber() throws(ScanStop) -> NumberForm {
    let start = position
    if let word = notFiniteWord() { return word }
    var at = position
    var fix: [UInt8] = []
    var isOdd = false
    if byte(at: at) == UInt8(ascii: "+") { (at, isOdd) = (at + 1, true) }
    let isNegative = byte(at: at) == UInt8(ascii: "-")
    if isNegative {
      fix.append(UInt8(ascii: "-"))
      at += 1
    }
    var form = NumberForm(value: 0, mantissa: 0, decimals: 0, digits: 0)
    var exponent = 0
    func take(_ digit: UInt8, isFraction: Bool) {
      form.digits += 1
      if form.mantissa < 100_000_000_000_000_000 {
        form.mantissa = form.mantissa * 10 + UInt64(digit)
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    }
    let whole = at
    while at < count, base[at] &- 0x30 <= 9 {
      take(base[at] - 0x30, isFraction: false)
      at += 1
    }
    var firstDigit = whole
    while firstDigit + 1 < at, base[firstDigit] == 0x30 {
      (firstDigit, isOdd) = (firstDigit + 1, true)
    }
    fix += Array(bytes(firstDigit..<at))
    if at == whole { (fix, isOdd) = (fix + [0x30], true) }
    if byte(at: at) == UInt8(ascii: ".") {
      let fraction = at + 1
      at = fraction
      while at < count, base[at] &- 0x30 <= 9 {
        take(base[at] - 0x30, isFraction: true)
        at += 1
      }
      form.decimals = at - fraction
      if at == fraction { isOdd = true } else { fix += Array(bytes(fraction - 1..<at)) }
    }
    guard form.digits > 0 else { throw unexpected("a value") }
    if byte(at: at) | 0x20 == UInt8(ascii: "e") {
      let tail = at
      exponent += try scanExponent(&at)
      fix += Array(bytes(tail..<at))
    }
    position = at
    form.value = Self.scaled(Double(form.mantissa), by: exponent)
    if isNegative { form.value = -form.value }
    if isOdd {
      note(
        .syntax, at: start, "JSON does not write numbers so",
        TextEdit(start..<at, fix))
    } else if !form.value.isFinite {
      note(.notFinite, at: start, "the number is too large for any reader")
    }
    return form
  }

  private mutating func scanExponent(_ at: inout Int) throws(ScanStop) -> Int {
    at += 1
    let isNegative = byte(at: at) == UInt8(ascii: "-")
    if isNegative || byte(at: at) == UInt8(ascii: "+") { at += 1 }
    let first = at
    var exponent = 0
    while at < count, base[at] &- 0x30 <= 9 {
      exponent = min(exponent * 10 + Int(base[at] - 0x30), 100_000)
      at += 1
    }
    if at == first {
      position = at
      throw unexpected("the digits of an exponent")
    }
    return isNegative ? -exponent : exponent
  }

  private static func scaled(_ value: Double, by exponent: Int) -> Double {
    var value = value
    var rest = exponent.magnitude
    while rest > 0, value.isFinite, value != 0 {
      let step = min(rest, 15)
      value = exponent > 0 ? value * power(Int(step)) : value / power(Int(step))
      rest -= step
    }
    return value
  }

  /// NaN, Infinity or -Infinity, in the spellings of other languages; noted.
  private mutating func notFiniteWord() -> NumberForm? {
    let start = position
    var at = position
    if byte(at: at) == UInt8(ascii: "-") || byte(at: at) == UInt8(ascii: "+") { at += 1 }
    let end = (at..<min(count, at + 9)).first { !Self.isLetter(base[$0]) } ?? min(count, at + 9)
    let word = text(at..<end).lowercased()
    guard ["nan", "infinity", "inf"].contains(word) else { return nil }
    position = end
    note(
      .notFinite, at: start, "\(text(start..<end)) is no number in JSON",
      TextEdit(start..<end, Array("null".utf8)))
    return NumberForm(value: .nan, mantissa: 0, decimals: 0, digits: 0)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  /// Notes the bytes of a string that are not UTF-8 (Unicode 16, table 3-7), each with its letter
  /// in Windows-1252.
  @inline(never)
  mutating func checkUTF8(_ range: Range<Int>) {
    var at = range.lowerBound
    while at < range.upperBound {
      let length = Self.lengthOfUTF8(base, at, range.upperBound)
      if length > 0 {
        at += length
        continue
      }
      let letter = WindowsLetters.scalar(of: base[at])
      note(
        .notUTF8, at: at,
        "the byte \(Self.hexadecimal(base[at])) is not UTF-8; in Windows-1252 it is \(letter)",
        TextEdit(at..<at + 1, Array(String(letter).utf8)))
      at += 1
    }
  }

  /// The length of the character at an offset; 0 if the bytes are none.
  static func lengthOfUTF8(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int {
    let lead = base[at]
    if lead < 0x80 { return 1 }
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, low) = (3, 0xA0)
    case 0xE1...0xEC, 0xEE, 0xEF: length = 3
    case 0xED: (length, high) = (3, 0x9F)
    case 0xF0: (length, low) = (4, 0x90)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, high) = (4, 0x8F)
    default: return 0
    }
    guard at + length <= end, base[at + 1] >= low, base[at + 1] <= high else { return 0 }
    for offset in 2..<4 where offset < length && base[at + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return "0x" + (text.count < 2 ? "0" : "") + text
  }
}

/// Windows-1252, the letters where Latin-1 has controls (the mapping of the WHATWG standard).
enum WindowsLetters {
  private static let upper: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  static func scalar(of byte: UInt8) -> Unicode.Scalar {
    guard byte >= 0x80, byte < 0xA0 else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }
}
