/// The limits of reading and writing a notation; each is a name that a caller can raise.
///
/// They are ratios to the input wherever that works, so that a large list passes and a small
/// one that pretends to be large does not.
public struct PropertyListLimits: Hashable, Sendable {
  /// How deep containers may be nested.
  public var depthMax = BinaryPropertyList.depthMax

  /// The text written for each byte of the list, at most, in bytes.
  ///
  /// Text repeats the shared objects of a binary list. A reference of a keyed archive is one or two
  /// bytes there and about seventy in XML.
  public var expansionFactor = 64

  /// The text allowed besides, in bytes.
  public var expansionBase = 16 * 1024 * 1024

  /// The limits that every reader and writer has unless it is told otherwise.
  public init() {}
}
