/// A type whose instances can be archived: it writes its state to a coder and makes itself from
/// one.
///
/// Classes and structures both adopt it. An instance of a class has an identity: it is archived
/// once and is one object again after decoding, however often it is referred to. A value is
/// archived anew at every place, unless it declares an identity (`IdentifiedCoding`).
///
///     final class Employee: Coding {
///       let firstName: String
///       let number: Int
///       let manager: Employee?
///
///       static var archivedClass: ArchivedClass { "Employee" }
///
///       func encode(with coder: any EncodingCoder) throws {
///         try coder.encodeString(firstName, forKey: "firstName")
///         try coder.encodeInt(number, forKey: "number")
///         try coder.encodeObject(manager, forKey: "manager")
///       }
///
///       init(coder: any DecodingCoder) throws {
///         firstName = try coder.decodeString(forKey: "firstName")
///         number = try coder.decodeInt(forKey: "number")
///         manager = try coder.decodeObjectIfPresent(Employee.self, forKey: "manager")
///       }
///     }
///
///     let bytes = try KeyedArchiver.archive(employee)
///     let again = try KeyedUnarchiver.unarchive(Employee.self, from: bytes)
///
/// A subclass calls `super.encode(with:)` first and `super.init(coder:)` last. Where values are
/// found by their order (sequential coders, calls without keys), it encodes its own before `super`,
/// so that both go in one order.
///
/// A class isolated to an actor conforms with `nonisolated` members, not with an isolated
/// conformance (`@MainActor Coding`): class lists are used on every thread, and a coder that keeps
/// an isolated type could be given to another thread, which would make the class there.
/// `ArchivingFoundation` has `onMainActor` to reach the properties, which throws anywhere else.
public protocol Coding: SendableMetatype {
  /// The name under which instances are archived, with the names of the superclasses.
  ///
  /// It is written into every file and never changes, even when the Swift name does. A class
  /// that has subclasses declares it as a `class var`, and each subclass overrides it.
  static var archivedClass: ArchivedClass { get }

  /// Writes the state that is needed to make the instance again.
  func encode(with coder: any EncodingCoder) throws

  /// Makes an instance from the values that `encode(with:)` wrote.
  init(coder: any DecodingCoder) throws
}

/// The type of an identity: a hashable value of a type of your own, such as `struct StyleID`.
///
/// Plain numbers and strings do not conform on purpose: two kinds of values that both used `Int`
/// would take each other's places in an archive.
public protocol ArchiveIdentity: Hashable, Sendable {}

/// A value that has an identity, and is shared and referred to in an archive like an object.
///
/// Values with the same identity are archived once (the first one met is written), and the other
/// parts of the document refer to it: `encodeObject` shares it, `encodeConditionalObject` and
/// `encodeReference` name it without writing it.
public protocol IdentifiedCoding: SpecialCoding {
  /// The type of the identity.
  associatedtype Identity: ArchiveIdentity

  /// The identity of a value within a document.
  var archiveIdentity: Identity { get }

  /// Reads the identity alone, for a reference to a value that is not decoded yet.
  ///
  /// The default makes the whole value, which fails with `.cycle` while that value is being made;
  /// read the one field instead where parts refer to their owners.
  static func decodeArchiveIdentity(with coder: any DecodingCoder) throws -> Identity
}

extension IdentifiedCoding {
  public static func decodeArchiveIdentity(with coder: any DecodingCoder) throws -> Identity {
    try Self(coder: coder).archiveIdentity
  }
}
