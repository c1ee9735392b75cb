import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Coverages wherever they lie on the globe.
@Suite struct AroundTheGlobeTests {
  /// Bands of areas around the globe or a part of it, some wider than half of it, with faults of
  /// some metres. Numbers are multiples of a small power of two, so that whole degrees move them
  /// exactly.
  struct Bands {
    private static let step = 10.0
    var rings: [[Coordinate]] = []

    init(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let isWhole = Bool.random(using: &generator)
      let columns = isWhole ? 36 : Int.random(in: 4...34, using: &generator)
      let rows = Int.random(in: 1...3, using: &generator)
      let lattice = (0...rows).map { row in
        (0...columns).map { column in
          Self.exact(
            Double(column) * Self.step + Double.random(in: -2...2, using: &generator),
            Double(row) * 8 - 10 + Double.random(in: -2...2, using: &generator))
        }
      }
      func place(_ column: Int, _ row: Int) -> Coordinate {
        let around = isWhole && column >= columns
        let place = lattice[row][around ? column - columns : column]
        return around ? Coordinate(x: place.x + 360, y: place.y) : place
      }
      for row in 0..<rows {
        let start = isWhole ? Int.random(in: 0..<columns, using: &generator) : 0
        var column = start
        while column < start + columns {
          let most = min(34, start + columns - column)
          var width = Int.random(in: 1...most, using: &generator)
          if isWhole, width == columns { width -= 1 }
          let end = column + width
          func along(_ row: Int) -> [Coordinate] {
            (column...end).map { number in
              place(number >= columns && !isWhole ? columns : number, row)
            }
          }
          rings.append(along(row) + along(row + 1).reversed())
          column = end
        }
      }
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let ring = rings.indices.randomElement(using: &generator) ?? 0
        let index = rings[ring].indices.randomElement(using: &generator) ?? 0
        let (a, b) = (rings[ring][index], rings[ring][(index + 1) % rings[ring].count])
        switch Int.random(in: 0...2, using: &generator) {
        case 0:
          rings[ring].insert(Self.exact((a.x + b.x) / 2, (a.y + b.y) / 2), at: index + 1)
        default:
          let size = 0.0002
          rings[ring][index] = Self.exact(
            a.x + Double.random(in: -size...size, using: &generator),
            a.y + Double.random(in: -size...size, using: &generator))
        }
      }
    }

    private static func exact(_ x: Double, _ y: Double) -> Coordinate {
      let scale = 1_048_576.0
      return Coordinate(x: (x * scale).rounded() / scale, y: (y * scale).rounded() / scale)
    }

    /// The areas moved to the east.
    func layer(east: Double) throws -> any BlockHolding {
      let shapes = rings.map { ring in
        (ring + ring.prefix(1)).map { (AroundTheGlobeTests.wrapped($0.x + east), $0.y) }
      }
      let text = Checking.collection(shapes.map { Checking.feature(Checking.polygon([$0])) })
      return try #require(Checking.layer(text) as? any BlockHolding)
    }
  }

  /// From -180 to 180.
  static func wrapped(_ x: Double) -> Double {
    let turned = x - 360 * ((x + 180) / 360).rounded(.down)
    return turned == -180 ? 180 : turned
  }

  /// The rings, moved back to the west, and findings as words without places.
  private static func rings(_ layer: any FeatureHolding, west: Double) -> [[Coordinate]] {
    layer.blocks.flatMap { block in
      block.geometry.pathRoles.indices.map { path in
        block.geometry.vertices(ofPath: path).map {
          let place = block.geometry.coordinate(at: $0)
          return Coordinate(x: wrapped(place.x - west), y: place.y)
        }
      }
    }
  }

  private static func words(_ findings: [Finding], west: Double) -> [String] {
    findings.map { finding in
      let x = ((wrapped((finding.position?.x ?? 0) - west)) * 1e5).rounded() / 1e5
      let y = ((finding.position?.y ?? 0) * 1e5).rounded() / 1e5
      return "\(finding.code) \(finding.path) \(finding.message) \(x) \(y)"
    }.sorted()
  }

  private static func areNear(_ first: [[Coordinate]], _ second: [[Coordinate]]) -> Bool {
    first.count == second.count
      && zip(first, second).allSatisfy { ring, other in
        ring.count == other.count
          && zip(ring, other).allSatisfy {
            let x = ($0.x - $1.x).magnitude
            return min(x, 360 - x) <= 2e-7 && ($0.y - $1.y).magnitude <= 2e-7
          }
      }
  }

  @Test(arguments: Seeds.some(12))
  func `Findings and repairs are the same at every longitude`(seed: UInt64) throws {
    let bands = Bands(seed: seed)
    var generator = SeededGenerator(seed: seed &+ 1_000_000)
    var former: (found: [String], repairs: [String], left: [String], rings: [[Coordinate]])?
    for _ in 0..<5 {
      let east = Double(Int.random(in: -180...180, using: &generator))
      let layer = try bands.layer(east: east)
      let found = try CoverageCheck.check(layer, isGeographic: true)
      let closed = try CoverageRepair.repair(layer, isGeographic: true, narrowerThan: 100)
      let left = try CoverageCheck.check(closed.layer, isGeographic: true)
      let result = (
        found: Self.words(found, west: east),
        repairs: closed.repairs.map { "\($0.code) \($0.path) \($0.message)" }.sorted(),
        left: Self.words(left, west: east), rings: Self.rings(closed.layer, west: east)
      )
      #expect(left.count < max(1, found.count), "seed \(seed), \(east) degrees east")
      for place in (found + closed.repairs).compactMap(\.position) {
        #expect(place.x.magnitude <= 180, "seed \(seed), \(east) degrees east")
      }
      if let former {
        #expect(result.found == former.found, "seed \(seed), \(east) degrees east")
        #expect(result.repairs == former.repairs, "seed \(seed), \(east) degrees east")
        #expect(result.left == former.left, "seed \(seed), \(east) degrees east")
        #expect(Self.areNear(result.rings, former.rings), "seed \(seed), \(east) degrees east")
      }
      former = former ?? result
    }
  }

  /// A polygon around 0 degrees, at most 20 degrees wide, perhaps with a hole or faults.
  private static func polygon(_ generator: inout SeededGenerator) -> [[Coordinate]] {
    func star(_ x: Double, _ y: Double, _ radius: Double) -> [Coordinate] {
      let count = Int.random(in: 4...14, using: &generator)
      let start = Double.random(in: 0..<6, using: &generator)
      return (0..<count).map {
        let size = radius * Double.random(in: 0.5...1, using: &generator)
        let (sine, cosine) = Turn.both(start + Double($0) * 2 * .pi / Double(count))
        return Coordinate(x: exact(x + size * cosine), y: exact(y + size * sine))
      }
    }
    var rings = [star(0, 0, Double.random(in: 0.1...10, using: &generator))]
    if Bool.random(using: &generator) {
      let x = exact(Double.random(in: 0.1...10, using: &generator))
      rings = [[(-x, -1), (x, -1), (x, 1), (-x, 1)].map { Coordinate(x: $0.0, y: $0.1) }]
    }
    if Bool.random(using: &generator) {
      let x = Double.random(in: -1...6, using: &generator)
      rings.append(star(x, 0, Double.random(in: 0.01...0.9, using: &generator)).reversed())
    }
    for ring in rings.indices {
      let index = rings[ring].indices.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0...7, using: &generator) {
      case 0: rings[ring].reverse()
      case 1: rings[ring].swapAt(0, 1)
      case 2: rings[ring].insert(rings[ring][index], at: index)
      case 3: rings[ring] = Array(rings[ring].prefix(3))
      default: break
      }
    }
    return rings
  }

  private static func exact(_ x: Double) -> Double { (x * 1_048_576).rounded() / 1_048_576 }

  @Test(arguments: Seeds.some(60))
  func `A polygon has the same faults at every longitude`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rings = Self.polygon(&generator)
    /// The codes of the faults and their positions, and how many are across 180 degrees.
    func faults(_ place: (Double) -> Double) throws -> (codes: [String], across: Int) {
      let shapes = rings.map { ring in
        (ring + ring.prefix(1)).map { (place($0.x), $0.y) }
      }
      let text = Checking.collection([Checking.feature(Checking.polygon(shapes))])
      let found = try Checking.check(text).findings
      let across: Set<FaultCode> = [
        .antimeridianJump, .beyondAntimeridian, .manyDecimals, .roundingNoise,
      ]
      let repaired = try Checking.repaired(Array(text.utf8))
      let again = try Checking.repaired(repaired.bytes)
      #expect(again.bytes == repaired.bytes && again.repairs.isEmpty)
      return (
        found.filter { !across.contains($0.code) }.map { "\($0.code) \($0.path)" }.sorted(),
        found.count { $0.code == .antimeridianJump }
      )
    }
    let crossesZero = rings.contains { ring in
      ring.contains { $0.x < 0 } && ring.contains { $0.x > 0 }
    }
    // Across 180 degrees it is a wide one that winds rightly, too: it is told, and checked as such.
    let isClockwiseBox =
      rings[0].indices.allSatisfy {
        let (a, b) = (rings[0][$0], rings[0][($0 + 1) % rings[0].count])
        return a.x == b.x || a.y == b.y
      } && Ring.signedArea(rings[0] + rings[0].prefix(1)) < 0
    let plain = try faults { $0 }
    #expect(plain.across == 0)
    for east in [-180.0, 180, Double(Int.random(in: -180...180, using: &generator))] {
      let turned = try faults { Self.wrapped($0 + east) }
      if isClockwiseBox, turned.across > 0 { continue }
      #expect(turned.codes == plain.codes, "seed \(seed), \(east) degrees east: \(rings)")
      if east.magnitude == 180, crossesZero { #expect(turned.across > 0, "seed \(seed): \(rings)") }
    }
    #expect(try faults { $0 + 180 }.codes == plain.codes, "seed \(seed): \(rings)")
  }
}
