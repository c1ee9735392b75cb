/// A place in the output that moves on with every write.
///
/// The layout has computed all sizes; each write still checks that it stays inside the buffer.
struct PropertyListOutput {
  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var position: Int

  init(_ buffer: UnsafeMutableRawBufferPointer, at position: Int = 0) {
    self.buffer = buffer
    self.position = position
  }

  mutating func put(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { room(for: bytes.count).copyMemory(from: $0) }
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    room(for: bytes.count).copyMemory(from: bytes)
  }

  mutating func put(_ source: any ByteSource) {
    source.copyBytes(to: room(for: source.byteCount))
  }

  /// Writes the low `width` bytes of a number, most significant first.
  @inline(__always)
  mutating func put(_ value: UInt64, width: Int) {
    let target = room(for: width)
    switch width {
    case 2:
      target.storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, as: UInt16.self)
    case 4:
      target.storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, as: UInt32.self)
    case 8:
      target.storeBytes(of: value.bigEndian, as: UInt64.self)
    default:
      for place in 0..<width {
        target[place] = UInt8(truncatingIfNeeded: value >> UInt64((width - 1 - place) * 8))
      }
    }
  }

  mutating func putHeader(_ marker: UInt8, _ count: Int) {
    guard count >= 15 else {
      put(UInt64(marker) | UInt64(count), width: 1)
      return
    }
    put(UInt64(marker | 0x0F), width: 1)
    let size = BinaryPropertyListLayout.width(of: count)
    put(UInt64(0x10 | size.trailingZeroBitCount), width: 1)
    put(UInt64(count), width: size)
  }

  mutating func put(references: UnsafeBufferPointer<PropertyListReference>, width: Int) {
    let target = room(for: references.count * width)
    switch width {
    case 1:
      for place in references.indices {
        target[place] = UInt8(truncatingIfNeeded: references[place])
      }
    case 2:
      for place in references.indices {
        target.storeBytes(
          of: UInt16(truncatingIfNeeded: references[place]).bigEndian, toByteOffset: place * 2,
          as: UInt16.self)
      }
    default:
      for place in references.indices {
        target.storeBytes(
          of: references[place].bigEndian, toByteOffset: place * 4, as: UInt32.self)
      }
    }
  }

  private mutating func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    let start = position
    position += count
    return UnsafeMutableRawBufferPointer(rebasing: buffer[start..<position])
  }
}
