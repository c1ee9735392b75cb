/// The methods of a coder that take no key: they give the values in the order of their encoding.
///
/// See `UnkeyedEncodingCoder`.
public protocol UnkeyedDecodingCoder: AnyObject {
  /// Decodes values by their type codes, the same as they were encoded with.
  ///
  /// An object (`@`) among them needs the list of the classes that may be made; without one it is
  /// `.misuse`.
  func decodeValues(
    ofTypes types: String, in classes: ClassList<any Coding>?
  ) throws -> [TypedValue]

  /// Decodes a truth value; a number must be 0 or 1.
  func decodeBool() throws -> Bool
  /// Decodes a whole number.
  func decodeInt() throws -> Int
  /// Decodes a whole number that must fit into 32 bits.
  func decodeInt32() throws -> Int32
  /// Decodes a whole number of 64 bits.
  func decodeInt64() throws -> Int64
  /// Decodes a real number, rounded to 32 bits; one too large for these throws.
  func decodeFloat() throws -> Float
  /// Decodes a real number.
  func decodeDouble() throws -> Double
  /// Decodes a string object.
  func decodeStringIfPresent() throws -> String?
  /// Decodes bytes inside the object itself.
  func decodeBytesIfPresent() throws -> [UInt8]?
  /// Decodes a data object.
  func decodeDataIfPresent() throws -> [UInt8]?
  /// Decodes a date as seconds since 2001-01-01 00:00:00 UTC.
  func decodeDateIfPresent() throws -> Double?

  /// Decodes an object of a class, or of a listed subclass of it.
  func decodeObjectIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object?
  /// Decodes an object of one of the classes of a list.
  func decodeObjectIfPresent<Slot>(in classes: ClassList<Slot>) throws -> Slot?
  /// Hands over an object once the whole graph stands; see `decodeReference(_:forKey:then:)`.
  func decodeReference<Object: Coding>(
    _ type: Object.Type, then assign: @escaping (Object) -> Void
  ) throws

  /// Hands over an object of the classes of a list once the whole graph stands.
  func decodeReference<Slot>(
    in classes: ClassList<Slot>, then assign: @escaping (Slot) -> Void
  ) throws

  /// The version that a class has: in a sequential archive when its objects were written, in a
  /// keyed one now; `nil` when there is no such class.
  ///
  /// Keyed archives carry no versions: readers ask there for keys instead.
  func version(forClassName name: String) -> Int?

  /// The version of the archiving system that wrote the archive; 2000 for keyed archives.
  var systemVersion: Int { get }

  /// The error for a value that must be there and is none.
  func valueNotFound() -> ArchiveError
}

extension UnkeyedDecodingCoder {
  /// Decodes values by their type codes, none of which is an object.
  public func decodeValues(ofTypes types: String) throws -> [TypedValue] {
    try decodeValues(ofTypes: types, in: nil)
  }

  /// Decodes a string object; throws when there is none.
  public func decodeString() throws -> String {
    try present(decodeStringIfPresent())
  }

  /// Decodes bytes inside the object itself; throws when there are none.
  public func decodeBytes() throws -> [UInt8] {
    try present(decodeBytesIfPresent())
  }

  /// Decodes a data object; throws when there is none.
  public func decodeData() throws -> [UInt8] {
    try present(decodeDataIfPresent())
  }

  /// Decodes a date as seconds since 2001-01-01 00:00:00 UTC; throws when there is none.
  public func decodeDate() throws -> Double {
    try present(decodeDateIfPresent())
  }

  /// Decodes an object of a class, or of a listed subclass of it; throws when there is none.
  public func decodeObject<Object: Coding>(_ type: Object.Type) throws -> Object {
    try present(decodeObjectIfPresent(type))
  }

  /// Decodes an object of one of the classes of a list; throws when there is none.
  public func decodeObject<Slot>(in classes: ClassList<Slot>) throws -> Slot {
    try present(decodeObjectIfPresent(in: classes))
  }

  /// Decodes the text of a C string; `nil` when there is none.
  public func decodeCString() throws -> String? {
    guard case .cString(let bytes) = try decodeValues(ofTypes: "*").first else {
      throw valueNotFound()
    }
    guard let bytes else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ArchiveError(.typeMismatch, path: valueNotFound().path, "a C string that is not UTF-8")
    }
    return text
  }

  /// Decodes the name of a method; `nil` when there is none.
  public func decodeSelector() throws -> String? {
    guard case .selector(let name) = try decodeValues(ofTypes: ":").first else {
      throw valueNotFound()
    }
    return name
  }

  /// Decodes a class by its name; `nil` when there is none.
  public func decodeClass() throws -> ArchivedClass? {
    guard case .archivedClass(let archivedClass) = try decodeValues(ofTypes: "#").first else {
      throw valueNotFound()
    }
    return archivedClass
  }

  private func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw valueNotFound() }
    return value
  }
}
