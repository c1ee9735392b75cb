import PortolanTexts

/// The treatment of text that is too long.
package enum TextOverflow: Hashable, Sendable {
  /// Cut it.
  case clip
  /// Cut it and end with `…`.
  case ellipsis
}

extension Frame {
  /// Writes text from a cell to the right and returns its columns.
  ///
  /// Text is cut at the frame's edges and after `maxColumns`; a wide glyph that would be split
  /// becomes a space. Controls and other unprintable scalars become visible placeholders.
  ///
  /// - Complexity: O(characters).
  @discardableResult
  package mutating func write(
    _ text: String, at column: Int, row: Int, style: CellStyle = .plain,
    maxColumns: Int = .max, overflow: TextOverflow = .clip
  ) -> Int {
    guard maxColumns > 0, row >= 0, row < size.rows, column < size.columns, column > -1 << 30 else {
      return 0
    }
    if overflow == .ellipsis, maxColumns < .max {
      return writeWithEllipsis(text, at: column, row: row, style: style, maxColumns: maxColumns)
    }
    let (sum, overflowed) = column.addingReportingOverflow(maxColumns)
    let end = overflowed ? size.columns : min(size.columns, sum)
    if let count = DisplayWidth.printableASCIICount(text) {
      writeASCII(text, count: count, at: column, row: row, end: end, style: style)
      return min(count, max(0, end - column))
    }
    var position = column
    for cluster in DisplayClusters(text) {
      if position >= end { break }
      if position + cluster.columns > end {
        place(.space, columns: 1, at: position, row: row, style: style)
        position += 1
        break
      }
      let glyph = position >= 0 ? glyph(for: cluster) : .space
      place(glyph, columns: cluster.columns, at: position, row: row, style: style)
      position += cluster.columns
    }
    return position - column
  }

  /// Puts one glyph into one or two cells, and clears the rest of wide glyphs that it cuts.
  package mutating func place(
    _ glyph: Glyph, columns: Int = 1, at column: Int, row: Int, style: CellStyle
  ) {
    guard row >= 0, row < size.rows, column < size.columns, column >= -2 else { return }
    guard columns == 2 else {
      clearHalves(from: column, to: column + 1, row: row)
      self[column, row] = Cell(glyph: glyph, style: style)
      return
    }
    guard column >= 0, column + 1 < size.columns else {
      place(.space, at: column < 0 ? column + 1 : column, row: row, style: style)
      return
    }
    clearHalves(from: column, to: column + 2, row: row)
    self[column, row] = Cell(glyph: glyph, style: style)
    self[column + 1, row] = Cell(glyph: .continuation, style: style)
  }

  /// Blanks the outer halves of wide glyphs when cells `start..<end` of a row are overwritten.
  mutating func clearHalves(from start: Int, to end: Int, row: Int) {
    if start > 0, self[start, row].glyph.isContinuation { self[start - 1, row].glyph = .space }
    if end < size.columns, end >= 0, self[end, row].glyph.isContinuation {
      self[end, row].glyph = .space
    }
  }

  private mutating func writeWithEllipsis(
    _ text: String, at column: Int, row: Int, style: CellStyle, maxColumns: Int
  ) -> Int {
    if DisplayWidth.of(text) <= maxColumns {
      return write(text, at: column, row: row, style: style, maxColumns: maxColumns)
    }
    let start = DisplayWidth.prefix(of: text, columns: maxColumns - 1)
    write(start.text, at: column, row: row, style: style, maxColumns: maxColumns)
    place("\u{2026}", at: column + start.columns, row: row, style: style)
    return start.columns + 1
  }

  private mutating func writeASCII(
    _ text: String, count: Int, at column: Int, row: Int, end: Int, style: CellStyle
  ) {
    let first = max(0, column)
    guard first < end, count > first - column else { return }
    let last = min(end, column + count)
    clearHalves(from: first, to: last, row: row)
    let start = row * size.columns + first
    cells.withUnsafeMutableBufferPointer { cells in
      var index = start
      for byte in text.utf8.dropFirst(first - column).prefix(last - first) {
        cells[index] = Cell(glyph: Glyph(rawValue: UInt32(byte)), style: style)
        index += 1
      }
    }
  }

  private mutating func place(
    _ scalar: Unicode.Scalar, at column: Int, row: Int, style: CellStyle
  ) {
    place(Glyph(scalar), at: column, row: row, style: style)
  }
}
