import PortolanDocuments
import PortolanTerminals
import PortolanTexts

/// The places of a table's cells on the screen: the cursor is always among them.
struct TableLayout {
  /// The columns before the cells: the cursor's row, marks, a blank.
  static let margin = 3
  private static let gap = 2
  private static let (narrowest, usualWidest) = (3, 32)

  struct Cell {
    /// The index among the shown columns.
    var index: Int
    /// On the screen; the last one may be cut.
    var columns: Range<Int>
  }

  private(set) var cells: [Cell] = []
  /// The column of the rule behind the frozen columns.
  private(set) var rule: Int?
  /// The first row, and the number of rows that there is room for.
  let top: Int
  let rowCount: Int
  /// The first column that scrolls.
  private(set) var left: Int
  let rect: CellRect

  init(_ pane: TablePane, _ table: TableScope, in rect: CellRect) {
    self.rect = rect
    rowCount = max(1, rect.rows - 1)
    let lowest = max(0, table.rows.count - rowCount)
    top = min(max(0, min(pane.top, table.row), table.row - rowCount + 1), max(lowest, 0))
    let count = table.columns.count
    let end = rect.column + rect.columns
    let widest = Self.widest(pane, table, in: rect)
    var frozen = min(max(0, pane.frozen), count)
    var column = rect.column + Self.margin
    for index in 0..<frozen {
      let width = Self.width(table.columns[index], pane, table, widest)
      // The frozen columns leave a third of the room to the others.
      guard column + width <= rect.column + rect.columns * 2 / 3 else {
        frozen = index
        break
      }
      cells.append(Cell(index: index, columns: column..<column + width))
      column += width + Self.gap
    }
    if frozen > 0 {
      rule = column - 1
      column += 1
    }
    left = min(max(pane.left, frozen), max(frozen, count - 1))
    if table.column >= frozen, count > 0 {
      left = min(left, table.column)
      var room = end - column - Self.width(table.columns[table.column], pane, table, widest)
      var first = table.column
      while first > left {
        room -= Self.width(table.columns[first - 1], pane, table, widest) + Self.gap
        if room < 0 { break }
        first -= 1
      }
      left = first
    }
    for index in left..<max(left, count) {
      guard column < end else { break }
      let width = min(Self.width(table.columns[index], pane, table, widest), end - column)
      cells.append(Cell(index: index, columns: column..<column + width))
      column += width + Self.gap
    }
  }

  /// The width that a person chose, or that of the values, at most `widest`.
  private static func width(
    _ column: TableColumn, _ pane: TablePane, _ table: TableScope, _ widest: Int
  ) -> Int {
    if column.width > 0 { return column.width }
    let values = pane.memory.facts(of: column.source, in: table.layer).width
    let title = DisplayWidth.of(column.source.title) + 2
    return min(max(values, title, narrowest), widest)
  }

  /// The width of a column on the screen.
  static func width(
    _ column: TableColumn, _ pane: TablePane, _ table: TableScope, in rect: CellRect
  ) -> Int {
    width(column, pane, table, widest(pane, table, in: rect))
  }

  /// The greatest width that columns have of themselves: any, if there is room for all of them.
  private static func widest(
    _ pane: TablePane, _ table: TableScope, in rect: CellRect
  ) -> Int {
    var room = rect.columns - margin - 1 + gap
    for column in table.columns {
      room -= width(column, pane, table, .max) + gap
      if room < 0 { return usualWidest }
    }
    return .max
  }

  /// The shown column at a column of the screen.
  func column(at column: Int) -> Int? { cells.first { $0.columns.contains(column) }?.index }

  /// The area of a cell; `nil` if it is not on the screen.
  func area(row: Int, column: Int) -> CellRect? {
    guard row >= top, row < top + rowCount, let cell = cells.first(where: { $0.index == column })
    else { return nil }
    return CellRect(
      column: cell.columns.lowerBound, row: rect.row + 1 + row - top, columns: cell.columns.count,
      rows: 1)
  }
}
