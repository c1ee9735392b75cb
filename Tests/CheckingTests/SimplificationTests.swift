import PortolanCartography
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Simplified coverages and lines.
@Suite struct SimplificationTests {
  /// The cells of a lattice with crooked borders; in some of them a lake with an island.
  struct Land {
    var generator: SeededGenerator
    var shapes: [[[(Double, Double)]]] = []

    init(seed: UInt64, size: Int = 4) {
      generator = SeededGenerator(seed: seed)
      let lattice = CoverageTests.Lattice(seed: seed, size: size)
      var borders: [String: [(Double, Double)]] = [:]
      for cell in lattice.rings {
        // Corners are at every second place.
        let corners = stride(from: 0, to: cell.count - 1, by: 2).map { cell[$0] }
        var ring: [(Double, Double)] = []
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
          let (first, second) = a < b ? (a, b) : (b, a)
          let key = "\(first) \(second)"
          let border = borders[key] ?? crooked(from: first, to: second)
          borders[key] = border
          ring += (a < b ? border : border.reversed()).dropLast()
        }
        shapes.append([ring + ring.prefix(1)])
      }
      for cell in shapes.indices where Int.random(in: 0...2, using: &generator) == 0 {
        let (x, y) = (Double(cell % size) + 0.5, Double(cell / size) + 0.5)
        let lake = round(x, y, radius: 0.2)
        shapes[cell].append(lake.reversed())
        let island = round(x, y, radius: 0.07)
        shapes.append([lake, island.reversed()])
        shapes.append([island])
      }
    }

    private mutating func crooked(
      from a: (Double, Double), to b: (Double, Double)
    ) -> [(Double, Double)] {
      let count = Int.random(in: 1...12, using: &generator)
      let places = (1...count).map { step in
        let part = Double(step) / Double(count + 1)
        return (
          a.0 + (b.0 - a.0) * part + Double.random(in: -0.06...0.06, using: &generator),
          a.1 + (b.1 - a.1) * part + Double.random(in: -0.06...0.06, using: &generator)
        )
      }
      return [a] + places + [b]
    }

    private mutating func round(
      _ x: Double, _ y: Double, radius: Double
    ) -> [(Double, Double)] {
      let count = Int.random(in: 3...20, using: &generator)
      let ring = (0..<count).map { step in
        let angle = 2 * Double.pi * Double(step) / Double(count)
        let distance = radius * Double.random(in: 0.8...1, using: &generator)
        return (
          x + distance * Mathematics.cosine(angle), y + distance * Mathematics.sine(angle)
        )
      }
      return ring + ring.prefix(1)
    }

    var text: String {
      Checking.collection(shapes.map { Checking.feature(Checking.polygon($0)) })
    }
  }

  static let seeds = Seeds.some(12)

  private static func layer(_ text: String) throws -> FeatureLayer {
    try #require(Checking.layer(text) as? FeatureLayer)
  }

  private static func text(_ layer: FeatureLayer) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try GeoJSONFormat().write([layer], options: ExportOptions()) { bytes += $0 }
    return bytes
  }

  /// The edges of a layer with the number of rings that have each.
  private static func edges(_ layer: FeatureLayer) -> [Set<Coordinate>: Int] {
    var edges: [Set<Coordinate>: Int] = [:]
    for block in layer.blocks {
      for path in block.geometry.pathRoles.indices {
        let places = block.geometry.vertices(ofPath: path).map(block.geometry.coordinate)
        for (a, b) in zip(places, places.dropFirst()) { edges[[a, b], default: 0] += 1 }
      }
    }
    return edges
  }

  private static func rule(
    _ generator: inout SeededGenerator, keepsShapes: Bool
  ) -> SimplifyRule {
    let methods: [SimplifyRule.Method] = [
      .visvalingam(isWeighted: true), .visvalingam(isWeighted: false), .douglasPeucker,
    ]
    let amount: SimplifyRule.Amount =
      Bool.random(using: &generator)
      ? .share(Double.random(in: 0...0.9, using: &generator))
      : .length(Double.random(in: 1e2...1e5, using: &generator))
    return SimplifyRule(
      amount, method: methods.randomElement(using: &generator) ?? .douglasPeucker,
      keepsShapes: keepsShapes)
  }

  @Test(arguments: seeds)
  func `A coverage stays one, its rings simple and its borders shared`(seed: UInt64) throws {
    var land = Land(seed: seed)
    let former = try Self.layer(land.text)
    // Crooked borders may cross; then there is nothing to keep.
    guard try CoverageCheck.check(former, isGeographic: true).isEmpty,
      try Checking.codes(Self.text(former), least: .warning).isEmpty
    else { return }
    for keepsShapes in [true, false] {
      var layer = former
      let rule = Self.rule(&land.generator, keepsShapes: keepsShapes)
      let report = try layer.simplify(by: rule, isGeographic: true)
      #expect(try CoverageCheck.check(layer, isGeographic: true) == [], "\(rule)")
      #expect(try Checking.codes(Self.text(layer), least: .warning) == [], "\(rule)")
      #expect(report.verticesBefore == former.blocks.reduce(0) { $0 + $1.geometry.vertexCount })
      #expect(report.verticesAfter == layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount })
      #expect(former.count - layer.count == report.lostFeatures)
      if keepsShapes { #expect(report.lostFeatures == 0) }
      // Edges within the land have two sides, as before.
      let alone = Self.edges(former).filter { $0.value == 1 }
      let outer = Set(alone.keys.flatMap { $0 })
      for (edge, count) in Self.edges(layer) where count == 1 {
        #expect(edge.isSubset(of: outer), "\(rule)")
      }
    }
  }

  @Test(arguments: seeds) func `All is nothing, and twice is once`(seed: UInt64) throws {
    let former = try Self.layer(Land(seed: seed).text)
    var layer = former
    for amount in [SimplifyRule.Amount.share(1), .length(0)] {
      _ = try layer.simplify(by: SimplifyRule(amount), isGeographic: true)
      #expect(zip(layer.blocks, former.blocks).allSatisfy { $0 === $1 })
    }
    let rule = SimplifyRule(.length(20_000), method: .visvalingam(isWeighted: false))
    _ = try layer.simplify(by: rule, isGeographic: true)
    let once = try Self.text(layer)
    _ = try layer.simplify(by: SimplifyRule(.share(1)), isGeographic: true)
    #expect(try Self.text(layer) == once)
  }

  @Test(arguments: seeds) func `What is shared with others stays`(seed: UInt64) throws {
    var land = Land(seed: seed)
    let former = try Self.layer(land.text)
    guard try CoverageCheck.check(former, isGeographic: true).isEmpty else { return }
    let ids = former.blocks.flatMap(\.featureIDs)
    let chosen = Set(ids.filter { _ in Bool.random(using: &land.generator) })
    var layer = former
    _ = try layer.simplify(
      chosen, by: SimplifyRule(.share(0), keepsShapes: true), isGeographic: true)
    for id in ids where !chosen.contains(id) {
      #expect(layer.feature(id)?.geometry == former.feature(id)?.geometry)
    }
    #expect(try CoverageCheck.check(layer, isGeographic: true) == [])
  }

  @Test func `Shares and sizes are kept`() throws {
    // A circle of 1000 vertices at 60 degrees north, 10 km wide.
    let circle = (0..<1000).map { step in
      let angle = 2 * Double.pi * Double(step) / 1000
      return (
        20 + 5 / 55.6 * Mathematics.cosine(angle), 60 + 5 / 111.2 * Mathematics.sine(angle)
      )
    }
    let text = Checking.feature(Checking.polygon([circle + circle.prefix(1)]))
    func left(_ rule: SimplifyRule) throws -> Int {
      var layer = try Self.layer(text)
      _ = try layer.simplify(by: rule, isGeographic: true)
      return layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
    for method in [SimplifyRule.Method.douglasPeucker, .visvalingam(isWeighted: true)] {
      #expect(try left(SimplifyRule(.share(0.1), method: method)) == 101)
    }
    // An arc of a chord c is c²/8r high.
    let count = try left(SimplifyRule(.length(10), method: .douglasPeucker)) - 1
    let height = (31_416 / Double(count)) * (31_416 / Double(count)) / 40_000
    #expect((2.5...10).contains(height))
    #expect(try left(SimplifyRule(.share(0), keepsShapes: true)) == 4)
    #expect(try left(SimplifyRule(.length(1e6))) == 0)
  }

  @Test func `A coast does not pass over an island, and 180 degrees stays the edge`() throws {
    // The bay holds an island; without it the bay goes.
    let bay = [(0.0, 0.0), (10, 0), (10, 10), (5.2, 10), (5, 6), (4.8, 10), (0, 10), (0, 0)]
    let island = [(4.95, 9.0), (5.05, 9), (5, 9.2), (4.95, 9)]
    for hasIsland in [true, false] {
      let shapes = [bay] + (hasIsland ? [island] : [])
      var layer = try Self.layer(
        Checking.collection(shapes.map { Checking.feature(Checking.polygon([$0])) }))
      _ = try layer.simplify(by: SimplifyRule(.share(0.9), keepsShapes: true), isGeographic: true)
      let vertices = try #require(layer.feature(FeatureID(1))).geometry.paths[0].vertices
      #expect(vertices.contains(Coordinate(x: 5, y: 6)) == hasIsland)
    }
    let ice = [
      (-180.0, -90.0), (-90, -90), (0, -90), (180, -90), (180, -85), (180, -80), (90, -70),
      (80, -70.1), (0, -75), (-180, -80), (-180, -90),
    ]
    var layer = try Self.layer(Checking.feature(Checking.polygon([ice])))
    _ = try layer.simplify(by: SimplifyRule(.share(0), keepsShapes: true), isGeographic: true)
    let left = Set(try #require(layer.feature(FeatureID(1))).geometry.paths[0].vertices)
    for corner in [(-180.0, -90.0), (180, -90), (180, -80), (-180, -80)] {
      #expect(left.contains(Coordinate(x: corner.0, y: corner.1)))
    }
    #expect(!left.contains(Coordinate(x: 180, y: -85)))
  }

  @Test(arguments: [SimplifyRule.Method.douglasPeucker, .visvalingam(isWeighted: false)])
  func `Steps across 180 degrees stay`(method: SimplifyRule.Method) throws {
    let ring = [
      (160.0, 60.0), (175, 60.5), (-175, 60.5), (-160, 60), (-160, 70), (-176, 70.2), (176, 70.2),
      (160, 70), (160, 60),
    ]
    var layer = try Self.layer(Checking.feature(Checking.polygon([ring])))
    let rule = SimplifyRule(.share(0), method: method, keepsShapes: true)
    _ = try layer.simplify(by: rule, isGeographic: true)
    let left = Set(try #require(layer.feature(FeatureID(1))).geometry.paths[0].vertices)
    for corner in [(175.0, 60.5), (-175, 60.5), (-176, 70.2), (176, 70.2)] {
      #expect(left.contains(Coordinate(x: corner.0, y: corner.1)))
    }
  }

  @Test func `Lines keep their ends and their crossings`() throws {
    let lines = [
      "[[0,0],[1,0.1],[2,0],[3,0.1],[4,0]]", "[[2,0],[2.1,1],[2,2]]", "[[9,9],[9,9]]",
    ]
    let text = Checking.collection(
      lines.map { Checking.feature("{\"type\":\"LineString\",\"coordinates\":\($0)}") })
    var layer = try Self.layer(text)
    _ = try layer.simplify(by: SimplifyRule(.share(0)), isGeographic: false)
    let left = (1...3).map { number in
      layer.feature(FeatureID(UInt64(number)))?.geometry.paths[0].vertices.map(\.x)
    }
    #expect(left == [[0, 2, 4], [2, 2], [9, 9]])
  }

  @Test func `Ctrl-C leaves the layer as it was`() throws {
    struct Stop: Error {}
    let former = try Self.layer(Land(seed: 3).text)
    var layer = former
    #expect(throws: Stop.self) {
      try layer.simplify(by: SimplifyRule(.share(0)), isGeographic: true) {
        if $0 > 0.5 { throw Stop() }
      }
    }
    #expect(zip(layer.blocks, former.blocks).allSatisfy { $0 === $1 })
  }
}
