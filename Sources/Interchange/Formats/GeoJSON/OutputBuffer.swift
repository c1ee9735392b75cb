/// A growing output buffer, flushed in pieces.
struct OutputBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0
  private let powers = DecimalPowers.doubles
  private let integerPowers = (0...19).map { DecimalPowers.integer($0) }
  /// The digits of 0 to 99, two bytes each.
  private let digitPairs: UnsafeMutablePointer<UInt8>

  /// The number of bytes in a piece.
  static let pieceCount = 1 << 17

  init() {
    capacity = Self.pieceCount + 4096
    base = .allocate(capacity: capacity)
    digitPairs = .allocate(capacity: 200)
    for number in 0..<100 {
      digitPairs[2 * number] = 0x30 + UInt8(number / 10)
      digitPairs[2 * number + 1] = 0x30 + UInt8(number % 10)
    }
  }

  deinit {
    base.deallocate()
    digitPairs.deallocate()
  }

  /// 10 to the power of 0 to 22.
  @inline(__always)
  func power(_ exponent: Int) -> Double { powers[exponent] }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(contentsOf bytes: [UInt8]) {
    // Most separators between numbers are a single byte.
    if bytes.count == 1 {
      append(bytes[0])
      return
    }
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(contentsOf: Array(text.utf8))
  }

  @inline(__always)
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (base + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  /// Appends `mantissa` / 10^`decimals` with that many decimals.
  @inline(__always)
  mutating func appendDecimal(_ mantissa: UInt64, decimals: Int, isNegative: Bool) {
    reserve(48)
    if isNegative {
      base[count] = UInt8(ascii: "-")
      count += 1
    }
    // At least one digit comes before the point.
    let length = max(digitCount(mantissa), decimals + 1)
    let end = count + length + (decimals > 0 ? 1 : 0)
    // Most numbers are short, and 32 bits are divided faster.
    if mantissa >> 32 == 0 {
      writeDigits(UInt32(truncatingIfNeeded: mantissa), decimals, length - decimals, before: end)
    } else {
      writeDigits(mantissa, decimals, length - decimals, before: end)
    }
    count = end
  }

  /// Writes a number of so many digits behind and before its point, into memory up to `end`.
  @inline(__always)
  private func writeDigits<Digits: FixedWidthInteger & UnsignedInteger>(
    _ number: Digits, _ decimals: Int, _ whole: Int, before end: Int
  ) {
    var rest = number
    var place = end
    func write(_ count: Int) {
      var left = count
      while left > 1 {
        let pair = 2 &* Int(truncatingIfNeeded: rest % 100)
        rest /= 100
        place &-= 2
        base[place] = digitPairs[pair]
        base[place &+ 1] = digitPairs[pair &+ 1]
        left &-= 2
      }
      if left == 1 {
        place &-= 1
        base[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
    if decimals > 0 {
      write(decimals)
      place &-= 1
      base[place] = UInt8(ascii: ".")
    }
    write(whole)
  }

  /// Appends `mantissa` / 10^`decimals` without zeros at the end of the fraction.
  ///
  /// - Parameters:
  ///   - whole: the part before the point, below 10^8.
  ///   - decimals: at most 8.
  /// - Returns: whether there is no fraction.
  @inline(__always)
  mutating func appendShortDecimal(
    _ mantissa: UInt64, whole: UInt32, decimals: Int, isNegative: Bool
  ) -> Bool {
    reserve(48)
    if isNegative {
      base[count] = UInt8(ascii: "-")
      count &+= 1
    }
    let ones = Self.eightDigits(whole)
    // Zeros before the first digit lie lowest; one digit stays.
    let zeros = min(ones.trailingZeroBitCount >> 3, 7)
    store((ones | Self.zeroDigits) >> UInt64(8 &* zeros))
    count &+= 8 &- zeros
    let fraction = mantissa &- UInt64(whole) &* integerPowers[decimals]
    if fraction == 0 { return true }
    let digits = Self.eightDigits(
      UInt32(truncatingIfNeeded: fraction &* integerPowers[8 - decimals]))
    base[count] = UInt8(ascii: ".")
    count &+= 1
    store(digits | Self.zeroDigits)
    // Zeros behind the last digit lie highest.
    count &+= 8 &- digits.leadingZeroBitCount >> 3
    return false
  }

  /// The digits of a number below 10^8, zeros before them, a byte each, the first one lowest.
  ///
  /// All bytes are divided at once: by 10^4 into two numbers, these by 100, those by 10; a product
  /// with a rounded reciprocal is exact for numbers that small.
  @inline(__always)
  private static func eightDigits(_ number: UInt32) -> UInt64 {
    let high = number / 10_000
    let fours = UInt64(high) | UInt64(number &- high &* 10_000) << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (twos &* 103) >> 10 & 0x0F_000F_000F_000F
    return tens | (twos &- tens &* 10) << 8
  }

  private static let zeroDigits: UInt64 = 0x3030_3030_3030_3030

  /// Writes eight bytes behind the text, for which there is room.
  @inline(__always)
  private func store(_ eight: UInt64) {
    UnsafeMutableRawPointer(base + count).storeBytes(of: eight.littleEndian, as: UInt64.self)
  }

  /// The decimal digits of a number; 1 for 0.
  @inline(__always)
  private func digitCount(_ number: UInt64) -> Int {
    // log10 is at least bits * 1233 / 4096, and less than one more.
    let guess = ((64 - number.leadingZeroBitCount) * 1233) >> 12
    return max(guess + (number >= integerPowers[guess] ? 1 : 0), 1)
  }

  /// Flushes the buffer if it holds a piece.
  mutating func flushIfFull(to sink: ([UInt8]) throws -> Void) throws {
    if count >= Self.pieceCount { try flush(to: sink) }
  }

  /// Flushes the buffer.
  mutating func flush(to sink: ([UInt8]) throws -> Void) throws {
    guard count > 0 else { return }
    let piece = Array(UnsafeBufferPointer(start: base, count: count))
    count = 0
    try sink(piece)
  }

  /// Returns the bytes and empties the buffer.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return Array(UnsafeBufferPointer(start: base, count: count))
  }

  @inline(__always)
  private mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(extra) }
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}
