/// The side of a line on which a point lies, without rounding errors.
package enum Orientation {
  /// The sign of the area of the triangle a, b, p: 1 if p lies left of the way from a to b (y
  /// pointing up), -1 if right, 0 if on the line.
  ///
  /// Exact for all finite coordinates whose products neither overflow nor underflow; beyond
  /// 1e150 they are scaled down first. 0 where a coordinate is not finite.
  ///
  /// - Complexity: O(1); some nanoseconds unless p is within rounding of the line.
  package static func side(of p: Coordinate, from a: Coordinate, to b: Coordinate) -> Int {
    let left = (b.x - a.x) * (p.y - a.y)
    let right = (b.y - a.y) * (p.x - a.x)
    let area = left - right
    // The bound of Shewchuk's "Adaptive Precision Floating-Point Arithmetic" (1997), section 4.4.
    let bound = (abs(left) + abs(right)) * (3 + 8 * .ulpOfOne) * (.ulpOfOne / 2)
    if area > bound { return 1 }
    if area < -bound { return -1 }
    return exactSide(of: p, from: a, to: b)
  }

  /// The side of the line on which the middle between two points lies, exact as
  /// ``side(of:from:to:)``.
  package static func side(
    ofMiddle p: Coordinate, _ q: Coordinate, from a: Coordinate, to b: Coordinate
  ) -> Int {
    let (first, second) = (side(of: p, from: a, to: b), side(of: q, from: a, to: b))
    if first * second >= 0 { return first == 0 ? second : first }
    let numbers = [p.x, p.y, q.x, q.y, a.x, a.y, b.x, b.y]
    guard numbers.allSatisfy({ abs($0) <= 1e150 }) else {
      return side(of: Coordinate(x: p.x / 2 + q.x / 2, y: p.y / 2 + q.y / 2), from: a, to: b)
    }
    var sum = ExactSum()
    sum.add(triangle: p, a, b)
    sum.add(triangle: q, a, b)
    return sum.sign
  }

  private static func exactSide(of p: Coordinate, from a: Coordinate, to b: Coordinate) -> Int {
    let numbers = [p.x, p.y, a.x, a.y, b.x, b.y]
    guard numbers.allSatisfy(\.isFinite) else { return 0 }
    if numbers.contains(where: { abs($0) > 1e150 }) {
      let scale = 0x1p-600
      return exactSide(
        of: Coordinate(x: p.x * scale, y: p.y * scale),
        from: Coordinate(x: a.x * scale, y: a.y * scale),
        to: Coordinate(x: b.x * scale, y: b.y * scale))
    }
    var sum = ExactSum()
    sum.add(triangle: p, a, b)
    return sum.sign
  }

  /// A sum of doubles without rounding: parts that do not overlap, smallest first.
  private struct ExactSum {
    private var parts: [Double] = []

    /// Adds twice the area of the triangle a, b, p:
    /// (b.x - a.x) (p.y - a.y) - (b.y - a.y) (p.x - a.x), multiplied out; a.x a.y cancels.
    mutating func add(triangle p: Coordinate, _ a: Coordinate, _ b: Coordinate) {
      add(b.x, times: p.y)
      add(-b.x, times: a.y)
      add(-a.x, times: p.y)
      add(-b.y, times: p.x)
      add(b.y, times: a.x)
      add(a.y, times: p.x)
    }

    /// Adds a product; its rounding error becomes a part of its own.
    mutating func add(_ x: Double, times y: Double) {
      let product = x * y
      add((-product).addingProduct(x, y))
      add(product)
    }

    private mutating func add(_ number: Double) {
      var carry = number
      var kept: [Double] = []
      for part in parts {
        let sum = carry + part
        let share = sum - carry
        let rest = (carry - (sum - share)) + (part - share)
        if rest != 0 { kept.append(rest) }
        carry = sum
      }
      kept.append(carry)
      parts = kept
    }

    var sign: Int {
      guard let last = parts.last(where: { $0 != 0 }) else { return 0 }
      return last > 0 ? 1 : -1
    }
  }
}
