import PortolanTestSupport
import Testing

@testable import PortolanGraphics

@Suite struct BlockBoxTests {
  /// Numbers among which there are both zeros, and some that are not finite.
  private func coordinates(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
    (0..<2 * count).map { _ in
      switch Int.random(in: 0..<12, using: &random) {
      case 0: .nan
      case 1: Bool.random(using: &random) ? .infinity : -.infinity
      case 2: 0.0
      case 3: -0.0
      default: Double.random(in: -3...3, using: &random).rounded(.towardZero)
      }
    }
  }

  private func bits(_ box: Box) -> [UInt64] {
    [box.minX, box.minY, box.maxX, box.maxY].map(\.bitPattern)
  }

  @Test(arguments: Seeds.some(6))
  func `The boxes of features and of their parts are those of their finite vertices`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    // Features of several paths, some without any; large ones have parts.
    let counts = (0..<12).map { _ -> [Int] in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        [0, 1, 5, 63, 64, 65, 448, 511, 512, 700].randomElement(using: &random) ?? 0
      }
    }
    let paths = counts.flatMap { $0 }
    let total = paths.reduce(0, +)
    let numbers = coordinates(total, &random)
    var ends: [UInt32] = []
    for count in paths { ends.append((ends.last ?? 0) + UInt32(count)) }
    var featureEnds: [UInt32] = []
    for own in counts { featureEnds.append((featureEnds.last ?? 0) + UInt32(own.count)) }
    let role = PathRole(kind: .multiLineString, beginsMember: true, beginsPolygon: false)
    let kinds = counts.map { _ in GeometryKind.multiLineString }
    let block = try #require(
      GeometryBlock(
        coordinates: numbers, elevations: [], pathEnds: ends, pathRoles: ends.map { _ in role },
        featureEnds: featureEnds, kinds: kinds))
    func box(_ vertices: Range<Int>) -> Box {
      vertices.reduce(into: .empty) { $0.formUnion(block.coordinate(at: $1)) }
    }
    var first = 0
    for (row, own) in counts.enumerated() {
      let end = first + own.reduce(0, +)
      #expect(bits(block.boxes[row]) == bits(box(first..<end)))
      #expect((block.parts[row] != nil) == (end - first >= FeatureParts.vertexCountMin))
      for (number, part) in (block.parts[row]?.boxes ?? []).enumerated() {
        let start = first + number * FeatureParts.size
        #expect(bits(part) == bits(box(start..<min(start + FeatureParts.size + 1, end))))
      }
      first = end
    }
    let unchecked = GeometryBlock(
      unchecked: numbers, elevations: [], pathEnds: ends, pathRoles: block.pathRoles,
      featureEnds: featureEnds, kinds: kinds, boxes: block.boxes)
    #expect(unchecked.parts.mapValues(\.start) == block.parts.mapValues(\.start))
    // An outline with its coordinates is the block.
    let outline = try #require(
      GeometryBlock(
        outlineOf: total, pathEnds: ends, pathRoles: block.pathRoles, featureEnds: featureEnds,
        kinds: kinds, boxes: []))
    let filled = try #require(GeometryBlock(outline, coordinates: numbers, elevations: []))
    #expect(filled.boxes.map(bits) == block.boxes.map(bits))
    #expect(GeometryBlock(outline, coordinates: numbers + [0, 0], elevations: []) == nil)
    #expect(GeometryBlock(outline, coordinates: numbers, elevations: [1]) == nil || total == 1)
  }
}
