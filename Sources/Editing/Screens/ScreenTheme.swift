package import Terminals

/// How the parts of the screen look, for terminals with and without colours.
///
/// Without colours everything is said by bold and reverse; with them, colour only adds to the
/// words and signs that are there anyway. Text beside the map keeps the terminal's own colours,
/// so that light and dark terminals both stay readable.
package struct ScreenTheme: Hashable, Sendable {
  private let isMono: Bool

  package init(capabilities: ScreenCapabilities) { isMono = capabilities.depth == .mono }

  /// The title and the status line.
  package var bar: CellStyle {
    coloured(ink: 0xD8DEE9, paper: 0x2E3A4D, mono: .reverse)
  }

  /// What matters in them: the mode, the file.
  package var barStrong: CellStyle {
    coloured(ink: 0xFFFFFF, paper: 0x2E3A4D, [.bold], mono: [.reverse, .bold])
  }

  /// The mode's word.
  package func mode(_ mode: Mode) -> CellStyle {
    let paper: UInt32 =
      switch mode {
      case .insert, .form: 0x9ECE6A
      case .select, .move, .question: 0xE0AF68
      case .prompt, .help: 0xBB9AF7
      case .normal, .layers: 0x7AA2F7
      }
    return coloured(ink: 0x101418, paper: paper, [.bold], mono: [.reverse, .bold])
  }

  package var text: CellStyle { .plain }
  package var strong: CellStyle { CellStyle(attributes: .bold) }
  /// What may be passed over: units, help texts.
  package var faint: CellStyle { coloured(ink: 0x808890, mono: []) }
  /// The lines between parts.
  package var rule: CellStyle { coloured(ink: 0x5C6773, mono: []) }
  /// The name of a panel.
  package var heading: CellStyle { coloured(ink: 0x4F9BD9, [.bold], mono: .bold) }
  /// The name of the panel that has the keys.
  package var focusedHeading: CellStyle {
    coloured(ink: 0x101418, paper: 0x7AA2F7, [.bold], mono: [.reverse, .bold])
  }
  /// A key that can be pressed.
  package var key: CellStyle { CellStyle(attributes: .bold) }
  /// The line of a list that the keys act on.
  package var chosen: CellStyle { CellStyle(attributes: .reverse) }
  package var warning: CellStyle { coloured(ink: 0xD7A021, [.bold], mono: .bold) }
  package var error: CellStyle {
    coloured(ink: 0xFFFFFF, paper: 0xB02A37, [.bold], mono: [.reverse, .bold])
  }
  /// Menus, help and forms above the map.
  package var popup: CellStyle { coloured(ink: 0xD8DEE9, paper: 0x1C2430, mono: []) }
  package var popupKey: CellStyle {
    coloured(ink: 0x9ECE6A, paper: 0x1C2430, [.bold], mono: .bold)
  }
  package var popupHeading: CellStyle {
    coloured(ink: 0x7AA2F7, paper: 0x1C2430, [.bold], mono: .bold)
  }
  package var popupFaint: CellStyle { coloured(ink: 0x8A94A0, paper: 0x1C2430, mono: []) }
  /// The cell of the map that the keys point at.
  package var cursor: CellStyle {
    coloured(ink: 0x101418, paper: 0xFFD75F, [.bold], mono: .bold)
  }
  /// The rectangle of the view in the overview, and of a selection box.
  package var frame: CellStyle { coloured(ink: 0xFFAF5F, [.bold], mono: .bold) }

  private func coloured(
    ink: UInt32, paper: UInt32? = nil, _ attributes: CellAttributes = [], mono: CellAttributes
  ) -> CellStyle {
    if isMono { return CellStyle(attributes: mono) }
    return CellStyle(
      foreground: Self.colour(ink), background: paper.map(Self.colour) ?? .standard,
      attributes: attributes)
  }

  private static func colour(_ value: UInt32) -> TerminalColour {
    TerminalColour(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }
}
