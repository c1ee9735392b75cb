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
public struct ClassList<Slot>: Sendable {
  let table: ClassTable
  let keep: (@Sendable (UnknownObject) -> Slot)?

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
}

extension ClassList: ExpressibleByArrayLiteral {
  /// Makes a list where it is used: `try coder.decodeObject(in: [String.self, Station.self], …)`.
  ///
  /// A list that is used again and again is better kept as a constant.
  public init(arrayLiteral types: any Coding.Type...) { self.init(types) }
}

/// Types by the names that archives have for them, present and former.
///
/// A class, so that "the same table" is one comparison. The first type to claim a former name has
/// it.
final class ClassTable: Sendable {
  private let types: [String: any Coding.Type]
  private let identities: Set<ObjectIdentifier>
  private let list: [any Coding.Type]
  /// Why nothing can be made by this table: two types of one name, or one without its own.
  let nameFault: String?

  static let empty = ClassTable([])

  init(_ types: [any Coding.Type]) {
    var table: [String: any Coding.Type] = [:]
    var owners: [String: any Coding.Type] = [:]
    var nameFault: String?
    for type in types {
      let archived = type.archivedClass
      let isSpecial = type is any SpecialCoding.Type
      if ArchivedName.isOwn(type, isSpecial: isSpecial) {
        if let other = owners.updateValue(type, forKey: archived.name), other != type {
          nameFault = nameFault ?? ArchivedName.clash(of: other, type)
        }
        nameFault = nameFault ?? ArchivedName.inherited(by: type, isSpecial: isSpecial)
      }
      for name in [archived.name] + archived.formerNames where table[name] == nil {
        table[name] = type
      }
    }
    self.types = table
    list = types
    self.nameFault = nameFault
    identities = Set(types.map { ObjectIdentifier($0) })
  }

  /// The value that a listed type makes of one without a class: of its own kind, if one is listed.
  func value(of bare: BareValue) -> (any Coding)? {
    let own: any FoundationValue.Type
    switch bare {
    case .string: own = String.self
    case .data: own = Cocoa.MutableData.self
    case .date: own = Cocoa.Date.self
    case .number(let number):
      switch number.value {
      case .bool: own = Bool.self
      case .integer, .unsigned: own = Int.self
      case .float, .double: own = Double.self
      }
    }
    if holds(own), let value = own.init(bare: bare) { return value }
    for type in list {
      if let value = bare.value(as: type) { return value }
    }
    return nil
  }

  func type(named name: String) -> (any Coding.Type)? { types[name] }

  /// Whether a type is one of the list.
  func holds(_ type: Any.Type) -> Bool { identities.contains(ObjectIdentifier(type)) }
}
