import Archiving
import PropertyLists

// A coder of one's own, written with nothing but the public interface: it keeps a graph as a tree of
// plain values, which a program could write as JSON. It serves values and objects without cycles.

/// What a tree coder makes of a value.
indirect enum Tree: Equatable {
  case none
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case array([Tree])
  case object(className: String, fields: [String: Tree])
}

/// Encodes objects as trees.
final class TreeEncoder: EncodingCoder {
  private(set) var fields: [String: Tree] = [:]
  private var count = 0

  var allowsKeyedCoding: Bool { true }

  /// The tree of an object or value.
  static func tree(of object: any Coding) throws -> Tree {
    let encoder = TreeEncoder()
    if let substituting = object as? any SubstitutingCoding {
      guard let other = try substituting.replacementObject(for: encoder) else { return .none }
      return try tree(ofFinal: other, encoder)
    }
    return try tree(ofFinal: object, encoder)
  }

  private static func tree(ofFinal object: any Coding, _ encoder: TreeEncoder) throws -> Tree {
    let value = Cocoa.Object(value: object)
    if case .string(let text) = value { return .string(text) }
    try object.encode(with: encoder)
    let archived = value?.classForCoder ?? type(of: object).archivedClass
    return .object(className: archived.name, fields: encoder.fields)
  }

  private func set(_ tree: Tree, _ key: String?) throws {
    let key = key ?? "$\(count)"
    if key.hasPrefix("$") { count += 1 }
    guard fields.updateValue(tree, forKey: key) == nil else {
      throw ArchiveError(.duplicateKey, path: key, "a key is encoded twice into one object")
    }
  }

  // Each value with a key, and without.
  func encodeNil(forKey key: String) throws { try set(.none, key) }
  func encodeBool(_ value: Bool, forKey key: String) throws { try set(.bool(value), key) }
  func encodeBool(_ value: Bool) throws { try set(.bool(value), nil) }
  func encodeInt(_ value: Int, forKey key: String) throws { try set(.int(value), key) }
  func encodeInt(_ value: Int) throws { try set(.int(value), nil) }
  func encodeInt32(_ value: Int32, forKey key: String) throws { try set(.int(Int(value)), key) }
  func encodeInt32(_ value: Int32) throws { try set(.int(Int(value)), nil) }
  func encodeInt64(_ value: Int64, forKey key: String) throws { try set(.int(Int(value)), key) }
  func encodeInt64(_ value: Int64) throws { try set(.int(Int(value)), nil) }
  func encodeFloat(_ value: Float, forKey key: String) throws {
    try set(.double(Double(value)), key)
  }
  func encodeFloat(_ value: Float) throws { try set(.double(Double(value)), nil) }
  func encodeDouble(_ value: Double, forKey key: String) throws { try set(.double(value), key) }
  func encodeDouble(_ value: Double) throws { try set(.double(value), nil) }
  func encodeString(_ value: String?, forKey key: String) throws {
    try set(value.map { .string($0) } ?? .none, key)
  }
  func encodeString(_ value: String?) throws { try set(value.map { .string($0) } ?? .none, nil) }
  func encodeBytes(_ value: [UInt8]?, forKey key: String) throws {
    try set(value.map { .bytes($0) } ?? .none, key)
  }
  func encodeBytes(_ value: [UInt8]?) throws { try set(value.map { .bytes($0) } ?? .none, nil) }
  func encodeData(_ value: [UInt8]?, forKey key: String) throws {
    try encodeBytes(value, forKey: key)
  }
  func encodeData(_ value: [UInt8]?) throws { try encodeBytes(value) }
  func encodeDate(_ value: Double?, forKey key: String) throws {
    try set(value.map { .double($0) } ?? .none, key)
  }
  func encodeDate(_ value: Double?) throws { try set(value.map { .double($0) } ?? .none, nil) }
  func encodePacked<Element: PackedElement>(_ elements: [Element], forKey key: String) throws {
    try encodeBytes(elements.withUnsafeBytes { [UInt8]($0) }, forKey: key)
  }

  func encodeObject<Object: Coding>(_ object: Object, forKey key: String) throws {
    try set(Self.tree(of: object), key)
  }
  func encodeObject<Object: Coding>(_ object: Object?) throws {
    try set(object.map { try Self.tree(of: $0) } ?? .none, nil)
  }
  func encodeObjects<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    try set(.array(objects.map { try Self.tree(of: $0) }), key)
  }
  func encodeObjects(_ objects: [any Coding], forKey key: String) throws {
    try set(.array(objects.map { try Self.tree(of: $0) }), key)
  }
  func encodeStrings(_ strings: [String], forKey key: String) throws {
    try set(.array(strings.map { .string($0) }), key)
  }
  func encodeInts(_ numbers: [Int], forKey key: String) throws {
    try set(.array(numbers.map { .int($0) }), key)
  }
  func encodeDoubles(_ numbers: [Double], forKey key: String) throws {
    try set(.array(numbers.map { .double($0) }), key)
  }
  func encodeDictionary<Object: Coding>(
    _ dictionary: [String: Object], forKey key: String
  ) throws {
    let fields = try dictionary.mapValues { try Self.tree(of: $0) }
    try set(.object(className: "NSDictionary", fields: fields), key)
  }
  func encodeStringDictionary(_ dictionary: [String: String], forKey key: String) throws {
    try encodeDictionary(dictionary, forKey: key)
  }
  func encodeStringPairs(_ pairs: [(key: String, value: String)], forKey key: String) throws {
    try encodeStringDictionary(Dictionary(pairs, uniquingKeysWith: { $1 }), forKey: key)
  }

  // What a tree cannot hold.
  private func refuse(_ what: String) -> ArchiveError {
    ArchiveError(.misuse, "a tree cannot hold \(what)")
  }
  func encodeValues(_ values: [TypedValue], ofTypes types: String) throws {
    throw refuse("values of the types \(types)")
  }
  func encodeConditionalObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    throw refuse("references")
  }
  func encodeConditionalObject<Object: Coding>(_ object: Object?) throws {
    throw refuse("references")
  }
  func encodeReference<Identity: ArchiveIdentity>(
    _ identity: Identity?, forKey key: String
  ) throws { throw refuse("references") }
  func encodeUnreadFields(_ fields: UnreadFields) throws {
    guard fields.isEmpty else { throw refuse("fields of another archive") }
  }
}
