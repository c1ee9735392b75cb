/// A colour of a cell: the terminal's own, or 24 bits that a screen reduces to its own colours.
package struct TerminalColour: Hashable, Sendable {
  /// 0xFFFF_FFFF is the terminal's own colour; else 0x00RRGGBB.
  package let rawValue: UInt32

  private init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    rawValue = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  /// The terminal's own foreground or background.
  package static let standard = TerminalColour(rawValue: .max)

  package var isStandard: Bool { rawValue == .max }
  package var red: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }
  package var green: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
  package var blue: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

/// Text attributes of a terminal.
package struct CellAttributes: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = CellAttributes(rawValue: 1)
  package static let dim = CellAttributes(rawValue: 2)
  package static let underline = CellAttributes(rawValue: 4)
  package static let reverse = CellAttributes(rawValue: 8)
  package static let italic = CellAttributes(rawValue: 16)
  /// The ink is the colour of an area: it is never made more readable.
  package static let solid = CellAttributes(rawValue: 32)
}

/// The style of a cell.
package struct CellStyle: Hashable, Sendable {
  package var foreground: TerminalColour
  package var background: TerminalColour
  package var attributes: CellAttributes

  package init(
    foreground: TerminalColour = .standard, background: TerminalColour = .standard,
    attributes: CellAttributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own colours, no attributes.
  package static let plain = CellStyle()
}
