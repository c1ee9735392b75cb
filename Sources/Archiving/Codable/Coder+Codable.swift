// Values of Swift's own `Codable` inside an archive.

extension EncodingCoder {
  /// Encodes any `Encodable` value, or none, as dictionaries, arrays, strings, numbers, dates and
  /// data, as Foundation's `encodeEncodable(_:forKey:)` does.
  ///
  ///     try coder.encodeCodable(settings, forKey: "settings")
  ///
  /// Dates and data of Foundation become date and data objects, arrays of `UInt8` data objects.
  /// `nil` inside a container is the text `$null`, as in Foundation. Throws with the path
  /// of the value that cannot be encoded, and `.tooDeep` where the stack ends.
  public func encodeCodable<Value: Encodable>(_ value: Value?, forKey key: String) throws {
    guard let value else { return try encodeNil(forKey: key) }
    let context = CodableContext(limits: codableLimits(self))
    // The context is released last, so that the object's release goes no deeper than one level.
    try withExtendedLifetime(context) {
      let object: Cocoa.Object
      do {
        object = try context.object(of: value)
      } catch let error as EncodingError {
        let keyed = self as? KeyedArchiver
        throw ArchiveError(error, at: keyed?.path(key) ?? key)
      }
      try encodeObject(object, forKey: key)
    }
  }
}

extension DecodingCoder {
  /// Decodes a `Decodable` value written by `encodeCodable(_:forKey:)`; `nil` when there is
  /// none.
  ///
  /// Throws with the path of the value that is of another type.
  public func decodeCodableIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: String
  ) throws -> Value? {
    guard let object = try codableObject(forKey: key) else { return nil }
    do {
      let reading = CodableReading(limits: codableLimits(self))
      return try CodableDecoder(object: object, reading: reading, path: nil).decode(type)
    } catch let error as DecodingError {
      throw ArchiveError(error, at: valueNotFound(forKey: key).path)
    }
  }

  /// The object of a codable value, nested as deep as `encodeCodable(_:forKey:)` writes it.
  private func codableObject(forKey key: String) throws -> Cocoa.Object? {
    let values = self as? any ValueDecodingCoder
    let former = values?.valueMemos.depthMax
    // Nothing compares, hashes or releases such values level by level; `decodeHashed` sees to keys
    // and members.
    values?.valueMemos.depthMax = codableLimits(self).depthMax
    defer { values?.valueMemos.depthMax = former ?? 0 }
    return try decodeObjectIfPresent(Cocoa.Object.self, forKey: key)
  }

  /// Decodes a `Decodable` value; throws when there is none.
  public func decodeCodable<Value: Decodable>(
    _ type: Value.Type, forKey key: String
  ) throws -> Value {
    try present(decodeCodableIfPresent(type, forKey: key), key)
  }
}

private func codableLimits(_ coder: Any) -> ArchiveLimits {
  (coder as? any Nest)?.limits ?? ArchiveLimits()
}

/// What codes a value of Swift's own `Codable`.
protocol CodableNest: Nest {
  /// What it does with a value, for messages.
  static var verb: String { get }
}

extension CodableNest {
  /// Throws before the stack ends, where values code themselves within each other without a call
  /// for a value: by superclasses and nested containers.
  func checkStack(_ path: CodablePath?) throws {
    guard stackRoom() > stack.floor - limits.stackReserve / 2 else { throw tooDeep(path) }
  }

  func tooDeep(_ path: CodablePath?) -> ArchiveError {
    ArchiveError(.tooDeep, limits.depthReason(max(depth, path?.count ?? 0), Self.verb))
  }
}

/// The way to a value, from the innermost key outwards: a level costs no more than its own key.
final class CodablePath {
  fileprivate let outer: CodablePath?
  fileprivate let key: any CodingKey
  let count: Int

  init(_ outer: CodablePath?, _ key: any CodingKey) {
    (self.outer, self.key) = (outer, key)
    count = (outer?.count ?? 0) + 1
  }
}

extension CodablePath? {
  /// The keys from the outermost inwards.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place = self
    while let present = place {
      keys.append(present.key)
      place = present.outer
    }
    return keys.reversed()
  }
}

/// The text for `nil` inside containers.
let codableNull = "$null"

/// A place in a container that has no name of its own.
struct CodablePlace: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  init(_ index: Int) { self.init(intValue: index) }

  static let superKey = CodablePlace(stringValue: "super")
}

extension ArchiveError {
  /// A fault of a decodable type in the terms of an archive.
  init(_ error: DecodingError, at place: String) {
    switch error {
    case .typeMismatch(_, let context): self.init(.typeMismatch, context.codingPath, place, context)
    case .valueNotFound(_, let context):
      self.init(.valueNotFound, context.codingPath, place, context)
    case .keyNotFound(let key, let context):
      self.init(.valueNotFound, context.codingPath + [key], place, context)
    case .dataCorrupted(let context):
      self.init(.invalidValue, context.codingPath, place, context)
    @unknown default: self.init(.invalidValue, path: place, "it cannot be decoded")
    }
  }

  private init(
    _ code: Code, _ keys: [any CodingKey], _ place: String, _ context: DecodingError.Context
  ) {
    self.init(code, path: codablePath(place, keys), context.debugDescription)
  }

  /// A fault of an encodable type in the terms of an archive.
  init(_ error: EncodingError, at place: String) {
    guard case .invalidValue(_, let context) = error else {
      self.init(.invalidValue, path: place, "it cannot be encoded")
      return
    }
    self.init(
      .invalidValue, path: codablePath(place, context.codingPath), context.debugDescription)
  }
}

private func codablePath(_ place: String, _ keys: [any CodingKey]) -> String {
  var path = place
  for key in keys.prefix(64) {
    path += key.intValue.map { "[\($0)]" } ?? "." + key.stringValue
  }
  return path
}
