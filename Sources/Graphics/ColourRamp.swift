/// A row of colours for ordered classes.
package struct ColourRamp: Hashable, Sendable {
  package let name: String
  /// Whether it has two ends of equal weight and a middle; else its lightness rises or falls.
  package let isDiverging: Bool
  private let stops: [Colour]

  private init(_ name: String, isDiverging: Bool = false, _ hexes: [UInt32]) {
    self.name = name
    self.isDiverging = isDiverging
    stops = hexes.map {
      Colour(
        red: UInt8(truncatingIfNeeded: $0 >> 16), green: UInt8(truncatingIfNeeded: $0 >> 8),
        blue: UInt8(truncatingIfNeeded: $0))
    }
  }

  /// The colours for some classes, the first for the lowest.
  package func colours(_ count: Int, isReversed: Bool = false) -> [Colour] {
    let colours = (0..<max(0, count)).map { number in
      colour(count == 1 ? 0.5 : Double(number) / Double(count - 1))
    }
    return isReversed ? colours.reversed() : colours
  }

  /// - Parameter place: 0 for the first colour to 1 for the last.
  private func colour(_ place: Double) -> Colour {
    let scaled = min(max(place, 0), 1) * Double(stops.count - 1)
    let index = min(Int(scaled), stops.count - 2)
    return stops[index + 1].mixed(with: stops[index], scaled - Double(index))
  }

  /// The ramp of a name.
  package static func named(_ name: String) -> ColourRamp? { all.first { $0.name == name } }

  /// All ramps, the default first: viridis, magma, plasma (Smith and van der Walt, 2015) and
  /// cividis (Nuñez, Anderton and Renslow, 2018), even steps for the eye also without red or green;
  /// hues of one colour, which go from bright to dark as on most maps; and diverging ones with blue
  /// on one side, safe for colour-blind eyes. Magma is without its black end: no colour is that of
  /// a black screen or of white paper.
  package static let all = [
    ColourRamp(
      "viridis",
      [
        0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725,
      ]),
    ColourRamp(
      "magma",
      [
        0x440F76, 0x721F81, 0x9E2F7F, 0xCD4071, 0xF1605D, 0xFD9668, 0xFECA8D,
        0xFCFDBF,
      ]),
    ColourRamp(
      "plasma",
      [
        0x0D0887, 0x46039F, 0x7201A8, 0x9C179E, 0xBD3786, 0xD8576B, 0xED7953, 0xFB9F3A, 0xFDCA26,
        0xF0F921,
      ]),
    ColourRamp(
      "cividis",
      [
        0x00224E, 0x123570, 0x3B496C, 0x575D6D, 0x707173, 0x8A8678, 0xA59C74, 0xC3B369, 0xE1CC55,
        0xFEE838,
      ]),
    ColourRamp("blues", [0xDEEBF7, 0x9ECAE1, 0x4292C6, 0x2171B5, 0x08306B]),
    ColourRamp("greens", [0xE5F5E0, 0xA1D99B, 0x41AB5D, 0x238B45, 0x00441B]),
    ColourRamp("reds", [0xFEE0D2, 0xFC9272, 0xEF3B2C, 0xCB181D, 0x67000D]),
    ColourRamp("greys", [0xE0E0E0, 0xA0A0A0, 0x606060, 0x202020]),
    ColourRamp(
      "blue-red", isDiverging: true,
      [0x2166AC, 0x67A9CF, 0xD1E5F0, 0xF7F7F7, 0xFDDBC7, 0xEF8A62, 0xB2182B]),
    ColourRamp(
      "blue-brown", isDiverging: true,
      [0x2166AC, 0x67A9CF, 0xD1E5F0, 0xF7F7F7, 0xF6E8C3, 0xD8B365, 0x8C510A]),
  ]
}
