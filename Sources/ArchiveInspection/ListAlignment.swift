/// Aligns two lists by their numbers: pairs of places, one of which may be missing.
///
/// The way is that of Myers ("An O(ND) difference algorithm", 1986): its work grows with the number
/// of changes and not with the product of the lengths.
enum ListAlignment {
  /// How many changes are looked for; lists with more are paired in their order.
  private static let changesMax = 2_000
  /// How many comparisons this may take.
  private static let workMax = 100_000_000

  static func pairs(_ first: [UInt64], _ second: [UInt64]) -> [(first: Int?, second: Int?)] {
    var start = 0
    while start < min(first.count, second.count), first[start] == second[start] { start += 1 }
    var tail = 0
    while tail < min(first.count, second.count) - start,
      first[first.count - 1 - tail] == second[second.count - 1 - tail]
    {
      tail += 1
    }
    var pairs: [(first: Int?, second: Int?)] = (0..<start).map { ($0, $0) }
    let rows = start..<first.count - tail
    let columns = start..<second.count - tail
    if let middle = middle(first[rows], second[columns]) {
      pairs += middle
    } else {
      pairs += gap(Array(rows), Array(columns))
    }
    pairs += (0..<tail).map { (first.count - tail + $0, second.count - tail + $0) }
    return pairs
  }

  /// A longest common part of what is left, and what stands between its elements; `nil` when there
  /// are too many changes.
  private static func middle(
    _ first: ArraySlice<UInt64>, _ second: ArraySlice<UInt64>
  ) -> [(first: Int?, second: Int?)]? {
    guard let trace = trace(first, second) else { return nil }
    // Backwards from the end of both: which places were passed together, and which in one only.
    var matches: [(first: Int, second: Int)] = []
    var (x, y) = (first.count, second.count)
    for changes in trace.indices.reversed() {
      let from = changes == 0 ? (x: 0, y: 0) : before(x - y, changes, trace[changes - 1])
      while x > from.x, y > from.y {
        (x, y) = (x - 1, y - 1)
        matches.append((first.startIndex + x, second.startIndex + y))
      }
      (x, y) = from
    }
    var pairs: [(first: Int?, second: Int?)] = []
    var (row, column) = (first.startIndex, second.startIndex)
    for match in matches.reversed() {
      pairs += gap(Array(row..<match.first), Array(column..<match.second))
      pairs.append(match)
      (row, column) = (match.first + 1, match.second + 1)
    }
    return pairs + gap(Array(row..<first.endIndex), Array(column..<second.endIndex))
  }

  /// How far each diagonal is reached with 0, 1, 2 … changes, up to the end of both lists.
  ///
  /// With `n` changes the diagonals are -n to n: how many elements more of the first list were
  /// passed than of the second. What is noted is the place in the first list.
  private static func trace(
    _ first: ArraySlice<UInt64>, _ second: ArraySlice<UInt64>
  ) -> [[Int32]]? {
    guard first.count < Int(Int32.max) / 2, second.count < Int(Int32.max) / 2 else { return nil }
    var trace: [[Int32]] = []
    var work = 0
    for changes in 0...min(changesMax, first.count + second.count) {
      var reached = [Int32](repeating: 0, count: 2 * changes + 1)
      for diagonal in stride(from: -changes, through: changes, by: 2) {
        var x = 0
        if let last = trace.last {
          let from = before(diagonal, changes, last)
          // A step along the first list, or along the second.
          x = from.x - from.y < diagonal ? from.x + 1 : from.x
        }
        let start = x
        while x < first.count, x - diagonal < second.count,
          first[first.startIndex + x] == second[second.startIndex + x - diagonal]
        {
          x += 1
        }
        work += x - start + 1
        reached[diagonal + changes] = Int32(truncatingIfNeeded: x)
        if x == first.count, x - diagonal == second.count { return trace + [reached] }
      }
      guard work <= workMax else { return nil }
      trace.append(reached)
    }
    return nil
  }

  /// The place from which a diagonal is reached farthest with one more change.
  private static func before(
    _ diagonal: Int, _ changes: Int, _ last: [Int32]
  ) -> (x: Int, y: Int) {
    // Places in `last`, which has one diagonal less on each side.
    let (lower, upper) = (diagonal - 1 + changes - 1, diagonal + 1 + changes - 1)
    let takesUpper =
      diagonal == -changes || (diagonal != changes && last[lower] < last[upper])
    let x = Int(last[takesUpper ? upper : lower])
    return (x, x - (takesUpper ? diagonal + 1 : diagonal - 1))
  }

  /// Elements that are not equal are paired in their order: they may be the same, changed.
  private static func gap(_ removed: [Int], _ added: [Int]) -> [(first: Int?, second: Int?)] {
    (0..<max(removed.count, added.count)).map { place in
      (
        place < removed.count ? removed[place] : nil, place < added.count ? added[place] : nil
      )
    }
  }
}
