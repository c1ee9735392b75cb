package import PortolanGraphics
package import PortolanTerminals
import PortolanTexts

extension CellPicture {
  /// Writes the picture into a rectangle of a frame; empty cells become blank.
  ///
  /// - Parameter glyphs: the characters for dots; `nil` leaves those out.
  func write(
    into frame: inout Frame, at rect: CellRect, glyphs: GlyphSet?, depth: ColourDepth,
    ink: GroundInk
  ) {
    let shown = styles.map { ink.cells($0) }
    let foregrounds = shown.map { Self.cellStyle($0, depth) }
    let fills = shown.map { TerminalColour($0.fill) }
    let symbolGlyphs = styles.map { style -> (glyph: Glyph, columns: Int)? in
      guard let cluster = DisplayClusters(style.symbol).first(where: { _ in true }) else {
        return nil
      }
      return (frame.glyph(for: cluster), cluster.columns)
    }
    let table = glyphs?.table
    let letters = hasLetters ? styles.map { patternLetter($0) } : []
    let size = frame.size
    let columnEnd = min(rect.columns, size.columns - rect.column)
    let rowEnd = min(rect.rows, size.rows - rect.row)
    let firstColumn = max(0, -rect.column)
    let firstRow = max(0, -rect.row)
    guard firstColumn < columnEnd, firstRow < rowEnd else { return }
    var wide: [(column: Int, row: Int, glyph: Glyph, style: CellStyle)] = []
    var inks: [SymbolInk: TerminalColour] = [:]
    frame.withMutableCells { cells in
      for row in firstRow..<rowEnd {
        var target = (rect.row + row) * size.columns + rect.column + firstColumn
        for column in firstColumn..<columnEnd {
          defer { target += 1 }
          guard column < columns, row < rows else {
            cells[target] = .blank
            continue
          }
          let cell = row * columns + column
          let bits = table == nil ? 0 : raster.bits[cell]
          var style = foregrounds[bits == 0 ? 0 : Int(raster.styles[cell])]
          style.background = fills[Int(backgrounds[cell])]
          var glyph = table?[Int(bits)] ?? .space
          if !letters.isEmpty, bits == 0, backgrounds[cell] > 0, table != nil {
            style.foreground = foregrounds[Int(backgrounds[cell])].foreground
            glyph = letters[Int(backgrounds[cell])]
          }
          let symbol = Int(symbols[cell])
          if symbol > 0, let shown = symbolGlyphs[symbol] {
            style = foregrounds[symbol]
            style.background = fills[Int(backgrounds[cell])]
            if !style.background.isStandard, symbolOwners[cell] >= 0,
              owner(ofCell: cell)?.priority != SymbolOwner.ground.priority
            {
              let key = SymbolInk(symbol: symbols[cell], area: backgrounds[cell])
              let known = inks[key]
              style.foreground =
                known
                ?? ink.sign(
                  style.foreground, showsValue: styles[symbol].showsValue, over: style.background)
              if known == nil { inks[key] = style.foreground }
            }
            glyph = shown.columns == 1 ? shown.glyph : .space
            if shown.columns == 2 && column + 1 < min(columnEnd, columns) {
              wide.append((rect.column + column, rect.row + row, shown.glyph, style))
            }
          }
          cells[target] = Cell(glyph: glyph, style: style)
        }
      }
    }
    for symbol in wide {
      frame.place(
        symbol.glyph, columns: 2, at: symbol.column, row: symbol.row, style: symbol.style)
    }
  }

  /// Writes the cells of two fills into a rectangle of a frame, where no line, symbol or text is.
  ///
  /// The outline of a class gives way to them where their colours are told apart without it.
  ///
  /// - Parameters:
  ///   - range: the columns of the picture to write.
  ///   - under: a picture behind; its backgrounds show where no area is.
  func writeEdges(
    into frame: inout Frame, at rect: CellRect, columns range: Range<Int>, under: Frame?,
    ink: GroundInk
  ) {
    let fills = styles.map { TerminalColour(ink.cells($0).fill) }
    let range = range.clamped(to: 0..<min(columns, rect.columns))
    // Few cells differ from all others.
    var known: [EdgeKey: (cell: Cell, isApart: Bool)] = [:]
    for row in 0..<min(rows, rect.rows) {
      for column in range {
        let cell = row * columns + column
        let (x, y) = (rect.column + column, rect.row + row)
        guard let parts = edges.parts(ofCell: cell), symbols[cell] == 0,
          !frame[x, y].glyph.isContinuation
        else { continue }
        let isLine = raster.bits[cell] != 0
        if isLine, !styles[Int(raster.styles[cell])].showsValue { continue }
        let key = EdgeKey(
          parts: parts, behind: under?[column, row].style.background ?? .standard)
        let shown = known[key] ?? edgeCell(key, fills, ink)
        known[key] = shown
        if !isLine || shown.isApart { frame[x, y] = shown.cell }
      }
    }
  }

  private func patternLetter(_ style: MarkStyle) -> Glyph {
    style.isPattern(depth) ? Glyph(style.pattern.letter) : .space
  }

  /// What makes signs upon areas look alike: their style and that of the area.
  private struct SymbolInk: Hashable {
    var symbol: UInt16
    var area: UInt16
  }

  /// What makes edges look alike: the styles of the parts, and the background behind the areas.
  private struct EdgeKey: Hashable {
    var parts: FillEdges.Parts
    var behind: TerminalColour
  }

  private func edgeCell(
    _ key: EdgeKey, _ fills: [TerminalColour], _ ink: GroundInk
  ) -> (cell: Cell, isApart: Bool) {
    let colours = (0..<edges.blocks.count).map { part in
      let fill = fills[Int(key.parts[part])]
      return fill.isStandard ? key.behind : fill
    }
    let edge = EdgeCell(colours, edges.blocks)
    let style = CellStyle(foreground: edge.ink, background: edge.paper, attributes: .solid)
    return (Cell(glyph: edge.glyph, style: style), ink.tellsApart(edge.ink, edge.paper))
  }

  /// The foreground and attributes of a style.
  static func cellStyle(_ style: MarkStyle, _ depth: ColourDepth) -> CellStyle {
    var attributes: CellAttributes = style.isEmphasized ? .bold : []
    if style.isSlanted { attributes.insert(.italic) }
    return CellStyle(
      foreground: depth == .mono ? .standard : TerminalColour(style.ink(depth)),
      attributes: attributes)
  }
}

extension TerminalColour {
  /// A mark's colour; the terminal's own for none.
  package init(_ colour: Colour?) {
    if let colour {
      self.init(red: colour.red, green: colour.green, blue: colour.blue)
    } else {
      self = .standard
    }
  }
}

extension GlyphSet {
  /// The glyph for each of the 256 ways to light the dots of a cell; none lit is a space.
  var table: [Glyph] {
    (0..<256).map { bits in
      bits == 0 ? .space : Unicode.Scalar(scalar(UInt32(bits))).map { Glyph($0) } ?? .space
    }
  }

  private func scalar(_ bits: UInt32) -> UInt32 {
    switch self {
    case .braille: 0x2800 + bits
    case .quadrant: Self.quadrants[Self.quarters(bits)]
    case .half:
      switch (bits & 0b0001_1011 != 0, bits & 0b1110_0100 != 0) {
      case (true, true): 0x2588
      case (true, false): 0x2580
      case (false, true): 0x2584
      case (false, false): 0x20
      }
    case .ascii: Self.stroke(bits)
    }
  }

  /// Bit 0 upper left, 1 upper right, 2 lower left, 3 lower right.
  private static func quarters(_ bits: UInt32) -> Int {
    (bits & 0b0000_0011 != 0 ? 1 : 0) + (bits & 0b0001_1000 != 0 ? 2 : 0)
      + (bits & 0b0100_0100 != 0 ? 4 : 0) + (bits & 0b1010_0000 != 0 ? 8 : 0)
  }

  static let quadrants: [UInt32] = [
    0x20, 0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B,
    0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F, 0x2588,
  ]

  /// The ASCII character for the direction of the lit dots.
  private static func stroke(_ bits: UInt32) -> UInt32 {
    let character: Unicode.Scalar
    let left = bits & 0b0100_0111
    let right = bits & 0b1011_1000
    let count = bits.nonzeroBitCount
    if count == 1 {
      character = "."
    } else if count > 6 {
      character = "#"
    } else if left == 0 || right == 0 {
      character = "|"
    } else {
      // The mean heights of both sides, in halves and thirds of a dot, give the slope.
      let (leftSum, leftCount) = heights(left, [0, 1, 2, 6])
      let (rightSum, rightCount) = heights(right, [3, 4, 5, 7])
      let lean = rightSum * leftCount - leftSum * rightCount
      character =
        lean > 0 ? "\\" : lean < 0 ? "/" : leftCount == 1 && rightCount == 1 ? "-" : "+"
    }
    return character.value
  }

  private static func heights(_ bits: UInt32, _ order: [UInt32]) -> (sum: Int, count: Int) {
    var result = (sum: 0, count: 0)
    for (height, bit) in order.enumerated() where bits >> bit & 1 == 1 {
      result.sum += height
      result.count += 1
    }
    return result
  }
}
