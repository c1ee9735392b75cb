/// A rectangle of the map, divided into equal cells with a character and a background each.
///
/// Where a cell is larger than one of the screen, its character stands in its middle; where it is
/// smaller, the screen shows the cell in the middle of each of its own.
package struct CellGrid: Sendable {
  package struct Cell: Hashable, Sendable {
    /// One grapheme cluster; empty for none.
    package var symbol: String
    package var foreground: Colour?
    package var background: Colour?

    package init(symbol: String, foreground: Colour? = nil, background: Colour? = nil) {
      self.symbol = symbol
      self.foreground = foreground
      self.background = background
    }
  }

  package let box: Box
  package let columns: Int
  package let rows: Int
  /// The cell of a column from the west and a row from the north; `nil` for an empty one.
  package let cell: @Sendable (_ column: Int, _ row: Int) -> Cell?

  /// Returns `nil` without cells, or for a box without an area.
  package init?(
    box: Box, columns: Int, rows: Int,
    cell: @escaping @Sendable (_ column: Int, _ row: Int) -> Cell?
  ) {
    guard columns > 0, rows > 0, box.width > 0, box.height > 0, box.width.isFinite,
      box.height.isFinite
    else { return nil }
    self.box = box
    self.columns = columns
    self.rows = rows
    self.cell = cell
  }

  /// The cell at a coordinate; `nil` outside of the box.
  package func place(at coordinate: Coordinate) -> (column: Int, row: Int)? {
    let x = (coordinate.x - box.minX) / box.width
    let y = (box.maxY - coordinate.y) / box.height
    guard x >= 0, y >= 0, x <= 1, y <= 1 else { return nil }
    return (
      min(columns - 1, Int(x * Double(columns))), min(rows - 1, Int(y * Double(rows)))
    )
  }

  /// The box of a cell.
  package func box(column: Int, row: Int) -> Box {
    let (width, height) = (box.width / Double(columns), box.height / Double(rows))
    let (minX, maxY) = (box.minX + Double(column) * width, box.maxY - Double(row) * height)
    return Box(minX: minX, minY: maxY - height, maxX: minX + width, maxY: maxY)
  }
}

extension CellGrid.Cell {
  /// The look of the cell as a mark.
  package var mark: MarkStyle {
    var mark = MarkStyle(stroke: foreground, fill: background, symbol: symbol)
    mark.showsValue = true
    return mark
  }
}
