import Foundation
import PortolanGraphics
import PortolanTestSupport
import Testing

@Suite struct GeodesicLawTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Geodesics")
  static let oracle = PythonOracle("Geodesics/oracle.py")
  static let surface = 4 * Double.pi * Geodesy.authalicRadius * Geodesy.authalicRadius

  @Test func `Stored results of geographiclib are ours`() throws {
    let file = Self.folder.appendingPathComponent("cases.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 300)
    for line in lines { try check(line) }
  }

  @Test(.enabled(if: oracle.isPresent, "PORTOLAN_PYTHON names no Python with geographiclib"))
  func `Random results of geographiclib are ours`() throws {
    let lines = try Self.oracle.lines(seed: Seeds.some(1).lowerBound, count: 10_000)
    #expect(lines.count == 10_000)
    for line in lines { try check(line) }
  }

  private func check(_ line: Substring) throws {
    let cells = line.split(separator: "\t").map {
      $0.split(separator: " ").compactMap { Double($0) }
    }
    try #require(cells.count == 4)
    let (numbers, first, second) = (cells[1], cells[2][0], cells[3][0])
    let places = stride(from: 0, to: numbers.count - 1, by: 2).map {
      Coordinate(x: numbers[$0 + 1], y: numbers[$0])
    }
    switch line.prefix(1) {
    case "i":
      let distance = Geodesy.distance(from: places[0], to: places[1])
      #expect((distance - first).magnitude <= 2e-8 + 1e-9 * first, "\(line)")
      // The direction is as right as the end of a way is in metres; an antipode has several.
      let bearing = Geodesy.initialBearing(from: places[0], to: places[1])
      let end = Geodesy.direct(from: places[0], bearing: bearing, distance: distance)
      #expect(Geodesy.distance(from: end, to: places[1]) < 1e-7, "\(line)")
      #expect(bearing >= 0 && bearing < 360)
      let way = Geodesy.way(from: places[0], to: places[1])
      #expect(way.length == distance && way.initialBearing == bearing, "\(line)")
      guard first > 1, first < 19_900_000 else { return }
      let turn = Geodesy.wrapped(bearing - second).magnitude * .pi / 180
      #expect(turn * min(first, 20_003_931 - first) < 1e-6, "\(line)")
    case "d":
      let end = Geodesy.direct(from: places[0], bearing: numbers[2], distance: numbers[3])
      let away = Geodesy.distance(from: end, to: Coordinate(x: second, y: first))
      #expect(away < 1e-7, "\(line)")
    default:
      let area = Geodesy.area(ofRing: places)
      // One that crosses itself may go around some ground twice.
      let once = area.remainder(dividingBy: Self.surface).magnitude
      #expect((once - first).magnitude <= 1 + 1e-9 * first, "\(line)")
      let smaller = Geodesy.area(betweenPositions: places)
      #expect((smaller - first).magnitude <= 1 + 1e-9 * first, "\(line)")
      let length = Geodesy.length(of: places + [places[0]])
      #expect((length - second).magnitude <= 1e-7 + 1e-9 * second, "\(line)")
    }
  }

  // MARK: Laws

  private func place(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      x: .random(in: -180...180, using: &random), y: .random(in: -90...90, using: &random))
  }

  @Test(arguments: Seeds.some(400))
  func `A way back is as long, and no way is a detour`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (a, b, c) = (place(&random), place(&random), place(&random))
    let there = Geodesy.distance(from: a, to: b)
    #expect((there - Geodesy.distance(from: b, to: a)).magnitude < 2e-8)
    let around = Geodesy.distance(from: a, to: c) + Geodesy.distance(from: c, to: b)
    #expect(there < around + 1e-7)
    let turned = Coordinate(x: a.x + 360, y: a.y)
    #expect((there - Geodesy.distance(from: turned, to: b)).magnitude < 1e-7)
    #expect(there <= 20_003_931.4587)
  }

  @Test(arguments: Seeds.some(400))
  func `A way that is gone ends where it should`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let start = place(&random)
    let way = Double.random(in: 0...19_900_000, using: &random)
    let bearing = Double.random(in: 0..<360, using: &random)
    let end = Geodesy.direct(from: start, bearing: bearing, distance: way)
    #expect((Geodesy.distance(from: start, to: end) - way).magnitude < 1e-7)
    let back = Geodesy.direct(from: start, bearing: bearing + 180, distance: -way)
    #expect(Geodesy.distance(from: end, to: back) < 1e-6)
    // Beyond its end it goes on in the final direction.
    let final = Geodesy.way(from: start, to: end).finalBearing
    let beyond = Geodesy.direct(from: start, bearing: bearing, distance: way + 50_000)
    let onward = Geodesy.direct(from: end, bearing: final, distance: 50_000)
    if way > 1, way < 19_800_000 { #expect(Geodesy.distance(from: beyond, to: onward) < 1e-3) }
    let half = Geodesy.direct(from: start, bearing: bearing, distance: way / 2)
    #expect((Geodesy.distance(from: half, to: end) - way / 2).magnitude < 1e-7)
  }

  @Test(arguments: Seeds.some(400))
  func `A polygon is the sum of its parts, in either direction`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let middle = place(&random)
    let size = pow(10, Double.random(in: -3...1.5, using: &random))
    let count = Int.random(in: 4...12, using: &random)
    // Convex: its vertices stand on a circle of the ground.
    let turns = (0..<count).map { _ in Double.random(in: 0..<360, using: &random) }.sorted()
    let ring = turns.map {
      Geodesy.direct(from: middle, bearing: $0, distance: size * 100_000)
    }
    let whole = ring.map { Coordinate(x: Geodesy.wrapped($0.x), y: $0.y) }
    guard Geodesy.distance(from: middle, to: Coordinate(x: 0, y: middle.y < 0 ? -90 : 90)) > 3.2e6
    else { return }
    let area = Geodesy.area(ofRing: ring)
    let cut = Int.random(in: 2...count - 2, using: &random)
    let parts = [Array(ring[0...cut]), Array(ring[cut...] + [ring[0]])].map(Geodesy.area(ofRing:))
    #expect((parts[0] + parts[1] - area).magnitude < 1 + 1e-9 * area)
    #expect((Geodesy.area(ofRing: ring.reversed()) - area).magnitude < 1e-3 + 1e-12 * area)
    if !ring.contains(where: { $0.x.magnitude > 180 }) {
      #expect(Geodesy.area(ofRing: whole) == area)
    }
  }

  @Test func `All finite input has a finite result, and no other has one`() {
    let numbers = [
      0, -0.0, 1e-300, 90, -90, 180, -180, 360, 1e9, 1e17, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 89.999_999_999_999_99,
      179.999_999_999_999_97,
    ]
    for a in numbers {
      for b in numbers {
        for c in numbers {
          let (start, end) = (Coordinate(x: a, y: b), Coordinate(x: b, y: c))
          let distance = Geodesy.distance(from: start, to: end)
          #expect(distance >= 0 && distance < 20_003_932, "\(start) \(end)")
          let bearing = Geodesy.initialBearing(from: start, to: end)
          #expect(bearing >= 0 && bearing < 360, "\(start) \(end)")
          let direct = Geodesy.direct(from: start, bearing: b, distance: c)
          #expect(direct.x.isFinite && direct.y.magnitude <= 90, "\(start) \(b) \(c)")
          #expect(Geodesy.area(ofRing: [start, end, Coordinate(x: c, y: a)]).isFinite)
        }
      }
    }
    let sound = Coordinate(x: 1, y: 2)
    for broken in [Coordinate(x: .nan, y: 0), Coordinate(x: 0, y: .infinity)] {
      #expect(Geodesy.distance(from: sound, to: broken).isNaN)
      #expect(Geodesy.initialBearing(from: broken, to: sound).isNaN)
      #expect(Geodesy.direct(from: broken, bearing: 0, distance: 1).x.isNaN)
      #expect(Geodesy.length(of: [sound, broken, sound]).isNaN)
    }
    #expect(Geodesy.direct(from: sound, bearing: 0, distance: .infinity).x.isNaN)
  }

  @Test func `Boxes around the world and half of it keep their areas`() {
    func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Coordinate] {
      [
        Coordinate(x: west, y: south), Coordinate(x: east, y: south),
        Coordinate(x: east, y: north), Coordinate(x: west, y: north),
      ]
    }
    #expect((Geodesy.area(ofRing: box(-180, -90, 180, 90)) / Self.surface - 1).magnitude < 1e-12)
    #expect(
      (Geodesy.area(ofRing: box(0, 0, 180, 90)) / Self.surface - 0.25).magnitude < 1e-12)
    #expect(
      (Geodesy.area(ofRing: box(-100, -90, 100, 90)) / Self.surface - 5.0 / 9).magnitude < 1e-12)
  }
}
