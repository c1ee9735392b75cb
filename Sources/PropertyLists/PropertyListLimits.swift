/// The limits of reading and writing a notation; each is a name that a caller can raise.
///
/// They are ratios to what is there wherever that works, so that a large list passes and a small
/// one that pretends to be large does not.
public struct PropertyListLimits: Hashable, Sendable {
  /// How deep containers may be nested.
  public var depthMax = BinaryPropertyList.depthMax

  /// What writing as text may produce for each byte of the list, in bytes.
  ///
  /// Text repeats what a binary list shares. A reference of a keyed archive is one or two bytes
  /// there and about seventy in XML.
  public var expansionFactor = 64

  /// What writing as text may produce besides, in bytes.
  public var expansionBase = 16 * 1024 * 1024

  /// The limits that every reader and writer has unless it is told otherwise.
  public init() {}
}
