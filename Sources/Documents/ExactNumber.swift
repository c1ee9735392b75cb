/// Decimal numbers by their value, however they are written and however long they are.
package enum ExactNumber {
  /// The one spelling of a number of JSON: its digits without the zeros around them, and a power
  /// of ten.
  package static func spelling(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    var power = 0
    var hasPoint = false
    var place = text.startIndex
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { place += 1 }
    while place < text.endIndex {
      let byte = text[place]
      if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if (0x30...0x39).contains(byte) {
        if hasPoint { power -= 1 }
        if !digits.isEmpty || byte != 0x30 { digits.append(byte) }
      } else {
        break
      }
      place += 1
    }
    if place < text.endIndex {
      let exponent = String(decoding: text[(place + 1)...], as: UTF8.self)
      guard exponent.utf8.count < 12, let value = Int(exponent) else { return Array(text) }
      power += value
    }
    while digits.last == 0x30 {
      digits.removeLast()
      power += 1
    }
    if digits.isEmpty { return [0x30] }
    let sign: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    return sign + digits + (power == 0 ? [] : Array("e\(power)".utf8))
  }
}

extension AttributeValue {
  /// The value with a number in its one spelling.
  package var inOneSpelling: AttributeValue {
    guard case .number(let text) = self else { return self }
    return .number(String(decoding: ExactNumber.spelling(Array(text.utf8)[...]), as: UTF8.self))
  }
}
