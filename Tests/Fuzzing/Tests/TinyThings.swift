import Archiving
import Testing

/// A typedstream of millions of things that take some bytes each.
struct TinyThings: Sendable, CustomTestStringConvertible {
  let name: String
  /// The readers of `HostileReader` that it is shown to.
  let readers: [String]
  /// The stream, byte by byte: what begins it, what is repeated, what is repeated behind that.
  private let first: [UInt8]
  private let rest: [UInt8]
  private let last: [UInt8]
  /// What ends it.
  private var end: [UInt8] = []

  var testDescription: String { name }

  /// About how many bytes each has.
  static let size: Int = {
    #if DEBUG
      return 768 << 10
    #else
      return 6 << 20
    #endif
  }()

  var bytes: [UInt8] {
    var bytes = TypedstreamWriter().bytes + first
    bytes.reserveCapacity(bytes.count + Self.size)
    for _ in 0..<max(0, Self.count(rest, last) - 1) { bytes += rest }
    for _ in 0..<Self.count(rest, last) { bytes += last }
    return bytes + end
  }

  private static func count(_ rest: [UInt8], _ last: [UInt8] = []) -> Int {
    rest.isEmpty ? 0 : size / (rest.count + last.count)
  }

  // Strings and objects are counted from 0x92 on: what a reference is, is said behind it.
  static let all: [TinyThings] = [
    TinyThings(
      "arrays within arrays", ["events"],
      string(String(repeating: "[1", count: 6) + "s" + String(repeating: "]", count: 6)) + [1],
      [0x92, 1]),
    objects(
      "objects", ["events", "objects", "values"], first: object("Crumb"), [0x84, 0x95, 0x86]),
    objects("nulls", ["events", "values"], first: object("NSNull"), [0x84, 0x95, 0x86]),
    objects(
      "numbers", ["events", "values"],
      first: [0x84, 0x84] + string("NSNumber") + [0, 0x85] + string("*") + [0x84] + string("c")
        + [0x97, 1, 0x86],
      // Class 3; "*", string 4; a new C string with the text "c", string 5; "c" again; the value.
      [0x84, 0x95, 0x96, 0x84, 0x97, 0x97, 1, 0x86]),
    objects(
      "arrays of one element", ["events", "values"],
      first: [0x84, 0x93, 0x94, 1, 0x92] + object("NSNull") + [0x86],
      [0x84, 0x93, 0x94, 1, 0x92, 0x84, 0x96, 0x86, 0x86]),
    values("C strings", "*", first: [0x84] + string("x"), [0x84, 0x93]),
    values("absent objects", "@", first: [0x85], [0x85]),
    values("small numbers", "s", first: [1], [1]),
    TinyThings(
      "typed arrays of one element", ["events", "objects"], string("[1s]") + [1], [0x92, 1]),
    values("new empty strings", "%", first: string(""), string("")),
    TinyThings("new types", ["events", "objects"], string("s") + [1], string("s") + [1]),
    TinyThings(
      "new types of arrays", ["events", "objects"], string("[1s]") + [1], string("[1s]") + [1]),
    values("classes", "#", first: [0x84, 0x92, 0, 0x85], [0x84, 0x92, 0, 0x85]),
    TinyThings(
      "objects within objects", ["events", "values"], string("@") + object("Crumb", isOpen: true),
      [0x92, 0x84, 0x93], [0x86]),
    TinyThings(
      "objects that do not end", ["events"], string("@") + object("Crumb", isOpen: true),
      [0x92, 0x84, 0x93]),
    TinyThings(
      "arrays within objects", ["events"],
      string(String(repeating: "[1", count: 60) + "@" + String(repeating: "]", count: 60))
        + object("Crumb", isOpen: true),
      [0x92, 0x84, 0x93]),
    longName,
  ]

  private init(
    _ name: String, _ readers: [String], _ first: [UInt8], _ rest: [UInt8], _ last: [UInt8] = []
  ) {
    (self.name, self.readers) = (name, readers)
    (self.first, self.rest, self.last) = (first, rest, last)
  }

  /// An array object: object 0, of class 1; the strings "@" and "i" have the numbers 0 and 2.
  private static func objects(
    _ name: String, _ readers: [String], first: [UInt8], _ rest: [UInt8]
  ) -> TinyThings {
    let count = UInt32(count([0x92] + rest))
    var things = TinyThings(
      name, readers,
      string("@") + object("NSArray", isOpen: true) + string("i") + number(count) + [0x92] + first,
      [0x92] + rest)
    things.end = [0x86]
    return things
  }

  /// A group of one array of values of a type.
  private static func values(
    _ name: String, _ type: String, first: [UInt8], _ rest: [UInt8]
  ) -> TinyThings {
    TinyThings(name, ["events", "objects"], string("[\(count(rest))\(type)]") + first, rest)
  }

  /// Many classes that share one name, which is most of the stream.
  private static let longName: TinyThings = {
    let count = 60_000
    let text = [UInt8](repeating: UInt8(ascii: "N"), count: size - 4 * count)
    var things = TinyThings(
      "classes of one long name", ["events", "objects", "values"],
      string("[\(count)#]") + [0x84, 0x84] + number(UInt32(text.count)) + text + [0, 0x85], [])
    for _ in 1..<count { things.end += [0x84, 0x93, 0, 0x85] }
    return things
  }()

  // MARK: Bytes

  private static func object(_ name: String, isOpen: Bool = false) -> [UInt8] {
    [0x84, 0x84] + string(name) + [0, 0x85] + (isOpen ? [] : [0x86])
  }

  /// A shared string that is new.
  private static func string(_ text: String) -> [UInt8] {
    [0x84] + number(UInt32(text.utf8.count)) + Array(text.utf8)
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    if value < 0x80 { return [UInt8(value)] }
    return [0x82] + (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
