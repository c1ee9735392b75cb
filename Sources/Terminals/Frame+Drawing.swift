import PortolanTexts

/// The style of the lines of a box.
package enum LineStyle: Hashable, Sendable, CaseIterable {
  case light, heavy, double, rounded
}

extension Frame {
  /// Fills a rectangle with one narrow glyph.
  package mutating func fill(
    _ rect: CellRect, with scalar: Unicode.Scalar = " ", style: CellStyle = .plain
  ) {
    guard let area = rect.intersection(bounds) else { return }
    let cell = Cell(glyph: Glyph(scalar), style: style)
    for row in area.row..<area.row + area.rows {
      clearHalves(from: area.column, to: area.column + area.columns, row: row)
      let start = row * size.columns + area.column
      for index in start..<start + area.columns { cells[index] = cell }
    }
  }

  /// Changes the styles of a rectangle and leaves its text.
  package mutating func restyle(_ rect: CellRect, _ change: (inout CellStyle) -> Void) {
    guard let area = rect.intersection(bounds) else { return }
    for row in area.row..<area.row + area.rows {
      let start = row * size.columns + area.column
      for index in start..<start + area.columns { change(&cells[index].style) }
    }
  }

  /// Copies a part of another frame; its top left cell is put at `column`, `row`.
  ///
  /// Wide glyphs cut by the part's edges or by this frame's become spaces. The cursor stays.
  package mutating func copy(
    _ source: Frame, from part: CellRect? = nil, toColumn column: Int, row: Int
  ) {
    guard let wanted = (part ?? source.bounds).intersection(source.bounds) else { return }
    let shift = (columns: column - (part?.column ?? 0), rows: row - (part?.row ?? 0))
    let target = CellRect(
      column: wanted.column + shift.columns, row: wanted.row + shift.rows,
      columns: wanted.columns, rows: wanted.rows)
    guard let area = target.intersection(bounds) else { return }
    let end = area.column + area.columns
    for row in area.row..<area.row + area.rows {
      clearHalves(from: area.column, to: end, row: row)
      for column in area.column..<end {
        var cell = source[column - shift.columns, row - shift.rows]
        let cutLeft = cell.glyph.isContinuation && column == area.column
        let cutRight =
          column == end - 1
          && source[column - shift.columns + 1, row - shift.rows].glyph.isContinuation
        if cutLeft || cutRight {
          cell.glyph = .space
        } else if let index = cell.glyph.clusterIndex, index < source.clusters.count {
          let first = source.clusters[index].unicodeScalars.first ?? " "
          cell.glyph = glyph(
            for: DisplayCluster(first: first, text: source.clusters[index], columns: 1))
        }
        cells[row * size.columns + column] = cell
      }
    }
  }

  /// A part of this frame as a frame of its own.
  package func part(_ rect: CellRect) -> Frame {
    var frame = Frame(size: rect.size)
    frame.copy(self, from: rect, toColumn: 0, row: 0)
    return frame
  }

  /// Draws a line between two columns, both included, joining existing lines at its ends and on its
  /// way.
  package mutating func drawHorizontalLine(
    row: Int, from start: Int, to end: Int, lines: LineStyle = .light, style: CellStyle = .plain
  ) {
    guard start <= end, row >= 0, row < size.rows else { return }
    for column in max(0, start)...max(max(0, start), min(end, size.columns)) {
      var arms: LineArms = []
      if column > start { arms.insert(.left) }
      if column < end { arms.insert(.right) }
      if start == end { arms = [.left, .right] }
      join(arms, at: column, row: row, lines: lines, style: style)
    }
  }

  /// Draws a line between two rows, both included, joining existing lines at its ends and on its
  /// way.
  package mutating func drawVerticalLine(
    column: Int, from start: Int, to end: Int, lines: LineStyle = .light,
    style: CellStyle = .plain
  ) {
    guard start <= end, column >= 0, column < size.columns else { return }
    for row in max(0, start)...max(max(0, start), min(end, size.rows)) {
      var arms: LineArms = []
      if row > start { arms.insert(.up) }
      if row < end { arms.insert(.down) }
      if start == end { arms = [.up, .down] }
      join(arms, at: column, row: row, lines: lines, style: style)
    }
  }

  /// Adds arms to the line glyph of a cell; any other glyph is replaced.
  private mutating func join(
    _ arms: LineArms, at column: Int, row: Int, lines: LineStyle, style: CellStyle
  ) {
    let present = LineGlyphs.arms(of: self[column, row].glyph.rawValue, lines: lines)
    let glyph = LineGlyphs.scalar(arms.union(present), lines: lines)
    place(Glyph(glyph), at: column, row: row, style: style)
  }
}

extension CellRect {
  /// The common part of two rectangles; `nil` when there is none.
  package func intersection(_ other: CellRect) -> CellRect? {
    let left = max(column, other.column)
    let top = max(row, other.row)
    let right = min(end(column, columns), end(other.column, other.columns))
    let bottom = min(end(row, rows), end(other.row, other.rows))
    guard left < right, top < bottom else { return nil }
    return CellRect(column: left, row: top, columns: right - left, rows: bottom - top)
  }

  /// The rectangle without `amount` cells at each side.
  package func inset(by amount: Int) -> CellRect {
    CellRect(
      column: column + amount, row: row + amount, columns: columns - 2 * amount,
      rows: rows - 2 * amount)
  }

  private func end(_ start: Int, _ length: Int) -> Int {
    let (sum, overflowed) = start.addingReportingOverflow(length)
    return overflowed ? .max : sum
  }
}
