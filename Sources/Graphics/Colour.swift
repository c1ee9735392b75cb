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

  /// This colour mixed with another: 1 is this one, 0 the other.
  package func mixed(with other: Colour, _ part: Double) -> Colour {
    func channel(_ one: UInt8, _ other: UInt8) -> UInt8 {
      let part = min(max(part, 0), 1)
      return UInt8(clamping: Int((Double(one) * part + Double(other) * (1 - part)).rounded()))
    }
    return Colour(
      red: channel(red, other.red), green: channel(green, other.green),
      blue: channel(blue, other.blue))
  }

  /// A quiet outline of an area of this colour: darker if it is bright, brighter if it is dark.
  package var outline: Colour {
    let light = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
    let end: UInt8 = light > 110_000 ? 0 : 255
    return mixed(with: Colour(red: end, green: end, blue: end), 0.55)
  }

  /// `#rrggbb` in lower case.
  package var hex: String {
    let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
