extension Cocoa {
  /// A value that Objective-C's type codes describe, within an `NSValue` or an array of such.
  public indirect enum Scalar: Hashable, Sendable {
    /// A whole number: `c C s S i I l L q Q B`.
    case integer(Int64)
    /// A whole number beyond `Int64`: `Q`.
    case unsigned(UInt64)
    /// A real number of 32 bits: `f`.
    case float(Float)
    /// A real number of 64 bits: `d`.
    case double(Double)
    /// An object, or none: `@`.
    case object(Object?)
    /// The bytes of a C string, or none: `*`.
    case cString([UInt8]?)
    /// The bytes of a unique C string, or none: `%`.
    case atom([UInt8]?)
    /// The name of a method, or none: `:`.
    case selector(String?)
    /// The name of a class, or none: `#`.
    case className(String?)
    /// Bytes: `[nc]`, `[nC]`.
    case bytes([UInt8])
    /// Values of one type: `[nT]`.
    case array([Scalar])
    /// The fields of a structure: `{name=…}`.
    case structure([Scalar])
  }

  /// An array of C's that a keyed archive holds as an object: `_NSKeyedCoderOldStyleArray`.
  public struct OldStyleArray: Coding, FoundationValue {
    /// The type code of the elements.
    public let type: Character
    /// How many bytes an element takes in memory.
    public let size: Int
    /// The elements.
    public let elements: [Scalar]
  }
}

extension Cocoa.Scalar {
  /// The value of a typed one; `nil` for an object, which is read in another way.
  init?(_ value: TypedValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .cString(let bytes): self = .cString(bytes)
    case .atom(let bytes): self = .atom(bytes)
    case .selector(let name): self = .selector(name)
    case .archivedClass(let archived): self = .className(archived?.name)
    case .byteArray(let bytes): self = .bytes(bytes)
    case .array(let values):
      let scalars = values.compactMap { Cocoa.Scalar($0) }
      guard scalars.count == values.count else { return nil }
      self = .array(scalars)
    case .structure(let values):
      let scalars = values.compactMap { Cocoa.Scalar($0) }
      guard scalars.count == values.count else { return nil }
      self = .structure(scalars)
    case .object, .conditionalObject, .bytes, .pointer: return nil
    }
  }

  /// The value for a coder.
  var typed: TypedValue {
    switch self {
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .object(let object): .object(object)
    case .cString(let bytes): .cString(bytes)
    case .atom(let bytes): .atom(bytes)
    case .selector(let name): .selector(name)
    case .className(let name): .archivedClass(name.map { ArchivedClass($0) })
    case .bytes(let bytes): .byteArray(bytes)
    case .array(let scalars): .array(scalars.map(\.typed))
    case .structure(let scalars): .structure(scalars.map(\.typed))
    }
  }

  /// The value as a real number, where it is one.
  var real: Double? {
    switch self {
    case .float(let value): Double(value)
    case .double(let value): value
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    default: nil
    }
  }

  /// The value as a whole number that is not negative, where it is one.
  var count: Int? {
    switch self {
    case .integer(let value): value >= 0 ? Int(exactly: value) : nil
    default: nil
    }
  }
}

extension DecodingCoder {
  /// The next value without a key, of one type.
  func decodeScalar(ofType type: String) throws -> Cocoa.Scalar {
    if type == "@" {
      return .object(try decodeObjectIfPresent(Cocoa.Object.self))
    }
    // The coder checks types; it refuses objects inside of arrays and structures.
    let values = try decodeValues(ofTypes: type)
    guard values.count == 1, let value = values.first, let scalar = Cocoa.Scalar(value) else {
      throw invalidValue("a value of the type \(type.prefix(100))", forKey: "type")
    }
    return scalar
  }
}

extension Cocoa.OldStyleArray {
  public static var archivedClass: ArchivedClass { "_NSKeyedCoderOldStyleArray" }

  var asObject: Cocoa.Object { .oldStyleArray(self) }

  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding, let code = type.asciiValue else {
      throw ArchiveError(.misuse, "only keyed archives hold arrays of C's as objects")
    }
    try coder.encodeInt(elements.count, forKey: "NS.count")
    try coder.encodeInt(size, forKey: "NS.size")
    try coder.encodeInt(Int(code), forKey: "NS.type")
    for element in elements { try coder.encodeValues([element.typed], ofTypes: String(type)) }
  }

  public init(coder: any DecodingCoder) throws {
    guard coder.allowsKeyedCoding else {
      throw ArchiveError(.misuse, "only keyed archives hold arrays of C's as objects")
    }
    let count = try coder.decodeInt(forKey: "NS.count")
    let size = try coder.decodeInt(forKey: "NS.size")
    let code = try coder.decodeInt(forKey: "NS.type")
    guard count >= 0, let code = UInt8(exactly: code),
      "cCsSiIlLqQBfd@#:*%".utf8.contains(code), KeyedType.admits(size: size, of: code)
    else {
      throw coder.invalidValue("\(count) elements of \(size) bytes cannot be", forKey: "NS.count")
    }
    type = Character(Unicode.Scalar(code))
    self.size = size
    var elements: [Cocoa.Scalar] = []
    // The count is not believed: the first element that is not there ends the reading.
    for _ in 0..<count { elements.append(try coder.decodeScalar(ofType: String(type))) }
    self.elements = elements
  }
}
