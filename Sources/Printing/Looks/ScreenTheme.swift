package import PortolanTerminals

/// The styles of the parts of the screen, for terminals with and without colours.
///
/// Without colours everything is said by bold and reverse; with them, colour only adds to the words
/// and signs. Text beside the map keeps the terminal's own colours, so that light and dark
/// terminals both stay readable.
package struct ScreenTheme: Hashable, Sendable {
  /// The class of the terminal's colours.
  private enum Richness: Hashable {
    case mono
    /// Eight or sixteen colours, whose shades each terminal chooses for itself.
    case base
    case rich
  }

  private let richness: Richness
  private let ground: Ground
  private let palette: ThemePalette

  package init(capabilities: ScreenCapabilities) {
    ground = capabilities.ground
    palette = capabilities.palette
    richness =
      switch capabilities.depth {
      case .mono: .mono
      case .eight, .sixteen: .base
      case .indexed, .trueColour: .rich
      }
  }

  /// The title and the status line.
  package var bar: CellStyle {
    look(
      Colours(0xD8DEE9, on: 0x2E3A4D),
      contrast: (Colours(0x000000, on: 0xFFFFFF), Colours(0xFFFFFF, on: 0x000000)),
      base: Colours(Base.white, on: Base.blue), mono: .reverse)
  }

  /// Their important parts: the mode, the file.
  package var barStrong: CellStyle {
    look(
      Colours(0xFFFFFF, on: 0x2E3A4D, .bold),
      contrast: (Colours(0x000000, on: 0xFFFFFF, .bold), Colours(0xFFFFFF, on: 0x000000, .bold)),
      base: Colours(Base.white, on: Base.blue, .bold), mono: [.reverse, .bold])
  }

  /// The colour of the word: what the keys are for.
  package enum Tint: Sendable {
    case looking, changing, choosing, reading
  }

  /// The word of a mode.
  package func mode(_ tint: Tint) -> CellStyle {
    let (paper, bright, safe, base): (UInt32, UInt32, UInt32, UInt32) =
      switch tint {
      case .changing: (0x9ECE6A, 0x87FF87, 0x009E73, Base.green)
      case .choosing: (0xE0AF68, 0xFFFF00, 0xE69F00, Base.yellow)
      case .reading: (0xBB9AF7, 0xFFAFFF, 0xCC79A7, Base.magenta)
      case .looking: (0x7AA2F7, 0x5FFFFF, 0x56B4E9, Base.cyan)
      }
    return look(
      Colours(0x101418, on: paper, .bold), contrast: Self.both(Colours(0, on: bright, .bold)),
      safe: Self.both(Colours(0, on: safe, .bold)), base: Colours(Base.black, on: base),
      mono: [.reverse, .bold])
  }

  package var text: CellStyle { .plain }
  package var strong: CellStyle { CellStyle(attributes: .bold) }
  /// Less important text: units, help texts.
  package var faint: CellStyle {
    look(
      Colours(0x808890), light: Colours(0x5C6670), contrast: Self.both(Colours(nil)),
      base: Colours(nil), mono: [])
  }
  /// The lines between parts.
  package var rule: CellStyle {
    look(
      Colours(0x5C6773), light: Colours(0x8A949E), contrast: Self.both(Colours(nil)),
      base: Colours(nil), mono: [])
  }
  /// The name of a panel.
  package var heading: CellStyle {
    look(
      Colours(0x4F9BD9, .bold), light: Colours(0x1F5F99, .bold),
      contrast: Self.both(Colours(nil, .bold)),
      safe: (Colours(0x56B4E9, .bold), Colours(0x005F95, .bold)), base: Colours(nil, .bold),
      mono: .bold)
  }
  /// The name of the focused panel.
  package var focusedHeading: CellStyle {
    look(
      Colours(0x101418, on: 0x7AA2F7, .bold), contrast: Self.both(Colours(0, on: 0xFFFF00, .bold)),
      safe: Self.both(Colours(0, on: 0x56B4E9, .bold)), base: Colours(Base.black, on: Base.cyan),
      mono: [.reverse, .bold])
  }
  /// A key that can be pressed.
  package var key: CellStyle { CellStyle(attributes: .bold) }
  /// The focused line of a list.
  package var chosen: CellStyle { CellStyle(attributes: .reverse) }
  package var warning: CellStyle {
    look(
      Colours(0xD7A021, .bold), light: Colours(0x8A5A00, .bold),
      contrast: (Colours(0xFFFF00, .bold), Colours(0x5F3F00, .bold)),
      safe: (Colours(0xE69F00, .bold), Colours(0x7F5700, .bold)),
      base: Colours(Base.black, on: Base.yellow), mono: .bold)
  }
  package var error: CellStyle {
    look(
      Colours(0xFFFFFF, on: 0xAF0000, .bold),
      contrast: Self.both(Colours(0xFFFFFF, on: 0x870000, .bold)),
      safe: Self.both(Colours(0, on: 0xD55E00, .bold)),
      base: Colours(Base.white, on: Base.red, .bold), mono: [.reverse, .bold])
  }
  /// Menus, help and forms above the map.
  package var popup: CellStyle {
    look(
      Colours(0xD8DEE9, on: 0x1C2430), light: Colours(0x20242A, on: 0xE4E9EE),
      contrast: (Colours(0xFFFFFF, on: 0x000000), Colours(0x000000, on: 0xFFFFFF)),
      base: Colours(Base.white, on: Base.black), baseLight: Colours(Base.black, on: Base.white),
      mono: [])
  }
  package var popupKey: CellStyle {
    look(
      Colours(0x9ECE6A, on: 0x1C2430, .bold), light: Colours(0x2F6B12, on: 0xE4E9EE, .bold),
      contrast: (Colours(0x87FF87, on: 0x000000, .bold), Colours(0x005F00, on: 0xFFFFFF, .bold)),
      safe: (Colours(0xF0E442, on: 0x1C2430, .bold), Colours(0x005F87, on: 0xE4E9EE, .bold)),
      base: Colours(Base.green, on: Base.black, .bold),
      baseLight: Colours(Base.blue, on: Base.white),
      mono: .bold)
  }
  package var popupHeading: CellStyle {
    look(
      Colours(0x7AA2F7, on: 0x1C2430, .bold), light: Colours(0x1F4F99, on: 0xE4E9EE, .bold),
      contrast: (Colours(0x5FFFFF, on: 0x000000, .bold), Colours(0x00005F, on: 0xFFFFFF, .bold)),
      safe: (Colours(0x56B4E9, on: 0x1C2430, .bold), Colours(0x004F7C, on: 0xE4E9EE, .bold)),
      base: Colours(Base.cyan, on: Base.black, .bold),
      baseLight: Colours(Base.black, on: Base.white),
      mono: .bold)
  }
  package var popupFaint: CellStyle {
    look(
      Colours(0x8A94A0, on: 0x1C2430), light: Colours(0x55606A, on: 0xE4E9EE),
      contrast: (Colours(0xFFFFFF, on: 0x000000), Colours(0x000000, on: 0xFFFFFF)),
      base: Colours(Base.white, on: Base.black), baseLight: Colours(Base.black, on: Base.white),
      mono: [])
  }
  /// The cell under the cursor.
  package var cursor: CellStyle {
    look(
      Colours(0x101418, on: 0xFFD75F, .bold), contrast: Self.both(Colours(0, on: 0xFFFF00, .bold)),
      safe: Self.both(Colours(0, on: 0xF0E442, .bold)), base: Colours(Base.black, on: Base.yellow),
      mono: .bold)
  }
  /// The rectangle of the view in the overview, and of a selection box.
  package var frame: CellStyle {
    look(
      Colours(0xFFAF5F, .bold), light: Colours(0xA04A00, .bold),
      contrast: (Colours(0xFFFF00, .bold), Colours(0x00005F, .bold)),
      safe: (Colours(0xE69F00, .bold), Colours(0x7F5700, .bold)), base: Colours(nil, .bold),
      mono: .bold)
  }

  /// Ink, paper and attributes; no paper is the terminal's own, and no ink too.
  private struct Colours {
    var style: CellStyle

    init(_ ink: UInt32?, on paper: UInt32? = nil, _ attributes: CellAttributes = []) {
      style = CellStyle(
        foreground: ink.map(Self.colour) ?? .standard,
        background: paper.map(Self.colour) ?? .standard, attributes: attributes)
    }

    private static func colour(_ value: UInt32) -> TerminalColour {
      TerminalColour(
        red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
        blue: UInt8(truncatingIfNeeded: value))
    }
  }

  /// The first eight base colours as xterm shows them, so that each is reduced to itself.
  private enum Base {
    static let black: UInt32 = 0x000000
    static let red: UInt32 = 0xCD0000
    static let green: UInt32 = 0x00CD00
    static let yellow: UInt32 = 0xCDCD00
    static let blue: UInt32 = 0x0000EE
    static let magenta: UInt32 = 0xCD00CD
    static let cyan: UInt32 = 0x00CDCD
    static let white: UInt32 = 0xE5E5E5
  }

  /// Colours with a paper of their own are the same on both grounds.
  private static func both(_ colours: Colours) -> (dark: Colours, light: Colours) {
    (colours, colours)
  }

  /// - Parameters:
  ///   - light: on a light ground; `nil` for colours with a paper of their own.
  ///   - contrast: of high contrast, on dark and on light ground.
  ///   - safe: for colour-blind eyes; `nil` where the standard ones are.
  ///   - baseLight: of sixteen colours or fewer on a light ground; `nil` for those of a dark one.
  private func look(
    _ rich: Colours, light: Colours? = nil, contrast: (dark: Colours, light: Colours),
    safe: (dark: Colours, light: Colours)? = nil, base: Colours, baseLight: Colours? = nil,
    mono: CellAttributes
  ) -> CellStyle {
    switch (richness, palette) {
    case (.mono, _): return CellStyle(attributes: mono)
    case (.base, _): return (ground == .light ? baseLight ?? base : base).style
    case (.rich, .contrast): return (ground == .light ? contrast.light : contrast.dark).style
    case (.rich, .safe):
      return (ground == .light ? safe?.light ?? light : safe?.dark)?.style ?? rich.style
    case (.rich, .standard), (.rich, .mono):
      return (ground == .light ? light ?? rich : rich).style
    }
  }
}
