/// A 24-bit colour; canvases reduce it to the available ones.
package struct Colour: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads `#rrggbb` or `rrggbb`; `nil` for anything else.
  package init?(hex text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
    guard digits.utf8.count == 6, digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  /// The same hue at about a third of its brightness: the standard fill on dark ground.
  package var dimmed: Colour { Colour(red: red / 3, green: green / 3, blue: blue / 3) }

  /// `#rrggbb` in lower case.
  package var hex: String {
    let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
