/// Numbers as they stand in the texts of points, sizes and rectangles.
enum RealNumbers {
  /// The numbers that stand in a text between braces, commas and blanks.
  ///
  /// - Returns: At most `count` numbers; `nil` when something else stands among them.
  static func numbers(in text: String, atMost count: Int) -> [Double]? {
    var numbers: [Double] = []
    var token: [UInt8] = []
    func isSeparator(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x7B, 0x7D, 0x2C, 0x20, 0x09, 0x0A, 0x0D: true
      default: false
      }
    }
    for byte in text.utf8 {
      if !isSeparator(byte) {
        // No number of ours is longer; a longer token is refused before it is gathered.
        guard token.count < 400 else { return nil }
        token.append(byte)
        continue
      }
      guard !token.isEmpty else { continue }
      guard let number = number(token) else { return nil }
      numbers.append(number)
      token.removeAll()
      if numbers.count == count { return numbers }
    }
    if !token.isEmpty {
      guard let number = number(token) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func number(_ token: [UInt8]) -> Double? {
    // Hexadecimal forms, which Swift reads, are none of C's `%g`.
    guard !token.contains(where: { $0 == 0x78 || $0 == 0x58 }) else { return nil }
    return Double(String(decoding: token, as: UTF8.self))
  }
}
