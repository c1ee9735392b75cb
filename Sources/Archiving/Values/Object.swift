extension Cocoa {
  /// A value in an archive of another program, of any class.
  ///
  ///     let state = try unarchiver.decodeAnyValue(forKey: "State")
  ///     if case .dictionary(let settings) = state { … settings["windows"] … }
  ///
  /// Objects of classes that are not Foundation's values are kept whole, and written back
  /// unchanged; so are those of Foundation's classes that are not as Foundation writes them
  /// (`UnknownObject.fault` says why), while the rest is read. Collections that hold
  /// themselves are refused, and so is a small archive that stands for an enormous value.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Object: Hashable, Sendable {
    /// `NSNull`.
    case null
    /// `NSString`.
    case string(String)
    /// `NSMutableString`.
    case mutableString(MutableString)
    /// `NSNumber`.
    case number(Number)
    /// `NSData`.
    case data([UInt8])
    /// `NSMutableData`.
    case mutableData(MutableData)
    /// `NSDate`.
    case date(Date)
    /// `NSArray`, `NSMutableArray`.
    case array(Array)
    /// `NSSet`, `NSMutableSet`.
    case set(Set)
    /// `NSDictionary`, `NSMutableDictionary`.
    case dictionary(Dictionary)
    /// `NSOrderedSet`, `NSMutableOrderedSet`.
    case orderedSet(OrderedSet)
    /// `NSCountedSet`.
    case countedSet(CountedSet)
    /// `NSAttributedString`, `NSMutableAttributedString`.
    indirect case attributedString(AttributedString)
    /// `NSIndexSet`, `NSMutableIndexSet`.
    indirect case indexSet(IndexSet)
    /// `NSIndexPath`.
    indirect case indexPath(IndexPath)
    /// `NSURL`.
    indirect case url(URL)
    /// `NSUUID`.
    indirect case uuid(UUID)
    /// `NSValue`.
    indirect case value(Value)
    /// An array of C's.
    indirect case oldStyleArray(OldStyleArray)
    /// `NSDecimalNumber`.
    indirect case decimalNumber(DecimalNumber)
    /// `NSDecimalNumberHandler`.
    indirect case decimalNumberHandler(DecimalNumberHandler)
    /// `NSLocale`.
    indirect case locale(Locale)
    /// `NSTimeZone`.
    indirect case timeZone(TimeZone)
    /// `NSCalendar`.
    indirect case calendar(Calendar)
    /// `NSDateComponents`.
    indirect case dateComponents(DateComponents)
    /// `NSDateInterval`.
    indirect case dateInterval(DateInterval)
    /// `NSError`.
    indirect case error(Error)
    /// `NSNotification`.
    indirect case notification(Notification)
    /// `NSSortDescriptor`.
    indirect case sortDescriptor(SortDescriptor)
    /// `NSCharacterSet`, `NSMutableCharacterSet`.
    indirect case characterSet(CharacterSet)
    /// `NSMeasurement`.
    indirect case measurement(Measurement)
    /// `NSUnit` and its subclasses.
    indirect case unit(Unit)
    /// `NSUnitConverterLinear`, `NSUnitConverterReciprocal`.
    indirect case unitConverter(UnitConverter)
    /// `NSRegularExpression`.
    indirect case regularExpression(RegularExpression)
    /// `NSTextCheckingResult`.
    indirect case textCheckingResult(TextCheckingResult)
    /// `NSURLQueryItem`.
    indirect case urlQueryItem(URLQueryItem)
    /// `NSPersonNameComponents`.
    indirect case personNameComponents(PersonNameComponents)
    /// `NSAffineTransform`.
    indirect case affineTransform(AffineTransform)
    /// An object of any other class.
    indirect case unknown(UnknownObject)
  }
}

extension Cocoa.Object {
  /// The value of one of the types here or of the standard library; `nil` for another type.
  public init?(value: any Coding) {
    if let object = value as? Cocoa.Object {
      self = object
    } else if let foundation = value as? any FoundationValue {
      self = foundation.asObject
    } else {
      return nil
    }
  }

  /// Makes the value of a class of Foundation's from its fields; `nil` for another class.
  ///
  /// For coders of your own, which write `classForCoder` and the fields of `encode(with:)`.
  public init?(className: String, coder: any DecodingCoder) throws {
    switch className {
    case "NSString": self = .string(try Cocoa.MutableString(coder: coder).text)
    case "NSData": self = .data(try Cocoa.MutableData(coder: coder).bytes)
    default:
      guard let type = FoundationClasses.type(named: className) else { return nil }
      self = try type.init(coder: coder).asObject
    }
  }

  /// The class that it is archived under; `NSObject` for an object of an unknown class.
  public var classForCoder: ArchivedClass {
    switch self {
    case .string: String.archivedClass
    case .data: "NSData"
    case .unknown: "NSObject"
    default: foundationValue.archivedClass(isKeyed: true)
    }
  }
}

extension Cocoa.Object: SpecialCoding {
  /// Never written: the class of its target is.
  public static var archivedClass: ArchivedClass { "NSObject" }

  /// Writes the fields of its target.
  public func encode(with coder: any EncodingCoder) throws {
    if case .unknown(let object) = self { return try object.encode(with: coder) }
    try foundationValue.encode(with: coder)
  }

  /// Never called: the coders make it themselves.
  public init(coder: any DecodingCoder) throws {
    throw ArchiveError(.misuse, "any object is decoded with decodeAnyValue(forKey:)")
  }

  /// The value it stands for; a kept object has none.
  var foundationValue: any FoundationValue {
    switch self {
    case .null, .unknown: Cocoa.Null()
    case .string(let text): Cocoa.MutableString(text)
    case .mutableString(let value): value
    case .number(let value): value
    case .data(let bytes): Cocoa.MutableData(bytes)
    case .mutableData(let value): value
    case .date(let value): value
    case .array(let value): value
    case .set(let value): value
    case .dictionary(let value): value
    case .orderedSet(let value): value
    case .countedSet(let value): value
    case .attributedString(let value): value
    case .indexSet(let value): value
    case .indexPath(let value): value
    case .url(let value): value
    case .uuid(let value): value
    case .value(let value): value
    case .oldStyleArray(let value): value
    case .decimalNumber(let value): value
    case .decimalNumberHandler(let value): value
    case .locale(let value): value
    case .timeZone(let value): value
    case .calendar(let value): value
    case .dateComponents(let value): value
    case .dateInterval(let value): value
    case .error(let value): value
    case .notification(let value): value
    case .sortDescriptor(let value): value
    case .characterSet(let value): value
    case .measurement(let value): value
    case .unit(let value): value
    case .unitConverter(let value): value
    case .regularExpression(let value): value
    case .textCheckingResult(let value): value
    case .urlQueryItem(let value): value
    case .personNameComponents(let value): value
    case .affineTransform(let value): value
    }
  }
}

extension DecodingCoder {
  /// Decodes an object of any class; `nil` when there is none.
  public func decodeAnyValueIfPresent(forKey key: String) throws -> Cocoa.Object? {
    try decodeObjectIfPresent(Cocoa.Object.self, forKey: key)
  }

  /// Decodes an object of any class; throws when there is none.
  public func decodeAnyValue(forKey key: String) throws -> Cocoa.Object {
    try decodeObject(Cocoa.Object.self, forKey: key)
  }

  /// Decodes an array of objects of any classes; throws when there is none.
  public func decodeAnyValues(forKey key: String) throws -> [Cocoa.Object] {
    try decodeObjects(Cocoa.Object.self, forKey: key)
  }
}

extension EncodingCoder {
  /// Encodes an object of any class, or none.
  public func encodeAnyValue(_ value: Cocoa.Object?, forKey key: String) throws {
    try encodeObject(value, forKey: key)
  }

  /// Encodes objects of any classes as an array.
  public func encodeAnyValues(_ values: [Cocoa.Object], forKey key: String) throws {
    try encodeObjects(values, forKey: key)
  }
}

extension Cocoa.Object {
  /// The text of a string of either kind.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .mutableString(let value): value.text
    default: nil
    }
  }

  /// The bytes of data of either kind.
  public var bytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .mutableData(let value): value.bytes
    default: nil
    }
  }
}

extension Cocoa.Object: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .number(Cocoa.Number(value)) }
  public init(integerLiteral value: Int) { self = .number(Cocoa.Number(value)) }
  public init(floatLiteral value: Double) { self = .number(Cocoa.Number(value)) }
}
