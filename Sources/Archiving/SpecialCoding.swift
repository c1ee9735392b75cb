/// The base of the protocols below, so that the coders ask most types one question only.
///
/// Adopt one of those instead.
public protocol SpecialCoding: Coding {}

/// A type that puts another object in its own place when it is archived.
///
/// The counterpart of `replacementObject(for:)` in Cocoa: a proxy archives its target, a
/// kept object of an unknown class archives in its own form.
public protocol SubstitutingCoding: SpecialCoding {
  /// The object archived in place of the receiver, or `nil` for nothing; it is not asked for a
  /// replacement again.
  ///
  /// An instance of a class is asked once in an archive, and all references to it, conditional ones
  /// too, lead to its replacement. A replacement that refers to the receiver refers to itself. An
  /// element of a collection that is replaced by nothing is left out of it.
  func replacementObject(for coder: any EncodingCoder) throws -> (any Coding)?
}

/// A type that may hand out another object after decoding: a unique instance, or an object of
/// another class that the archived one stands for.
///
/// The counterpart of `awakeAfter(using:)` in Cocoa. The place is checked afterwards: a reader that
/// expects a `Layer` accepts an archived `LayerReference` if that one is listed in `classes:` and
/// awakes as a `Layer`. In a `ClassList`, list both.
public protocol AwakingCoding: SpecialCoding {
  /// The object in place of `decoded` from now on, or `nil` for nothing; every reference in the
  /// archive gets it.
  ///
  /// Called once for each object. Whatever needs the object to make itself gets a `.cycle` error,
  /// and what `decodeReference` delivers is the object that stands for it. An element of a
  /// collection that awakes as nothing is left out of it.
  static func awake(_ decoded: Self, after coder: any DecodingCoder) throws -> (any Coding)?
}

/// A type whose instances are archived under the name of another class.
///
/// The counterpart of `classForCoder` in Cocoa: the private members of a class cluster archive
/// under the name of the public class, whose reader makes the right member again.
public protocol ClassSubstitutingCoding: SpecialCoding {
  /// The class under which this instance is archived; its own unless the type says otherwise.
  var classForCoder: ArchivedClass { get }

  /// The class under which coders of one kind archive this instance, or `nil` for nothing at all;
  /// `classForCoder` unless the type says otherwise.
  ///
  /// The counterpart of `classForKeyedArchiver`, `classForArchiver` and `classForPortCoder`. A type
  /// that adopts `PortCoding` too has its `classForPortCoder` asked instead.
  func classForCoder(of kind: CoderKinds) -> ArchivedClass?
}

extension ClassSubstitutingCoding {
  /// Its own class.
  public var classForCoder: ArchivedClass { Self.archivedClass }

  /// The same class for every kind of coder.
  public func classForCoder(of kind: CoderKinds) -> ArchivedClass? { classForCoder }
}

/// The kinds of coders.
public struct CoderKinds: OptionSet, Hashable, Sendable {
  /// The kinds as bits.
  public let rawValue: Int

  /// Makes a set of kinds from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `KeyedArchiver` and `KeyedUnarchiver`.
  public static let keyed = CoderKinds(rawValue: 1)
  /// `Archiver` and `Unarchiver`.
  public static let sequential = CoderKinds(rawValue: 2)
  /// Coders that send objects to another program.
  public static let port = CoderKinds(rawValue: 4)
  /// Every kind.
  public static let all: CoderKinds = [.keyed, .sequential, .port]
}

/// A type that only some kinds of coders can code, or none.
///
/// Any other coder throws `.coderNotSupported` and names the class and itself. A subclass that must
/// not be coded although it inherits coding opts out with an empty set:
///
///     final class Session: Document, RestrictedCoding {
///       static var supportedCoders: CoderKinds { [] }
///     }
///
/// A type that must look at the coder itself throws `coder.notSupported(by:_:)`.
public protocol RestrictedCoding: SpecialCoding {
  /// The kinds of coders that can code instances.
  static var supportedCoders: CoderKinds { get }
}

extension UnkeyedEncodingCoder {
  /// The error for a class that refuses to be encoded by this coder.
  public func notSupported(by type: any Coding.Type, _ reason: String = "") -> ArchiveError {
    ArchiveError(coder: self, refusedBy: type, reason)
  }
}

extension UnkeyedDecodingCoder {
  /// The error for a class that refuses to be decoded by this coder.
  public func notSupported(by type: any Coding.Type, _ reason: String = "") -> ArchiveError {
    ArchiveError(coder: self, refusedBy: type, reason)
  }
}

extension ArchiveError {
  init(coder: AnyObject, refusedBy type: any Coding.Type, _ reason: String) {
    let name = "\(Swift.type(of: coder))"
    self.init(
      .coderNotSupported,
      "\(type.archivedClass.name) cannot be coded by \(name)"
        + (reason.isEmpty ? "" : ": " + reason))
  }

  /// Why a type cannot be coded by a coder of a kind; `nil` when it can.
  static func refusal(
    of type: any Coding.Type, by coder: AnyObject, _ kind: CoderKinds
  ) -> ArchiveError? {
    guard let restricted = type as? any RestrictedCoding.Type,
      !restricted.supportedCoders.contains(kind)
    else { return nil }
    return ArchiveError(
      coder: coder, refusedBy: type,
      restricted.supportedCoders.isEmpty ? "no coder can" : "it supports other coders only")
  }
}
