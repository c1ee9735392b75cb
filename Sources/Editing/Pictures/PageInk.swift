import PortolanDocuments
import PortolanGraphics
import PortolanTerminals

/// The colours of marks on a page: those of their styles, changed no further than they must be to
/// stand out from the ground.
struct PageInk {
  let paper: PaperColour
  var ground: Colour { paper.ground }

  /// Lines and signs: at least 3 to 1 against the ground (WCAG 2.2, 1.4.11).
  func line(_ colour: Colour) -> Colour { legible(colour, least: 3) }

  /// Texts: at least 7 to 1 (WCAG 2.2, 1.4.6), for they are small and stand upon areas.
  func text(_ colour: Colour?) -> Colour { legible(colour ?? strong, least: 7) }

  /// Titles and names.
  var strong: Colour {
    paper == .light
      ? Colour(red: 0x20, green: 0x24, blue: 0x2A) : Colour(red: 0xE6, green: 0xEA, blue: 0xEE)
  }

  /// Credits and the numbers of the graticule.
  var faint: Colour {
    paper == .light
      ? Colour(red: 0x60, green: 0x68, blue: 0x70) : Colour(red: 0x9A, green: 0xA4, blue: 0xAE)
  }

  /// The lines of the graticule.
  var graticule: Colour { mixed(faint, 0.35) }

  /// The colour of an area; the standard fill, made for dark screens, is a tint of the outline's
  /// colour on light paper.
  func area(_ style: MarkStyle) -> Colour? {
    guard let fill = style.fill else { return nil }
    if paper == .light, let stroke = style.stroke, fill == stroke.dimmed {
      return mixed(stroke, 0.28)
    }
    return fill
  }

  /// A colour thinned with the ground: 1 is the colour itself.
  private func mixed(_ colour: Colour, _ part: Double) -> Colour {
    func channel(_ one: UInt8, _ other: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(one) * part + Double(other) * (1 - part)).rounded()))
    }
    return Colour(
      red: channel(colour.red, ground.red), green: channel(colour.green, ground.green),
      blue: channel(colour.blue, ground.blue))
  }

  /// The colour, darkened or brightened in steps until its contrast is large enough.
  private func legible(_ colour: Colour, least: Double) -> Colour {
    let end: Double = paper == .light ? 0 : 255
    for step in 0...20 {
      let part = Double(step) / 20
      func channel(_ value: UInt8) -> UInt8 {
        UInt8(clamping: Int((Double(value) * (1 - part) + end * part).rounded()))
      }
      let shade = Colour(
        red: channel(colour.red), green: channel(colour.green), blue: channel(colour.blue))
      if Palette.contrast(TerminalColour(shade), TerminalColour(ground)) >= least { return shade }
    }
    return strong
  }
}

extension TerminalColour {
  fileprivate init(_ colour: Colour) {
    self.init(red: colour.red, green: colour.green, blue: colour.blue)
  }
}
