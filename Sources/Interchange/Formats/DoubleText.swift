import PortolanDocuments

/// How a double holds the text of a number.
enum DoubleText {
  enum Fit: Hashable {
    /// The double reads back as the same decimal number.
    case exact
    /// As the nearest double, which is another number.
    case rounded
    /// Not at all: it would be infinite.
    case beyond
  }

  /// - Parameter text: a number of JSON.
  static func fit(_ text: ArraySlice<UInt8>) -> Fit {
    // Every decimal of 15 digits is exact where doubles have their full precision.
    if text.count <= 15, !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return .exact }
    let number = Decimal(text)
    if number.digits.isEmpty { return .exact }
    guard let double = Double(String(decoding: text, as: UTF8.self)), double.isFinite else {
      return .beyond
    }
    return Decimal(Array(double.magnitude.description.utf8)[...]) == number ? .exact : .rounded
  }

  /// The digits of a number without zeros at its ends.
  static func digitCount(_ text: ArraySlice<UInt8>) -> Int { Decimal(text).digits.count }

  /// Digits without zeros at the ends, times a power of ten; without sign.
  private struct Decimal: Hashable {
    var digits: [UInt8] = []
    var exponent = 0

    init(_ text: ArraySlice<UInt8>) {
      let mark = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
      if let mark {
        let power = String(decoding: text[text.index(after: mark)...], as: UTF8.self)
        // A longer exponent is as far beyond every double.
        let most = power.hasPrefix("-") ? -1_000_000_000 : 1_000_000_000
        exponent = max(min(Int(power) ?? most, 1_000_000_000), -1_000_000_000)
      }
      var isFraction = false
      for byte in text[..<(mark ?? text.endIndex)] {
        if byte == UInt8(ascii: ".") { isFraction = true }
        guard byte &- 0x30 < 10 else { continue }
        if !digits.isEmpty || byte != 0x30 { digits.append(byte) }
        if isFraction { exponent -= 1 }
      }
      while digits.last == 0x30 {
        digits.removeLast()
        exponent += 1
      }
      if digits.isEmpty { exponent = 0 }
    }
  }
}

/// The numbers that come back from a file as others, and what is told of them.
struct NumberLosses {
  /// Numbers that a double rounds.
  var rounded = 0
  /// Columns with numbers that no double holds, which become text.
  var textColumns = 0

  /// - Parameter layer: the name of the layer.
  func remarks(_ layer: String) -> [String] {
    var remarks: [String] = []
    if textColumns > 0 {
      remarks.append(
        "layer \(layer): \(CountText.text(textColumns, "column has", "columns have")) numbers "
          + "beyond 1.8e308, which become text")
    }
    if rounded > 0 {
      remarks.append(
        "layer \(layer): \(CountText.text(rounded, "number has", "numbers have")) more digits than "
          + "a double, and \(rounded == 1 ? "is" : "are") rounded")
    }
    return remarks
  }
}
