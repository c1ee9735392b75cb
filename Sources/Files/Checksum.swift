/// CRC-32C (Castagnoli), the checksum of appended records.
///
/// It finds every change of up to 32 bits in a row and distinguishes a torn record from a whole
/// one; it is no protection against forgery.
package enum Checksum {
  /// The checksum of bytes, continued from that of the bytes before them.
  ///
  /// - Complexity: O(bytes), eight at a time.
  package static func crc32c(_ bytes: UnsafeRawBufferPointer, after former: UInt32 = 0) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var crc = ~former
      var index = 0
      while bytes.count - index >= 8 {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        crc = step(word ^ UInt64(crc), tables)
        index += 8
      }
      while index < bytes.count {
        crc = tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)] ^ (crc >> 8)
        index += 1
      }
      return ~crc
    }
  }

  package static func crc32c(_ bytes: [UInt8], after former: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { crc32c($0, after: former) }
  }

  /// Eight bytes at once: one look-up each.
  @inline(__always)
  private static func step(_ word: UInt64, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var crc: UInt32 = 0
    for place in 0..<8 {
      let byte = Int(truncatingIfNeeded: word >> UInt64(8 * place)) & 0xFF
      crc ^= tables[(7 - place) * 256 + byte]
    }
    return crc
  }

  /// Table n holds the effect of a byte followed by n zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
      tables[byte] = crc
    }
    for place in 256..<tables.count {
      let former = tables[place - 256]
      tables[place] = tables[Int(former & 0xFF)] ^ (former >> 8)
    }
    return tables
  }()
}
