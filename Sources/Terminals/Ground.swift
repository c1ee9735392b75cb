/// The ground that a map and its texts stand on: the background of a terminal, or paper.
package enum Ground: String, Hashable, Sendable, CaseIterable {
  case dark, light

  /// The colour that contrasts are computed against.
  package var colour: TerminalColour {
    switch self {
    case .dark: TerminalColour(red: 0x10, green: 0x14, blue: 0x1A)
    case .light: TerminalColour(red: 0xFF, green: 0xFF, blue: 0xFF)
    }
  }

  /// The ground of a terminal that tells it in `COLORFGBG`, as `ink;paper` or `ink;default;paper`
  /// with numbers of the sixteen colours (rxvt, Konsole, and others); dark without it.
  package init(environment: (String) -> String?) {
    guard let last = environment("COLORFGBG")?.split(separator: ";").last, let paper = Int(last)
    else {
      self = .dark
      return
    }
    // White, and the bright colours but grey.
    self = paper == 7 || (9...15).contains(paper) ? .light : .dark
  }
}
