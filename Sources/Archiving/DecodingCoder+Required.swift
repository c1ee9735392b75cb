// The methods that throw `.valueNotFound` when there is no value for the key. Inlined into callers,
// so that objects of a known type come without asking for the type at run time.
extension DecodingCoder {
  /// Decodes a truth value; a number must be 0 or 1; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeBool(forKey key: String) throws -> Bool {
    try present(decodeBoolIfPresent(forKey: key), key)
  }

  /// Decodes a whole number; a real number must be whole; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeInt(forKey key: String) throws -> Int {
    try present(decodeIntIfPresent(forKey: key), key)
  }

  /// Decodes a whole number that must fit into 32 bits; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeInt32(forKey key: String) throws -> Int32 {
    try present(decodeInt32IfPresent(forKey: key), key)
  }

  /// Decodes a whole number of 64 bits; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeInt64(forKey key: String) throws -> Int64 {
    try present(decodeInt64IfPresent(forKey: key), key)
  }

  /// Decodes a real number, rounded to 32 bits; throws when it is too large or absent.
  @inlinable
  @inline(__always)
  public func decodeFloat(forKey key: String) throws -> Float {
    try present(decodeFloatIfPresent(forKey: key), key)
  }

  /// Decodes a real number, or a whole one; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeDouble(forKey key: String) throws -> Double {
    try present(decodeDoubleIfPresent(forKey: key), key)
  }

  /// Decodes a string; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeString(forKey key: String) throws -> String {
    try present(decodeStringIfPresent(forKey: key), key)
  }

  /// Decodes a date as seconds since 2001-01-01 00:00:00 UTC; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeDate(forKey key: String) throws -> Double {
    try present(decodeDateIfPresent(forKey: key), key)
  }

  /// Decodes an array of strings; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeStrings(forKey key: String) throws -> [String] {
    try present(decodeStringsIfPresent(forKey: key), key)
  }

  /// Decodes an array of whole numbers; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeInts(forKey key: String) throws -> [Int] {
    try present(decodeIntsIfPresent(forKey: key), key)
  }

  /// Decodes an array of real numbers; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeDoubles(forKey key: String) throws -> [Double] {
    try present(decodeDoublesIfPresent(forKey: key), key)
  }

  /// Decodes a dictionary of strings; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeStringDictionary(forKey key: String) throws -> [String: String] {
    try present(decodeStringDictionaryIfPresent(forKey: key), key)
  }

  /// Decodes a dictionary of strings in its own order; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeStringPairs(forKey key: String) throws -> [(key: String, value: String)] {
    try present(decodeStringPairsIfPresent(forKey: key), key)
  }

  /// Decodes an object of a class, or of a listed subclass of it; throws when it is absent.
  public func decodeObject<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object {
    try present(decodeObjectIfPresent(type, forKey: key), key)
  }

  /// Decodes an object of one of the classes of a list; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeObject<Slot>(in classes: ClassList<Slot>, forKey key: String) throws -> Slot {
    try present(decodeObjectIfPresent(in: classes, forKey: key), key)
  }

  /// Decodes an array of objects of a class; throws when it is absent.
  public func decodeObjects<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object] {
    try present(decodeObjectsIfPresent(type, forKey: key), key)
  }

  /// Decodes an array of objects of the classes of a list; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeObjects<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot] {
    try present(decodeObjectsIfPresent(in: classes, forKey: key), key)
  }

  /// Decodes a dictionary of objects of a class; throws when it is absent.
  @inlinable
  @inline(__always)
  public func decodeDictionary<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> [String: Object] {
    try present(decodeDictionaryIfPresent(of: type, forKey: key), key)
  }

  @inlinable
  @inline(__always)
  func present<Value>(_ value: Value?, _ key: String) throws -> Value {
    guard let value else { throw valueNotFound(forKey: key) }
    return value
  }
}
