/// A sum that is rounded only when it is read: whole numbers are exact, others are rounded once.
package struct ExactSum: Sendable {
  /// The whole numbers as `high * 10^18 + low`: each has at most 39 digits, so neither overflows.
  private var high: Int128 = 0
  private var low: Int128 = 0
  /// The other numbers as doubles that do not overlap, the least first (Shewchuk, Discrete &
  /// Computational Geometry 18, 1997).
  private var parts: [Double] = []
  private var isBeyond = false
  private var hasReals = false

  package private(set) var count = 0

  package init() {}

  private static let unit: Int128 = 1_000_000_000_000_000_000

  package mutating func add(_ number: Number) {
    count += 1
    switch number {
    case .whole(let whole) where whole.magnitude < UInt128(UInt64.max): low += whole
    case .whole(let whole):
      let (quotient, rest) = whole.quotientAndRemainder(dividingBy: Self.unit)
      high += quotient
      low += rest
    case .real(let real):
      hasReals = true
      add(real)
    }
  }

  private mutating func add(_ real: Double) {
    var next = real
    var kept = 0
    for part in parts {
      let (large, small) =
        next.magnitude < part.magnitude ? (part, next) : (next, part)
      let sum = large + small
      let lost = small - (sum - large)
      if lost != 0 {
        parts[kept] = lost
        kept += 1
      }
      next = sum
    }
    parts.removeLast(parts.count - kept)
    parts.append(next)
    if !next.isFinite { isBeyond = true }
  }

  /// Whether all numbers are whole.
  package var isWhole: Bool { !hasReals }

  /// The magnitude of the sum of the whole numbers, in two halves.
  private var wholes: (isNegative: Bool, high: UInt128, low: UInt128) {
    let (carry, rest) = low.quotientAndRemainder(dividingBy: Self.unit)
    var (above, below) = (high + carry, rest)
    if above > 0, below < 0 { (above, below) = (above - 1, below + Self.unit) }
    if above < 0, below > 0 { (above, below) = (above + 1, below - Self.unit) }
    let product = above.magnitude.multipliedFullWidth(by: Self.unit.magnitude)
    let (sum, overflow) = product.low.addingReportingOverflow(below.magnitude)
    return (above < 0 || below < 0, product.high + (overflow ? 1 : 0), sum)
  }

  /// The sum: whole if all numbers are and it has room; `nil` beyond all doubles.
  package var number: Number? {
    let (isNegative, high, low) = wholes
    if isWhole, high == 0, let whole = Int128(exactly: low) {
      return .whole(isNegative ? -whole : whole)
    }
    return real.map { .real($0) }
  }

  /// The sum as JSON writes it; `nil` beyond all doubles.
  package var text: String? {
    guard isWhole else { return real.flatMap { Number.real($0).text } }
    var (isNegative, high, low) = wholes
    var digits = ""
    // Division by 10^18, from the greatest digits on.
    let unit = Self.unit.magnitude
    while high > 0 {
      let quotient = high / unit
      let (rest, digit) = unit.dividingFullWidth((high % unit, low))
      (high, low) = (quotient, rest)
      let text = String(digit)
      digits = String(repeating: "0", count: 18 - text.count) + text + digits
    }
    return (isNegative ? "-" : "") + String(low) + digits
  }

  /// The sum as a double, rounded once; `nil` beyond all doubles.
  package var real: Double? {
    var sum = self
    let (isNegative, high, low) = wholes
    for (half, exponent) in [(low, 0), (high, 128)] {
      for shift in stride(from: 0, to: 128, by: 32) {
        let digits = UInt32(truncatingIfNeeded: half >> UInt128(shift))
        let part = Double(sign: .plus, exponent: exponent + shift, significand: Double(digits))
        if digits != 0 { sum.add(isNegative ? -part : part) }
      }
    }
    return sum.isBeyond ? nil : sum.rounded
  }

  /// The sum of the parts, rounded once, halves to even.
  private var rounded: Double {
    guard var total = parts.last else { return 0 }
    var index = parts.count - 1
    var lost = 0.0
    while index > 0 {
      index -= 1
      let former = total
      total = former + parts[index]
      lost = parts[index] - (total - former)
      if lost != 0 { break }
    }
    // Exactly between two doubles, the next part decides.
    if index > 0, lost < 0 && parts[index - 1] < 0 || lost > 0 && parts[index - 1] > 0 {
      let twice = lost * 2
      let next = total + twice
      if next - total == twice { total = next }
    }
    return total
  }

  /// The mean: of whole numbers rounded once; `nil` of nothing, and beyond all doubles.
  package var mean: Number? {
    if count == 0 { return nil }
    guard isWhole else { return real.map { .real($0 / Double(count)) } }
    let (isNegative, high, low) = wholes
    let divisor = UInt128(count)
    // The mean of numbers of 127 bits has 127 bits.
    let (quotient, rest) = divisor.dividingFullWidth((high, low))
    if rest == 0, let whole = Int128(exactly: quotient) {
      return .whole(isNegative ? -whole : whole)
    }
    if quotient >> 60 == 0, let sum = Int128(exactly: low), let count = Int128(exactly: count) {
      return Number.whole(isNegative ? -sum : sum) / Number.whole(count)
    }
    // The rest only decides how a number of 53 bits is rounded.
    let magnitude = Double(quotient | (rest == 0 ? 0 : 1))
    return .real(isNegative ? -magnitude : magnitude)
  }
}
