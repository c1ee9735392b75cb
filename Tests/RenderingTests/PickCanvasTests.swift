import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanRendering

/// What is drawn can be picked, and nothing else.
@Suite struct PickCanvasTests {
  private static let camera = Camera(
    plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 3,
    size: CellSize(columns: 40, rows: 20))

  private func block(_ points: [(Double, Double)]) throws -> GeometryBlock {
    try #require(MapSamples.block(points.map { .point(Coordinate(x: $0.0, y: $0.1)) }))
  }

  private func canvases(_ x: Double, _ y: Double) -> [PickCanvas] {
    let point = Coordinate(x: x, y: y)
    return [
      PickCanvas(near: Picker(camera: Self.camera, point: point, tolerance: 3)),
      PickCanvas(touching: Box(minX: x, minY: y, maxX: x, maxY: y), isGeographic: true),
    ]
  }

  @Test func `Rows of drawn blocks are picked, hidden ones are not`() throws {
    let block = try block([(1, 1), (1, 1), (30, 1)])
    let style = MarkStyle()
    for canvas in canvases(1, 1) {
      var all = canvas
      all.draw(.block(block, style: style, hidden: []))
      #expect(all.hits.map(\.row) == [0, 1] && all.hits.allSatisfy { $0.block === block })
      #expect(all.hits.allSatisfy { $0.dimension == 0 && $0.distance == 0 })
      var some = canvas
      some.draw(.block(block, style: style, hidden: [0]))
      some.draw(.features(block, rows: [0, 2], style: style))
      #expect(some.hits.map(\.row) == [1, 0])
      var none = canvas
      none.draw(.geometry(.point(Coordinate(x: 1, y: 1)), style: style))
      #expect(none.hits.isEmpty)
    }
    for canvas in canvases(10, 10) {
      var far = canvas
      far.draw(.block(block, style: style, hidden: []))
      #expect(far.hits.isEmpty)
    }
  }

  @Test func `All that may be picked can be seen`() throws {
    let picker = Picker(camera: Self.camera, point: Coordinate(x: 1, y: 1), tolerance: 3)
    let canvas = PickCanvas(near: picker)
    #expect(canvas.visible.contains(Coordinate(x: 1, y: 1)))
    for x in stride(from: -4.0, through: 6, by: 0.05) {
      let block = try block([(x, 1)])
      if !picker.hits(in: block).isEmpty { #expect(canvas.visible.intersects(block.box)) }
    }
  }
}
