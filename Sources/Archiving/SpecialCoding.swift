/// The base of the protocols below, so that the coders ask most types one question only.
///
/// Adopt one of those instead.
public protocol SpecialCoding: Coding {}

/// A type that puts another object in its own place when it is archived.
///
/// The counterpart of `replacementObject(for:)` in Cocoa: a proxy archives its target, a
/// kept object of an unknown class archives in its own form.
public protocol SubstitutingCoding: SpecialCoding {
  /// The object archived in place of the receiver; it is not asked for a replacement again.
  ///
  /// An instance of a class is asked once in an archive.
  func replacementObject(for coder: any EncodingCoder) throws -> any Coding
}

/// A type that may hand out another instance after decoding, for instance a unique one.
///
/// The counterpart of `awakeAfter(using:)` in Cocoa.
public protocol AwakingCoding: SpecialCoding {
  /// The object in place of `decoded` from now on; every reference in the archive gets it.
  static func awake(_ decoded: Self, after coder: any DecodingCoder) throws -> Self
}

/// A type whose instances are archived under the name of another class.
///
/// The counterpart of `classForCoder` in Cocoa: the private members of a class cluster archive
/// under the name of the public class, whose reader makes the right member again.
public protocol ClassSubstitutingCoding: SpecialCoding {
  /// The class under which this instance is archived.
  var classForCoder: ArchivedClass { get }
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
