/// One item of a GNUstep archive, as `GNUstepArchiveScanner` reports it.
///
/// The format says where an object begins and not where it ends: only its class knows how many
/// items it wrote. So items are a flat row, in which those of an object follow it directly.
///
/// Classes, objects and pointers are each numbered from 1 in the order in which they appear.
public enum GNUstepArchiveEvent: Hashable, Sendable {
  /// A whole number, with the code of its C type, such as `i`.
  case integer(Int64, type: UInt8)
  /// A whole number of an unsigned C type.
  case unsigned(UInt64, type: UInt8)
  /// A whole number of 128 bits: the place of its bytes.
  case wideInteger(Range<Int>, type: UInt8)
  /// A type `f`.
  case float(Float)
  /// A type `d`.
  case double(Double)
  /// A type `B`.
  case bool(Bool)
  /// An object that appears for the first time; its items follow. Class 0 is none.
  case beginObject(Int, classNumber: Int)
  /// An object that appeared before.
  case reference(Int)
  /// A class that stands where an object may.
  case classObject(Int, classNumber: Int)
  /// A class `#`.
  case archivedClass(Int)
  /// A selector that appears for the first time: the places of its name and its types.
  case newSelector(Int, name: Range<Int>, types: Range<Int>)
  /// A C string that appears for the first time: the place of its bytes.
  case newCString(Int, Range<Int>)
  /// A new pointer; its target follows.
  case newPointer(Int)
  /// A selector, C string or pointer that appeared before.
  case pointerReference(Int)
  /// No object, class, selector, string or pointer; with the code of its type, such as `@`.
  case none(type: UInt8)
  /// An array of numbers: the code and width of each, and the place of them all.
  case numbers(type: UInt8, width: Int, Range<Int>)
  /// An array whose elements follow as items.
  case beginArray(count: Int)
  /// A structure, whose members follow as items.
  case beginStructure
}

/// A class that a GNUstep archive describes.
public struct GNUstepArchiveClass: Hashable, Sendable {
  /// The place of its name in the bytes.
  public let name: Range<Int>
  /// The version of the class that wrote its instances.
  public let version: UInt32
  /// The number of its superclass, where the archive tells it; 0 where not.
  ///
  /// A superclass that was described before is not named again, so that a chain may be cut.
  public internal(set) var superclass = 0
}
