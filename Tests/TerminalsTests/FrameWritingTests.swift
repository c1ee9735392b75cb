import PortolanTerminals
import PortolanTexts
import Testing

/// A frame of one row after one write.
private func row(
  _ text: String, columns: Int = 10, at column: Int = 0, maxColumns: Int = .max,
  overflow: TextOverflow = .clip
) -> String {
  var frame = Frame(size: CellSize(columns: columns, rows: 1))
  frame.write(text, at: column, row: 0, maxColumns: maxColumns, overflow: overflow)
  return String(frame.plainText().dropLast())
}

@Suite("Writing text into a frame")
struct FrameWritingTests {
  @Test("stands where it was put and is cut at the edges")
  func cutsAtTheEdges() {
    #expect(row("Berlin") == "Berlin")
    #expect(row("Berlin", at: 3) == "   Berlin")
    #expect(row("Berlin", at: 7) == "       Ber")
    #expect(row("Berlin", at: -3) == "lin")
    #expect(row("Berlin", at: 99) == "")
    #expect(row("Berlin", at: -99) == "")
    #expect(row("Berlin", maxColumns: 3) == "Ber")
    #expect(row("Berlin", maxColumns: 0) == "")
  }

  @Test("never splits a wide glyph")
  func neverSplitsWide() {
    #expect(row("東京", columns: 4) == "東京")
    #expect(row("東京", columns: 3) == "東")
    #expect(row("東京x", columns: 8, at: -1) == " 京x")
    #expect(row("a東京", maxColumns: 2) == "a")
    #expect(row("東京都庁", maxColumns: 4, overflow: .ellipsis) == "東…")
  }

  @Test("ends long text with an ellipsis when asked")
  func ellipsis() {
    #expect(row("Stockholm", maxColumns: 5, overflow: .ellipsis) == "Stoc…")
    #expect(row("Stock", maxColumns: 5, overflow: .ellipsis) == "Stock")
    #expect(row("Stock", maxColumns: 1, overflow: .ellipsis) == "…")
  }

  @Test("clears the other half of a wide glyph that is overwritten")
  func overwritesHalves() {
    var frame = Frame(size: CellSize(columns: 6, rows: 1))
    frame.write("東京", at: 0, row: 0)
    frame.write("x", at: 1, row: 0)
    #expect(frame.plainText() == " x京\n")
    frame.write("y", at: 2, row: 0)
    #expect(frame.plainText() == " xy\n")
  }

  @Test(
    "shows what must not reach a terminal as placeholders",
    arguments: [
      ("a\u{1B}[2Jb", "a␛[2Jb"), ("a\nb\r\nc\td", "a␊b␍␊c␉d"), ("\u{0}\u{7F}", "␀␡"),
      ("x\u{9B}31m", "x\u{FFFD}31m"), ("a\u{202E}b\u{2066}", "a\u{FFFD}b\u{FFFD}"),
      ("a\u{200B}b\u{FEFF}", "a\u{FFFD}b\u{FFFD}"), ("a\u{AD}b", "a\u{FFFD}b"),
      ("\u{378}\u{FFFF}\u{2028}", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("a\u{200D}b", "a\u{FFFD}b"),
      ("\u{E0041}\u{3164}", "\u{FFFD}\u{FFFD}"), ("a\u{E0A0}b\u{F8FF}", "a\u{FFFD}b\u{FFFD}"),
      ("\u{F0000}\u{10F000}\u{E000}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
  func sanitises(input: String, shown: String) {
    #expect(row(input, columns: 20) == shown)
    #expect(DisplayWidth.sanitised(input) == shown)
  }

  @Test("caps combining marks at four and gives a lone mark a base")
  func capsMarks() {
    let zalgo = "e" + String(repeating: "\u{301}", count: 50) + "x"
    #expect(row(zalgo) == "e\u{301}\u{301}\u{301}\u{301}x")
    #expect(row("\u{301}") == "\u{25CC}\u{301}")
    #expect(DisplayWidth.of(zalgo) == 2)
  }

  @Test(
    "counts columns by cluster",
    arguments: [
      ("", 0), ("abc", 3), ("Zürich", 6), ("e\u{301}", 1), ("東京", 4), ("ｱ", 1), ("Ａ", 2),
      ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇸🇪🇩🇪", 4), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
      ("❤️", 1), ("⣿⡇│┼", 4), ("می‌خواهم", 7), ("क्षि", 3), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ])
  func counts(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test("keeps a family, a flag and a letter with marks as one glyph each")
  func keepsClusters() {
    var frame = Frame(size: CellSize(columns: 8, rows: 1))
    frame.write("👨‍👩‍👧🇸🇪ô̱", at: 0, row: 0)
    #expect(frame.text(of: frame[0, 0].glyph) == "👨‍👩‍👧")
    #expect(frame[1, 0].glyph.isContinuation)
    #expect(frame.text(of: frame[2, 0].glyph) == "🇸🇪")
    #expect(frame.text(of: frame[4, 0].glyph) == "ô̱")
    #expect(frame.clusters.count == 3)
    frame.write("🇸🇪", at: 6, row: 0)
    #expect(frame.clusters.count == 3)
  }

  @Test("never takes a control as the glyph of a scalar")
  func glyphOfScalar() {
    #expect(Glyph("\u{1B}") == Glyph("␛"))
    #expect(Glyph("\u{85}") == Glyph("\u{FFFD}"))
    var frame = Frame(size: CellSize(columns: 1, rows: 1))
    #expect(frame.glyph(for: "\u{7}") == Glyph("␇"))
  }
}
