/// Searches of text, eight bytes at a time.
enum ByteSearch {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Whether a byte is above 127.
  static func hasNonASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let words = UnsafeRawBufferPointer(text)
    let end = text.count & ~7
    for place in stride(from: 0, to: end, by: 8)
    where words.loadUnaligned(fromByteOffset: place, as: UInt64.self) & tops != 0 { return true }
    return text[end...].contains { $0 > 127 }
  }

  /// The place of the first such byte at `start` or behind it.
  static func first(
    _ byte: UInt8, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    let words = UnsafeRawBufferPointer(text)
    let wanted = ones &* UInt64(byte)
    var place = start
    while place + 8 <= text.count {
      let rest = words.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian ^ wanted
      let found = (rest &- ones) & ~rest & tops
      if found != 0 { return place + found.trailingZeroBitCount >> 3 }
      place += 8
    }
    return (place..<max(place, text.count)).first { text[$0] == byte }
  }
}
