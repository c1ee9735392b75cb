import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Shapes around the antimeridian, written by the rules and written again: rings that cross
/// themselves, holes anywhere, steps of every length, boxes around the world.
@Suite struct AntimeridianLawTests {
  @Test func `What follows the rules stays as it is`() {
    let broken = Laws.broken("shapes by the rules") { seed in
      var shapes = RandomTurns(seed: seed)
      let decimals = shapes.number(0...3)
      var geometry = shapes.geometry()
      geometry.round(to: decimals)
      func ruled(_ geometry: Geometry) -> Geometry {
        ConformedGeometry(geometry, decimals: decimals, isGeographic: true).geometry
      }
      let once = ruled(geometry)
      let twice = ruled(once)
      if once != twice { return "\(told(geometry)) gave \(told(once)), then \(told(twice))" }
      let sound = once.paths.flatMap(\.vertices).allSatisfy {
        NumberText.rounded($0.x, decimals: decimals) == $0.x
          && NumberText.rounded($0.y, decimals: decimals) == $0.y
      }
      if !sound { return "\(told(geometry)) gave more decimals: \(told(once))" }
      // Rings that run around the world several times are left as they are.
      let isOdd = geometry.unwrapped.paths.contains { path in
        guard path.role.isRing, let first = path.vertices.first, let last = path.vertices.last
        else { return false }
        return (last.x - first.x).magnitude > 361
      }
      let isOutside = once.box.minX < -180 || once.box.maxX > 180
      if isOutside, !isOdd, geometry.paths.count == 1 {
        return "\(told(geometry)) gave something beyond 180: \(told(once))"
      }
      return nil
    }
    #expect(broken == [])
  }

  private func told(_ geometry: Geometry) -> String {
    "\(geometry.kind) \(geometry.paths.map { $0.vertices.map { [$0.x, $0.y] } })"
  }

  @Test func `The pieces of a ring that crosses itself are wound for good`() throws {
    // Cut at 180, one of its lobes lies the other way round.
    let ring = [
      (301.1, 68.9), (123, 32.8), (276.5, -65.3), (123, -76.6), (301.1, 68.9),
    ].map { Coordinate(x: $0.0, y: $0.1) }
    let once = ConformedGeometry(.polygon([ring]), decimals: 6, isGeographic: true).geometry
    #expect(once.paths.count == 3)
    for path in once.paths { #expect(Ring.signedArea(path.vertices) > 0) }
    // 301.1 - 360 with the decimals of 301.1.
    #expect(once.paths.contains { $0.vertices.contains { $0.x == -58.9 } })
    #expect(ConformedGeometry(once, decimals: 6, isGeographic: true).geometry == once)
  }

  @Test func `A box around the world that begins anywhere is cut into two whole boxes`() {
    let ring = [(-10.0, 0.0), (350, 0), (350, 5), (-10, 5), (-10, 0)]
      .map { Coordinate(x: $0.0, y: $0.1) }
    let once = ConformedGeometry(.polygon([ring]), decimals: 6, isGeographic: true).geometry
    let boxes = once.paths.map { Geometry(kind: .polygon, paths: [$0]).box }
    #expect(Set(boxes.map(\.minX)) == [-180, -10] && Set(boxes.map(\.maxX)) == [-10, 180])
    #expect(ConformedGeometry(once, decimals: 6, isGeographic: true).geometry == once)
  }

  @Test func `A planar ring is wound by its own coordinates`() {
    let ring = [(0.0, 0.0), (1000, 0), (1000, 1000), (0, 1000), (0, 0)]
      .map { Coordinate(x: $0.0, y: $0.1) }
    let planar = ConformedGeometry(.polygon([ring]), decimals: 6, isGeographic: false).geometry
    #expect(planar == .polygon([ring]))
    let turned = Geometry.polygon([ring.reversed()])
    #expect(ConformedGeometry(turned, decimals: 6, isGeographic: false).geometry == planar)
  }

  @Test func `A hole beyond its ring stays where it is`() {
    let outer = [(170.0, 0.0), (180, 0), (180, 10), (170, 0)]
      .map { Coordinate(x: $0.0, y: $0.1) }
    let hole = [(-20.0, 1.0), (-20, 2), (-19, 2), (-20, 1)]
      .map { Coordinate(x: $0.0, y: $0.1) }
    let polygon = Geometry.polygon([outer, hole])
    #expect(ConformedGeometry(polygon, decimals: 6, isGeographic: true).geometry == polygon)
  }
}

/// Lines and polygons made of a seed, within a few turns of the globe.
private struct RandomTurns: Choosing {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func geometry() -> Geometry {
    switch number(0...5) {
    case 0: return .line(places(2...6))
    case 1: return .polygon([ring()])
    case 2: return .polygon((0..<number(1...3)).map { _ in ring() })
    case 3: return .polygon([box(), ring()])
    case 4: return .polygon([box()])
    default:
      var paths: [Geometry.Path] = []
      for _ in 0..<number(1...3) {
        for (index, path) in Geometry.polygon((0..<number(1...2)).map { _ in ring() }).paths
          .enumerated()
        {
          var path = path
          path.role = PathRole(
            kind: .multiPolygon, beginsMember: paths.isEmpty, beginsPolygon: index == 0)
          paths.append(path)
        }
      }
      return Geometry(kind: .multiPolygon, paths: paths)
    }
  }

  private mutating func x() -> Double {
    switch number(0...7) {
    case 0: Double(pick([-540, -360, -180, -179, 0, 179, 180, 181, 360, 540]))
    case 1: Double(number(-9999...9999)) / 10
    case 2: Double(number(-18_000...18_000)) / 100
    case 3: Double(number(-180_000...360_000)) / 1000
    default: Double(number(150_000...210_000)) / 1000 * (chance(4) ? -1 : 1)
    }
  }

  private mutating func place() -> Coordinate {
    let y = chance(2) ? Double(number(-9...9)) : Double(number(-89_999...89_999)) / 1000
    return Coordinate(x: x(), y: y)
  }

  private mutating func places(_ count: ClosedRange<Int>) -> [Coordinate] {
    (0..<number(count)).map { _ in place() }
  }

  private mutating func ring() -> [Coordinate] {
    let ring = places(3...7)
    return ring + ring.prefix(1)
  }

  private mutating func box() -> [Coordinate] {
    let (west, south) = (x(), Double(number(-80...0)))
    let width = pick([360, 360, 180, 170, 190, 359.9, 360.1, 20, 720])
    let (east, north) = (NumberText.sum(west, width), south + Double(number(1...80)))
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]
      .map { Coordinate(x: $0.0, y: $0.1) }
  }
}
