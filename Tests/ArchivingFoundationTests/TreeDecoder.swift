import Archiving

/// Makes objects of the trees that a `TreeEncoder` wrote.
final class TreeDecoder: DecodingCoder {
  private let fields: [String: Tree]
  private var count = 0
  private let path: String
  let currentClassName: String?
  /// The number that stands before elements; `nil` for a coder with keys.
  private let elementCount: Int32?

  init(
    _ fields: [String: Tree], className: String? = nil, path: String = "",
    elementCount: Int32? = nil
  ) {
    (self.fields, self.path, self.elementCount) = (fields, path, elementCount)
    currentClassName = className
  }

  var allowsKeyedCoding: Bool { elementCount == nil }
  var systemVersion: Int { 2000 }
  func version(forClassName name: String) -> Int? { nil }
  func containsValue(forKey key: String) throws -> Bool { fields[key] != nil }

  /// The object of a tree, of a class; `nil` for none.
  static func object<Object: Coding>(
    _ type: Object.Type, of tree: Tree, path: String = ""
  ) throws -> Object? {
    let object = try made(tree, path) { name, coder in
      if type == Cocoa.Object.self { return try Cocoa.Object(className: name, coder: coder) }
      let own = type.archivedClass
      guard own.name == name || own.formerNames.contains(name) else { return nil }
      return try type.init(coder: coder)
    }
    guard let object else { return nil }
    guard let made = object as? Object ?? Cocoa.Object(value: object) as? Object else {
      throw ArchiveError(.classNotAllowed, path: path, "\(Swift.type(of: object)) is not admitted")
    }
    return made
  }

  /// The object of a tree, of a class of a list; `nil` for none.
  private static func object<Slot>(
    in classes: ClassList<Slot>, of tree: Tree, path: String
  ) throws -> Slot? {
    let object = try made(tree, path) { name, coder in
      try classes.type(named: name)?.init(coder: coder)
    }
    guard let object else { return nil }
    guard let made = object as? Slot else {
      throw ArchiveError(.classNotAllowed, path: path, "\(Swift.type(of: object)) is not admitted")
    }
    return made
  }

  private static func made(
    _ tree: Tree, _ path: String, _ make: (String, TreeDecoder) throws -> (any Coding)?
  ) throws -> (any Coding)? {
    switch tree {
    case .none: return nil
    case .string(let text): return text
    case .object(let name, let fields):
      let coder = TreeDecoder(fields, className: name, path: path)
      guard let object = try make(name, coder) else {
        throw ArchiveError(.classNotAllowed, path: path, "\(name) is not admitted")
      }
      return object
    default: throw ArchiveError(.typeMismatch, path: path, "expected an object")
    }
  }

  // MARK: Values

  private func next() -> String {
    defer { count += 1 }
    return "$\(count)"
  }

  private func value<Value>(_ key: String, _ read: (Tree) -> Value?) throws -> Value? {
    guard let tree = fields[key], tree != .none else { return nil }
    guard let value = read(tree) else {
      throw ArchiveError(.typeMismatch, path: "\(path).\(key)", "a value of another kind")
    }
    return value
  }

  private func present<Value>(_ key: String, _ value: Value?) throws -> Value {
    guard let value else { throw valueNotFound(forKey: key) }
    return value
  }

  func decodeBoolIfPresent(forKey key: String) throws -> Bool? {
    try value(key) { if case .bool(let value) = $0 { value } else { nil } }
  }
  func decodeIntIfPresent(forKey key: String) throws -> Int? {
    try value(key) { tree in
      switch tree {
      case .int(let value): value
      // A number object of its own.
      case .object("NSNumber", let fields):
        if case .int(let value) = fields["NS.intval"] { value } else { nil }
      default: nil
      }
    }
  }
  func decodeInt32IfPresent(forKey key: String) throws -> Int32? {
    try decodeIntIfPresent(forKey: key).flatMap { Int32(exactly: $0) }
  }
  func decodeInt64IfPresent(forKey key: String) throws -> Int64? {
    try decodeIntIfPresent(forKey: key).map { Int64($0) }
  }
  func decodeDoubleIfPresent(forKey key: String) throws -> Double? {
    try value(key) {
      switch $0 {
      case .double(let value): value
      case .int(let value): Double(value)
      default: nil
      }
    }
  }
  func decodeFloatIfPresent(forKey key: String) throws -> Float? {
    try decodeDoubleIfPresent(forKey: key).map { Float($0) }
  }
  func decodeDateIfPresent(forKey key: String) throws -> Double? {
    try decodeDoubleIfPresent(forKey: key)
  }
  func decodeStringIfPresent(forKey key: String) throws -> String? {
    try value(key) { tree in
      switch tree {
      case .string(let text): text
      // A string object that can change, which has its UTF-8.
      case .object("NSMutableString", let fields):
        if case .bytes(let bytes) = fields["$0"] {
          String(decoding: bytes, as: UTF8.self)
        } else {
          nil
        }
      default: nil
      }
    }
  }
  func archivedDataIfPresent(forKey key: String) throws -> ArchivedData? {
    try value(key) { tree in
      switch tree {
      case .bytes(let bytes): ArchivedData(bytes)
      // A data object of its own.
      case .object(_, let fields):
        if case .bytes(let bytes) = fields["NS.data"] { ArchivedData(bytes) } else { nil }
      default: nil
      }
    }
  }

  func decodeBool() throws -> Bool { try decodeBool(forKey: next()) }
  func decodeInt() throws -> Int { try decodeInt(forKey: next()) }
  func decodeInt32() throws -> Int32 { try decodeInt32(forKey: next()) }
  func decodeInt64() throws -> Int64 { try decodeInt64(forKey: next()) }
  func decodeFloat() throws -> Float { try decodeFloat(forKey: next()) }
  func decodeDouble() throws -> Double { try decodeDouble(forKey: next()) }
  func decodeStringIfPresent() throws -> String? { try decodeStringIfPresent(forKey: next()) }
  func decodeBytesIfPresent() throws -> [UInt8]? { try decodeBytesIfPresent(forKey: next()) }
  func decodeDataIfPresent() throws -> [UInt8]? { try decodeDataIfPresent(forKey: next()) }
  func decodeDateIfPresent() throws -> Double? { try decodeDateIfPresent(forKey: next()) }

  // MARK: Objects

  func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    try fields[key].flatMap { try Self.object(type, of: $0, path: "\(path).\(key)") }
  }
  func decodeObjectIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> Slot? {
    try fields[key].flatMap { try Self.object(in: classes, of: $0, path: "\(path).\(key)") }
  }
  func decodeObjectIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object? {
    try decodeObjectIfPresent(type, forKey: next())
  }
  func decodeObjectIfPresent<Slot>(in classes: ClassList<Slot>) throws -> Slot? {
    try decodeObjectIfPresent(in: classes, forKey: next())
  }

  /// The elements of an array.
  private func elements<Element>(
    _ key: String, _ element: (Tree, String) throws -> Element?
  ) throws -> [Element]? {
    let trees = try value(key) { if case .array(let trees) = $0 { trees } else { nil } }
    return try trees?.enumerated().map { place, tree in
      try present(key, element(tree, "\(path).\(key)[\(place)]"))
    }
  }

  func decodeObjectsIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    try elements(key) { try Self.object(type, of: $0, path: $1) }
  }
  func decodeObjectsIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    try elements(key) { try Self.object(in: classes, of: $0, path: $1) }
  }
  func decodeStringsIfPresent(forKey key: String) throws -> [String]? {
    try elements(key) { tree, _ in if case .string(let text) = tree { text } else { nil } }
  }
  func decodeIntsIfPresent(forKey key: String) throws -> [Int]? {
    try elements(key) { tree, _ in if case .int(let number) = tree { number } else { nil } }
  }
  func decodeDoublesIfPresent(forKey key: String) throws -> [Double]? {
    try elements(key) { tree, _ in if case .double(let number) = tree { number } else { nil } }
  }

  /// The values of a dictionary.
  private func values<Value>(
    _ key: String, _ read: (Tree) throws -> Value?
  ) throws -> [String: Value]? {
    let trees = try value(key) { tree -> [String: Tree]? in
      if case .object("NSDictionary", let fields) = tree { fields } else { nil }
    }
    return try trees?.mapValues { try present(key, read($0)) }
  }

  func decodeDictionaryIfPresent<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> [String: Object]? {
    try values(key) { try Self.object(type, of: $0) }
  }
  func decodeDictionaryIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [String: Slot]? {
    try values(key) { try Self.object(in: classes, of: $0, path: path) }
  }
  func decodeStringDictionaryIfPresent(forKey key: String) throws -> [String: String]? {
    try decodeDictionaryIfPresent(of: String.self, forKey: key)
  }
  func decodeStringPairsIfPresent(forKey key: String) throws -> [(key: String, value: String)]? {
    try decodeStringDictionaryIfPresent(forKey: key)?.sorted { $0.key < $1.key }
      .map { (key: $0.key, value: $0.value) }
  }

  // MARK: What a tree does not hold

  func decodeReference<Object: Coding>(
    _ type: Object.Type, forKey key: String, then assign: @escaping (Object) -> Void
  ) throws {
    if let object = try decodeObjectIfPresent(type, forKey: key) { assign(object) }
  }
  func decodeReference<Object: Coding>(
    _ type: Object.Type, then assign: @escaping (Object) -> Void
  ) throws { try decodeReference(type, forKey: next(), then: assign) }
  func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity? { nil }
  func decodeIdentityIfPresent<Identity: ArchiveIdentity, Slot>(
    _ type: Identity.Type, in classes: ClassList<Slot>, forKey key: String
  ) throws -> Identity? { nil }
  func decodeValues(
    ofTypes types: String, in classes: ClassList<any Coding>?
  ) throws -> [TypedValue] {
    if let elementCount { return [.integer(Int64(elementCount))] }
    throw ArchiveError(.misuse, path: path, "a tree cannot hold values of the types \(types)")
  }
  func unreadFields() throws -> UnreadFields { UnreadFields() }

  func invalidValue(_ reason: String, forKey key: String) -> ArchiveError {
    ArchiveError(.invalidValue, path: "\(path).\(key)", reason)
  }
  func valueNotFound(forKey key: String) -> ArchiveError {
    ArchiveError(.valueNotFound, path: "\(path).\(key)", "there is no value")
  }
  func valueNotFound() -> ArchiveError {
    ArchiveError(.valueNotFound, path: path, "there is no value")
  }
}
