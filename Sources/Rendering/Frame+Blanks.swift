package import PortolanTerminals

extension Frame {
  /// Lays another frame behind a rectangle: its characters show in cells that are blank and have no
  /// background, its backgrounds in all cells without one.
  ///
  /// - Parameter other: of the rectangle's size; its characters are single scalars.
  package mutating func fillBlanks(of rect: CellRect, from other: Frame) {
    guard let area = rect.intersection(bounds) else { return }
    let columns = size.columns
    withMutableCells { cells in
      for row in area.row..<area.row + area.rows {
        for column in area.column..<area.column + area.columns {
          let behind = other[column - rect.column, row - rect.row]
          let index = row * columns + column
          guard cells[index].style.background.isStandard else { continue }
          if cells[index].glyph == .space, behind.glyph.clusterIndex == nil {
            cells[index] = behind
          } else {
            cells[index].style.background = behind.style.background
          }
        }
      }
    }
  }
}
