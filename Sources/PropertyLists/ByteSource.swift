/// Bytes that can be copied out in one go, wherever they are kept.
///
/// The writer keeps large payloads by reference until the file is laid out, so that they are copied
/// once only. Arrays of bytes and of packed elements conform.
public protocol ByteSource: Sendable {
  /// How many bytes there are.
  var byteCount: Int { get }

  /// Copies all bytes to the start of `target`, which has room for at least `byteCount`.
  func copyBytes(to target: UnsafeMutableRawBufferPointer)
}

/// An element that is archived as its bytes in memory, little-endian, many in one data object.
///
/// Conform only types without padding, references or alternative representations (integers,
/// floating point numbers, and structures made of one kind of them), because the bytes last for
/// ever.
public protocol PackedElement: BitwiseCopyable, Sendable {
  /// The value with its bytes in little-endian order; itself on every machine that we build for.
  var littleEndianBytes: Self { get }
}

extension PackedElement where Self: FixedWidthInteger {
  public var littleEndianBytes: Self { littleEndian }
}

extension UInt8: PackedElement {}
extension Int8: PackedElement {}
extension UInt16: PackedElement {}
extension Int16: PackedElement {}
extension UInt32: PackedElement {}
extension Int32: PackedElement {}
extension UInt64: PackedElement {}
extension Int64: PackedElement {}

extension Double: PackedElement {
  public var littleEndianBytes: Double { Double(bitPattern: bitPattern.littleEndian) }
}

extension Float: PackedElement {
  public var littleEndianBytes: Float { Float(bitPattern: bitPattern.littleEndian) }
}

extension Array: ByteSource where Element: PackedElement {
  public var byteCount: Int { count * MemoryLayout<Element>.stride }

  public func copyBytes(to target: UnsafeMutableRawBufferPointer) {
    #if _endian(little)
      withUnsafeBytes { target.copyMemory(from: $0) }
    #else
      map(\.littleEndianBytes).withUnsafeBytes { target.copyMemory(from: $0) }
    #endif
  }
}
