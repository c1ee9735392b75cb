/// The state of a node, in one word: three bits of kind and a place in a table.
enum Memo {
  /// Nothing yet.
  case none
  /// Its object or value is being made.
  case underConstruction
  /// It was made once as a value that is not kept; the second time it is kept.
  case madeOnce
  /// An object that was made.
  case object(Int)
  /// A value that was made more than once.
  case value(Int)
  /// A string that is kept: a long one, or one that was read more than once.
  case string(Int)
  /// A short string that was read once.
  case readOnce
  /// The record of a class.
  case record(Int)

  @inline(__always)
  init(_ word: UInt32) {
    let place = Int(word & 0x1FFF_FFFF)
    self =
      switch word >> 29 {
      case 1: .underConstruction
      case 2: .madeOnce
      case 3: .object(place)
      case 4: .value(place)
      case 5: .string(place)
      case 6: .record(place)
      case 7: .readOnce
      default: .none
      }
  }

  @inline(__always)
  var word: UInt32 {
    switch self {
    case .none: 0
    case .underConstruction: 1 << 29
    case .madeOnce: 2 << 29
    case .object(let place): 3 << 29 | UInt32(truncatingIfNeeded: place)
    case .value(let place): 4 << 29 | UInt32(truncatingIfNeeded: place)
    case .string(let place): 5 << 29 | UInt32(truncatingIfNeeded: place)
    case .record(let place): 6 << 29 | UInt32(truncatingIfNeeded: place)
    case .readOnce: 7 << 29
    }
  }
}
