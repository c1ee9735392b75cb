/// A column laid out for conditions on all its rows at once.
///
/// Making one costs as much as one such condition; each further one takes a fraction of that.
package enum ColumnVector: Sendable {
  /// Numbers that doubles hold exactly, NaN where there is none.
  case numbers([Double])
  /// Few different texts: of each row the number of its text, from 1, and 0 where there is none;
  /// and where each text stands in the bytes of the column.
  case texts([UInt8], places: [Range<Int>])
  /// Values of several types, many texts, or numbers beyond those of doubles.
  case other

  /// So many different texts are few.
  private static let textsMax = 32

  /// - Complexity: O(rows).
  package init(_ column: PackedColumn) {
    var vector: ColumnVector?
    if column.types == .number { vector = Self.numbers(column) }
    if column.types == .text { vector = Self.texts(column) }
    self = vector ?? .other
  }

  private static func numbers(_ column: PackedColumn) -> ColumnVector? {
    var isExact = true
    let numbers = [Double](unsafeUninitializedCapacity: column.kinds.count) { room, count in
      count = column.kinds.count
      column.eachText { row, kind, text in
        guard kind == PackedColumn.Kind.number else {
          room[row] = .nan
          return
        }
        let number = Number.short(text) ?? Number(text)?.exactDouble
        if number == nil { isExact = false }
        room[row] = number ?? .nan
      }
    }
    return isExact ? .numbers(numbers) : nil
  }

  private static func texts(_ column: PackedColumn) -> ColumnVector? {
    var places: [Range<Int>] = []
    var codes = [UInt8](repeating: 0, count: column.kinds.count)
    let areFew = column.bytes.withUnsafeBufferPointer { bytes in
      func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count
          && bytes[one].elementsEqual(bytes[other])
      }
      for (row, kind) in column.kinds.enumerated() where kind >= PackedColumn.Kind.text {
        let range = column.range(row)
        if let known = places.firstIndex(where: { isSame($0, range) }) {
          codes[row] = UInt8(truncatingIfNeeded: known + 1)
        } else if places.count < textsMax {
          places.append(range)
          codes[row] = UInt8(truncatingIfNeeded: places.count)
        } else {
          return false
        }
      }
      return true
    }
    return areFew ? .texts(codes, places: places) : nil
  }
}

/// Truths of numbers that stand side by side, a byte each as `Truth` has it.
///
/// The loops test without branches and store as wide as the numbers are: so compilers make vector
/// instructions of them.
enum NumberTruths {
  private static let yes = UInt64(Truth.yes.rawValue)
  private static let unknown = UInt64(Truth.unknown.rawValue)

  static func of(_ numbers: [Double], _ sign: ComparisonSign, _ wanted: Double) -> [UInt8] {
    switch sign {
    case .equal: made(numbers) { $0 == wanted ? yes : 0 }
    case .unequal: made(numbers) { ($0 < wanted ? yes : 0) | ($0 > wanted ? yes : 0) }
    case .less: made(numbers) { $0 < wanted ? yes : 0 }
    case .lessOrEqual: made(numbers) { $0 <= wanted ? yes : 0 }
    case .greater: made(numbers) { $0 > wanted ? yes : 0 }
    case .greaterOrEqual: made(numbers) { $0 >= wanted ? yes : 0 }
    }
  }

  /// Compares two columns row by row.
  static func of(_ left: [Double], _ sign: ComparisonSign, _ right: [Double]) -> [UInt8] {
    zip(left, right).map { left, right in
      if left.isNaN || right.isNaN { return Truth.unknown.rawValue }
      return Truth(sign.holds(left < right ? -1 : left == right ? 0 : 1)).rawValue
    }
  }

  /// The results of a sign between two columns; `nil` if one of them is not the same as between
  /// exact numbers, or is none.
  static func computed(
    _ left: [Double], _ sign: ArithmeticSign, _ right: [Double]
  ) -> [Double]? {
    switch sign {
    case .plus: exact(left, right, +)
    case .minus: exact(left, right, -)
    case .times: exact(left, right, *)
    case .over: right.contains(0) ? nil : exact(left, right, /)
    case .modulo: right.contains(0) ? nil : exact(left, right, remainder)
    }
  }

  /// A whole number below 2^53 is exact as a double, and so is a result that comes to one.
  @inline(__always)
  private static func exact(
    _ left: [Double], _ right: [Double], _ compute: (Double, Double) -> Double
  ) -> [Double]? {
    let results = zip(left, right).map { compute($0, $1) }
    return results.contains { $0.magnitude >= 0x1p53 } ? nil : results
  }

  @inline(__always)
  private static func remainder(_ left: Double, _ right: Double) -> Double {
    // Numbers of 32 bits are divided as whole ones, which takes a fraction of the time.
    if let left = Int32(exactly: left), let right = Int32(exactly: right) {
      return Double(Int64(left) % Int64(right))
    }
    return left.truncatingRemainder(dividingBy: right)
  }

  static func of(_ numbers: [Double], from least: Double, to greatest: Double) -> [UInt8] {
    made(numbers) { ($0 >= least ? yes : 0) & ($0 <= greatest ? yes : 0) }
  }

  static func of(_ numbers: [Double], among listed: [Double]) -> [UInt8] {
    guard let first = listed.first else { return made(numbers) { _ in 0 } }
    var found = of(numbers, .equal, first)
    for other in listed.dropFirst() { join(&found, of(numbers, .equal, other)) { max($0, $1) } }
    return found
  }

  /// Joins truths row by row.
  @inline(__always)
  static func join(_ found: inout [UInt8], _ next: [UInt8], _ join: (UInt8, UInt8) -> UInt8) {
    found.withUnsafeMutableBufferPointer { found in
      next.withUnsafeBufferPointer { next in
        for row in 0..<min(found.count, next.count) { found[row] = join(found[row], next[row]) }
      }
    }
  }

  @inline(__always)
  private static func made(_ numbers: [Double], _ truth: (Double) -> UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: numbers.count) { room, count in
      count = numbers.count
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { wide in
        numbers.withUnsafeBufferPointer { numbers in
          for row in numbers.indices {
            let number = numbers[row]
            wide[row] = truth(number) | (number != number ? unknown : 0)
          }
          for row in numbers.indices { room[row] = UInt8(truncatingIfNeeded: wide[row]) }
        }
      }
    }
  }

  /// The rows that are true, rising, and how many are unknown.
  static func rows(_ truths: [UInt8]) -> (rows: [Int], unknown: Int) {
    var unknown = 0
    let rows = [Int](unsafeUninitializedCapacity: truths.count) { room, count in
      var found = 0
      func look(_ row: Int, _ truth: UInt8) {
        unknown += truth == Truth.unknown.rawValue ? 1 : 0
        // Without a branch: the place is written again unless the row counts.
        room[found] = row
        found += truth == Truth.yes.rawValue ? 1 : 0
      }
      truths.withUnsafeBytes { truths in
        var row = 0
        while row + 8 <= truths.count {
          let eight = truths.loadUnaligned(fromByteOffset: row, as: UInt64.self)
          if eight != 0 { for next in row..<row + 8 { look(next, truths[next]) } }
          row += 8
        }
        while row < truths.count {
          look(row, truths[row])
          row += 1
        }
      }
      count = found
    }
    return (rows, unknown)
  }
}
