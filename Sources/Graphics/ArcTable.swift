/// The borders of polygons, each of them once: an arc is a run of vertices between two places where
/// borders part. Lines may be in it, too.
///
/// Neighbours that share a border refer to the same arc, one of them against its direction. Places
/// are the same if their numbers are equal. As in TopoJSON, and in mapshaper's topology, a vertex
/// is an end of arcs if it is not between the same two neighbours in all rings that pass it; so an
/// arc is known by its first edge. The ends of lines are ends of arcs.
package struct ArcTable: Sendable {
  /// A way along an arc.
  package struct Step: Hashable, Sendable {
    package var arc: Int32
    package var isReversed: Bool

    package init(arc: Int32, isReversed: Bool) { (self.arc, self.isReversed) = (arc, isReversed) }
  }

  /// A ring or a line as a run of steps.
  package struct Ring: Hashable, Sendable {
    /// The number of its polygon or line, as it was given.
    package var owner: Int
    /// The range of its steps in `steps`.
    package var steps: Range<Int>
  }

  /// All different places.
  package private(set) var places: [Coordinate] = []
  /// The places of all arcs, one arc after the other; a closed arc ends with its first place.
  package private(set) var vertices: [Int32] = []
  /// The end of each arc in `vertices`.
  package private(set) var arcEnds: [Int] = []
  package private(set) var steps: [Step] = []
  package private(set) var rings: [Ring] = []
  /// Whether each place is an end of arcs.
  package private(set) var isEnd: [Bool] = []
  private var index = PlaceIndex()

  private init() {}

  /// The number of a place among `places`; `nil` if no ring or line has it.
  @inline(__always)
  package func number(ofPlace place: Coordinate) -> Int32? { index.number(of: place, in: places) }

  package var arcCount: Int { arcEnds.count }

  /// The range of an arc's places in `vertices`.
  package func range(ofArc arc: Int) -> Range<Int> {
    (arc > 0 ? arcEnds[arc - 1] : 0)..<arcEnds[arc]
  }

  /// The places along a step, in its direction.
  package func coordinates(of step: Step) -> [Coordinate] {
    let places = vertices[range(ofArc: Int(step.arc))].map { self.places[Int($0)] }
    return step.isReversed ? places.reversed() : places
  }

  /// A ring, closed: the places of its steps.
  package func coordinates(of ring: Ring) -> [Coordinate] {
    var coordinates: [Coordinate] = []
    for step in steps[ring.steps] {
      let along = self.coordinates(of: step)
      coordinates += coordinates.isEmpty ? along[...] : along.dropFirst()
    }
    return coordinates
  }

  /// The steps on each arc: the rings that have it as a border, by their numbers.
  package var uses: [[(ring: Int, isReversed: Bool)]] {
    var uses: [[(ring: Int, isReversed: Bool)]] = Array(repeating: [], count: arcCount)
    for (index, ring) in rings.enumerated() {
      for step in steps[ring.steps] { uses[Int(step.arc)].append((index, step.isReversed)) }
    }
    return uses
  }

  // MARK: Building

  /// Takes the rings of polygons one after another.
  package struct Builder {
    private var table = ArcTable()
    /// The rings as runs of places, without the closing one; and the lines.
    private var runs: [(owner: Int, range: Range<Int>, isLine: Bool)] = []
    private var places: [Int32] = []

    package init() {}

    /// The number of a place, an old one or the next.
    package mutating func number(of place: Coordinate) -> Int32 {
      table.index.number(of: place, among: &table.places)
    }

    /// Adds a ring; whether its last vertex is the first again does not matter. Equal vertices in a
    /// row count once, and rings of fewer than three different vertices are left out.
    package mutating func add(owner: Int, _ ring: some Sequence<Coordinate>) {
      add(owner: owner, numbers: numbers(of: ring))
    }

    /// Adds a ring of numbers of places.
    ///
    /// - Returns: whether it has three different vertices; else it is left out.
    @discardableResult
    package mutating func add(owner: Int, numbers: [Int32]) -> Bool {
      let start = places.count
      for place in numbers where places.count == start || places[places.count - 1] != place {
        places.append(place)
      }
      while places.count - start > 1, places[places.count - 1] == places[start] {
        places.removeLast()
      }
      guard places.count - start >= 3 else {
        places.removeLast(places.count - start)
        return false
      }
      runs.append((owner, start..<places.count, false))
      return true
    }

    /// Adds a line, from end to end; both ends are ends of arcs, and equal vertices in a row stay.
    ///
    /// A ring that is added as a line, its first vertex again as the last, comes back with the same
    /// beginning.
    package mutating func addLine(owner: Int, _ line: some Sequence<Coordinate>) {
      addLine(owner: owner, numbers: numbers(of: line))
    }

    /// Adds a line of numbers of places.
    package mutating func addLine(owner: Int, numbers: [Int32]) {
      let start = places.count
      places += numbers
      runs.append((owner, start..<places.count, true))
    }

    private mutating func numbers(of vertices: some Sequence<Coordinate>) -> [Int32] {
      var numbers: [Int32] = []
      for vertex in vertices where vertex.x.isFinite && vertex.y.isFinite {
        numbers.append(number(of: vertex))
      }
      return numbers
    }

    /// The table of the rings so far.
    ///
    /// - Complexity: O(vertices).
    package consuming func finish() -> ArcTable {
      let ends = junctions()
      table.isEnd = ends
      var known: [UInt64: Step] = [:]
      for run in runs {
        let ring = Array(places[run.range])
        let first = table.steps.count
        let cuts = ring.indices.filter { ends[Int(ring[$0])] }
        if run.isLine {
          if ring.count == 1 { addArc(ring + ring, &known) }
          for (cut, next) in zip(cuts, cuts.dropFirst()) {
            addArc(Array(ring[cut...next]), &known)
          }
        } else if cuts.isEmpty {
          addLoop(ring, &known)
        } else {
          for (number, cut) in cuts.enumerated() {
            let next = number + 1 < cuts.count ? cuts[number + 1] : cuts[0] + ring.count
            addArc((cut...next).map { ring[$0 % ring.count] }, &known)
          }
        }
        table.rings.append(Ring(owner: run.owner, steps: first..<table.steps.count))
      }
      return table
    }

    /// Whether each place is an end of arcs.
    private func junctions() -> [Bool] {
      var isEnd = Array(repeating: false, count: table.places.count)
      // The neighbours at the first visit of a place; -1 before it.
      var low = Array(repeating: Int32(-1), count: table.places.count)
      var high = low
      for run in runs {
        for position in run.range {
          let place = Int(places[position])
          if run.isLine,
            position == run.range.lowerBound || position == run.range.upperBound - 1
          {
            isEnd[place] = true
            continue
          }
          let before = places[
            position > run.range.lowerBound ? position - 1 : run.range.upperBound - 1]
          let after = places[
            position + 1 < run.range.upperBound ? position + 1 : run.range.lowerBound]
          let (first, second) = (min(before, after), max(before, after))
          if low[place] < 0 {
            (low[place], high[place]) = (first, second)
          } else if low[place] != first || high[place] != second {
            isEnd[place] = true
          }
        }
      }
      return isEnd
    }

    /// A ring that shares nothing, or all with another: it begins at its least place.
    private mutating func addLoop(_ ring: [Int32], _ known: inout [UInt64: Step]) {
      var least = 0
      for (position, place) in ring.enumerated() where place < ring[least] { least = position }
      addArc((0...ring.count).map { ring[(least + $0) % ring.count] }, &known)
    }

    private mutating func addArc(_ arc: [Int32], _ known: inout [UInt64: Step]) {
      guard arc.count > 1 else { return }
      let key = Self.key(arc[0], arc[1])
      if let step = known[key] {
        table.steps.append(step)
        return
      }
      let step = Step(arc: Int32(truncatingIfNeeded: table.arcEnds.count), isReversed: false)
      table.vertices += arc
      table.arcEnds.append(table.vertices.count)
      known[key] = step
      known[Self.key(arc[arc.count - 1], arc[arc.count - 2])] = Step(
        arc: step.arc, isReversed: true)
      table.steps.append(step)
    }

    private static func key(_ first: Int32, _ second: Int32) -> UInt64 {
      UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
    }
  }
}

/// Numbers of places: the same for equal numbers.
private struct PlaceIndex: Sendable {
  /// The number of a place plus one; 0 is free. Its count is a power of two.
  private var slots: [Int32] = Array(repeating: 0, count: 1024)

  func number(of place: Coordinate, in places: [Coordinate]) -> Int32? {
    var slot = Self.hash(place) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      if places[Int(number)] == place { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func number(of place: Coordinate, among places: inout [Coordinate]) -> Int32 {
    if places.count * 2 >= slots.count { grow(places) }
    var slot = Self.hash(place) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      if places[Int(number)] == place { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    places.append(place)
    slots[slot] = Int32(truncatingIfNeeded: places.count)
    return slots[slot] - 1
  }

  private mutating func grow(_ places: [Coordinate]) {
    slots = Array(repeating: 0, count: slots.count * 4)
    for (number, place) in places.enumerated() {
      var slot = Self.hash(place) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number + 1)
    }
  }

  /// Zero and negative zero are equal, and have one hash.
  private static func hash(_ place: Coordinate) -> Int {
    var hash = (place.x + 0).bitPattern &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 32 ^ (place.y + 0).bitPattern) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: (hash ^ hash >> 29) & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
