/// A row and the rank of its value: a kind, and bits that order the values of a kind.
struct RankedRow {
  var bits: UInt64 = 0
  let row: UInt32
  var kind: UInt8 = 0

  init(row: UInt32) { self.row = row }

  func hasRank(of other: RankedRow) -> Bool { bits == other.bits && kind == other.kind }

  private func comes(before other: RankedRow) -> Bool {
    kind != other.kind ? kind < other.kind : bits < other.bits
  }

  /// From so many rows on, sorting by digits is faster than by comparisons.
  private static let leastForDigits = 1_024
  private static let leastForComparisons = 24

  /// Sorts some rows by their ranks; those of one rank keep their order.
  ///
  /// - Parameter report: called before each pass over many rows; what it throws ends the work.
  /// - Complexity: O(rows).
  static func sort(
    _ rows: inout [RankedRow], _ range: Range<Int>, _ report: () throws -> Void
  ) rethrows {
    if range.count < leastForComparisons { return insert(&rows, range) }
    if range.count < leastForDigits {
      let sorted = rows[range].enumerated().sorted { left, right in
        left.element.hasRank(of: right.element)
          ? left.offset < right.offset : left.element.comes(before: right.element)
      }
      return rows.replaceSubrange(range, with: sorted.lazy.map(\.element))
    }
    var counts = [Int](repeating: 0, count: digitCount * 256)
    for place in range {
      for digit in 0..<digitCount { counts[digit << 8 | rows[place].digit(digit)] += 1 }
    }
    var source = Array(rows[range])
    var target = source
    for digit in 0..<digitCount {
      let base = digit << 8
      // All rows have the same digit there.
      if counts[base | source[0].digit(digit)] == source.count { continue }
      try report()
      var start = 0
      for value in 0..<256 {
        let count = counts[base | value]
        counts[base | value] = start
        start += count
      }
      for row in source {
        let place = base | row.digit(digit)
        target[counts[place]] = row
        counts[place] += 1
      }
      swap(&source, &target)
    }
    rows.replaceSubrange(range, with: source)
  }

  /// The eight bytes of the bits from the least one on, and the kind.
  private static let digitCount = 9

  private func digit(_ number: Int) -> Int {
    number < 8 ? Int(truncatingIfNeeded: bits >> UInt64(8 * number)) & 0xFF : Int(kind)
  }

  private static func insert(_ rows: inout [RankedRow], _ range: Range<Int>) {
    for place in range.dropFirst() {
      let row = rows[place]
      var hole = place
      while hole > range.lowerBound, row.comes(before: rows[hole - 1]) {
        rows[hole] = rows[hole - 1]
        hole -= 1
      }
      rows[hole] = row
    }
  }
}
