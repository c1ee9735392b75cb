/// A value that an `Encodable` type is writing.
final class CodableBox {
  enum Content {
    case nothing
    case leaf(Cocoa.Object)
    case array([CodableBox])
    case dictionary([(key: String, value: CodableBox)])
  }

  var content = Content.nothing
  /// The value as an object, once it was made.
  private(set) var object = Cocoa.Object.null
  /// The places of a dictionary's keys.
  private var places: [String: Int] = [:]

  /// Makes it an array unless it is one.
  func beginArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Makes it a dictionary unless it is one.
  func beginDictionary() {
    if case .dictionary = content { return }
    content = .dictionary([])
  }

  var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  func append(_ box: CodableBox) {
    guard case .array(var elements) = content else { return }
    content = .nothing
    elements.append(box)
    content = .array(elements)
  }

  /// Puts a value under a key, in the place of one that is there.
  func set(_ box: CodableBox, for key: String) {
    guard case .dictionary(var pairs) = content else { return }
    content = .nothing
    if let place = places[key] {
      pairs[place].value = box
    } else {
      places[key] = pairs.count
      pairs.append((key, box))
    }
    content = .dictionary(pairs)
  }

  /// Makes the object of the value; those within it have theirs.
  func makeObject() -> Cocoa.Object {
    switch content {
    case .nothing: object = .string(codableNull)
    case .leaf(let leaf): object = leaf
    case .array(let elements): object = .array(Cocoa.Array(elements.map(\.object)))
    case .dictionary(let pairs):
      object = .dictionary(
        Cocoa.Dictionary(
          pairs.map { Cocoa.Dictionary.Pair(key: .string($0.key), value: $0.value.object) }))
    }
    return object
  }

  /// Lets go of the values within it.
  func empty() { (content, object) = (.nothing, .null) }
}

/// The state while one value is encoded.
final class CodableContext: CodableNest, WritingNest {
  /// The containers of a value whose type writes none itself.
  enum Kind {
    case plain, date, data
  }

  let limits: ArchiveLimits
  var stack = StackUse()
  private(set) var depth = 0
  private var kinds: [ObjectIdentifier: Kind] = [:]
  /// All boxes; one stands before those within it.
  private var boxes: [CodableBox] = []

  static let verb = "writes"

  init(limits: ArchiveLimits) { self.limits = limits }

  deinit {
    // From the outermost inwards, so that none is released within the release of another.
    for box in boxes { box.empty() }
  }

  func makeBox() -> CodableBox {
    let box = CodableBox()
    boxes.append(box)
    return box
  }

  /// The object that stands for a value; what is within it lives as long as the context.
  func object<Value: Encodable>(of value: Value) throws -> Cocoa.Object {
    try encode(value, into: makeBox(), path: nil)
    // Without recursion: what is within a box stands behind it.
    var object = Cocoa.Object.null
    for box in boxes.reversed() { object = box.makeObject() }
    return object
  }

  func encode<Value: Encodable>(
    _ value: Value, into box: CodableBox, path: CodablePath?
  ) throws {
    let kind = kind(of: Value.self)
    if kind == .data, let bytes = (value as? any Sequence<UInt8>).map({ Self.bytes($0) }) {
      box.content = .leaf(.data(bytes))
      return
    }
    let room = roomForObject()
    depth += 1
    defer { depth -= 1 }
    let encoder = CodableEncoder(box: box, context: self, path: path)
    switch room {
    case .enough: try value.encode(to: encoder)
    case .further: try onFurtherStack { try value.encode(to: encoder) }
    case .ended: throw tooDeep(path)
    }
    try finish(value, kind, box, path)
  }

  private func finish<Value: Encodable>(
    _ value: Value, _ kind: Kind, _ box: CodableBox, _ path: CodablePath?
  ) throws {
    switch (kind, box.content) {
    case (.date, .leaf(.number(let seconds))):
      box.content = .leaf(.date(Cocoa.Date(secondsSinceReferenceDate: seconds.asDouble)))
    case (_, .nothing):
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: path.keys, debugDescription: "it encodes nothing"))
    default: break
    }
  }

  private static func bytes(_ sequence: some Sequence<UInt8>) -> [UInt8] { Array(sequence) }

  /// Foundation is not imported, so that its two types are known by their names.
  private func kind(of type: Any.Type) -> Kind {
    let identity = ObjectIdentifier(type)
    if let known = kinds[identity] { return known }
    let kind: Kind =
      switch String(reflecting: type) {
      case "Foundation.Date", "FoundationEssentials.Date": .date
      case "Foundation.Data", "FoundationEssentials.Data", "Swift.Array<Swift.UInt8>": .data
      default: .plain
      }
    kinds[identity] = kind
    return kind
  }
}

/// Hands out the containers of one value.
struct CodableEncoder: Encoder {
  let box: CodableBox
  let context: CodableContext
  let path: CodablePath?
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    box.beginDictionary()
    return KeyedEncodingContainer(CodableKeyedEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    box.beginArray()
    return CodableUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    CodableSingleEncoding(encoder: self)
  }

  /// The object of a value that has no containers of its own; `nil` for other types.
  static func leaf<Value>(
    _ value: Value, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> Cocoa.Object? {
    switch value {
    case let value as Bool: return .number(Cocoa.Number(value))
    case let value as String: return .string(value)
    case let value as Double: return .number(Cocoa.Number(value))
    case let value as Float: return .number(Cocoa.Number(value))
    case let value as any BinaryInteger:
      if let number = Int64(exactly: value) { return .number(Cocoa.Number(number)) }
      if let number = UInt64(exactly: value) { return .number(Cocoa.Number(number)) }
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: path(), debugDescription: "a whole number of more than 64 bits"))
    default: return nil
    }
  }

  /// Encodes a value into a box of its own.
  func encode<Value: Encodable>(_ value: Value, at key: any CodingKey) throws -> CodableBox {
    try context.checkStack(path)
    let inner = context.makeBox()
    if let leaf = try Self.leaf(value, codingPath + [key]) {
      inner.content = .leaf(leaf)
    } else {
      try context.encode(value, into: inner, path: CodablePath(path, key))
    }
    return inner
  }

  /// An encoder for a box within this one.
  func inner(_ box: CodableBox, at key: any CodingKey) -> CodableEncoder {
    CodableEncoder(box: box, context: context, path: CodablePath(path, key))
  }
}

/// A dictionary that is being written.
private struct CodableKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: CodableEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try encoder.context.checkStack(encoder.path)
    encoder.box.set(encoder.context.makeBox(), for: key.stringValue)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    encoder.box.set(try encoder.encode(value, at: key), for: key.stringValue)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder(forKey: key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested(CodablePlace.superKey) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> any Encoder {
    let box = encoder.context.makeBox()
    encoder.box.set(box, for: key.stringValue)
    return encoder.inner(box, at: key)
  }
}

/// An array that is being written.
private struct CodableUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: CodableEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.box.count }

  mutating func encodeNil() throws {
    try encoder.context.checkStack(encoder.path)
    encoder.box.append(encoder.context.makeBox())
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    encoder.box.append(try encoder.encode(value, at: CodablePlace(count)))
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    let box = encoder.context.makeBox()
    let place = CodablePlace(count)
    encoder.box.append(box)
    return encoder.inner(box, at: place)
  }
}

/// A value that is being written in one piece.
private struct CodableSingleEncoding: SingleValueEncodingContainer {
  let encoder: CodableEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws { encoder.box.content = .leaf(.string(codableNull)) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if let leaf = try CodableEncoder.leaf(value, codingPath) {
      encoder.box.content = .leaf(leaf)
    } else {
      try encoder.context.encode(value, into: encoder.box, path: encoder.path)
    }
  }
}
