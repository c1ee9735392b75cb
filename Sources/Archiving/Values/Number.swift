import PropertyLists

extension Cocoa {
  /// A number with its kind: Foundation's `NSNumber`.
  ///
  /// Numbers are equal when their kinds and values are; `asDouble` and the like convert.
  public struct Number: Coding, FoundationValue {
    /// A value with its kind.
    public enum Value: Hashable, Sendable {
      /// A truth value.
      case bool(Bool)
      /// A whole number.
      case integer(Int64)
      /// A whole number beyond `Int64`.
      case unsigned(UInt64)
      /// A real number of 32 bits.
      case float(Float)
      /// A real number of 64 bits.
      case double(Double)
    }

    /// The value with its kind.
    public let value: Value

    /// The type code under which a sequential archive has it, such as `i`; not compared.
    let typeCode: UInt8

    init(_ value: Value, typeCode: UInt8? = nil) {
      self.value = value
      self.typeCode = typeCode ?? Self.defaultCode(value)
    }

    /// Makes a truth value.
    public init(_ value: Bool) { self.init(.bool(value)) }
    /// Makes a whole number.
    public init(_ value: Int) { self.init(.integer(Int64(value))) }
    /// Makes a whole number of 64 bits.
    public init(_ value: Int64) { self.init(.integer(value)) }
    /// Makes a whole number that may be beyond `Int64`.
    public init(_ value: UInt64) {
      self.init(Int64(exactly: value).map { .integer($0) } ?? .unsigned(value))
    }
    /// Makes a real number of 32 bits.
    public init(_ value: Float) { self.init(.float(value)) }
    /// Makes a real number of 64 bits.
    public init(_ value: Double) { self.init(.double(value)) }

    private static func defaultCode(_ value: Value) -> UInt8 {
      switch value {
      case .bool: UInt8(ascii: "c")
      case .integer: UInt8(ascii: "q")
      case .unsigned: UInt8(ascii: "Q")
      case .float: UInt8(ascii: "f")
      case .double: UInt8(ascii: "d")
      }
    }
  }
}

extension Cocoa.Number {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSNumber", superclass: ArchivedClass("NSValue"))
  }

  public static func == (first: Cocoa.Number, second: Cocoa.Number) -> Bool {
    first.value == second.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// The value as a real one.
  public var asDouble: Double {
    switch value {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    }
  }

  /// The value as a whole one; `nil` when it is not whole or does not fit.
  public var asInt: Int? {
    switch value {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Int(exactly: value)
    case .unsigned(let value): Int(exactly: value)
    case .float(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    }
  }

  /// Whether it is other than zero.
  public var asBool: Bool {
    switch value {
    case .bool(let value): value
    case .integer(let value): value != 0
    case .unsigned: true
    case .float(let value): value != 0
    case .double(let value): value != 0
    }
  }

  var asObject: Cocoa.Object { .number(self) }

  var bareValue: BareValue? { .number(self) }

  init?(bare: BareValue) {
    guard case .number(let number) = bare else { return nil }
    self = number
  }

  public func encode(with coder: any EncodingCoder) throws {
    guard !coder.allowsKeyedCoding else {
      // Keyed archives hold numbers bare; this is for coders of a program's own.
      switch value {
      case .bool(let value): try coder.encodeBool(value, forKey: "NS.boolval")
      case .integer(let value): try coder.encodeInt64(value, forKey: "NS.intval")
      case .unsigned(let value):
        try coder.encodeInt64(Int64(bitPattern: value), forKey: "NS.uintval")
      case .float(let value): try coder.encodeFloat(value, forKey: "NS.fltval")
      case .double(let value): try coder.encodeDouble(value, forKey: "NS.dblval")
      }
      return
    }
    let code = "\(Character(Unicode.Scalar(typeCode)))"
    try coder.encodeCString(code)
    try coder.encodeValues([typed], ofTypes: code)
  }

  public init(coder: any DecodingCoder) throws {
    guard !coder.allowsKeyedCoding else {
      // Keyed archives hold numbers bare; Foundation on Linux also reads these.
      if let value = try coder.decodeBoolIfPresent(forKey: "NS.boolval") {
        self.init(value)
      } else if let value = try coder.decodeInt64IfPresent(forKey: "NS.intval") {
        self.init(value)
      } else if let value = try coder.decodeInt64IfPresent(forKey: "NS.uintval") {
        self.init(UInt64(bitPattern: value))
      } else if let value = try coder.decodeFloatIfPresent(forKey: "NS.fltval") {
        self.init(value)
      } else {
        self.init(try coder.decodeDouble(forKey: "NS.dblval"))
      }
      return
    }
    let type = try coder.decodeCString() ?? ""
    guard type.utf8.count == 1, let code = type.utf8.first, "cCsSiIlLqQBfd".utf8.contains(code)
    else { throw coder.invalidValue("\(type) is not the type of a number", forKey: "type") }
    guard let number = Self(try coder.decodeValues(ofTypes: type).first, typeCode: code) else {
      throw coder.valueNotFound()
    }
    self = number
  }

  /// The number that an object of a property list is; `nil` for other objects.
  init?(object: PropertyListObject) {
    switch object {
    case .bool(let value): self.init(value)
    case .integer(let value): self.init(value)
    case .unsigned(let value): self.init(value)
    case .float(let value): self.init(value)
    case .double(let value): self.init(value)
    default: return nil
    }
  }

  /// The value as coders take it.
  var typed: TypedValue {
    switch value {
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    }
  }

  /// A number read under a type code; `nil` when the value is none.
  init?(_ typed: TypedValue?, typeCode: UInt8) {
    let isTruth = typeCode == UInt8(ascii: "c") || typeCode == UInt8(ascii: "B")
    switch typed {
    case .integer(let number) where isTruth && (number == 0 || number == 1):
      self.init(.bool(number == 1), typeCode: typeCode)
    case .integer(let number): self.init(.integer(number), typeCode: typeCode)
    case .unsigned(let number): self.init(.unsigned(number), typeCode: typeCode)
    case .float(let number): self.init(.float(number), typeCode: typeCode)
    case .double(let number): self.init(.double(number), typeCode: typeCode)
    default: return nil
    }
  }
}
