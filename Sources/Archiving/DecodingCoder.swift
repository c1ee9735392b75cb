/// The coder that `init(coder:)` reads from.
///
/// Each value has two methods: `decodeInt(forKey:)` throws when the key is absent, and
/// `decodeIntIfPresent(forKey:)` gives `nil` then, so that a default is `?? 8`. A value of another
/// kind than the one asked for always throws. For objects, strings and data, "none" counts as
/// absent.
///
/// A keyed coder finds values in any order; a sequential one (where `allowsKeyedCoding` is false)
/// ignores the keys and gives the values in the order in which they were encoded.
public protocol DecodingCoder: UnkeyedDecodingCoder {
  /// Whether values are found by key, not only by order.
  var allowsKeyedCoding: Bool { get }

  /// The name that the archive has for the class of the object being made; `nil` when it is not
  /// known.
  var currentClassName: String? { get }

  /// Whether there is a value for a key, be it none.
  ///
  /// It is cheaper to decode with `IfPresent` than to ask first.
  func containsValue(forKey key: String) throws -> Bool

  /// Decodes a truth value; a number must be 0 or 1.
  func decodeBoolIfPresent(forKey key: String) throws -> Bool?
  /// Decodes a whole number; a real number must be whole.
  func decodeIntIfPresent(forKey key: String) throws -> Int?
  /// Decodes a whole number that must fit into 32 bits.
  func decodeInt32IfPresent(forKey key: String) throws -> Int32?
  /// Decodes a whole number of 64 bits.
  func decodeInt64IfPresent(forKey key: String) throws -> Int64?
  /// Decodes a real number, rounded to 32 bits; one too large for these throws.
  func decodeFloatIfPresent(forKey key: String) throws -> Float?
  /// Decodes a real number, or a whole one.
  func decodeDoubleIfPresent(forKey key: String) throws -> Double?
  /// Decodes a string.
  func decodeStringIfPresent(forKey key: String) throws -> String?
  /// Finds bytes, be they inside the object or a data object of their own, without a copy.
  func archivedDataIfPresent(forKey key: String) throws -> ArchivedData?
  /// Decodes a date as seconds since 2001-01-01 00:00:00 UTC.
  func decodeDateIfPresent(forKey key: String) throws -> Double?

  /// Decodes an object of a class, or of a listed subclass of it.
  ///
  /// The class itself is admitted because it is named here; subclasses must be in the unarchiver's
  /// table. Any other class throws `.classNotAllowed`.
  func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object?
  /// Decodes an object of a class, or of a listed subclass of it; throws when it is absent.
  func decodeObject<Object: Coding>(_ type: Object.Type, forKey key: String) throws -> Object
  /// Decodes an object of one of the classes of a list.
  func decodeObjectIfPresent<Slot>(in classes: ClassList<Slot>, forKey key: String) throws -> Slot?
  /// Decodes an array of objects of a class; none of them may be absent.
  func decodeObjectsIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]?
  /// Decodes an array of objects of a class; throws when it is absent.
  func decodeObjects<Object: Coding>(_ type: Object.Type, forKey key: String) throws -> [Object]
  /// Decodes an array of objects of the classes of a list; none of them may be absent.
  func decodeObjectsIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]?
  /// Decodes a set of objects of a class, in the archive's order.
  func decodeObjectSetIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]?
  /// Decodes a set of objects of the classes of a list, in the archive's order.
  func decodeObjectSetIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]?
  /// Decodes a set of strings.
  func decodeStringSetIfPresent(forKey key: String) throws -> Set<String>?
  /// Decodes a dictionary of objects of the classes of a list; a key that is there twice throws.
  func decodeDictionaryIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [String: Slot]?
  /// Decodes an array of strings.
  func decodeStringsIfPresent(forKey key: String) throws -> [String]?
  /// Decodes an array of whole numbers.
  func decodeIntsIfPresent(forKey key: String) throws -> [Int]?
  /// Decodes an array of real numbers.
  func decodeDoublesIfPresent(forKey key: String) throws -> [Double]?
  /// Decodes a dictionary of objects of a class; a key that is there twice throws.
  func decodeDictionaryIfPresent<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> [String: Object]?
  /// Decodes a dictionary of strings; a key that is there twice throws.
  func decodeStringDictionaryIfPresent(forKey key: String) throws -> [String: String]?
  /// Decodes a dictionary of strings in its own order; a key that is there twice throws.
  func decodeStringPairsIfPresent(forKey key: String) throws -> [(key: String, value: String)]?

  /// Hands over the object behind a key once the whole graph stands.
  ///
  /// For back references, which close cycles: a child decodes its parent so, because the parent is
  /// still being made. `assign` is not called when there is no object.
  ///
  ///     try coder.decodeReference(Node.self, forKey: "parent") { [weak self] in
  ///       self?.parent = $0
  ///     }
  ///
  /// Collections too: nodes that hold each other in arrays, sets or dictionaries decode these so. A
  /// hash must not depend on what is handed over later.
  ///
  ///     try coder.decodeReference([Node].self, forKey: "neighbours") { [weak self] in
  ///       self?.neighbours = $0
  ///     }
  func decodeReference<Object: Coding>(
    _ type: Object.Type, forKey key: String, then assign: @escaping (Object) -> Void
  ) throws
  /// Hands over an object of the classes of a list once the whole graph stands; `MixedArray` and
  /// its like among them stand for collections of several types.
  func decodeReference<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping (Slot) -> Void
  ) throws
  /// Hands over the objects of an array or a set, of the classes of a list, once the whole graph
  /// stands.
  func decodeReferences<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping ([Slot]) -> Void
  ) throws
  /// The identity of the value behind a key, read without making the value.
  func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity?
  /// The identity of the value behind a key, whose class is one of a list.
  func decodeIdentityIfPresent<Identity: ArchiveIdentity, Slot>(
    _ type: Identity.Type, in classes: ClassList<Slot>, forKey key: String
  ) throws -> Identity?

  /// Decodes the elements of an array or a set inside its object.
  ///
  /// For collections of your own that are archived as Foundation's are; see `encodeElements`.
  func decodeElements<Element: Coding>(
    _ type: Element.Type, ofType code: String
  ) throws -> [Element]
  /// Decodes the keys and the values of a dictionary inside its object.
  func decodePairs<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)]
  /// Decodes the next object, an element of a collection; `nil` when it is replaced by nothing.
  func decodeElement<Object: Coding>(_ type: Object.Type) throws -> Object?
  /// Decodes the element of a collection under a key; `nil` when it is replaced by nothing.
  func decodeElement<Object: Coding>(_ type: Object.Type, forKey key: String) throws -> Object?

  /// The fields of the object being made that nobody has read so far, to be kept and given back.
  ///
  /// Call it last; in a hierarchy the topmost class does. Nothing is copied.
  func unreadFields() throws -> UnreadFields

  /// An error that names the place of a value which is well-formed but not acceptable.
  ///
  ///     guard magnification > 0 else {
  ///       throw coder.invalidValue("a magnification must be positive", forKey: "magnification")
  ///     }
  func invalidValue(_ reason: String, forKey key: String) -> ArchiveError

  /// The error for a value that must be there and is not.
  func valueNotFound(forKey key: String) -> ArchiveError
}

extension DecodingCoder {
  /// Not known; values of a class with variants are then of the plain one.
  public var currentClassName: String? { nil }

  /// Throws `.misuse`: a coder of your own hands over objects later if it says so itself.
  public func decodeReference<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping (Slot) -> Void
  ) throws { throw noReferences }

  /// Throws `.misuse`: a coder of your own hands over objects later if it says so itself.
  public func decodeReferences<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping ([Slot]) -> Void
  ) throws { throw noReferences }
}

extension UnkeyedDecodingCoder {
  /// Throws `.misuse`: a coder of your own hands over objects later if it says so itself.
  public func decodeReference<Slot>(
    in classes: ClassList<Slot>, then assign: @escaping (Slot) -> Void
  ) throws { throw noReferences }

  fileprivate var noReferences: ArchiveError {
    ArchiveError(.misuse, "\(type(of: self)) hands over no objects of a list later")
  }
}
