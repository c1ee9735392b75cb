import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// The areas beneath names.
@Suite struct PageGroundsTests {
  @Test(arguments: Seeds.some(50))
  func `A place has the ground of the last area over it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let places = (0..<40).map { _ in
      PagePoint(x: .random(in: 0...100, using: &random), y: .random(in: 0...100, using: &random))
    }
    var grounds = PageGrounds(places)
    let block = try #require(GeometryBlock(.point(Coordinate(x: 0, y: 0))))
    var rects: [(rect: PageRect, colour: Colour)] = []
    for number in 0..<12 {
      let rect = PageRect(
        x: .random(in: 0...80, using: &random), y: .random(in: 0...80, using: &random),
        width: .random(in: 1...50, using: &random), height: .random(in: 1...50, using: &random))
      let colour = Colour(red: UInt8(number), green: 0, blue: 0)
      rects.append((rect, colour))
      let path = PagePath(points: rect.corners, isClosed: true)
      grounds.cover(
        with: PageShape(block: block, row: 0, paths: [path], style: MarkStyle(fill: colour)))
      grounds.cover(
        with: PageShape(block: block, row: 0, paths: [path], style: MarkStyle(stroke: colour)))
    }
    for (place, style) in zip(places, grounds.styles) {
      #expect(style?.fill == rects.last { $0.rect.contains(place) }?.colour)
    }
  }
}
