/// A size in cells.
package struct CellSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of cells; column 0, row 0 is at the top left.
package struct CellRect: Hashable, Sendable {
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  package var size: CellSize { CellSize(columns: columns, rows: rows) }
  package var isEmpty: Bool { columns == 0 || rows == 0 }

  package func contains(column: Int, row: Int) -> Bool {
    column >= self.column && column < self.column + columns
      && row >= self.row && row < self.row + rows
  }
}

/// What a cell shows: one scalar, one cluster of several scalars, or the right half of a wide one.
package struct Glyph: Hashable, Sendable {
  /// A scalar's value; or, with the top bit set, an index into the frame's clusters; or 0 for the
  /// right half of a wide glyph.
  package let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ scalar: Unicode.Scalar) { rawValue = scalar.value }

  package static let space = Glyph(rawValue: 0x20)
  /// The cell to the right of a wide glyph: it is drawn by its neighbour.
  package static let continuation = Glyph(rawValue: 0)

  package var isContinuation: Bool { rawValue == 0 }
}

/// One cell of a frame.
package struct Cell: Hashable, Sendable {
  package var glyph: Glyph
  package var style: CellStyle

  package init(glyph: Glyph = .space, style: CellStyle = .plain) {
    self.glyph = glyph
    self.style = style
  }

  package static let blank = Cell()
}

/// A whole picture of a terminal as a value.
///
/// Writing outside the frame is ignored, so drawing code never has to check its arithmetic twice.
package struct Frame: Equatable, Sendable {
  package let size: CellSize
  /// Row by row, `size.columns` cells each.
  package private(set) var cells: [Cell]
  /// The grapheme clusters of more than one scalar that cells refer to.
  package private(set) var clusters: [String] = []
  /// Where the terminal's own cursor stands; `nil` hides it.
  package var cursor: (column: Int, row: Int)?

  /// A blank frame; a size below one cell counts as none.
  package init(size: CellSize) {
    let columns = min(max(0, size.columns), 4096)
    let rows = min(max(0, size.rows), 4096)
    self.size = CellSize(columns: columns, rows: rows)
    cells = [Cell](repeating: .blank, count: columns * rows)
  }

  package var bounds: CellRect {
    CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  /// A cell of the frame; blank outside of it.
  package subscript(column: Int, row: Int) -> Cell {
    get {
      guard bounds.contains(column: column, row: row) else { return .blank }
      return cells[row * size.columns + column]
    }
    set {
      guard bounds.contains(column: column, row: row) else { return }
      cells[row * size.columns + column] = newValue
    }
  }

  /// The characters that a cell shows; empty for the right half of a wide glyph.
  package func text(of glyph: Glyph) -> String {
    if glyph.isContinuation { return "" }
    if glyph.rawValue & 0x8000_0000 != 0 {
      let index = Int(glyph.rawValue & 0x7FFF_FFFF)
      return index < clusters.count ? clusters[index] : "\u{FFFD}"
    }
    return Unicode.Scalar(glyph.rawValue).map { String(Character($0)) } ?? "\u{FFFD}"
  }

  /// The glyph for one grapheme cluster, kept in the frame when it has several scalars.
  package mutating func glyph(for cluster: Character) -> Glyph {
    let scalars = cluster.unicodeScalars
    if let only = scalars.first, scalars.count == 1 { return Glyph(only) }
    let text = String(cluster)
    let index = clusters.firstIndex(of: text) ?? clusters.count
    if index == clusters.count { clusters.append(text) }
    return Glyph(rawValue: 0x8000_0000 | UInt32(truncatingIfNeeded: index))
  }

  package static func == (left: Frame, right: Frame) -> Bool {
    left.size == right.size && left.cells == right.cells && left.clusters == right.clusters
      && left.cursor?.column == right.cursor?.column && left.cursor?.row == right.cursor?.row
  }
}
