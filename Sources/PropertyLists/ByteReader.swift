/// The one way to the bytes of a file: every access is checked against its end.
///
/// Readers of outside bytes never subscript the array themselves; an access beyond the end is
/// `nil`. The bytes are in an array, or in a source that is read where they are looked at: there,
/// an access is `nil` too from the first read on that failed, and `failure` has the reason.
@frozen
public struct ByteReader: Sendable {
  /// All bytes of the file; empty where they are read from a source.
  public let bytes: [UInt8]

  /// What the bytes are read from; `nil` for those in the array.
  @usableFromInline let pages: SourcePages?

  /// Reads from an array, which is kept and not copied.
  @inlinable
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    pages = nil
  }

  /// Reads from a source, in pages of which at most 4 MiB are kept.
  public init(_ source: some RandomAccessSource) {
    bytes = []
    pages = SourcePages(source)
  }

  /// How many bytes there are.
  @inlinable
  public var count: Int { pages == nil ? bytes.count : sourceCount }

  @usableFromInline var sourceCount: Int { pages?.byteCount ?? 0 }

  /// Whether the bytes are read from a source.
  public var isPaged: Bool { pages != nil }

  /// Why bytes of the source could not be read; `nil` as long as all could.
  public var failure: (any Error)? { pages?.failure }

  /// Throws if bytes of the source could not be read, or may have changed since the first of them
  /// were; never for an array.
  public func checkSource() throws {
    guard let pages else { return }
    if let failure = pages.failure { throw failure }
    try pages.source.checkUnchanged()
  }

  /// The byte at an offset, or `nil` outside the file.
  @inlinable
  @inline(__always)
  public func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < bytes.count else { return pagedByte(at: offset) }
    return bytes[offset]
  }

  @usableFromInline
  @inline(never)
  func pagedByte(at offset: Int) -> UInt8? { pages?.byte(at: offset) }

  /// Whether `count` bytes from `offset` on are all inside the file.
  @inlinable
  @inline(__always)
  public func contains(_ offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset
  }

  /// An unsigned number of one to eight bytes, most significant first; `nil` outside the file.
  @inlinable
  @inline(__always)
  public func bigEndian(at offset: Int, width: Int) -> UInt64? {
    guard offset >= 0, width >= 1, width <= 8 else { return nil }
    guard offset <= bytes.count &- 8 else { return numberAtEnd(offset, width) }
    // Eight bytes at once, without those behind the number.
    let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    return UInt64(bigEndian: word) &>> UInt64(64 &- 8 &* width)
  }

  /// A number in the last bytes of the file, or of a source.
  @usableFromInline
  func numberAtEnd(_ offset: Int, _ width: Int) -> UInt64? {
    if let pages { return pages.number(at: offset, width: width) }
    guard contains(offset, count: width) else { return nil }
    var value: UInt64 = 0
    for place in offset..<offset + width { value = value << 8 | UInt64(bytes[place]) }
    return value
  }

  /// Calls `body` with a part of the file; `nil` when the part is not inside, or cannot be read.
  ///
  /// Of a source the part is copied for the call.
  @inlinable
  @inline(__always)
  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      return try withPagedBytes(in: range, body)
    }
    return try bytes.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound..<range.upperBound]))
    }
  }

  @usableFromInline
  @inline(never)
  func withPagedBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard let pages, contains(range.lowerBound, count: range.count) else { return nil }
    return try withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 16) { room in
      guard pages.copy(range, to: room) else { return nil }
      return try body(UnsafeRawBufferPointer(rebasing: room[..<range.count]))
    }
  }

  /// All bytes; none where they cannot be read.
  package func copyOfAll() -> [UInt8] {
    guard let pages else { return bytes }
    return [UInt8](unsafeUninitializedCapacity: pages.byteCount) { room, count in
      let isRead = pages.copy(0..<pages.byteCount, to: UnsafeMutableRawBufferPointer(room))
      count = isRead ? pages.byteCount : 0
    }
  }

  /// Copies a part of the file to the start of `target`, which has room for it; false when the part
  /// is not inside, or cannot be read.
  @inlinable
  @inline(__always)
  public func copyBytes(in range: Range<Int>, to target: UnsafeMutableRawBufferPointer) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      return copyPagedBytes(in: range, to: target)
    }
    guard range.count <= target.count else { return false }
    bytes.withUnsafeBytes {
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[range.lowerBound..<range.upperBound]))
    }
    return true
  }

  @usableFromInline
  @inline(never)
  func copyPagedBytes(in range: Range<Int>, to target: UnsafeMutableRawBufferPointer) -> Bool {
    pages?.copy(range, to: target) ?? false
  }
}
