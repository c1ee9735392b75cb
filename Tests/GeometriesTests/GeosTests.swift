import Foundation
import PortolanGeometries
import PortolanGraphics
import PortolanTestSupport
import Testing

@Suite struct GeosTests {
  /// A star with random radii.
  static func star(
    at center: Coordinate, corners: Int, _ generator: inout SeededGenerator
  ) -> FlatGeometry {
    var ring = (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      let radius = Double.random(in: 1...4, using: &generator)
      return Coordinate(
        x: center.x + radius * Mathematics.cosine(angle),
        y: center.y + radius * Mathematics.sine(angle))
    }
    ring.append(ring[0])
    var flat = FlatGeometry(.polygon)
    flat.append(PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true), ring)
    return flat
  }

  @Test func `Shapes come back as they went`() throws {
    let geos = try Geos()
    for seed in Seeds.some(20) {
      var generator = SeededGenerator(seed: seed)
      var shape = Self.star(at: Coordinate(x: 1, y: 2), corners: 9, &generator)
      if seed % 2 == 0 { shape.heights = (0..<shape.vertexCount).map { Double($0) } }
      #expect(try geos.flat(try geos.shape(shape)) == shape)
      let parts = try #require(FlatGeometry(collecting: [shape, shape, shape]))
      #expect(try geos.flat(try geos.shape(parts)) == parts)
      #expect(parts.separated == [shape, shape, shape])
    }
  }

  /// GEOS keeps room for the greatest shape that one made ready was asked about.
  @Test func `Many small shapes that meet a great one take no room for it`() throws {
    let geos = try Geos()
    var generator = SeededGenerator(seed: 1)
    let great = try geos.shape(
      Self.star(at: Coordinate(x: 0, y: 0), corners: 200_000, &generator))
    let small = try (0..<100).map { _ in
      let angle = Double.random(in: 0...(2 * .pi), using: &generator)
      let center = Coordinate(
        x: 2.5 * Mathematics.cosine(angle), y: 2.5 * Mathematics.sine(angle))
      return try geos.shape(Self.star(at: center, corners: 5, &generator))
    }
    let before = try Self.residentMiB()
    for shape in small {
      #expect(try shape.intersects(great) && great.intersects(shape))
      #expect(try !shape.covers(great))
    }
    #expect(try Self.residentMiB() - before < 700)
  }

  private static func residentMiB() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(pages.split(separator: " ")[1])) * 4 / 1_024
  }

  @Test func `Overlays share out areas, whatever their order`() throws {
    let geos = try Geos()
    for seed in Seeds.some(8) {
      var generator = SeededGenerator(seed: seed)
      let shapes = try (0..<6).map { _ in
        try geos.shape(
          Self.star(
            at: Coordinate(
              x: .random(in: 0...5, using: &generator), y: .random(in: 0...5, using: &generator)),
            corners: .random(in: 3...30, using: &generator), &generator))
      }
      let (a, b) = (shapes[0], shapes[1])
      let area = try geos.area(of: a)
      let common = try geos.area(of: try geos.intersection(a, b))
      let rest = try geos.area(of: try geos.difference(a, b))
      #expect((common + rest - area).magnitude < 1e-9 * area, "seed \(seed)")
      let all = try geos.area(of: try geos.union(shapes))
      let turned = try geos.area(of: try geos.union(shapes.reversed()))
      #expect((all - turned).magnitude < 1e-9 * all)
      let both = try geos.area(of: try geos.union([a, b]))
      #expect((both - area - (try geos.area(of: b)) + common).magnitude < 1e-9 * both)
    }
  }

  @Test func `Long work stops when it is asked to`() throws {
    let geos = try Geos { true }
    var generator = SeededGenerator(seed: 1)
    let free = try Geos()
    let star = Self.star(at: Coordinate(x: 0, y: 0), corners: 1_000, &generator)
    let made = try free.shape(star)
    #expect(throws: GeometryError.interrupted) {
      try geos.buffer(try geos.shape(star), by: 0.5, segments: 100)
    }
    #expect(throws: GeometryError.interrupted) { try geos.check() }
    // Other work goes on.
    #expect(try free.area(of: made) > 0)
    #expect(try !free.convexHull(made).isEmpty)
  }

  @Test func `Hostile numbers give errors`() throws {
    let geos = try Geos()
    for bad in [Double.nan, .infinity] {
      #expect(throws: GeometryError.notFinite) {
        try geos.shape(.point(Coordinate(x: bad, y: 0)))
      }
    }
    var generator = SeededGenerator(seed: 2)
    for scale in [1e100, 1e200, 1e300] {
      var flat = Self.star(at: Coordinate(x: 0, y: 0), corners: 9, &generator)
      for index in flat.pairs.indices { flat.pairs[index] *= scale }
      // A result or an error, and all numbers of a result finite.
      if let made = try? geos.flat(try geos.buffer(try geos.shape(flat), by: 1, segments: 4)) {
        #expect(made.isFinite)
      }
    }
    var line = FlatGeometry(.lineString)
    line.append(
      PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false),
      [Coordinate(x: 1, y: 1)])
    #expect(try geos.shape(line).isEmpty)
  }

  @Test func `Shapes beyond 180 degrees come into the world`() throws {
    let geos = try Geos()
    var wide = FlatGeometry(.polygon)
    wide.append(
      PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true),
      [(170.0, 0.0), (190, 0), (190, 5), (170, 5), (170, 0)].map { Coordinate(x: $0.0, y: $0.1) })
    var jumping = wide
    jumping.pairs = wide.pairs.enumerated().map { $0 % 2 == 0 && $1 > 180 ? $1 - 360 : $1 }
    for shape in [wide, jumping] {
      let made = try #require(try geos.flat(try geos.worldShape(shape)))
      #expect(
        made.kind == .multiPolygon && made.box == Box(minX: -180, minY: 0, maxX: 180, maxY: 5))
      #expect(try geos.area(of: try geos.shape(made)) == 100)
    }
  }
}
