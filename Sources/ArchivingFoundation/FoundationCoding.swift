public import Archiving
import Foundation

/// A value type of Foundation that is archived as its counterpart in `Cocoa`.
///
/// `URL`, `Date`, `UUID` and others adopt it, so that a coder takes them under a key, in arrays,
/// sets and dictionaries, and in a `ClassList`:
///
///     try coder.encode(homepage, forKey: "homepage")                  // URL?
///     homepage = try coder.decodeIfPresent(URL.self, forKey: "homepage")
///
/// The archive has what Foundation's own archiver writes for the class.
///
/// To add one: its two conversions in a file in `Values`, and a line in `FoundationConverter`.
public protocol FoundationCoding: SubstitutingCoding {
  /// The type that archives know for the same class.
  associatedtype Counterpart: Coding

  /// Makes the value of an archived one; throws `.invalidValue` when Foundation has none for it.
  init(_ archived: Counterpart) throws

  /// The value as archives have it; throws `.invalidValue` when they have none for it.
  var archivedValue: Counterpart { get throws }
}

extension FoundationCoding {
  /// The class of the counterpart, such as `NSURL`.
  public static var archivedClass: ArchivedClass { Counterpart.archivedClass }

  /// The counterpart, which is written.
  public func replacementObject(for coder: any EncodingCoder) throws -> (any Coding)? {
    try archivedValue
  }

  /// Writes the counterpart's fields.
  public func encode(with coder: any EncodingCoder) throws {
    try archivedValue.encode(with: coder)
  }

  /// Reads the counterpart; throws `.invalidValue` with its path when Foundation has none for it.
  public init(coder: any DecodingCoder) throws {
    let archived = try Counterpart(coder: coder)
    do {
      try self.init(archived)
    } catch let error as ArchiveError where error.path.isEmpty {
      throw error.located(by: coder)
    }
  }
}

extension ArchiveError {
  /// The error for a value that the other side has no counterpart for.
  static func noCounterpart(_ reason: String) -> ArchiveError {
    ArchiveError(.invalidValue, reason)
  }

  /// The error for an object of Foundation's that is of none of the classes.
  static func refusal(of object: NSObject, by classes: [AnyClass]) -> ArchiveError {
    refusal(of: "\(type(of: object))", by: classes)
  }

  static func refusal(of found: String, by classes: [AnyClass]) -> ArchiveError {
    let names = classes.map { "\($0)" }.joined(separator: ", ")
    return ArchiveError(.classNotAllowed, "expected \(names), found \(found)")
  }

  /// The same error at the place where a coder is.
  func located(by coder: any DecodingCoder) -> ArchiveError {
    var error = coder.valueNotFound()
    (error.code, error.reason) = (code, reason)
    return error
  }

  /// The same error at the value under a key.
  func located(by coder: any DecodingCoder, forKey key: String) -> ArchiveError {
    guard path.isEmpty else { return self }
    var error = coder.invalidValue(reason, forKey: key)
    error.code = code
    return error
  }
}
