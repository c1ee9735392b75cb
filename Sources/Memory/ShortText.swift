/// A text of up to fifteen bytes of ASCII in two words, to be compared without looking at bytes.
///
///     low     the first eight bytes, the first lowest; zeros behind the end
///     high    the other seven, and in the highest byte how many there are in all
public struct ShortText: Hashable, BitwiseCopyable, Sendable {
  /// The first eight bytes.
  public let low: UInt64
  /// The other bytes and the length.
  public let high: UInt64

  /// The value that no text has, to stand for longer texts and for others than ASCII.
  @inlinable
  public static var other: ShortText { ShortText(low: 0, high: .max) }

  @inlinable
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The text of some bytes; `nil` for more than fifteen, and for others than ASCII.
  @inlinable
  @inline(__always)
  public init?(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    guard count < 16 else { return nil }
    var (first, second): (UInt64, UInt64) = (0, 0)
    // Loads may overlap: the same byte then comes to the same place twice.
    if count >= 8 {
      first = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
      let last = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
      // Without the part in the first eight bytes.
      second = count == 8 ? 0 : last &>> UInt64(128 &- 8 &* count)
    } else if count >= 4 {
      let start = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
      let last = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      first = UInt64(start) | UInt64(last) &<< UInt64(8 &* count &- 32)
    } else if count > 0 {
      let (middle, last) = (count / 2, count &- 1)
      first =
        UInt64(bytes[0]) | UInt64(bytes[middle]) &<< UInt64(8 &* middle)
        | UInt64(bytes[last]) &<< UInt64(8 &* last)
    }
    guard (first | second) & 0x8080_8080_8080_8080 == 0 else { return nil }
    low = first
    high = second | UInt64(truncatingIfNeeded: count) &<< 56
  }

  /// The text of a string; `nil` for a longer one, and for others than ASCII.
  @inlinable
  @inline(__always)
  public init?(_ text: String) {
    #if _pointerBitWidth(_64) && _endian(little) && !os(Android)
      // Strings hold up to fifteen bytes in the same two words, with `stringMark` for ASCII.
      let words = unsafeBitCast(text, to: (low: UInt64, high: UInt64).self)
      if words.high &>> 60 == Self.stringMark &>> 60 {
        self.init(low: words.low, high: words.high ^ Self.stringMark)
        return
      }
    #endif
    guard let short = text.withBytes({ ShortText($0) }) else { return nil }
    self = short
  }

  /// A short text that stands in the program.
  @inlinable
  @inline(__always)
  public init(constant text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    self = ShortText(bytes) ?? .other
  }

  /// How many bytes there are.
  @inlinable
  public var count: Int { Int(truncatingIfNeeded: high &>> 56) }

  /// Copies the bytes, and what follows them in the words, to memory that has room for sixteen.
  @inlinable
  @inline(__always)
  public func copyWords(to target: UnsafeMutablePointer<UInt8>) {
    let target = UnsafeMutableRawPointer(target)
    target.storeBytes(of: low.littleEndian, as: UInt64.self)
    target.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
  }

  /// The text as a string.
  @inlinable
  public var string: String {
    precondition(count < 16, "no text")
    #if _pointerBitWidth(_64) && _endian(little) && !os(Android)
      return unsafeBitCast((low, high | Self.stringMark), to: String.self)
    #else
      return String(unsafeUninitializedCapacity: 16) { room in
        guard let start = room.baseAddress, room.count >= 16 else { return 0 }
        copyWords(to: start)
        return count
      }
    #endif
  }

  /// What a string of up to fifteen bytes of ASCII has in its last byte, beside their number.
  ///
  /// The form of strings on these systems is fixed: code of programs is compiled for it.
  @inlinable
  static var stringMark: UInt64 { 0xE0 << 56 }
}

extension String {
  /// Calls `body` with the bytes in UTF-8, without a copy of the string where that can be.
  @inlinable
  @inline(__always)
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let result = try utf8.withContiguousStorageIfAvailable {
      try body(UnsafeRawBufferPointer($0))
    }
    if let result { return result }
    var copy = self
    return try copy.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}
