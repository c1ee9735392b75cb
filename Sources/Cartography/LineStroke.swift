import PortolanGraphics

/// Lines of equal rank that go on as one another: the parts of a road, of a river.
struct LineStroke {
  /// Lines by the number of their block, and their number among the lines of the block.
  private(set) var lines: [(part: Int, number: Int)] = []
  let rank: Double
  private(set) var length: Float = 0

  /// The most ends in one place that are compared with each other.
  private static let crossingMax = 12
  /// Of more than two lines in one place, those go on as one another whose directions differ by
  /// less than 60 degrees.
  private static let bend = -0.5

  private init(rank: Double) { self.rank = rank }

  /// All lines of a layer's blocks, the most important strokes first: by rank, length, and order in
  /// the layer.
  ///
  /// - Parameter tolerance: ends without others in their place count as one up to this distance, in
  ///   world units.
  static func all(
    of measures: [LineMeasure], _ ranks: [FeatureRanks?], tolerance: Double
  ) -> [LineStroke] {
    var lines: [(part: Int, number: Int, rank: Double)] = []
    var ends: [(end: LineEnd, line: Int)] = []
    for (part, measure) in measures.enumerated() {
      for (number, row) in measure.rows.enumerated() {
        for end in measure.ends[number] { ends.append((end, lines.count)) }
        lines.append((part, number, ranks[part]?[row] ?? -.infinity))
      }
    }
    var roots = LineRoots(count: lines.count)
    let lineRanks = lines.map(\.rank)
    ends.sort { ($0.end.place, $0.line) < ($1.end.place, $1.line) }
    var alone: [(end: LineEnd, line: Int)] = []
    var start = 0
    while start < ends.count {
      var next = start + 1
      while next < ends.count, ends[next].end.place == ends[start].end.place { next += 1 }
      if next == start + 1 { alone.append(ends[start]) }
      join(ends[start..<min(next, start + crossingMax)], lineRanks, &roots)
      start = next
    }
    join(alone, within: tolerance, lineRanks, &roots)
    var strokes: [LineStroke] = []
    var numbers: [Int: Int] = [:]
    for (index, line) in lines.enumerated() {
      let root = roots.root(of: index)
      let number = numbers[root] ?? strokes.count
      if number == strokes.count {
        numbers[root] = number
        strokes.append(LineStroke(rank: line.rank))
      }
      strokes[number].lines.append((line.part, line.number))
      strokes[number].length += measures[line.part].lengths[line.number]
    }
    return sorted(strokes)
  }

  /// The most important strokes first; equal ones keep their order.
  static func sorted(_ strokes: [LineStroke]) -> [LineStroke] {
    strokes.sorted { $0.rank != $1.rank ? $0.rank > $1.rank : $0.length > $1.length }
  }

  /// The same with some of its lines; `nil` without any.
  func keeping(
    _ measures: [LineMeasure], where stays: ((part: Int, number: Int)) -> Bool
  ) -> LineStroke? {
    var part = LineStroke(rank: rank)
    for line in lines where stays(line) {
      part.lines.append(line)
      part.length += measures[line.part].lengths[line.number]
    }
    return part.lines.isEmpty ? nil : part
  }

  /// Joins pairs of ends in one place, the straightest first.
  private static func join(
    _ ends: ArraySlice<(end: LineEnd, line: Int)>, _ ranks: [Double], _ roots: inout LineRoots
  ) {
    guard ends.count > 1 else { return }
    var pairs: [(cosine: Double, one: Int, other: Int)] = []
    for one in ends.indices {
      for other in ends.indices where other > one {
        let lines = (ends[one].line, ends[other].line)
        guard lines.0 != lines.1, ranks[lines.0] == ranks[lines.1] else { continue }
        let cosine = ends[one].end.cosine(to: ends[other].end)
        if cosine < bend || ends.count == 2 { pairs.append((cosine, one, other)) }
      }
    }
    join(pairs, of: ends, &roots)
  }

  private static func join(
    _ pairs: [(cosine: Double, one: Int, other: Int)],
    of ends: ArraySlice<(end: LineEnd, line: Int)>, _ roots: inout LineRoots
  ) {
    let pairs = pairs.sorted { ($0.cosine, $0.one, $0.other) < ($1.cosine, $1.one, $1.other) }
    var joined: Set<Int> = []
    for pair in pairs where !joined.contains(pair.one) && !joined.contains(pair.other) {
      joined.formUnion([pair.one, pair.other])
      roots.join(ends[pair.one].line, ends[pair.other].line)
    }
  }
}

extension LineStroke {
  /// Joins pairs of ends that are near each other and go on straight, the straightest first.
  private static func join(
    _ ends: [(end: LineEnd, line: Int)], within tolerance: Double, _ ranks: [Double],
    _ roots: inout LineRoots
  ) {
    struct Square: Hashable {
      var x: Int
      var y: Int
    }
    func square(_ end: LineEnd) -> Square {
      Square(
        x: Int((Double(end.x) / tolerance).rounded(.down)),
        y: Int((Double(end.y) / tolerance).rounded(.down)))
    }
    var known: [Square: [Int]] = [:]
    var pairs: [(cosine: Double, one: Int, other: Int)] = []
    for (index, (end, line)) in ends.enumerated() {
      let own = square(end)
      for y in (own.y - 1)...(own.y + 1) {
        for x in (own.x - 1)...(own.x + 1) {
          for other in (known[Square(x: x, y: y)] ?? []).prefix(crossingMax) {
            let (near, nearLine) = ends[other]
            let (stepX, stepY) = (Double(end.x) - Double(near.x), Double(end.y) - Double(near.y))
            guard line != nearLine, ranks[line] == ranks[nearLine],
              stepX * stepX + stepY * stepY <= tolerance * tolerance
            else { continue }
            let cosine = end.cosine(to: near)
            if cosine < bend { pairs.append((cosine, other, index)) }
          }
        }
      }
      known[own, default: []].append(index)
    }
    join(pairs, of: ends[...], &roots)
  }
}

/// The first line of each set of joined lines, by any of its lines.
struct LineRoots {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func root(of line: Int) -> Int {
    var root = line
    while parents[root] != root {
      parents[root] = parents[parents[root]]
      root = parents[root]
    }
    return root
  }

  mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (root(of: one), root(of: other))
    parents[max(first, second)] = min(first, second)
  }
}
