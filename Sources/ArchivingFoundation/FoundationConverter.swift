public import Archiving
public import Foundation

extension Cocoa.Object {
  /// Makes a value of one of Foundation's: an object such as `NSArray`, or a value such as `URL`.
  ///
  /// Throws `.invalidValue` when archives have no counterpart for it or for a part, and `.tooDeep`
  /// when collections are nested deeper than `ArchiveLimits.valueDepthMax`. What a collection of
  /// Foundation holds counts as unchangeable: Foundation hands elements out as Swift's values.
  public init(foundation value: Any) throws {
    self = try FoundationConverter().object(value)
  }

  /// The value as Foundation has it, such as `NSArray` of `NSNumber`; `as? [Int]` takes it on.
  ///
  /// Throws `.invalidValue` when Foundation has no counterpart for it or for a part:
  /// for objects of unknown classes, sort descriptors, arrays of C's, values that are no structures
  /// of Foundation's, and collections of which two elements are equal in Foundation, such as 1 and
  /// `true`. Throws `.tooDeep` as above.
  public func foundationObject() throws -> NSObject {
    try FoundationConverter().foundation(self)
  }
}

/// Converts values of any kind, one level at a time.
struct FoundationConverter {
  /// How many levels may follow.
  private var rest = ArchiveLimits().valueDepthMax
  /// The classes of Foundation's that may be made; any when there is none.
  private let classes: [AnyClass]?

  /// Counts what is made of a collection: decoded collections share their parts, Foundation's do
  /// not.
  let charge: (_ count: Int) throws -> Void

  init(
    classes: [AnyClass]? = nil, charge: @escaping (_ count: Int) throws -> Void = { _ in }
  ) {
    (self.classes, self.charge) = (classes, charge)
  }

  /// For the parts of a value.
  func inner() throws -> FoundationConverter {
    guard rest > 0 else {
      throw ArchiveError(
        .tooDeep, "values are nested \(ArchiveLimits().valueDepthMax) deep")
    }
    var inner = self
    inner.rest -= 1
    return inner
  }

  // MARK: From Foundation

  /// The value that archives have for one of Foundation's.
  func object(_ value: Any) throws -> Cocoa.Object {
    if type(of: value) is AnyObject.Type {
      guard let object = value as AnyObject as? NSObject else { throw unknown(value) }
      return try self.object(of: object)
    }
    if let known = value as? Cocoa.Object { return known }
    if let coding = value as? any Coding, let known = Cocoa.Object(value: coding) { return known }
    if let parts = FoundationParts(value) { return try object(parts) }
    switch value {
    case let data as Data: return .data([UInt8](data))
    case let foundation as any FoundationCoding: return try object(counterpartOf: foundation)
    case let key as AnyHashable where type(of: value) == AnyHashable.self:
      return try object(key.base)
    case let range as NSRange: return .value(.range(try Cocoa.Range(range)))
    case let point as CGPoint: return .value(.point(Cocoa.Point(point)))
    case let size as CGSize: return .value(.size(Cocoa.Size(size)))
    case let rect as CGRect: return .value(.rect(Cocoa.Rect(rect)))
    default: return try object(ofPlain: value)
    }
  }

  /// Numbers that are not archived under a type of their own, and errors.
  private func object(ofPlain value: Any) throws -> Cocoa.Object {
    switch value {
    case let number as CGFloat: return .number(Cocoa.Number(Double(number)))
    case let number as any BinaryInteger:
      if let number = Int64(exactly: number) { return .number(Cocoa.Number(number)) }
      if let number = UInt64(exactly: number) { return .number(Cocoa.Number(number)) }
      throw unknown(value)
    case let error as any Error: return .error(try Cocoa.Error(error, inner()))
    default: throw unknown(value)
    }
  }

  private func object<Value: FoundationCoding>(
    counterpartOf value: Value
  ) throws -> Cocoa.Object {
    guard let object = Cocoa.Object(value: try value.archivedValue) else { throw unknown(value) }
    return object
  }

  private func object(of object: NSObject) throws -> Cocoa.Object {
    if let value = try leaf(object) ?? description(object) { return value }
    if let parts = FoundationParts(object) { return try self.object(parts) }
    switch object {
    case let text as NSAttributedString:
      return .attributedString(try Cocoa.AttributedString(text, inner()))
    case let error as NSError: return .error(try Cocoa.Error(error, inner()))
    case let notification as NSNotification:
      return .notification(try Cocoa.Notification(notification, inner()))
    default: throw unknown(object)
    }
  }

  /// Strings, numbers, data, dates and such.
  private func leaf(_ object: NSObject) throws -> Cocoa.Object? {
    switch object {
    case is NSNull: return .null
    case let text as NSMutableString: return .mutableString(Cocoa.MutableString("\(text)"))
    case let text as NSString: return .string("\(text)")
    case let data as NSMutableData: return .mutableData(Cocoa.MutableData([UInt8](data as Data)))
    case let data as NSData: return .data([UInt8](data as Data))
    case let date as NSDate: return .date(Cocoa.Date(date as Date))
    case let number as NSDecimalNumber:
      return .decimalNumber(try Cocoa.DecimalNumber(number.decimalValue))
    case let number as NSNumber: return .number(Cocoa.Number(number))
    case let value as NSValue: return .value(try Cocoa.Value(value))
    case let url as NSURL: return .url(try Cocoa.URL(url as URL))
    case let uuid as NSUUID: return .uuid(Cocoa.UUID(uuid as UUID))
    case let indexes as NSIndexSet:
      return .indexSet(
        try Cocoa.IndexSet(indexes as IndexSet, isMutable: indexes is NSMutableIndexSet))
    case let path as NSIndexPath: return .indexPath(try Cocoa.IndexPath(path as IndexPath))
    default: return nil
    }
  }

  /// Objects that describe something.
  private func description(_ object: NSObject) throws -> Cocoa.Object? {
    switch object {
    case let locale as NSLocale: return .locale(Cocoa.Locale(locale as Locale))
    case let zone as NSTimeZone: return .timeZone(Cocoa.TimeZone(zone as TimeZone))
    case let calendar as NSCalendar: return .calendar(try Cocoa.Calendar(calendar as Calendar))
    case let parts as NSDateComponents:
      return .dateComponents(try Cocoa.DateComponents(parts as DateComponents))
    case let interval as NSDateInterval:
      return .dateInterval(try Cocoa.DateInterval(interval as DateInterval))
    case let set as NSCharacterSet:
      return .characterSet(
        try Cocoa.CharacterSet(set as CharacterSet, isMutable: set is NSMutableCharacterSet))
    case let measurement as NSMeasurement:
      let unit = try Cocoa.Unit(measurement.unit)
      return .measurement(Cocoa.Measurement(measurement.doubleValue, unit))
    case let unit as Unit: return .unit(try Cocoa.Unit(unit))
    case let converter as UnitConverter: return .unitConverter(try Cocoa.UnitConverter(converter))
    case let expression as NSRegularExpression:
      return .regularExpression(Cocoa.RegularExpression(expression))
    case let result as NSTextCheckingResult:
      return .textCheckingResult(try Cocoa.TextCheckingResult(result))
    case let item as NSURLQueryItem: return .urlQueryItem(Cocoa.URLQueryItem(item as URLQueryItem))
    case let name as NSPersonNameComponents:
      return .personNameComponents(Cocoa.PersonNameComponents(name as PersonNameComponents))
    case let transform as NSAffineTransform:
      return .affineTransform(try Cocoa.AffineTransform(transform as AffineTransform))
    case let handler as NSDecimalNumberHandler:
      return .decimalNumberHandler(try Cocoa.DecimalNumberHandler(handler))
    default: return nil
    }
  }

  /// A dictionary of any keys and values, in the order of its keys where these are strings.
  func dictionary(_ values: [AnyHashable: Any]) throws -> Cocoa.Dictionary {
    let pairs = values.map { (key: $0.key.base, value: $0.value) }
    return try dictionary(pairs.map(\.key), pairs.map(\.value), isMutable: false)
  }

  private func dictionary(
    _ keys: [Any], _ values: [Any], isMutable: Bool
  ) throws -> Cocoa.Dictionary {
    let inner = try inner()
    let made = try zip(keys, values).map {
      Cocoa.Dictionary.Pair(key: try inner.object($0), value: try inner.object($1))
    }
    return Cocoa.Dictionary(
      made.sorted { ($0.key.text ?? "") < ($1.key.text ?? "") }, isMutable: isMutable)
  }

  private func object(_ parts: FoundationParts) throws -> Cocoa.Object {
    let (inner, isMutable) = (try inner(), parts.isMutable)
    guard parts.form != .dictionary else {
      return .dictionary(try dictionary(parts.keys, parts.elements, isMutable: isMutable))
    }
    let elements = try parts.elements.map { try inner.object($0) }
    switch parts.form {
    case .array, .dictionary: return .array(Cocoa.Array(elements, isMutable: isMutable))
    case .set: return .set(Cocoa.Set(elements, isMutable: isMutable))
    case .orderedSet: return .orderedSet(Cocoa.OrderedSet(elements, isMutable: isMutable))
    case .countedSet:
      let members = zip(elements, parts.counts).map { Cocoa.CountedSet.Member($0, count: $1) }
      guard let made = Cocoa.CountedSet(members) else {
        throw ArchiveError.noCounterpart("a counted set with one object twice")
      }
      return .countedSet(made)
    }
  }

  private func unknown(_ value: Any) -> ArchiveError {
    .noCounterpart("archives have no counterpart for \(type(of: value))")
  }

  // MARK: To Foundation

  /// The value that Foundation has for an archived one.
  func foundation(_ object: Cocoa.Object) throws -> NSObject {
    try admitted(plain(object) ?? described(object) ?? composed(object))
  }

  func admitted(_ made: NSObject) throws -> NSObject {
    if let classes, !classes.contains(where: { made.isKind(of: $0) }) {
      throw ArchiveError.refusal(of: made, by: classes)
    }
    return made
  }

  /// Collections, and objects with parts of any kind.
  private func composed(_ object: Cocoa.Object) throws -> NSObject {
    if let parts = object.collectionParts { return try collection(parts) }
    switch object {
    case .attributedString(let text): return try text.foundationText(ofAnyClass())
    case .error(let error): return try error.foundationError(ofAnyClass())
    case .notification(let notification):
      return try notification.foundationNotification(ofAnyClass())
    case .unknown(let kept):
      let found = "an object of the class \(kept.className ?? "?")"
      guard let classes else { throw ArchiveError.noCounterpart(found) }
      throw ArchiveError.refusal(of: found, by: classes)
    default: throw ArchiveError.noCounterpart("Foundation has no counterpart for \(object)")
    }
  }

  /// For the parts of an object that stand for nothing of their own.
  private func ofAnyClass() throws -> FoundationConverter {
    var converter = FoundationConverter()
    converter.rest = try inner().rest
    return converter
  }

  /// Strings, numbers, data, dates and such.
  private func plain(_ object: Cocoa.Object) throws -> NSObject? {
    switch object {
    case .null: NSNull()
    case .string(let text): NSString(string: text)
    case .mutableString(let value): NSMutableString(string: value.text)
    case .number(let number): number.foundationNumber
    case .data(let bytes): NSData(data: Data(bytes))
    case .mutableData(let value): NSMutableData(data: Data(value.bytes))
    case .date(let date): Date(date) as NSDate
    case .url(let url): try URL(url) as NSURL
    case .uuid(let uuid): UUID(uuid) as NSUUID
    case .value(let value): try value.foundationValue
    case .decimalNumber(let number): NSDecimalNumber(decimal: try Decimal(number))
    case .decimalNumberHandler(let handler): try handler.foundationHandler
    case .indexSet(let set):
      set.isMutable
        ? NSMutableIndexSet(indexSet: try IndexSet(set))
        : NSIndexSet(indexSet: try IndexSet(set))
    case .indexPath(let path): IndexPath(path) as NSIndexPath
    default: nil
    }
  }

  /// Objects that describe something.
  private func described(_ object: Cocoa.Object) throws -> NSObject? {
    switch object {
    case .locale(let locale): Locale(locale) as NSLocale
    case .timeZone(let zone): try TimeZone(zone) as NSTimeZone
    case .calendar(let calendar): try Calendar(calendar) as NSCalendar
    case .dateComponents(let parts): try DateComponents(parts) as NSDateComponents
    case .dateInterval(let interval): DateInterval(interval) as NSDateInterval
    case .characterSet(let set):
      set.isMutable
        ? (try CharacterSet(set) as NSCharacterSet).mutableCopy() as? NSObject
        : try CharacterSet(set) as NSCharacterSet
    case .measurement(let value):
      NSMeasurement(doubleValue: value.value, unit: try value.unit.foundationUnit)
    case .unit(let unit): try unit.foundationUnit
    case .unitConverter(let converter): try converter.foundationConverter
    case .regularExpression(let expression): try expression.foundationExpression
    case .textCheckingResult(let result): try result.foundationResult
    case .urlQueryItem(let item): URLQueryItem(item) as NSURLQueryItem
    case .personNameComponents(let name): PersonNameComponents(name) as NSPersonNameComponents
    case .affineTransform(let transform): try AffineTransform(transform) as NSAffineTransform
    default: nil
    }
  }
}
