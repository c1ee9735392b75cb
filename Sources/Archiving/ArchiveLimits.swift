/// The limits of one coder; each is a name that a caller can raise.
public struct ArchiveLimits: Hashable, Sendable {
  /// How many objects may be nested in each other while they encode or make themselves.
  public var depthMax = 20_000

  /// How deep values of Foundation may be nested when they are decoded without knowing
  /// them; such values are compared, hashed and released level by level.
  public var valueDepthMax = 128

  /// Bytes of stack that must be left for an object to begin.
  public var stackReserve = 64 * 1024

  /// The memory of decoded values for each byte of the archive, shared parts counted anew.
  public var expansionFactor = 8

  /// The memory allowed besides, in bytes.
  public var expansionBase = 16 * 1024 * 1024

  /// The limits that every coder has unless it is told otherwise.
  public init() {}
}
