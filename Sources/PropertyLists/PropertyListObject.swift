/// One object of a binary property list: numbers as values, everything else as a place in the file.
///
/// Nothing is copied and no child is looked at, so that a reader pays for what it uses.
@frozen
public enum PropertyListObject: Hashable, Sendable {
  /// Nothing; no archive holds it, but the format has it.
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond `Int64`.
  case unsigned(UInt64)
  /// A real number of eight bytes.
  case double(Double)
  /// A real number of four bytes.
  case float(Float)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// Bytes, as their place in the file.
  case data(Range<Int>)
  /// A string of ASCII characters, as the place of its bytes.
  case ascii(Range<Int>)
  /// A string of big-endian UTF-16 units, as the place of its bytes.
  case utf16(Range<Int>)
  /// A reference of a keyed archive.
  case uid(UInt32)
  /// An array of objects.
  case array(PropertyListReferences)
  /// A set of objects.
  case set(PropertyListReferences)
  /// A dictionary: as many keys as values.
  case dictionary(keys: PropertyListReferences, values: PropertyListReferences)

  /// Its kind, in a word for messages.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .unsigned: "a whole number"
    case .double, .float: "a real number"
    case .date: "a date"
    case .data: "data"
    case .ascii, .utf16: "a string"
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

/// A row of references in the file, checked to lie inside it.
@frozen
public struct PropertyListReferences: Hashable, Sendable, BitwiseCopyable {
  /// The offset of the first one.
  public let start: Int
  /// How many there are.
  public let count: Int

  @inlinable
  init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }
}
