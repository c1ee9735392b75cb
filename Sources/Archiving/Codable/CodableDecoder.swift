/// The state while one value is decoded.
final class CodableReading: CodableNest, ReadingNest {
  let limits: ArchiveLimits
  var stack = StackUse()
  private(set) var depth = 0

  static let verb = "reads"

  init(limits: ArchiveLimits) { self.limits = limits }

  func value<Value: Decodable>(_ type: Value.Type, from decoder: CodableDecoder) throws -> Value {
    let room = roomForObject()
    depth += 1
    defer { depth -= 1 }
    switch room {
    case .enough: return try type.init(from: decoder)
    case .further: return try onFurtherStack { try type.init(from: decoder) }
    case .ended: throw tooDeep(decoder.path)
    }
  }
}

/// Hands out the containers of one value that stands in an archive.
struct CodableDecoder: Decoder {
  let object: Cocoa.Object
  let reading: CodableReading
  let path: CodablePath?
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .dictionary(let dictionary) = object else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(
      CodableKeyedDecoding<Key>(decoder: self, values: try values(of: dictionary)))
  }

  private func values(of dictionary: Cocoa.Dictionary) throws -> [String: Cocoa.Object] {
    var values: [String: Cocoa.Object] = [:]
    for pair in dictionary.pairs {
      guard let key = pair.key.text else {
        throw DecodingError.typeMismatch(
          String.self, context("a dictionary with a key that is no string"))
      }
      values[key] = pair.value
    }
    return values
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch object {
    case .array(let array):
      return CodableUnkeyedDecoding(decoder: self, elements: .objects(array.elements))
    case .set(let set):
      return CodableUnkeyedDecoding(decoder: self, elements: .objects(set.elements))
    case .orderedSet(let set):
      return CodableUnkeyedDecoding(decoder: self, elements: .objects(set.elements))
    case .data, .mutableData:
      return CodableUnkeyedDecoding(decoder: self, elements: .bytes(object.bytes ?? []))
    default: throw mismatch([Any].self)
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    CodableSingleDecoding(decoder: self)
  }

  // MARK: Values

  /// Whether it stands for `nil`.
  var isNull: Bool {
    switch object {
    case .null: true
    case .string(let text): text == codableNull
    default: false
    }
  }

  /// The value as one of a type.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try plain(type) ?? reading.value(type, from: self)
  }

  /// The value as one that has no containers of its own; `nil` for other types.
  private func plain<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    if let scalar = try scalar(type), let value = scalar as? Value { return value }
    return type == [UInt8].self ? object.bytes as? Value : nil
  }

  /// The value as one that has no containers of its own; `nil` for other types.
  private func scalar(_ type: Any.Type) throws -> Any? {
    switch type {
    case is Bool.Type: try bool()
    case is String.Type: try string()
    case is Double.Type: try double()
    case is Float.Type: try float()
    case let integer as any FixedWidthInteger.Type: try number(integer)
    default: nil
    }
  }

  private func bool() throws -> Bool {
    guard case .number(let number) = object else { throw mismatch(Bool.self) }
    switch number.value {
    case .bool(let value): return value
    case .integer(let value) where value == 0 || value == 1: return value == 1
    default: throw mismatch(Bool.self)
    }
  }

  private func string() throws -> String {
    guard let text = object.text else { throw mismatch(String.self) }
    return text
  }

  private func double() throws -> Double {
    // Foundation's `Date` decodes itself from its seconds.
    if case .date(let date) = object { return date.secondsSinceReferenceDate }
    guard case .number(let number) = object, !number.isBool else { throw mismatch(Double.self) }
    return number.asDouble
  }

  private func float() throws -> Float {
    let value = try double()
    let float = Float(value)
    guard float.isFinite || !value.isFinite else { throw mismatch(Float.self) }
    return float
  }

  private func number<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    guard case .number(let number) = object else { throw mismatch(type) }
    let value: Value? =
      switch number.value {
      case .bool: nil
      case .integer(let value): Value(exactly: value)
      case .unsigned(let value): Value(exactly: value)
      case .float(let value): Value(exactly: value)
      case .double(let value): Value(exactly: value)
      }
    guard let value else { throw mismatch(type) }
    return value
  }

  /// The decoder of a value within this one.
  func inner(_ value: Cocoa.Object, at key: any CodingKey) -> CodableDecoder {
    CodableDecoder(object: value, reading: reading, path: CodablePath(path, key))
  }

  // MARK: Errors

  func mismatch(_ type: Any.Type) -> DecodingError {
    let found = isNull ? "none" : object.kindName
    return isNull
      ? .valueNotFound(type, context("expected \(type), found \(found)"))
      : .typeMismatch(type, context("expected \(type), found \(found)"))
  }

  func context(_ reason: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: reason)
  }
}

/// A dictionary that is being read.
private struct CodableKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: CodableDecoder
  let values: [String: Cocoa.Object]
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try inner(key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try inner(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try inner(CodablePlace.superKey) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

  private func inner(_ key: any CodingKey) throws -> CodableDecoder {
    try decoder.reading.checkStack(decoder.path)
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        CodablePlace(stringValue: key.stringValue), decoder.context("there is no value"))
    }
    return decoder.inner(value, at: key)
  }
}

/// An array that is being read; the bytes of a data object are one, too.
private struct CodableUnkeyedDecoding: UnkeyedDecodingContainer {
  enum Elements {
    case objects([Cocoa.Object])
    case bytes([UInt8])
  }

  let decoder: CodableDecoder
  let elements: Elements
  var codingPath: [any CodingKey] { decoder.codingPath }
  private(set) var currentIndex = 0

  init(decoder: CodableDecoder, elements: Elements) {
    (self.decoder, self.elements) = (decoder, elements)
  }

  var count: Int? {
    switch elements {
    case .objects(let objects): objects.count
    case .bytes(let bytes): bytes.count
    }
  }

  var isAtEnd: Bool { currentIndex >= count ?? 0 }

  mutating func decodeNil() throws -> Bool {
    guard try next(Any?.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if case .bytes(let bytes) = elements, currentIndex < bytes.count,
      let byte = bytes[currentIndex] as? Value
    {
      currentIndex += 1
      return byte
    }
    let value = try next(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try next([String: Any].self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try next((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  private func next(_ type: Any.Type) throws -> CodableDecoder {
    try decoder.reading.checkStack(decoder.path)
    let place = CodablePlace(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [place], debugDescription: "the array has ended"))
    }
    switch elements {
    case .objects(let objects): return decoder.inner(objects[currentIndex], at: place)
    case .bytes(let bytes):
      return decoder.inner(.number(Cocoa.Number(Int(bytes[currentIndex]))), at: place)
    }
  }
}

/// A value that is being read in one piece.
private struct CodableSingleDecoding: SingleValueDecodingContainer {
  let decoder: CodableDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}

extension Cocoa.Number {
  fileprivate var isBool: Bool {
    if case .bool = value { true } else { false }
  }
}

extension Cocoa.Object {
  /// Its kind, in a word for messages.
  var kindName: String {
    switch self {
    case .null: "nothing"
    case .string, .mutableString: "a string"
    case .number: "a number"
    case .data, .mutableData: "data"
    case .date: "a date"
    case .array: "an array"
    case .set, .orderedSet, .countedSet: "a set"
    case .dictionary: "a dictionary"
    default: "another object"
    }
  }
}
