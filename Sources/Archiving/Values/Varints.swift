/// Whole numbers in 7 bits a byte, the least significant first, as Foundation packs them in data.
///
///     byte := more(1 bit) | bits(7)
enum Varints {
  /// The numbers that fill some bytes exactly; `nil` when they end within one or one is too large.
  static func numbers(in bytes: [UInt8]) -> [Int]? {
    var numbers: [Int] = []
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 else { return nil }
      value |= bits << shift
      if byte & 0x80 != 0 {
        shift += 7
        continue
      }
      guard let number = Int(exactly: value) else { return nil }
      numbers.append(number)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }

  /// Appends a number that is not negative.
  static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt64(number.magnitude)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
