/// Why a property list could not be read or written.
///
/// One struct for the whole module, so that a caller can show `description` and need not know more.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: Hashable, Sendable {
    /// The bytes are not a property list of this kind at all.
    case notAPropertyList
    /// A property list of another version than `bplist00`.
    case unsupportedVersion
    /// The file ends too early, or carries bytes that belong to nothing.
    case badLength
    /// The trailer contradicts itself or the file.
    case badTrailer
    /// An entry of the offset table points outside the objects.
    case badOffset
    /// A reference to an object that does not exist.
    case badReference
    /// An object begins with a marker that this version does not know.
    case badMarker
    /// A count or length is larger than the bytes that are there.
    case badCount
    /// A string holds bytes that its kind does not allow.
    case badText
    /// A number does not fit the type that was asked for.
    case badNumber
    /// A dictionary has a key that is not a string.
    case badKey
    /// A dictionary has one key twice.
    case duplicateKey
    /// A container holds itself.
    case cycle
    /// Containers are nested deeper than the limit.
    case tooDeep
    /// The list is larger than the format or a limit allows.
    case tooLarge
    /// An object is of another kind than the one asked for.
    case wrongKind
    /// Bytes of a source could not be read, or were changed meanwhile.
    case unreadable
  }

  /// The kind of failure, for programs.
  public var code: Code

  /// The byte of the file at which it was found.
  public var offset: Int?

  /// The failure in words: one line without a full stop.
  public var reason: String

  /// Makes an error; the text is put together in `description` only.
  public init(_ code: Code, at offset: Int? = nil, _ reason: String) {
    self.code = code
    self.offset = offset
    self.reason = reason
  }

  /// A read of a source that failed.
  package init(unreadable failure: any Error) {
    self = failure as? PropertyListError ?? PropertyListError(.unreadable, "\(failure)")
  }

  public var description: String {
    guard let offset else { return reason }
    return "\(reason) (byte \(offset))"
  }
}
