/// A class or value that decides itself how it travels to another program.
///
/// Without it, values travel by copy, and instances of classes as references (the receiver gets a
/// `DistantObject`) unless they are encoded with `encodeBycopyObject`. The counterpart of
/// `classForPortCoder` and `replacementObject(for:)` with an `NSPortCoder` in Cocoa:
///
///     final class Place: PortCoding {
///       // Small and unchanging: always as a copy.
///       func replacementObject(for coder: PortArchiver) -> PortReplacement { .copy(self) }
///     }
public protocol PortCoding: SpecialCoding {
  /// The object sent in place of the receiver.
  func replacementObject(for coder: PortArchiver) throws -> PortReplacement

  /// The class under which a copy is sent; its own unless the type says otherwise.
  var classForPortCoder: ArchivedClass { get }
}

extension PortCoding {
  /// A copy where one is asked for, else a reference to an instance of a class.
  public func replacementObject(for coder: PortArchiver) throws -> PortReplacement {
    coder.usualReplacement(for: self)
  }

  /// The class that `ClassSubstitutingCoding` names for port coders, else its own.
  public var classForPortCoder: ArchivedClass {
    (self as? any ClassSubstitutingCoding)?.classForCoder(of: .port) ?? Self.archivedClass
  }
}

/// How something travels to another program.
public enum PortReplacement {
  /// As a copy of this object or value, which need not be the one that was encoded.
  case copy(any Coding)
  /// As a reference to this object, which stays here.
  case reference(AnyObject)
  /// Not at all: the receiver finds none.
  case none
}
