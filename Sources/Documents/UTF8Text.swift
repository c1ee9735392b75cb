/// Validation of UTF-8.
package enum UTF8Text {
  static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// Whether the bytes are well-formed UTF-8 (Unicode table 3-7): no overlong forms, no surrogates.
  ///
  /// - Complexity: O(bytes); plain ASCII goes eight bytes at a time.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < raw.count {
      while raw.count - index >= 8,
        raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      guard index < raw.count else { break }
      let length = lengthOfScalar(raw, at: index)
      guard length > 0 else { return false }
      index += length
    }
    return true
  }

  /// The bytes of the scalar that begins at `index`; 0 if none does.
  private static func lengthOfScalar(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let lead = bytes[index]
    if lead < 0x80 { return 1 }
    let left = bytes.count - index
    switch lead {
    case 0xC2...0xDF:
      return left >= 2 && isContinuation(bytes[index + 1]) ? 2 : 0
    case 0xE0...0xEF:
      guard left >= 3, isContinuation(bytes[index + 1]), isContinuation(bytes[index + 2]) else {
        return 0
      }
      let second = bytes[index + 1]
      let fits = (lead != 0xE0 || second >= 0xA0) && (lead != 0xED || second < 0xA0)
      return fits ? 3 : 0
    case 0xF0...0xF4:
      guard left >= 4, isContinuation(bytes[index + 1]), isContinuation(bytes[index + 2]),
        isContinuation(bytes[index + 3])
      else { return 0 }
      let second = bytes[index + 1]
      let fits = (lead != 0xF0 || second >= 0x90) && (lead != 0xF4 || second < 0x90)
      return fits ? 4 : 0
    default: return 0
    }
  }
}
