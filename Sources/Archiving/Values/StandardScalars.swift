// Strings and numbers of the standard library as objects: elements of arrays, keys and values of
// dictionaries, members of a `ClassList`. Under a key, `encode(_:forKey:)` has them inside the
// object.

extension String: Coding, FoundationValue {
  /// `NSString`.
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSString", version: 1, formerNames: ["NSMutableString"])
  }

  var asObject: Cocoa.Object { .string(self) }
  var bareValue: BareValue? { .string(self) }

  init?(bare: BareValue) {
    guard case .string(let text) = bare else { return nil }
    self = text
  }

  /// Writes the text as a string object has it.
  public func encode(with coder: any EncodingCoder) throws {
    try Cocoa.MutableString(self).encode(with: coder)
  }

  /// Reads the text of a string object.
  public init(coder: any DecodingCoder) throws {
    self = try Cocoa.MutableString(coder: coder).text
  }
}

/// A number of the standard library that is an `NSNumber` as an object.
protocol StandardNumber: StandardElement, ListedNumber {
  var asNumber: Cocoa.Number { get }
  /// The number in a place of this type; `nil` when it does not fit. Real numbers are rounded.
  init?(_ number: Cocoa.Number)
}

extension StandardNumber {
  var asObject: Cocoa.Object { .number(asNumber) }
  var bareValue: BareValue? { .number(asNumber) }

  init?(bare: BareValue) {
    guard case .number(let number) = bare else { return nil }
    self.init(number)
  }

  /// Reads a number object; throws when the number does not fit the type.
  fileprivate init(numberFrom coder: any DecodingCoder) throws {
    let number = try Cocoa.Number(coder: coder)
    guard let value = Self(number) else {
      throw coder.invalidValue("\(number.value) does not fit \(Self.self)", forKey: "number")
    }
    self = value
  }
}

extension StandardNumber where Self: FixedWidthInteger {
  static func rank(of value: Cocoa.Number.Value) -> NumberRank {
    switch value {
    case .integer, .unsigned: self == Int.self ? .own : .near
    case .bool, .float, .double: .other
    }
  }

  var asNumber: Cocoa.Number {
    Int64(exactly: self).map { Cocoa.Number($0) } ?? Cocoa.Number(UInt64(truncatingIfNeeded: self))
  }

  init?(_ number: Cocoa.Number) {
    switch number.value {
    case .bool(let value): self = value ? 1 : 0
    case .integer(let value): self.init(exactly: value)
    case .unsigned(let value): self.init(exactly: value)
    case .float(let value): self.init(exactly: value)
    case .double(let value): self.init(exactly: value)
    }
  }
}

extension Bool: Coding, StandardNumber {
  var asNumber: Cocoa.Number { Cocoa.Number(self) }

  init?(_ number: Cocoa.Number) {
    switch number.asDouble {
    case 0: self = false
    case 1: self = true
    default: return nil
    }
  }

  static func rank(of value: Cocoa.Number.Value) -> NumberRank {
    if case .bool = value { .own } else { .last }
  }

  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Float: Coding, StandardNumber {
  var asNumber: Cocoa.Number { Cocoa.Number(self) }
  init?(_ number: Cocoa.Number) { self.init(fitting: number.asDouble) }

  init?(exactly number: Cocoa.Number) {
    guard let double = Double(exactly: number) else { return nil }
    self.init(double)
    guard double.isNaN || Double(self) == double else { return nil }
  }

  static func rank(of value: Cocoa.Number.Value) -> NumberRank {
    switch value {
    case .float: .own
    case .double: .near
    case .integer, .unsigned: .other
    case .bool: .last
    }
  }

  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Double: Coding, StandardNumber {
  var asNumber: Cocoa.Number { Cocoa.Number(self) }
  init?(_ number: Cocoa.Number) { self = number.asDouble }

  init?(exactly number: Cocoa.Number) {
    switch number.value {
    case .integer(let value): self.init(exactly: value)
    case .unsigned(let value): self.init(exactly: value)
    case .bool, .float, .double: self = number.asDouble
    }
  }

  static func rank(of value: Cocoa.Number.Value) -> NumberRank {
    switch value {
    case .double: .own
    case .float: .near
    case .integer, .unsigned: .other
    case .bool: .last
    }
  }

  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Int: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Int32: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Int64: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Int8: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension Int16: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension UInt8: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension UInt16: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension UInt32: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension UInt64: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}

extension UInt: Coding, StandardNumber {
  /// `NSNumber`.
  public static var archivedClass: ArchivedClass { Cocoa.Number.archivedClass }

  /// Writes the number as a number object has it.
  public func encode(with coder: any EncodingCoder) throws { try asNumber.encode(with: coder) }

  /// Reads a number object; throws when the number does not fit the type.
  public init(coder: any DecodingCoder) throws { try self.init(numberFrom: coder) }
}
