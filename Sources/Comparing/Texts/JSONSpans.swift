import PortolanDocuments

/// Finds the places of values in JSON text without building any of them.
///
/// Nothing recurses, and nesting has a limit. Ranges are of bytes.
package struct JSONSpans: Sendable {
  package let bytes: [UInt8]

  /// The most arrays and objects within each other.
  static let depthMax = 512

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A text that is no JSON, or no map.
  package struct Fault: Error, Hashable, Sendable {
    package var offset: Int
    package var what: String
  }

  /// A member of an object.
  struct Member {
    /// The name with its escapes resolved, in UTF-8.
    var name: [UInt8]
    /// The place of the name, with its quotes.
    var key: Range<Int>
    var value: Range<Int>
    /// The member as a whole.
    var range: Range<Int> { key.lowerBound..<value.upperBound }
  }

  func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

  func skipSpace(_ place: inout Int) {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      default: return
      }
    }
  }

  func fault(_ place: Int, _ what: String) -> Fault {
    Fault(offset: place, what: place >= bytes.count ? "the text ends too early" : what)
  }

  // MARK: Values

  /// Moves behind the value that begins at a place, white space before it included.
  ///
  /// - Returns: the place of the value.
  func skipValue(_ place: inout Int) throws -> Range<Int> {
    skipSpace(&place)
    let start = place
    // The open containers: their first bytes.
    var open: [UInt8] = []
    values: while true {
      skipSpace(&place)
      switch byte(place) {
      case UInt8(ascii: "{"):
        try enter(UInt8(ascii: "{"), &open, &place)
        if byte(place) != UInt8(ascii: "}") {
          try skipKey(&place)
          continue values
        }
      case UInt8(ascii: "["):
        try enter(UInt8(ascii: "["), &open, &place)
        if byte(place) != UInt8(ascii: "]") { continue values }
      default: try skipScalar(&place)
      }
      while let container = open.last {
        skipSpace(&place)
        let end = container + 2
        if byte(place) == end {
          place += 1
          open.removeLast()
        } else if byte(place) == UInt8(ascii: ",") {
          place += 1
          if container == UInt8(ascii: "{") { try skipKey(&place) }
          continue values
        } else {
          throw fault(place, "a comma or the end of the list is missing")
        }
      }
      return start..<place
    }
  }

  private func enter(_ container: UInt8, _ open: inout [UInt8], _ place: inout Int) throws {
    if open.count >= Self.depthMax { throw fault(place, "lists within lists are too deep") }
    open.append(container)
    place += 1
    skipSpace(&place)
  }

  private func skipKey(_ place: inout Int) throws {
    skipSpace(&place)
    guard byte(place) == UInt8(ascii: "\"") else { throw fault(place, "a name is missing") }
    try skipString(&place)
    skipSpace(&place)
    guard byte(place) == UInt8(ascii: ":") else { throw fault(place, "a colon is missing") }
    place += 1
  }

  private func skipScalar(_ place: inout Int) throws {
    let start = place
    switch byte(place) {
    case UInt8(ascii: "\""): return try skipString(&place)
    case UInt8(ascii: "-"), 0x30...0x39:
      while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
      let isValid = bytes.withUnsafeBufferPointer {
        NumberText.isValid(UnsafeBufferPointer(rebasing: $0[start..<place]))
      }
      guard isValid else { throw fault(start, "this is no number") }
    default:
      for word in ["true", "false", "null"] where bytes[start...].starts(with: word.utf8) {
        place += word.utf8.count
        return
      }
      throw fault(start, "this is no value")
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private func skipString(_ place: inout Int) throws {
    let start = place
    place += 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return
      case UInt8(ascii: "\\"): place += 2
      case 0..<0x20: throw fault(place, "a control within a text")
      default: place += 1
      }
    }
    throw Fault(offset: start, what: "a text has no end")
  }

  // MARK: Parts

  /// The members of the object at a place; `nil` if there is none.
  func members(of range: Range<Int>) throws -> [Member]? {
    var place = range.lowerBound
    guard byte(place) == UInt8(ascii: "{") else { return nil }
    place += 1
    skipSpace(&place)
    var members: [Member] = []
    if byte(place) == UInt8(ascii: "}") { return members }
    while true {
      skipSpace(&place)
      let key = try skipValue(&place)
      guard byte(key.lowerBound) == UInt8(ascii: "\"") else {
        throw fault(key.lowerBound, "a name is missing")
      }
      skipSpace(&place)
      guard byte(place) == UInt8(ascii: ":") else { throw fault(place, "a colon is missing") }
      place += 1
      let value = try skipValue(&place)
      members.append(Member(name: text(key), key: key, value: value))
      skipSpace(&place)
      if byte(place) == UInt8(ascii: "}") { return members }
      guard byte(place) == UInt8(ascii: ",") else { throw fault(place, "a comma is missing") }
      place += 1
    }
  }

  /// The elements of the array at a place; `nil` if there is none.
  func elements(of range: Range<Int>) throws -> [Range<Int>]? {
    var place = range.lowerBound
    guard byte(place) == UInt8(ascii: "[") else { return nil }
    place += 1
    skipSpace(&place)
    var elements: [Range<Int>] = []
    if byte(place) == UInt8(ascii: "]") { return elements }
    while true {
      elements.append(try skipValue(&place))
      skipSpace(&place)
      if byte(place) == UInt8(ascii: "]") { return elements }
      guard byte(place) == UInt8(ascii: ",") else { throw fault(place, "a comma is missing") }
      place += 1
    }
  }

  /// Whether the bytes have a word in them, wherever it stands.
  ///
  /// - Complexity: O(bytes), about 1 ns each: that of the standard library takes 30 ns.
  func contains(_ word: [UInt8]) -> Bool {
    guard let first = word.first, word.count <= bytes.count else { return word.isEmpty }
    return bytes.withUnsafeBufferPointer { bytes in
      for start in 0...bytes.count - word.count where bytes[start] == first {
        var length = 1
        while length < word.count, bytes[start + length] == word[length] { length += 1 }
        if length == word.count { return true }
      }
      return false
    }
  }

  func isNull(_ range: Range<Int>) -> Bool { byte(range.lowerBound) == UInt8(ascii: "n") }

  // MARK: Texts

  /// The string at a place without quotes and escapes, in UTF-8.
  func text(_ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    appendText(range, to: &text)
    return text
  }

  private func appendText(_ range: Range<Int>, to text: inout [UInt8]) {
    var place = range.lowerBound + 1
    let end = range.upperBound - 1
    var start = place
    while place < end {
      guard bytes[place] == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      text.append(contentsOf: bytes[start..<place])
      place = appendEscaped(at: place, to: &text)
      start = place
    }
    if start < end { text.append(contentsOf: bytes[start..<end]) }
  }

  /// Appends the character of the escape at a place; returns the place behind it.
  private func appendEscaped(at place: Int, to text: inout [UInt8]) -> Int {
    switch byte(place + 1) {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "u"):
      guard let first = unit(at: place) else {
        text.append(contentsOf: [0x5C, 0x75])
        return place + 2
      }
      if (0xD800..<0xDC00).contains(first), let second = unit(at: place + 6),
        (0xDC00..<0xE000).contains(second)
      {
        let value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        text.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
        return place + 12
      }
      if let scalar = Unicode.Scalar(first) {
        text.append(contentsOf: String(scalar).utf8)
      } else {
        // Half of a pair: kept as it is written, which no text has.
        text.append(contentsOf: bytes[place..<place + 6])
      }
      return place + 6
    default: text.append(byte(place + 1))
    }
    return place + 2
  }

  /// The unit of `\uXXXX` at a place.
  private func unit(at place: Int) -> UInt32? {
    guard place + 6 <= bytes.count, bytes[place] == 0x5C, bytes[place + 1] == 0x75 else {
      return nil
    }
    return UInt32(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
  }
}
