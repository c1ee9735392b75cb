import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Coverages: cells of a lattice whose inner corners are moved at random.
@Suite struct CoverageTests {
  /// The rings of the cells of a lattice; neighbours have the same corners, and the same vertices
  /// between them.
  struct Lattice {
    var generator: SeededGenerator
    let size: Int
    var rings: [[(Double, Double)]] = []

    init(seed: UInt64, size: Int) {
      generator = SeededGenerator(seed: seed)
      self.size = size
      var corners: [[(Double, Double)]] = []
      for y in 0...size {
        corners.append((0...size).map { x in (jitter(x), jitter(y)) })
      }
      func between(_ a: (Double, Double), _ b: (Double, Double)) -> [(Double, Double)] {
        // The same vertices whichever way the border is walked.
        let (first, second) = a < b ? (a, b) : (b, a)
        let middle = (
          (first.0 + second.0) / 2 + (first.1 - second.1) * 0.1,
          (first.1 + second.1) / 2 - (first.0 - second.0) * 0.1
        )
        return [a, middle]
      }
      for y in 0..<size {
        for x in 0..<size {
          let (a, b) = (corners[y][x], corners[y][x + 1])
          let (c, d) = (corners[y + 1][x + 1], corners[y + 1][x])
          rings.append(between(a, b) + between(b, c) + between(c, d) + between(d, a) + [a])
        }
      }
    }

    private mutating func jitter(_ value: Int) -> Double {
      ((Double(value) + Double.random(in: -0.2...0.2, using: &generator)) * 1e4).rounded() / 1e4
    }

    func findings() throws -> [Finding] {
      let text = Checking.collection(rings.map { Checking.feature(Checking.polygon([$0])) })
      return try CoverageCheck.check(Checking.layer(text), isGeographic: true)
    }
  }

  static let seeds = Seeds.some(25)

  @Test(arguments: seeds) func `A coverage has no fault`(seed: UInt64) throws {
    var lattice = Lattice(seed: seed, size: 5)
    #expect(try lattice.findings() == [])
    // Turned round and begun elsewhere it is the same.
    for index in lattice.rings.indices where index % 2 == 0 {
      lattice.rings[index].reverse()
    }
    #expect(try lattice.findings() == [])
  }

  @Test(arguments: seeds) func `A polygon that is gone leaves a gap`(seed: UInt64) throws {
    var lattice = Lattice(seed: seed, size: 5)
    let (x, y) = (Int.random(in: 1...3, using: &lattice.generator), 1 + Int(seed % 3))
    lattice.rings.remove(at: y * 5 + x)
    let found = try lattice.findings()
    #expect(found.map(\.code) == [.gap])
  }

  @Test(arguments: seeds) func `A vertex that one neighbour lacks is found`(seed: UInt64) throws {
    var lattice = Lattice(seed: seed, size: 4)
    // The first corner, and the vertex after it, of an inner cell; the middle of that edge is on
    // the border of the cell below.
    let (a, b) = (lattice.rings[5][0], lattice.rings[5][1])
    lattice.rings[5].insert(((a.0 + b.0) / 2, (a.1 + b.1) / 2), at: 1)
    let found = try lattice.findings()
    #expect(found.map(\.code) == [.missingVertex])
    #expect(found.first?.feature?.feature == FeatureID(2))
  }

  @Test(arguments: seeds) func `A corner moved in one polygon alone is a gap or an overlap`(
    seed: UInt64
  ) throws {
    var lattice = Lattice(seed: seed, size: 4)
    let dx = Double.random(in: 0.05...0.1, using: &lattice.generator)
    lattice.rings[5][1].1 += Bool.random(using: &lattice.generator) ? dx : -dx
    let found = try lattice.findings().map(\.code)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0 == .gap || $0 == .overlap })
  }

  @Test func `A polygon twice, and one within another, overlap`() throws {
    let square = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (0, 0)]
    let small = [(1.0, 1.0), (2, 1), (2, 2), (1, 2), (1, 1)]
    for rings in [[square, square], [square, small], [small, square]] {
      let text = Checking.collection(rings.map { Checking.feature(Checking.polygon([$0])) })
      let found = try CoverageCheck.check(Checking.layer(text), isGeographic: true)
      #expect(found.map(\.code) == [.overlap])
    }
  }

  @Test func `A lake in one polygon is no gap, a filled one neither`() throws {
    let square = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (0, 0)]
    let lake = [(1.0, 1.0), (1, 2), (2, 2), (2, 1), (1, 1)]
    let next = [(4.0, 0.0), (8, 0), (8, 4), (4, 4), (4, 0)]
    let some = [Checking.polygon([square, lake]), Checking.polygon([next])]
    for shapes in [some, some + [Checking.polygon([lake.reversed()])]] {
      let text = Checking.collection(shapes.map { Checking.feature($0) })
      #expect(try CoverageCheck.check(Checking.layer(text), isGeographic: true) == [])
    }
  }

  // MARK: The table of arcs

  @Test(arguments: seeds)
  func `Arcs give the rings back, and each border is there once`(seed: UInt64) {
    let lattice = Lattice(seed: seed, size: 5)
    var builder = ArcTable.Builder()
    for (owner, ring) in lattice.rings.enumerated() {
      builder.add(owner: owner, ring.map { Coordinate(x: $0.0, y: $0.1) })
    }
    let table = builder.finish()
    #expect(table.rings.count == lattice.rings.count)
    for (ring, source) in zip(table.rings, lattice.rings) {
      let found = table.coordinates(of: ring)
      let wanted = source.dropLast().map { Coordinate(x: $0.0, y: $0.1) }
      #expect(found.first == found.last)
      let open = Array(found.dropLast())
      let start = open.firstIndex(of: wanted[0]) ?? 0
      #expect(Array(open[start...] + open[..<start]) == wanted)
    }
    var edges: Set<Set<Int32>> = []
    for arc in 0..<table.arcCount {
      let places = table.vertices[table.range(ofArc: arc)]
      for (first, second) in zip(places, places.dropFirst()) {
        #expect(edges.insert([first, second]).inserted)
      }
    }
    // 5 · 6 borders each way, of two edges each.
    #expect(edges.count == 2 * 2 * 5 * 6)
    let uses = table.uses
    #expect(uses.allSatisfy { (1...2).contains($0.count) })
    #expect(uses.filter { $0.count == 2 }.allSatisfy { $0[0].isReversed != $0[1].isReversed })
    // Two cells share a border of one arc; corner cells have both outer borders in one.
    #expect(uses.count { $0.count == 2 } == 2 * 5 * 4)
  }

  @Test func `An island that fills a hole is one closed arc`() {
    let hole = [(1.0, 1.0), (1, 2), (2, 2), (2, 1)].map { Coordinate(x: $0.0, y: $0.1) }
    var builder = ArcTable.Builder()
    builder.add(owner: 0, hole + hole.prefix(1))
    builder.add(owner: 1, [hole[2], hole[1], hole[0], hole[3], hole[2], hole[2]])
    builder.add(owner: 2, [hole[0], hole[1]])
    let table = builder.finish()
    #expect(table.arcCount == 1)
    #expect(table.rings.map(\.owner) == [0, 1])
    #expect(table.uses[0].map(\.isReversed) == [false, true])
  }
}
