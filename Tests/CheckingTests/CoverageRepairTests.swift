import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Narrow gaps and overlaps closed.
@Suite struct CoverageRepairTests {
  /// A degree of latitude, in metres.
  private static let degree = 111_195.0

  private static func layer(_ rings: [[(Double, Double)]]) throws -> any BlockHolding {
    let text = Checking.collection(rings.map { Checking.feature(Checking.polygon([$0])) })
    return try #require(Checking.layer(text) as? any BlockHolding)
  }

  private static func repair(
    _ layer: any BlockHolding, narrowerThan width: Double
  ) throws -> CoverageRepair {
    try CoverageRepair.repair(layer, isGeographic: true, narrowerThan: width)
  }

  private static func findings(_ layer: any FeatureHolding) throws -> [FaultCode] {
    try CoverageCheck.check(layer, isGeographic: true).map(\.code)
  }

  private static func rings(_ layer: any FeatureHolding) -> [[Coordinate]] {
    layer.blocks.flatMap { block in
      block.geometry.pathRoles.indices.map {
        block.geometry.vertices(ofPath: $0).map(block.geometry.coordinate)
      }
    }
  }

  private static let west = [(0.0, 0.0), (1, 0), (1, 2), (0, 2), (0, 0)]

  private static func east(_ x: Double) -> [(Double, Double)] {
    [(1, 0), (2, 0), (2, 2), (1, 2), (x, 1), (1, 0)]
  }

  @Test(arguments: [(1.0002, FaultCode.gap), (0.9998, .overlap)])
  func `A sliver narrower than the width is closed, a wider one stays`(
    x: Double, code: FaultCode
  ) throws {
    let layer = try Self.layer([Self.west, Self.east(x)])
    #expect(try Self.findings(layer) == [code])
    let width = 0.0002 * Self.degree
    let closed = try Self.repair(layer, narrowerThan: 1.2 * width)
    #expect(closed.repairs.map(\.code) == [code])
    #expect(try Self.findings(closed.layer) == [])
    let open = try Self.repair(layer, narrowerThan: 0.5 * width)
    #expect(open.repairs.isEmpty && Self.rings(open.layer) == Self.rings(layer))
  }

  @Test func `A gap goes to the neighbour with the longest common border`() throws {
    // The gap's border is longer on the east, where it has a corner.
    let closed = try Self.repair(
      Self.layer([Self.west, Self.east(1.0002)]), narrowerThan: 50)
    let rings = Self.rings(closed.layer)
    #expect(rings[0] == Self.west.map { Coordinate(x: $0.0, y: $0.1) })
    #expect(rings[1].count == 5)
    #expect(!rings[1].contains(Coordinate(x: 1.0002, y: 1)))
  }

  @Test func `Borders that cross get a vertex where they do`() throws {
    let zigzag = [
      (1.0, 0.0), (2, 0), (2, 2), (1, 2), (1.0001, 1.5), (0.9999, 0.5), (1, 0),
    ]
    let layer = try Self.layer([Self.west, zigzag])
    let found = try Self.findings(layer)
    #expect(!found.isEmpty)
    let closed = try Self.repair(layer, narrowerThan: 50)
    #expect(try Self.findings(closed.layer) == [])
    #expect(Set(closed.repairs.map(\.code)) == [.gap, .overlap])
  }

  @Test func `A vertex that a neighbour lacks needs no width`() throws {
    let layer = try Self.layer([Self.west, Self.east(1)])
    #expect(try Self.findings(layer) == [.missingVertex])
    let closed = try Self.repair(layer, narrowerThan: 0)
    #expect(closed.repairs.map(\.code) == [.missingVertex])
    #expect(Self.rings(closed.layer)[0].contains(Coordinate(x: 1, y: 1)))
  }

  @Test func `Vertices that differ in the last decimal become one`() throws {
    var east = Self.east(1)
    var west = Self.west
    west.insert((1, 1), at: 2)
    for index in east.indices where east[index] == (1, 1) { east[index].0 += 3e-7 }
    let layer = try Self.layer([west, east])
    let closed = try Self.repair(layer, narrowerThan: 0)
    #expect(try Self.findings(closed.layer) == [])
    #expect(Self.rings(closed.layer)[1].filter { $0.x == 1 }.count == 4)
  }

  @Test func `Lakes, wide gaps and whole features stay`() throws {
    let lake = [(0.4, 0.4), (0.4, 0.6), (0.4001, 0.6), (0.4001, 0.4), (0.4, 0.4)]
    let text = Checking.collection([
      Checking.feature(Checking.polygon([Self.west, lake])),
      Checking.feature(Checking.polygon([[(0.7, 1), (0.70001, 1), (0.70001, 1.3), (0.7, 1)]])),
      Checking.feature(Checking.polygon([Self.east(1.3)])),
    ])
    let layer = try #require(Checking.layer(text) as? any BlockHolding)
    let found = try Self.findings(layer)
    #expect(found.count == 2)
    let closed = try Self.repair(layer, narrowerThan: 50)
    #expect(closed.repairs.isEmpty)
    #expect(Self.rings(closed.layer) == Self.rings(layer))
  }

  /// 180 degrees runs through the east, along the border, through the west, or at their far sides.
  @Test(arguments: [178.5, 179, 179.5, -181, 178, 180], [1.0002, 0.9998])
  func `Areas across 180 degrees are repaired like others`(shift: Double, x: Double) throws {
    func moved(_ ring: [(Double, Double)]) -> [(Double, Double)] {
      ring.map { x, y in
        let x = x + shift
        return (x > 180 ? x - 360 : x < -180 ? x + 360 : x, y)
      }
    }
    let layer = try Self.layer([moved(Self.west), moved(Self.east(x))])
    let code = x > 1 ? FaultCode.gap : .overlap
    #expect(try Self.findings(layer) == [code])
    let width = 0.0002 * Self.degree
    let closed = try Self.repair(layer, narrowerThan: 1.2 * width)
    #expect(closed.repairs.map(\.code) == [code])
    #expect(try Self.findings(closed.layer) == [])
    let (rings, former) = (Self.rings(closed.layer), Self.rings(layer))
    #expect(Set(rings.joined()).isSubset(of: former.joined()))
    #expect(Set(rings[0]).intersection(rings[1]).count == 2)
    #expect(closed.repairs.allSatisfy { ($0.position?.x.magnitude ?? 0) <= 180 })
    let open = try Self.repair(layer, narrowerThan: 0.5 * width)
    #expect(open.repairs.isEmpty && Self.rings(open.layer) == former)
  }

  @Test func `An area that is cut becomes one of several parts`() throws {
    // A thin tongue of the second area reaches across the first one.
    let west = [(0.0, 0.0), (2, 0), (2, 1), (0, 1), (0, 0)]
    let tongue = [
      (2.0, 0.0), (3, 0), (3, 1), (2, 1), (2, 0.50005), (-0.5, 0.5), (2, 0.5), (2, 0),
    ]
    let layer = try Self.layer([west, tongue])
    let closed = try Self.repair(layer, narrowerThan: 20)
    let found = try Self.findings(closed.layer)
    #expect(found == [] || Self.rings(closed.layer) == Self.rings(layer))
  }

  /// `PORTOLAN_LAWS` maps of about twenty faults each.
  @Test(arguments: Seeds.some(4))
  func `A repair leaves no new fault, comes to an end, and leaves the rest`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var counties = Counties(seed: seed, size: 5, decimals: 6)
    let size = 30 / Self.degree
    for _ in 0..<Int.random(in: 1...20, using: &generator) {
      let shape = Int.random(in: counties.shapes.indices, using: &generator)
      var ring = counties.shapes[shape][0]
      let index = Int.random(in: 1..<ring.count - 1, using: &generator)
      switch Int.random(in: 0...3, using: &generator) {
      case 0 where ring.count > 6: ring.remove(at: index)
      case 1:
        let (a, b) = (ring[index - 1], ring[index])
        ring.insert(((a.0 + b.0) / 2, (a.1 + b.1) / 2), at: index)
      default:
        ring[index].0 += Double.random(in: -size...size, using: &generator)
        ring[index].1 += Double.random(in: -size...size, using: &generator)
      }
      counties.shapes[shape][0] = ring
    }
    let layer = try #require(Checking.layer(counties.text) as? any BlockHolding)
    let before = try Self.findings(layer)
    let widths: [Double] = [0, 20, 100]
    let width = try #require(widths.randomElement(using: &generator))
    let closed = try Self.repair(layer, narrowerThan: width)
    let after = try Self.findings(closed.layer)
    #expect(after.count <= before.count, "seed \(seed)")
    if width == 100 { #expect(after.count(where: { $0 == .missingVertex }) == 0, "seed \(seed)") }
    let faults = try DocumentCheck.check(Self.document(closed.layer), DocumentCheck.Options())
    #expect(faults.findings.filter { $0.severity == .error } == [], "seed \(seed)")
    let again = try Self.repair(closed.layer, narrowerThan: width)
    #expect(again.repairs.isEmpty, "seed \(seed)")
    #expect(Self.rings(again.layer) == Self.rings(closed.layer), "seed \(seed)")
    // What is not listed is the same.
    if before.isEmpty { #expect(closed.repairs.isEmpty) }
  }

  private static func document(_ layer: any Layer) -> Document {
    var document = Document()
    document.layers = [layer]
    return document
  }
}
