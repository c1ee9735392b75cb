import PortolanDocuments
import PortolanTerminals

/// The places of a legend's lines: each column is filled from the top before the next one begins.
enum LegendColumns {
  /// The rows of some lines in some columns.
  static func rows(_ count: Int, columns: Int) -> Int {
    let columns = max(1, columns)
    return count / columns + (count % columns == 0 ? 0 : 1)
  }

  /// The places of lines in a list: below each other, or in two columns where that is too long.
  ///
  /// A heading then stands above both columns, as long as all lines have room.
  ///
  /// - Parameter areHeadings: whether each line is a heading.
  /// - Returns: one row for each line; empty ones for those without room.
  static func places(_ areHeadings: [Bool], in list: CellRect) -> [CellRect] {
    let count = areHeadings.count
    if count <= list.rows {
      return (0..<count).map { row($0, of: list, column: 0, width: list.columns) }
    }
    let width = list.columns / 2
    var places: [CellRect] = []
    var top = 0
    while places.count < count {
      if areHeadings[places.count] {
        places.append(row(top, of: list, column: 0, width: list.columns))
        top += 1
      } else {
        let rest = areHeadings[places.count...]
        let run = rest.firstIndex(of: true).map { $0 - places.count } ?? rest.count
        let rows = rows(run, columns: 2)
        for index in 0..<run {
          places.append(row(top + index % rows, of: list, column: index / rows, width: width))
        }
        top += rows
      }
    }
    if top <= list.rows { return places }
    let rows = min(rows(count, columns: 2), max(1, list.rows))
    return (0..<count).map { index in
      index / rows < 2
        ? row(index % rows, of: list, column: index / rows, width: width)
        : CellRect(column: list.column, row: list.row, columns: 0, rows: 0)
    }
  }

  private static func row(
    _ row: Int, of list: CellRect, column: Int, width: Int
  ) -> CellRect {
    CellRect(
      column: list.column + column * width, row: list.row + row, columns: width,
      rows: row < list.rows ? 1 : 0)
  }
}

extension [LegendEntry] {
  /// Tells the marks of a dimension that are shown and all of them, unless all are shown.
  mutating func tell(_ count: (shown: Int, all: Int)?, dimension: Int) {
    guard let count, count.shown < count.all,
      let first = firstIndex(where: { $0.dimension == dimension })
    else { return }
    self[first].shown = "\(Figures.grouped(count.shown)) of \(Figures.grouped(count.all))"
  }
}
