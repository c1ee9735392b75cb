import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

@Suite struct PickerTests {
  private static let camera = Camera(
    plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 4,
    size: CellSize(columns: 80, rows: 24))

  private func hit(
    _ geometry: Geometry, _ x: Double, _ y: Double, camera: Camera = Self.camera,
    tolerance: Double = 3
  ) throws -> Picker.Hit? {
    let block = try #require(MapSamples.block([geometry]))
    let near = camera.centered(on: Coordinate(x: x, y: y))
    let picker = Picker(camera: near, point: Coordinate(x: x, y: y), tolerance: tolerance)
    let hit = picker.hit(block, row: 0)
    // What is hit must never be ruled out by its box.
    if hit != nil { #expect(picker.mayTouch(block.box)) }
    return hit
  }

  @Test func `Points and lines are hit within the tolerance in dots`() throws {
    let dot = 360 / Self.camera.worldDots
    #expect(try hit(.point(Coordinate(x: 2.9 * dot, y: 0)), 0, 0) != nil)
    #expect(try hit(.point(Coordinate(x: 3.1 * dot, y: 0)), 0, 0) == nil)
    let line = Geometry.line([Coordinate(x: -10, y: 2 * dot), Coordinate(x: 10, y: 2 * dot)])
    let distance = try #require(try hit(line, 0, 0)).distance
    #expect(abs(distance - 2) < 0.01)
    #expect(try hit(line, 0, 0)?.dimension == 1)
  }

  @Test func `Areas are hit inside, not in their holes`() throws {
    let area = Geometry.polygon([MapSamples.square(0, 0, 20), MapSamples.square(0, 0, 10)])
    #expect(try hit(area, 15, 15) == Picker.Hit(distance: 0, dimension: 2))
    #expect(try hit(area, 0, 0) == nil)
    #expect(try hit(area, 30, 0) == nil)
  }

  @Test(arguments: [180.0, -180, 175, -175, 540])
  func `Shapes across the antimeridian are hit on both its sides`(x: Double) throws {
    let ring = MapSamples.coordinates([
      (170, -20), (-170, -20), (-170, 20), (170, 20), (170, -20),
    ])
    #expect(try hit(.polygon([ring]), x, 0) == Picker.Hit(distance: 0, dimension: 2))
    #expect(try hit(.polygon([ring]), 0, 0) == nil)
    #expect(try hit(.polygon([ring]), 160, 0) == nil)
    let line = Geometry.line([Coordinate(x: 170, y: 0), Coordinate(x: -170, y: 0)])
    #expect(try hit(line, x, 0) != nil)
    #expect(try hit(line, 0, 0) == nil)
  }

  @Test func `A ring around a pole holds the pole`() throws {
    let ring = stride(from: -180, through: 170, by: 10).map { Coordinate(x: Double($0), y: -70) }
    let polygon = Geometry.polygon([ring + [ring[0]]])
    #expect(try hit(polygon, 33, -80) == Picker.Hit(distance: 0, dimension: 2))
    #expect(try hit(polygon, -180, -80) == Picker.Hit(distance: 0, dimension: 2))
    #expect(try hit(polygon, 33, 0) == nil)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `A large feature is hit as its parts alone would be`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var x = 0.0
    var y = 0.0
    let ring = (0..<3_000).map { _ in
      x += Double.random(in: -1...1, using: &numbers)
      y = min(max(y + Double.random(in: -1...1, using: &numbers), -60), 60)
      return Coordinate(x: x, y: y)
    }
    let rings = [ring, Array(ring.reversed().prefix(700))]
    let block = try #require(MapSamples.block([.polygon(rings)]))
    #expect(block.parts[0] != nil)
    for _ in 0..<300 {
      let point = Coordinate(
        x: x * Double.random(in: -0.5...1.5, using: &numbers),
        y: Double.random(in: -60...60, using: &numbers))
      let picker = Picker(camera: Self.camera, point: point, tolerance: 3)
      #expect(
        (picker.hit(block, row: 0)?.distance == 0) == isInside(rings, point), "\(point)")
      #expect(picker.hit(block, row: 0)?.distance == least(rings, picker), "\(point)")
    }
  }

  @Test(arguments: [UInt64(5), 6, 7])
  func `A large feature across the antimeridian is hit as it would be elsewhere`(
    seed: UInt64
  ) throws {
    var numbers = SeededGenerator(seed: seed)
    let ring = (0..<2_000).map { index in
      let turn = Double(index) / 2_000 * 8
      let reach = Double.random(in: 20...30, using: &numbers)
      // Around a square, in and out.
      let side = turn.truncatingRemainder(dividingBy: 2) - 1
      let corner = [(side, -1.0), (1, side), (-side, 1), (-1, -side)][Int(turn / 2)]
      return Coordinate(x: corner.0 * reach, y: corner.1 * reach)
    }
    let here = try #require(MapSamples.block([.polygon([ring])]))
    let there = try #require(
      MapSamples.block([
        .polygon([ring.map { Coordinate(x: Geodesy.wrapped($0.x + 180), y: $0.y) }])
      ]))
    for _ in 0..<300 {
      let point = Coordinate(
        x: Double.random(in: -35...35, using: &numbers),
        y: Double.random(in: -35...35, using: &numbers))
      let turned = Coordinate(x: Geodesy.wrapped(point.x + 180), y: point.y)
      let expected = Picker(camera: Self.camera, point: point, tolerance: 3).hit(here, row: 0)
      let hit = Picker(camera: Self.camera, point: turned, tolerance: 3).hit(there, row: 0)
      #expect(hit?.dimension == expected?.dimension, "\(point)")
      #expect(abs((hit?.distance ?? 0) - (expected?.distance ?? 0)) < 1e-6)
    }
  }

  private func isInside(_ rings: [[Coordinate]], _ point: Coordinate) -> Bool {
    var isInside = false
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1))
      where (a.y > point.y) != (b.y > point.y) {
        if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
      }
    }
    return isInside
  }

  /// The distance by looking at every segment; `nil` beyond the tolerance, 0 inside.
  private func least(_ rings: [[Coordinate]], _ picker: Picker) -> Double? {
    if isInside(rings, picker.point) { return 0 }
    var least = Double.infinity
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        least = min(
          least,
          Picker.squareToSegment(
            (a.x - picker.point.x) * picker.scaleX, (a.y - picker.point.y) * picker.scaleY,
            (b.x - picker.point.x) * picker.scaleX, (b.y - picker.point.y) * picker.scaleY))
      }
    }
    return least.squareRoot() <= picker.tolerance ? least.squareRoot() : nil
  }

  @Test func `Hostile coordinates are never hit by accident`() throws {
    let numbers: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308]
    var vertices: [Coordinate] = []
    for x in numbers {
      for y in numbers { vertices.append(Coordinate(x: x, y: y)) }
    }
    for point in vertices + [Coordinate(x: 1, y: 1)] {
      let block = try #require(
        MapSamples.block([.line(vertices), .polygon([vertices]), .none, .point(vertices[0])]))
      let picker = Picker(camera: Self.camera, point: point, tolerance: 3)
      for row in 0..<4 { _ = picker.hit(block, row: row) }
      #expect(picker.hit(block, row: 2) == nil && picker.hit(block, row: 3) == nil)
    }
  }
}
