import PortolanDocuments
import PortolanGraphics

/// Cuts lines and polygons at 180 degrees of longitude (RFC 7946 section 3.1.9).
///
/// Cut pieces are not cut again: they are within -180 to 180, and no step in them has a shorter way
/// round.
struct AntimeridianCut {
  /// The decimals of latitudes at cuts.
  let decimals: Int
  /// Whether steps of the shape may go the short way across the antimeridian.
  let mayJump: Bool

  /// The pieces of a line, a polygon or points.
  struct Result {
    var pieces: [[Geometry.Path]]
    /// Its range of longitudes, continued beyond 180; `nil` if it was not cut.
    var extent: (west: Double, east: Double)?
    /// The number of steps that go the short way.
    var jumpCount = 0
  }

  /// A vertex on its way through the cuts.
  struct Point: Equatable {
    var x: Double
    var y: Double
    var elevation: Double?
  }

  /// The pieces of one polygon (outer ring first, rings closed), one line, or points.
  func parts(of paths: [Geometry.Path]) -> Result {
    guard let first = paths.first, !first.vertices.isEmpty else {
      return Result(pieces: [paths], extent: nil)
    }
    if first.role.kind == .point || first.role.kind == .multiPoint {
      return Result(pieces: [paths.map(Self.wrapped)], extent: nil)
    }
    var jumpCount = 0
    var rings = paths.map { path in
      guard mayJump else { return Self.points(path.vertices, path.elevations) }
      let (vertices, jumps) = Geometry.unwrapped(path.vertices)
      jumpCount += jumps
      let points = Self.points(vertices, path.elevations)
      return first.role.isRing ? closedAlongPole(points) : points
    }
    guard rings.allSatisfy({ Self.isSound($0, isRing: first.role.isRing) }) else {
      return Result(pieces: [paths], extent: nil, jumpCount: jumpCount)
    }
    let outer = Self.reach(rings[0])
    let isCut = outer.west < -180 || outer.east > 180
    for index in rings.indices.dropFirst() {
      if let hole = Self.hole(rings[index], in: outer) {
        rings[index] = hole
      } else if isCut, let x = rings[index].first?.x {
        let turns = (((outer.west + outer.east) / 2 - x) / 360).rounded()
        rings[index] = Self.shifted([rings[index]], by: turns * 360)[0]
      } else {
        // A hole of an uncut ring is left where it is.
        rings[index] = Self.points(paths[index].vertices, paths[index].elevations)
      }
    }
    guard isCut else {
      // Straight steps must not become jumps, once nothing of the shape is beyond 180.
      if !mayJump, outer.east - outer.west >= Longitude.leastJump { rings = rings.map(stepped) }
      return Result(
        pieces: [Self.paths(rings, like: first)], extent: nil, jumpCount: jumpCount)
    }
    var pieces: [[Geometry.Path]] = []
    var turn = ((outer.west + 180) / 360).rounded(.down)
    while turn * 360 - 180 < outer.east {
      let west = turn * 360 - 180
      let cut =
        first.role.isRing
        ? polygons(rings, west: west, east: west + 360).map { Self.shifted($0, by: -turn * 360) }
        : lines(rings[0], west: west, east: west + 360).map {
          Self.shifted([$0], by: -turn * 360)
        }
      pieces += cut.map { Self.paths($0.map(stepped), like: first) }
      turn += 1
    }
    // A shape without area or length has no pieces.
    return Result(
      pieces: pieces.isEmpty ? [paths.map(Self.wrapped)] : pieces, extent: outer,
      jumpCount: jumpCount)
  }

  // MARK: Longitudes

  private static func wrapped(_ path: Geometry.Path) -> Geometry.Path {
    var path = path
    for index in path.vertices.indices {
      path.vertices[index].x = Longitude.wrapped(path.vertices[index].x)
    }
    return path
  }

  /// A ring once around the world, from the antimeridian to the antimeridian, closed along its
  /// pole; others as they are.
  private func closedAlongPole(_ ring: [Point]) -> [Point] {
    guard let first = ring.first, let last = ring.last, first.y == last.y else { return ring }
    let turn = last.x - first.x
    guard (turn.magnitude - 360).magnitude < 1e-6 else { return ring }
    let meridian = ((max(first.x, last.x) + 180) / 360).rounded(.down) * 360 - 180
    let steps = zip(ring, ring.dropFirst())
    let isEast = { (point: Point) in point.x >= meridian }
    guard
      let place = Array(steps).firstIndex(where: { isEast($0) != isEast($1) })
    else { return ring }
    let start = crossing(ring[place], ring[place + 1], meridian)
    let around = turn < 0 ? -360.0 : 360
    func moved(_ point: Point) -> Point { Self.shifted([[point]], by: around)[0][0] }
    let pole = Longitude.pole(inRingFrom: Coordinate(x: first.x, y: first.y))
    var result = [start] + ring[(place + 1)...] + ring[1..<(place + 1)].map(moved) + [moved(start)]
    for point in [moved(start), start] {
      result.append(Point(x: point.x, y: pole, elevation: start.elevation))
    }
    result.append(start)
    return Self.distinct(result)
  }

  private static func points(_ vertices: [Coordinate], _ elevations: [Double?]) -> [Point] {
    zip(vertices, vertices.indices).map { vertex, index in
      Point(
        x: vertex.x, y: vertex.y,
        elevation: elevations.indices.contains(index) ? elevations[index] : nil)
    }
  }

  /// A hole in its outer ring's turn; `nil` if it reaches beyond the ring in every turn.
  private static func hole(
    _ ring: [Point], in outer: (west: Double, east: Double)
  ) -> [Point]? {
    let reach = reach(ring)
    let turns = ((outer.west - reach.west) / 360).rounded(.up)
    guard turns.isFinite else { return nil }
    if reach.west >= outer.west, reach.east <= outer.east { return ring }
    let hole = shifted([ring], by: turns * 360)[0]
    return Self.reach(hole).east <= outer.east ? hole : nil
  }

  /// Whether a path can be cut: finite, within a few turns, and a ring returns to its start.
  private static func isSound(_ points: [Point], isRing: Bool) -> Bool {
    guard points.allSatisfy({ $0.x.magnitude <= 3600 && $0.y.isFinite }) else { return false }
    return !isRing || points.first?.x == points.last?.x
  }

  private static func reach(_ points: [Point]) -> (west: Double, east: Double) {
    var reach = (west: Double.infinity, east: -Double.infinity)
    for point in points {
      reach = (min(reach.west, point.x), max(reach.east, point.x))
    }
    return reach
  }

  private static func shifted(_ rings: [[Point]], by shift: Double) -> [[Point]] {
    if shift == 0 { return rings }
    return rings.map { ring in
      ring.map { Point(x: NumberText.sum($0.x, shift), y: $0.y, elevation: $0.elevation) }
    }
  }

  /// The path with a vertex half way of each step that would have a shorter way round, such as an
  /// edge of a box around the world.
  private func stepped(_ points: [Point]) -> [Point] {
    var result: [Point] = []
    for point in points {
      // The tolerance: decimals are not exact as doubles.
      if let former = result.last, (former.x - point.x).magnitude > 180 + 1e-9,
        (former.x - point.x).magnitude < 360 - 1e-9
      {
        let half = (former.x + point.x) / 2
        result.append(crossing(former, point, NumberText.rounded(half, decimals: decimals)))
      }
      result.append(point)
    }
    return result
  }

  /// The points without those that equal the one before.
  private static func distinct(_ points: [Point]) -> [Point] {
    points.reduce(into: []) { distinct, point in
      if distinct.last != point { distinct.append(point) }
    }
  }

  private static func paths(_ rings: [[Point]], like path: Geometry.Path) -> [Geometry.Path] {
    rings.map { ring in
      Geometry.Path(
        role: path.role, vertices: ring.map { Coordinate(x: $0.x, y: $0.y) },
        elevations: ring.contains { $0.elevation != nil } ? ring.map(\.elevation) : [])
    }
  }

  // MARK: Lines

  /// The parts of a line between two meridians.
  private func lines(_ line: [Point], west: Double, east: Double) -> [[Point]] {
    [(west, true), (east, false)].reduce([line]) { lines, edge in
      lines.flatMap { chains($0, at: edge.0, isEastKept: edge.1) }
    }
    .filter { $0.count > 1 }
  }

  /// The parts of a line on one side of a meridian.
  private func chains(_ line: [Point], at meridian: Double, isEastKept: Bool) -> [[Point]] {
    var chains: [[Point]] = []
    var chain: [Point] = []
    for (index, point) in line.enumerated() {
      let isInside = isEastKept ? point.x >= meridian : point.x <= meridian
      if index > 0 {
        let former = line[index - 1]
        let wasInside = isEastKept ? former.x >= meridian : former.x <= meridian
        if wasInside != isInside {
          let crossing = crossing(former, point, meridian)
          if chain.last != crossing { chain.append(crossing) }
          if wasInside {
            chains.append(chain)
            chain = []
          }
        }
      }
      if isInside, chain.last != point { chain.append(point) }
    }
    chains.append(chain)
    return chains
  }

  private func crossing(_ first: Point, _ second: Point, _ meridian: Double) -> Point {
    if first.x == meridian { return first }
    if second.x == meridian { return second }
    let part = (meridian - first.x) / (second.x - first.x)
    let y = first.y + part * (second.y - first.y)
    var elevation: Double?
    if let low = first.elevation, let high = second.elevation {
      elevation = NumberText.rounded(low + part * (high - low), decimals: decimals)
    }
    return Point(
      x: meridian, y: NumberText.rounded(y, decimals: decimals), elevation: elevation)
  }

  // MARK: Polygons

  /// The parts of a polygon between two meridians; outer rings counter-clockwise, holes clockwise.
  private func polygons(_ rings: [[Point]], west: Double, east: Double) -> [[[Point]]] {
    let eastern = halves(rings, at: west, isEastKept: true)
    return eastern.flatMap { halves($0, at: east, isEastKept: false) }
  }

  /// The parts of a polygon on one side of a meridian.
  ///
  /// Each ring is divided into chains that begin and end on the meridian. Sorted by latitude, their
  /// ends form pairs: between the two of a pair the meridian is inside of the polygon, so a chain
  /// continues there with the chain that begins at the other end.
  private func halves(
    _ rings: [[Point]], at meridian: Double, isEastKept: Bool
  ) -> [[[Point]]] {
    var outers: [[Point]] = []
    var holes: [[Point]] = []
    var chains: [[Point]] = []
    for (index, ring) in rings.enumerated() {
      let found = ringChains(ring, at: meridian, isEastKept: isEastKept)
      if let whole = found.whole {
        if index == 0 { outers.append(whole) } else { holes.append(whole) }
      }
      chains += found.chains
    }
    outers += linked(chains)
    outers.removeAll { Self.signedArea($0) == 0 }
    var polygons = outers.map { [$0] }
    for hole in holes {
      if polygons.count == 1 { polygons[0].append(hole) }
      if polygons.count < 2 { continue }
      // Some vertices of a hole may lie on a ring; a few others tell.
      let probes = stride(from: 0, to: hole.count, by: max(1, hole.count / 16)).map { hole[$0] }
      let counts = polygons.map { polygon in
        probes.count { Self.contains(polygon[0], $0) }
      }
      let home = counts.indices.max { counts[$0] < counts[$1] }
      if let home { polygons[home].append(hole) }
    }
    return polygons
  }

  /// The chains of a ring on the kept side, or the whole ring.
  private func ringChains(
    _ ring: [Point], at meridian: Double, isEastKept: Bool
  ) -> (whole: [Point]?, chains: [[Point]]) {
    // A vertex on the meridian counts as outside, so that touching it makes no chain.
    func isInside(_ point: Point) -> Bool {
      isEastKept ? point.x > meridian : point.x < meridian
    }
    let open = ring.dropLast()
    guard let start = open.firstIndex(where: { !isInside($0) }) else { return (ring, []) }
    let turned = open[start...] + open[..<start] + open[start...start]
    var chains: [[Point]] = []
    var chain: [Point] = []
    var former = turned[turned.startIndex]
    for point in turned.dropFirst() {
      let enters = isInside(point)
      let leaves = isInside(former)
      if enters != leaves {
        chain.append(crossing(former, point, meridian))
        if leaves {
          chains.append(chain)
          chain = []
        }
      }
      if enters { chain.append(point) }
      former = point
    }
    return (nil, chains)
  }

  /// Joins chains along the meridian into closed rings.
  private func linked(_ chains: [[Point]]) -> [[Point]] {
    // The ends of chain i are 2 i, where it begins, and 2 i + 1.
    func place(_ end: Int) -> Point {
      chains[end / 2][end % 2 == 0 ? 0 : chains[end / 2].count - 1]
    }
    var ends = (0..<2 * chains.count).sorted { (place($0).y, $0) < (place($1).y, $1) }
    var partners = [Int](repeating: 0, count: ends.count)
    for low in stride(from: 0, to: ends.count - 1, by: 2) {
      // Of ends in one place those come together that keep the direction of their chains.
      if ends[low] % 2 == ends[low + 1] % 2, low + 2 < ends.count,
        place(ends[low + 1]).y == place(ends[low + 2]).y
      {
        ends.swapAt(low + 1, low + 2)
      }
      partners[ends[low]] = ends[low + 1]
      partners[ends[low + 1]] = ends[low]
    }
    var rings: [[Point]] = []
    var isUsed = [Bool](repeating: false, count: chains.count)
    for first in chains.indices where !isUsed[first] {
      var ring: [Point] = []
      var end = 2 * first
      // A ring that crosses itself may pass a chain against its direction.
      while !isUsed[end / 2] {
        isUsed[end / 2] = true
        ring += end % 2 == 0 ? chains[end / 2] : chains[end / 2].reversed()
        end = partners[end ^ 1]
      }
      ring = Self.distinct(ring + ring.prefix(1))
      if ring.count >= 4 { rings.append(ring) }
    }
    return rings
  }

  private static func contains(_ ring: [Point], _ point: Point) -> Bool {
    var isInside = false
    for (first, second) in zip(ring, ring.dropFirst())
    where (first.y > point.y) != (second.y > point.y) {
      let x = first.x + (point.y - first.y) / (second.y - first.y) * (second.x - first.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside
  }

  private static func signedArea(_ ring: [Point]) -> Double {
    Ring.signedArea(ring.map { Coordinate(x: $0.x, y: $0.y) })
  }
}
