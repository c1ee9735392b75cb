import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Boxes found by groups are those that a look at each box finds.
@Suite struct BoxGroupsTests {
  /// Boxes in clusters and far apart, large and small, some empty, and those at the ends of the
  /// world.
  private static func boxes(_ numbers: inout SeededGenerator) -> [WorldBox] {
    let end = Int64(Int32.max)
    return (0..<Int.random(in: 0...700, using: &numbers)).map { _ in
      if Int.random(in: 0..<20, using: &numbers) == 0 { return .empty }
      let spread = Int64.random(in: 1...4, using: &numbers) == 1 ? end : end / 50
      let x = Int64.random(in: -spread...spread, using: &numbers)
      let y = Int64.random(in: -spread...spread, using: &numbers)
      let size = Int.random(in: 0..<30, using: &numbers) == 0 ? 2 * end : end / 400
      return WorldBox(
        minX: Int32(clamping: x), minY: Int32(clamping: y),
        maxX: Int32(clamping: x + Int64.random(in: 0...size, using: &numbers)),
        maxY: Int32(clamping: y + Int64.random(in: 0...size, using: &numbers)))
    }
  }

  @Test(arguments: Seeds.some(60))
  func `Groups leave out no box that meets another one`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    let boxes = Self.boxes(&numbers)
    let groups = BoxGroups(count: boxes.count) { boxes[$0] }
    var chosen = 0
    for window in Self.boxes(&numbers).prefix(40) {
      let near = groups.members(near: window)
      if near != nil { chosen += 1 }
      let first = Int.random(in: 0...boxes.count, using: &numbers)
      let range = first..<Int.random(in: first...boxes.count, using: &numbers)
      var found: [Int] = []
      near.each(in: range) { found.append($0) }
      #expect(found == found.sorted() && Set(found).count == found.count)
      #expect(found.allSatisfy(range.contains))
      let meeting = range.filter { boxes[$0].intersects(window) }
      #expect(near == nil ? found == Array(range) : found == meeting)
    }
    // Small windows are what the groups are for.
    if boxes.count > 300 { #expect(chosen > 0) }
  }

  @Test(arguments: Seeds.some(6), [0.0, 3, 7, 12])
  func `A picture does not depend on how many boxes are looked at`(
    seed: UInt64, zoom: Double
  )
    throws
  {
    var numbers = SeededGenerator(seed: seed)
    // One block of all features has groups; blocks of a few have none.
    let geometries = (0..<200).map { _ -> Geometry in
      let at = Coordinate(
        x: Double.random(in: -179...170, using: &numbers),
        y: Double.random(in: -60...60, using: &numbers))
      let size = Double.random(in: 0.01...8, using: &numbers)
      let corners = [
        at, Coordinate(x: at.x + size, y: at.y), Coordinate(x: at.x + size / 2, y: at.y + size),
      ]
      switch Int.random(in: 0..<3, using: &numbers) {
      case 0: return .point(at)
      case 1: return .line(corners)
      default: return .polygon([corners + [at]])
      }
    }
    let whole = [try #require(MapSamples.block(geometries))]
    let parts = try stride(from: 0, to: 200, by: 20).map { first in
      try #require(MapSamples.block(Array(geometries[first..<(first + 20)])))
    }
    guard case let places = geometries.flatMap({ $0.paths.flatMap(\.vertices) }),
      let middle = places.randomElement(using: &numbers)
    else { return }
    let camera = Camera(
      plane: .webMercator, center: middle, zoom: zoom, size: CellSize(columns: 60, rows: 20))
    let style = MarkStyle(stroke: MapSamples.white)
    let pictures = [whole, parts].map { blocks in
      MapSamples.frame(blocks.map { .block($0, style: style, hidden: []) }, camera)
    }
    #expect(pictures[0] == pictures[1])
  }
}
