public import Archiving

/// An argument or result that travels as a copy, with all that it holds.
///
///     try viewer.call("show", Bycopy(map))
public struct Bycopy: PortCoding {
  let object: any Coding

  /// Asks for a copy of an object.
  public init(_ object: any Coding) { self.object = object }

  public static var archivedClass: ArchivedClass { "Bycopy" }
  public func replacementObject(for coder: PortArchiver) -> PortReplacement { .copy(object) }
  /// Only what it holds is encoded.
  public func encode(with coder: any EncodingCoder) throws {
    throw ArchiveError(.misuse, "Bycopy stands in messages only")
  }
  /// Only what it holds is decoded; this always throws.
  public init(coder: any DecodingCoder) throws {
    throw ArchiveError(.misuse, "Bycopy stands in messages only")
  }
}

/// An argument or result that travels as a reference: any object, also one that has no archive.
///
///     try root.call("watch", Byref(observer))
public struct Byref: PortCoding {
  let object: AnyObject

  /// Asks for a reference to an object.
  public init(_ object: AnyObject) { self.object = object }

  public static var archivedClass: ArchivedClass { "Byref" }
  public func replacementObject(for coder: PortArchiver) -> PortReplacement { .reference(object) }
  /// Only a reference is encoded.
  public func encode(with coder: any EncodingCoder) throws {
    throw ArchiveError(.misuse, "Byref stands in messages only")
  }
  /// Only a reference is decoded; this always throws.
  public init(coder: any DecodingCoder) throws {
    throw ArchiveError(.misuse, "Byref stands in messages only")
  }
}

extension PortArchiver {
  /// Encodes an argument or result in the way that it asks for.
  func encodeArgument(_ value: (any Coding)?) throws {
    switch value {
    case nil: try encodePortObject(nil)
    case let copy as Bycopy: try encodeCopy(copy.object)
    case let value?: try encodeAny(value)
    }
  }

  private func encodeAny(_ value: some Coding) throws { try encodeObject(value) }

  private func encodeCopy(_ value: some Coding) throws { try encodeBycopyObject(value) }
}
