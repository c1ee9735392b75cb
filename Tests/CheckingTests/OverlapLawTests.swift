import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Areas made of the triangles of a lattice: which of them overlap is known by their triangles.
@Suite struct OverlapLawTests {
  struct Triangles {
    let size: Int
    private var corners: [Coordinate] = []
    /// The corners of each triangle, counter-clockwise.
    private var triangles: [[Int]] = []
    private var neighbours: [[Int]] = []

    /// - Parameter jitter: how far corners are moved; with 0 borders run straight through many.
    init(size: Int, jitter: Double, _ generator: inout SeededGenerator) {
      self.size = size
      for row in 0...size {
        for column in 0...size {
          func moved(_ value: Int) -> Double {
            ((Double(value) + Double.random(in: -jitter...jitter, using: &generator)) * 1e7)
              .rounded() / 1e7
          }
          corners.append(Coordinate(x: moved(column), y: moved(row)))
        }
      }
      for row in 0..<size {
        for column in 0..<size {
          let a = row * (size + 1) + column
          let (b, c, d) = (a + 1, a + size + 2, a + size + 1)
          triangles +=
            Bool.random(using: &generator) ? [[a, b, c], [a, c, d]] : [[a, b, d], [b, c, d]]
        }
      }
      neighbours = triangles.map { own in
        triangles.indices.filter { Set(triangles[$0]).intersection(own).count == 2 }
      }
    }

    /// All triangles in `count` connected groups.
    func partition(_ count: Int, _ generator: inout SeededGenerator) -> [Set<Int>] {
      var groups = triangles.indices.shuffled(using: &generator).prefix(count).map { Set([$0]) }
      var free = Set(triangles.indices).subtracting(groups.joined())
      while !free.isEmpty {
        let group = groups.indices.randomElement(using: &generator) ?? 0
        let next = groups[group].sorted().flatMap { neighbours[$0] }.filter(free.contains)
        guard let triangle = next.randomElement(using: &generator) else { continue }
        groups[group].insert(triangle)
        free.remove(triangle)
      }
      return groups
    }

    /// A group and some triangles beside it.
    func grown(_ group: Set<Int>, _ generator: inout SeededGenerator) -> Set<Int> {
      var group = group
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let next = group.sorted().flatMap { neighbours[$0] }.filter { !group.contains($0) }
        if let triangle = next.randomElement(using: &generator) { group.insert(triangle) }
      }
      return group
    }

    /// The feature of a group, its rings in any direction.
    ///
    /// - Parameter more: the share of edges that get vertices on them.
    func feature(_ group: Set<Int>, more: Double, _ generator: inout SeededGenerator) -> String {
      var builder = ArcTable.Builder()
      for triangle in group.sorted() {
        builder.add(owner: triangle, triangles[triangle].map { corners[$0] })
      }
      let groups = triangles.indices.map { group.contains($0) ? 0 : -1 }
      let outlines = (builder.finish().outlines(groups: groups, count: 1)[0] ?? []).map { rings in
        rings.map { ring in
          var places: [(Double, Double)] = []
          for (a, b) in zip(ring, ring.dropFirst()) {
            places.append((a.x, a.y))
            guard Double.random(in: 0..<1, using: &generator) < more else { continue }
            let part = Double.random(in: 0.1...0.9, using: &generator)
            places.append((a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)))
          }
          places.append(places[0])
          return Bool.random(using: &generator) ? places : places.reversed()
        }
      }
      if outlines.count == 1 { return Checking.feature(Checking.polygon(outlines[0])) }
      let parts = outlines.map { Checking.polygon($0).drop { $0 != "[" }.dropLast() }
      return Checking.feature(
        "{\"type\": \"MultiPolygon\", \"coordinates\": [\(parts.joined(separator: ", "))]}")
    }
  }

  private static func findings(_ features: [String]) throws -> [Finding] {
    try CoverageCheck.check(Checking.layer(Checking.collection(features)), isGeographic: true)
  }

  private static func told(_ found: [Finding]) -> [[UInt64]] {
    found.filter { $0.code == .overlap }.map { finding in
      [finding.feature, finding.others.first].compactMap { $0?.feature.rawValue }.sorted()
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func overlaps(_ groups: [Set<Int>]) -> [[UInt64]] {
    groups.indices.flatMap { first in
      groups.indices.dropFirst(first + 1).filter { !groups[first].isDisjoint(with: groups[$0]) }
        .map { [UInt64(first + 1), UInt64($0 + 1)] }
    }
  }

  @Test(arguments: Seeds.some(60))
  func `A partition is silent, and each area that lies over others is told once for each`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let lattice = Triangles(
      size: Int.random(in: 2...5, using: &generator), jitter: seed % 2 == 0 ? 0.2 : 0, &generator)
    let count = Int.random(in: 2...8, using: &generator)
    var groups = lattice.partition(count, &generator)
    var features = groups.map { lattice.feature($0, more: 0, &generator) }
    #expect(try Self.findings(features) == [], "seed \(seed)")
    // The same area again, with other vertices.
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let group = groups[Int.random(in: 0..<count, using: &generator)]
      groups.append(group)
      features.append(lattice.feature(group, more: 0.5, &generator))
      let found = try Self.findings(features)
      #expect(Self.told(found) == Self.overlaps(groups), "seed \(seed)")
      if groups.count == count + 1 { #expect(found.allSatisfy { $0.code == .overlap }) }
    }
    // One that reaches over its neighbours.
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let group = Int.random(in: 0..<groups.count, using: &generator)
      groups[group] = lattice.grown(groups[group], &generator)
      features[group] = lattice.feature(groups[group], more: 0.2, &generator)
    }
    let found = try Self.findings(features)
    #expect(Self.told(found) == Self.overlaps(groups), "seed \(seed)")
    #expect(!found.contains { $0.code == .gap }, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(30))
  func `Of two partitions over each other all that overlap are told`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let lattice = Triangles(
      size: Int.random(in: 3...6, using: &generator), jitter: seed % 2 == 0 ? 0.2 : 0, &generator)
    let groups = (0..<2).flatMap { _ in
      lattice.partition(Int.random(in: 1...12, using: &generator), &generator)
    }
    let found = try Self.findings(groups.map { lattice.feature($0, more: 0.1, &generator) })
    #expect(Self.told(found) == Self.overlaps(groups), "seed \(seed)")
    #expect(!found.contains { $0.code == .gap }, "seed \(seed)")
  }
}
