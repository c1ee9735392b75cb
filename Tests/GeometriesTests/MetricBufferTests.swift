import Foundation
import PortolanGeometries
import PortolanGraphics
import PortolanTestSupport
import Testing

@Suite struct MetricBufferTests {
  static let oracle = PythonOracle("oracle.py")

  private static func holds(
    _ area: FlatGeometry, _ place: Coordinate, _ geos: Geos
  ) throws -> Bool {
    let point = FlatGeometry.point(Coordinate(x: Longitude.nearest(place.x, to: 0), y: place.y))
    return try geos.shape(area).covers(try geos.shape(point))
  }

  @Test(.enabled(if: oracle.isPresent, "PORTOLAN_PYTHON names no Python with geographiclib"))
  func `Circles are those of geographiclib, within half a percent, at poles and across 180`() throws
  {
    let seeds = Seeds.some(30)
    let lines = try Self.oracle.lines(seed: seeds.lowerBound, count: seeds.count)
    #expect(lines.count == seeds.count)
    let geos = try Geos()
    for line in lines {
      let numbers = line.split(separator: "\t").compactMap { Double($0) }
      try #require(numbers.count == 11, "\(line)")
      let center = FlatGeometry.point(Coordinate(x: numbers[0], y: numbers[1]))
      let area = try #require(
        try MetricBuffer(geos, metres: numbers[2], segments: 16).buffer(center))
      #expect(area.box.minX >= -180 && area.box.maxX <= 180)
      #expect(try geos.isValid(try geos.shape(area)), "\(line)")
      for place in 0..<4 {
        let position = Coordinate(x: numbers[3 + 2 * place], y: numbers[4 + 2 * place])
        #expect(try Self.holds(area, position, geos) == (place < 2), "\(line) \(place)")
      }
    }
  }

  /// Random lines, short and across continents; the distance is found by other code.
  @Test func `The buffer of a line holds what is near, and nothing else`() throws {
    let geos = try Geos()
    for seed in Seeds.some(6) {
      var generator = SeededGenerator(seed: seed)
      let metres = 1000 * Double.random(in: 1...200, using: &generator)
      let reach = seed % 2 == 0 ? metres / 20_000 : 40
      var place = Coordinate(
        x: .random(in: -180...180, using: &generator), y: .random(in: -75...75, using: &generator))
      var vertices = [place]
      for _ in 0..<3 {
        place.x += .random(in: -reach...reach, using: &generator)
        place.y = min(max(place.y + .random(in: -reach...reach, using: &generator) / 2, -80), 80)
        vertices.append(place)
      }
      var line = FlatGeometry(.lineString)
      line.append(.line, vertices)
      let area = try #require(
        try MetricBuffer(geos, metres: metres, segments: 16).buffer(line), "\(seed)")
      let block = try #require(
        GeometryBlock(
          coordinates: line.pairs, elevations: [], pathEnds: [4], pathRoles: line.roles,
          featureEnds: [1], kinds: [.lineString]))
      let shape = IndexedShape(block, row: 0, isGeographic: true)
      var near = 0
      for _ in 0..<24 {
        let vertex = vertices[Int.random(in: 0..<4, using: &generator)]
        let probe = Geodesy.direct(
          from: vertex, bearing: .random(in: 0..<360, using: &generator),
          distance: metres * Double.random(in: 0.5...1.5, using: &generator))
        guard let distance = shape.distance(to: probe) else { continue }
        if (distance / metres - 1).magnitude < 0.005 { continue }
        near += distance < metres ? 1 : 0
        #expect(
          try Self.holds(area, probe, geos) == (distance < metres),
          "seed \(seed): \(distance) of \(metres) at \(probe)")
      }
      #expect(near > 0)
    }
  }

  @Test func `A rim is taken off an area across the antimeridian, but not off the cut`() throws {
    let geos = try Geos()
    func box(_ west: Double, _ east: Double) -> [Coordinate] {
      [(west, -10.0), (east, -10), (east, 10), (west, 10), (west, -10)].map {
        Coordinate(x: $0.0, y: $0.1)
      }
    }
    var cut = FlatGeometry(.multiPolygon)
    let role = PathRole(kind: .multiPolygon, beginsMember: false, beginsPolygon: true)
    cut.append(
      PathRole(kind: .multiPolygon, beginsMember: true, beginsPolygon: true), box(170, 180))
    cut.append(role, box(-180, -170))
    var whole = FlatGeometry(.polygon)
    whole.append(PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true), box(170, 190))
    for metres in [-100_000.0, 100_000] {
      let buffer = MetricBuffer(geos, metres: metres, segments: 16)
      let areas = try [cut, whole].map { shape in
        try geos.area(of: try geos.shape(try #require(try buffer.buffer(shape))))
      }
      #expect((areas[0] / areas[1] - 1).magnitude < 1e-4, "\(areas)")
      #expect(metres > 0 ? areas[0] > 400 : areas[0] < 400)
    }
  }

  @Test func `What has no buffer says so`() throws {
    let geos = try Geos()
    let buffer = MetricBuffer(geos, metres: -10, segments: 8)
    #expect(try buffer.buffer(.point(Coordinate(x: 1, y: 1))) == nil)
    #expect(throws: GeometryError.notFinite) {
      try buffer.buffer(.point(Coordinate(x: .nan, y: 1)))
    }
    #expect(throws: GeometryError.offGlobe) {
      try buffer.buffer(.point(Coordinate(x: 500_000, y: 6_000_000)))
    }
  }
}
