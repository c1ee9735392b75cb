/// Why an archive could not be read or written, and where.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: Hashable, Sendable {
    /// The bytes are not an archive of this kind.
    case notAnArchive
    /// An archive of a version that is not known.
    case unsupportedVersion
    /// The archive contradicts itself.
    case corrupt
    /// A key that must be there is not, or holds nothing.
    case valueNotFound
    /// A value is of another kind than the one asked for, or does not fit it.
    case typeMismatch
    /// An object's class is not admitted at its place.
    case classNotAllowed
    /// An object is needed to make itself.
    case cycle
    /// Objects are nested deeper than the stack or the limit allows.
    case tooDeep
    /// The archive asks for more work or memory than its size justifies, or is too large to write.
    case tooLarge
    /// The value is of the right kind, but not one that its reader accepts.
    case invalidValue
    /// The class of an object refuses the kind of coder that it was given to.
    case coderNotSupported
    /// A key was encoded twice into one object.
    case duplicateKey
    /// The coder was used in a way that it does not serve.
    case misuse
    /// Bytes of the archive could not be read from its source, or were changed meanwhile.
    case unreadable
  }

  /// The kind of failure, for programs.
  public var code: Code

  /// The place in the graph, such as `$top.root.layers[3].name`.
  public var path: String

  /// The byte of the archive, where it is known.
  public var offset: Int?

  /// The failure in words: one line without a full stop.
  public var reason: String

  /// Makes an error; the text is put together in `description` only.
  public init(_ code: Code, path: String = "", offset: Int? = nil, _ reason: String) {
    self.code = code
    self.path = path
    self.offset = offset
    self.reason = reason
  }

  public var description: String {
    let place = path.isEmpty ? "" : path + ": "
    let byte = offset.map { " (byte \($0))" } ?? ""
    return place + reason + byte
  }
}
