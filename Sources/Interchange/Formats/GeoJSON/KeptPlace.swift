/// The place in a geometry's own text: numbers of coordinates are rounded, others are not.
struct KeptPlace {
  private enum Container {
    case geometry, geometries, coordinates, other
  }

  private var containers: [Container] = []
  /// The last string, and the member's name after a colon.
  private var string: ArraySlice<UInt8> = []
  private var name: ArraySlice<UInt8> = []

  /// Whether the place is inside of coordinates.
  var isInCoordinates: Bool { containers.last == .coordinates }

  /// Skips the first token of the rest of a valid JSON text.
  ///
  /// - Returns: the number of its bytes; at least one.
  mutating func step(into rest: ArraySlice<UInt8>) -> Int {
    switch rest.first ?? 0 {
    case UInt8(ascii: "\""):
      string = Self.string(rest)
      return string.count
    case UInt8(ascii: ":"): name = string.dropFirst().dropLast()
    case UInt8(ascii: "{"):
      let isGeometry = containers.isEmpty || containers.last == .geometries
      containers.append(isGeometry ? .geometry : .other)
    case UInt8(ascii: "["): containers.append(array)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return rest.prefix { $0 > 0x2A && $0 < 0x7B && $0 != UInt8(ascii: ",") && $0 != 0x5D }.count
    default: break
    }
    return 1
  }

  /// The kind of an array that opens here.
  private var array: Container {
    switch containers.last {
    case .coordinates: .coordinates
    case .geometry where name.elementsEqual("coordinates".utf8): .coordinates
    case .geometry where name.elementsEqual("geometries".utf8): .geometries
    default: .other
    }
  }

  /// The string at the beginning with its quotes.
  private static func string(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isEscaped = false
    for index in rest.indices.dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if rest[index] == UInt8(ascii: "\\") {
        isEscaped = true
      } else if rest[index] == UInt8(ascii: "\"") {
        return rest[...index]
      }
    }
    return rest
  }
}
