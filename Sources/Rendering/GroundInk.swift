package import PortolanGraphics
package import PortolanTerminals

/// The colours of marks on a ground: those of their styles, changed no further than they must be to
/// stand out from it.
package struct GroundInk: Sendable {
  /// The colour of the selection and of work in progress; no new layer has it.
  package static let work = Colour(red: 0xFF, green: 0xAF, blue: 0x5F)

  /// The least contrast of two areas without a line between them.
  private static let areaContrast = 1.5

  package let ground: Ground
  private let palette: ThemePalette
  /// The depth of the screen; on paper all colours.
  private let depth: ColourDepth

  package init(
    _ ground: Ground, palette: ThemePalette = .standard, depth: ColourDepth = .trueColour
  ) {
    self.ground = ground
    self.palette = palette
    self.depth = depth
  }

  /// The ground itself.
  package var paper: Colour { Colour(ground.colour) }

  /// Lines and signs: at least 3 to 1 against the ground (WCAG 2.2, 1.4.11); colours that stand for
  /// values only as much as two areas without a line between them, so that they are recognised.
  package func line(_ colour: Colour, showsValue: Bool = false) -> Colour {
    legible(colour, least: showsValue ? Self.areaContrast : 3)
  }

  /// Dots of points without a sign: paler than the signs of the same layer.
  package func dot(_ style: MarkStyle) -> Colour? {
    (style.stroke ?? style.fill).map { style.isPale ? mixed(line($0), Self.paleness) : line($0) }
  }

  /// The part of the colour in that of pale dots.
  private static let paleness = 0.5

  /// The fill and the outline of a sign on a page. A colour that stands for a value stays as it is;
  /// where it has less than 3 to 1 against the paper, its outline is a darker one that has.
  package func sign(_ style: MarkStyle) -> (fill: Colour, outline: Colour) {
    guard let colour = style.stroke ?? style.fill else { return (strong, paper) }
    guard style.showsValue else { return (line(colour), paper) }
    let stands = Palette.contrast(TerminalColour(colour), ground.colour) >= 3
    return (colour, stands ? paper : line(colour.outline))
  }

  /// Texts: at least 7 to 1 (WCAG 2.2, 1.4.6), for they are small and stand upon areas.
  package func text(_ colour: Colour?) -> Colour { legible(colour ?? strong, least: 7) }

  /// A text upon a colour: its own where that has 4.5 to 1 (WCAG 2.2, 1.4.3), else black or white.
  package func text(_ colour: Colour?, on area: Colour) -> Colour {
    let own = text(colour)
    let contrast = Palette.contrast(TerminalColour(own), TerminalColour(area))
    return contrast >= 4.5 ? own : strongest(on: area)
  }

  /// Titles and names.
  package var strong: Colour {
    ground == .light
      ? Colour(red: 0x20, green: 0x24, blue: 0x2A) : Colour(red: 0xE6, green: 0xEA, blue: 0xEE)
  }

  /// Black or white: the one with the greater contrast against an area, at least 4.58 to 1.
  package func strongest(on area: Colour) -> Colour {
    [UInt8.min, .max].map { Colour(red: $0, green: $0, blue: $0) }.max {
      Palette.contrast(TerminalColour($0), TerminalColour(area))
        < Palette.contrast(TerminalColour($1), TerminalColour(area))
    } ?? strong
  }

  /// Credits and the numbers of the graticule.
  package var faint: Colour {
    ground == .light
      ? Colour(red: 0x60, green: 0x68, blue: 0x70) : Colour(red: 0x9A, green: 0xA4, blue: 0xAE)
  }

  /// The sea, where it is known.
  package var sea: Colour {
    ground == .light
      ? Colour(red: 0xDD, green: 0xEA, blue: 0xF5) : Colour(red: 0x10, green: 0x1A, blue: 0x26)
  }

  /// The colour of an area; the standard fill, made for dark screens, is a tint of the outline's
  /// colour on light ground.
  package func area(_ style: MarkStyle) -> Colour? {
    guard let fill = style.fill else { return nil }
    if ground == .light, !style.showsValue, let stroke = style.stroke, fill == stroke.dimmed {
      return mixed(stroke, 0.28)
    }
    return fill
  }

  // MARK: Cells

  /// A style for cells: dark terminals show the colours of styles as they are, but for those of
  /// values that would not be seen. On a light one lines have 4.5 to 1 against the ground, so that
  /// at least 3 to 1 are left against areas; with high contrast 7 to 1. Areas keep the colours of
  /// values. Screens of few colours show the one of the nearest hue.
  package func cells(_ style: MarkStyle) -> MarkStyle {
    guard depth > .mono else { return style }
    var style = themed(style)
    if depth <= .sixteen { return inBaseColours(style) }
    if style.isPale {
      style.stroke = style.stroke.map { mixed($0, Self.paleness) }
      style.indexedColour = style.indexedColour.map { mixed($0, Self.paleness) }
      return style
    }
    if depth == .indexed, let colour = style.indexedColour {
      if style.fill == nil { style.stroke = colour } else { style.fill = colour }
    }
    if style.showsValue, style.fill != nil { return style }
    guard ground == .light || palette == .contrast else {
      if style.showsValue { style.stroke = style.stroke.map { line($0) } }
      return style
    }
    style.fill = area(style).flatMap(background)
    style.stroke = style.stroke.map { legible($0, least: palette == .contrast ? 7 : 4.5) }
    return style
  }

  /// The style of a label in cells.
  ///
  /// - Parameter isBright: whether it stands out from the others.
  func label(_ style: MarkStyle, isBright: Bool = false) -> MarkStyle {
    var label = label(plain: style)
    guard isBright, depth > .sixteen, let colour = label.stroke ?? label.fill else { return label }
    func contrast(_ colour: Colour) -> Double {
      Palette.contrast(TerminalColour(colour), ground.colour)
    }
    let bright = colour.mixed(with: strong, 0.5)
    if contrast(bright) > contrast(colour) { label.stroke = bright }
    return label
  }

  private func label(plain style: MarkStyle) -> MarkStyle {
    guard depth > .mono else { return style }
    var style = themed(style)
    if palette == .contrast {
      style.stroke = strongest
      // Of classes the fill would be the ink.
      if depth <= .sixteen { style.fill = nil }
      return style
    }
    if depth <= .sixteen {
      // A name has the colour of its mark, or no hue.
      let colour = style.ink(depth).map { baseColour(near: $0) }
      let isText =
        colour.map { Palette.contrast(TerminalColour($0), ground.colour) >= 4.5 } ?? true
      style.stroke = isText ? colour : strongest
      // Of classes the fill would be the ink.
      style.fill = nil
      return style
    }
    guard ground == .light || style.showsValue else { return style }
    style.stroke = (style.stroke ?? style.fill).map { text($0) }
    return style
  }

  /// The style in the colours of the theme: those of new layers, and of the selection and work in
  /// progress.
  private func themed(_ style: MarkStyle) -> MarkStyle {
    guard palette == .safe || palette == .contrast, !style.showsValue else { return style }
    var style = style
    if style.stroke == Self.work {
      style.stroke = strongest
      // Dark enough for the lines of all layers.
      if ground == .dark, style.fill != nil {
        style.fill = Colour(red: 0x26, green: 0x26, blue: 0x26)
      }
      return style
    }
    guard palette == .safe else { return style }
    let hasStandardFill = style.fill != nil && style.fill == style.stroke?.dimmed
    style.stroke = style.stroke.map { OkabeIto.counterpart(of: $0) }
    style.fill =
      hasStandardFill ? style.stroke?.dimmed : style.fill.map { OkabeIto.counterpart(of: $0) }
    return style
  }

  /// Black on a light ground, white on a dark one.
  private var strongest: Colour {
    let level: UInt8 = ground == .light ? 0 : 255
    return Colour(red: level, green: level, blue: level)
  }

  /// The colour of a text upon some areas: its own where all give it 4.5 to 1 (WCAG 2.2, 1.4.3),
  /// else black or white where all give it to one of them; `nil` where the text needs a ground of
  /// its own, the paper, upon which its own colour stands out.
  func text(_ colour: TerminalColour, over areas: [TerminalColour]) -> TerminalColour? {
    let grounds = Set(areas).map { $0.isStandard ? ground.colour : shown($0) }
    let inks =
      (colour.isStandard ? [] : [colour])
      + [UInt8.min, .max].map { TerminalColour(red: $0, green: $0, blue: $0) }
    func contrast(_ ink: TerminalColour, _ area: TerminalColour) -> Double {
      Palette.contrast(shown(ink), area)
    }
    return inks.first { ink in grounds.allSatisfy { contrast(ink, $0) >= 4.5 } }
  }

  /// The colour of a sign upon an area: its own where the area gives it 3 to 1 (WCAG 2.2, 1.4.11),
  /// else black or white; a colour that stands for a value is changed no further than it must be.
  func sign(_ colour: TerminalColour, showsValue: Bool, over area: TerminalColour) -> TerminalColour
  {
    guard depth > .mono, !area.isStandard else { return colour }
    let ground = shown(area)
    func contrast(_ ink: TerminalColour) -> Double { Palette.contrast(shown(ink), ground) }
    if !colour.isStandard, contrast(colour) >= 3 { return colour }
    let ends = [UInt8.min, .max].map { TerminalColour(red: $0, green: $0, blue: $0) }
    let end = contrast(ends[0]) > contrast(ends[1]) ? ends[0] : ends[1]
    guard showsValue, !colour.isStandard else { return end }
    let shades = (1..<20).lazy.map { step in
      TerminalColour(Colour(end).mixed(with: Colour(colour), Double(step) / 20))
    }
    return shades.first { contrast($0) >= 3 } ?? end
  }

  /// Whether two areas are told apart by their colours alone; the terminal's own is the ground.
  func tellsApart(_ one: TerminalColour, _ other: TerminalColour) -> Bool {
    let colours = [one, other].map { $0.isStandard ? ground.colour : shown($0) }
    return Palette.contrast(colours[0], colours[1]) >= Self.areaContrast
  }

  /// The colour that the screen shows.
  private func shown(_ colour: TerminalColour) -> TerminalColour {
    switch depth {
    case .mono: colour
    case .eight: Palette.colour(at: Palette.eight(colour))
    case .sixteen: Palette.colour(at: Palette.sixteen(colour))
    case .indexed: Palette.colour(at: Palette.indexed(colour))
    case .trueColour: colour
    }
  }

  /// A fill for texts: thinned until black, on dark ground white, has 14 to 1 against it.
  private func background(_ fill: Colour) -> Colour? {
    let ink = TerminalColour(strongest)
    return (0...20).lazy.map { mixed(fill, 1 - Double($0) / 20) }
      .first { Palette.contrast(TerminalColour($0), ink) >= 14 }
  }

  // MARK: Few colours

  /// A style in base colours: those of values, and tints, which such screens do not have, are
  /// patterns of dots.
  private func inBaseColours(_ style: MarkStyle) -> MarkStyle {
    var shown = style
    shown.stroke = style.ink(depth).map { baseColour(near: $0) }
    if style.isPattern(depth) {
      shown.fill = nil
    } else if ground == .light || palette == .contrast {
      shown.fill = style.fill.flatMap { whole(background: $0) }
    }
    return shown
  }

  /// A fill upon which texts of the ground's ink can be read; else none.
  private func whole(background fill: Colour) -> Colour? {
    Palette.contrast(TerminalColour(fill), TerminalColour(strongest)) >= 14 ? fill : nil
  }

  /// The base colour of the nearest hue that stands out from the ground: 4.5 to 1 with sixteen
  /// colours or high contrast. With eight, and on light ground, so few colours have that much that
  /// 3 to 1 are enough.
  private func baseColour(near colour: Colour) -> Colour {
    let isStrict = palette == .contrast || depth == .sixteen && ground == .dark
    let base = Palette.base(
      nearHueOf: TerminalColour(colour), count: depth == .eight ? 8 : 16, on: ground.colour,
      least: isStrict ? 4.5 : 3)
    return base.map { Colour($0) } ?? strongest
  }

  // MARK: Mixing

  /// A colour thinned with the ground: 1 is the colour itself.
  private func mixed(_ colour: Colour, _ part: Double) -> Colour { colour.mixed(with: paper, part) }

  /// The colour, darkened or brightened in steps until its contrast is large enough.
  private func legible(_ colour: Colour, least: Double) -> Colour {
    let level: UInt8 = ground == .light ? 0 : 255
    let end = Colour(red: level, green: level, blue: level)
    for step in 0...20 {
      let shade = colour.mixed(with: end, 1 - Double(step) / 20)
      guard Palette.contrast(TerminalColour(shade), ground.colour) >= least else { continue }
      if depth == .trueColour { return shade }
      let shown = Palette.colour(at: Palette.indexed(TerminalColour(shade)))
      if Palette.contrast(shown, ground.colour) >= least { return shade }
    }
    return strong
  }
}

extension Colour {
  fileprivate init(_ colour: TerminalColour) {
    self.init(red: colour.red, green: colour.green, blue: colour.blue)
  }
}
