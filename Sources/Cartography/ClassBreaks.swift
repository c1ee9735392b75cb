/// A method that finds the bounds of classes of numbers.
package enum BreakMethod: String, Hashable, Sendable, CaseIterable {
  /// About as many features in each class.
  case quantile
  /// Classes of equal width.
  case equal
  /// The least sum of squared distances from the means of the classes: natural breaks (Jenks 1967,
  /// by Fisher's exact method, 1958).
  case jenks

  /// The most different numbers times classes that `jenks` takes: about 128 MB.
  package static let jenksLimit = 32_000_000

  /// The rising bounds of at most so many classes, without progress.
  package func bounds(of numbers: [Double], classes count: Int) -> [Double]? {
    bounds(of: numbers, classes: count) { _ in }
  }

  /// The rising bounds of at most so many classes: fewer where numbers are equal.
  ///
  /// - Parameters:
  ///   - numbers: finite, rising.
  ///   - report: told the part that is done, from 0 to 1, by `jenks` alone; what it throws ends the
  ///     work.
  /// - Returns: one bound more than classes, from the least number to the greatest; `nil` without
  ///   numbers, or if there are too many of them for the method.
  /// - Complexity: O(n); `jenks` O(n log n) for each class.
  package func bounds(
    of numbers: [Double], classes count: Int, _ report: (Double) throws -> Void
  ) rethrows -> [Double]? {
    guard let first = numbers.first, let last = numbers.last, count > 0 else { return nil }
    var bounds: [Double]
    switch self {
    case .quantile:
      bounds = (0..<count).map { numbers[$0 * numbers.count / count] }
    case .equal:
      let step = last / Double(count) - first / Double(count)
      bounds = (0..<count).map { first + Double($0) * step }
    case .jenks:
      guard let breaks = try NaturalBreaks(numbers, count: count, report) else { return nil }
      bounds = breaks.starts
    }
    bounds[0] = first
    var rising: [Double] = []
    for bound in bounds where rising.last.map({ $0 < bound }) ?? true {
      if bound < last || rising.isEmpty { rising.append(bound) }
    }
    // A last class of one number keeps it: the bounds of the class are both the number.
    if self == .quantile || self == .jenks, bounds.last == last, rising.last != last {
      rising.append(last)
    }
    return rising + [last]
  }
}

/// The division of numbers into classes with the least sum of squared distances from their means.
///
/// The cost of the best division of the first i numbers into k classes follows from those into
/// k - 1 (Fisher); the place of its last break rises with i, so the best places of one k are found
/// by halves.
private struct NaturalBreaks {
  /// The least number of each class.
  private(set) var starts: [Double] = []
  private let values: [Double]
  /// Sums over the first i numbers: how many, of the distances from the mean, of their squares.
  private var weights: [Double] = [0]
  private var sums: [Double] = [0]
  private var squares: [Double] = [0]

  /// - Parameter numbers: finite, rising, not empty.
  init?(_ numbers: [Double], count: Int, _ report: (Double) throws -> Void) rethrows {
    // The middle of all keeps the sums small; scaled, no square overflows.
    let middle = numbers[0] / 2 + numbers[numbers.count - 1] / 2
    let scale = max(numbers[numbers.count - 1] / 2 - numbers[0] / 2, .leastNormalMagnitude)
    var values: [Double] = []
    for number in numbers {
      let place = (number / 2 - middle / 2) / scale
      if values.last == number {
        weights[values.count] += 1
        sums[values.count] += place
        squares[values.count] += place * place
      } else {
        values.append(number)
        weights.append((weights.last ?? 0) + 1)
        sums.append((sums.last ?? 0) + place)
        squares.append((squares.last ?? 0) + place * place)
      }
    }
    self.values = values
    let classes = min(count, values.count)
    guard
      values.count.multipliedReportingOverflow(by: classes).partialValue
        <= BreakMethod.jenksLimit
    else { return nil }
    var costs = (0...values.count).map { cost(0, $0) }
    var breaks: [[Int32]] = []
    for number in stride(from: 2, through: classes, by: 1) {
      var next = [Double](repeating: .infinity, count: values.count + 1)
      var places = [Int32](repeating: 0, count: values.count + 1)
      try solve(
        number..<(values.count + 1), number - 1, values.count, costs, &next, &places
      ) { try report((Double(number - 2) + $0) / Double(max(1, classes - 1))) }
      costs = next
      breaks.append(places)
    }
    var end = values.count
    for places in breaks.reversed() {
      end = Int(places[end])
      starts.append(values[end])
    }
    starts.append(values[0])
    starts.reverse()
  }

  /// The cost of one class of the different numbers from `low` up to `high`, without it.
  private func cost(_ low: Int, _ high: Int) -> Double {
    let weight = weights[high] - weights[low]
    guard weight > 0 else { return 0 }
    let sum = sums[high] - sums[low]
    return max(0, squares[high] - squares[low] - sum * sum / weight)
  }

  /// Finds the best last breaks of the first i numbers for all i of a range; they lie between two
  /// known ones.
  private func solve(
    _ range: Range<Int>, _ least: Int, _ most: Int, _ former: [Double], _ next: inout [Double],
    _ places: inout [Int32], _ report: (Double) throws -> Void
  ) rethrows {
    var tasks = [(range, least, most)]
    var done = 0
    while let (range, least, most) = tasks.popLast() {
      if range.isEmpty { continue }
      if done.isMultiple(of: 4096) { try report(Double(done) / Double(values.count)) }
      done += 1
      let middle = (range.lowerBound + range.upperBound) / 2
      var best = least
      for place in least...max(least, min(most, middle - 1)) {
        let cost = former[place] + cost(place, middle)
        if cost < next[middle] {
          next[middle] = cost
          best = place
        }
      }
      places[middle] = Int32(truncatingIfNeeded: best)
      tasks.append((range.lowerBound..<middle, least, best))
      tasks.append(((middle + 1)..<range.upperBound, best, most))
    }
  }
}
