/// A zip with one file, stored as it is (APPNOTE 6.3.10 of PKWARE).
///
///     50 4B 03 04 | version 20, flags 0, method 0, date | CRC-32, size, size | name | bytes
///     50 4B 01 02 | the same, where it begins           | name
///     50 4B 05 06 | one file, where its entry begins
enum StoredZip {
  /// The pieces of the archive.
  ///
  /// - Throws: `ToolError` where the file is too long for a zip without 64 bits.
  static func pieces(of bytes: [UInt8], named name: String) throws(ToolError) -> [[UInt8]] {
    let name = Array(name.utf8)
    guard bytes.count <= Int(Int32.max) else {
      throw ToolError(.refused, "KMZ holds 2 GiB, and these are \(bytes.count) bytes: write KML")
    }
    var entry: [UInt8] = []
    // The date is that of 1980-01-01, so that equal layers give equal bytes.
    for number in [20, 0, 0, 0, 0x21] { append(number, 2, to: &entry) }
    for number in [Int(crc(bytes)), bytes.count, bytes.count] { append(number, 4, to: &entry) }
    for number in [name.count, 0] { append(number, 2, to: &entry) }
    let head = [0x50, 0x4B, 3, 4] + entry + name
    var end: [UInt8] = [0x50, 0x4B, 1, 2, 20, 0] + entry
    // No comment, the first disk, no attributes, at the beginning.
    end += [UInt8](repeating: 0, count: 14) + name
    let length = end.count
    end += [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0]
    append(length, 4, to: &end)
    append(head.count + bytes.count, 4, to: &end)
    return [head, bytes, end + [0, 0]]
  }

  private static func append(_ number: Int, _ count: Int, to bytes: inout [UInt8]) {
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }

  /// CRC-32 of ISO 3309.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<256).map { byte -> UInt32 in
      (0..<8).reduce(UInt32(byte)) { crc, _ in
        crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1
      }
    }
    return table.withUnsafeBufferPointer { table in
      ~bytes.reduce(~UInt32(0)) { crc, byte in
        table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8)
      }
    }
  }
}
