import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Areas that the data cuts at 180 degrees and at the poles have the outline of whole ones.
@Suite struct PathCutTests {
  private static let seeds = [UInt64](1...12)
  private static let style = MarkStyle(stroke: MapSamples.white)

  /// Records the outlines that are painted.
  private struct Outlines: PagePainter {
    var lines: [PagePath] = []

    mutating func begin(_ part: PagePart) {}
    mutating func end(_ part: PagePart) {}
    mutating func paint(_ shape: PageShape) { lines += shape.lines }
    mutating func paint(_ sign: PageSign) {}
    mutating func paint(dots: [PagePoint], style: MarkStyle) {}
    mutating func paint(_ label: PageLabel) {}
  }

  /// A star around a place at 180 degrees; its longitudes go on beyond 180.
  private static func ring(_ numbers: inout SeededGenerator) -> [Coordinate] {
    let middle = Coordinate(
      x: 180 + Double.random(in: -1.5...1.5, using: &numbers),
      y: Double.random(in: -40...60, using: &numbers))
    let count = Int.random(in: 5...300, using: &numbers)
    return (0..<count).map { index in
      let turn = Double(index) / Double(count) * 2 * .pi
      let reach = Double.random(in: 2...5, using: &numbers)
      return Coordinate(
        x: middle.x + reach * Mathematics.sine(turn),
        y: middle.y + reach * Mathematics.sine(turn + .pi / 2))
    }
  }

  /// The part of a ring on one side of 180 degrees, in longitudes of that side.
  ///
  /// - Parameter error: every other vertex on the cut is so many degrees off it, between others.
  private static func part(
    of ring: [Coordinate], isWest: Bool, error: Double
  ) -> [Coordinate] {
    func isInside(_ place: Coordinate) -> Bool { isWest ? place.x <= 180 : place.x > 180 }
    var result: [Coordinate] = []
    guard var former = ring.last else { return [] }
    for place in ring {
      if isInside(place) != isInside(former) {
        let share = (180 - former.x) / (place.x - former.x)
        let crossing = Coordinate(x: 180, y: former.y + share * (place.y - former.y))
        if let last = result.last, last.x == 180, error > 0, abs(last.y - crossing.y) > 0.1 {
          result.append(
            Coordinate(x: 180 + (isWest ? -error : error), y: (last.y + crossing.y) / 2))
        }
        result.append(crossing)
      }
      if isInside(place) { result.append(place) }
      former = place
    }
    return isWest ? result : result.map { Coordinate(x: $0.x - 360, y: $0.y) }
  }

  private static func dots(_ geometries: [Geometry], _ camera: Camera) throws -> DotRaster {
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    let block = try #require(MapSamples.block(geometries))
    canvas.draw(.block(block, style: style, hidden: []))
    return canvas.picture().raster
  }

  private static func lines(_ geometries: [Geometry], _ camera: Camera) throws -> [PagePath] {
    var canvas = PageCanvas(camera: camera, memory: RenderMemory())
    let block = try #require(MapSamples.block(geometries))
    canvas.draw(.block(block, style: style, hidden: []))
    var outlines = Outlines()
    canvas.compose(on: &outlines, at: PagePoint(x: 0, y: 0))
    return outlines.lines
  }

  /// The dots of a picture that are farther than a dot from all dots of another.
  private static func strays(_ one: DotRaster, from other: DotRaster) -> [(x: Int, y: Int)] {
    func isSet(_ raster: DotRaster, _ x: Int, _ y: Int) -> Bool {
      guard x >= 0, y >= 0, x >> 1 < raster.columns, y >> 2 < raster.rows else { return false }
      let bit = y & 3 == 3 ? 6 + (x & 1) : 3 * (x & 1) + (y & 3)
      return raster.bits[(y >> 2) * raster.columns + x >> 1] >> UInt8(bit) & 1 == 1
    }
    var strays: [(x: Int, y: Int)] = []
    for y in 0..<(4 * one.rows) {
      for x in 0..<(2 * one.columns) where isSet(one, x, y) {
        let isNear = (-1...1).contains { stepY in
          (-1...1).contains { isSet(other, x + $0, y + stepY) }
        }
        // Lines go on beyond the window.
        let isInside = x > 0 && y > 0 && x < 2 * one.columns - 1 && y < 4 * one.rows - 1
        if !isNear && isInside { strays.append((x, y)) }
      }
    }
    return strays
  }

  private static func distance(_ point: PagePoint, _ lines: [PagePath]) -> Double {
    lines.lazy.map { path -> Double in
      let points = path.isClosed ? path.points + path.points.prefix(1) : path.points
      return zip(points, points.dropFirst()).map { from, to in
        Picker.squareToSegment(
          from.x - point.x, from.y - point.y, to.x - point.x, to.y - point.y
        ).squareRoot()
      }.min() ?? .infinity
    }.min() ?? .infinity
  }

  /// The middles of the edges of outlines that are farther than two units from all of others.
  private static func strays(
    _ one: [PagePath], from other: [PagePath], in camera: Camera
  ) -> [PagePoint] {
    let area = PageCanvas.area(of: camera, at: PagePoint(x: 0, y: 0))
    return one.flatMap { path -> [PagePoint] in
      let points = path.isClosed ? path.points + path.points.prefix(1) : path.points
      return zip(points, points.dropFirst()).map {
        PagePoint(x: ($0.x + $1.x) / 2, y: ($0.y + $1.y) / 2)
      }
    }.filter { area.contains($0) && distance($0, other) > 2 }
  }

  private static func check(
    _ cut: [Geometry], like whole: [Geometry], _ camera: Camera
  ) throws {
    let dots = (try Self.dots(cut, camera), try Self.dots(whole, camera))
    #expect(dots.1.bits.contains { $0 != 0 })
    #expect(strays(dots.0, from: dots.1).isEmpty)
    #expect(strays(dots.1, from: dots.0).isEmpty)
    let lines = (try Self.lines(cut, camera), try Self.lines(whole, camera))
    #expect(strays(lines.0, from: lines.1, in: camera).isEmpty)
    #expect(strays(lines.1, from: lines.0, in: camera).isEmpty)
  }

  @Test(arguments: seeds, [0, 0.0008])
  func `An area cut at 180 degrees has the outline of the whole one`(
    seed: UInt64, error: Double
  ) throws {
    var numbers = SeededGenerator(seed: seed)
    let ring = Self.ring(&numbers)
    let parts = [true, false].map { Self.part(of: ring, isWest: $0, error: error) }
      .filter { $0.count > 2 }
    let box = ring.reduce(into: Box.empty) { $0.formUnion($1) }
    for projection in [Projection.webMercator, .equirectangular] {
      let camera = Camera(
        plane: MapPlane(projection: projection), center: box.center,
        zoom: Double(Int.random(in: 2...5, using: &numbers)),
        size: CellSize(columns: 61, rows: 23))
      try Self.check(parts.map { .polygon([$0]) }, like: [.polygon([ring])], camera)
    }
  }

  @Test(arguments: seeds, [-90, -89.9989])
  func `An area around a pole has no outline but its coast`(seed: UInt64, end: Double) throws {
    var numbers = SeededGenerator(seed: seed)
    let count = Int.random(in: 2...400, using: &numbers)
    let coast = (0...count).map { index in
      Coordinate(
        x: Double(index) / Double(count) * 360 - 180,
        y: Double.random(in: -80 ... -60, using: &numbers))
    }
    let pole = stride(from: 180.0, through: -180, by: -7.5).map { Coordinate(x: $0, y: end) }
    for projection in [Projection.webMercator, .equirectangular] {
      let camera = Camera(
        plane: MapPlane(projection: projection), center: Coordinate(x: 0, y: -60),
        zoom: 0, size: CellSize(columns: 64, rows: 32))
      try Self.check([.polygon([coast + pole])], like: [.line(coast)], camera)
    }
  }

  @Test func `A line at 180 degrees is drawn`() throws {
    let line = [-40.0, 0, 40].map { Coordinate(x: 180, y: $0) }
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 180, y: 0), zoom: 2,
      size: CellSize(columns: 61, rows: 23))
    #expect(try Self.dots([.line(line)], camera).bits.count { $0 != 0 } > 10)
    #expect(!(try Self.lines([.line(line)], camera)).isEmpty)
  }

  @Test func `The edges of an area at 180 metres of a plan are drawn`() throws {
    let ring = [(100.0, 0.0), (180, 0), (180, 90), (100, 90)].map { Coordinate(x: $0, y: $1) }
    let block = try #require(MapSamples.block([.polygon([ring])]))
    let plane = MapPlane(projection: .planar, reference: block.box)
    for (plane, isCut) in [(plane, false), (.webMercator, true)] {
      let paths = ProjectedBlock(block, on: plane).paths(of: block, on: plane)
      #expect(paths.cuts.isEmpty != isCut)
    }
  }

  @Test(arguments: seeds)
  func `The parts of a line between cuts have all its edges but the cuts`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let first = Int.random(in: 0...20, using: &numbers)
      let line = first..<(first + Int.random(in: 1...70, using: &numbers))
      let chosen = (0..<120).filter { _ in Int.random(in: 0...3, using: &numbers) == 0 }
      var cuts = PathCuts()
      for vertex in chosen { cuts.add(vertex) }
      var edges: [Int] = []
      cuts.each(between: line) { edges += $0.dropLast() }
      #expect(edges == line.dropLast().filter { !chosen.contains($0) })
    }
  }
}
