import PortolanTexts

/// The set of characters to print.
package enum Repertoire: Hashable, Sendable {
  case unicode
  /// ASCII only: line drawing, braille and letters with marks are transliterated.
  case ascii
}

extension Frame {
  /// The frame as lines of text without trailing spaces, each with its line end.
  package func plainText(_ repertoire: Repertoire = .unicode) -> String {
    var text = ""
    text.reserveCapacity(cells.count * 2)
    for row in 0..<size.rows {
      let end = lineEnd(row) { $0.glyph != .space }
      for column in 0..<end { append(self[column, row].glyph, to: &text, repertoire) }
      text += "\n"
    }
    return text
  }

  /// The frame as lines with colours: SGR sequences only, reset at the end of each line that uses
  /// them, no trailing blanks, each line with its line end.
  package func ansiText(_ depth: ColourDepth, _ repertoire: Repertoire = .unicode) -> String {
    var text = ""
    text.reserveCapacity(cells.count * 3)
    var codes: [CellStyle: String] = [:]
    for row in 0..<size.rows {
      let end = lineEnd(row) { $0.glyph != .space || $0.style.showsOnSpace(depth) }
      var current = ""
      for column in 0..<end {
        let cell = self[column, row]
        if cell.glyph.isContinuation { continue }
        let code = codes[cell.style] ?? SelectGraphicRendition.codes(cell.style, depth)
        codes[cell.style] = code
        if code != current {
          text += code.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(code)m"
          current = code
        }
        append(cell.glyph, to: &text, repertoire)
      }
      text += current.isEmpty ? "\n" : "\u{1B}[0m\n"
    }
    return text
  }

  /// One past the last visible cell of a row.
  private func lineEnd(_ row: Int, _ shows: (Cell) -> Bool) -> Int {
    var end = size.columns
    while end > 0, !shows(self[end - 1, row]) { end -= 1 }
    return end
  }

  private func append(_ glyph: Glyph, to text: inout String, _ repertoire: Repertoire) {
    if glyph.isContinuation { return }
    guard let scalar = glyph.clusterIndex == nil ? Unicode.Scalar(glyph.rawValue) : nil else {
      append(cluster: self.text(of: glyph), to: &text, repertoire)
      return
    }
    switch repertoire {
    case .unicode:
      text.unicodeScalars.append(scalar)
    case .ascii:
      text += ASCIIFolding.text(scalar)
    }
  }

  private func append(cluster: String, to text: inout String, _ repertoire: Repertoire) {
    switch repertoire {
    case .unicode: text += cluster
    case .ascii: text += ASCIIFolding.text(cluster.unicodeScalars.first ?? " ")
    }
  }
}

extension CellStyle {
  /// Whether the style is visible on a cell without ink.
  package func showsOnSpace(_ depth: ColourDepth) -> Bool {
    !attributes.isDisjoint(with: [.reverse, .underline])
      || (depth > .mono && !background.isStandard)
  }
}

/// The parameters of SGR sequences.
enum SelectGraphicRendition {
  /// The parameters of a style, separated by semicolons; empty for the plain style.
  static func codes(_ style: CellStyle, _ depth: ColourDepth) -> String {
    var codes: [String] = []
    var shown = style.attributes
    switch depth {
    case .mono: break
    case .eight, .sixteen:
      let colours = BaseColours(style, depth)
      shown = colours.attributes
      if let ink = colours.ink { codes.append(baseCode(ink, base: 30)) }
      if let paper = colours.paper { codes.append(baseCode(paper, base: 40)) }
    case .indexed, .trueColour:
      if let code = colour(style.foreground, depth, base: 30) { codes.append(code) }
      if let code = colour(style.background, depth, base: 40) { codes.append(code) }
    }
    return (attributes.filter { shown.contains($0.0) }.map(\.1) + codes).joined(separator: ";")
  }

  private static func baseCode(_ index: Int, base: Int) -> String {
    String(index < 8 ? base + index : base + 52 + index)
  }

  private static let attributes: [(CellAttributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
  ]

  /// A colour of a terminal with 256 colours or all of them.
  private static func colour(
    _ colour: TerminalColour, _ depth: ColourDepth, base: Int
  ) -> String? {
    guard !colour.isStandard else { return nil }
    if depth == .indexed { return "\(base + 8);5;\(Palette.indexed(colour))" }
    return "\(base + 8);2;\(colour.red);\(colour.green);\(colour.blue)"
  }
}
