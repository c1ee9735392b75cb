import PortolanGraphics

/// Arcs of circles as lines of short steps.
enum Arcs {
  /// The widest step, in degrees of the circle, as GDAL has it.
  private static let stepMax = 4.0
  /// The same of a file with very many arcs.
  private static let coarseStepMax = 45.0

  /// How many positions arcs may add, so that the size of a file bounds the memory that it takes.
  struct Room {
    fileprivate var left: Int
    /// Whether there are arcs of coarse steps, since no more positions were left.
    fileprivate(set) var isUsedUp = false

    /// That of an input of so many bytes: 64 MiB and 16 times its size.
    init(bytes: Int) { left = 4 << 20 + bytes }
  }

  /// The vertices of arcs, each through three of the given positions: its beginning, one on the
  /// way, and its end, where the next one begins. An arc that ends where it began is a circle, and
  /// the position on the way is opposite.
  ///
  /// - Parameters:
  ///   - pairs: x and y of the positions.
  ///   - heights: one for each position, or none; those between are in proportion to the way.
  /// - Returns: the given positions, and those between them.
  static func line(
    _ pairs: [Double], _ heights: [Double], _ room: inout Room
  ) -> (pairs: [Double], heights: [Double]) {
    let places = stride(from: 0, to: pairs.count - 1, by: 2).map {
      Coordinate(x: pairs[$0], y: pairs[$0 + 1])
    }
    guard places.count > 2 else { return (pairs, heights) }
    let hasHeights = heights.count == places.count
    var line = Array(pairs[..<2])
    var lineHeights = hasHeights ? [heights[0]] : []
    for middle in stride(from: 1, to: places.count - 1, by: 2) {
      let (start, way, end) = (places[middle - 1], places[middle], places[middle + 1])
      let arc = Arc(start, way, end)
      for (from, to, index, isLast) in [(start, way, middle, false), (way, end, middle + 1, true)] {
        if room.left < 0 { room.isUsedUp = true }
        let step = room.isUsedUp ? coarseStepMax : stepMax
        let between = arc?.between(from, to, isSecond: isLast, step: step) ?? []
        room.left -= between.count
        for (number, place) in between.enumerated() {
          line += [place.x, place.y]
          guard hasHeights else { continue }
          let part = Double(number + 1) / Double(between.count + 1)
          lineHeights.append(heights[index - 1] + (heights[index] - heights[index - 1]) * part)
        }
        line += [to.x, to.y]
        if hasHeights { lineHeights.append(heights[index]) }
      }
    }
    // One position too many goes on straight.
    if places.count % 2 == 0, let last = places.last {
      line += [last.x, last.y]
      if hasHeights { lineHeights.append(heights[places.count - 1]) }
    }
    return (line, lineHeights)
  }

  /// One arc of a circle.
  private struct Arc {
    private let centre: Coordinate
    private let radius: Double
    /// The angle of the beginning in radians, and the turns to the other two positions.
    private let start: Double
    private let turns: (way: Double, end: Double)

    /// `nil` for positions on a line, or that are not finite.
    init?(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) {
      if a == c {
        centre = Coordinate(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
        guard a != b else { return nil }
        turns = (.pi, 2 * .pi)
      } else {
        // Beside the beginning, so that large numbers lose nothing.
        let (bx, by, cx, cy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y)
        let twice = 2 * (bx * cy - by * cx)
        let (bb, cc) = (bx * bx + by * by, cx * cx + cy * cy)
        guard twice.magnitude > 1e-12 * (bb + cc) else { return nil }
        let (x, y) = ((cy * bb - by * cc) / twice, (bx * cc - cx * bb) / twice)
        centre = Coordinate(x: a.x + x, y: a.y + y)
        let first = Mathematics.angle(y: -y, x: -x)
        // Left of the way from the beginning on, turns are positive.
        let sign = twice > 0 ? 1.0 : -1.0
        func turn(_ dx: Double, _ dy: Double) -> Double {
          let turn = (Mathematics.angle(y: dy - y, x: dx - x) - first) * sign
          return sign * (turn < 0 ? turn + 2 * .pi : turn)
        }
        turns = (turn(bx, by), turn(cx, cy))
      }
      let (dx, dy) = (a.x - centre.x, a.y - centre.y)
      radius = (dx * dx + dy * dy).squareRoot()
      start = Mathematics.angle(y: dy, x: dx)
      guard radius.isFinite, start.isFinite, turns.way.isFinite, turns.end.isFinite else {
        return nil
      }
    }

    /// The positions between two of the three.
    func between(
      _ from: Coordinate, _ to: Coordinate, isSecond: Bool, step: Double
    ) -> [Coordinate] {
      let (first, last) = isSecond ? (turns.way, turns.end) : (0, turns.way)
      let count = Int(((last - first).magnitude * 180 / .pi / step).rounded(.up))
      guard count > 1 else { return [] }
      return (1..<count).map { number in
        let angle = start + first + (last - first) * Double(number) / Double(count)
        return Coordinate(
          x: centre.x + radius * Mathematics.cosine(angle),
          y: centre.y + radius * Mathematics.sine(angle))
      }
    }
  }
}
