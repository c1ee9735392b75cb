/// A number: whole ones are exact up to 38 digits, others are doubles.
package enum Number: Sendable {
  case whole(Int128)
  case real(Double)

  /// The double nearest to it.
  package var double: Double {
    switch self {
    case .whole(let whole): Self.double(whole)
    case .real(let real): real
    }
  }

  /// The double nearest to a whole number; those of 64 bits are converted by the processor, which
  /// takes a fiftieth of the time.
  private static func double(_ whole: Int128) -> Double {
    let short = Int64(truncatingIfNeeded: whole)
    return Int128(short) == whole ? Double(short) : Double(whole)
  }

  package var isZero: Bool {
    switch self {
    case .whole(let whole): whole == 0
    case .real(let real): real == 0
    }
  }

  /// The number as JSON writes it; `nil` for a double that is not finite.
  package var text: String? {
    switch self {
    case .whole(let whole): return String(whole)
    case .real(let real):
      guard real.isFinite else { return nil }
      let text = real.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
  }
}

extension Number: Comparable {
  package static func == (left: Number, right: Number) -> Bool { order(left, right) == 0 }
  package static func < (left: Number, right: Number) -> Bool { order(left, right) < 0 }

  /// -1, 0 or 1 as the left number is less than, equal to or greater than the right one, exactly:
  /// a whole number is not rounded to a double first.
  package static func order(_ left: Number, _ right: Number) -> Int {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.real(let left), .real(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.whole(let left), .real(let right)): order(left, right)
    case (.real(let left), .whole(let right)): -order(right, left)
    }
  }

  private static func order(_ whole: Int128, _ real: Double) -> Int {
    // 2^127 and what lies beyond it is greater than any whole number here.
    if real >= 0x1p127 { return -1 }
    if real < -0x1p127 { return 1 }
    let floor = real.rounded(.down)
    let other = Int128(floor)
    if whole != other { return whole < other ? -1 : 1 }
    return floor < real ? -1 : 0
  }
}

extension Number: Hashable {
  /// Numbers that are equal have one hash, whole or not.
  package func hash(into hasher: inout Hasher) {
    switch canonical {
    case .whole(let whole): hasher.combine(whole)
    case .real(let real): hasher.combine(real)
    }
  }

  /// A double without fraction as a whole number, if that has room for it.
  package var canonical: Number {
    guard case .real(let real) = self, real.rounded(.down) == real, real.magnitude < 0x1p127 else {
      return self
    }
    return .whole(Int128(real))
  }
}

// MARK: - Arithmetic

extension Number {
  /// The sum; a whole one beyond 38 digits becomes a double, as do all that follow here.
  static func + (left: Number, right: Number) -> Number {
    if case .whole(let left) = left, case .whole(let right) = right {
      let (sum, overflow) = left.addingReportingOverflow(right)
      if !overflow { return .whole(sum) }
    }
    return .real(left.double + right.double)
  }

  static func - (left: Number, right: Number) -> Number {
    if case .whole(let left) = left, case .whole(let right) = right {
      let (difference, overflow) = left.subtractingReportingOverflow(right)
      if !overflow { return .whole(difference) }
    }
    return .real(left.double - right.double)
  }

  static func * (left: Number, right: Number) -> Number {
    if case .whole(let left) = left, case .whole(let right) = right {
      let (product, overflow) = left.multipliedReportingOverflow(by: right)
      if !overflow { return .whole(product) }
    }
    return .real(left.double * right.double)
  }

  /// The quotient as a double, rounded once; `nil` for a division by zero.
  package static func / (left: Number, right: Number) -> Number? {
    if right.isZero { return nil }
    if case .whole(let left) = left, case .whole(let right) = right {
      if left % right == 0, !(left == .min && right == -1) { return .whole(left / right) }
      return .real(quotient(left, right))
    }
    return .real(left.double / right.double)
  }

  /// The remainder with the sign of the dividend: -2 % 3 is -2; `nil` for a division by zero.
  static func % (left: Number, right: Number) -> Number? {
    if right.isZero { return nil }
    if case .whole(let left) = left, case .whole(let right) = right {
      return .whole(right == -1 ? 0 : left % right)
    }
    return .real(left.double.truncatingRemainder(dividingBy: right.double))
  }

  static prefix func - (number: Number) -> Number {
    switch number {
    case .whole(let whole) where whole != .min: .whole(-whole)
    case .whole, .real: .real(-number.double)
    }
  }

  var magnitude: Number {
    switch self {
    case .whole(let whole): whole < 0 ? -self : self
    case .real(let real): .real(real.magnitude)
    }
  }

  /// The quotient of two whole numbers, rounded once to a double.
  ///
  /// Doubles divide numbers below 2^53 exactly so; greater ones are divided to 55 bits and a
  /// sticky bit, which the conversion then rounds.
  private static func quotient(_ left: Int128, _ right: Int128) -> Double {
    let (dividend, divisor) = (left.magnitude, right.magnitude)
    let exact: UInt128 = 1 << 53
    if dividend <= exact, divisor <= exact { return Double(left) / Double(right) }
    let bits = divisor.leadingZeroBitCount - dividend.leadingZeroBitCount
    let shift = 56 - bits
    var (result, rest): (UInt128, UInt128)
    if shift >= 0 {
      let high =
        shift >= 128 ? dividend << (shift - 128) : shift == 0 ? 0 : dividend >> (128 - shift)
      let low = shift >= 128 ? 0 : dividend << shift
      (result, rest) = divisor.dividingFullWidth((high, low))
    } else {
      (result, rest) = dividend.quotientAndRemainder(dividingBy: divisor << -shift)
    }
    if rest != 0 { result |= 1 }
    let magnitude = Double(result) * Double(sign: .plus, exponent: -shift, significand: 1)
    return (left < 0) == (right < 0) ? magnitude : -magnitude
  }
}

// MARK: - From text

extension Number {
  /// Reads the text of a JSON number; `nil` if it is none or not finite as a double.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    let isNegative = bytes.first == 0x2D
    if isNegative { index = 1 }
    var mantissa: UInt64 = 0
    let start = index
    while index < bytes.count, index - start < 18, bytes[index] &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(bytes[index] &- 0x30)
      index += 1
    }
    let digits = index - start
    if digits > 0, index == bytes.count {
      self = .whole(isNegative ? -Int128(mantissa) : Int128(mantissa))
      return
    }
    if digits > 0, bytes[index] == 0x2E,
      let real = Self.decimal(bytes, from: index + 1, mantissa: mantissa, digits: digits)
    {
      self = .real(isNegative ? -real : real)
      return
    }
    guard bytes.allSatisfy(Self.isPart) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if let whole = Int128(text) {
      self = .whole(whole)
    } else if let real = Double(text), real.isFinite {
      self = .real(real)
    } else {
      return nil
    }
  }

  /// Whether a byte may stand in a number: Swift reads hexadecimal ones and infinities as well.
  private static func isPart(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte == 0x2E || byte | 0x20 == 0x65 || byte == 0x2B || byte == 0x2D
  }

  package init?(_ text: String) {
    var text = text
    guard let number = text.withUTF8({ Number($0) }) else { return nil }
    self = number
  }

  /// A decimal fraction of at most 15 digits: such numbers, divided by a power of ten that is exact
  /// as a double, are rounded once.
  private static func decimal(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, mantissa: UInt64, digits: Int
  ) -> Double? {
    guard bytes.count > start, digits + bytes.count - start <= 15 else { return nil }
    var mantissa = mantissa
    for byte in bytes[start...] {
      guard byte &- 0x30 < 10 else { return nil }
      mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
    }
    return Double(mantissa) / powers[bytes.count - start]
  }

  static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}

extension Number {
  /// Rounded to so many decimals, halves away from zero; negative places round tens, hundreds …. A
  /// double counts as its shortest decimal text.
  package func rounded(places: Int) -> Number {
    switch self {
    case .whole(let whole): return places < 0 ? Self.rounded(whole, places: places) : self
    case .real(let real):
      if places < 0 { return Self.rounded(real, places: places) }
      let rounded = DecimalRounding.rounded(real, places: places)
      return places > 0 ? .real(rounded) : Number.real(rounded).canonical
    }
  }

  private static func rounded(_ whole: Int128, places: Int) -> Number {
    // Half of 10^39 is beyond every whole number.
    guard places >= -38 else { return .whole(0) }
    var unit: Int128 = 1
    for _ in 0..<(-places) { unit *= 10 }
    let (quotient, rest) = whole.quotientAndRemainder(dividingBy: unit)
    // Twice the rest of a division by 10^38 has room; half up in magnitude.
    let isUp = rest.magnitude * 2 >= unit.magnitude
    let (product, overflow) = (quotient + (isUp ? whole.signum() : 0))
      .multipliedReportingOverflow(by: unit)
    return overflow ? .real(double(whole)) : .whole(product)
  }

  /// A double rounded to tens, hundreds …; its fraction never decides: halves of those are whole.
  private static func rounded(_ real: Double, places: Int) -> Number {
    if real.magnitude < 0x1p127 { return rounded(Int128(real), places: places) }
    guard let unit = Double("1e\(-places)"), unit.isFinite else { return .whole(0) }
    let count = real / unit
    guard count.magnitude < 0x1p53 else { return .real(real) }
    let result = count.rounded(.toNearestOrAwayFromZero) * unit
    return .real(result.isFinite ? result : real)
  }

  var floor: Number {
    guard case .real(let real) = self else { return self }
    return Number.real(real.rounded(.down)).canonical
  }
}
