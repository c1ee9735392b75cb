/// A value together with the kind of type code that says how it is archived.
///
/// The codes are those of Objective-C's `@encode`. `encodeValues(_:ofTypes:)` writes such values in
/// the order in which they are given:
///
///     try coder.encodeValues([.double(2.5), .integer(7), .cString(Array("name".utf8))],
///       ofTypes: "di*")
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum TypedValue {
  /// A whole number: `c C s S i I l L q Q B`; one that does not fit its type is an error.
  case integer(Int64)
  /// A whole number beyond `Int64`, for `Q`.
  case unsigned(UInt64)
  /// A real number of 32 bits: `f`.
  case float(Float)
  /// A real number of 64 bits: `d`.
  case double(Double)
  /// An object or value, or none: `@`.
  case object((any Coding)?)
  /// A reference to an object if something else encodes it: `@`, for encoding only.
  case conditionalObject((any Coding)?)
  /// The bytes of a C string without their end, or none: `*`.
  case cString([UInt8]?)
  /// The bytes of a unique C string, or none: `%`.
  case atom([UInt8]?)
  /// The name of a method, or none: `:`.
  case selector(String?)
  /// A class, or none: `#`.
  case archivedClass(ArchivedClass?)
  /// Counted bytes, or none: `+`.
  case bytes([UInt8]?)
  /// An array of bytes: `[nc]`, `[nC]`.
  case byteArray([UInt8])
  /// An array of values of one type: `[nT]`.
  case array([TypedValue])
  /// The fields of a structure: `{name=…}`.
  case structure([TypedValue])
  /// What a pointer points to, or nothing: `^T`; for sequential archives only.
  indirect case pointer(TypedValue?)
}

extension TypedValue {
  /// Its kind, in a word for messages.
  var kindName: String {
    switch self {
    case .integer, .unsigned: "a whole number"
    case .float, .double: "a real number"
    case .object, .conditionalObject: "an object"
    case .cString, .atom: "a C string"
    case .selector: "a selector"
    case .archivedClass: "a class"
    case .bytes, .byteArray: "bytes"
    case .array: "an array"
    case .structure: "a structure"
    case .pointer: "a pointer"
    }
  }
}
