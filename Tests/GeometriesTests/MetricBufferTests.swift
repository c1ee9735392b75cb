import PortolanGeometries
import PortolanGraphics
import PortolanTestSupport
import Testing

@Suite struct MetricBufferTests {
  @Test func `placeholder`() throws {
    let geos = try Geos()
    var point = FlatGeometry(.point)
    point.append(.point, [Coordinate(x: 10, y: 70)])
    let made = try #require(
      try MetricBuffer(geos, metres: 500, segments: 16).buffer(point))
    #expect(made.vertexCount == 65)
  }
}
