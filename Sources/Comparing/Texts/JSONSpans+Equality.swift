import PortolanDocuments

/// Values as texts that are equal where the values are: without white space, with texts and numbers
/// in one spelling.
extension JSONSpans {
  /// An object whose members are being spelled.
  private struct OpenObject {
    /// The text before it.
    var outer: [UInt8]
    var members: [(name: [UInt8], text: [UInt8])] = []
    /// Where the name of the member in progress ends.
    var nameEnd: Int?

    mutating func end(_ member: [UInt8]) {
      if !member.isEmpty { members.append((Array(member.prefix(nameEnd ?? 0)), member)) }
      nameEnd = nil
    }

    /// The object with its members by their names, those of one name in their order.
    var text: [UInt8] {
      let sorted = members.enumerated().sorted { first, second in
        first.element.name == second.element.name
          ? first.offset < second.offset
          : first.element.name.lexicographicallyPrecedes(second.element.name)
      }
      return [UInt8(ascii: "{")] + sorted.map(\.element.text).joined(separator: [0x2C])
        + [UInt8(ascii: "}")]
    }
  }

  /// The value at a place in its one spelling; the order of members says nothing.
  func canonical(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    // The open lists and objects; lists need nothing.
    var open: [OpenObject?] = []
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      case UInt8(ascii: "\""):
        let end = endOfString(place, in: range)
        Self.append(text: text(place..<end), to: &result)
        place = end
      case UInt8(ascii: "-"), 0x30...0x39:
        var end = place + 1
        while end < range.upperBound, !Self.endsNumber(bytes[end]) { end += 1 }
        result.append(contentsOf: ExactNumber.spelling(bytes[place..<end]))
        place = end
      case UInt8(ascii: "{"):
        open.append(OpenObject(outer: result))
        result = []
        place += 1
      case UInt8(ascii: "["):
        open.append(nil)
        result.append(byte)
        place += 1
      case UInt8(ascii: ":") where Self.isInObject(open):
        if open[open.count - 1]?.nameEnd == nil { open[open.count - 1]?.nameEnd = result.count }
        result.append(byte)
        place += 1
      case UInt8(ascii: ",") where Self.isInObject(open):
        open[open.count - 1]?.end(result)
        result = []
        place += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let last = open.popLast(), var object = last {
          object.end(result)
          result = object.outer + object.text
        } else {
          result.append(byte)
        }
        place += 1
      default:
        result.append(byte)
        place += 1
      }
    }
    return result
  }

  private static func isInObject(_ open: [OpenObject?]) -> Bool {
    guard let last = open.last else { return false }
    return last != nil
  }

  /// The value at a place without the white space around its parts.
  func compact(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      case UInt8(ascii: "\""):
        let end = endOfString(place, in: range)
        result.append(contentsOf: bytes[place..<end])
        place = end
      default:
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }

  /// Whether two values are the same; the same bytes are not looked at twice.
  static func areEqual(
    _ first: JSONSpans, _ range: Range<Int>, _ second: JSONSpans, _ other: Range<Int>
  ) -> Bool {
    if first.bytes[range].elementsEqual(second.bytes[other]) { return true }
    return first.canonical(range) == second.canonical(other)
  }

  private func endOfString(_ start: Int, in range: Range<Int>) -> Int {
    var place = start + 1
    while place < range.upperBound, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, range.upperBound)
  }

  private static func endsNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: false
    }
  }

  private static func append(text: [UInt8], to result: inout [UInt8]) {
    result.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        result.append(UInt8(ascii: "\\"))
      }
      result.append(byte)
    }
    result.append(UInt8(ascii: "\""))
  }
}
