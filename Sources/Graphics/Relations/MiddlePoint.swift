/// A point for exact comparisons: a position, or the middle between two, which may be no position
/// in doubles.
struct MiddlePoint {
  let first: Coordinate
  let second: Coordinate
  private let x: (sum: Double, rest: Double)
  private let y: (sum: Double, rest: Double)

  init(_ first: Coordinate, _ second: Coordinate) {
    (self.first, self.second) = (first, second)
    x = Self.sum(first.x, second.x)
    y = Self.sum(first.y, second.y)
  }

  init(_ place: Coordinate) { self.init(place, place) }

  /// About where it is.
  var place: Coordinate { Coordinate(x: x.sum / 2, y: y.sum / 2) }

  /// The point some turns of the globe to the east.
  func moved(_ turns: Int) -> MiddlePoint {
    if turns == 0 { return self }
    return MiddlePoint(first.moved(turns), second.moved(turns))
  }

  /// The sign of x less a number.
  @inline(__always) func orderX(_ number: Double) -> Int { Self.order(x, 2 * number) }

  /// The sign of y less a number.
  @inline(__always) func orderY(_ number: Double) -> Int { Self.order(y, 2 * number) }

  /// The side of a line, as `Orientation` has it.
  @inline(__always) func side(from a: Coordinate, to b: Coordinate) -> Int {
    first == second
      ? Orientation.side(of: first, from: a, to: b)
      : Orientation.side(ofMiddle: first, second, from: a, to: b)
  }

  /// Whether it lies in a box, its edges included.
  func isIn(_ box: Box) -> Bool {
    orderX(box.minX) >= 0 && orderX(box.maxX) <= 0 && orderY(box.minY) >= 0
      && orderY(box.maxY) <= 0
  }

  /// A sum and what rounding takes off it.
  private static func sum(_ a: Double, _ b: Double) -> (sum: Double, rest: Double) {
    let sum = a + b
    let part = sum - a
    return (sum, (a - (sum - part)) + (b - part))
  }

  @inline(__always)
  private static func order(_ sum: (sum: Double, rest: Double), _ number: Double) -> Int {
    if sum.sum != number { return sum.sum < number ? -1 : 1 }
    return sum.rest == 0 ? 0 : sum.rest < 0 ? -1 : 1
  }
}

extension Coordinate {
  /// The position some turns of the globe to the east.
  func moved(_ turns: Int) -> Coordinate {
    turns == 0 ? self : Coordinate(x: x + 360 * Double(turns), y: y)
  }
}
