import PortolanGraphics
import Testing

@Suite struct GeodesyTests {
  /// Reference values of GeographicLib's geodesic solver on WGS 84, in metres and degrees.
  static let pairs: [(Coordinate, Coordinate, Double, Double)] = [
    // One degree along the equator and along a meridian from the equator.
    (Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), 111_319.491, 90),
    (Coordinate(x: 0, y: 0), Coordinate(x: 0, y: 1), 110_574.389, 0),
    // A quarter of the meridian.
    (Coordinate(x: 0, y: 0), Coordinate(x: 0, y: 90), 10_001_965.729, 0),
    // Across the antimeridian.
    (Coordinate(x: 179.5, y: 0), Coordinate(x: -179.5, y: 0), 111_319.491, 90),
  ]

  @Test(arguments: pairs)
  func `Distances and bearings are those of the ellipsoid`(
    start: Coordinate, end: Coordinate, metres: Double, bearing: Double
  ) {
    #expect(abs(Geodesy.distance(from: start, to: end) - metres) < 0.001)
    #expect(abs(Geodesy.initialBearing(from: start, to: end) - bearing) < 1e-6)
  }

  @Test func `A distance to itself is zero and none is negative`() {
    let berlin = Coordinate(x: 13.4, y: 52.5)
    #expect(Geodesy.distance(from: berlin, to: berlin) == 0)
    #expect(Geodesy.distance(from: berlin, to: Coordinate(x: .nan, y: 0)).isNaN)
    #expect(Geodesy.distance(from: berlin, to: Coordinate(x: 1e308, y: -1e308)).isFinite)
  }

  @Test func `Areas are those of the ellipsoid's surface`() {
    let octant = [
      Coordinate(x: 0, y: 0), Coordinate(x: 90, y: 0), Coordinate(x: 90, y: 90),
      Coordinate(x: 0, y: 90),
    ]
    let eighth = 510_065_621_724_088 / 8.0
    #expect(abs(Geodesy.area(ofRing: octant) / eighth - 1) < 1e-9)
    #expect(Geodesy.area(ofRing: octant.reversed()) == Geodesy.area(ofRing: octant))
    let degree = [
      Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1),
      Coordinate(x: 0, y: 1),
    ]
    #expect(abs(Geodesy.area(ofRing: degree) / 12_308_778_361 - 1) < 1e-3)
    let moved = degree.map { Coordinate(x: Geodesy.wrapped($0.x + 179.5), y: $0.y) }
    #expect(abs(Geodesy.area(ofRing: moved) / Geodesy.area(ofRing: degree) - 1) < 1e-9)
  }

  @Test(arguments: [
    (-100.0, 0.0, 100.0, 0.0), (-90, 60, 95, 50), (-180, 70, 180, 70), (0, 5, 540, -5),
  ])
  func `A step of half a turn is as long as its parts`(
    west: Double, south: Double, east: Double, north: Double
  ) {
    let places = (0...2000).map { part in
      let part = Double(part) / 2000
      return Coordinate(x: west + part * (east - west), y: south + part * (north - south))
    }
    let ends = [places[0], places[2000]]
    let parts = Geodesy.length(of: .line(places))
    for line in [ends, ends.reversed(), [ends[0], ends[1], ends[1]]] {
      #expect(abs(Geodesy.length(of: .line(line)) / parts - 1) < 1e-6)
    }
  }

  @Test func `A step across the antimeridian is short`() {
    let line = [Coordinate(x: 179, y: 10), Coordinate(x: -179, y: 12), Coordinate(x: 179, y: 14)]
    #expect(Geodesy.length(of: .line(line)) == Geodesy.length(of: line))
    let wide = [line[0], Coordinate(x: 0, y: 10), line[1]]
    #expect(Geodesy.length(of: .line(wide)) == Geodesy.length(of: wide))
  }

  @Test(arguments: [(-1e-12, 0.0), (0.12345678949, 0.123456789), (-179.9999999996, -180)])
  func `Rounded degrees have no minus before a zero`(degrees: Double, wanted: Double) {
    #expect(Geodesy.rounded(degrees) == wanted)
    #expect(Geodesy.rounded(degrees).sign == (wanted < 0 ? .minus : .plus))
  }

  @Test func `Holes are taken off an area`() {
    let outer = [
      Coordinate(x: 0, y: 0), Coordinate(x: 2, y: 0), Coordinate(x: 2, y: 2),
      Coordinate(x: 0, y: 2),
    ]
    let hole = outer.map { Coordinate(x: 0.5 + $0.x / 2, y: 0.5 + $0.y / 2) }
    let whole = Geodesy.area(of: .polygon([outer]))
    let pierced = Geodesy.area(of: .polygon([outer, hole]))
    #expect(abs(pierced - (whole - Geodesy.area(ofRing: hole))) < 1)
  }

  /// A box wider than half the world goes along its latitudes, and so do its holes: geodesics of
  /// nearly half a turn would lead far out of it.
  @Test func `Holes of a wide area are measured as it is`() {
    func box(_ west: Double, _ east: Double, _ south: Double, _ north: Double) -> [Coordinate] {
      [(west, south), (east, south), (east, north), (west, north), (west, south)]
        .map { Coordinate(x: $0, y: $1) }
    }
    let outer = box(-95, 95, 0, 10)
    let whole = Geodesy.area(of: .polygon([outer]))
    let strip = Geodesy.area(of: .polygon([box(-95, 95, 2, 8)]))
    for east in [84.0, 94, 94.9] {
      let pierced = Geodesy.area(of: .polygon([outer, box(-95, east, 2, 8)]))
      let share = (east + 95) / 190
      #expect(abs(pierced / (whole - share * strip) - 1) < 1e-9, "\(east)")
    }
  }

  @Test(arguments: [(190.0, -170.0), (-190, 170), (540, -180), (10, 10), (180, 180), (-180, -180)])
  func `Longitudes are brought into the world`(raw: Double, expected: Double) {
    #expect(Geodesy.wrapped(raw) == expected)
  }
}
