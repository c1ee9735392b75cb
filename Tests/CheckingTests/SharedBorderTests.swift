import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Vertices of shared borders, edited in all areas at once.
@Suite struct SharedBorderTests {
  private static func rings(_ layer: any FeatureHolding) -> [[Coordinate]] {
    layer.blocks.flatMap { block in
      block.geometry.pathRoles.indices.filter { block.geometry.pathRoles[$0].isRing }.map {
        block.geometry.vertices(ofPath: $0).map(block.geometry.coordinate)
      }
    }
  }

  /// One random edit; returns whether it was done.
  private static func edit(
    _ layer: inout any FeatureHolding, _ generator: inout SeededGenerator,
    within reach: ((inout SeededGenerator) -> Double)? = nil
  ) throws -> Bool {
    let ring = try #require(rings(layer).randomElement(using: &generator))
    let index = Int.random(in: 0..<ring.count - 1, using: &generator)
    let (place, next) = (ring[index], ring[index + 1])
    let former = rings(layer)
    do {
      switch Int.random(in: 0...3, using: &generator) {
      case 0: try layer.removeSharedVertex(at: place, isGeographic: true)
      case 1: _ = try layer.insertSharedVertex(between: place, and: next, isGeographic: true)
      default:
        let size =
          reach.map { $0(&generator) }
          ?? Mathematics.exponential(Double.random(in: -12...1, using: &generator))
        let target = Coordinate(
          x: place.x + size * Double.random(in: -1...1, using: &generator),
          y: place.y + size * Double.random(in: -1...1, using: &generator))
        if target.y.magnitude > 90 { return false }
        _ = try layer.moveSharedVertex(at: place, to: target, isGeographic: true)
      }
      return true
    } catch is BorderFault {
      #expect(rings(layer) == former)
      return false
    }
  }

  private static func findings(_ layer: any FeatureHolding) throws -> [String] {
    try CoverageCheck.check(layer, isGeographic: true).map { "\($0.code) \($0.message)" }
  }

  @Test(arguments: Seeds.some(6))
  func `No edit of a coverage leaves a gap or an overlap`(seed: UInt64) throws {
    var land = SimplificationTests.Land(seed: seed, size: 3)
    var layer = try Checking.layer(land.text)
    guard try Self.findings(layer).isEmpty else { return }
    var done = 0
    for _ in 0..<60 {
      guard try Self.edit(&layer, &land.generator) else { continue }
      done += 1
      #expect(try Self.findings(layer) == [])
    }
    #expect(done > 10)
  }

  /// `PORTOLAN_LAWS` times a hundred edits; the bar of 10,000 is reached with 100.
  @Test(
    .enabled(if: Shared.exists("data/ne_110m_countries.geojson")),
    arguments: Seeds.some(1))
  func `Countries stay a coverage`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = String(
      decoding: try Shared.bytes("data/ne_110m_countries.geojson"), as: UTF8.self)
    try Self.edit(text, 100, &generator)
  }

  /// Counties of few decimals and small steps: moved vertices come upon other vertices and borders.
  ///
  /// `PORTOLAN_LAWS` times a hundred edits.
  @Test(arguments: Seeds.some(2))
  func `Counties stay a coverage`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let decimals = Int.random(in: 2...7, using: &generator)
    let text = Counties(seed: seed, size: 8, decimals: decimals).text
    let step = (0..<decimals).reduce(1.0) { step, _ in step / 10 }
    try Self.edit(text, 100, &generator) { generator in
      Int.random(in: 1...3, using: &generator) == 1 ? 0.4 : 4 * step
    }
  }

  private static func edit(
    _ text: String, _ count: Int, _ generator: inout SeededGenerator,
    within reach: ((inout SeededGenerator) -> Double)? = nil
  ) throws {
    var layer = try Checking.layer(text)
    let former = try Self.findings(layer)
    var done = 0
    for number in 1...count {
      if try Self.edit(&layer, &generator, within: reach) { done += 1 }
      guard number.isMultiple(of: 20) else { continue }
      let found = try Self.findings(layer)
      #expect(found.allSatisfy(former.contains), "\(found)")
    }
    #expect(done > count / 10)
  }

  private static let squares = [[0.0, 0.0], [1, 0], [0, 1], [1, 1]].map { corner in
    let (x, y) = (corner[0], corner[1])
    return [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)]
  }

  private static func layer(_ rings: [[(Double, Double)]]) throws -> any FeatureHolding {
    try Checking.layer(
      Checking.collection(rings.map { Checking.feature(Checking.polygon([$0])) }))
  }

  @Test func `A corner of four areas moves in all of them`() throws {
    var layer = try Self.layer(Self.squares)
    let corner = Coordinate(x: 1, y: 1)
    #expect(layer.ringVertices(at: corner).count == 4)
    let target = try layer.moveSharedVertex(
      at: corner, to: Coordinate(x: 1.25, y: 0.75), isGeographic: true)
    #expect(layer.ringVertices(at: target).count == 4)
    #expect(layer.ringVertices(at: corner).isEmpty)
    #expect(Self.rings(layer).allSatisfy { $0.first == $0.last && $0.count == 5 })
    #expect(throws: BorderFault.parting) {
      try layer.removeSharedVertex(at: target, isGeographic: true)
    }
    #expect(throws: BorderFault.self) {
      try layer.moveSharedVertex(at: target, to: Coordinate(x: 3, y: 1), isGeographic: true)
    }
  }

  @Test func `A vertex comes into both areas of an edge, and goes from both`() throws {
    var layer = try Self.layer(Self.squares)
    let former = Self.rings(layer)
    let (a, b) = (Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1))
    let middle = try layer.insertSharedVertex(between: a, and: b, isGeographic: true)
    #expect(middle == Coordinate(x: 1, y: 0.5))
    #expect(Self.rings(layer).map(\.count) == [6, 6, 5, 5])
    #expect(try CoverageCheck.check(layer, isGeographic: true) == [])
    try layer.removeSharedVertex(at: middle, isGeographic: true)
    #expect(Self.rings(layer) == former)
    // The edge that closes a ring, from either end.
    for (first, second) in [((0.0, 1.0), (0.0, 0.0)), ((0, 0), (0, 1))] {
      var other = layer
      _ = try other.insertSharedVertex(
        between: Coordinate(x: first.0, y: first.1), and: Coordinate(x: second.0, y: second.1),
        isGeographic: true)
      #expect(Self.rings(other)[0].map(\.y) == [0, 0, 1, 1, 0.5, 0])
    }
  }

  @Test func `A triangle keeps its vertices, and an island its side`() throws {
    let triangle = [(0.0, 0.0), (4, 0), (2, 2), (0, 0)]
    let island = [(2.0, 2.5), (2.1, 2.6), (1.9, 2.6), (2.0, 2.5)]
    var layer = try Self.layer([triangle, island])
    #expect(throws: BorderFault.tooFew) {
      try layer.removeSharedVertex(at: Coordinate(x: 2, y: 2), isGeographic: true)
    }
    #expect(throws: BorderFault.self) {
      try layer.moveSharedVertex(
        at: Coordinate(x: 2, y: 2), to: Coordinate(x: 2, y: 9), isGeographic: true)
    }
    _ = try layer.moveSharedVertex(
      at: Coordinate(x: 2, y: 2), to: Coordinate(x: 2, y: 2.4), isGeographic: true)
  }

  @Test func `All areas get the same numbers, in the fewest decimals of them`() throws {
    let text = Checking.collection([
      #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":"#
        + "[[[0.00,0.00],[1.00,0.00],[1.00,1.00],[0.00,0.00]]]}}",
      #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":"#
        + "[[[0.0000,0.0000],[1.0000,1.0000],[0.0000,1.0000],[0.0000,0.0000]]]}}",
    ])
    var layer = try Checking.layer(text)
    let target = try layer.moveSharedVertex(
      at: Coordinate(x: 1, y: 1), to: Coordinate(x: 1.12345, y: 1.2), isGeographic: true)
    #expect(target == Coordinate(x: 1.12, y: 1.2))
    #expect(layer.ringVertices(at: target).count == 2)
  }
}
