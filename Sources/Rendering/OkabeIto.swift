package import PortolanGraphics

/// The colours of Okabe and Ito (2008), told apart by all kinds of colour vision, in place of those
/// of new layers.
///
/// A colour that the user chose stays: only the standard ones are replaced.
package enum OkabeIto {
  package static let orange = Colour(red: 0xE6, green: 0x9F, blue: 0x00)
  package static let sky = Colour(red: 0x56, green: 0xB4, blue: 0xE9)
  package static let green = Colour(red: 0x00, green: 0x9E, blue: 0x73)
  package static let yellow = Colour(red: 0xF0, green: 0xE4, blue: 0x42)
  package static let blue = Colour(red: 0x00, green: 0x72, blue: 0xB2)
  package static let vermilion = Colour(red: 0xD5, green: 0x5E, blue: 0x00)
  package static let purple = Colour(red: 0xCC, green: 0x79, blue: 0xA7)

  /// The colour in place of a standard one of points, lines or areas; others stay.
  package static func counterpart(of colour: Colour) -> Colour { counterparts[colour] ?? colour }

  private static let counterparts: [Colour: Colour] = {
    let pairs: [(String, Colour)] = [
      ("#f0b429", orange), ("#ff7f50", vermilion), ("#56b4e9", sky), ("#e37fb5", purple),
      ("#7ed957", green), ("#f5e663", yellow), ("#b0b8c0", yellow), ("#7fb37a", green),
      ("#b39c6b", orange), ("#6f9fc4", sky), ("#c48aa8", purple), ("#b5b56a", yellow),
      ("#8f94c9", blue), ("#7cbcec", sky),
    ]
    return pairs.reduce(into: [:]) { table, pair in
      if let colour = Colour(hex: pair.0) { table[colour] = pair.1 }
    }
  }()
}
