public import PropertyLists

/// Bytes of an archive, where they lie: nothing is copied until it is asked for.
///
/// It keeps the archive's bytes in memory; copy the parts that outlive the archive.
public struct ArchivedData: Sendable {
  @usableFromInline let reader: ByteReader
  @usableFromInline let range: Range<Int>

  /// Bytes of a coder of your own.
  public init(_ bytes: [UInt8]) {
    self.init(reader: ByteReader(bytes), range: 0..<bytes.count)
  }

  init(reader: ByteReader, range: Range<Int>) {
    self.reader = reader
    self.range = range
  }

  /// How many bytes there are.
  @inlinable
  public var count: Int { range.count }

  /// Calls `body` with the bytes; the pointer is good within `body` only.
  @inlinable
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    // The range was checked against the archive when it was found.
    try reader.withBytes(in: range, body) ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// A copy of the bytes.
  @inlinable
  public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

  /// A copy as packed elements, in one go; `nil` when they are no whole number of elements.
  @inlinable
  public func elements<Element: PackedElement>(of type: Element.Type) -> [Element]? {
    let count = self.count / MemoryLayout<Element>.stride
    guard count * MemoryLayout<Element>.stride == self.count else { return nil }
    let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      initialized = count
    }
    #if _endian(little)
      return elements
    #else
      return elements.map(\.littleEndianBytes)
    #endif
  }
}
