/// A number that arrays of simple values are made of, with its type code.
public protocol ArchivedScalar: Sendable {
  /// The type code, as `i` for 32 bits.
  static var typeCode: Character { get }
  /// The number as a value for `encodeValues(_:ofTypes:)`.
  var typedValue: TypedValue { get }
  /// Takes the number out of a value; `nil` when it is another one.
  init?(_ value: TypedValue)
}

extension ArchivedScalar where Self: FixedWidthInteger {
  public var typedValue: TypedValue {
    Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
  }

  public init?(_ value: TypedValue) {
    switch value {
    case .integer(let number): self.init(exactly: number)
    case .unsigned(let number): self.init(exactly: number)
    default: return nil
    }
  }
}

extension Int8: ArchivedScalar { public static var typeCode: Character { "c" } }
extension UInt8: ArchivedScalar { public static var typeCode: Character { "C" } }
extension Int16: ArchivedScalar { public static var typeCode: Character { "s" } }
extension UInt16: ArchivedScalar { public static var typeCode: Character { "S" } }
extension Int32: ArchivedScalar { public static var typeCode: Character { "i" } }
extension UInt32: ArchivedScalar { public static var typeCode: Character { "I" } }
extension Int64: ArchivedScalar { public static var typeCode: Character { "q" } }
extension UInt64: ArchivedScalar { public static var typeCode: Character { "Q" } }
extension Int: ArchivedScalar { public static var typeCode: Character { "q" } }
extension UInt: ArchivedScalar { public static var typeCode: Character { "Q" } }

extension Float: ArchivedScalar {
  public static var typeCode: Character { "f" }
  public var typedValue: TypedValue { .float(self) }
  public init?(_ value: TypedValue) {
    guard case .float(let number) = value else { return nil }
    self = number
  }
}

extension Double: ArchivedScalar {
  public static var typeCode: Character { "d" }
  public var typedValue: TypedValue { .double(self) }
  public init?(_ value: TypedValue) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
}

extension UnkeyedEncodingCoder {
  /// Encodes numbers of one type as an array (Cocoa's `encodeArrayOfObjCType:count:at:`).
  ///
  /// Encode how many there are before.
  public func encodeArray<Element: ArchivedScalar>(of elements: [Element]) throws {
    try encodeValues(
      [.array(elements.map(\.typedValue))], ofTypes: "[\(elements.count)\(Element.typeCode)]")
  }
}

extension UnkeyedDecodingCoder {
  /// Decodes so many numbers of a type, which must be the encoded type and count.
  public func decodeArray<Element: ArchivedScalar>(
    of type: Element.Type, count: Int
  ) throws -> [Element] {
    let values = try decodeValues(ofTypes: "[\(max(0, count))\(Element.typeCode)]")
    let elements: [Element?]
    switch values.first {
    case .array(let array): elements = array.map { Element($0) }
    case .byteArray(let bytes):
      elements = bytes.map { byte in
        Element(.integer(type is Int8.Type ? Int64(Int8(bitPattern: byte)) : Int64(byte)))
      }
    default: throw valueNotFound()
    }
    return try elements.map { element in
      guard let element else { throw valueNotFound() }
      return element
    }
  }
}
