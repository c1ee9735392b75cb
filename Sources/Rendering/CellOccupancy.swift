/// The cells with a label, and those of signs that no label may cover.
struct CellOccupancy {
  private let columns: Int
  private let words: Int
  private var signs: [UInt64]
  private var labels: [UInt64]
  /// The cells of labels in spaced capitals, of which others keep farther off.
  private var spaced: [UInt64]
  /// The cells of something that is no text of the map.
  private var walls: [UInt64]

  init(columns: Int, rows: Int) {
    self.columns = columns
    words = (columns + 63) / 64
    signs = [UInt64](repeating: 0, count: words * rows)
    (labels, spaced, walls) = (signs, signs, signs)
  }

  /// Keeps the cell of a labelled point's sign free of other labels.
  mutating func addSign(column: Int, row: Int) { set(&signs, column, row) }

  mutating func addLabel(column: Int, row: Int, columns: Int, isSpaced: Bool = false) {
    for column in column..<(column + columns) {
      set(&labels, column, row)
      if isSpaced { set(&spaced, column, row) }
    }
  }

  /// Takes cells of which labels keep a cell off.
  mutating func addWall(column: Int, row: Int, columns: Int) {
    for column in column..<(column + columns) { set(&walls, column, row) }
  }

  func hasLabel(column: Int, row: Int) -> Bool {
    has(labels, column, row) || has(walls, column, row)
  }

  /// Whether a label ends within two cells of one.
  func hasLabel(near column: Int, row: Int, step: Int) -> Bool {
    has(labels, column + step, row) || has(labels, column + 2 * step, row)
  }

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

  /// Whether a run of cells has neither, and two blanks at each end before other labels.
  ///
  /// - Parameter isSpaced: whether spaced capitals are meant, which have three blanks.
  func isFree(column: Int, row: Int, columns: Int, isSpaced: Bool = false) -> Bool {
    let last = column + columns - 1
    for (away, bits) in [(1, walls), (2, labels), (3, isSpaced ? labels : spaced)] {
      for step in 1...away where has(bits, column - step, row) || has(bits, last + step, row) {
        return false
      }
    }
    for column in column..<(column + columns)
    where hasLabel(column: column, row: row) || has(signs, column, row) {
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
