extension Cocoa {
  /// A text that is archived as one that can change: Foundation's `NSMutableString`.
  ///
  /// An `NSString` is a `String`; `encodeString(_:forKey:)` writes it.
  public struct MutableString: Coding, FoundationValue {
    /// The text.
    public var text: String

    /// Makes a mutable string.
    public init(_ text: String) { self.text = text }
  }

  /// Bytes that are archived as ones that can change: Foundation's `NSMutableData`.
  ///
  /// An `NSData` is `[UInt8]`; `encodeData(_:forKey:)` writes it.
  public struct MutableData: Coding, FoundationValue {
    /// The bytes.
    public var bytes: [UInt8]

    /// Makes mutable data.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// A moment: Foundation's `NSDate`.
  public struct Date: Coding, FoundationValue {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var secondsSinceReferenceDate: Double

    /// Makes a date.
    public init(secondsSinceReferenceDate: Double) {
      self.secondsSinceReferenceDate = secondsSinceReferenceDate
    }
  }

  /// The object that stands for nothing in collections: Foundation's `NSNull`.
  public struct Null: Coding, FoundationValue {
    /// Makes a null.
    public init() {}
  }
}

extension Cocoa.MutableString {
  public static var archivedClass: ArchivedClass {
    ArchivedClass(
      "NSMutableString", version: 1, superclass: ArchivedClass("NSString", version: 1))
  }

  var asObject: Cocoa.Object { .mutableString(self) }

  init?(bare: BareValue) {
    guard case .string(let text) = bare else { return nil }
    self.init(text)
  }

  public func encode(with coder: any EncodingCoder) throws {
    guard let keyed = coder as? KeyedArchiver else {
      return try coder.encodeBytes([UInt8](text.utf8))
    }
    try keyed.encodeInlineText(text, forKey: "NS.string")
  }

  public init(coder: any DecodingCoder) throws {
    if let keyed = coder as? KeyedUnarchiver {
      self.init(try keyed.boxedString())
    } else if let sequential = coder as? Unarchiver {
      self.init(try sequential.textOfCurrentString())
    } else {
      let bytes = try coder.decodeBytes()
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw coder.invalidValue("a string that is not valid Unicode", forKey: "NS.string")
      }
      self.init(text)
    }
  }
}

extension Cocoa.MutableData {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSMutableData", superclass: "NSData")
  }

  var asObject: Cocoa.Object { .mutableData(self) }

  init?(bare: BareValue) {
    guard case .data(let bytes) = bare else { return nil }
    self.init(bytes)
  }

  public func encode(with coder: any EncodingCoder) throws {
    guard !coder.allowsKeyedCoding else { return try coder.encodeBytes(bytes, forKey: "NS.data") }
    try coder.encodeCounted(bytes)
  }

  public init(coder: any DecodingCoder) throws {
    guard coder.allowsKeyedCoding else {
      self.init(try coder.decodeCounted())
      return
    }
    let bytes = try coder.decodeDataIfPresent(forKey: "NS.data")
    self.init(try bytes ?? coder.decodeData(forKey: "NS.bytes"))
  }
}

extension Cocoa.Date {
  public static var archivedClass: ArchivedClass { "NSDate" }

  var asObject: Cocoa.Object { .date(self) }

  init?(bare: BareValue) {
    guard case .date(let seconds) = bare else { return nil }
    self.init(secondsSinceReferenceDate: seconds)
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeDouble(secondsSinceReferenceDate, forKey: "NS.time")
  }

  public init(coder: any DecodingCoder) throws {
    self.init(secondsSinceReferenceDate: try coder.decodeDouble(forKey: "NS.time"))
  }
}

extension Cocoa.Null {
  public static var archivedClass: ArchivedClass { "NSNull" }

  var asObject: Cocoa.Object { .null }

  public func encode(with coder: any EncodingCoder) throws {}

  public init(coder: any DecodingCoder) throws { self.init() }
}

extension EncodingCoder {
  /// Bytes as sequential archives have them in data objects: their number and an array.
  func encodeCounted(_ bytes: [UInt8]) throws {
    guard let count = Int32(exactly: bytes.count) else {
      throw ArchiveError(.tooLarge, "\(bytes.count) bytes are too many for a sequential archive")
    }
    try encodeInt32(count)
    try encodeValues([.byteArray(bytes)], ofTypes: "[\(count)c]")
  }

  /// How many groups follow, as a whole number of 32 bits.
  func encodeCount(_ count: Int, ofType type: String = "i") throws {
    guard Int32(exactly: count) != nil else {
      throw ArchiveError(.tooLarge, "\(count) elements are too many for a sequential archive")
    }
    try encodeValues([.integer(Int64(count))], ofTypes: type)
  }
}

extension DecodingCoder {
  func decodeCounted() throws -> [UInt8] {
    let count = try decodeCount()
    guard case .byteArray(let bytes) = try decodeValues(ofTypes: "[\(count)c]").first,
      bytes.count == count
    else { throw valueNotFound() }
    return bytes
  }

  /// How many groups follow; nothing is allocated by it.
  func decodeCount(ofType type: String = "i") throws -> Int {
    guard case .integer(let count) = try decodeValues(ofTypes: type).first, count >= 0,
      count <= Int64(Int32.max)
    else { throw invalidValue("a count that is negative or too large", forKey: "count") }
    return Int(count)
  }
}
