/// The cells with a label, and those of signs that no label may cover.
struct CellOccupancy {
  private let columns: Int
  private let words: Int
  private var signs: [UInt64]
  private var labels: [UInt64]
  /// The cells of labels in spaced capitals, of which others keep farther off.
  private var spaced: [UInt64]
  /// The cells of the most important points that have no label yet.
  private var wanted: [UInt64]
  /// The cells of something that is no text of the map.
  private var walls: [UInt64]

  init(columns: Int, rows: Int) {
    self.columns = columns
    words = (columns + 63) / 64
    signs = [UInt64](repeating: 0, count: words * rows)
    (labels, spaced, wanted, walls) = (signs, signs, signs, signs)
  }

  /// Keeps the cell of a labelled point's sign free of other labels, or frees it.
  mutating func setSign(_ isKept: Bool, column: Int, row: Int) { set(&signs, column, row, isKept) }

  mutating func addLabel(column: Int, row: Int, columns: Int, isSpaced: Bool = false) {
    for column in column..<(column + columns) {
      set(&labels, column, row)
      if isSpaced { set(&spaced, column, row) }
    }
  }

  mutating func removeLabel(column: Int, row: Int, columns: Int) {
    for column in column..<(column + columns) {
      set(&labels, column, row, false)
      set(&spaced, column, row, false)
    }
  }

  /// Takes cells of which labels keep a cell off.
  mutating func addWall(column: Int, row: Int, columns: Int) {
    for column in column..<(column + columns) { set(&walls, column, row) }
  }

  func hasLabel(column: Int, row: Int) -> Bool {
    has(labels, column, row) || has(walls, column, row)
  }

  /// Whether a label is in a cell, and no wall alone.
  func hasText(column: Int, row: Int) -> Bool { has(labels, column, row) }

  /// Whether a label ends within two cells of one.
  func hasLabel(near column: Int, row: Int, step: Int) -> Bool {
    has(labels, column + step, row) || has(labels, column + 2 * step, row)
  }

  func hasSign(column: Int, row: Int) -> Bool { has(signs, column, row) }

  /// Whether other labels keep off a cell where they can.
  func isWanted(column: Int, row: Int) -> Bool { has(wanted, column, row) }

  /// Keeps the cell of an important point that has no label yet, or frees it.
  mutating func setWanted(_ isWanted: Bool, column: Int, row: Int) {
    set(&wanted, column, row, isWanted)
  }

  /// Whether some cells beyond the free ones at the ends of a run have no label.
  func hasClearEnds(column: Int, row: Int, columns: Int, cells: Int) -> Bool {
    let end = column + columns
    return cells <= 0
      || !hasAny(labels, (column - 1 - cells)..<(column - 1), row)
        && !hasAny(labels, (end + 1)..<(end + 1 + cells), row)
  }

  /// Whether no label is in some rows above and below a run of cells, ends included.
  func hasClearRows(column: Int, row: Int, columns: Int, rows: Int) -> Bool {
    guard rows > 0 else { return true }
    let end = column + columns
    return !(1...rows).contains { away in
      hasAny(labels, (column - 1)..<(end + 1), row - away)
        || hasAny(labels, (column - 1)..<(end + 1), row + away)
    }
  }

  /// Whether a run of cells has neither, and two blanks at each end before other labels.
  ///
  /// - Parameter isSpaced: whether spaced capitals are meant, which have three blanks.
  func isFree(column: Int, row: Int, columns: Int, isSpaced: Bool = false) -> Bool {
    let end = column + columns
    let away = isSpaced ? 3 : 2
    return !hasAny(labels, (column - away)..<(end + away), row)
      && !hasAny(walls, (column - 1)..<(end + 1), row)
      && !hasAny(spaced, (column - 3)..<(end + 3), row)
      && !hasAny(signs, column..<end, row)
  }

  /// Whether a row has any of some cells; those beyond the map count as free.
  private func hasAny(_ bits: [UInt64], _ cells: Range<Int>, _ row: Int) -> Bool {
    let (first, end) = (max(0, cells.lowerBound), min(columns, cells.upperBound))
    guard first < end, row >= 0, row * words < bits.count else { return false }
    for word in (first >> 6)...((end - 1) >> 6) {
      var mask = UInt64.max
      if word == first >> 6 { mask &= .max << UInt64(first & 63) }
      if word == (end - 1) >> 6 { mask &= .max >> UInt64(63 - (end - 1) & 63) }
      if bits[row * words + word] & mask != 0 { return true }
    }
    return false
  }

  private func has(_ bits: [UInt64], _ column: Int, _ row: Int) -> Bool {
    guard column >= 0, column < columns, row >= 0, row * words < bits.count else { return false }
    return bits[row * words + column >> 6] >> UInt64(column & 63) & 1 == 1
  }

  private func set(
    _ bits: inout [UInt64], _ column: Int, _ row: Int, _ isSet: Bool = true
  ) {
    guard column >= 0, column < columns, row >= 0, row * words < bits.count else { return }
    let bit: UInt64 = 1 << UInt64(column & 63)
    if isSet {
      bits[row * words + column >> 6] |= bit
    } else {
      bits[row * words + column >> 6] &= ~bit
    }
  }
}
