package import PortolanGraphics
package import PortolanTerminals

extension MarkStyle.Pattern {
  /// The pattern where cells show letters, on maps and in their legends.
  package var letter: Unicode.Scalar {
    switch self {
    case .none: " "
    case .sparse: "."
    case .medium: ":"
    case .dense: "%"
    case .hatched: "/"
    case .heavy: "&"
    case .full: "#"
    }
  }
}

/// The looks of marks on screens of few colours.
extension MarkStyle {
  /// Whether areas are patterns of dots: without colours; and with at most sixteen where they stand
  /// for values, of which two would often have one colour, or where their fill is a dark tint,
  /// black on such a screen.
  package func isPattern(_ depth: ColourDepth) -> Bool {
    guard depth > .mono else { return true }
    guard depth <= .sixteen, let fill else { return false }
    return showsValue || fill == stroke?.dimmed || Palette.sixteen(TerminalColour(fill)) == 0
  }

  /// The colour of dots: that of lines, or of the values where those are patterns.
  package func ink(_ depth: ColourDepth) -> Colour? {
    showsValue && isPattern(depth) ? fill ?? stroke : stroke ?? fill
  }

  /// The mark as a screen shows it: with few colours, signs tell classes apart.
  package func shown(_ depth: ColourDepth) -> MarkStyle { depth <= .sixteen ? plain : self }
}
