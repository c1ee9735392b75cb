extension Cocoa {
  /// A name and a value in a URL's query: Foundation's `NSURLQueryItem`.
  public struct URLQueryItem: Coding, FoundationValue {
    /// The name.
    public var name: String
    /// The value, or none.
    public var value: String?

    /// Makes a query item.
    public init(_ name: String, value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// The parts of a person's name: Foundation's `NSPersonNameComponents`.
  public struct PersonNameComponents: Coding, FoundationValue {
    /// A part of a name.
    #if hasAttribute(nonexhaustive)
      @nonexhaustive
    #endif
    public enum Field: String, CaseIterable, Sendable {
      /// The part in front, such as `Dr.`.
      case namePrefix
      /// The given name.
      case givenName
      /// The middle name.
      case middleName
      /// The family name.
      case familyName
      /// The part behind, such as `Jr.`.
      case nameSuffix
      /// The nickname.
      case nickname
    }

    /// The parts that are known.
    public var fields: [Field: String]

    /// Makes a person's name.
    public init(_ fields: [Field: String] = [:]) { self.fields = fields }
  }

  /// A transformation of the plane: Foundation's `NSAffineTransform`.
  public struct AffineTransform: Coding, FoundationValue {
    /// The matrix in the order m11, m12, m21, m22, tX, tY.
    public let numbers: [Float]

    /// Makes a transformation; `nil` unless there are six numbers.
    public init?(_ numbers: [Float]) {
      guard numbers.count == 6 else { return nil }
      self.numbers = numbers
    }
  }

  /// How decimal numbers are rounded: Foundation's `NSDecimalNumberHandler`.
  public struct DecimalNumberHandler: Coding, FoundationValue {
    /// A fault in arithmetic that may be raised.
    public enum Fault: String, CaseIterable, Sendable {
      /// The result is not exact.
      case exactness
      /// The result is too large.
      case overflow
      /// The result is too small.
      case underflow
      /// A division by zero.
      case divideByZero = "dividebyzero"
    }

    /// Foundation's number of the way to round.
    public var roundingMode: Int
    /// How many digits stay behind the point; `Int16.max` for all.
    public var scale: Int
    /// The faults that are raised.
    public var raised: Swift.Set<Fault>

    /// Makes a handler.
    public init(roundingMode: Int = 0, scale: Int = 32_767, raised: Swift.Set<Fault> = []) {
      self.roundingMode = roundingMode
      self.scale = scale
      self.raised = raised
    }
  }
}

extension Cocoa.URLQueryItem {
  public static var archivedClass: ArchivedClass { "NSURLQueryItem" }

  var asObject: Cocoa.Object { .urlQueryItem(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "NS.name")
    try coder.encodeString(value, forKey: "NS.value")
  }

  public init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "NS.name")
    value = try coder.decodeStringIfPresent(forKey: "NS.value")
  }
}

extension Cocoa.PersonNameComponents {
  public static var archivedClass: ArchivedClass { "NSPersonNameComponents" }

  var asObject: Cocoa.Object { .personNameComponents(self) }

  public func encode(with coder: any EncodingCoder) throws {
    for field in Field.allCases {
      try coder.encodeString(fields[field], forKey: "NS." + field.rawValue)
    }
  }

  public init(coder: any DecodingCoder) throws {
    fields = [:]
    for field in Field.allCases {
      fields[field] = try coder.decodeStringIfPresent(forKey: "NS." + field.rawValue)
    }
  }
}

extension Cocoa.AffineTransform {
  public static var archivedClass: ArchivedClass { "NSAffineTransform" }

  var asObject: Cocoa.Object { .affineTransform(self) }

  public func encode(with coder: any EncodingCoder) throws {
    // Six numbers of 32 bits, the most significant byte first.
    let bytes = numbers.flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt32($0)) }
    }
    try coder.encodeBytes(bytes, forKey: "NSTransformStruct")
  }

  public init(coder: any DecodingCoder) throws {
    if try coder.isPositional(insteadOf: "NSTransformStruct") {
      // As Foundation on Linux writes it.
      let numbers = try coder.decodeArray(of: Float.self, count: 6)
      guard let transform = Cocoa.AffineTransform(numbers) else { throw coder.valueNotFound() }
      self = transform
      return
    }
    let bytes = try coder.decodeBytes(forKey: "NSTransformStruct")
    let words = stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { place in
      bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    guard bytes.count == 24,
      let transform = Cocoa.AffineTransform(words.map { Float(bitPattern: $0) })
    else {
      throw coder.invalidValue("a transformation has 24 bytes", forKey: "NSTransformStruct")
    }
    self = transform
  }
}

extension Cocoa.DecimalNumberHandler {
  public static var archivedClass: ArchivedClass { "NSDecimalNumberHandler" }

  var asObject: Cocoa.Object { .decimalNumberHandler(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(roundingMode, forKey: "NS.roundingmode")
    try coder.encodeInt(scale, forKey: "NS.scale")
    for fault in Fault.allCases
    where raised.contains(fault) || !coder.allowsKeyedCoding {
      try coder.encodeBool(raised.contains(fault), forKey: "NS.raise." + fault.rawValue)
    }
  }

  public init(coder: any DecodingCoder) throws {
    roundingMode = try coder.decodeIntIfPresent(forKey: "NS.roundingmode") ?? 0
    scale = try coder.decodeIntIfPresent(forKey: "NS.scale") ?? 0
    raised = []
    for fault in Fault.allCases
    where try coder.decodeBoolIfPresent(forKey: "NS.raise." + fault.rawValue) == true {
      raised.insert(fault)
    }
  }
}
