import PortolanMemory
import PropertyLists

/// A value of a class of Foundation: the requirements of the coders on all of them.
///
/// To add a class: a file with its type here, a case in `Cocoa.Object`, and a line in
/// `FoundationClasses`.
protocol FoundationValue: SpecialCoding, Hashable, Sendable {
  /// The value among all others.
  var asObject: Cocoa.Object { get }

  /// The class that this instance is archived under; the type's own one unless a cluster has more.
  func archivedClass(isKeyed: Bool) -> ArchivedClass

  /// The value's form in a keyed archive where it needs no class.
  var bareValue: BareValue? { get }

  /// Makes a value from a classless value of a keyed archive; `nil` for another kind.
  init?(bare: BareValue)
}

extension FoundationValue {
  func archivedClass(isKeyed: Bool) -> ArchivedClass { Self.archivedClass }

  var bareValue: BareValue? { nil }

  init?(bare: BareValue) { nil }
}

/// A value of another module that stands for a string, number, date or data of Foundation.
package protocol ClasslessCoding: SpecialCoding {
  /// Makes a value from one that needs no class in a keyed archive; `nil` for another kind.
  init?(classless value: Cocoa.Object)
}

/// An object of a keyed archive that has no class.
enum BareValue {
  case string(String)
  case number(Cocoa.Number)
  case data([UInt8])
  case date(Double)

  /// The value that a type makes of it; `nil` when it stands for another kind or for none.
  func value(as type: any Coding.Type) -> (any Coding)? {
    if let foundation = type as? any FoundationValue.Type { return foundation.init(bare: self) }
    return (type as? any ClasslessCoding.Type)?.init(classless: asObject)
  }

  /// Whether a type may stand for a value without a class.
  static func mayBe(_ type: any Coding.Type) -> Bool {
    type is any FoundationValue.Type || type is any ClasslessCoding.Type
  }
}

/// The value classes by the names that archives have for them.
enum FoundationClasses {
  static let types: [any FoundationValue.Type] = [
    Cocoa.MutableString.self, Cocoa.Number.self, Cocoa.MutableData.self, Cocoa.Date.self,
    Cocoa.Null.self, Cocoa.Array.self, Cocoa.Set.self, Cocoa.Dictionary.self,
    Cocoa.OrderedSet.self, Cocoa.CountedSet.self,
    Cocoa.AttributedString.self, Cocoa.IndexSet.self, Cocoa.IndexPath.self, Cocoa.URL.self,
    Cocoa.UUID.self, Cocoa.Value.self, Cocoa.OldStyleArray.self, Cocoa.DecimalNumber.self,
    Cocoa.DecimalNumberHandler.self, Cocoa.Locale.self, Cocoa.TimeZone.self, Cocoa.Calendar.self,
    Cocoa.DateComponents.self, Cocoa.DateInterval.self, Cocoa.Error.self, Cocoa.Notification.self,
    Cocoa.SortDescriptor.self, Cocoa.CharacterSet.self, Cocoa.Measurement.self, Cocoa.Unit.self,
    Cocoa.UnitConverter.self, Cocoa.RegularExpression.self, Cocoa.TextCheckingResult.self,
    Cocoa.URLQueryItem.self, Cocoa.PersonNameComponents.self, Cocoa.AffineTransform.self,
  ]

  private static let table: [String: any FoundationValue.Type] = {
    var table: [String: any FoundationValue.Type] = [:]
    for type in types {
      let archived = type.archivedClass
      for name in [archived.name] + archived.formerNames { table[name] = type }
    }
    return table
  }()

  /// The type of a class; strings and data that cannot change are not among them.
  static func type(named name: String) -> (any FoundationValue.Type)? { table[name] }
}

/// The bookkeeping of both kinds of unarchivers for decoded values.
protocol ValueDecodingCoder: DecodingCoder {
  var limits: ArchiveLimits { get }
  var valueMemos: ValueMemos { get set }
  var budget: Int { get }
  /// How many objects the archive has.
  var objectCount: Int { get }
  func charge(_ bytes: Int) throws
}

extension KeyedUnarchiver: ValueDecodingCoder {
  var objectCount: Int { made.count }
}

extension Unarchiver: ValueDecodingCoder {
  var objectCount: Int { made.count }
}

extension ValueDecodingCoder {
  /// The memory of decoded values, shared parts counted anew; only differences have a meaning.
  var producedWeight: Int { 0 &- budget &- valueMemos.hashed }
}

extension DecodingCoder {
  /// Whether the object being made is of a class.
  func isCurrentClass(_ name: String) -> Bool { currentClassName == name }

  /// Counts an array of so many elements, of which `decodeCount` allows 2³¹ at most.
  package func chargeElements(_ count: Int, _ stride: Int) throws {
    try (self as? any ValueDecodingCoder)?.charge(32 + count * stride)
  }

  /// Makes room for elements that `chargeElements` counted.
  ///
  /// Coders from outside count nothing: their number of elements is not believed.
  func reserveCharged<Element>(_ elements: inout [Element], _ count: Int) {
    if self is any ValueDecodingCoder { elements.reserveCapacity(count) }
  }

  /// Decodes values that are hashed and compared with each other, and counts that work.
  ///
  /// Sets in sets are hashed at each level, so that small archives could ask for much. A comparison
  /// goes down all levels: such values are nested no deeper than `valueDepthMax`, those of Swift's
  /// own `Codable` too.
  func decodeHashed<Result>(_ decode: () throws -> Result) throws -> Result {
    guard let coder = self as? any ValueDecodingCoder else { return try decode() }
    let (mark, depthMax) = (coder.producedWeight, coder.valueMemos.depthMax)
    coder.valueMemos.depthMax = min(
      depthMax, coder.valueMemos.depth + coder.limits.valueDepthMax)
    defer { coder.valueMemos.depthMax = depthMax }
    let result = try decode()
    let work = coder.producedWeight - mark
    try coder.charge(work)
    coder.valueMemos.hashed += work
    return result
  }
}
