import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Neighbours put together by the table of arcs.
@Suite struct OutlineTests {
  private typealias Ring = [(Double, Double)]

  private static func table(_ rings: [Ring]) -> ArcTable {
    var builder = ArcTable.Builder()
    for (owner, ring) in rings.enumerated() {
      builder.add(owner: owner, ring.map { Coordinate(x: $0.0, y: $0.1) })
    }
    return builder.finish()
  }

  private static func area(_ outline: ArcTable.Outline) -> Double {
    outline.reduce(0) { $0 + PortolanGraphics.Ring.signedArea($1) / 2 }
  }

  @Test(arguments: CoverageTests.seeds)
  func `Groups of cells are a coverage again, of the same area`(seed: UInt64) throws {
    var lattice = CoverageTests.Lattice(seed: seed, size: 7)
    let groups = lattice.rings.map { _ in Int.random(in: -1...3, using: &lattice.generator) }
    let table = Self.table(lattice.rings)
    let outlines = try table.outlines(groups: groups, count: 4).map { try #require($0) }
    for (group, polygons) in outlines.enumerated() {
      let cells = zip(lattice.rings, groups).filter { $0.1 == group }.map(\.0)
      let whole = cells.reduce(0.0) { sum, ring in
        sum + PortolanGraphics.Ring.signedArea(ring.map { Coordinate(x: $0.0, y: $0.1) }) / 2
      }
      #expect(abs(polygons.reduce(0) { $0 + Self.area($1) } - whole) < 1e-9)
      for polygon in polygons {
        #expect(PortolanGraphics.Ring.signedArea(polygon[0]) > 0)
        #expect(polygon.dropFirst().allSatisfy { PortolanGraphics.Ring.signedArea($0) < 0 })
        // No ring comes by a place twice.
        for ring in polygon {
          #expect(ring.first == ring.last && Set(ring).count == ring.count - 1)
        }
      }
    }
    // The cells without a group fill the gaps.
    let rest = zip(lattice.rings, groups).filter { $0.1 < 0 }.map { [$0.0] }
    let shapes = outlines.flatMap { $0 }.map { $0.map { $0.map { ($0.x, $0.y) } } } + rest
    let text = Checking.collection(shapes.map { Checking.feature(Checking.polygon($0)) })
    #expect(try CoverageCheck.check(Checking.layer(text), isGeographic: true) == [])
  }

  @Test func `A ring of cells has a hole, and cells that touch in a corner stay two`() throws {
    var cells: [Ring] = []
    for y in 0..<3 {
      for x in 0..<3 {
        let (x, y) = (Double(x), Double(y))
        cells.append([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)])
      }
    }
    let around = cells.indices.map { $0 == 4 ? 1 : 0 }
    let outlines = Self.table(cells).outlines(groups: around, count: 2)
    #expect(outlines[0]?.map(\.count) == [2])
    #expect(outlines[0]?.map(Self.area) == [8])
    #expect(outlines[1]?.map(Self.area) == [1])
    let corners = cells.indices.map { [0, 4].contains($0) ? 0 : -1 }
    #expect(Self.table(cells).outlines(groups: corners, count: 1)[0]?.map(Self.area) == [1, 1])
  }

  @Test func `Cells that overlap along a border have no outline by arcs`() {
    let cell: Ring = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    let next: Ring = [(1.0, 0.0), (2, 0), (2, 1), (1, 1), (1, 0)]
    let table = Self.table([cell, cell, next])
    #expect(table.outlines(groups: [0, 0, 1], count: 2)[0] == nil)
    #expect(table.outlines(groups: [0, 1, 0], count: 2).map { $0?.count } == [1, 1])
  }

  @Test func `A line that is added comes back as it was`() {
    let line = [(0.0, 0.0), (1, 0), (1, 0), (2, 1), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
    var builder = ArcTable.Builder()
    builder.addLine(owner: 0, line)
    builder.addLine(owner: 1, line.dropFirst(2))
    builder.addLine(owner: 2, [Coordinate(x: 5, y: 5)])
    builder.addLine(owner: 3, [])
    let table = builder.finish()
    #expect(table.coordinates(of: table.rings[0]) == line)
    #expect(table.coordinates(of: table.rings[1]) == Array(line.dropFirst(2)))
    #expect(table.coordinates(of: table.rings[2]).count == 2)
    #expect(table.rings[3].steps.isEmpty)
    #expect(table.number(ofPlace: Coordinate(x: 5, y: 5)) == 3)
    #expect(table.number(ofPlace: Coordinate(x: 5, y: 6)) == nil)
  }
}
