import Dispatch
import PortolanGraphics
import PortolanTestSupport
import Synchronization
import Testing

/// Outlines whose coordinates are read when they are first asked for.
@Suite struct OutlineTests {
  private final class Stored: StoredCoordinates {
    struct Changed: Error {}

    let coordinates: [Double]?
    let isChanged: Bool
    let readCount = Mutex(0)

    init(_ coordinates: [Double]?, isChanged: Bool = false) {
      (self.coordinates, self.isChanged) = (coordinates, isChanged)
    }

    func read() -> (coordinates: [Double], elevations: [Double])? {
      readCount.withLock { $0 += 1 }
      return coordinates.map { ($0, []) }
    }

    func check() throws { if isChanged { throw Changed() } }
  }

  /// Lines, of which some have so many vertices that their parts have boxes.
  private func block(_ random: inout SeededGenerator) throws -> GeometryBlock {
    let counts = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      [2, 40, 700].randomElement(using: &random) ?? 2
    }
    let coordinates = (0..<2 * counts.reduce(0, +)).map { _ in
      Double.random(in: -80...80, using: &random)
    }
    var end: UInt32 = 0
    let ends = counts.map { count in
      end += UInt32(count)
      return end
    }
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    return try #require(
      GeometryBlock(
        coordinates: coordinates, elevations: [], pathEnds: ends,
        pathRoles: counts.map { _ in role }, featureEnds: counts.indices.map { UInt32($0 + 1) },
        kinds: counts.map { _ in .lineString }))
  }

  private func outline(
    of block: GeometryBlock, _ stored: Stored, boxes: [Box]? = nil
  ) throws -> GeometryBlock {
    try #require(
      GeometryBlock(
        outlineOf: block.vertexCount, pathEnds: block.pathEnds, pathRoles: block.pathRoles,
        featureEnds: block.featureEnds, kinds: block.kinds, boxes: boxes ?? block.boxes,
        stored: stored))
  }

  @Test(arguments: Seeds.some(20))
  func `An outline reads its coordinates once, however many threads ask for them`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let block = try block(&random)
    let stored = Stored(block.coordinates)
    let outline = try outline(of: block, stored)
    #expect(outline.isOutline && outline.stored != nil && outline.box == block.box)
    #expect(outline.drawable.coordinates == block.coordinates && outline.isOutline)
    let before = stored.readCount.withLock { $0 }
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      switch number % 4 {
      case 0: #expect(outline.coordinates == block.coordinates)
      case 1: #expect(outline.parts == block.parts)
      case 2: #expect(outline.readCoordinates())
      default: #expect(outline.coordinate(at: 1) == block.coordinate(at: 1))
      }
    }
    #expect(stored.readCount.withLock { $0 } == before + 1)
    #expect(!outline.isOutline && outline.stored == nil)
    #expect(outline.drawable === outline)
  }

  @Test(arguments: Seeds.some(10))
  func `Coordinates that are not those of the features are told from others, and are not finite`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let block = try block(&random)
    var other = block.coordinates
    let number = Int.random(in: other.indices, using: &random)
    other[number] = 90
    var boxes = block.boxes
    boxes[0].maxX += 1
    let lost = [
      try outline(of: block, Stored(nil)),
      try outline(of: block, Stored([])),
      try outline(of: block, Stored(Array(block.coordinates.dropLast(2)))),
      try outline(of: block, Stored(other)),
      try outline(of: block, Stored(block.coordinates, isChanged: true)),
      try outline(of: block, Stored(block.coordinates), boxes: boxes),
    ]
    for outline in lost {
      #expect(!outline.readCoordinates())
      #expect(!outline.isOutline)
      #expect(outline.coordinates.count == block.coordinates.count)
      #expect(outline.coordinates.allSatisfy { $0.isNaN })
    }
  }

  @Test func `An outline for counts and boxes alone has no coordinates`() throws {
    var random = SeededGenerator(seed: 1)
    let block = try block(&random)
    let outline = try #require(
      GeometryBlock(
        outlineOf: block.vertexCount, pathEnds: block.pathEnds, pathRoles: block.pathRoles,
        featureEnds: block.featureEnds, kinds: block.kinds, boxes: block.boxes))
    #expect(outline.coordinates.isEmpty && outline.parts.isEmpty)
    #expect(outline.readCoordinates() && outline.isOutline)
  }
}
