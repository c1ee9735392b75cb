import PortolanDocuments

/// The escape style of a file's strings, so that they can be written the same way.
struct EscapeStyle: Hashable, Sendable {
  /// Everything above 127 as `\u….`, as Python's json writes by default.
  var isASCII = false
  /// `\/` for a slash, as PHP's json_encode writes by default.
  var escapesSlash = false
  /// Hexadecimal digits in capitals.
  var isUpperHex = false
}

/// Functions on the text of JSON strings.
enum JSONText {
  /// The value of a hexadecimal digit.
  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x37
    case 0x61...0x66: UInt32(byte) - 0x57
    default: nil
    }
  }

  /// Appends a string's value; its escapes were checked by the scanner.
  ///
  /// - Returns: `false` for a lone surrogate: then the value is not Unicode.
  static func unescape(_ text: UnsafeBufferPointer<UInt8>, into value: inout [UInt8]) -> Bool {
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        value.append(byte)
        index += 1
        continue
      }
      let kind = text[index + 1]
      index += 2
      switch kind {
      case UInt8(ascii: "b"): value.append(8)
      case UInt8(ascii: "f"): value.append(12)
      case UInt8(ascii: "n"): value.append(10)
      case UInt8(ascii: "r"): value.append(13)
      case UInt8(ascii: "t"): value.append(9)
      case UInt8(ascii: "u"):
        guard var code = codeUnit(text, at: index) else { return false }
        index += 4
        if code & 0xFC00 == 0xD800, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
          text[index + 1] == UInt8(ascii: "u"), let low = codeUnit(text, at: index + 2),
          low & 0xFC00 == 0xDC00
        {
          code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
          index += 6
        }
        guard let scalar = Unicode.Scalar(code) else { return false }
        value.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: value.append(kind)
      }
    }
    return true
  }

  private static func codeUnit(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 4 <= text.count else { return nil }
    var code: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = hexDigit(text[index + offset]) else { return nil }
      code = code << 4 | digit
    }
    return code
  }

  /// Appends a string's text without its quotes.
  static func escape(
    _ value: some Sequence<UInt8>, style: EscapeStyle, into text: inout [UInt8]
  ) {
    if style.isASCII {
      for scalar in Unicode.Scalar.decoding(value) {
        if scalar.value < 0x80 {
          escape(UInt8(truncatingIfNeeded: scalar.value), style: style, into: &text)
        } else {
          for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [0xFFFD] {
            appendHex(unit, style: style, into: &text)
          }
        }
      }
    } else {
      for byte in value { escape(byte, style: style, into: &text) }
    }
  }

  /// A string's text with its quotes.
  static func quoted(
    _ value: some Sequence<UInt8>, style: EscapeStyle = EscapeStyle()
  ) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    escape(value, style: style, into: &text)
    text.append(UInt8(ascii: "\""))
    return text
  }

  /// Whether a text is one JSON value without surrounding white space, by `skipValue`.
  static func isValue(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    DecimalPowers.doubles.withUnsafeBufferPointer { powers in
      guard var scanner = JSONScanner(text, powers: powers),
        let range = try? scanner.skipValue()
      else { return false }
      return range.count == text.count
    }
  }

  /// The value of the text between the quotes of a string; the text itself if it contains a lone
  /// surrogate; `nil` if it is invalid.
  static func value(between text: [UInt8]) -> [UInt8]? {
    let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    return quoted.withUnsafeBufferPointer { quoted in
      DecimalPowers.doubles.withUnsafeBufferPointer { powers in
        guard var scanner = JSONScanner(quoted, powers: powers),
          let token = try? scanner.scanString(), token.end == quoted.count - 1
        else { return nil }
        var value: [UInt8] = []
        return unescape(scanner.bytes(token.start..<token.end), into: &value) ? value : text
      }
    }
  }

  /// Whether a string's text is its value.
  @inline(__always)
  static func isPlain(_ value: UnsafeBufferPointer<UInt8>, style: EscapeStyle) -> Bool {
    for byte in value {
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
      if byte == UInt8(ascii: "/"), style.escapesSlash { return false }
      if byte >= 0x80, style.isASCII { return false }
    }
    return true
  }

  /// A JSON text without white space between its tokens.
  static func compacted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(text.count)
    var isString = false
    var isEscaped = false
    for byte in text {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte <= 0x20 {
        continue
      }
      compact.append(byte)
    }
    return compact
  }

  @inline(__always)
  private static func escape(_ byte: UInt8, style: EscapeStyle, into text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      text.append(UInt8(ascii: "\\"))
      text.append(byte)
    case UInt8(ascii: "/") where style.escapesSlash:
      text.append(UInt8(ascii: "\\"))
      text.append(byte)
    case 0..<0x20:
      let short: UInt8? =
        switch byte {
        case 8: UInt8(ascii: "b")
        case 9: UInt8(ascii: "t")
        case 10: UInt8(ascii: "n")
        case 12: UInt8(ascii: "f")
        case 13: UInt8(ascii: "r")
        default: nil
        }
      if let short {
        text.append(UInt8(ascii: "\\"))
        text.append(short)
      } else {
        appendHex(UInt16(byte), style: style, into: &text)
      }
    default: text.append(byte)
    }
  }

  private static func appendHex(_ unit: UInt16, style: EscapeStyle, into text: inout [UInt8]) {
    text.append(UInt8(ascii: "\\"))
    text.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
      text.append(digit < 10 ? 0x30 + digit : (style.isUpperHex ? 0x37 : 0x57) + digit)
    }
  }

  /// The offset of the first byte that is not UTF-8, or `nil` (Unicode 16, table 3-7).
  static func firstInvalidUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    if UTF8Text.isValid(text) { return nil }
    var index = 0
    while index < text.count {
      let lead = text[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var range: (low: UInt8, high: UInt8) = (0x80, 0xBF)
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, range.low) = (3, 0xA0)
      case 0xE1...0xEC, 0xEE, 0xEF: length = 3
      case 0xED: (length, range.high) = (3, 0x9F)
      case 0xF0: (length, range.low) = (4, 0x90)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, range.high) = (4, 0x8F)
      default: return index
      }
      guard index + length <= text.count, text[index + 1] >= range.low,
        text[index + 1] <= range.high
      else { return index }
      for offset in 2..<4 where offset < length && text[index + offset] & 0xC0 != 0x80 {
        return index
      }
      index += length
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// The scalars of UTF-8 bytes, invalid ones replaced.
  static func decoding(_ bytes: some Sequence<UInt8>) -> [Unicode.Scalar] {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var scalars: [Unicode.Scalar] = []
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): scalars.append(scalar)
      case .emptyInput: return scalars
      case .error: scalars.append("\u{FFFD}")
      }
    }
  }
}
