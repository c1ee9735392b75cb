package import PortolanGraphics
package import PortolanTerminals

/// The colours of marks on a ground: those of their styles, changed no further than they must be to
/// stand out from it.
package struct GroundInk: Sendable {
  package let ground: Ground
  /// The depth of the screen; on paper all colours.
  private let depth: ColourDepth

  package init(_ ground: Ground, depth: ColourDepth = .trueColour) {
    self.ground = ground
    self.depth = depth
  }

  /// The ground itself.
  package var paper: Colour { Colour(ground.colour) }

  /// Lines and signs: at least 3 to 1 against the ground (WCAG 2.2, 1.4.11).
  package func line(_ colour: Colour) -> Colour { legible(colour, least: 3) }

  /// Texts: at least 7 to 1 (WCAG 2.2, 1.4.6), for they are small and stand upon areas.
  package func text(_ colour: Colour?) -> Colour { legible(colour ?? strong, least: 7) }

  /// Titles and names.
  package var strong: Colour {
    ground == .light
      ? Colour(red: 0x20, green: 0x24, blue: 0x2A) : Colour(red: 0xE6, green: 0xEA, blue: 0xEE)
  }

  /// Credits and the numbers of the graticule.
  package var faint: Colour {
    ground == .light
      ? Colour(red: 0x60, green: 0x68, blue: 0x70) : Colour(red: 0x9A, green: 0xA4, blue: 0xAE)
  }

  /// The lines of the graticule.
  package var graticule: Colour { mixed(faint, 0.35) }

  /// The colour of an area; the standard fill, made for dark screens, is a tint of the outline's
  /// colour on light ground.
  package func area(_ style: MarkStyle) -> Colour? {
    guard let fill = style.fill else { return nil }
    if ground == .light, let stroke = style.stroke, fill == stroke.dimmed {
      return mixed(stroke, 0.28)
    }
    return fill
  }

  // MARK: Cells

  /// A style for cells: dark terminals show the colours of styles as they are. On a light one lines
  /// have 4.5 to 1 against the ground, so that at least 3 to 1 are left against areas.
  package func cells(_ style: MarkStyle) -> MarkStyle {
    guard ground == .light, depth > .mono else { return style }
    var style = style
    style.fill = area(style).flatMap(background)
    style.stroke = style.stroke.map { few($0, least: 3) ?? legible($0, least: 4.5) }
    return style
  }

  /// The style of a label in cells.
  func label(_ style: MarkStyle) -> MarkStyle {
    guard ground == .light, depth > .mono else { return style }
    var style = style
    style.stroke = (style.stroke ?? style.fill).map { few($0, least: 3) ?? text($0) }
    return style
  }

  /// A fill for dark texts: thinned until black has 14 to 1 against it. Terminals of few colours
  /// have no tints: there a dark fill is none.
  private func background(_ fill: Colour) -> Colour? {
    let black = TerminalColour(red: 0, green: 0, blue: 0)
    for step in 0...20 {
      let thin = mixed(fill, 1 - Double(step) / 20)
      if Palette.contrast(TerminalColour(thin), black) >= 14 {
        return step == 0 || depth > .sixteen ? thin : nil
      }
    }
    return nil
  }

  /// The nearest of a few base colours that stand out from the ground; `nil` on screens of more
  /// colours. Grey is none of them: some terminals show it as black, others as nearly white.
  private func few(_ colour: Colour, least: Double) -> Colour? {
    guard depth <= .sixteen else { return nil }
    let base = (0..<(depth == .eight ? 8 : 16)).filter { $0 != 8 }.map { Palette.colour(at: $0) }
    let candidates = base.filter { Palette.contrast($0, ground.colour) >= least }
    return Palette.nearest(to: TerminalColour(colour), in: candidates).map { Colour($0) }
  }

  // MARK: Mixing

  /// A colour thinned with the ground: 1 is the colour itself.
  private func mixed(_ colour: Colour, _ part: Double) -> Colour { mix(colour, paper, part) }

  /// The colour, darkened or brightened in steps until its contrast is large enough.
  private func legible(_ colour: Colour, least: Double) -> Colour {
    let level: UInt8 = ground == .light ? 0 : 255
    let end = Colour(red: level, green: level, blue: level)
    for step in 0...20 {
      let shade = mix(colour, end, 1 - Double(step) / 20)
      guard Palette.contrast(TerminalColour(shade), ground.colour) >= least else { continue }
      if depth == .trueColour { return shade }
      let shown = Palette.colour(at: Palette.indexed(TerminalColour(shade)))
      if Palette.contrast(shown, ground.colour) >= least { return shade }
    }
    return strong
  }

  private func mix(_ one: Colour, _ other: Colour, _ part: Double) -> Colour {
    func channel(_ one: UInt8, _ other: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(one) * part + Double(other) * (1 - part)).rounded()))
    }
    return Colour(
      red: channel(one.red, other.red), green: channel(one.green, other.green),
      blue: channel(one.blue, other.blue))
  }
}

extension Colour {
  fileprivate init(_ colour: TerminalColour) {
    self.init(red: colour.red, green: colour.green, blue: colour.blue)
  }
}
