import PortolanGraphics

/// The plain way to say whether a box touches a geometry, to judge the quick one by: every edge of
/// the box against every segment, in whole numbers, and a ray to the east for the inside.
///
/// Coordinates are eighths of a unit or degree. On the globe the shape is unrolled vertex by vertex
/// and compared on several turns.
struct PlainTouch {
  struct Place: Hashable {
    var x: Int
    var y: Int
  }

  struct Path {
    var role: PathRole
    var places: [Place]
  }

  static let unit = 8
  private static let turn = 360 * unit

  /// West, south, east, north; west may be more than east on the globe.
  var corners: (west: Int, south: Int, east: Int, north: Int)
  var isGeographic: Bool

  func touches(_ paths: [Path]) -> Bool {
    var west = corners.west
    var east = corners.east
    if isGeographic && west > east { east += Self.turn }
    var boxes: [(Int, Int)] = []
    for turns in isGeographic ? -5...5 : 0...0 {
      boxes.append((west + turns * Self.turn, east + turns * Self.turn))
    }
    (west, east) = (0, 0)
    let half = Self.turn / 2
    let mayJump = isGeographic && paths.allSatisfy { $0.places.allSatisfy { abs($0.x) <= half } }
    // Each box by itself; what is in a jumping ring may lie on several turns of it.
    let groups = mayJump ? [boxes] : boxes.map { [$0] }
    func isInside(_ rings: [[Place]]) -> Bool { groups.contains { holdsAny(rings, $0) } }
    var polygon: [[Place]] = []
    for path in paths {
      if path.role.kind.dimension != 2 || path.role.beginsPolygon {
        if isInside(polygon) { return true }
        polygon = []
      }
      let places = mayJump && path.role.kind.dimension != 0 ? unroll(path) : path.places
      switch path.role.kind.dimension {
      case 0: if places.contains(where: { holds($0, boxes) }) { return true }
      default:
        if boxes.contains(where: { cuts(places, $0.0, $0.1) }) { return true }
        if path.role.isRing { polygon.append(closed(places)) }
      }
    }
    return isInside(polygon)
  }

  /// Steps of 330 degrees go the short way; one of a whole turn stays.
  private func unroll(_ path: Path) -> [Place] {
    guard var former = path.places.first else { return [] }
    var offset = 0
    return path.places.map { place in
      let step = place.x - former.x
      if abs(step) >= 330 * Self.unit && abs(step) < Self.turn {
        offset += step > 0 ? -Self.turn : Self.turn
      }
      former = place
      return Place(x: place.x + offset, y: place.y)
    }
  }

  /// A ring that ends some turns from its start goes back along beyond its pole.
  private func closed(_ places: [Place]) -> [Place] {
    guard let first = places.first, let last = places.last, first.x != last.x else { return places }
    let pole = (first.y < 0 ? -999 : 999) * Self.unit
    return places + [Place(x: last.x, y: pole), Place(x: first.x, y: pole), first]
  }

  private func holds(_ place: Place, _ boxes: [(Int, Int)]) -> Bool {
    place.y >= corners.south && place.y <= corners.north
      && boxes.contains { place.x >= $0.0 && place.x <= $0.1 }
  }

  private func cuts(_ places: [Place], _ west: Int, _ east: Int) -> Bool {
    if places.contains(where: { holds($0, [(west, east)]) }) { return true }
    let edges = [
      (Place(x: west, y: corners.south), Place(x: east, y: corners.south)),
      (Place(x: east, y: corners.south), Place(x: east, y: corners.north)),
      (Place(x: east, y: corners.north), Place(x: west, y: corners.north)),
      (Place(x: west, y: corners.north), Place(x: west, y: corners.south)),
    ]
    return zip(places, places.dropFirst()).contains { a, b in
      max(a.x, b.x) >= west && min(a.x, b.x) <= east
        && edges.contains { Self.meet(a, b, $0.0, $0.1) }
    }
  }

  /// Whether two segments have a point in common.
  private static func meet(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> Bool {
    let (ac, ad) = (turn(a, b, c), turn(a, b, d))
    let (ca, cb) = (turn(c, d, a), turn(c, d, b))
    if ac * ad < 0 && ca * cb < 0 { return true }
    return ac == 0 && isBetween(a, b, c) || ad == 0 && isBetween(a, b, d)
      || ca == 0 && isBetween(c, d, a) || cb == 0 && isBetween(c, d, b)
  }

  private static func turn(_ a: Place, _ b: Place, _ p: Place) -> Int {
    ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)).signum()
  }

  private static func isBetween(_ a: Place, _ b: Place, _ p: Place) -> Bool {
    min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) && min(a.y, b.y) <= p.y && p.y <= max(a.y, b.y)
  }

  /// Whether the box's northeast corner, on any turn, lies inside of rings.
  private func holdsAny(_ rings: [[Place]], _ boxes: [(Int, Int)]) -> Bool {
    var crossings = 0
    for (_, x) in boxes {
      let p = Place(x: x, y: corners.north)
      for ring in rings {
        for (a, b) in zip(ring, ring.dropFirst()) where (a.y > p.y) != (b.y > p.y) {
          let (low, high) = a.y < b.y ? (a, b) : (b, a)
          if Self.turn(low, high, p) > 0 { crossings += 1 }
        }
      }
    }
    return crossings % 2 == 1
  }
}
