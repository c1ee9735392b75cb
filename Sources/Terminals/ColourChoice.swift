/// The user's choice of colours: the values of `--color`.
package enum ColourChoice: String, Hashable, Sendable, CaseIterable {
  case auto, never, always
  case sixteen = "16"
  case indexed = "256"
  case trueColour = "24bit"
}

extension ColourDepth {
  /// The colours to use, by the first of these that decides: `--color`, `NO_COLOR`,
  /// `CLICOLOR_FORCE`, `TERM=dumb`, the terminal's own count.
  ///
  /// - Parameters:
  ///   - environment: returns a variable's value, `nil` if it is not set.
  ///   - terminalColours: the number of colours in terminfo; `nil` if the output is no terminal.
  package init(
    choice: ColourChoice, terminalColours: Int?, environment: (String) -> String?
  ) {
    let own = terminalColours.map { ColourDepth(count: $0) }
    switch choice {
    case .never: self = .mono
    case .sixteen: self = .sixteen
    case .indexed: self = .indexed
    case .trueColour: self = .trueColour
    case .always: self = ColourDepth.forced(own)
    case .auto:
      if let value = environment("NO_COLOR"), !value.isEmpty {
        self = .mono
      } else if let value = environment("CLICOLOR_FORCE"), !value.isEmpty, value != "0" {
        self = ColourDepth.forced(own)
      } else if environment("TERM") == "dumb" {
        self = .mono
      } else {
        self = own ?? .mono
      }
    }
  }

  /// The depth for a number of colours.
  package init(count: Int) {
    switch count {
    case ..<8: self = .mono
    case ..<16: self = .eight
    case ..<256: self = .sixteen
    case ..<0x100_0000: self = .indexed
    default: self = .trueColour
    }
  }

  private static func forced(_ own: ColourDepth?) -> ColourDepth {
    guard let own, own > .mono else { return .indexed }
    return own
  }
}
