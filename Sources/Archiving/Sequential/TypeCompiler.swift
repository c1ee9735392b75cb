import PropertyLists

/// Why a type string cannot be read or written.
package struct TypeFault: Error {
  package var reason: String
}

/// The words of a compiled type string besides the codes of single types, which stand for
/// themselves.
package enum TypeWord {
  /// The end of all words; none of them is 0 but counts.
  static let end: UInt32 = 0
  /// `[nc]`: raw bytes; the count follows.
  package static let rawBytes: UInt32 = 1
  /// `[`: the count, the words up to `]`, and the least bytes of one element follow.
  package static let beginArray = UInt32(UInt8(ascii: "["))
  package static let endArray = UInt32(UInt8(ascii: "]"))
  package static let beginStructure = UInt32(UInt8(ascii: "{"))
  package static let endStructure = UInt32(UInt8(ascii: "}"))
}

/// Takes type strings apart, once for each that a stream has.
///
///     types := type…          type := one of cCBsSiIlLqQfd@#:*%+!
///                                   | [ count type ]
///                                   | { types } | { name = types }
///                                   | one of rnNoORV before another type
package struct TypeCompiler {
  /// How long a type string may be; the longest of real streams have some hundred characters.
  static let lengthMax = 16 * 1024
  /// How deep brackets may be nested.
  static let depthMax = 64

  private struct Level {
    var isArray = false
    var word = 0
    /// The least bytes that the types so far take.
    var minimum: UInt64 = 0
    var typeCount = 0
  }

  private let text: [UInt8]
  private var place = 0
  private var levels: [Level] = []
  private var level = Level()
  private var words: [UInt32] = []

  /// The words of a type string.
  package static func compile(_ text: [UInt8]) throws(TypeFault) -> [UInt32] {
    var compiler = TypeCompiler(text: text)
    try compiler.run()
    return compiler.words
  }

  private init(text: [UInt8]) { self.text = text }

  private mutating func run() throws(TypeFault) {
    guard text.count <= Self.lengthMax else {
      throw TypeFault(reason: "a type string of \(counted(text.count, "character"))")
    }
    while place < text.count {
      let code = text[place]
      place += 1
      switch code {
      case UInt8(ascii: "["): try beginArray()
      case UInt8(ascii: "]"): try endArray()
      case UInt8(ascii: "{"): try beginStructure()
      case UInt8(ascii: "}"): try endStructure()
      default: try addType(code)
      }
    }
    guard levels.isEmpty else { throw TypeFault(reason: "a type string that ends too early") }
    guard level.typeCount > 0 else { throw TypeFault(reason: "an empty type string") }
  }

  private mutating func addType(_ code: UInt8) throws(TypeFault) {
    // How a value is passed says nothing about its form.
    if TypeSpelling.isQualifier(code) { return }
    guard isSingleType(code) else {
      let name = code > 0x20 && code < 0x7F ? "\(Character(Unicode.Scalar(code)))" : "\(code)"
      throw TypeFault(reason: "the type code \(name) cannot be archived")
    }
    words.append(UInt32(code))
    add(minimum: code == UInt8(ascii: "!") ? 0 : 1)
  }

  private mutating func add(minimum: UInt64) {
    level.minimum = min(level.minimum + minimum, UInt64(UInt32.max))
    level.typeCount += 1
  }

  private mutating func push(isArray: Bool) throws(TypeFault) {
    guard levels.count < Self.depthMax else {
      throw TypeFault(reason: "types nested deeper than \(Self.depthMax)")
    }
    levels.append(level)
    level = Level(isArray: isArray, word: words.count)
  }

  private mutating func beginArray() throws(TypeFault) {
    var count: UInt64 = 0
    let first = place
    while place < text.count, text[place] >= 0x30, text[place] <= 0x39 {
      count = count * 10 + UInt64(text[place] - 0x30)
      guard count <= UInt64(UInt32.max) else { throw TypeFault(reason: "an array too long") }
      place += 1
    }
    guard place > first else { throw TypeFault(reason: "an array type without a count") }
    if place + 1 < text.count, isByteType(text[place]), text[place + 1] == UInt8(ascii: "]") {
      place += 2
      words += [TypeWord.rawBytes, UInt32(count)]
      return add(minimum: count)
    }
    try push(isArray: true)
    words += [TypeWord.beginArray, UInt32(count), 0, 0]
  }

  private mutating func endArray() throws(TypeFault) {
    guard level.isArray, let outer = levels.popLast() else {
      throw TypeFault(reason: "a ] without its [")
    }
    guard level.typeCount == 1 else {
      throw TypeFault(reason: "an array type needs one element type")
    }
    words[level.word + 2] = UInt32(words.count - level.word - 4)
    words[level.word + 3] = UInt32(level.minimum)
    words.append(TypeWord.endArray)
    let total = UInt64(words[level.word + 1]) * level.minimum
    level = outer
    add(minimum: total)
  }

  private mutating func beginStructure() throws(TypeFault) {
    let brackets: [UInt8] = [0x7B, 0x7D, 0x5B, 0x5D, 0x28, 0x29]
    let ahead = text[place...].firstIndex { $0 == UInt8(ascii: "=") || brackets.contains($0) }
    if let ahead, text[ahead] == UInt8(ascii: "=") { place = ahead + 1 }
    try push(isArray: false)
    words.append(TypeWord.beginStructure)
  }

  private mutating func endStructure() throws(TypeFault) {
    guard !level.isArray, let outer = levels.popLast() else {
      throw TypeFault(reason: "a } without its {")
    }
    let minimum = level.minimum
    level = outer
    words.append(TypeWord.endStructure)
    add(minimum: minimum)
  }

  private func isByteType(_ code: UInt8) -> Bool {
    code == UInt8(ascii: "c") || code == UInt8(ascii: "C") || code == UInt8(ascii: "B")
  }

  private func isSingleType(_ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"), UInt8(ascii: "s"),
      UInt8(ascii: "S"), UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "l"),
      UInt8(ascii: "L"), UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(ascii: "f"),
      UInt8(ascii: "d"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: ":"),
      UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "!"):
      true
    default: false
    }
  }
}
