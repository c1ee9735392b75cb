/// Data as text of 64 characters, four for three bytes.
package enum Base64 {
  private static let padding = UInt8(ascii: "=")

  /// Reads data; `nil` for other characters, a cut quadruple or padding in the middle.
  ///
  /// White space may stand anywhere. The bits that the padding leaves over are not looked at.
  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var digits = 0
    var padded = 0
    for byte in text {
      if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
      if byte == padding {
        padded += 1
        continue
      }
      guard padded == 0, let value = value(of: byte) else { return nil }
      group = group << 6 | value
      digits += 1
      guard digits & 3 == 0 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
    }
    switch (digits & 3, padded) {
    case (0, 0): break
    case (2, 2): bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case (3, 1):
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    default: return nil
    }
    return bytes
  }

  /// The number of a character.
  @inline(__always)
  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// The characters of some bytes, in one line.
  package static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) { append(bytes, at: start, to: &output) }
    return output
  }

  /// Appends the four characters of up to three bytes from `start` on.
  @inline(__always)
  package static func append(
    _ bytes: UnsafeRawBufferPointer, at start: Int, to output: inout [UInt8]
  ) {
    let count = min(3, bytes.count - start)
    var group: UInt32 = 0
    for place in 0..<3 {
      group = group << 8 | (place < count ? UInt32(bytes[start + place]) : 0)
    }
    for place in 0..<4 {
      output.append(
        place <= count ? character(UInt8(group >> UInt32(18 - place * 6) & 0x3F)) : padding)
    }
  }

  @inline(__always)
  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
