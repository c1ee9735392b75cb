import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Whether every text on every screen can be read, on terminals of few colours too.
@Suite struct ReadabilityTests {
  /// The first eight colours of terminals that differ much: xterm's, and the Linux console's.
  private static let palettes: [[UInt32]] = [
    [0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5],
    [0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA],
  ]

  private static func colour(_ value: UInt32) -> TerminalColour {
    TerminalColour(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }

  /// Screens in every mode, each with what is typed before.
  static let screens: [(name: String, keys: String)] = [
    ("normal", ""), ("selected", "w<ret>"),
    ("insert", "]l:draw polygon<ret><space>5l<space>3k<space>4h"), ("select", "v9l4j"),
    ("move", "w<ret>m6l2k"), ("layers", "<tab>j<space>"), ("prompt", ":se<tab>"),
    ("form", "w<ret>e<ret>"), ("form list", "w<ret>e"), ("help", "?/zoom<ret>"),
    ("commands", ":help commands<ret>"), ("menu", "<space>"), ("popup", "<space>l"),
    ("error", ":frobnicate<ret>"), ("overview", "zozoziziw<ret>"),
  ]

  private static func frame(_ keys: String, _ depth: ColourDepth, size: CellSize) throws -> Frame {
    var editor = Editor(size: size)
    editor.desk.session.capabilities = ScreenCapabilities(depth: depth, isUnicode: true)
    try editor.press(keys)
    return draw(editor)
  }

  private static func draw(_ editor: Editor) -> Frame {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
  }

  /// What is wrong with a style on a terminal of eight or sixteen colours; `nil` if it can be read.
  static func fault(_ style: CellStyle, _ depth: ColourDepth) -> String? {
    let shown = BaseColours(style, depth)
    if shown.attributes.contains(.dim) { return "dim" }
    let isBold = shown.attributes.contains(.bold)
    guard let paper = shown.paper else {
      guard let ink = shown.ink else { return nil }
      if ink == 0 || ink == 8 { return "black on the terminal's own paper" }
      if ink == 7 || ink == 15 { return "white on the terminal's own paper" }
      return ink == 4 && !isBold ? "blue on the terminal's own paper" : nil
    }
    guard let ink = shown.ink else { return "the terminal's own ink on \(paper)" }
    if ink == 8 || (ink == 0 && isBold) { return "grey on \(paper)" }
    for palette in palettes where ink < 8 && paper < 8 {
      let contrast = Palette.contrast(colour(palette[ink]), colour(palette[paper]))
      if contrast < 2.5 { return "\(ink) on \(paper)" }
    }
    return nil
  }

  private static func faults(_ frame: Frame, _ depth: ColourDepth) -> Set<String> {
    var places: [CellStyle: String] = [:]
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let cell = frame[column, row]
        if cell.glyph == .space || cell.glyph.isContinuation { continue }
        places[cell.style] = "at \(column),\(row): \(frame.text(of: cell.glyph))"
      }
    }
    return Set(
      places.compactMap { style, place in
        if depth == .mono {
          let isPlain = style.foreground.isStandard && style.background.isStandard
          return isPlain && !style.attributes.contains(.dim) ? nil : "colour " + place
        }
        return fault(style, depth).map { $0 + " " + place }
      })
  }

  @Test(arguments: [ColourDepth.mono, .eight, .sixteen])
  func `Every text of every screen can be read`(depth: ColourDepth) throws {
    for size in [CellSize(columns: 80, rows: 24), CellSize(columns: 160, rows: 50)] {
      for screen in Self.screens {
        let found = Self.faults(try Self.frame(screen.keys, depth, size: size), depth)
        #expect(found.isEmpty, "\(screen.name): \(found.sorted().prefix(5))")
      }
      var editor = Editor(size: size)
      editor.desk.session.capabilities = ScreenCapabilities(depth: depth, isUnicode: true)
      editor.desk.ask(
        Question(title: "Which", text: "It was.", choices: [.init("a", "one"), .init("b", "two")]))
      #expect(Self.faults(Self.draw(editor), depth).isEmpty)
    }
  }

  @Test(arguments: [ColourDepth.eight, .sixteen])
  func `What the theme says apart stays apart with few colours`(depth: ColourDepth) {
    let theme = ScreenTheme(capabilities: ScreenCapabilities(depth: depth, isUnicode: true))
    func shown(_ style: CellStyle) -> BaseColours { BaseColours(style, depth) }
    let modes = [Mode.normal, .insert, .select, .prompt].map { shown(theme.mode($0.tint)).paper }
    #expect(Set(modes).count == 4)
    #expect(shown(theme.bar).paper != nil)
    #expect(shown(theme.error) != shown(theme.warning))
    #expect(shown(theme.popupKey) != shown(theme.popup))
    #expect(shown(theme.focusedHeading) != shown(theme.heading))
    #expect(shown(theme.cursor).paper != nil)
  }
}
