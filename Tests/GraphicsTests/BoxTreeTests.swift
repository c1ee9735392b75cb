import PortolanTestSupport
import Testing

@testable import PortolanGraphics

/// Whether one of many boxes is visible is found as if all were looked at, by looking at few.
@Suite struct BoxTreeTests {
  private static let seeds = [UInt64](1...10)

  private static func box(
    _ random: inout SeededGenerator, x: ClosedRange<Double>, size: Double
  ) -> Box {
    let (x, y) = (Double.random(in: x, using: &random), Double.random(in: -90...90, using: &random))
    let (width, height) = (
      Double.random(in: 0...size, using: &random), Double.random(in: 0...size / 2, using: &random)
    )
    return Box(minX: x, minY: y, maxX: x + width, maxY: min(90, y + height))
  }

  @Test(arguments: seeds)
  func `A window has a box where a look at all says so`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for count in [0, 1, 15, 16, 17, 300, 5000] {
      let boxes = (0..<count).map { number in
        number % 50 == 7
          ? .empty
          : Self.box(&random, x: -200...200, size: number % 100 == 3 ? 400 : 0.5)
      }
      let tree = BoxTree(boxes)
      for number in 0..<60 {
        let size = Double.random(in: 0.1...60, using: &random)
        let window = Self.box(&random, x: -400...400, size: size)
        func isShown(_ box: Box) -> Bool {
          box.mayShow(in: window, isGeographic: number.isMultiple(of: 2))
        }
        var visits = 0
        let found = tree.contains(in: window, visits: &visits, where: isShown)
        #expect(found == boxes.contains(where: isShown))
        #expect(visits <= 2 * count + 1)
      }
    }
  }

  @Test(arguments: seeds)
  func `An empty window costs no more with more boxes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let visits = [1000, 8000, 64_000].map { count in
      let boxes = (0..<count).map { _ -> Box in
        let box = Self.box(&random, x: -170...170, size: 0.1)
        // A gap at the prime meridian.
        let step = box.minX < 0 ? -8.0 : 8
        return Box(
          minX: box.minX + step, minY: box.minY, maxX: box.maxX + step, maxY: box.maxY)
      }
      var visits = 0
      let window = Box(minX: -4, minY: -4, maxX: 4, maxY: 4)
      let found = BoxTree(boxes).contains(in: window, visits: &visits) {
        $0.mayShow(in: window, isGeographic: true)
      }
      #expect(!found)
      return visits
    }
    #expect(visits.allSatisfy { $0 < 300 }, "\(visits)")
  }
}
