/// A set of characters with one byte each, the lower half of it ASCII.
package struct EightBitSet: Hashable, Sendable {
  /// The characters of the bytes 0x80 to 0xFF; `nil` for bytes without one.
  private let upper: [Unicode.Scalar?]

  /// A set by its upper half.
  ///
  /// - Parameter scalar: returns the character of a byte from 0x80 on; `nil` if it has none.
  package init(_ scalar: (UInt8) -> Unicode.Scalar?) {
    upper = (0x80...0xFF).map { scalar($0) }
  }

  /// ISO 8859-1, whose bytes are the scalars of the same numbers.
  package static let latin1 = EightBitSet { Unicode.Scalar($0) }

  func scalar(of byte: UInt8) -> Unicode.Scalar? {
    byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]
  }

  /// A text from bytes: valid UTF-8 is decoded as such, any other byte as a character of the set.
  ///
  /// - Complexity: O(bytes).
  func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      let end = index + max(1, UTF8Character.length(lead: bytes[index]))
      if end <= bytes.count,
        let scalar = String(validating: bytes[index..<end], as: UTF8.self)?.unicodeScalars.first
      {
        text.append(scalar)
        index = end
      } else {
        text.append(scalar(of: bytes[index]) ?? "\u{FFFD}")
        index += 1
      }
    }
    return String(text)
  }
}

/// Leading bytes of UTF-8.
enum UTF8Character {
  /// The length of a character beyond ASCII by its first byte; 0 if that is invalid.
  static func length(lead: UInt8) -> Int {
    switch lead {
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
  }
}
