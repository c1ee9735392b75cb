/// Joins the lines that stay where others are left out, as far as the data joins them.
///
/// Between parts of what stays the shortest way over left out lines is drawn, if it is no longer
/// than the smaller part. An end is loose where lines of the data go on and none of them stays:
/// from there the shortest way to a line that stays is drawn, if it is no longer than the piece
/// that ends there. Pieces that remain loose are left out if they are short.
struct LineMending {
  let network: LineNetwork
  /// The lines that stay.
  private(set) var stays: [Bool]
  /// The lines that may stay.
  private let mayStay: [Bool]
  /// In world units.
  private let longestWay: Float
  private let shortestPiece: Float
  private var search: LineSearch

  /// The longest way that is drawn, and the longest loose piece that is left out, in cells.
  private static let cells = (way: 24, piece: 6)
  /// The most lines that a search looks at, and the most of a loose piece.
  private static let lookedAt = 32
  private static let rounds = 2

  /// - Parameter cell: the width of a cell, in world units.
  init(_ network: LineNetwork, stays: [Bool], mayStay: [Bool], cell: Double) {
    self.network = network
    self.stays = stays
    self.mayStay = mayStay
    longestWay = Float(cell) * Float(Self.cells.way)
    shortestPiece = Float(cell) * Float(Self.cells.piece)
    search = LineSearch(lineCount: network.lineCount)
  }

  /// - Complexity: O(n log n) for n lines with few neighbours each.
  mutating func mend() {
    for _ in 0..<Self.rounds {
      joinParts()
      for line in stays.indices where stays[line] { join(line) }
      leaveOutPieces()
    }
  }

  // MARK: Ways

  /// Joins each part of what stays, but the longest, to another one nearby.
  private mutating func joinParts() {
    var roots = LineRoots(count: stays.count)
    for line in stays.indices where stays[line] {
      for other in network.neighbours(of: line) where stays[Int(other)] {
        roots.join(line, Int(other))
      }
    }
    var parts: [Int: [Int]] = [:]
    for line in stays.indices where stays[line] {
      parts[roots.root(of: line), default: []].append(line)
    }
    let measured = parts.sorted { $0.key < $1.key }.map { part in
      (lines: part.value, length: part.value.reduce(0) { $0 + network.lengths[$1] })
    }
    let longest = measured.indices.max { measured[$0].length < measured[$1].length }
    for (number, (part, length)) in measured.enumerated() where number != longest {
      search.begin()
      for line in part {
        for next in network.neighbours(of: line) {
          add(Int(next), to: min(longestWay, length))
        }
      }
      let root = roots.root(of: part[0])
      let way = way(to: min(longestWay, length), lookingAt: Self.lookedAt + part.count) {
        roots.root(of: $0) != root
      }
      for line in way ?? [] {
        stays[line] = true
        for other in network.neighbours(of: line) where stays[Int(other)] {
          roots.join(line, Int(other))
        }
      }
    }
  }

  private mutating func join(_ line: Int) {
    for end in network.ends(of: line) where isLoose(end) {
      let piece = piece(from: line)
      guard let way = way(from: end, of: piece.lines, longest: min(longestWay, piece.length))
      else { continue }
      for other in way { stays[other] = true }
    }
  }

  /// Whether lines go on at an end, but none that stays.
  func isLoose(_ end: Int32) -> Bool {
    let lines = network.lines(at: end)
    return !lines.isEmpty && !lines.contains { stays[Int($0)] }
  }

  /// The shortest way from an end of a piece to a line that stays and is no part of it.
  private mutating func way(from end: Int32, of piece: [Int], longest: Float) -> [Int]? {
    search.begin()
    for next in network.lines(at: end) { add(Int(next), to: longest) }
    return way(to: longest, lookingAt: Self.lookedAt) { !piece.contains($0) }
  }

  /// The shortest way of the search to a line that stays.
  private mutating func way(
    to longest: Float, lookingAt most: Int, where isWanted: (Int) -> Bool
  ) -> [Int]? {
    while let best = search.next() {
      let neighbours = network.neighbours(of: best.line)
      if neighbours.contains(where: { stays[Int($0)] && isWanted(Int($0)) }) {
        return search.way(to: best.line)
      }
      if search.lookedAt == most { return nil }
      for next in neighbours { add(Int(next), after: best, to: longest) }
    }
    return nil
  }

  private mutating func add(_ line: Int, after: LineSearch.Step? = nil, to longest: Float) {
    guard mayStay[line], !stays[line] else { return }
    let length = (after?.length ?? 0) + network.lengths[line]
    if length <= longest { search.add(line, length, after: after?.line) }
  }

  // MARK: Pieces

  /// The lines from one with a loose end on, to the first at a junction; of long ones a part.
  private func piece(from line: Int) -> (lines: [Int], length: Float) {
    var piece = (lines: [line], length: network.lengths[line])
    var (current, former) = (line, -1)
    while piece.length < longestWay, piece.lines.count < Self.lookedAt {
      let others = staying(beside: current, but: former)
      guard others.count == 1, let next = others.first, network.isAtEnd(current, of: next),
        staying(beside: next, but: current).allSatisfy({ network.isAtEnd($0, of: next) })
      else { break }
      piece.lines.append(next)
      piece.length += network.lengths[next]
      (former, current) = (current, next)
    }
    return piece
  }

  private func staying(beside line: Int, but other: Int) -> [Int] {
    var lines: [Int] = []
    for neighbour in network.neighbours(of: line) {
      let neighbour = Int(neighbour)
      if stays[neighbour], neighbour != other, !lines.contains(neighbour) {
        lines.append(neighbour)
      }
    }
    return lines
  }

  /// Leaves out short pieces with loose ends, until none is left.
  private mutating func leaveOutPieces() {
    var open = stays.indices.filter { stays[$0] }
    while let line = open.popLast() {
      guard stays[line], network.ends(of: line).contains(where: isLoose) else { continue }
      let piece = piece(from: line)
      // The piece goes on beyond a line that ends on it.
      let isCrossed = staying(beside: line, but: -1).contains { !network.isAtEnd($0, of: line) }
      guard piece.length < shortestPiece, !isCrossed else { continue }
      for other in piece.lines { stays[other] = false }
      for other in piece.lines { open += staying(beside: other, but: -1) }
    }
  }
}

/// The open and the done steps of a search for the shortest way, by Dijkstra's method.
private struct LineSearch {
  struct Step {
    let length: Float
    let line: Int
    let before: Int?

    func isBefore(_ other: Step) -> Bool { (length, line) < (other.length, other.line) }
  }

  /// The lines that were done in this search.
  private(set) var lookedAt = 0
  private var search: UInt32 = 0
  /// The search in which each line was done last, and the line before it there.
  private var done: [(search: UInt32, before: Int?)]
  /// A heap: each step is before those at twice its place and one or two on.
  private var open: [Step] = []

  init(lineCount: Int) { done = [(UInt32, Int?)](repeating: (0, nil), count: lineCount) }

  mutating func begin() {
    search &+= 1
    lookedAt = 0
    open.removeAll(keepingCapacity: true)
  }

  mutating func add(_ line: Int, _ length: Float, after before: Int?) {
    if done[line].search == search { return }
    open.append(Step(length: length, line: line, before: before))
    var place = open.count - 1
    while place > 0, open[place].isBefore(open[(place - 1) / 2]) {
      open.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// The next line by the length of the way with it.
  mutating func next() -> Step? {
    while let first = open.first {
      open.swapAt(0, open.count - 1)
      open.removeLast()
      var place = 0
      while 2 * place + 1 < open.count {
        var least = 2 * place + 1
        if least + 1 < open.count, open[least + 1].isBefore(open[least]) { least += 1 }
        guard open[least].isBefore(open[place]) else { break }
        open.swapAt(place, least)
        place = least
      }
      if done[first.line].search == search { continue }
      done[first.line] = (search, first.before)
      lookedAt += 1
      return first
    }
    return nil
  }

  /// The lines of the way to one that was done, from it back.
  func way(to line: Int) -> [Int] {
    var way = [line]
    while let last = way.last, let before = done[last].before { way.append(before) }
    return way
  }
}
