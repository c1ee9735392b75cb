import PortolanGraphics
import PortolanTestSupport
import Testing

/// The map on Equal Earth, where longitudes lie closer together towards the poles.
@Suite struct EqualEarthTests {
  private static let plane = MapPlane(projection: .equalEarth)

  /// Degrees, and the metres of EPSG:8857 as PROJ has them.
  private static let places: [(Double, Double, Double, Double)] = [
    (0, 0, 0.0000, 0.0000), (180, 0, 17243959.0622, 0.0000),
    (-180, 90, -10216474.7935, 8392927.5985), (0, -90, 0.0000, -8392927.5985),
    (10, 60, 722512.8361, 6924035.1376), (-21.2466, -44.694, -1749864.9720, -5434190.7893),
    (144.1202, -19.3072, 13437271.2940, -2457023.2917),
    (-90.3344, 67.309, -6049135.4620, 7502772.4523),
    (160.0203, -6.6853, 15280531.5416, -858002.0508),
    (169.9377, -53.37, 13065785.9181, -6318187.5541),
    (-149.2588, 49.737, -11832099.3468, 5959280.9494),
    (132.3891, -86.2511, 7560406.6909, -8366062.8567),
    (172.6148, -75.7712, 10589440.4374, -8022002.8505),
    (22.218, 58.877, 1623154.0175, 6826331.5281),
    (-118.0767, -32.9045, -10440758.9301, -4108035.6036),
  ]

  @Test func `Places are those of the coordinate system, within a millimetre`() {
    let width = 2 * 17243959.0622
    for (x, y, east, north) in Self.places {
      let point = Self.plane.forward(Coordinate(x: x, y: y))
      #expect(((point.x - 0.5) * width - east).magnitude < 1e-3, "\(x) \(y)")
      #expect(((0.5 - point.y) * width - north).magnitude < 1e-3, "\(x) \(y)")
      // The parallels lie closely together near a pole.
      let back = Self.plane.inverse(point)
      #expect((back.x - x).magnitude < 1e-9 && (back.y - y).magnitude < 1e-5, "\(back)")
    }
    let nowhere = Self.plane.forward(Coordinate(x: .nan, y: 0))
    #expect(nowhere.x.isNaN && Self.plane.forward(Coordinate(x: 0, y: .nan)).y.isNaN)
  }

  @Test(arguments: Seeds.some(20))
  func `Boxes hold what is in them, there and back`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    let (a, b) = (random(-180...180), random(-180...180))
    let (c, d) = (random(-90...90), random(-90...90))
    let box = Box(minX: min(a, b), minY: min(c, d), maxX: max(a, b), maxY: max(c, d))
    let (start, end) = Self.plane.corners(of: box)
    let seen = Self.plane.box(from: start, to: end)
    for _ in 0..<200 {
      let place = Coordinate(
        x: random(box.minX...box.maxX), y: random(box.minY...box.maxY))
      let point = Self.plane.forward(place)
      #expect(point.x >= start.x - 1e-12 && point.x <= end.x + 1e-12)
      #expect(point.y >= start.y - 1e-12 && point.y <= end.y + 1e-12)
      let inside = UnitPoint(x: random(start.x...end.x), y: random(start.y...end.y))
      let back = Self.plane.inverse(inside)
      guard back.x.magnitude <= 180 else { continue }
      #expect(back.x >= seen.minX - 1e-9 && back.x <= seen.maxX + 1e-9)
      #expect(back.y >= seen.minY - 1e-5 && back.y <= seen.maxY + 1e-5)
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Areas have their sizes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let middle = Coordinate(
      x: .random(in: -179...179, using: &generator), y: .random(in: -85...85, using: &generator))
    // A small square of degrees: its area on the earth is that of its geodesic polygon.
    let side = 0.01
    let ring = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)].map {
      Coordinate(x: middle.x + $0.0 * side, y: middle.y + $0.1 * side)
    }
    let width = 2 * 17243959.0622
    let flat = ring.map { place in
      let point = Self.plane.forward(place)
      return Coordinate(x: point.x * width, y: -point.y * width)
    }
    let ground = Geodesy.area(ofRing: ring).magnitude
    let ratio = Ring.signedArea(flat) / 2 / ground
    #expect((ratio - 1).magnitude < 1e-4, "\(middle): \(ratio)")
  }

  @Test func `A shape across 180 degrees stays whole, with its hole`() throws {
    func ring(_ west: Double, _ east: Double, _ half: Double) -> [Coordinate] {
      [(west, -half), (east, -half), (east, half), (west, half), (west, -half)].map {
        Coordinate(x: $0.0, y: $0.1)
      }
    }
    let shape = Geometry.polygon([ring(170, -175, 10), ring(-179, -177, 1)])
    let world = Self.plane.project(try #require(MapSamples.block([shape])))
    let xs = stride(from: 0, to: world.count, by: 2).map { Double(world[$0]) / 2_147_483_648 }
    let outer = xs.prefix(5)
    let (west, east) = (try #require(outer.min()), try #require(outer.max()))
    #expect(east - west < 0.05)
    #expect(xs.suffix(5).allSatisfy { $0 > west && $0 < east })
  }
}
