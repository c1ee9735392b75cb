import PortolanGraphics
import PortolanTestSupport
import Testing

/// A box touches exactly what has a point in common with it.
@Suite struct BoxTouchTests {
  typealias Place = PlainTouch.Place

  static func block(_ features: [[PlainTouch.Path]]) throws -> GeometryBlock {
    var coordinates: [Double] = []
    var pathEnds: [UInt32] = []
    var roles: [PathRole] = []
    var featureEnds: [UInt32] = []
    for feature in features {
      for path in feature {
        for place in path.places {
          coordinates.append(Double(place.x) / Double(PlainTouch.unit))
          coordinates.append(Double(place.y) / Double(PlainTouch.unit))
        }
        pathEnds.append(UInt32(coordinates.count / 2))
        roles.append(path.role)
      }
      featureEnds.append(UInt32(pathEnds.count))
    }
    return try #require(
      GeometryBlock(
        coordinates: coordinates, elevations: [], pathEnds: pathEnds, pathRoles: roles,
        featureEnds: featureEnds,
        kinds: features.map { _ in GeometryKind.geometryCollection }))
  }

  private static func geometry(_ geometry: Geometry) throws -> GeometryBlock {
    try block([
      geometry.paths.map { path in
        PlainTouch.Path(
          role: path.role,
          places: path.vertices.map { Place(x: Int($0.x * 8), y: Int($0.y * 8)) })
      }
    ])
  }

  private static func places(_ pairs: [(Double, Double)]) -> [Coordinate] {
    pairs.map { Coordinate(x: $0.0, y: $0.1) }
  }

  /// A square of 20 with a hole of 10.
  private static let ring = Geometry.polygon([
    places([(0, 0), (20, 0), (20, 20), (0, 20)]), places([(5, 5), (5, 15), (15, 15), (15, 5)]),
  ])
  private static let slope = Geometry.line(places([(0, 0), (10, 10)]))

  @Test(arguments: [
    (ring, Box(minX: 6, minY: 6, maxX: 9, maxY: 9), false),
    (ring, Box(minX: 1, minY: 1, maxX: 2, maxY: 2), true),
    (ring, Box(minX: 6, minY: 6, maxX: 15, maxY: 9), true),
    (ring, Box(minX: -9, minY: -9, maxX: 0, maxY: 0), true),
    (ring, Box(minX: -9, minY: -9, maxX: 30, maxY: 30), true),
    (ring, Box(minX: 4, minY: 4, maxX: 16, maxY: 16), true),
    (slope, Box(minX: 0, minY: 5, maxX: 4, maxY: 9), false),
    (slope, Box(minX: 0, minY: 5, maxX: 5, maxY: 9), true),
    (slope, Box(minX: 3, minY: 3, maxX: 3, maxY: 3), true),
    (Geometry.none, Box(minX: -180, minY: -90, maxX: 180, maxY: 90), false),
    (.point(Coordinate(x: -180, y: 4)), Box(minX: 175, minY: 0, maxX: 180, maxY: 5), true),
    (.point(Coordinate(x: 1, y: 4)), Box(minX: 170, minY: 0, maxX: -170, maxY: 5), false),
    (.point(Coordinate(x: -170, y: 4)), Box(minX: 170, minY: 0, maxX: -170, maxY: 5), true),
  ])
  func `Edges, holes and insides count as they are`(
    geometry: Geometry, box: Box, isTouched: Bool
  ) throws {
    let block = try Self.geometry(geometry)
    #expect(BoxTouch(box, isGeographic: true).rows(in: block) == (isTouched ? [0] : []))
  }

  @Test(arguments: Seeds.some(12))
  func `The quick way agrees with the plain one`(seed: UInt64) throws {
    var shapes = RandomShapes(seed: seed)
    let features = (0..<30).map { _ in shapes.feature() }
    let block = try Self.block(features)
    for isGeographic in [true, false] {
      for _ in 0..<25 {
        let corners = shapes.corners(mayCross: isGeographic)
        let plain = PlainTouch(corners: corners, isGeographic: isGeographic)
        let unit = Double(PlainTouch.unit)
        let box = Box(
          minX: Double(corners.west) / unit, minY: Double(corners.south) / unit,
          maxX: Double(corners.east) / unit, maxY: Double(corners.north) / unit)
        let touch = BoxTouch(box, isGeographic: isGeographic)
        let expected = features.indices.filter { plain.touches(features[$0]) }
        #expect(
          touch.rows(in: block) == expected, "seed \(seed), \(box), globe \(isGeographic)")
      }
    }
  }

  private static let sides: [[Double]] = [
    [0.1, 0.1, 0.3, 0.3, 0.2, 0.2], [0.1, 0.7, 1.1, 7.7, 0.3, 2.1], [1e300, 0, -1e300, 1, 0, 0.5],
    [1e-9, 1e9, 3e-9, 3e9, 2e-9, 2e9], [1, 1, 1 + 0x1p-52, 1 + 0x1p-51, 1, 1],
  ]

  @Test(arguments: sides)
  func `A side is told without rounding`(_ numbers: [Double]) {
    let (a, b) = (
      Coordinate(x: numbers[0], y: numbers[1]), Coordinate(x: numbers[2], y: numbers[3])
    )
    let p = Coordinate(x: numbers[4], y: numbers[5])
    let side = Orientation.side(of: p, from: a, to: b)
    #expect(Orientation.side(of: p, from: b, to: a) == -side)
    #expect(Orientation.side(of: a, from: b, to: p) == side)
    #expect(Orientation.side(of: b, from: p, to: a) == side)
    #expect(Orientation.side(of: a, from: a, to: b) == 0)
  }

  @Test func `A place on the globe is found beside one that is none`() throws {
    let block = try Self.block([
      [PlainTouch.Path(role: Self.point, places: [Place(x: 195 * 8, y: 10 * 8)])],
      [PlainTouch.Path(role: Self.point, places: [Place(x: 195 * 8, y: 95 * 8)])],
    ])
    let box = Box(minX: -170, minY: 0, maxX: -160, maxY: 20)
    #expect(BoxTouch(box, isGeographic: true).rows(in: block) == [0])
  }

  private static let point = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)

  @Test func `Numbers beyond the globe are compared in bounded time`() throws {
    let block = try Self.geometry(Self.ring)
    for box in [
      Box(minX: 1e300, minY: 0, maxX: 1.1e300, maxY: 1),
      Box(minX: -1e300, minY: 0, maxX: 1e300, maxY: 1), Box(minX: .nan, minY: 0, maxX: 1, maxY: 1),
      Box(minX: 3601, minY: 1, maxX: 3602, maxY: 2),
    ] {
      _ = BoxTouch(box, isGeographic: false).rows(in: block)
      _ = BoxTouch(box, isGeographic: true).rows(in: block)
    }
    let turned = Box(minX: 3601, minY: 1, maxX: 3602, maxY: 2)
    #expect(BoxTouch(turned, isGeographic: true).rows(in: block) == [0])
  }
}

/// Shapes made of a seed: round numbers, so that they often just touch, and others; short ones and
/// some of many vertices; across the antimeridian and around the poles.
struct RandomShapes {
  private var random: SeededGenerator
  /// Whether the present feature leaves -180 to 180.
  private var isUnwrapped = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func place(_ grain: Int) -> PlainTouch.Place {
    PlainTouch.Place(
      x: next(-180 * 8 / grain...180 * 8 / grain) * grain,
      y: next(-90 * 8 / grain...90 * 8 / grain) * grain)
  }

  mutating func corners(mayCross: Bool) -> (west: Int, south: Int, east: Int, north: Int) {
    let grain = next(0...1) == 0 ? 120 : 1
    let (a, b) = (place(grain), place(grain))
    let isSmall = next(0...1) == 0
    let reach = isSmall ? next(0...4) * grain : abs(b.x - a.x)
    var west = min(a.x, b.x)
    var east = west + reach
    if mayCross, next(0...2) == 0 {
      (west, east) = (max(a.x, b.x), min(a.x, b.x))
    }
    return (west, min(a.y, b.y), east, isSmall ? min(a.y, b.y) + reach : max(a.y, b.y))
  }

  mutating func feature() -> [PlainTouch.Path] {
    var paths: [PlainTouch.Path] = []
    isUnwrapped = next(0...3) == 0
    for _ in 0..<next(1...3) {
      let grain = next(0...1) == 0 ? 120 : 1
      switch next(0...3) {
      case 0:
        paths.append(path(.multiPoint, [place(grain), place(grain)]))
      case 1:
        paths.append(path(.lineString, walk(grain, next(2...6))))
      case 2 where next(0...5) == 0:
        paths.append(path(.polygon, closed(walk(1, next(520...900))), beginsPolygon: true))
      default:
        paths.append(path(.polygon, closed(walk(grain, next(3...7))), beginsPolygon: true))
        for _ in 0..<next(0...1) {
          paths.append(path(.polygon, closed(walk(grain, next(3...5)))))
        }
      }
    }
    return paths
  }

  private func path(
    _ kind: GeometryKind, _ places: [PlainTouch.Place], beginsPolygon: Bool = false
  ) -> PlainTouch.Path {
    PlainTouch.Path(
      role: PathRole(kind: kind, beginsMember: true, beginsPolygon: beginsPolygon), places: places)
  }

  private func closed(_ places: [PlainTouch.Place]) -> [PlainTouch.Place] {
    places + places.prefix(1)
  }

  /// Places that follow each other: far apart, or near and around the globe.
  private mutating func walk(_ grain: Int, _ count: Int) -> [PlainTouch.Place] {
    var at = place(grain)
    if isUnwrapped { at.x += next(-1...1) * 180 * 8 }
    let isFar = next(0...2) == 0 && count < 100
    let drift = next(-2...2) * grain
    return (0..<count).map { _ in
      if isFar {
        at = place(grain)
      } else {
        let reach = count > 100 ? 40 : 3 * grain
        at.x += next(-reach...reach) + drift
        at.y = min(max(at.y + next(-reach...reach), -90 * 8), 90 * 8)
        if grain == 120 { (at.x, at.y) = (at.x / 120 * 120, at.y / 120 * 120) }
        if !isUnwrapped, at.x > 180 * 8 { at.x -= 360 * 8 }
        if !isUnwrapped, at.x < -180 * 8 { at.x += 360 * 8 }
      }
      return at
    }
  }
}
