/// An axis-parallel rectangle in the units of its coordinates; both ends belong to it.
package struct Box: Hashable, Sendable {
  package var minX: Double
  package var minY: Double
  package var maxX: Double
  package var maxY: Double

  package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// The empty box: the neutral element of `union`.
  package static let empty = Box(
    minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)

  /// Whether it contains no coordinate.
  package var isEmpty: Bool { !(minX <= maxX && minY <= maxY) }
  package var width: Double { isEmpty ? 0 : maxX - minX }
  package var height: Double { isEmpty ? 0 : maxY - minY }
  package var center: Coordinate { Coordinate(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }

  package func contains(_ point: Coordinate) -> Bool {
    point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
  }

  package func intersects(_ other: Box) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }

  package func union(_ other: Box) -> Box {
    Box(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  /// Grows the box to contain another; of equal ends its own stays, whatever the sign of a zero.
  mutating func formUnion(_ other: Box) {
    if other.minX < minX { minX = other.minX }
    if other.minY < minY { minY = other.minY }
    if other.maxX > maxX { maxX = other.maxX }
    if other.maxY > maxY { maxY = other.maxY }
  }

  /// Grows the box to contain some of the vertices of an array of x0 y0 x1 y1 …, as above.
  ///
  /// - Precondition: the array has them.
  @inline(__always)
  mutating func formUnion(_ vertices: Range<Int>, of numbers: UnsafeBufferPointer<Double>) {
    var (minX, minY, maxX, maxY) = (minX, minY, maxX, maxY)
    for vertex in vertices {
      let (x, y) = (numbers[2 &* vertex], numbers[2 &* vertex &+ 1])
      guard (x - x) + (y - y) == 0 else { continue }
      // Without branches.
      minX = x < minX ? x : minX
      maxX = x > maxX ? x : maxX
      minY = y < minY ? y : minY
      maxY = y > maxY ? y : maxY
    }
    self = Box(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }

  /// Grows the box to contain a point; coordinates that are not finite are ignored.
  package mutating func formUnion(_ point: Coordinate) {
    guard point.x.isFinite && point.y.isFinite else { return }
    if point.x < minX { minX = point.x }
    if point.x > maxX { maxX = point.x }
    if point.y < minY { minY = point.y }
    if point.y > maxY { maxY = point.y }
  }
}
