/// The numbered items of a typedstream: shared strings, and objects, classes and C strings.
///
/// Twelve bytes for each of them, which takes at least two in the stream. The arrays never move
/// while they grow, because there would be both copies at once.
struct TypedstreamTables: Sendable {
  /// Where the text of each shared string begins, and its length.
  var stringStarts: [UInt32] = []
  var stringLengths: [UInt32] = []
  /// Per shared string where its words as a type begin; 0 where it is not compiled.
  var programs: [UInt32] = []
  /// The words of types, each ended by `TypeWord.end`; first those of all types of one character.
  var words: [UInt32] = (0..<2 * firstLong).map { $0 % 2 == 0 ? $0 / 2 : TypeWord.end }

  /// The objects, classes and C strings.
  var items: [Item] = []

  /// An object, a class or a C string.
  struct Item: BitwiseCopyable {
    /// The offset at which it appears.
    var start: UInt32
    /// The offset behind an object.
    var end: UInt32 = 0
    /// The kind in the upper two bits, and the class or shared string below.
    var details: UInt32

    init(_ entry: Entry, at offset: Int) {
      start = UInt32(truncatingIfNeeded: offset)
      details = entry.details
    }
  }

  var classes: [TypedstreamClass] = []

  /// How many words the types of one stream may have; those of real ones have some hundreds.
  static let wordsMax = 1 << 18
  /// How many classes one stream may have.
  static let classesMax = 1 << 16

  /// How many words each type of one character has the first of.
  private static let firstLong: UInt32 = 256

  /// Makes room for as many objects and as many strings; unused pages take no memory.
  mutating func reserve(_ count: Int) {
    items.reserveCapacity(count)
    stringStarts.reserveCapacity(count)
    stringLengths.reserveCapacity(count)
    programs.reserveCapacity(count)
  }

  /// How many bytes there are in all.
  var byteCount: Int {
    4 * (words.count + 3 * items.count + 3 * stringStarts.count)
      + classes.count * MemoryLayout<TypedstreamClass>.stride
  }

  /// Where the words of a type of one character begin.
  static func program(ofCode code: UInt8) -> UInt32 { 2 * UInt32(code) }

  /// The meaning of a shared string as a type: 0 not compiled, 1 several words, or its one code.
  @inline(__always)
  func typeCode(_ string: Int) -> UInt8 {
    let program = programs[string]
    return program < 2 * Self.firstLong ? UInt8(truncatingIfNeeded: program / 2) : 1
  }

  /// Whether a shared string is the type of so many bytes, and of nothing else.
  func isByteArray(_ string: Int, _ count: Int) -> Bool {
    let program = Int(programs[string])
    return words[program] == TypeWord.rawBytes && words[program + 2] == TypeWord.end
      && Int(words[program + 1]) == count
  }

  /// The item of a number.
  enum Entry: Equatable {
    case object(classIndex: Int)
    case archivedClass(Int)
    case cString(string: Int)
  }

  @inline(__always)
  func entry(_ number: Int) -> Entry? {
    guard number >= 0, number < items.count else { return nil }
    let details = items[number].details
    let place = Int(details & 0x3FFF_FFFF)
    switch details >> 30 {
    case 0: return .object(classIndex: place)
    case 1: return .archivedClass(place)
    default: return .cString(string: place)
    }
  }

  @inline(__always)
  mutating func add(_ kind: Entry, at offset: Int) -> Int {
    items.append(Item(kind, at: offset))
    return items.count &- 1
  }

  @inline(__always)
  mutating func set(_ kind: Entry, of number: Int) { items[number].details = kind.details }

  /// The number of the item at an offset; `hint` is tried first, with those that follow.
  @inline(__always)
  func number(at offset: Int, hint: Int) -> Int? {
    for number in hint..<min(hint &+ 4, items.count) where Int(items[number].start) == offset {
      return number
    }
    return Self.find(offset, count: items.count) { Int(items[$0].start) }
  }

  /// The number of the shared string whose text begins at an offset.
  func string(at offset: Int) -> Int? {
    Self.find(offset, count: stringStarts.count) { Int(stringStarts[$0]) }
  }

  private static func find(_ offset: Int, count: Int, in offsets: (Int) -> Int) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if offsets(middle) < offset { low = middle + 1 } else { high = middle }
    }
    return low < count && offsets(low) == offset ? low : nil
  }
}

extension TypedstreamTables.Entry {
  /// The kind in the upper two bits, and the class or shared string below.
  @inline(__always)
  fileprivate var details: UInt32 {
    switch self {
    case .object(let index): UInt32(truncatingIfNeeded: index)
    case .archivedClass(let index): 1 << 30 | UInt32(truncatingIfNeeded: index)
    case .cString(let string): 2 << 30 | UInt32(truncatingIfNeeded: string)
    }
  }
}
