import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// The features of a group are drawn like the same features by their numbers.
@Suite struct GroupDrawingTests {
  @Test(arguments: Seeds.some(30))
  func `A group is its features`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func place() -> Coordinate {
      Coordinate(
        x: Double.random(in: 100...140, using: &random),
        y: Double.random(in: 100...140, using: &random))
    }
    let shapes = (0..<60).map { _ -> Geometry in
      switch Int.random(in: 0...2, using: &random) {
      case 0: return .point(place())
      case 1: return .line([place(), place(), place()])
      default:
        let corner = place()
        let size = Double.random(in: 0.01...9, using: &random)
        return .polygon([MapSamples.square(corner.x, corner.y, size)])
      }
    }
    let block = try #require(MapSamples.block(shapes))
    // Sometimes one group has all.
    let most: UInt8 = seed.isMultiple(of: 5) ? 0 : 4
    let groups = FeatureGroups(
      shapes.map { _ in UInt8.random(in: 0...most, using: &random) }, count: 4)
    let style = MarkStyle(
      stroke: MapSamples.white, fill: Colour(red: 9, green: 90, blue: 9),
      symbol: Bool.random(using: &random) ? "*" : "")
    let camera = MapSamples.planar(
      columns: 60, rows: 30, zoom: Double.random(in: -3...3, using: &random), x: 120, y: 120)
    for number in 0..<4 {
      let rows = shapes.indices.filter { groups.contains($0, in: number) }
      #expect(groups.count(of: number) == rows.count)
      #expect(
        MapSamples.frame([.group(block, groups, number: number, style: style)], camera)
          == MapSamples.frame([.features(block, rows: rows, style: style)], camera))
    }
  }
}
