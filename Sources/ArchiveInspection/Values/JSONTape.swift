/// JSON as a flat list of its values, each with the place behind all that is inside it.
///
/// Numbers and texts stay where they lie; reading needs no stack however deep the text is nested.
package struct JSONTape {
  package enum Kind: UInt8 {
    case null, yes, no, number, string, array, object
  }

  package struct Entry {
    package var kind: Kind
    /// Where the text of a number or string begins and ends; the quotation marks are left out.
    var start: UInt32
    var end: UInt32
    /// The entry behind this one and all that is inside it.
    var next: UInt32 = 0
  }

  /// In an object keys and values in turn.
  package private(set) var entries: [Entry] = []
  private let bytes: [UInt8]

  /// What may come next.
  private enum Expectation {
    case value, firstElement, firstKey, key, colon, comma, nothing
  }

  /// - Throws: `InspectionError` that tells where the text is no JSON.
  package init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    guard bytes.count < UInt32.max else {
      throw InspectionError(.unreadable, "JSON of more than 4 GiB")
    }
    var open: [Int] = []
    var expected = Expectation.value
    var place = 0
    while true {
      while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
      guard place < bytes.count else {
        if case .nothing = expected { return }
        throw Self.error("the text ends too early", place)
      }
      let byte = bytes[place]
      switch (expected, byte) {
      case (.comma, UInt8(ascii: ",")):
        expected = open.last.map { entries[$0].kind == .object } ?? false ? .key : .value
        place += 1
      case (.comma, UInt8(ascii: "]")), (.firstElement, UInt8(ascii: "]")),
        (.comma, UInt8(ascii: "}")), (.firstKey, UInt8(ascii: "}")):
        let kind: Kind = byte == UInt8(ascii: "]") ? .array : .object
        guard let last = open.popLast(), entries[last].kind == kind else {
          throw Self.error("a bracket that closes nothing", place)
        }
        entries[last].next = UInt32(entries.count)
        place += 1
        expected = open.isEmpty ? .nothing : .comma
      case (.colon, UInt8(ascii: ":")):
        expected = .value
        place += 1
      case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
        try addString(&place)
        expected = .colon
      case (.value, _), (.firstElement, _):
        let isContainer = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
        try addValue(byte, &place)
        if isContainer {
          open.append(entries.count - 1)
          expected = byte == UInt8(ascii: "[") ? .firstElement : .firstKey
        } else {
          expected = open.isEmpty ? .nothing : .comma
        }
      default: throw Self.error("something else is expected here", place)
      }
    }
  }

  private static func error(_ reason: String, _ place: Int) -> InspectionError {
    InspectionError(.unreadable, "no JSON at byte \(place): \(reason)")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  // MARK: Reading

  private mutating func add(_ kind: Kind, _ start: Int, _ end: Int) {
    entries.append(
      Entry(kind: kind, start: UInt32(start), end: UInt32(end), next: UInt32(entries.count + 1)))
  }

  private mutating func addString(_ place: inout Int) throws {
    let start = place + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard bytes[end] >= 0x20 else { throw Self.error("a control in a text", end) }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { throw Self.error("a text without an end", place) }
    add(.string, start, end)
    place = end + 1
  }

  private mutating func addValue(_ byte: UInt8, _ place: inout Int) throws {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      add(byte == UInt8(ascii: "[") ? .array : .object, place, place + 1)
      place += 1
    case UInt8(ascii: "\""): try addString(&place)
    case UInt8(ascii: "n"): try addWord("null", .null, &place)
    case UInt8(ascii: "t"): try addWord("true", .yes, &place)
    case UInt8(ascii: "f"): try addWord("false", .no, &place)
    default:
      let start = place
      while place < bytes.count, Self.isNumeric(bytes[place]) { place += 1 }
      guard place > start else { throw Self.error("no value", place) }
      add(.number, start, place)
    }
  }

  private mutating func addWord(_ word: String, _ kind: Kind, _ place: inout Int) throws {
    guard bytes[place...].starts(with: word.utf8) else { throw Self.error("no value", place) }
    add(kind, place, place + word.utf8.count)
    place += word.utf8.count
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }

  // MARK: Values

  /// The text of a number, or of a string.
  ///
  /// - Throws: `InspectionError` where it is not valid.
  package func text(_ index: Int) throws -> String {
    let entry = entries[index]
    let range = Int(entry.start)..<Int(entry.end)
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw Self.error("a text that is not UTF-8", range.lowerBound)
    }
    guard entry.kind == .string, bytes[range].contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C else {
        units.append(unit)
        continue
      }
      guard let unit = Self.unescaped(&rest) else {
        throw Self.error("an escape that means nothing", range.lowerBound)
      }
      units.append(unit)
    }
    guard let whole = String(validating: units, as: UTF16.self) else {
      throw Self.error("half of a pair of surrogates", range.lowerBound)
    }
    return whole
  }

  private static func unescaped(_ rest: inout ArraySlice<UInt16>) -> UInt16? {
    guard let unit = rest.popFirst() else { return nil }
    switch UInt8(truncatingIfNeeded: unit) {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return unit
    case UInt8(ascii: "u"):
      guard rest.count >= 4 else { return nil }
      let digits = rest.prefix(4)
      rest = rest.dropFirst(4)
      return UInt16(String(decoding: digits, as: UTF16.self), radix: 16)
    default: return nil
    }
  }

  /// The keys and values of an object, by their entries.
  ///
  /// - Throws: `InspectionError` where it is none.
  package func members(_ index: Int) throws -> [(key: String, value: Int)] {
    guard entries[index].kind == .object else {
      throw InspectionError(
        .unsupported, "an object of JSON is expected at byte \(entries[index].start)")
    }
    var members: [(key: String, value: Int)] = []
    var place = index + 1
    while place < entries[index].next {
      members.append((try text(place), place + 1))
      place = Int(entries[place + 1].next)
    }
    return members
  }

  /// The elements of an array, by their entries.
  package func elements(_ index: Int) -> [Int] {
    var elements: [Int] = []
    var place = index + 1
    while place < entries[index].next {
      elements.append(place)
      place = Int(entries[place].next)
    }
    return elements
  }
}
