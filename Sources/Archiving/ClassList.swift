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
}

/// Types by the names that archives have for them, present and former.
///
/// A class, so that "the same table" is one comparison. The first type to claim a former name has
/// it.
final class ClassTable: Sendable {
  private let types: [String: any Coding.Type]
  private let identities: Set<ObjectIdentifier>
  /// Why nothing can be made by this table: two types of one name, or one without its own.
  let nameFault: String?

  init(_ types: [any Coding.Type]) {
    var table: [String: any Coding.Type] = [:]
    var owners: [String: any Coding.Type] = [:]
    var nameFault: String?
    for type in types {
      let archived = type.archivedClass
      if ArchivedName.isOwn(type) {
        if let other = owners.updateValue(type, forKey: archived.name), other != type {
          nameFault = nameFault ?? ArchivedName.shared(by: other, type)
        }
        nameFault = nameFault ?? ArchivedName.inherited(by: type)
      }
      for name in [archived.name] + archived.formerNames where table[name] == nil {
        table[name] = type
      }
    }
    self.types = table
    self.nameFault = nameFault
    identities = Set(types.map { ObjectIdentifier($0) })
  }

  func type(named name: String) -> (any Coding.Type)? { types[name] }

  /// Whether a type is one of the list.
  func holds(_ type: Any.Type) -> Bool { identities.contains(ObjectIdentifier(type)) }
}
