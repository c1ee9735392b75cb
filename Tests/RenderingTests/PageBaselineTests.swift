import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Names along lines: upright, gently bent, beside their line and apart from other names.
@Suite struct PageBaselineTests {
  /// A line that winds at random.
  private static func line(_ random: inout SeededGenerator, count: Int) -> [PagePoint] {
    var direction = Double.random(in: 0...6.3, using: &random)
    var point = PagePoint(x: 300, y: 200)
    let wildness = Double.random(in: 0...0.5, using: &random)
    return (0..<count).map { _ in
      direction += Double.random(in: -wildness...wildness, using: &random)
      point.x += 5 * Mathematics.cosine(direction)
      point.y += 5 * Mathematics.sine(direction)
      return point
    }
  }

  @Test(arguments: Seeds.some(300))
  func `Letters are upright, bent within limits, and beside their line`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stretch = Self.line(&random, count: Int.random(in: 3...14, using: &random))
    let found = PageBaseline.beside(stretch)
    #expect(PageBaseline.beside(stretch.reversed()).count == found.count)
    for line in found {
      let (x, y) = line.direction
      #expect(x > 0 || x == 0 && y < 0, "upside down")
      #expect(abs(line.bend) <= PageBaseline.bendMax * line.length + 1e-9)
      for part in stride(from: 0, through: 1, by: 0.125) {
        #expect(line.direction(at: part).x > -0.4)
        // The letters between their baseline and their height.
        for above in [0.0, 4, 7] {
          let letter = line.point(at: part, above: above)
          #expect(stretch.allSatisfy { PageBaseline.distance($0, letter) > 1.2 })
        }
      }
    }
    let level = (0..<8).map { PagePoint(x: Double($0) * 6, y: 50) }
    let beside = PageBaseline.beside(level)
    #expect(beside.count == 2)
    #expect(beside.filter(\.isStraight).count == 2)
  }

  @Test(arguments: Seeds.some(100))
  func `A place along a line is free, or there is none`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let area = PageRect(x: 0, y: 0, width: 600, height: 400)
    let taken = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      PageRect(
        x: .random(in: 0...560, using: &random), y: .random(in: 0...390, using: &random),
        width: 40, height: 9)
    }
    let path = PagePath(points: Self.line(&random, count: 80), isClosed: false)
    let places = LineNamePlaces(taken: taken, in: area)
    let near = PagePoint(x: 300, y: 200)
    let best = places.best(along: [path], length: 40, near: near)
    #expect(places.best(along: [path], length: 40, near: near) == best)
    guard let best else { return }
    for letter in best.middles {
      #expect(area.contains(letter))
      #expect(!taken.contains { $0.expanded(by: 4).contains(letter) })
    }
  }

  @Test func `Lines in pieces are joined where they meet`() {
    func path(_ xs: [Double]) -> PagePath {
      PagePath(points: xs.map { PagePoint(x: $0, y: 0) }, isClosed: false)
    }
    let joined = [path([0, 10]), path([30, 20]), path([10, 20]), path([100, 110])].joined
    #expect(joined.count == 2)
    #expect(joined.first.map { abs($0.points[0].x - ($0.points.last?.x ?? 0)) } == 30)
  }
}
