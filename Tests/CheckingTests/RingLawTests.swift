import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// The searches of rings against plain ones that compare all with all.
@Suite struct RingLawTests {
  /// A random closed ring on a small lattice, on which edges often touch and overlap.
  static func ring(_ count: Int, _ size: Int, _ generator: inout SeededGenerator) -> [Double] {
    var xy: [Double] = []
    for _ in 0..<count {
      xy.append(Double(Int.random(in: 0...size, using: &generator)))
      xy.append(Double(Int.random(in: 0...size, using: &generator)))
    }
    return xy + xy.prefix(2)
  }

  /// The edges between different positions of a ring.
  static func edges(_ xy: [Double]) -> [Edge] {
    (1..<xy.count / 2).compactMap { index in
      let edge = Edge(
        ax: xy[2 * index - 2], ay: xy[2 * index - 1], bx: xy[2 * index], by: xy[2 * index + 1],
        position: Int32(index - 1), ring: 0)
      return edge.ax == edge.bx && edge.ay == edge.by ? nil : edge
    }
  }

  @Test(arguments: Seeds.some(100))
  func `The grid finds a crossing if and only if comparing all edges does`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 30...90, using: &generator)
    // A walk of short steps has few crossings, random places have many.
    var xy: [Double] = [0, 0]
    let isWalk = Bool.random(using: &generator)
    for _ in 0..<count {
      let step = isWalk ? 3.0 : 200
      xy.append((xy[xy.count - 2] + Double.random(in: -step...step, using: &generator)).rounded())
      xy.append(xy[xy.count - 2] + Double.random(in: 0...step, using: &generator).rounded())
    }
    xy += [-1_000, xy[xy.count - 1], -1_000, 0, 0, 0]
    let edges = Self.edges(xy)
    var plain: Set<Crossing.Kind> = []
    for first in edges.indices {
      for second in edges.indices where second > first + 1 {
        if first == 0, second == edges.count - 1 { continue }
        if let crossing = Crossing(first, edges[first], second, edges[second]) {
          plain.insert(crossing.kind)
        }
      }
    }
    var found = CrossingList()
    var grid = EdgeGrid()
    #expect(grid.search(edges, [edges.indices], &found))
    let isPlain = plain.contains(.proper) || plain.contains(.along)
    #expect(found.list.contains { $0.kind != .touch } == isPlain)
    if !isPlain { #expect(found.list.isEmpty != plain.contains(.touch)) }
  }

  @Test(arguments: Seeds.some(100))
  func `A ring turned to begin elsewhere, or turned round, has the same crossings`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 4...40, using: &generator)
    let xy = Self.ring(count, 12, &generator)
    let codes = Self.codes(xy)
    let turn = Int.random(in: 0..<count, using: &generator)
    let open = Array(xy.dropLast(2))
    var turned = Array(open[(2 * turn)...] + open[..<(2 * turn)])
    turned += turned.prefix(2)
    // Behind a crossing nothing else is looked for.
    let hard: Set<FaultCode> =
      codes.contains(.crossing) ? [.crossing, .spike] : [.crossing, .touching, .spike, .flatRing]
    #expect(Self.codes(turned).intersection(hard) == codes.intersection(hard))
    var reversed: [Double] = []
    for index in stride(from: xy.count - 2, through: 0, by: -2) {
      reversed += xy[index...index + 1]
    }
    #expect(Self.codes(reversed).intersection(hard) == codes.intersection(hard))
    if codes.isDisjoint(with: [.crossing, .flatRing]) {
      #expect(codes.contains(.winding) != Self.codes(reversed).contains(.winding))
    }
  }

  static func codes(_ xy: [Double]) -> Set<FaultCode> {
    var check = PolygonCheck()
    var faults: [RingFault] = []
    xy.withUnsafeBufferPointer {
      _ = check.check($0.baseAddress!, [0..<xy.count / 2], isGeographic: true, &faults)
    }
    return Set(faults.map(\.code))
  }

  @Test(arguments: Seeds.some(60))
  func `A hole lies right if a lattice of places says so`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // Squares of odd corners in an outer square: inside, outside, in each other, or across.
    func square(_ x: Int, _ y: Int, _ size: Int, isHole: Bool) -> [(Double, Double)] {
      let (a, b, c, d) = (Double(x), Double(y), Double(x + size), Double(y + size))
      let ring = [(a, b), (c, b), (c, d), (a, d), (a, b)]
      return isHole ? ring.reversed() : ring
    }
    var rings = [square(0, 0, 40, isHole: false)]
    var holes: [(x: Int, y: Int, size: Int)] = []
    for _ in 0..<Int.random(in: 1...9, using: &generator) {
      let hole = (
        x: 2 * Int.random(in: -3...22, using: &generator) + 1,
        y: 2 * Int.random(in: -3...22, using: &generator) + 1,
        size: 2 * Int.random(in: 1...6, using: &generator)
      )
      holes.append(hole)
      rings.append(square(hole.x, hole.y, hole.size, isHole: true))
    }
    // Two squares on the lattice are apart, in each other, or meet.
    func isApart(_ a: (x: Int, y: Int, size: Int), _ b: (x: Int, y: Int, size: Int)) -> Bool {
      a.x + a.size < b.x || b.x + b.size < a.x || a.y + a.size < b.y || b.y + b.size < a.y
    }
    func isSound(_ hole: (x: Int, y: Int, size: Int)) -> Bool {
      hole.x > 0 && hole.y > 0 && hole.x + hole.size < 40 && hole.y + hole.size < 40
    }
    var isRight = holes.allSatisfy(isSound)
    for (index, hole) in holes.enumerated() {
      for other in holes[(index + 1)...] where !isApart(hole, other) {
        // Corners that touch are allowed.
        let touches =
          (hole.x + hole.size == other.x || other.x + other.size == hole.x)
          && (hole.y + hole.size == other.y || other.y + other.size == hole.y)
        if !touches { isRight = false }
      }
    }
    let found = try Checking.codes(Array(Checking.polygon(rings).utf8), least: .error)
    #expect(found.isEmpty == isRight, "\(rings) \(found)")
    #expect(found.allSatisfy { ["G212", "G213"].contains($0) })
  }
}
