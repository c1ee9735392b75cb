import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Picking where meridians are curved: what a cell shows is picked there, and nothing else.
@Suite struct CurvedPickingTests {
  /// A shape around a place: a point, a line of few long or many short steps, or an area.
  private static func shape(
    _ middle: Coordinate, reach: Double, _ numbers: inout SeededGenerator
  ) -> Geometry {
    func near(_ place: Coordinate, _ reach: Double) -> Coordinate {
      Coordinate(
        x: min(max(place.x + .random(in: -reach...reach, using: &numbers), -180), 180),
        y: min(max(place.y + .random(in: -reach...reach, using: &numbers) / 2, -90), 90))
    }
    let count = Int.random(in: 2...600, using: &numbers)
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: return .point(near(middle, reach))
    case 1: return .line((0..<3).map { _ in near(middle, reach) })
    case 2:
      var line = [near(middle, reach)]
      for _ in 1..<count { line.append(near(line[line.count - 1], reach / 20)) }
      return .line(line)
    default:
      let ring = (0..<count + 2).map { index in
        let angle = 2 * Double.pi * Double(index) / Double(count + 2)
        let radius = reach * Double.random(in: 0.6...1, using: &numbers)
        return Coordinate(
          x: min(max(middle.x + radius * Mathematics.cosine(angle), -180), 180),
          y: min(max(middle.y + radius * Mathematics.sine(angle) / 2, -90), 90))
      }
      return .polygon([ring + [ring[0]]])
    }
  }

  @Test(arguments: Seeds.some(60))
  func `What is drawn in a cell is picked in that cell, and only there`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let center = Coordinate(
      x: .random(in: -180...180, using: &numbers), y: .random(in: -90...90, using: &numbers))
    let camera = Camera(
      plane: MapPlane(projection: .equalEarth), center: center,
      zoom: .random(in: 0...9, using: &numbers), size: CellSize(columns: 61, rows: 23))
    let reach = min(40 * 360 / camera.worldDots, 80)
    let shape = Self.shape(center, reach: reach, &numbers)
    let block = try #require(MapSamples.block([shape]))
    let frame = MapSamples.frame([.block(block, style: MapSamples.area, hidden: [])], camera)
    func isShown(_ column: Int, _ row: Int) -> Bool { frame[column, row] != .blank }
    for row in 0..<23 {
      for column in 0..<61 {
        let raw = camera.coordinate(
          at: DotPoint(x: 2 * Double(column) + 1, y: 4 * Double(row) + 2))
        let place = camera.coordinate(column: column, row: row)
        // Beyond the edge of the map there is no place.
        guard raw == place, place.y.magnitude < 90 else { continue }
        let back = try #require(camera.cell(at: place))
        #expect(back == (column, row))
        let picker = Picker(camera: camera, point: place, tolerance: 3.2)
        let isPicked = !picker.hits(in: block).isEmpty
        if isShown(column, row) { #expect(isPicked, "\(seed): \(column), \(row) at \(place)") }
        guard isPicked, (3..<58).contains(column), (2..<21).contains(row) else { continue }
        let isNear = (row - 2...row + 2).contains { row in
          (column - 3...column + 3).contains { isShown($0, row) }
        }
        #expect(isNear, "\(seed): \(column), \(row) at \(place)")
      }
    }
  }
}
