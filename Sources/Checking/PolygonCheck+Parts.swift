import PortolanGraphics

/// How the polygons of a MultiPolygon lie to each other.
extension PolygonCheck {
  /// Finds parts that overlap, or share more of their borders than points.
  ///
  /// Only edges where the boxes of two parts meet are compared. A place of a part is in another one
  /// if a ray from it meets an odd number of the edges of others.
  ///
  /// - Parameters:
  ///   - xy: two doubles a position, x then y.
  ///   - parts: the rings of each part, the outer one first; no ring crosses one of its part.
  mutating func checkParts(
    _ xy: UnsafePointer<Double>, _ parts: [[Ring]], _ faults: inout [RingFault]
  ) {
    let boxes = parts.map { rings in
      (rings.first ?? 0..<0).reduce(into: Box.empty) {
        $0.formUnion(Coordinate(x: xy[2 * $1], y: xy[2 * $1 + 1]))
      }
    }
    guard let meetings = PartMeetings(boxes) else {
      let first = parts[0].first?.lowerBound ?? 0
      faults.append(
        RingFault(
          code: .intricate, ring: 0, position: first,
          place: Coordinate(x: xy[2 * first], y: xy[2 * first + 1]),
          message: "the \(parts.count) parts of the MultiPolygon were not compared"))
      return
    }
    guard meetings.reaches.contains(where: { !$0.isEmpty }) else { return }
    var edges: [Edge] = []
    var asked: [(edge: Edge, place: Coordinate)] = []
    for (number, rings) in parts.enumerated() where !meetings.reaches[number].isEmpty {
      // A part in the box of another one may lie in it.
      if meetings.held.contains(number), let outer = rings.first {
        asked += Self.edges(xy, outer.prefix(8), of: number).map {
          ($0, Coordinate(x: $0.ax, y: $0.ay))
        }
      }
      for ring in rings { edges += Self.edges(xy, ring, of: number) }
    }
    let near = edges.filter { $0.meets(meetings.reaches[Int($0.ring)]) }
    var known: Set<[Int32]> = []
    let isWhole = near.withUnsafeBufferPointer { near in
      grid.forEachPair(near, within: 0) { first, second in
        let (a, b) = (near[min(first, second)], near[max(first, second)])
        guard a.ring != b.ring, known.count < Self.crossingsMax,
          let crossing = Crossing(first, a, second, b)
        else { return }
        if crossing.kind == .touch {
          // An edge of a part that touches another one may lead into it.
          guard asked.count < Self.askedMax else { return }
          asked += [a, b].map {
            ($0, Coordinate(x: ($0.ax + $0.bx) / 2, y: ($0.ay + $0.by) / 2))
          }
          return
        }
        guard known.insert([a.ring, b.ring]).inserted else { return }
        faults.append(
          RingFault(
            code: .partsOverlap, ring: Int(b.ring), position: Int(b.position),
            place: crossing.place,
            message: crossing.kind == .proper
              ? "two parts of the MultiPolygon overlap"
              : "two parts of the MultiPolygon share a stretch"))
      }
    }
    if !isWhole, let edge = edges.first { return tellIntricate(edge, &faults) }
    guard known.isEmpty, !asked.isEmpty else { return }
    let bands = EdgeBands(edges, boxes.reduce(.empty) { $0.union($1) })
    var budget = 1_000_000 + edges.count * 200
    for (edge, place) in asked {
      if budget < 0 { return tellIntricate(edge, &faults) }
      // A place on the border of another part tells nothing.
      let counts = bands.count(edges, at: place.x, place.y, besides: edge.ring, &budget)
      guard let counts, counts.all % 2 == 1 else { continue }
      return faults.append(
        RingFault(
          code: .partsOverlap, ring: Int(edge.ring), position: Int(edge.position), place: place,
          message: "a part of the MultiPolygon lies in another one"))
    }
  }

  /// The most places that are looked for in other parts.
  private static let askedMax = 100_000

  /// The edges of a ring between different positions, with the number of its part.
  private static func edges(
    _ xy: UnsafePointer<Double>, _ ring: Ring, of part: Int
  ) -> [Edge] {
    zip(ring, ring.dropFirst() + [ring.lowerBound]).compactMap { from, to in
      let edge = Edge(
        ax: xy[2 * from], ay: xy[2 * from + 1], bx: xy[2 * to], by: xy[2 * to + 1],
        position: Int32(truncatingIfNeeded: from), ring: Int32(truncatingIfNeeded: part))
      return edge.ax == edge.bx && edge.ay == edge.by ? nil : edge
    }
  }
}

/// Where the boxes of parts meet.
private struct PartMeetings {
  /// For each part the box around its meetings with others; empty without any.
  private(set) var reaches: [Box]
  /// The parts whose boxes are in the box of another part.
  private(set) var held: Set<Int> = []

  /// - Returns: `nil` for too many meetings.
  init?(_ boxes: [Box]) {
    var budget = 1_000_000 + boxes.count * 100
    reaches = boxes.map { _ in .empty }
    let tree = BoxTree(boxes)
    for (number, box) in boxes.enumerated() {
      tree.visit(meeting: box) { other in
        if other == number { return true }
        let common = Box(
          minX: max(box.minX, boxes[other].minX), minY: max(box.minY, boxes[other].minY),
          maxX: min(box.maxX, boxes[other].maxX), maxY: min(box.maxY, boxes[other].maxY))
        reaches[number] = reaches[number].union(common)
        if common == box { held.insert(number) }
        budget -= 1
        return budget > 0
      }
      if budget <= 0 { return nil }
    }
  }
}

extension Edge {
  /// Whether its box meets another one.
  fileprivate func meets(_ box: Box) -> Bool {
    min(ax, bx) <= box.maxX && max(ax, bx) >= box.minX && min(ay, by) <= box.maxY
      && max(ay, by) >= box.minY
  }
}
