/// Text in pieces, made safe for a terminal: controls become visible pictures, but line feeds and
/// tabs stay. What is not UTF-8 becomes U+FFFD.
package struct TerminalFilter {
  /// The beginning of a character whose end is still to come.
  private var waiting: [UInt8] = []

  package init() {}

  /// The next piece.
  package mutating func safe(_ piece: [UInt8]) -> [UInt8] {
    var bytes = waiting + piece
    let end = Self.wholeCount(bytes)
    waiting = Array(bytes[end...])
    bytes.removeSubrange(end...)
    return Self.safe(bytes)
  }

  /// What is left at the end.
  package mutating func rest() -> [UInt8] {
    defer { waiting = [] }
    return Self.safe(waiting)
  }

  /// How many bytes are whole characters, as far as they are characters.
  private static func wholeCount(_ bytes: [UInt8]) -> Int {
    // A character has at most three bytes behind its first.
    for place in bytes.indices.suffix(3).reversed() where bytes[place] & 0xC0 == 0xC0 {
      let length = bytes[place] >= 0xF0 ? 4 : bytes[place] >= 0xE0 ? 3 : 2
      return bytes.count - place < length ? place : bytes.count
    }
    return bytes.count
  }

  private static func safe(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for part in bytes.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x09 })
    {
      result += DisplayWidth.sanitised(String(decoding: part, as: UTF8.self)).utf8
      if part.endIndex < bytes.endIndex { result.append(bytes[part.endIndex]) }
    }
    return result
  }
}
