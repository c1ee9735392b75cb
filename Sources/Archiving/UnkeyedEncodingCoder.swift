/// The methods of a coder that take no key: their values are found again by their order.
///
/// A sequential coder writes each call as one group of values. A keyed coder stores the values of
/// an object under `$0`, `$1` and so on, counted for each object; calls with and without keys can
/// be mixed there.
public protocol UnkeyedEncodingCoder: AnyObject {
  /// Encodes values by their type codes, such as `di@` for a real number, a whole one and an
  /// object.
  ///
  /// The qualifiers `r n N o O R V` may stand before a type. In a sequential archive, types nest
  /// (`[2{Stop=i@}]`), and `^i` is a pointer to a value.
  ///
  /// Throws `.typeMismatch` when a value is not of its type or does not fit it, and `.misuse` for a
  /// type that this kind of coder cannot hold.
  func encodeValues(_ values: [TypedValue], ofTypes types: String) throws

  /// Encodes a truth value.
  func encodeBool(_ value: Bool) throws
  /// Encodes a whole number.
  func encodeInt(_ value: Int) throws
  /// Encodes a whole number of 32 bits.
  func encodeInt32(_ value: Int32) throws
  /// Encodes a whole number of 64 bits.
  func encodeInt64(_ value: Int64) throws
  /// Encodes a real number of 32 bits.
  func encodeFloat(_ value: Float) throws
  /// Encodes a real number of 64 bits.
  func encodeDouble(_ value: Double) throws
  /// Encodes a string object, or none.
  func encodeString(_ value: String?) throws
  /// Encodes bytes inside the object itself (Cocoa's `encodeBytes:length:`), or none.
  func encodeBytes(_ value: [UInt8]?) throws
  /// Encodes bytes as a data object of their own (Cocoa's `NSData`), or none.
  func encodeData(_ value: [UInt8]?) throws
  /// Encodes a date as seconds since 2001-01-01 00:00:00 UTC, or none.
  func encodeDate(_ secondsSinceReferenceDate: Double?) throws

  /// Encodes an object or value, or none; an object that was encoded before is referred to.
  func encodeObject<Object: Coding>(_ object: Object?) throws
  /// Refers to an object if something else in the archive encodes it, before or after; else none.
  func encodeConditionalObject<Object: Coding>(_ object: Object?) throws
  /// Encodes the root of a graph; its conditional references must lead into the graph.
  func encodeRootObject<Object: Coding>(_ object: Object?) throws
  /// Encodes an object that a port coder copies instead of referring to it.
  func encodeBycopyObject<Object: Coding>(_ object: Object?) throws
  /// Encodes an object that a port coder refers to instead of copying it.
  func encodeByrefObject<Object: Coding>(_ object: Object?) throws
}

extension UnkeyedEncodingCoder {
  /// Encodes the root of a graph: an object like any other, where a coder knows no difference.
  public func encodeRootObject<Object: Coding>(_ object: Object?) throws {
    try encodeObject(object)
  }

  /// Encodes an object; only port coders know a difference.
  public func encodeBycopyObject<Object: Coding>(_ object: Object?) throws {
    try encodeObject(object)
  }

  /// Encodes an object; only port coders know a difference.
  public func encodeByrefObject<Object: Coding>(_ object: Object?) throws {
    try encodeObject(object)
  }

  /// Encodes the text of a C string.
  public func encodeCString(_ text: String?) throws {
    try encodeValues([.cString(text.map { Array($0.utf8) })], ofTypes: "*")
  }

  /// Encodes the name of a method.
  public func encodeSelector(_ name: String?) throws {
    try encodeValues([.selector(name)], ofTypes: ":")
  }

  /// Encodes a class by its name.
  public func encodeClass(_ archivedClass: ArchivedClass?) throws {
    try encodeValues([.archivedClass(archivedClass)], ofTypes: "#")
  }
}
