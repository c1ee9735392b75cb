import PortolanGraphics

/// The lines of a layer by their places in a network: the ends of each, and the lines there.
///
/// Lines touch where one ends within a tolerance of another: digitized roads and simplified rivers
/// seldom share a vertex. Lines count from 0, through all blocks.
struct LineNetwork {
  /// Of each line, in world units.
  let lengths: [Float]
  private let ends: NumberLists
  /// The lines at each end, without its own.
  private let touching: NumberLists
  private let neighbours: NumberLists

  /// Of more lines at one end, or ends in one place, some are left out.
  private static let touchingMax = 12

  /// - Parameters:
  ///   - paths: the lines of each measure, no coarser than the tolerance.
  ///   - tolerance: in world units.
  /// - Complexity: O(n log n) for n ends, vertices and tolerances along the lines.
  init(
    _ measures: [LineMeasure], _ paths: [LinePaths], _ extent: LineGrid.Extent, tolerance: Double
  ) {
    lengths = measures.flatMap(\.lengths)
    var owners: [(key: Int, value: Int)] = []
    var finder = EndFinder(extent, tolerance: tolerance)
    var line = 0
    for measure in measures {
      for ends in measure.ends {
        for end in ends {
          owners.append((line, owners.count))
          finder.add(end, of: line)
        }
        line += 1
      }
    }
    finder.sort()
    line = 0
    for paths in paths {
      for number in paths.lineEnds.indices {
        finder.findEnds(on: number, of: paths, as: line, most: Self.touchingMax)
        line += 1
      }
    }
    ends = NumberLists(owners, count: lengths.count)
    touching = NumberLists(finder.found.map { ($0.end, $0.line) }, count: owners.count)
    var pairs: [(key: Int, value: Int)] = []
    for (end, line) in finder.found {
      let owner = owners[end].key
      pairs.append((owner, line))
      pairs.append((line, owner))
    }
    neighbours = NumberLists(pairs, count: lengths.count)
  }

  var lineCount: Int { lengths.count }

  /// The ends of a line.
  func ends(of line: Int) -> ArraySlice<Int32> { ends[line] }

  /// The lines at an end, without its own.
  func lines(at end: Int32) -> ArraySlice<Int32> { touching[Int(end)] }

  /// The lines that touch a line; one at both its ends is there twice.
  func neighbours(of line: Int) -> ArraySlice<Int32> { neighbours[line] }

  /// Whether a line is at an end of another.
  func isAtEnd(_ line: Int, of other: Int) -> Bool {
    ends(of: other).contains { lines(at: $0).contains(Int32(truncatingIfNeeded: line)) }
  }
}

/// Lists of numbers by a number from 0, in two arrays.
private struct NumberLists {
  private var starts: [Int32]
  private var items: [Int32]

  /// Sorts pairs by their keys, which are below a count; those of a key keep their order.
  init(_ pairs: [(key: Int, value: Int)], count: Int) {
    var ends = [Int32](repeating: 0, count: count + 1)
    for pair in pairs { ends[pair.key + 1] += 1 }
    for key in 0..<count { ends[key + 1] += ends[key] }
    starts = ends
    items = [Int32](repeating: 0, count: pairs.count)
    for (key, value) in pairs {
      items[Int(ends[key])] = Int32(truncatingIfNeeded: value)
      ends[key] += 1
    }
  }

  subscript(key: Int) -> ArraySlice<Int32> { items[Int(starts[key])..<Int(starts[key + 1])] }
}

/// Finds the ends of lines near other lines.
private struct EndFinder {
  private struct End {
    let x: Double
    let y: Double
    let line: Int
    let square: Int
  }

  private let minX: Double
  private let minY: Double
  private let tolerance: Double
  private let side: Double
  private let columns: Int
  private var ends: [End] = []
  /// The numbers of the ends by their squares.
  private var order: [Int32] = []
  /// The squares with ends in them or beside them.
  private var isNear: [UInt64]
  /// The squares with ends in them, the number of them before each word of 64, and the place in the
  /// order of the first end of each.
  private var isTaken: [UInt64]
  private var takenBefore: [Int32] = []
  private var starts: [Int32] = []
  /// The last line found at each end, and the number of those found.
  private var last: [(line: Int, count: Int)] = []
  private(set) var found: [(end: Int, line: Int)] = []

  init(_ extent: LineGrid.Extent, tolerance: Double) {
    self.tolerance = tolerance
    side = tolerance * 1.25
    // A square around all.
    (minX, minY) = (extent.minX - side, extent.minY - side)
    columns = Int(extent.width / side) + 4
    isNear = [UInt64](repeating: 0, count: columns * (Int(extent.height / side) + 4) / 64 + 1)
    isTaken = isNear
  }

  private func square(_ x: Double, _ y: Double) -> Int {
    Int((y - minY) / side) * columns + Int((x - minX) / side)
  }

  mutating func add(_ end: LineEnd, of line: Int) {
    let (x, y) = (Double(end.x), Double(end.y))
    let square = square(x, y)
    ends.append(End(x: x, y: y, line: line, square: square))
    if square >= 0, square >> 6 < isTaken.count {
      isTaken[square >> 6] |= 1 << UInt64(square & 63)
    }
    for row in -1...1 {
      for near in (square + row * columns - 1)...(square + row * columns + 1) {
        guard near >= 0, near >> 6 < isNear.count else { continue }
        isNear[near >> 6] |= 1 << UInt64(near & 63)
      }
    }
  }

  mutating func sort() {
    order = ends.indices.map { Int32(truncatingIfNeeded: $0) }.sorted {
      (ends[Int($0)].square, $0) < (ends[Int($1)].square, $1)
    }
    var count: Int32 = 0
    for word in isTaken {
      takenBefore.append(count)
      count += Int32(word.nonzeroBitCount)
    }
    var square: Int?
    for (place, number) in order.enumerated() where ends[Int(number)].square != square {
      square = ends[Int(number)].square
      starts.append(Int32(truncatingIfNeeded: place))
    }
    starts.append(Int32(truncatingIfNeeded: order.count))
    last = [(Int, Int)](repeating: (-1, 0), count: ends.count)
  }

  /// Notes the ends of other lines on a line.
  mutating func findEnds(on number: Int, of paths: LinePaths, as line: Int, most: Int) {
    paths.eachPath(ofLine: number) { vertices in
      for vertex in vertices.dropLast() {
        let from = paths.coordinates[2 * vertex]
        let to = paths.coordinates[2 * vertex + 2]
        let start = (x: Double(from), y: Double(paths.coordinates[2 * vertex + 1]))
        let step = (
          x: Double(to) - start.x, y: Double(paths.coordinates[2 * vertex + 3]) - start.y
        )
        let count = max(1, (max(step.x.magnitude, step.y.magnitude) / tolerance).rounded(.up))
        var part = 0.0
        while part <= count {
          let square = square(start.x + step.x * part / count, start.y + step.y * part / count)
          if square >= 0, square >> 6 < isNear.count,
            isNear[square >> 6] >> UInt64(square & 63) & 1 == 1
          {
            look(around: square, start, step, line, most)
          }
          part += 1
        }
      }
    }
  }

  private mutating func look(
    around square: Int, _ start: (x: Double, y: Double), _ step: (x: Double, y: Double),
    _ line: Int, _ most: Int
  ) {
    for row in -1...1 {
      for near in (square + row * columns - 1)...(square + row * columns + 1) {
        for place in places(in: near).prefix(most) {
          let number = Int(order[place])
          let known = last[number]
          guard ends[number].line != line, known.line != line, known.count < most,
            Self.distance(ends[number], start, step) <= tolerance
          else { continue }
          last[number] = (line, known.count + 1)
          found.append((number, line))
        }
      }
    }
  }

  /// The places in the order of the ends in a square.
  private func places(in square: Int) -> Range<Int> {
    guard square >= 0, square >> 6 < isTaken.count else { return 0..<0 }
    let (word, bit) = (isTaken[square >> 6], UInt64(square & 63))
    guard word >> bit & 1 == 1 else { return 0..<0 }
    let number = Int(takenBefore[square >> 6]) + (word & (1 << bit - 1)).nonzeroBitCount
    return Int(starts[number])..<Int(starts[number + 1])
  }

  private static func distance(
    _ end: End, _ start: (x: Double, y: Double), _ step: (x: Double, y: Double)
  ) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let square = step.x * step.x + step.y * step.y
    let part = square > 0 ? min(max((x * step.x + y * step.y) / square, 0), 1) : 0
    let (farX, farY) = (x - part * step.x, y - part * step.y)
    return (farX * farX + farY * farY).squareRoot()
  }
}
