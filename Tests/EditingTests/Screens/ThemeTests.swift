import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Whether everything can be read in each theme, on each ground and with any number of colours.
@Suite struct ThemeTests {
  /// A theme on a ground, with some colours.
  struct Setting: CustomTestStringConvertible, Sendable {
    var palette: ThemePalette
    var ground: Ground
    var depth: ColourDepth

    var capabilities: ScreenCapabilities {
      ScreenCapabilities(depth: depth, isUnicode: true, ground: ground, palette: palette)
    }
    var testDescription: String { "\(palette) \(ground) \(depth)" }
  }

  /// Light ground with the standard palette has a test of its own.
  static let settings = ThemePalette.allCases.flatMap { palette in
    Ground.allCases.flatMap { ground in
      [ColourDepth.mono, .eight, .sixteen, .indexed, .trueColour].compactMap { depth in
        if palette == .standard, ground == .light { return nil as Setting? }
        if palette == .mono || depth == .mono, depth != .indexed { return nil }
        return Setting(palette: palette, ground: ground, depth: depth)
      }
    }
  }

  private static func colour(_ value: UInt32) -> TerminalColour {
    TerminalColour(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }

  /// The colours of a cell as a terminal with xterm's palette shows them.
  private static func shown(
    _ style: CellStyle, _ setting: Setting
  ) -> (ink: TerminalColour, paper: TerminalColour) {
    let isLight = setting.ground == .light
    let own = (ink: colour(isLight ? 0x1C1C1C : 0xD0D0D0), paper: setting.ground.colour)
    func shown(_ colour: TerminalColour, else own: TerminalColour) -> TerminalColour {
      if colour.isStandard { return own }
      return switch setting.depth {
      case .mono: own
      case .eight: Palette.colour(at: Palette.eight(colour))
      case .sixteen: Palette.colour(at: Palette.sixteen(colour))
      case .indexed: Palette.colour(at: Palette.indexed(colour))
      case .trueColour: colour
      }
    }
    let ink = shown(style.foreground, else: own.ink)
    let paper = shown(style.background, else: own.paper)
    return style.attributes.contains(.reverse) ? (paper, ink) : (ink, paper)
  }

  /// The least contrast of the texts beside a map, and of the signs and texts on it.
  private static func least(_ setting: Setting) -> (text: Double, map: Double) {
    if setting.depth <= .sixteen { return (4.4, 2.9) }
    return setting.palette == .contrast ? (6.9, 4.5) : (4.4, 2.9)
  }

  @Test(arguments: settings)
  func `Every text beside the map has 4,5 to 1, or 7, every sign on it 3`(setting: Setting) throws {
    let size = CellSize(columns: 80, rows: 24)
    for screen in ReadabilityTests.screens {
      var editor = Editor(size: size)
      editor.desk.session.capabilities = setting.capabilities
      try editor.press(screen.keys)
      var memory = RenderMemory()
      let frame = editor.desk.frame(size: size, memory: &memory)
      let map = editor.desk.mapArea
      let least = Self.least(setting)
      var contrasts: [CellStyle: Double] = [:]
      var faults: Set<String> = []
      for row in 0..<size.rows {
        for column in 0..<size.columns {
          let cell = frame[column, row]
          if cell.glyph == .space || cell.glyph.isContinuation { continue }
          let text = frame.text(of: cell.glyph)
          // Lines between the parts of the screen are no text.
          if text.unicodeScalars.allSatisfy({ (0x2500...0x257F).contains($0.value) }) { continue }
          let wanted = map.contains(column: column, row: row) ? least.map : least.text
          let contrast =
            contrasts[cell.style]
            ?? {
              let (ink, paper) = Self.shown(cell.style, setting)
              return Palette.contrast(ink, paper)
            }()
          contrasts[cell.style] = contrast
          if contrast < wanted { faults.insert("\(text) \(cell.style)") }
        }
      }
      #expect(faults.isEmpty, "\(screen.name): \(faults.sorted().prefix(4))")
    }
  }

  @Test(arguments: settings)
  func `The selection has a colour that no new layer has`(setting: Setting) {
    guard setting.palette != .mono else { return }
    let ink = GroundInk(setting.ground, palette: setting.palette, depth: setting.depth)
    let selection = ink.cells(WorkStyle.selection(of: MarkStyle()))
    for dimension in 0...2 {
      for index in 0..<6 {
        let style = Style.standard(forDimension: dimension, index: index)
        #expect(style.mark.symbol != selection.symbol)
        // Few colours are too few for one more: the sign tells it.
        if setting.depth <= .sixteen { continue }
        #expect(ink.cells(style.mark).stroke != selection.stroke, "\(dimension) \(index)")
      }
    }
  }

  @Test func `New layers have Okabe and Ito's colours in the safe theme, each its own`() {
    let own: Set<Colour> = [
      OkabeIto.orange, OkabeIto.sky, OkabeIto.green, OkabeIto.yellow, OkabeIto.blue,
      OkabeIto.vermilion, OkabeIto.purple,
    ]
    for dimension in 0...2 {
      let shown = (0..<6).compactMap { index in
        let style = Style.standard(forDimension: dimension, index: index)
        return style.mark.stroke.map { OkabeIto.counterpart(of: $0) }
      }
      // Blue lines are water.
      let count = dimension == 1 ? 5 : 6
      #expect(own.isSuperset(of: shown) && Set(shown).count == count, "\(dimension)")
    }
    let chosen = Colour(red: 1, green: 2, blue: 3)
    #expect(OkabeIto.counterpart(of: chosen) == chosen)
    let mark = Style.standard(forDimension: 2, index: 2).mark
    let ink = GroundInk(.dark, palette: .safe)
    #expect(ink.cells(mark).stroke == OkabeIto.sky && ink.cells(mark).fill == OkabeIto.sky.dimmed)
  }

  @Test func `The theme without colours has none on any terminal`() throws {
    for depth in [ColourDepth.sixteen, .indexed, .trueColour] {
      var editor = Editor()
      editor.desk.session.capabilities = ScreenCapabilities(
        depth: depth, isUnicode: true, palette: .mono)
      try editor.press("w<ret>v9l4j")
      var memory = RenderMemory()
      let size = editor.desk.screenSize
      let frame = editor.desk.frame(size: size, memory: &memory)
      let isPlain = frame.cells.allSatisfy {
        $0.style.foreground.isStandard && $0.style.background.isStandard
      }
      #expect(isPlain, "\(depth)")
    }
  }

  @Test func `Every theme has a name of its own, which chooses it`() throws {
    #expect(Set(Theme.all.map(\.name)).count == Theme.all.count)
    #expect(
      Theme.all.map(\.name) == [
        "dark", "light", "contrast", "safe", "mono", "dark-contrast", "light-contrast",
        "dark-safe", "light-safe",
      ])
    for theme in Theme.all {
      #expect(Theme(theme.name) == theme)
      var editor = Editor()
      try editor.run("theme \(theme.name)")
      #expect(editor.desk.session.capabilities.palette == theme.palette)
      #expect(editor.desk.session.capabilities.ground == theme.ground ?? .dark)
    }
    #expect(Theme("standard") == nil && Theme("") == nil)
    var editor = Editor()
    try editor.press(":theme lig<tab>")
    #expect(editor.desk.prompt?.line.text.hasPrefix("theme light") == true)
  }

  @Test func `A theme without a ground of its own has the terminal's`() throws {
    for ground in Ground.allCases {
      var editor = Editor()
      editor.desk.session.capabilities.ground = ground
      try editor.run("theme \(ground == .dark ? "light" : "dark")")
      #expect(editor.desk.session.capabilities.ground != ground)
      try editor.run("theme safe")
      #expect(editor.desk.session.capabilities.ground == ground)
    }
  }

  @Test func `Edges of areas are as fine as the terminal tells, or as was chosen`() throws {
    var told = ScreenCapabilities(depth: .trueColour, isUnicode: true)
    var editor = Editor()
    #expect(editor.desk.session.capabilities.edgeBlocks == .quadrant)
    told.drawsSextants = true
    _ = editor.desk.handle(.terminal(.learned(told)))
    #expect(editor.desk.session.capabilities.edgeBlocks == .sextant)
    for choice in BlockChoice.allCases {
      try editor.run("blocks \(choice.rawValue)")
      _ = editor.desk.handle(.terminal(.learned(told)))
      let blocks = choice == .auto ? .sextant : EdgeBlocks(rawValue: choice.rawValue)
      #expect(editor.desk.session.capabilities.edgeBlocks == blocks)
    }
    told.isUnicode = false
    #expect(told.edgeBlocks == .none)
    #expect(throws: (any Error).self) { try editor.run("blocks octant") }
    try editor.run("blocks")
    #expect(!editor.desk.isEdited)
  }

  @Test func `What the terminal tells later changes no theme that was chosen`() throws {
    let told = ScreenCapabilities(depth: .trueColour, isUnicode: true, ground: .light)
    var editor = Editor()
    let effects = editor.desk.handle(.terminal(.learned(told)))
    #expect(effects.contains { if case .redraw = $0 { true } else { false } })
    #expect(editor.desk.session.capabilities == told)
    #expect(editor.desk.handle(.terminal(.learned(told))).isEmpty)
    try editor.run("theme contrast")
    _ = editor.desk.handle(.terminal(.learned(told)))
    #expect(editor.desk.session.capabilities.palette == .contrast)
    #expect(editor.desk.session.capabilities.ground == .light)
    try editor.run("theme")
    #expect(editor.desk.session.capabilities.palette == .contrast)
    #expect(editor.desk.session.capabilities.ground == .dark)
    _ = editor.desk.handle(.terminal(.learned(told)))
    #expect(editor.desk.session.capabilities.ground == .dark)
    #expect(!editor.desk.isEdited)
  }
}
