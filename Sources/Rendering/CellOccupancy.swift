/// The cells with a label, and those of signs that no label may cover.
struct CellOccupancy {
  private let columns: Int
  private let words: Int
  private var signs: [UInt64]
  private var labels: [UInt64]

  init(columns: Int, rows: Int) {
    self.columns = columns
    words = (columns + 63) / 64
    signs = [UInt64](repeating: 0, count: words * rows)
    labels = signs
  }

  /// Keeps the cell of a labelled point's sign free of other labels.
  mutating func addSign(column: Int, row: Int) { set(&signs, column, row) }

  mutating func addLabel(column: Int, row: Int, columns: Int) {
    for column in column..<(column + columns) { set(&labels, column, row) }
  }

  func hasLabel(column: Int, row: Int) -> Bool { has(labels, column, row) }

  func hasSign(column: Int, row: Int) -> Bool { has(signs, column, row) }

  /// Whether no label is in some rows above and below a run of cells, ends included, nor as many
  /// cells beyond the free ones at its ends.
  func isClear(column: Int, row: Int, columns: Int, rows: Int) -> Bool {
    for away in 1..<(rows + 1)
    where has(labels, column - 1 - away, row) || has(labels, column + columns + away, row) {
      return false
    }
    for away in 1..<(rows + 1) {
      for column in (column - 1)...(column + columns)
      where has(labels, column, row - away) || has(labels, column, row + away) {
        return false
      }
    }
    return true
  }

  /// Whether a run of cells has neither, and no label touches its ends.
  func isFree(column: Int, row: Int, columns: Int) -> Bool {
    if has(labels, column - 1, row) || has(labels, column + columns, row) { return false }
    for column in column..<(column + columns)
    where has(labels, column, row) || has(signs, column, row) {
      return false
    }
    return true
  }

  private func has(_ bits: [UInt64], _ column: Int, _ row: Int) -> Bool {
    guard column >= 0, column < columns, row >= 0, row * words < bits.count else { return false }
    return bits[row * words + column >> 6] >> UInt64(column & 63) & 1 == 1
  }

  private func set(_ bits: inout [UInt64], _ column: Int, _ row: Int) {
    guard column >= 0, column < columns, row >= 0, row * words < bits.count else { return }
    bits[row * words + column >> 6] |= 1 << UInt64(column & 63)
  }
}
