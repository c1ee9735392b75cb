import PortolanDocuments
import PortolanGraphics

/// Borders made to meet in vertices only.
extension CoveragePass {
  /// An edge, the same whichever way it goes.
  private struct EdgeKey: Hashable {
    let low: Coordinate
    let high: Coordinate

    init(_ a: Coordinate, _ b: Coordinate) {
      (low, high) = (a.x, a.y) < (b.x, b.y) ? (a, b) : (b, a)
    }
  }

  /// An arc's polygons; one that is open has one.
  private struct Owners {
    var numbers: [Int] = []
    var isOpen: Bool { numbers.count == 1 }

    func meets(_ other: Owners) -> Bool { numbers.contains { other.numbers.contains($0) } }
  }

  /// The most rounds: each may let new crossings be seen, since new vertices are rounded.
  private static let roundsMax = 10

  /// Moves vertices within the tolerance onto each other, and puts vertices where borders cross or
  /// come near.
  ///
  /// - Returns: whether all borders meet in vertices then.
  mutating func node(_ progress: () throws -> Void) throws -> Bool {
    try progress()
    let table = makeTable()
    snap(table, owners(in: table))
    for _ in 0..<Self.roundsMax {
      try progress()
      let table = makeTable()
      guard let inserted = insertions(table, owners(in: table)) else { return false }
      if inserted.isEmpty { return true }
      for shape in noded.indices {
        for ring in noded[shape].indices {
          noded[shape][ring] = Self.ring(noded[shape][ring], with: inserted)
        }
      }
    }
    return false
  }

  private func owners(in table: ArcTable) -> [Owners] {
    var owners = Array(repeating: Owners(), count: table.arcCount)
    for ring in table.rings {
      for step in table.steps[ring.steps] { owners[Int(step.arc)].numbers.append(ring.owner) }
    }
    return owners
  }

  private func tell(
    _ code: FaultCode, _ message: String, _ shape: Int, at place: Coordinate
  ) -> Finding {
    let feature = shapes[shape].feature
    return Finding(
      code, message, path: "\(layer.name), feature \(feature.rawValue)",
      position: meridian.shown(place),
      feature: FeatureReference(layer: layer.id, feature: feature))
  }

  // MARK: Vertices near each other

  private mutating func snap(_ table: ArcTable, _ owners: [Owners]) {
    var shapesAt: [Int32: Set<Int>] = [:]
    for arc in owners.indices where owners[arc].isOpen {
      for place in table.vertices[table.range(ofArc: arc)] {
        shapesAt[place, default: []].formUnion(owners[arc].numbers)
      }
    }
    let size = tolerance.distance
    func cell(_ place: Coordinate) -> Coordinate {
      Coordinate(x: (place.x / size).rounded(.down), y: (place.y / size).rounded(.down))
    }
    var cells: [Coordinate: [Int32]] = [:]
    var moves: [Coordinate: Coordinate] = [:]
    for number in shapesAt.keys.sorted() {
      let place = table.places[Int(number)]
      let own = shapesAt[number] ?? []
      let center = cell(place)
      var target: Int32?
      for x in -1...1 {
        for y in -1...1 {
          let key = Coordinate(x: center.x + Double(x), y: center.y + Double(y))
          for other in cells[key] ?? [] {
            let near = table.places[Int(other)]
            let (dx, dy) = (near.x - place.x, near.y - place.y)
            guard (dx * dx + dy * dy).squareRoot() <= size,
              shapesAt[other]?.isDisjoint(with: own) ?? false
            else { continue }
            target = min(target ?? other, other)
          }
        }
      }
      let isFixed = own.contains { fixed.contains(shapes[$0].feature) }
      if let target, !isFixed, let owner = own.min(), let other = shapesAt[target]?.min() {
        let goal = table.places[Int(target)]
        moves[place] = goal
        shapesAt[target]?.formUnion(own)
        repairs.append(
          tell(
            .missingVertex,
            "a vertex is moved onto that of feature \(shapes[other].feature.rawValue)", owner,
            at: goal))
      } else {
        cells[center, default: []].append(number)
      }
    }
    if moves.isEmpty { return }
    noded = noded.map { rings in rings.map { ring in ring.map { moves[$0] ?? $0 }.distinct } }
  }

  // MARK: Vertices on edges

  /// The vertices that belong into edges; `nil` if there are too many edges near each other.
  private mutating func insertions(
    _ table: ArcTable, _ owners: [Owners]
  ) -> [EdgeKey: [Coordinate]]? {
    var edges: [Edge] = []
    for arc in owners.indices {
      let range = table.range(ofArc: arc)
      for index in range.dropLast() {
        let a = table.places[Int(table.vertices[index])]
        let b = table.places[Int(table.vertices[index + 1])]
        edges.append(
          Edge(
            ax: a.x, ay: a.y, bx: b.x, by: b.y, position: 0,
            ring: Int32(truncatingIfNeeded: arc)))
      }
    }
    var inserted: [EdgeKey: Set<Coordinate>] = [:]
    var made: Set<Coordinate> = []
    var added: [(place: Coordinate, shape: Int, other: Int)] = []
    var grid = EdgeGrid()
    let isDone = edges.withUnsafeBufferPointer { edges in
      grid.forEachPair(edges, within: tolerance.distance) { first, second in
        let (a, b) = (edges[first], edges[second])
        let (own, other) = (owners[Int(a.ring)], owners[Int(b.ring)])
        if own.meets(other) || !own.isOpen && !other.isOpen { return }
        if own.isOpen, other.isOpen {
          for (edge, line, to, from) in [(a, b, other, own), (b, a, own, other)] {
            for end in [edge.a, edge.b] where tolerance.isNearInside(end, line.a, line.b) {
              if inserted[EdgeKey(line.a, line.b), default: []].insert(end).inserted {
                added.append((end, to.numbers[0], from.numbers[0]))
              }
            }
          }
        }
        guard let crossing = Crossing(first, a, second, b), crossing.kind == .proper else { return }
        let place = self.place(of: crossing.place, a, b)
        for edge in [a, b] where place != edge.a && place != edge.b {
          inserted[EdgeKey(edge.a, edge.b), default: []].insert(place)
        }
        if ![a.a, a.b, b.a, b.b].contains(place) { made.insert(place) }
      }
    }
    guard isDone else { return nil }
    // A vertex that a polygon had before is none of a crossing.
    crossings.formUnion(made.filter { table.number(ofPlace: $0) == nil })
    for (place, shape, other) in added where !crossings.contains(place) {
      repairs.append(
        tell(
          .missingVertex,
          "the vertex of feature \(shapes[other].feature.rawValue) is part of this border, too",
          shape, at: place))
    }
    return inserted.mapValues { Array($0) }
  }

  /// Where two edges that cross get a vertex: an end near the place, or the place in few decimals.
  private func place(of crossing: Coordinate, _ a: Edge, _ b: Edge) -> Coordinate {
    let near = [a.a, a.b, b.a, b.b].first {
      max(($0.x - crossing.x).magnitude, ($0.y - crossing.y).magnitude) <= tolerance.distance
    }
    let decimals = isGeographic ? 7 : 3
    return near
      ?? Coordinate(
        x: NumberText.rounded(crossing.x, decimals: decimals),
        y: NumberText.rounded(crossing.y, decimals: decimals))
  }

  private static func ring(
    _ ring: [Coordinate], with inserted: [EdgeKey: [Coordinate]]
  ) -> [Coordinate] {
    var result: [Coordinate] = []
    for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      result.append(a)
      guard let places = inserted[EdgeKey(a, b)] else { continue }
      func along(_ place: Coordinate) -> Double {
        (place.x - a.x) * (b.x - a.x) + (place.y - a.y) * (b.y - a.y)
      }
      result += places.sorted { (along($0), $0.x, $0.y) < (along($1), $1.x, $1.y) }
    }
    return result.distinct
  }
}

extension [Coordinate] {
  /// An open ring without equal vertices in a row.
  var distinct: [Coordinate] {
    var result: [Coordinate] = []
    for place in self where result.last != place { result.append(place) }
    while result.count > 1, result.first == result.last { result.removeLast() }
    return result
  }
}
