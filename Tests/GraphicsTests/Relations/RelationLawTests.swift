import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanGraphics

/// How shapes lie to each other: as shapely says, on every turn of the globe.
@Suite struct RelationLawTests {
  @Test func `Stored answers of shapely are ours`() throws {
    let cases = try ShapeCase.stored()
    #expect(cases.count == 200)
    for item in cases { try check(item) }
  }

  @Test(.enabled(if: ShapeCase.python != nil, "PORTOLAN_PYTHON names no Python with shapely"))
  func `Random answers of shapely are ours`() throws {
    let count = ProcessInfo.processInfo.environment["PORTOLAN_LAWS"].flatMap { Int($0) } ?? 500
    let cases = try ShapeCase.made(
      by: try #require(ShapeCase.python), seed: Seeds.some(1).lowerBound, count: count)
    #expect(cases.count == count)
    for item in cases { try check(item) }
  }

  private func check(_ item: ShapeCase) throws {
    try check(item, isGeographic: false) { $0 }
    // Across the antimeridian, and a turn to the east of it.
    for (west, turned) in [(174.0, false), (-186.0, true)] {
      try check(item, isGeographic: true) { place in
        let x = west + place.x
        let wrapped = x > 180 ? x - 360 : x < -180 ? x + 360 : x
        return Coordinate(x: turned ? x : wrapped, y: place.y)
      }
    }
  }

  private func check(
    _ item: ShapeCase, isGeographic: Bool, _ change: (Coordinate) -> Coordinate
  ) throws {
    let block = try GeometryBlock.of([item.first.mapped(change), item.second.mapped(change)])
    let first = IndexedShape(block, row: 0, isGeographic: isGeographic)
    let second = IndexedShape(block, row: 1, isGeographic: isGeographic)
    #expect(second.meets(first) == item.meets, "\(isGeographic) \(item.line)")
    #expect(first.meets(second) == item.meets, "\(isGeographic) \(item.line)")
    if let covers = item.covers {
      #expect(second.covers(first) == covers, "\(isGeographic) \(item.line)")
    }
    let index = ShapeIndex([block], isGeographic: isGeographic)
    let subject = try #require(
      ShapeIndex.Subject(block, row: 0, isGeographic: isGeographic))
    #expect(index.features(.intersecting, subject, besides: 0) == (item.meets ? [1] : []))
    #expect(index.features(.within, subject, besides: 0) == (item.covers == true ? [1] : []))
    let distance = try #require(index.nearest(to: subject, besides: 0)).distance
    if isGeographic {
      #expect((distance == 0) == item.meets, "\(item.line)")
    } else {
      #expect((distance - item.distance).magnitude < 1e-12, "\(item.line)")
    }
  }

  /// A long way between two steps tried place by place.
  @Test(arguments: Seeds.some(3))
  func `Distances on the earth are the least of many`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      func place(_ size: Double) -> Coordinate {
        Coordinate(
          x: 170 + .random(in: 0...size, using: &random),
          y: .random(in: 0...1, using: &random) < 0.3
            ? 89 - .random(in: 0...size / 20, using: &random)
            : .random(in: -size...size, using: &random))
      }
      let sizes: [Double] = [0.001, 1, 20]
      let size = sizes.randomElement(using: &random) ?? 1
      let line = (0..<4).map { _ in place(size) }
      let here = place(size * 1.5)
      let wrapped = line.map { Coordinate(x: $0.x > 180 ? $0.x - 360 : $0.x, y: $0.y) }
      let block = try GeometryBlock.of([.line(wrapped), .point(here)])
      let shape = IndexedShape(block, row: 0, isGeographic: true)
      let measured: Double? = shape.distance(to: here)
      let found = try #require(measured)
      var least = Double.infinity
      for (a, b) in zip(line, line.dropFirst()) {
        least = min(least, Self.least(from: here, a, b))
      }
      #expect(found <= least * (1 + 1e-9), "\(line) \(here)")
      #expect(found >= least * (1 - 1e-6) - 1e-6, "\(line) \(here)")
    }
  }

  /// The least distance to a step: of many places on it, closer about the best.
  private static func least(from here: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Double {
    var (low, high) = (0.0, 1.0)
    var least = Double.infinity
    for _ in 0..<8 {
      let parts = (0...40).map { low + (high - low) * Double($0) / 40 }
      let distances = parts.map {
        Geodesy.distance(
          from: here, to: Coordinate(x: a.x + (b.x - a.x) * $0, y: a.y + (b.y - a.y) * $0))
      }
      let best = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      least = min(least, distances[best])
      (low, high) = (parts[max(0, best - 1)], parts[min(40, best + 1)])
    }
    return least
  }

  @Test(arguments: Seeds.some(2))
  func `An index finds what a look at all features finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let shapes = (0..<300).map { _ -> Geometry in
      let place = Coordinate(
        x: .random(in: -180...180, using: &random), y: .random(in: -89...89, using: &random))
      let width = Double.random(in: 0...12, using: &random)
      let corners = [(0.0, 0.0), (width, 0.2), (width, width), (-1, width)].map {
        let x = place.x + $0.0
        return Coordinate(x: x > 180 ? x - 360 : x, y: min(90, place.y + $0.1))
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .point(place)
      case 1: return .line(corners)
      default: return .polygon([corners])
      }
    }
    let block = try GeometryBlock.of(shapes)
    let index = ShapeIndex([block], isGeographic: true)
    let all = shapes.indices.map { IndexedShape(block, row: $0, isGeographic: true) }
    for row in stride(from: 0, to: 300, by: 9) {
      let subject = try #require(ShapeIndex.Subject(block, row: row, isGeographic: true))
      let others = shapes.indices.filter { $0 != row }
      #expect(
        index.features(.intersecting, subject, besides: row)
          == others.filter { all[$0].meets(all[row]) })
      #expect(
        index.features(.within, subject, besides: row) == others.filter { all[$0].covers(all[row]) }
      )
    }
    for row in stride(from: 0, to: 300, by: 60) {
      let subject = try #require(ShapeIndex.Subject(block, row: row, isGeographic: true))
      let near = try #require(index.nearest(to: subject, besides: row))
      let distances = shapes.indices.filter { $0 != row }.compactMap {
        all[row].distance(to: all[$0], within: .infinity)
      }
      #expect((near.distance - (distances.min() ?? 0)).magnitude <= 1e-9 * near.distance)
    }
  }
}
