public import PropertyLists

/// The coder that `encode(with:)` writes to.
///
/// The methods of this protocol take a key. A keyed coder stores the value under it; a sequential
/// coder (where `allowsKeyedCoding` is false) stores the values in the order of the calls, so
/// encode the fields in one fixed order and both kinds work.
///
/// Encoding one key twice into one object throws `.duplicateKey`.
public protocol EncodingCoder: UnkeyedEncodingCoder {
  /// Whether values are found by key, not only by order.
  var allowsKeyedCoding: Bool { get }

  /// Encodes a truth value.
  func encodeBool(_ value: Bool, forKey key: String) throws
  /// Encodes a whole number.
  func encodeInt(_ value: Int, forKey key: String) throws
  /// Encodes a whole number of 32 bits.
  func encodeInt32(_ value: Int32, forKey key: String) throws
  /// Encodes a whole number of 64 bits.
  func encodeInt64(_ value: Int64, forKey key: String) throws
  /// Encodes a real number of 32 bits.
  func encodeFloat(_ value: Float, forKey key: String) throws
  /// Encodes a real number of 64 bits.
  func encodeDouble(_ value: Double, forKey key: String) throws
  /// Encodes a string, or none; equal strings are stored once.
  func encodeString(_ value: String?, forKey key: String) throws
  /// Encodes bytes inside the object itself (Cocoa's `encodeBytes:length:`), or none.
  func encodeBytes(_ value: [UInt8]?, forKey key: String) throws
  /// Encodes bytes as a data object of their own (Cocoa's `NSData`), or none.
  func encodeData(_ value: [UInt8]?, forKey key: String) throws
  /// Encodes numbers as one data object, little-endian, with one copy.
  func encodePacked<Element: PackedElement>(_ elements: [Element], forKey key: String) throws
  /// Encodes a date as seconds since 2001-01-01 00:00:00 UTC, or none.
  func encodeDate(_ secondsSinceReferenceDate: Double?, forKey key: String) throws

  /// Encodes that there is no object.
  func encodeNil(forKey key: String) throws
  /// Encodes an object or value; an object that was encoded before is referred to.
  func encodeObject<Object: Coding>(_ object: Object, forKey key: String) throws
  /// Encodes an object that a port coder copies instead of referring to it.
  func encodeBycopyObject<Object: Coding>(_ object: Object?, forKey key: String) throws
  /// Encodes an object that a port coder refers to instead of copying it.
  func encodeByrefObject<Object: Coding>(_ object: Object?, forKey key: String) throws
  /// Refers to an object if something else in the archive encodes it, before or after; else none.
  ///
  /// For back references and views of other parts. The object needs an identity.
  func encodeConditionalObject<Object: Coding>(_ object: Object?, forKey key: String) throws
  /// Refers to a value by its identity if something else in the archive encodes it; else none.
  func encodeReference<Identity: ArchiveIdentity>(_ identity: Identity?, forKey key: String) throws

  /// Encodes objects of one type as an array.
  func encodeObjects<Object: Coding>(_ objects: [Object], forKey key: String) throws
  /// Encodes objects of several types as an array.
  func encodeObjects(_ objects: [any Coding], forKey key: String) throws
  /// Encodes objects of one type as a set, in the order that is given.
  func encodeObjectSet<Object: Coding>(_ objects: [Object], forKey key: String) throws
  /// Encodes strings as a set, in their order.
  func encodeStringSet(_ strings: Set<String>, forKey key: String) throws
  /// Encodes a dictionary of objects of several types in the order of its keys.
  func encodeDictionary(_ dictionary: [String: any Coding], forKey key: String) throws
  /// Encodes strings as an array.
  func encodeStrings(_ strings: [String], forKey key: String) throws
  /// Encodes whole numbers as an array of number objects; prefer `encodePacked` for many.
  func encodeInts(_ numbers: [Int], forKey key: String) throws
  /// Encodes real numbers as an array of number objects; prefer `encodePacked` for many.
  func encodeDoubles(_ numbers: [Double], forKey key: String) throws
  /// Encodes a dictionary of objects in the order of its keys.
  func encodeDictionary<Object: Coding>(_ dictionary: [String: Object], forKey key: String) throws
  /// Encodes a dictionary of strings in the order of its keys.
  func encodeStringDictionary(_ dictionary: [String: String], forKey key: String) throws
  /// Encodes a dictionary of strings in the order that is given; no key may be there twice.
  func encodeStringPairs(_ pairs: [(key: String, value: String)], forKey key: String) throws

  /// Encodes the elements of an array or a set inside its object.
  ///
  /// For collections of your own that are archived as Foundation's are. Elements that are replaced
  /// by nothing are left out. `type` is the type of their number in sequential archives.
  func encodeElements<Element: Coding>(_ elements: [Element], ofType type: String) throws
  /// Encodes the keys and the values of a dictionary inside its object; there are as many of each.
  func encodePairs<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws
  /// Encodes the elements of an ordered set inside its object: in keyed archives each has a key.
  func encodeNumbered<Element: Coding>(_ elements: [Element]) throws
  /// Encodes the members of a counted set inside its object, each with how often it is there.
  func encodeMembers<Element: Coding>(_ elements: [Element], counts: [Int]) throws

  /// Gives fields back that an earlier decoding did not read.
  ///
  /// Call it last. A key that was encoded meanwhile keeps its new value.
  func encodeUnreadFields(_ fields: UnreadFields) throws
}

extension EncodingCoder {
  /// Encodes an object or value, or none; an object that was encoded before is referred to.
  ///
  /// Inlined into callers, who know the type: elsewhere the optional one is looked up at run time.
  @inlinable
  @inline(__always)
  public func encodeObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    guard let object else { return try encodeNil(forKey: key) }
    try encodeObject(object, forKey: key)
  }

  /// Encodes an object; only port coders know a difference.
  public func encodeBycopyObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    try encodeObject(object, forKey: key)
  }

  /// Encodes an object; only port coders know a difference.
  public func encodeByrefObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    try encodeObject(object, forKey: key)
  }

  /// Encodes an object or value whose type is known at run time only, or none.
  ///
  /// One that is certainly there can go to `encodeObject` as well.
  public func encodeAnyObject(_ object: (any Coding)?, forKey key: String) throws {
    guard let object else { return try encodeNil(forKey: key) }
    try encodeObject(object, forKey: key)
  }
}
