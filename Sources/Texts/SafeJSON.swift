/// JSON text composed of parts that are JSON already; nothing in it acts on a terminal.
package enum SafeJSON {
  /// A quoted string; controls are escaped, and so are characters that could act on a terminal.
  package static func string(_ text: String) -> String {
    String(decoding: bytes(text), as: UTF8.self)
  }

  /// The same in UTF-8.
  ///
  /// - Complexity: a nanosecond or so a character of most scripts.
  package static func bytes(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { input in
      var result: [UInt8] = []
      result.reserveCapacity(input.count + 2)
      result.append(UInt8(ascii: "\""))
      var (start, place) = (0, 0)
      while place < input.count {
        let byte = input[place]
        if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          place &+= 1
          continue
        }
        let (scalar, length) = scalar(in: input, at: place)
        if byte >= 0x80, isSafe(scalar) {
          place &+= length
          continue
        }
        result.append(contentsOf: input[start..<place])
        escape(scalar, to: &result)
        place &+= length
        start = place
      }
      result.append(contentsOf: input[start...])
      result.append(UInt8(ascii: "\""))
      return result
    }
  }

  /// The scalar at a place of valid UTF-8, and how many bytes it has.
  private static func scalar(
    in input: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (scalar: Unicode.Scalar, length: Int) {
    let first = UInt32(input[place])
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = length == 1 ? first : first & (0x7F >> UInt32(length))
    for index in 1..<max(1, length) where place + index < input.count {
      value = value << 6 | UInt32(input[place + index] & 0x3F)
    }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private static func escape(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    switch scalar {
    case "\"": result += "\\\"".utf8
    case "\\": result += "\\\\".utf8
    case "\n": result += "\\n".utf8
    case "\t": result += "\\t".utf8
    default:
      for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] {
        let digits = String(unit, radix: 16)
        result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      }
    }
  }

  /// The shortest decimal that reads back as the same double; `null` if it is not finite.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if let whole = Int64(exactly: value), abs(value) < 1e15 { return String(whole) }
    return value.description
  }

  package static func array(_ items: [String]) -> String {
    "[" + items.joined(separator: ",") + "]"
  }

  package static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.map { string($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Letters and signs only.
    case 0xA0...0xAC, 0xAE...0x377, 0x400...0x52F, 0x3041...0x3096, 0x3099...0x30FF,
      0x4E00...0x9FFC, 0xAC00...0xD7A3:
      return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      return false
    default: return true
    }
  }
}
