/// The boxes of stretches of a path, in their order along it: 16 pieces make a stretch, 16
/// stretches a longer one, and so on.
///
/// A piece is a step between two vertices; of points, one vertex.
struct PathTree: Sendable {
  private static let width = 16

  /// The first vertex of the path.
  let start: Int
  /// The number of pieces.
  let count: Int
  /// The vertices from the first of a piece to its last: 1, of points 0.
  let step: Int
  /// The boxes of stretches, the shortest ones first; none for paths of one stretch.
  private let levels: [[Box]]
  let box: Box

  /// - Complexity: O(vertices).
  init(_ coordinates: [Double], _ vertices: Range<Int>, isPoints: Bool) {
    start = vertices.lowerBound
    step = isPoints ? 0 : 1
    count = max(0, vertices.count - step)
    let (start, count, step) = (start, count, step)
    var level = coordinates.withUnsafeBufferPointer { numbers in
      stride(from: 0, to: count, by: Self.width).map { first in
        var box = Box.empty
        for vertex in start + first...start + min(first + Self.width, count) - 1 + step {
          box.formUnion(Coordinate(x: numbers[2 &* vertex], y: numbers[2 &* vertex &+ 1]))
        }
        return box
      }
    }
    box = level.reduce(.empty) { $0.union($1) }
    var levels: [[Box]] = []
    while level.count > 1 {
      levels.append(level)
      level = stride(from: 0, to: level.count, by: Self.width).map { first in
        level[first..<min(first + Self.width, level.count)].reduce(.empty) { $0.union($1) }
      }
    }
    self.levels = levels
  }

  /// The number of levels of stretches.
  var levelCount: Int { levels.count }

  /// The box of a stretch.
  func box(level: Int, _ group: Int) -> Box { levels[level][group] }

  /// The box of a piece, from 0.
  func box(ofPiece piece: Int, _ coordinates: [Double]) -> Box {
    let (a, b) = (2 * (start + piece), 2 * (start + piece + step))
    return Box(
      minX: min(coordinates[a], coordinates[b]), minY: min(coordinates[a + 1], coordinates[b + 1]),
      maxX: max(coordinates[a], coordinates[b]), maxY: max(coordinates[a + 1], coordinates[b + 1]))
  }

  /// The stretches of a longer one, or the pieces of one of the lowest level, 0.
  func groups(of group: Int, level: Int) -> Range<Int> {
    let first = group * Self.width
    return first..<min(first + Self.width, level > 0 ? levels[level - 1].count : count)
  }

  /// What to do with a stretch.
  enum Choice {
    case enter
    case skip
    case stop
  }

  /// Walks through the stretches that are entered, and the pieces of the shortest ones.
  ///
  /// - Parameters:
  ///   - choose: is asked for each stretch: its box, its first and last vertex.
  ///   - body: is called with the first vertex of each piece; returns whether to go on.
  /// - Returns: whether it was not stopped.
  @discardableResult
  func walk(
    choose: (_ box: Box, _ vertices: ClosedRange<Int>) -> Choice, _ body: (Int) -> Bool
  ) -> Bool {
    if count == 0 { return true }
    switch choose(box, start...start + count - 1 + step) {
    case .stop: return false
    case .skip: return true
    case .enter: return walk(level: levels.count - 1, 0, choose, body)
    }
  }

  /// The depth is the logarithm of the count.
  private func walk(
    level: Int, _ group: Int, _ choose: (Box, ClosedRange<Int>) -> Choice, _ body: (Int) -> Bool
  ) -> Bool {
    let first = group * Self.width
    if level < 0 {
      for piece in first..<min(first + Self.width, count) where !body(start + piece) {
        return false
      }
      return true
    }
    var size = Self.width
    for _ in 0..<level { size *= Self.width }
    for next in first..<min(first + Self.width, levels[level].count) {
      let end = min((next + 1) * size, count) - 1 + step
      switch choose(levels[level][next], start + next * size...start + end) {
      case .stop: return false
      case .skip: continue
      case .enter: if !walk(level: level - 1, next, choose, body) { return false }
      }
    }
    return true
  }
}
