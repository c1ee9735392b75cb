import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Whether everything on a light terminal can be read.
@Suite struct LightGroundTests {
  private static let ink = TerminalColour(red: 0x1C, green: 0x1C, blue: 0x1C)

  /// The colours of a cell as a light terminal with xterm's palette shows them.
  private static func shown(
    _ style: CellStyle, _ depth: ColourDepth
  ) -> (ink: TerminalColour, paper: TerminalColour) {
    func shown(_ colour: TerminalColour, else own: TerminalColour) -> TerminalColour {
      if colour.isStandard { return own }
      return switch depth {
      case .mono: own
      case .eight: Palette.colour(at: Palette.eight(colour))
      case .sixteen: Palette.colour(at: Palette.sixteen(colour))
      case .indexed: Palette.colour(at: Palette.indexed(colour))
      case .trueColour: colour
      }
    }
    let ink = shown(style.foreground, else: ink)
    let paper = shown(style.background, else: Ground.light.colour)
    return style.attributes.contains(.reverse) ? (paper, ink) : (ink, paper)
  }

  @Test(arguments: [ColourDepth.mono, .eight, .sixteen, .indexed, .trueColour])
  func `Every sign and text has a contrast of 3 to 1, every text beside the map of 4,5`(
    depth: ColourDepth
  ) throws {
    for size in [CellSize(columns: 80, rows: 24), CellSize(columns: 160, rows: 50)] {
      for screen in ReadabilityTests.screens {
        var editor = Editor(size: size)
        editor.desk.session.capabilities = ScreenCapabilities(
          depth: depth, isUnicode: true, ground: .light)
        try editor.press(screen.keys)
        var memory = RenderMemory()
        let frame = editor.desk.frame(size: size, memory: &memory)
        let map = editor.desk.mapArea
        for row in 0..<size.rows {
          for column in 0..<size.columns {
            let cell = frame[column, row]
            if cell.glyph == .space || cell.glyph.isContinuation { continue }
            let text = frame.text(of: cell.glyph)
            // Lines between the parts of the screen are no text.
            if text.unicodeScalars.allSatisfy({ (0x2500...0x257F).contains($0.value) }) { continue }
            let (ink, paper) = Self.shown(cell.style, depth)
            let isMap =
              (map.column..<map.column + map.columns).contains(column)
              && (map.row..<map.row + map.rows).contains(row)
            let least = isMap || depth <= .sixteen ? 2.9 : 4.4
            let contrast = Palette.contrast(ink, paper)
            #expect(
              contrast >= least,
              "\(screen.name) at \(column),\(row): \(text) \(cell.style) \(contrast)")
          }
        }
      }
    }
  }

  @Test func `The ground is what the terminal tells`() {
    for (value, ground) in [
      ("0;15", Ground.light), ("0;default;15", .light), ("15;0", .dark), ("0;7", .light),
      ("7;8", .dark), ("", .dark), ("x;y", .dark), ("0;99999999999999999999", .dark),
    ] {
      #expect(Ground { $0 == "COLORFGBG" ? value : nil } == ground, "\(value)")
    }
    #expect(Ground { _ in nil } == .dark)
  }

  @Test func `The theme changes at once and is no edit`() throws {
    var editor = Editor()
    try editor.run("theme light")
    #expect(editor.desk.session.capabilities.ground == .light)
    try editor.run("theme")
    #expect(editor.desk.session.capabilities.ground == .dark)
    #expect(!editor.desk.isEdited)
    #expect(throws: (any Error).self) { try editor.run("theme pink") }
  }
}
