package import PortolanGraphics

/// Leaves out vertices of borders and lines, so that shared borders stay shared and nothing crosses
/// that did not.
///
/// The vertices of each arc go one after the other, the least important first; to keep a share,
/// those of all arcs together. A vertex goes only if no other vertex that is left lies in the
/// triangle between it and its neighbours: so no border passes over another one or over an island,
/// and what did not cross does not cross then. Ends of arcs stay, two arcs between the same ends
/// never become the same line, and rings keep three vertices. Rings that stand alone may vanish.
package struct ArcSimplifier {
  /// What is left.
  package struct Result: Sendable {
    /// Whether each place of the table stays.
    package var keeps: [Bool]
    /// The vertices of arcs before and after, shared ones counted once.
    package var countBefore = 0
    package var countAfter = 0
    /// The rings that vanished.
    package var lostRings = 0
    /// Whether places lie so oddly that some were not looked at, and stay.
    package var isIntricate = false
  }

  private let table: ArcTable
  private let rule: SimplifyRule
  private let isGeographic: Bool
  private let importance: VertexImportance
  private var tree: PlaceTree
  private var heap = ElementHeap([], below: 0)
  /// The neighbours of each element, which is a vertex of an arc; those of free rings are in a
  /// circle.
  private var previous: [Int32]
  private var following: [Int32]
  private var arcs: [Int32]
  /// Whether each element may ever go.
  private var mayGo: [Bool]
  /// Elements left in each arc.
  private var left: [Int32]
  /// Whether each arc is a ring without ends.
  private var isLoop: [Bool]
  private let mayVanish: [Bool]
  /// Pairs of places with a straight arc between them.
  private var straight: Set<UInt64> = []
  private var removableCount = 0
  private var removedCount = 0
  private var result: Result

  /// Simplifies the arcs of a table.
  ///
  /// - Parameters:
  ///   - isFrozen: whether each arc stays as it is.
  ///   - mayVanish: whether each arc, if it is a ring without ends, may vanish.
  ///   - isGeographic: whether places are degrees; then vertices at 180 degrees and at the poles
  ///     stay, unless both their neighbours lie there, and so do the ends of steps across 180
  ///     degrees.
  ///   - progress: called now and then with the part that is done, 0 to 1; it stops the work by
  ///     throwing.
  /// - Complexity: O(n log n) for n vertices of usual maps.
  package static func simplify(
    _ table: ArcTable, by rule: SimplifyRule, isGeographic: Bool, isFrozen: [Bool],
    mayVanish: [Bool], progress: (Double) throws -> Void = { _ in }
  ) throws -> Result {
    var simplifier = ArcSimplifier(table, rule, isGeographic, mayVanish)
    try progress(0.1)
    simplifier.link(isFrozen)
    try progress(0.2)
    try simplifier.run { try progress(0.2 + 0.8 * $0) }
    return simplifier.result
  }

  private init(
    _ table: ArcTable, _ rule: SimplifyRule, _ isGeographic: Bool, _ mayVanish: [Bool]
  ) {
    self.table = table
    self.rule = rule
    self.isGeographic = isGeographic
    self.mayVanish = mayVanish
    let count = table.vertices.count
    importance = VertexImportance(table.places, isGeographic: isGeographic)
    tree = PlaceTree(table.places)
    previous = Array(repeating: -1, count: count)
    following = previous
    arcs = previous
    mayGo = Array(repeating: false, count: count)
    left = Array(repeating: 0, count: table.arcCount)
    isLoop = Array(repeating: false, count: table.arcCount)
    result = Result(keeps: Array(repeating: true, count: table.places.count))
  }

  // MARK: Preparing

  private mutating func link(_ isFrozen: [Bool]) {
    var isSeen = Array(repeating: false, count: table.places.count)
    for arc in 0..<table.arcCount {
      let range = table.range(ofArc: arc)
      let (first, last) = (table.vertices[range.lowerBound], table.vertices[range.upperBound - 1])
      isLoop[arc] = first == last && range.count > 3 && !table.isEnd[Int(first)]
      let elements = isLoop[arc] ? range.dropLast() : range
      left[arc] = Int32(truncatingIfNeeded: elements.count)
      result.countBefore += elements.count
      if range.count == 2 { straight.insert(Self.pair(first, last)) }
      for element in elements {
        arcs[element] = Int32(truncatingIfNeeded: arc)
        let isFirst = element == elements.startIndex
        let isLast = element == elements.endIndex - 1
        if isLoop[arc] || !isFirst {
          previous[element] = Int32(
            truncatingIfNeeded: isFirst ? elements.endIndex - 1 : element - 1)
        }
        if isLoop[arc] || !isLast {
          following[element] = Int32(truncatingIfNeeded: isLast ? elements.startIndex : element + 1)
        }
        let place = Int(table.vertices[element])
        guard previous[element] >= 0, following[element] >= 0, !isFrozen[arc] else { continue }
        // A line may come by a place twice.
        mayGo[element] = !isSeen[place] && !table.isEnd[place]
        isSeen[place] = true
      }
      if isGeographic {
        for element in elements where mayGo[element] {
          mayGo[element] = !isAtEdgeOfWorld(element)
        }
      }
    }
    result.countAfter = result.countBefore
    removableCount = mayGo.count { $0 }
    heap = ElementHeap(priorities(), below: limit)
  }

  private mutating func priorities() -> [Double] {
    var priorities = Array(repeating: Double.infinity, count: mayGo.count)
    if case .visvalingam(let isWeighted) = rule.method {
      for element in mayGo.indices where mayGo[element] {
        priorities[element] = area(element, isWeighted: isWeighted)
      }
    } else {
      var budget = 10_000_000 + mayGo.count * 2_000
      for arc in 0..<table.arcCount {
        let range = table.range(ofArc: arc)
        let distances = importance.distances(along: table.vertices[range], budget: &budget)
        for (element, distance) in zip(range, distances) where mayGo[element] {
          priorities[element] = distance
        }
      }
      result.isIntricate = budget <= 0
    }
    for arc in isLoop.indices where isLoop[arc] && left[arc] == 3 {
      let elements = table.range(ofArc: arc).dropLast()
      let size = size(ofRing: elements.startIndex)
      for element in elements where mayGo[element] { priorities[element] = size }
    }
    return priorities
  }

  private func isAtEdgeOfWorld(_ element: Int) -> Bool {
    let place = table.places[Int(table.vertices[element])]
    let before = table.places[Int(table.vertices[Int(previous[element])])]
    let after = table.places[Int(table.vertices[Int(following[element])])]
    if place.x.magnitude == 180 { return before.x != place.x || after.x != place.x }
    return place.y.magnitude >= 90 && (before.y != place.y || after.y != place.y)
  }

  private static func pair(_ first: Int32, _ second: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: min(first, second))) << 32
      | UInt64(UInt32(bitPattern: max(first, second)))
  }

  // MARK: Removing

  /// Vertices of less importance go.
  private var limit: Double {
    switch (rule.amount, rule.method) {
    case (.share, _): .infinity
    case (.length(let length), .douglasPeucker): length
    case (.length(let length), .visvalingam): length * length
    }
  }

  private mutating func run(_ progress: (Double) throws -> Void) throws {
    var looks = 0
    func tell() throws {
      looks += 1
      if looks & 0x3FFF == 0 {
        try progress(Double(min(looks, removableCount)) / Double(max(1, removableCount)))
      }
    }
    var target = Int.max
    if case .share(let share) = rule.amount {
      let share = min(max(share.isNaN ? 1 : share, 0), 1)
      target = Int((Double(removableCount) * (1 - share)).rounded())
    }
    // The least important go first over all arcs, so that their order does not matter.
    heap.fill(with: mayGo.indices)
    while removedCount < target, let element = heap.popFirst() {
      try tell()
      take(element)
    }
    result.isIntricate = result.isIntricate || tree.isExhausted
    try progress(1)
  }

  /// Leaves a vertex out if that changes no more than its line.
  private mutating func take(_ element: Int) {
    let arc = Int(arcs[element])
    let (before, after) = (Int(previous[element]), Int(following[element]))
    let (a, b, c) = (table.vertices[before], table.vertices[element], table.vertices[after])
    if isGeographic, widens(a, b, c) { return }
    if isLoop[arc], left[arc] <= 3 {
      if mayVanish[arc], !tree.hasPlace(inTriangle: a, b, c) { vanish(element) }
      return
    }
    let range = table.range(ofArc: arc)
    let isClosed = table.vertices[range.lowerBound] == table.vertices[range.upperBound - 1]
    if a == c || !isLoop[arc] && isClosed && left[arc] <= 4 { return }
    let becomesStraight = !isLoop[arc] && left[arc] == 3
    if becomesStraight, straight.contains(Self.pair(a, c)) { return }
    if tree.hasPlace(inTriangle: a, b, c) { return }
    if becomesStraight { straight.insert(Self.pair(a, c)) }
    remove(element)
    following[before] = Int32(truncatingIfNeeded: after)
    previous[after] = Int32(truncatingIfNeeded: before)
    left[arc] -= 1
    let least = heap.priorities[element]
    if isLoop[arc], left[arc] == 3 {
      let size = max(least, size(ofRing: before))
      for corner in [before, after, Int(following[after])] { renew(corner, size) }
      return
    }
    for neighbour in [before, after] {
      guard mayGo[neighbour] else { continue }
      if case .visvalingam(let isWeighted) = rule.method {
        renew(neighbour, max(least, area(neighbour, isWeighted: isWeighted)))
      } else if !heap.contains(neighbour) {
        renew(neighbour, heap.priorities[neighbour])
      }
    }
  }

  /// Whether a step becomes wider than half a turn without a vertex: programs differ in which way
  /// round it goes. Or whether a step goes the short way across 180 degrees, before or after: then
  /// the triangle of the numbers is not the one on the globe.
  private func widens(_ a: Int32, _ b: Int32, _ c: Int32) -> Bool {
    let (x, y, z) = (table.places[Int(a)].x, table.places[Int(b)].x, table.places[Int(c)].x)
    if Longitude.turn(from: x, to: y) != 0 || Longitude.turn(from: y, to: z) != 0
      || Longitude.turn(from: x, to: z) != 0
    {
      return true
    }
    return (z - x).magnitude > 180 && (y - x).magnitude <= 180 && (z - y).magnitude <= 180
  }

  private mutating func renew(_ element: Int, _ priority: Double) {
    if mayGo[element], priority < .infinity { heap.set(element, to: priority) }
  }

  private mutating func remove(_ element: Int) {
    let place = table.vertices[element]
    tree.remove(place)
    result.keeps[Int(place)] = false
    result.countAfter -= 1
    removedCount += 1
  }

  private mutating func vanish(_ element: Int) {
    let ring = [Int(previous[element]), element, Int(following[element])]
    // A corner that has to stay keeps the ring.
    guard ring.allSatisfy({ mayGo[$0] }) else { return }
    for corner in ring {
      heap.remove(corner)
      remove(corner)
    }
    left[Int(arcs[element])] = 0
    result.lostRings += 1
  }

  private func area(_ element: Int, isWeighted: Bool) -> Double {
    importance.area(
      table.vertices[Int(previous[element])], table.vertices[element],
      table.vertices[Int(following[element])], isWeighted: isWeighted)
  }

  /// The size of a ring of three vertices, in the measure of the method.
  private func size(ofRing element: Int) -> Double {
    let (a, b) = (table.vertices[Int(previous[element])], table.vertices[element])
    let c = table.vertices[Int(following[element])]
    guard rule.method == .douglasPeucker else {
      return importance.area(a, b, c, isWeighted: false)
    }
    return max(importance.distance(a, b), importance.distance(b, c), importance.distance(c, a))
  }
}
