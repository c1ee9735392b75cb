// Sets and dictionaries of objects of several types. The defaults serve coders that have no form of
// their own for them.

extension EncodingCoder {
  /// Encodes objects of one type as an array, where a coder has no set.
  public func encodeObjectSet<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    try encodeObjects(objects, forKey: key)
  }

  /// Encodes strings as an array in their order, where a coder has no set.
  public func encodeStringSet(_ strings: Set<String>, forKey key: String) throws {
    try encodeStrings(strings.sorted(), forKey: key)
  }

  /// Encodes a dictionary of objects of several types in the order of its keys.
  public func encodeDictionary(_ dictionary: [String: any Coding], forKey key: String) throws {
    let wrapped: [String: Wrapped] = dictionary.mapValues { Wrapped(object: $0) }
    try encodeDictionary(wrapped, forKey: key)
  }
}

/// An object whose type is known at run time only, where a coder wants one type.
private struct Wrapped: SubstitutingCoding {
  let object: any Coding

  static var archivedClass: ArchivedClass { "NSObject" }

  func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { object }

  func encode(with coder: any EncodingCoder) throws { try object.encode(with: coder) }

  init(object: any Coding) { self.object = object }

  init(coder: any DecodingCoder) throws {
    throw ArchiveError(.misuse, "it is never archived under a name of its own")
  }
}

extension DecodingCoder {
  /// Decodes the array that `encodeObjectSet` writes where a coder has no set.
  public func decodeObjectSetIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    try decodeObjectsIfPresent(type, forKey: key)
  }

  /// Decodes the array that `encodeObjectSet` writes where a coder has no set.
  public func decodeObjectSetIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    try decodeObjectsIfPresent(in: classes, forKey: key)
  }

  /// Decodes the array that `encodeStringSet` writes where a coder has no set.
  public func decodeStringSetIfPresent(forKey key: String) throws -> Set<String>? {
    try decodeStringsIfPresent(forKey: key).map { Set($0) }
  }

  /// Decodes a set of objects of a class, in the archive's order; throws when it is absent.
  public func decodeObjectSet<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object] {
    try present(decodeObjectSetIfPresent(type, forKey: key), key)
  }

  /// Decodes a set of objects of the classes of a list; throws when it is absent.
  public func decodeObjectSet<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot] {
    try present(decodeObjectSetIfPresent(in: classes, forKey: key), key)
  }

  /// Decodes a set of strings; throws when it is absent.
  public func decodeStringSet(forKey key: String) throws -> Set<String> {
    try present(decodeStringSetIfPresent(forKey: key), key)
  }

  /// Decodes a dictionary of objects of the classes of a list; throws when it is absent.
  public func decodeDictionary<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [String: Slot] {
    try present(decodeDictionaryIfPresent(in: classes, forKey: key), key)
  }
}
