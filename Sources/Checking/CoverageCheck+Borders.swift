import PortolanDocuments
import PortolanGraphics

/// Overlaps along borders.
///
/// An arc is cut wherever the border of another polygon meets it. Between two cuts each other
/// polygon is either on both sides of it, on one, or on none, so that one place of each piece
/// tells: a polygon that holds it overlaps that of the arc. One whose border runs along the piece
/// does so if it lies on the same side; on the other side it is a neighbour.
extension CoverageCheck {
  typealias Uses = [[(ring: Int, isReversed: Bool)]]

  /// A place at which another border meets an arc.
  private struct Cut {
    /// The first vertex of the edge, and the part of the edge before the place; 0 for that vertex.
    var position: Int32
    var part: Double
  }

  /// A vertex of one polygon inside of the edge of another one, with the numbers of both edges.
  private struct Guest {
    var edge: Int
    var other: Int
    var vertex: Int32
    /// Whether both polygons lie on the same side of a stretch from there.
    var isInside: Bool
  }

  /// Where a place lies in a polygon.
  private enum Location {
    case inside
    case border
    case outside
  }

  /// The edges of arcs, those across 180 degrees at both ends of the world.
  private func edges(of arcs: some Sequence<Int>) -> [Edge] {
    var edges: [Edge] = []
    for arc in arcs {
      let range = table.range(ofArc: arc)
      for index in range.dropLast() {
        let a = table.places[Int(table.vertices[index])]
        let b = table.places[Int(table.vertices[index + 1])]
        let turn = isGeographic ? Longitude.turn(from: a.x, to: b.x) : 0
        for start in turn == 0 ? [a.x] : [a.x, a.x - turn] {
          edges.append(
            Edge(
              ax: start, ay: a.y, bx: start == a.x ? b.x + turn : b.x, by: b.y,
              position: Int32(truncatingIfNeeded: index),
              ring: Int32(truncatingIfNeeded: arc)))
        }
      }
    }
    return edges
  }

  /// The arcs that several polygons share near overlaps: they may lie in further ones.
  func commonArcsNearOverlaps(_ uses: Uses) -> [Int] {
    let near = polygons.reduce(into: Box.empty) { box, polygon in
      if overlapping.contains(polygon.feature) { box = box.union(polygon.box) }
    }
    return uses.indices.filter { arc in
      uses[arc].count > 1
        && uses[arc].contains { polygons[polygonOfRing[$0.ring]].box.intersects(near) }
    }
  }

  /// Finds what overlaps the polygons of some arcs, and the vertices that are missing in open ones.
  mutating func compareBorders(
    _ arcs: [Int], _ uses: Uses, _ progress: (Double) throws -> Void
  ) throws {
    if arcs.isEmpty { return }
    var isMeant = Array(repeating: false, count: uses.count)
    for arc in arcs { isMeant[arc] = true }
    var edges = edges(of: arcs)
    let count = edges.count
    edges += self.edges(of: uses.indices.lazy.filter { !isMeant[$0] })
    let cuts = compareEdges(edges, ofFirst: count, uses)
    try progress(0.5)
    try findInside(arcs, uses, cuts) { try progress(0.5 + 0.5 * $0) }
  }

  // MARK: Edges that cross or are near

  /// How edges of different polygons meet.
  private struct Meetings {
    let check: CoverageCheck
    let uses: Uses
    /// Only the first edges are cut.
    let count: Int
    var cuts: [Cut] = []
    var crossings: [(first: Int, second: Int, place: Coordinate)] = []
    var guests: [Guest] = []

    func feature(_ edge: Edge) -> FeatureID {
      check.feature(ofRing: uses[Int(edge.ring)][0].ring)
    }

    private func isOpen(_ edge: Edge) -> Bool { uses[Int(edge.ring)].count == 1 }

    mutating func add(_ first: Int, _ a: Edge, _ second: Int, _ b: Edge) {
      if a.ring == b.ring { return }
      let areOpen = isOpen(a) && isOpen(b)
      if areOpen, feature(a) == feature(b) { return }
      let isNear = [
        addEnds(of: first, a, on: second, b, areOpen),
        addEnds(of: second, b, on: first, a, areOpen),
      ]
      guard let crossing = Crossing(first, a, second, b), crossing.kind == .proper else { return }
      if isNear.contains(true) {
        // Two along one border cross, too, where numbers are rounded.
        cut(first, a, at: crossing.place)
        cut(second, b, at: crossing.place)
      } else {
        crossings.append((first, second, crossing.place))
      }
    }

    private mutating func cut(_ number: Int, _ edge: Edge, at place: Coordinate) {
      if number < count { cuts.append(Cut(position: edge.position, part: edge.part(of: place))) }
    }

    /// - Returns: whether an end of the first edge is near the other one.
    private mutating func addEnds(
      of number: Int, _ edge: Edge, on otherNumber: Int, _ other: Edge, _ areOpen: Bool
    ) -> Bool {
      let tolerance = check.tolerance
      var isNear = false
      for (index, end) in [edge.a, edge.b].enumerated()
      where tolerance.isNear(end, other.a, other.b) {
        isNear = true
        let position = edge.position + Int32(truncatingIfNeeded: index)
        if number < count { cuts.append(Cut(position: position, part: 0)) }
        guard tolerance.isNearInside(end, other.a, other.b) else { continue }
        cut(otherNumber, other, at: end)
        if areOpen {
          guests.append(
            Guest(
              edge: number, other: otherNumber, vertex: check.table.vertices[Int(position)],
              isInside: areAlike(edge, other) && areAlong(edge, from: end, other)))
        }
      }
      return isNear
    }

    /// Whether two edges that lie along each other have their polygons on the same side.
    private func areAlike(_ a: Edge, _ b: Edge) -> Bool {
      let turn = uses[Int(a.ring)][0].isReversed == uses[Int(b.ring)][0].isReversed ? 1.0 : -1
      return ((a.bx - a.ax) * (b.bx - b.ax) + (a.by - a.ay) * (b.by - b.ay)) * turn > 0
    }

    /// Whether two edges have a stretch in common: it goes from an end of the first one, inside of
    /// the other, to another end.
    private func areAlong(_ edge: Edge, from end: Coordinate, _ other: Edge) -> Bool {
      let tolerance = check.tolerance
      return tolerance.isNear(end == edge.a ? edge.b : edge.a, other.a, other.b)
        || [other.a, other.b].contains { tolerance.isNearInside($0, edge.a, edge.b) }
    }
  }

  /// - Returns: the cuts of the first edges, along their arcs.
  private mutating func compareEdges(_ edges: [Edge], ofFirst count: Int, _ uses: Uses) -> [Cut] {
    var meetings = Meetings(check: self, uses: uses, count: count)
    var grid = EdgeGrid()
    let isDone = edges.withUnsafeBufferPointer { edges in
      grid.forEachPair(edges, within: tolerance.distance, ofFirst: count) { first, second in
        meetings.add(first, edges[first], second, edges[second])
      }
    }
    if !isDone { isIntricate = true }
    // In the order of the rings, wherever they are on the globe.
    func isBefore(_ first: (Int, Int), _ second: (Int, Int)) -> Bool {
      (edges[first.0].position, edges[first.1].position)
        < (edges[second.0].position, edges[second.1].position)
    }
    // A border on the same side of another one is none between neighbours.
    let inside = Set(meetings.guests.lazy.filter(\.isInside).map { [Int($0.vertex), $0.other] })
    let guests = meetings.guests.sorted { isBefore(($0.edge, $0.other), ($1.edge, $1.other)) }
    for guest in guests where !inside.contains([Int(guest.vertex), guest.other]) {
      emitMissing(
        table.places[Int(guest.vertex)], of: meetings.feature(edges[guest.edge]),
        in: meetings.feature(edges[guest.other]))
    }
    let crossings = meetings.crossings
      .map {
        edges[$0.first].position <= edges[$0.second].position ? $0 : ($0.second, $0.first, $0.place)
      }
      .sorted { isBefore(($0.first, $0.second), ($1.first, $1.second)) }
    for (first, second, place) in crossings {
      for use in uses[Int(edges[first].ring)] {
        for other in uses[Int(edges[second].ring)] {
          emitOverlap(feature(ofRing: use.ring), feature(ofRing: other.ring), at: place)
        }
      }
    }
    return meetings.cuts.sorted { ($0.position, $0.part) < ($1.position, $1.part) }
  }

  // MARK: Pieces inside of others

  /// Finds the polygons that a piece of an arc lies in, or whose border it is from the same side.
  private mutating func findInside(
    _ arcs: [Int], _ uses: Uses, _ cuts: [Cut], _ progress: (Double) throws -> Void
  ) throws {
    var budget = 2_000_000 + table.vertices.count * 100
    // Cuts are in the order of arcs.
    var next = 0
    for (number, arc) in arcs.enumerated() {
      if number & 1023 == 0 { try progress(Double(number) / Double(arcs.count)) }
      let range = table.range(ofArc: arc)
      let first = next
      while next < cuts.count, Int(cuts[next].position) < range.upperBound { next += 1 }
      for piece in pieces(range, cuts[first..<next]) {
        if budget <= 0 {
          isIntricate = true
          return
        }
        compare(piece, uses[arc], &budget)
      }
    }
  }

  /// The longest edges, or parts of them, between the cuts of an arc.
  private func pieces(
    _ range: Range<Int>, _ cuts: ArraySlice<Cut>
  ) -> [(a: Coordinate, b: Coordinate)] {
    var pieces: [(a: Coordinate, b: Coordinate)] = []
    var longest: (a: Coordinate, b: Coordinate, square: Double)?
    func end() {
      if let piece = longest { pieces.append((piece.a, piece.b)) }
      longest = nil
    }
    func pass(_ a: Coordinate, _ b: Coordinate) {
      let square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)
      if square > longest?.square ?? 0 { longest = (a, b, square) }
    }
    var cut = cuts.startIndex
    for index in range.dropLast() {
      var a = table.places[Int(table.vertices[index])]
      var b = table.places[Int(table.vertices[index + 1])]
      if isGeographic { b.x += Longitude.turn(from: a.x, to: b.x) }
      let start = a
      while cut < cuts.endIndex, Int(cuts[cut].position) == index {
        let part = cuts[cut].part
        let place = Coordinate(
          x: start.x + part * (b.x - start.x), y: start.y + part * (b.y - start.y))
        pass(a, place)
        end()
        a = place
        cut += 1
      }
      pass(a, b)
    }
    end()
    return pieces
  }

  /// Tells the polygons that overlap those of a piece of a border.
  private mutating func compare(
    _ piece: (a: Coordinate, b: Coordinate), _ uses: Uses.Element, _ budget: inout Int
  ) {
    let (dx, dy) = (piece.b.x - piece.a.x, piece.b.y - piece.a.y)
    let middle = onGlobe(Coordinate(x: piece.a.x + dx / 2, y: piece.a.y + dy / 2))
    let length = (dx * dx + dy * dy).squareRoot()
    let others = polygons(near: middle)
    for other in others where !uses.contains(where: { polygonOfRing[$0.ring] == other }) {
      for use in uses {
        let own = polygonOfRing[use.ring]
        if isKnown(polygons[own].feature, polygons[other].feature) { continue }
        switch location(of: middle, in: polygons[other], &budget) {
        case .outside: continue
        case .inside: break
        case .border:
          // Both polygons are on the left of their borders, if the piece is.
          let reach = (use.isReversed ? -3 : 3) * tolerance.distance / length
          let beside = onGlobe(Coordinate(x: middle.x - dy * reach, y: middle.y + dx * reach))
          guard location(of: beside, in: polygons[other], &budget) == .inside,
            location(of: beside, in: polygons[own], &budget) == .inside
          else { continue }
        }
        emitOverlap(polygons[own].feature, polygons[other].feature, at: middle)
      }
    }
  }

  /// The polygons whose boxes hold a place, in their order.
  private mutating func polygons(near place: Coordinate) -> [Int] {
    let reach = tolerance.distance
    let box = Box(
      minX: place.x - reach, minY: place.y - reach, maxX: place.x + reach, maxY: place.y + reach)
    var found: [Int] = []
    tree.visit(meeting: box) {
      found.append($0)
      return true
    }
    return found.sorted()
  }

  private func onGlobe(_ place: Coordinate) -> Coordinate {
    isGeographic ? Coordinate(x: Longitude.onGlobe(place.x), y: place.y) : place
  }

  private func location(
    of place: Coordinate, in polygon: Polygon, _ budget: inout Int
  ) -> Location {
    var isInside = false
    /// - Returns: whether the place is farther from the edge than the tolerance.
    func pass(_ a: Coordinate, _ b: Coordinate, _ place: Coordinate) -> Bool {
      if tolerance.isNear(place, a, b) { return false }
      guard (a.y > place.y) != (b.y > place.y) else { return true }
      let edge = Edge(ax: a.x, ay: a.y, bx: b.x, by: b.y, position: 0, ring: 0)
      if (edge.side(place.x, place.y) > 0) == (b.y > a.y) { isInside.toggle() }
      return true
    }
    // In a ring that is continued across 180 degrees, a place may lie a turn away.
    let places = (polygon.isAcross ? [-360.0, 0, 360] : [0]).map {
      Coordinate(x: place.x + $0, y: place.y)
    }
    for ring in table.rings[polygon.rings] {
      if polygon.isAcross {
        let ring = table.coordinates(of: ring).continued
        budget -= places.count * ring.count
        for (a, b) in zip(ring, ring.dropFirst()) {
          guard places.allSatisfy({ pass(a, b, $0) }) else { return .border }
        }
        continue
      }
      for step in table.steps[ring.steps] {
        let range = table.range(ofArc: Int(step.arc))
        budget -= range.count
        for index in range.dropLast() {
          let a = table.places[Int(table.vertices[index])]
          let b = table.places[Int(table.vertices[index + 1])]
          guard pass(a, b, place) else { return .border }
        }
      }
    }
    return isInside ? .inside : .outside
  }

  /// Whether a polygon lies over the longest edge of a ring.
  mutating func isCovered(_ ring: [Coordinate]) -> Bool {
    var longest = (square: -1.0, middle: Coordinate(x: 0, y: 0))
    for (a, b) in zip(ring, ring.dropFirst()) {
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      if dx * dx + dy * dy > longest.square {
        longest = (dx * dx + dy * dy, Coordinate(x: a.x + dx / 2, y: a.y + dy / 2))
      }
    }
    let middle = onGlobe(longest.middle)
    var budget = 0
    return polygons(near: middle).contains {
      location(of: middle, in: polygons[$0], &budget) == .inside
    }
  }
}

extension Edge {
  var a: Coordinate { Coordinate(x: ax, y: ay) }
  var b: Coordinate { Coordinate(x: bx, y: by) }

  /// The part of the edge before a place on it.
  fileprivate func part(of place: Coordinate) -> Double {
    let (dx, dy) = (bx - ax, by - ay)
    let square = dx * dx + dy * dy
    return square > 0 ? min(max(((place.x - ax) * dx + (place.y - ay) * dy) / square, 0), 1) : 0
  }
}
