import PortolanMemory

/// The types that a keyed archive can hold without a key, taken from a type string.
///
///     types := type…      type := one of cCsSiIlLqQBfd@#:*%+
///                               | [ count type of one character ]
///                               | one of rnNoORV before another type
enum KeyedType: Hashable {
  /// A type of one character.
  case single(UInt8)
  /// An array of values of a type of one character.
  case array(count: Int, element: UInt8)

  /// How long a type string may be.
  private static let lengthMax = 16 * 1024

  /// The types of a string; the reason why not, when it has others.
  static func list(_ types: String) -> Result<[KeyedType], TypeFault> {
    guard !types.isEmpty, types.utf8.count <= lengthMax else {
      return .failure(TypeFault(reason: "a type string of \(types.utf8.count) characters"))
    }
    let text = TypeSpelling.strip(Array(types.utf8))
    guard !text.isEmpty else {
      return .failure(TypeFault(reason: "qualifiers without a type: \(types)"))
    }
    var list: [KeyedType] = []
    var place = 0
    while place < text.count {
      if text[place] == UInt8(ascii: "[") {
        guard let array = array(text, &place) else {
          return .failure(
            TypeFault(
              reason: "a keyed archive holds arrays of simple types, which \(types) is not"))
        }
        list.append(array)
      } else if isSimple(text[place]) {
        list.append(.single(text[place]))
        place += 1
      } else {
        return .failure(TypeFault(reason: refusal(text[place])))
      }
    }
    return .success(list)
  }

  private static func array(_ text: [UInt8], _ place: inout Int) -> KeyedType? {
    var count = 0
    place += 1
    while place < text.count, text[place] >= 0x30, text[place] <= 0x39 {
      count = count * 10 + Int(text[place] - 0x30)
      guard count <= Int(UInt32.max) else { return nil }
      place += 1
    }
    guard place + 1 < text.count, isSimple(text[place]), text[place + 1] == UInt8(ascii: "]"),
      text[place] != UInt8(ascii: "+")
    else { return nil }
    defer { place += 2 }
    return .array(count: count, element: text[place])
  }

  private static func isSimple(_ code: UInt8) -> Bool {
    "cCsSiIlLqQBfd@#:*%+".utf8.contains(code)
  }

  private static func refusal(_ code: UInt8) -> String {
    switch code {
    case UInt8(ascii: "{"): "a keyed archive cannot hold structures; encode their fields"
    case UInt8(ascii: "("): "a keyed archive cannot hold unions"
    case UInt8(ascii: "^"): "a keyed archive cannot hold pointers"
    case UInt8(ascii: "b"): "a keyed archive cannot hold bit fields; encode them as a number"
    default: "the type code \(typeName(code)) cannot be archived"
    }
  }

  /// Bytes that an element of an array takes in memory, as Apple notes them.
  static func size(_ code: UInt8) -> Int {
    switch code {
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"): 1
    case UInt8(ascii: "s"), UInt8(ascii: "S"): 2
    case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "l"), UInt8(ascii: "L"),
      UInt8(ascii: "f"):
      4
    default: 8
    }
  }

  /// Whether a size is possible for a type: pointers and `long` were of four bytes or of eight.
  static func admits(size: Int, of code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "@"), UInt8(ascii: "#"),
      UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "%"):
      size == 4 || size == 8
    default: size == self.size(code)
    }
  }

  /// Whether a whole number fits a type of whole numbers; `nil` for other types.
  static func holds(_ value: Int64, _ code: UInt8) -> Bool? {
    switch code {
    case UInt8(ascii: "c"): Int8(exactly: value) != nil
    case UInt8(ascii: "C"): UInt8(exactly: value) != nil
    case UInt8(ascii: "s"): Int16(exactly: value) != nil
    case UInt8(ascii: "S"): UInt16(exactly: value) != nil
    case UInt8(ascii: "i"), UInt8(ascii: "l"): Int32(exactly: value) != nil
    case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt32(exactly: value) != nil
    case UInt8(ascii: "q"): true
    case UInt8(ascii: "Q"): value >= 0
    case UInt8(ascii: "B"): value == 0 || value == 1
    default: nil
    }
  }
}
