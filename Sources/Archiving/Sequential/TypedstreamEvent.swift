/// One step through a typedstream, as `TypedstreamScanner` reports it.
///
/// Numbers of objects are those of the stream itself: objects, classes and C strings are counted
/// together from 0 in the order in which they appear. Shared strings have a count of their own.
public enum TypedstreamEvent: Hashable, Sendable {
  /// A group of values begins; its types are the shared string of this number.
  case beginGroup(types: Int)
  /// A type `c`, `C` or `B`.
  case byte(UInt8)
  /// A whole number of another type, cut to the width of its type, and how it is written.
  case integer(Int64, NumberForm)
  /// A type `f`.
  case float(Float, NumberForm)
  /// A type `d`.
  case double(Double, NumberForm)
  /// A type `[nc]`: the place of its bytes.
  case byteArray(Range<Int>)
  /// A type `+`: the place of its bytes.
  case bytes(Range<Int>)
  /// A selector `:` or unique string `%`: the number of its shared string.
  case string(Int)
  /// A C string that appears for the first time: its number, and that of its shared string.
  case newCString(Int, string: Int)
  /// A class `#`: its place in `classes`.
  case archivedClass(Int)
  /// An object that appears for the first time; its groups follow up to `endObject`.
  case beginObject(Int)
  /// The end of the object that began last and has not ended.
  case endObject
  /// A reference to an object, a class or a C string that appeared before.
  case reference(Int)
  /// No object, class, string or bytes.
  case none
  /// An array of elements that are no bytes; those that take no room in the stream are left out.
  case beginArray(count: Int)
  /// The end of an array.
  case endArray
  /// A structure.
  case beginStructure
  /// The end of a structure.
  case endStructure
  /// A type `!`, which takes no room.
  case nothing
}

/// How a number is written in a typedstream.
public enum NumberForm: UInt8, Hashable, Sendable {
  /// A whole number in one byte.
  case oneByte = 1
  /// A whole number in two bytes after a head.
  case twoBytes = 2
  /// A whole number in four bytes after a head.
  case fourBytes = 4
  /// A whole number in eight bytes after a head.
  case eightBytes = 8
  /// The bits of a real number after a head.
  case real = 0

  /// The form in which Apple's archiver writes a whole number.
  @inline(__always)
  package static func shortest(_ value: Int64) -> NumberForm {
    if value >= -110, value <= 127 { return .oneByte }
    if value >= -32_767, value <= 32_767 { return .twoBytes }
    return Int64(Int32(truncatingIfNeeded: value)) == value ? .fourBytes : .eightBytes
  }

  /// The form in which Apple's archiver writes a real number.
  package static func shortest(_ value: Double) -> NumberForm {
    guard value.magnitude <= 2_147_483_647, value == value.rounded(.towardZero),
      Double(Float(value)) == value
    else { return .real }
    return shortest(Int64(value))
  }
}

/// Which end of a number comes first in a typedstream.
public enum TypedstreamByteOrder: Hashable, Sendable {
  /// As on i386, x86-64 and Apple silicon: `streamtyped`.
  case littleEndian
  /// As on m68k and PowerPC: `typedstream`.
  case bigEndian
}

/// A class that a typedstream describes.
public struct TypedstreamClass: Hashable, Sendable {
  /// The number of its name among the shared strings.
  public let name: Int
  /// The version of the class that wrote its instances.
  public let version: Int
  /// The number of the class among objects, classes and C strings.
  public let number: Int
  /// The place of the superclass in `classes`; `nil` for a root class.
  public internal(set) var superclass: Int?
  /// How many superclasses it has.
  var depth = 0
}
