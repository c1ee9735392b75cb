import PortolanTerminals
import PortolanTexts
import Testing

private let red = CellStyle(foreground: TerminalColour(red: 255, green: 0, blue: 0))

@Suite("Frames as text")
struct FrameOutputTests {
  @Test("writes SGR only where the style changes, reset at the line's end")
  func ansi() {
    var frame = Frame(size: CellSize(columns: 10, rows: 2))
    frame.write("ab", at: 0, row: 0)
    frame.write("cd", at: 2, row: 0, style: red)
    frame.write("e", at: 0, row: 1)
    #expect(frame.ansiText(.indexed) == "ab\u{1B}[0;38;5;196mcd\u{1B}[0m\ne\n")
    #expect(frame.ansiText(.sixteen) == "ab\u{1B}[0;91mcd\u{1B}[0m\ne\n")
    #expect(frame.ansiText(.trueColour) == "ab\u{1B}[0;38;2;255;0;0mcd\u{1B}[0m\ne\n")
    #expect(frame.ansiText(.mono) == "abcd\ne\n")
    #expect(frame.plainText() == "abcd\ne\n")
  }

  @Test("keeps blanks that show a background, and drops others")
  func backgrounds() {
    var frame = Frame(size: CellSize(columns: 6, rows: 1))
    var style = CellStyle.plain
    style.background = TerminalColour(red: 0, green: 0, blue: 255)
    frame.fill(CellRect(column: 0, row: 0, columns: 2, rows: 1), style: style)
    frame.fill(CellRect(column: 2, row: 0, columns: 4, rows: 1), style: red)
    #expect(frame.ansiText(.indexed) == "\u{1B}[0;48;5;21m  \u{1B}[0m\n")
    #expect(frame.plainText() == "\n")
  }

  @Test("transliterates column for column")
  func ascii() {
    var frame = Frame(size: CellSize(columns: 30, rows: 1))
    frame.write("Zürich Đà ─│┼ ⣿⡇⠉⣀⠁ 東 Ωж◉", at: 0, row: 0)
    #expect(frame.plainText(.ascii) == "Zurich Da -|+ #|\"_' ?? Oz*\n")
  }

  @Test("prints nothing but ASCII and line ends for any scalar")
  func asciiOnly() {
    for value in stride(from: UInt32(0), to: 0x11_0000, by: 7) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = ASCIIFolding.fold(scalar)
      #expect(folded >= 0x20 && folded < 0x7F, "U+\(String(value, radix: 16))")
    }
  }

  @Test("draws boxes whose lines join")
  func boxes() {
    var frame = Frame(size: CellSize(columns: 7, rows: 5))
    for (left, top, right) in [(0, 0, 4), (2, 2, 6)] {
      for row in [top, 4] { frame.drawHorizontalLine(row: row, from: left, to: right) }
      for column in [left, right] { frame.drawVerticalLine(column: column, from: top, to: 4) }
    }
    #expect(frame.plainText() == "┌───┐\n│   │\n│ ┌─┼─┐\n│ │ │ │\n└─┴─┴─┘\n")
    frame.drawVerticalLine(column: 3, from: 0, to: 2)
    #expect(frame.plainText().hasPrefix("┌──┬┐\n│  ││\n│ ┌┴┼─┐\n"))
  }

  @Test("draws lines of a row or column that reach beyond the frame")
  func linesBeyond() {
    var frame = Frame(size: CellSize(columns: 3, rows: 2))
    frame.drawHorizontalLine(row: 0, from: -5, to: 50)
    frame.drawVerticalLine(column: 1, from: 0, to: 9, lines: .light)
    #expect(frame.plainText() == "─┬─\n │\n")
    frame.drawHorizontalLine(row: 9, from: 0, to: 2)
    frame.drawVerticalLine(column: -1, from: 0, to: 2)
    frame.drawHorizontalLine(row: 0, from: 7, to: 9)
    frame.drawVerticalLine(column: .max, from: .max, to: .max)
    #expect(frame.plainText() == "─┬─\n │\n")
  }

  @Test("copies a part with its clusters and cuts wide glyphs at its edges")
  func copies() {
    var source = Frame(size: CellSize(columns: 6, rows: 1))
    source.write("東e\u{301}京x", at: 0, row: 0)
    var target = Frame(size: CellSize(columns: 6, rows: 1))
    target.write("o\u{308}....", at: 0, row: 0)
    target.copy(
      source, from: CellRect(column: 1, row: 0, columns: 3, rows: 1), toColumn: 1, row: 0)
    #expect(target.plainText() == "o\u{308} e\u{301} .\n")
    #expect(
      source.part(CellRect(column: 2, row: 0, columns: 9, rows: 9)).plainText()
        .hasPrefix("e\u{301}京x\n"))
    target.copy(source, toColumn: -2, row: 0)
    #expect(target.plainText() == "e\u{301}京x.\n")
  }

  @Test("finds the nearest palette colours")
  func palette() {
    #expect(Palette.indexed(TerminalColour(red: 255, green: 0, blue: 0)) == 196)
    #expect(Palette.indexed(TerminalColour(red: 8, green: 8, blue: 8)) == 232)
    #expect(Palette.indexed(TerminalColour(red: 95, green: 135, blue: 175)) == 67)
    for index in 16..<256 {
      let colour = Palette.colour(at: index)
      #expect(Palette.colour(at: Palette.indexed(colour)) == colour)
    }
    for index in 0..<16 { #expect(Palette.sixteen(Palette.colour(at: index)) == index) }
  }

  @Test(
    "chooses colours by option, NO_COLOR, CLICOLOR_FORCE, TERM and terminal in this order",
    arguments: [
      (ColourChoice.auto, [:], 256, ColourDepth.indexed), (.auto, [:], nil, .mono),
      (.auto, ["NO_COLOR": "1"], 256, .mono), (.auto, ["NO_COLOR": ""], 256, .indexed),
      (.auto, ["CLICOLOR_FORCE": "1"], nil, .indexed),
      (.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], nil, .mono),
      (.auto, ["TERM": "dumb"], 8, .mono), (.auto, [:], 8, .eight), (.auto, [:], 16, .sixteen),
      (.indexed, ["NO_COLOR": "1"], nil, .indexed), (.never, [:], 256, .mono),
      (.trueColour, [:], nil, .trueColour), (.auto, [:], 1 << 24, .trueColour),
    ] as [(ColourChoice, [String: String], Int?, ColourDepth)])
  func depth(
    choice: ColourChoice, variables: [String: String], terminal: Int?, expected: ColourDepth
  ) {
    let depth = ColourDepth(choice: choice, terminalColours: terminal) { variables[$0] }
    #expect(depth == expected)
  }

  @Test("gives eight and sixteen colours ink that stands out, whatever was meant")
  func baseColours() {
    var state: UInt64 = 15
    func number() -> UInt32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(truncatingIfNeeded: state >> 33)
    }
    func colour() -> TerminalColour {
      let value = number()
      if value % 4 == 0 { return .standard }
      return value % 4 == 1
        ? Palette.colour(at: Int(value / 4 % 16))
        : TerminalColour(
          red: UInt8(value >> 2 & 255), green: UInt8(value >> 10 & 255),
          blue: UInt8(value >> 18 & 255))
    }
    for _ in 0..<20_000 {
      let style = CellStyle(
        foreground: colour(), background: colour(),
        attributes: number() % 2 == 0 ? .bold : [])
      for depth in [ColourDepth.eight, .sixteen] {
        let shown = BaseColours(style, depth)
        let limit = depth == .eight ? 8 : 16
        #expect((shown.ink ?? 0) < limit && (shown.paper ?? 0) < limit, "\(style)")
        guard let paper = shown.paper else {
          #expect(![0, 4, 7, 8, 15].contains(shown.ink ?? 1) || shown.attributes == .bold)
          #expect(![0, 7, 8, 15].contains(shown.ink ?? 1), "\(style) at \(depth)")
          continue
        }
        guard let ink = shown.ink else {
          Issue.record("the terminal's own ink on a colour: \(style)")
          continue
        }
        #expect(!(ink == 0 && shown.attributes.contains(.bold)), "\(style) at \(depth)")
        let contrast = Palette.contrast(Palette.colour(at: ink), Palette.colour(at: paper))
        #expect(contrast >= BaseColours.contrastMin, "\(style) at \(depth)")
      }
    }
  }

  @Test("keeps a colour of the terminal as it is where it can be read")
  func baseColoursKept() {
    for index in [1, 2, 3, 5, 6, 9, 10, 11, 13, 14] {
      let style = CellStyle(foreground: Palette.colour(at: index))
      #expect(BaseColours(style, .sixteen).ink == index)
      let eight = BaseColours(style, .eight)
      #expect(eight.ink == index & 7)
      #expect(eight.attributes.contains(.bold) == (index > 7))
    }
  }
}
