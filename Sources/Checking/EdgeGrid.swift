import PortolanGraphics

/// How two edges meet that do not follow each other.
struct Crossing: Hashable {
  enum Kind: Hashable {
    /// In one point inside of both.
    case proper
    /// In one point that is an end of one of them.
    case touch
    /// Along a stretch.
    case along
  }

  var kind: Kind
  /// The numbers of the edges.
  var first: Int
  var second: Int
  var place: Coordinate

  /// The meeting of two edges; `nil` if they do not meet.
  @inline(__always)
  init?(_ first: Int, _ a: Edge, _ second: Int, _ b: Edge) {
    let side1 = a.side(b.ax, b.ay)
    let side2 = a.side(b.bx, b.by)
    if side1 == side2, side1 != 0 { return nil }
    let side3 = b.side(a.ax, a.ay)
    let side4 = b.side(a.bx, a.by)
    if side3 == side4, side3 != 0 { return nil }
    (self.first, self.second) = (first, second)
    if side1 * side2 < 0, side3 * side4 < 0 {
      kind = .proper
      let dx = a.bx - a.ax
      let dy = a.by - a.ay
      let area = dx * (b.by - b.ay) - dy * (b.bx - b.ax)
      let part =
        area == 0 ? 0.5 : ((b.ax - a.ax) * (b.by - b.ay) - (b.ay - a.ay) * (b.bx - b.ax)) / area
      let share = min(max(part, 0), 1)
      place = Coordinate(x: a.ax + share * dx, y: a.ay + share * dy)
      return
    }
    var points: [Coordinate] = []
    func add(_ x: Double, _ y: Double) {
      let point = Coordinate(x: x, y: y)
      if !points.contains(point) { points.append(point) }
    }
    if side1 == 0, a.spans(b.ax, b.ay) { add(b.ax, b.ay) }
    if side2 == 0, a.spans(b.bx, b.by) { add(b.bx, b.by) }
    if side3 == 0, b.spans(a.ax, a.ay) { add(a.ax, a.ay) }
    if side4 == 0, b.spans(a.bx, a.by) { add(a.bx, a.by) }
    guard let point = points.first else { return nil }
    kind = points.count > 1 ? .along : .touch
    place = point
  }
}

/// The crossings found so far, at most as many as are told.
struct CrossingList {
  private(set) var list: [Crossing] = []
  private var known: Set<Crossing> = []
  /// How many of them are no mere touches.
  private var crossingCount = 0

  /// Whether enough crossings are found.
  var hasEnough: Bool { crossingCount >= PolygonCheck.crossingsMax }
  /// Whether there are more touches than are looked at.
  var isFull: Bool { list.count >= 4096 }

  mutating func add(_ crossing: Crossing) {
    guard !hasEnough, !isFull, known.insert(crossing).inserted else { return }
    list.append(crossing)
    if crossing.kind != .touch { crossingCount += 1 }
  }
}

/// A grid of edges in which those near each other are found.
struct EdgeGrid {
  /// Up to so many edges all pairs are compared.
  private static let fewEdges = 24

  private var columns = 1
  private var rows = 1
  private var starts: [Int32] = []
  private var members: [Int32] = []
  private var box = Box.empty
  /// How far an edge reaches beyond its ends.
  private var padding = 0.0
  private var scaleX = 0.0
  private var scaleY = 0.0

  init() {}

  /// Searches the meetings of edges that do not follow each other in their ring.
  ///
  /// - Parameter rings: the range of the edges of each ring.
  /// - Returns: whether all were searched.
  mutating func search(_ edges: [Edge], _ rings: [Range<Int>], _ found: inout CrossingList) -> Bool
  {
    guard edges.count > 3 else { return true }
    if edges.count <= Self.fewEdges {
      edges.withUnsafeBufferPointer { edges in
        for first in edges.indices {
          for second in first + 1..<max(first + 1, edges.count) {
            Self.compare(edges, first, second, rings, &found)
          }
        }
      }
      return true
    }
    padding = 0
    guard edges.withUnsafeBufferPointer({ fill($0) }) else { return false }
    return edges.withUnsafeBufferPointer { compareCells($0, rings, &found) }
  }

  /// Calls `body` with pairs of edges that are near each other; with some of them several times.
  ///
  /// - Parameters:
  ///   - distance: how near: at least all edges whose boxes are within it are compared.
  ///   - count: the edges from that number on are not compared with each other.
  ///   - body: is given the lower number first.
  /// - Returns: whether all were compared.
  mutating func forEachPair(
    _ edges: UnsafeBufferPointer<Edge>, within distance: Double, ofFirst count: Int = .max,
    _ body: (Int, Int) -> Void
  ) -> Bool {
    guard edges.count > 1 else { return true }
    padding = distance
    guard fill(edges) else { return false }
    var budget = 1_000_000 + edges.count * 400
    for cell in 0..<columns * rows {
      let range = Int(starts[cell])..<Int(starts[cell + 1])
      if range.count < 2 { continue }
      for first in range {
        // The members of a cell are in the order of their numbers.
        if members[first] >= count { break }
        budget -= range.upperBound - first
        if budget < 0 { return false }
        let a = edges[Int(members[first])]
        let (minX, maxX) = (min(a.ax, a.bx) - distance, max(a.ax, a.bx) + distance)
        let (minY, maxY) = (min(a.ay, a.by) - distance, max(a.ay, a.by) + distance)
        for second in first + 1..<max(first + 1, range.upperBound) {
          let b = edges[Int(members[second])]
          guard maxX >= min(b.ax, b.bx), max(b.ax, b.bx) >= minX, maxY >= min(b.ay, b.by),
            max(b.ay, b.by) >= minY
          else { continue }
          body(Int(members[first]), Int(members[second]))
        }
      }
    }
    return true
  }

  private func compareCells(
    _ edges: UnsafeBufferPointer<Edge>, _ rings: [Range<Int>], _ found: inout CrossingList
  ) -> Bool {
    var budget = 100_000 + edges.count * 200
    for cell in 0..<columns * rows {
      let range = Int(starts[cell])..<Int(starts[cell + 1])
      if range.count < 2 { continue }
      budget -= range.count * range.count / 2
      if budget < 0 { return false }
      for first in range {
        let firstEdge = Int(members[first])
        for second in first + 1..<max(first + 1, range.upperBound) {
          Self.compare(edges, firstEdge, Int(members[second]), rings, &found)
        }
      }
      if found.hasEnough { return true }
      if found.isFull { return false }
    }
    return true
  }

  @inline(__always)
  private static func compare(
    _ edges: UnsafeBufferPointer<Edge>, _ first: Int, _ second: Int, _ rings: [Range<Int>],
    _ found: inout CrossingList
  ) {
    let a = edges[first]
    let b = edges[second]
    guard max(a.ax, a.bx) >= min(b.ax, b.bx), max(b.ax, b.bx) >= min(a.ax, a.bx),
      max(a.ay, a.by) >= min(b.ay, b.by), max(b.ay, b.by) >= min(a.ay, a.by)
    else { return }
    if a.ring == b.ring {
      if second == first + 1 { return }
      if first == second + 1 { return }
      let range = rings[Int(a.ring)]
      let last = range.upperBound - 1
      if first == range.lowerBound, second == last { return }
      if second == range.lowerBound, first == last { return }
    }
    let (low, high) = first < second ? (first, second) : (second, first)
    if let crossing = Crossing(low, edges[low], high, edges[high]) { found.add(crossing) }
  }

  /// Puts the edges into cells.
  ///
  /// - Returns: `false` if they are too long for it: then there would be too many entries.
  private mutating func fill(_ edges: UnsafeBufferPointer<Edge>) -> Bool {
    box = .empty
    for edge in edges {
      box.minX = min(box.minX, edge.ax)
      box.maxX = max(box.maxX, edge.ax)
      box.minY = min(box.minY, edge.ay)
      box.maxY = max(box.maxY, edge.ay)
    }
    var cells = min(max(edges.count / 2, 16), 4_000_000)
    while true {
      shape(cells)
      let entries = count(edges)
      if entries <= edges.count * 8 + 1024 {
        place(edges, entries)
        return true
      }
      if cells <= 64 { return false }
      cells /= 8
    }
  }

  private mutating func shape(_ cells: Int) {
    let width = max(box.width, .leastNormalMagnitude)
    let height = max(box.height, .leastNormalMagnitude)
    let ratio = min(max(width / height, 1e-6), 1e6)
    let across = (Double(cells) * ratio).squareRoot()
    columns = min(max(Int(across.isFinite ? across : 1), 1), cells)
    rows = min(max(cells / columns, 1), cells)
    scaleX = Double(columns) / width
    scaleY = Double(rows) / height
    if !scaleX.isFinite { scaleX = 0 }
    if !scaleY.isFinite { scaleY = 0 }
  }

  @inline(__always)
  private func column(_ x: Double) -> Int {
    let at = (x - box.minX) * scaleX
    return at > 0 ? min(Int(min(at, 1e9)), columns - 1) : 0
  }

  @inline(__always)
  private func row(_ y: Double) -> Int {
    let at = (y - box.minY) * scaleY
    return at > 0 ? min(Int(min(at, 1e9)), rows - 1) : 0
  }

  /// Calls `body` with each cell that an edge passes, and perhaps with some beside it.
  @inline(__always)
  private func forEachCell(of edge: Edge, _ body: (Int) -> Void) {
    let firstColumn = column(min(edge.ax, edge.bx) - padding)
    let lastColumn = column(max(edge.ax, edge.bx) + padding)
    let firstRow = row(min(edge.ay, edge.by) - padding)
    let lastRow = row(max(edge.ay, edge.by) + padding)
    if firstRow == lastRow || firstColumn == lastColumn
      || lastColumn - firstColumn + lastRow - firstRow <= 3
    {
      for row in firstRow...max(firstRow, lastRow) {
        for column in firstColumn...max(firstColumn, lastColumn) { body(row * columns + column) }
      }
      return
    }
    // A long edge: in each row the columns between where it enters and leaves, and one more.
    let slope = (edge.bx - edge.ax) / (edge.by - edge.ay)
    for row in firstRow...max(firstRow, lastRow) {
      let low = box.minY + Double(row) / scaleY - padding
      let high = box.minY + Double(row + 1) / scaleY + padding
      let x1 = edge.ax + (low - edge.ay) * slope
      let x2 = edge.ax + (high - edge.ay) * slope
      let from = max(firstColumn, column(min(x1, x2) - padding) - 1)
      let to = min(lastColumn, column(max(x1, x2) + padding) + 1)
      if from <= to { for column in from...to { body(row * columns + column) } }
    }
  }

  private mutating func count(_ edges: UnsafeBufferPointer<Edge>) -> Int {
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: columns * rows + 1))
    var entries = 0
    let limit = edges.count * 8 + 1024
    var counts = starts
    starts = []
    counts.withUnsafeMutableBufferPointer { counts in
      for edge in edges {
        forEachCell(of: edge) {
          counts[$0 + 1] &+= 1
          entries += 1
        }
        if entries > limit { break }
      }
    }
    starts = counts
    return entries
  }

  private mutating func place(_ edges: UnsafeBufferPointer<Edge>, _ entries: Int) {
    for cell in 1..<max(1, starts.count) { starts[cell] &+= starts[cell - 1] }
    var next = starts
    var placed = members
    members = []
    if placed.count < entries {
      placed.append(contentsOf: repeatElement(0, count: entries - placed.count))
    }
    next.withUnsafeMutableBufferPointer { next in
      placed.withUnsafeMutableBufferPointer { placed in
        for index in edges.indices {
          forEachCell(of: edges[index]) { cell in
            placed[Int(next[cell])] = Int32(truncatingIfNeeded: index)
            next[cell] &+= 1
          }
        }
      }
    }
    members = placed
  }
}
