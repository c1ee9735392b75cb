import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanGeometries

/// The union of a coverage, beside GEOS's search for crossings.
@Suite struct CoverageUnionTests {
  /// A lattice of cells with common corners.
  private struct Lattice {
    var corners: [[Coordinate]]
    let size: Int

    init(size: Int, by offset: Double, _ generator: inout SeededGenerator) {
      self.size = size
      corners = (0...size).map { y in
        (0...size).map { x in
          Coordinate(
            x: Double(x) + .random(in: -offset...offset, using: &generator),
            y: Double(y) + .random(in: -offset...offset, using: &generator))
        }
      }
    }

    /// A cell that begins at any corner and runs either way.
    func cell(_ number: Int, _ generator: inout SeededGenerator) -> [Coordinate] {
      let (x, y) = (number % size, number / size)
      let ring = [corners[y][x], corners[y][x + 1], corners[y + 1][x + 1], corners[y + 1][x]]
      let first = Int.random(in: 0..<4, using: &generator)
      let turned = Array(ring[first...] + ring[..<first])
      return Bool.random(using: &generator) ? turned : turned.reversed()
    }
  }

  private static func area(_ ring: [(Double, Double)]) -> FlatGeometry {
    area(ring.map { Coordinate(x: $0.0, y: $0.1) })
  }

  private static func area(_ ring: [Coordinate]) -> FlatGeometry {
    var flat = FlatGeometry(.polygon)
    flat.append(
      PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true), ring + [ring[0]])
    return flat
  }

  /// Whether both cover the same places, but for rounding.
  private static func expectSame(
    _ made: FlatGeometry, _ areas: [FlatGeometry], _ geos: Geos, _ comment: Comment
  ) throws {
    let shape = try geos.shape(made)
    #expect(try geos.isValid(shape), comment)
    let whole = try geos.union(try areas.map { try geos.shape($0) })
    for (one, other) in [(shape, whole), (whole, shape)] {
      #expect(try geos.area(of: try geos.difference(one, other)) < 1e-9, comment)
    }
    for path in made.roles.indices {
      let isLeft = Ring.signedArea(made.coordinates(ofPath: path)) > 0
      #expect(isLeft == made.roles[path].beginsPolygon, comment)
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Cells of a lattice become the union that GEOS makes`(seed: UInt64) throws {
    let geos = try Geos()
    var generator = SeededGenerator(seed: seed)
    let lattice = Lattice(size: 8, by: seed % 2 == 0 ? 0 : 0.3, &generator)
    let cells = (0..<64).filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
    let areas = cells.shuffled(using: &generator).map { Self.area(lattice.cell($0, &generator)) }
    let made = try #require(try geos.unionOfCoverage(areas))
    try Self.expectSame(made, areas, geos, "seed \(seed)")
    let turned = try #require(try geos.unionOfCoverage(areas.reversed()))
    #expect(turned.vertexCount == made.vertexCount)
    // The union is an area like others.
    let rest = (0..<64).filter { !cells.contains($0) }.map {
      Self.area(lattice.cell($0, &generator))
    }
    let all = try #require(try geos.unionOfCoverage([made] + rest))
    #expect(all.vertexCount == 33)
  }

  @Test(arguments: Seeds.some(40))
  func `What is no coverage has a right union or none`(seed: UInt64) throws {
    let geos = try Geos()
    var generator = SeededGenerator(seed: seed)
    let lattice = Lattice(size: 4, by: 0, &generator)
    var areas: [FlatGeometry] = []
    for number in 0..<16 {
      var ring = lattice.cell(number, &generator)
      // Some edges go another way than those of the neighbour, on whole numbers: steps, bow ties.
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let edge = Int.random(in: 0..<ring.count, using: &generator)
        let (a, b) = (ring[edge], ring[(edge + 1) % ring.count])
        let side = 0.25 * Double(Int.random(in: -1...1, using: &generator))
        func place(_ share: Double, _ side: Double) -> Coordinate {
          Coordinate(
            x: a.x + share * (b.x - a.x) - side * (b.y - a.y),
            y: a.y + share * (b.y - a.y) + side * (b.x - a.x))
        }
        ring.insert(contentsOf: [place(0.25, side), place(0.75, -side)], at: edge + 1)
      }
      let area = Self.area(ring)
      if try geos.isValid(try geos.shape(area)) { areas.append(area) }
    }
    guard let made = try geos.unionOfCoverage(areas) else { return }
    try Self.expectSame(made, areas, geos, "seed \(seed)")
  }

  @Test func `A gap as large as the overlap beside it is seen`() throws {
    let geos = try Geos()
    let left = Self.area([(-4, 0), (0, 0), (0, 4), (-4, 4)])
    let right = Self.area([(0, 0), (4, 0), (4, 4), (0, 4), (1, 3), (-1, 1)])
    #expect(try geos.unionOfCoverage([left, right]) == nil)
    #expect(try geos.unionOfCoverage([left, left]) == nil)
    let inner = Self.area([(-3, 1), (-2, 1), (-2, 2), (-3, 2)])
    #expect(try geos.unionOfCoverage([left, inner]) == nil)
  }

  @Test func `Heights are left to GEOS`() throws {
    let geos = try Geos()
    var area = Self.area([(0, 0), (4, 0), (4, 4)])
    #expect(try geos.unionOfCoverage([area]) == area)
    area.heights = [1, 2, 3, 1]
    #expect(try geos.unionOfCoverage([area]) == nil)
  }
}
