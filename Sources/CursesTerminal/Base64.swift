/// The coding of the clipboard sequence (RFC 4648).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var word: UInt32 = 0
      for byte in part { word = word << 8 | UInt32(byte) }
      word <<= UInt32(8 * (3 - part.count))
      for index in 0..<4 {
        let sextet = Int(word >> UInt32(18 - 6 * index) & 63)
        text.append(index <= part.count ? alphabet[sextet] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
