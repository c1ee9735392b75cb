/// How much is read of an archive and written about it; each is a name that a caller can raise.
///
/// Memory is in proportion to the archive whatever they are.
public struct InspectionLimits: Hashable, Sendable {
  /// The largest archive that is read, in bytes.
  public var byteCountMax = Int.max

  /// The text written for each byte of the archive, at most, in bytes.
  ///
  /// A line takes about a hundred bytes and stands for one byte at least. Only names that are used
  /// over and over, each time in full, make more of it.
  public var expansionFactor = 512

  /// The text allowed besides, in bytes.
  public var expansionBase = 1 << 20

  /// How many archives may be inside each other's data where they are resolved.
  public var nestedDepthMax = 8

  /// The limits of every archive unless it is told otherwise.
  public init() {}

  /// How much may be written about so many bytes.
  package func textByteCountMax(inputCount: Int) -> Int {
    let (product, isTooFar) = inputCount.multipliedReportingOverflow(by: expansionFactor)
    let (sum, isFarther) = product.addingReportingOverflow(expansionBase)
    return isTooFar || isFarther ? .max : sum
  }
}
