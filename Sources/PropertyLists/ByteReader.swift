/// The one way to the bytes of a file: every access is checked against its end.
///
/// Readers of outside bytes never subscript the array themselves; an access beyond the end is
/// `nil`.
@frozen
public struct ByteReader: Sendable {
  /// All bytes of the file.
  public let bytes: [UInt8]

  /// Reads from an array, which is kept and not copied.
  @inlinable
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes there are.
  @inlinable
  public var count: Int { bytes.count }

  /// The byte at an offset, or `nil` outside the file.
  @inlinable
  @inline(__always)
  public func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < bytes.count else { return nil }
    return bytes[offset]
  }

  /// Whether `count` bytes from `offset` on are all inside the file.
  @inlinable
  @inline(__always)
  public func contains(_ offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= bytes.count && count <= bytes.count - offset
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

  /// A number in the last bytes of the file.
  @usableFromInline
  func numberAtEnd(_ offset: Int, _ width: Int) -> UInt64? {
    guard contains(offset, count: width) else { return nil }
    var value: UInt64 = 0
    for place in offset..<offset + width { value = value << 8 | UInt64(bytes[place]) }
    return value
  }

  /// Calls `body` with a part of the file; `nil` when the part is not inside.
  @inlinable
  @inline(__always)
  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard contains(range.lowerBound, count: range.count) else { return nil }
    return try bytes.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound..<range.upperBound]))
    }
  }
}
