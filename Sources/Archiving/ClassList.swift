/// The classes admitted at one place of an archive, and the treatment of others.
///
/// The place is typed by a protocol or a superclass; the archive can only make listed classes.
///
///     static let layerClasses = ClassList<any Layer>(
///       [PointLayer.self, LineLayer.self], unknown: { UnknownLayer($0) })
///     …
///     layers = try coder.decodeObjects(in: Self.layerClasses, forKey: "layers")
///
/// With `unknown`, an object of a class that is not listed is kept whole and handed over as an
/// `UnknownObject`; without it, such an object is an error.
///
/// A list holds at every depth of the collections among its types, whose elements may be of all
/// listed types and of their own:
///
/// * `[Station].self` and `[String].self` may be listed together: an array is read as the first
///   that all its elements fit. `MixedArray`, `MixedSet` and their like take elements of any listed
///   types.
/// * Of several types of numbers, the nearest to the number's kind is taken that holds it exactly:
///   of `Bool`, `Int` and `Double`, `true` becomes a `Bool`, 1 an `Int`, and 2.5 a `Double`.
/// * `Cocoa.Object.self` takes all that nothing else in the list does, as `decodeAnyValue` does.
///
/// It ends at objects of a program's own classes, which name the classes of their parts themselves.
public struct ClassList<Slot>: Sendable {
  let table: ClassTable
  let keep: (@Sendable (UnknownObject) -> Slot)?

  private init(table: ClassTable, keep: (@Sendable (UnknownObject) -> Slot)?) {
    (self.table, self.keep) = (table, keep)
  }

  /// Makes a list; every type must be one that fits the place.
  public init(
    _ types: [any Coding.Type], unknown: (@Sendable (UnknownObject) -> Slot)? = nil
  ) {
    table = ClassTable(types)
    keep = unknown
  }

  /// The listed type for the name of a class, its present name or a former one; for a coder of your
  /// own, which throws `.classNotAllowed` where there is none.
  public func type(named name: String) -> (any Coding.Type)? { table.type(named: name) }

  /// What its place takes, for messages.
  var expected: String { Slot.self == (any Coding).self ? table.names : "\(Slot.self)" }

  /// The list for the elements of the collections in it.
  var ofParts: ClassList<any Coding> {
    guard let keep else { return ClassList<any Coding>(table: table.parts, keep: nil) }
    return ClassList<any Coding>(table: table.parts) { kept in
      keep(kept) as? any Coding ?? kept
    }
  }
}

extension ClassList {
  /// A list for an array or a set whose elements are of this list.
  var asElements: ClassList<any Coding> {
    let table = ClassTable([MixedArray.self, MixedSet.self], parts: table)
    guard keep != nil else { return ClassList<any Coding>(table: table, keep: nil) }
    return ClassList<any Coding>(table: table) { (kept: UnknownObject) -> any Coding in kept }
  }

  /// An element read with the list for a collection, in a place of this list.
  func slot(_ element: any Coding) -> Slot? {
    if let keep, let kept = element as? UnknownObject { return keep(kept) }
    return element as? Slot
  }
}

extension ClassList: ExpressibleByArrayLiteral {
  /// Makes a list where it is used: `try coder.decodeObject(in: [String.self, Station.self], …)`.
  ///
  /// A list that is used again and again is better kept as a constant.
  public init(arrayLiteral types: any Coding.Type...) { self.init(types) }
}

/// Types by the names that archives have for them, present and former.
///
/// A class, so that "the same table" is one comparison. The first type to claim a former name that
/// is none's present one has it.
final class ClassTable: Sendable {
  private let types: [String: any Coding.Type]
  private let identities: Set<ObjectIdentifier>
  private let list: [any Coding.Type]
  private let numbers: [any ListedNumber.Type]
  private let collections: [any ListedCollection.Type]
  /// The table for the elements of the listed collections, where it has more types.
  private let inner: ClassTable?
  /// Why nothing can be made by this table: two types of one name, or one without its own.
  let nameFault: String?

  static let empty = ClassTable([])

  /// - Parameter parts: the table for the elements of the listed collections, if not this one.
  init(_ types: [any Coding.Type], parts: ClassTable? = nil) {
    var table: [String: any Coding.Type] = [:]
    var owners: [String: any Coding.Type] = [:]
    var nameFault: String?
    // Asking for a conformance that a type has not costs a look at all of the program's.
    var special: [any Coding.Type] = []
    for type in types {
      let archived = type.archivedClass
      let isSpecial = type is any SpecialCoding.Type
      if isSpecial { special.append(type) }
      if ArchivedName.isOwn(type, isSpecial: isSpecial) {
        if let other = owners.updateValue(type, forKey: archived.name), other != type {
          nameFault = nameFault ?? ArchivedName.clash(of: other, type)
        }
        nameFault = nameFault ?? ArchivedName.inherited(by: type, isSpecial: isSpecial)
      }
      if table[archived.name] == nil { table[archived.name] = type }
    }
    for type in types {
      for name in type.archivedClass.formerNames where table[name] == nil { table[name] = type }
    }
    self.types = table
    list = types
    self.nameFault = nameFault
    identities = Set(types.map { ObjectIdentifier($0) })
    numbers = special.compactMap { $0 as? any ListedNumber.Type }
    collections = special.compactMap { $0 as? any ListedCollection.Type }
    inner = parts ?? Self.tableOfParts(types, collections)
  }

  private static func tableOfParts(
    _ types: [any Coding.Type], _ collections: [any ListedCollection.Type]
  ) -> ClassTable? {
    var (seen, all) = (Set(types.map { ObjectIdentifier($0) }), types)
    var work = collections
    while let collection = work.popLast() {
      for part in collection.partTypes where seen.insert(ObjectIdentifier(part)).inserted {
        all.append(part)
        if let part = part as? any ListedCollection.Type { work.append(part) }
      }
    }
    return all.count > types.count ? ClassTable(all) : nil
  }

  /// The table for the elements of the listed collections: with the types that these name.
  var parts: ClassTable { inner ?? self }

  /// Whether any value is admitted that no other type takes.
  var takesAnyValue: Bool { holds(Cocoa.Object.self) }

  /// The value that a listed type makes of one without a class: of its own kind, if one is listed.
  func value(of bare: BareValue) -> (any Coding)? {
    listedValue(of: bare) ?? (takesAnyValue ? bare.asObject : nil)
  }

  private func listedValue(of bare: BareValue) -> (any Coding)? {
    let own: any FoundationValue.Type
    switch bare {
    case .string: own = String.self
    case .data: own = Cocoa.MutableData.self
    case .date: own = Cocoa.Date.self
    case .number(let number): return numbers.value(of: number)
    }
    if holds(own), let value = own.init(bare: bare) { return value }
    for type in list {
      if let value = bare.value(as: type) { return value }
    }
    return nil
  }

  /// The listed collections that objects of a form may become.
  func collections(_ form: CollectionForm) -> [any ListedCollection.Type] {
    collections.filter { $0.form == nil || $0.form == form }
  }

  func type(named name: String) -> (any Coding.Type)? { types[name] }

  /// The listed types, for messages.
  var names: String {
    let names = list.prefix(8).map { "\($0)" }.joined(separator: ", ")
    return list.count > 8 ? names + "…" : names
  }

  /// Whether a type is one of the list.
  func holds(_ type: Any.Type) -> Bool { identities.contains(ObjectIdentifier(type)) }

  /// Whether a type is one of the list or a subclass of one.
  func admits(_ type: Any.Type) -> Bool {
    if holds(type) { return true }
    var superclass: AnyClass? = type as? AnyClass
    while let current = superclass {
      if holds(current) { return true }
      superclass = _getSuperclass(current)
    }
    return false
  }

  /// The type for the name of a class that is a subclass of one in another list.
  func type(named name: String, under others: ClassTable) -> (any Coding.Type)? {
    types[name].flatMap { others.admits($0) ? $0 : nil }
  }
}
