// One call for everything: numbers, strings and bytes, objects and values, and collections of them.

extension EncodingCoder {
  /// Encodes a value or object.
  ///
  /// Numbers stand inside the object, strings and bytes (`[UInt8]`) are string and data objects,
  /// arrays, sets and dictionaries are collection objects; all else is encoded as an object.
  ///
  ///     try coder.encode(name, forKey: "name")               // String
  ///     try coder.encode(lines, forKey: "lines")             // [[Station]]
  ///     try coder.encode(stationByNumber, forKey: "numbers") // [Int: Station]
  @inlinable
  public func encode<Value: Coding>(_ value: Value, forKey key: String) throws {
    // Apart, so that its frame is not on the stack at every level of a graph.
    guard try !encodeInside(value, forKey: key) else { return }
    try encodeObject(value, forKey: key)
  }

  /// Encodes a value or object, or none.
  @inlinable
  public func encode<Value: Coding>(_ value: Value?, forKey key: String) throws {
    guard let value else { return try encodeNil(forKey: key) }
    try encode(value, forKey: key)
  }

  /// Encodes a value that has a call of its own; false for any other.
  @inlinable
  func encodeInside<Value: Coding>(_ value: Value, forKey key: String) throws -> Bool {
    if Value.self == String.self, let text = value as? String {
      try encodeString(text, forKey: key)
    } else if Value.self == Int.self, let number = value as? Int {
      try encodeInt(number, forKey: key)
    } else if Value.self == Double.self, let number = value as? Double {
      try encodeDouble(number, forKey: key)
    } else if Value.self == Bool.self, let truth = value as? Bool {
      try encodeBool(truth, forKey: key)
    } else if Value.self == Int32.self, let number = value as? Int32 {
      try encodeInt32(number, forKey: key)
    } else if Value.self == Int64.self, let number = value as? Int64 {
      try encodeInt64(number, forKey: key)
    } else if Value.self == Float.self, let number = value as? Float {
      try encodeFloat(number, forKey: key)
    } else if Value.self == [UInt8].self, let bytes = value as? [UInt8] {
      try encodeData(bytes, forKey: key)
    } else {
      return false
    }
    return true
  }

  /// Encodes objects and values of several types as an array: strings and numbers among them.
  @inlinable
  public func encode(_ values: [any Coding], forKey key: String) throws {
    try encodeObjects(values, forKey: key)
  }

  /// Encodes a dictionary of objects and values of several types.
  @inlinable
  public func encode(_ values: [String: any Coding], forKey key: String) throws {
    try encodeDictionary(values, forKey: key)
  }
}

extension DecodingCoder {
  /// Decodes what `encode(_:forKey:)` encoded; `nil` when there is none.
  @inlinable
  public func decodeIfPresent<Value: Coding>(
    _ type: Value.Type, forKey key: String
  ) throws -> Value? {
    // Apart, so that its frame is not on the stack at every level of a graph.
    guard isInside(type) else { return try decodeObjectIfPresent(type, forKey: key) }
    return try decodeInside(type, forKey: key)
  }

  /// Whether values of a type have a call of their own.
  @inlinable
  func isInside<Value: Coding>(_ type: Value.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self
      || type == Int32.self || type == Int64.self || type == Float.self || type == [UInt8].self
  }

  @inlinable
  func decodeInside<Value: Coding>(_ type: Value.Type, forKey key: String) throws -> Value? {
    if type == String.self { return try decodeStringIfPresent(forKey: key) as? Value }
    if type == Int.self { return try decodeIntIfPresent(forKey: key) as? Value }
    if type == Double.self { return try decodeDoubleIfPresent(forKey: key) as? Value }
    if type == Bool.self { return try decodeBoolIfPresent(forKey: key) as? Value }
    if type == Int32.self { return try decodeInt32IfPresent(forKey: key) as? Value }
    if type == Int64.self { return try decodeInt64IfPresent(forKey: key) as? Value }
    if type == Float.self { return try decodeFloatIfPresent(forKey: key) as? Value }
    return try decodeDataIfPresent(forKey: key) as? Value
  }

  /// Decodes what `encode(_:forKey:)` encoded; throws when there is none.
  @inlinable
  public func decode<Value: Coding>(_ type: Value.Type, forKey key: String) throws -> Value {
    guard isInside(type) else { return try decodeObject(type, forKey: key) }
    return try decodeRequiredInside(type, forKey: key)
  }

  @inlinable
  func decodeRequiredInside<Value: Coding>(
    _ type: Value.Type, forKey key: String
  ) throws -> Value {
    try present(decodeInside(type, forKey: key), key)
  }
}
