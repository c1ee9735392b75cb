import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanGraphics
@testable import PortolanRendering

/// Levels made straight from coordinates are those made of projected vertices.
@Suite struct DirectLevelTests {
  static let planes = [
    MapPlane.webMercator, MapPlane(projection: .equirectangular),
    MapPlane(projection: .planar, reference: Box(minX: -50, minY: 10, maxX: 70, maxY: 60)),
  ]

  /// Lines and rings that dwell in a place, walk, and leap; some vertices are not finite, some
  /// paths have one or none.
  private static func block(_ random: inout SeededGenerator) -> GeometryBlock? {
    let steps = [0.0, 1e-7, 1e-5, 1e-3, 0.02, 0.3, 10]
    let geometries = (0..<30).map { _ -> Geometry in
      var (x, y) = (
        Double.random(in: -150...150, using: &random), Double.random(in: -80...80, using: &random)
      )
      let step = steps.randomElement(using: &random) ?? 0
      let count = [0, 1, 2, 5, 40, 400].randomElement(using: &random) ?? 1
      let vertices = (0..<count).map { _ -> Coordinate in
        let leap = Int.random(in: 0..<50, using: &random) == 0 ? 3.0 : 1
        x = min(max(x + Double.random(in: -step...step, using: &random) * leap, -160), 160)
        y = min(max(y + Double.random(in: -step...step, using: &random) * leap, -84), 84)
        let isLost = Int.random(in: 0..<60, using: &random) == 0
        return Coordinate(
          x: isLost ? .nan : x, y: Bool.random(using: &random) ? y : Float(y).double)
      }
      return Bool.random(using: &random) ? .line(vertices) : .polygon([vertices])
    }
    return MapSamples.block(geometries)
  }

  @Test(arguments: planes, Seeds.some(3))
  func `A direct level is the same as one of projected vertices`(
    plane: MapPlane, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var compared = 0
    for _ in 0..<4 {
      let block = try #require(Self.block(&random))
      let base = ProjectedBlock(block, on: plane)
      let full = base.paths(of: block, on: plane)
      for level in -8...9 where PathLevel.isDirect(level) {
        let rows = SquareRows(shift: PathLevel.shift(ofLevel: level))
        guard
          let direct = PathLevel.direct(
            level, of: block, on: plane, rows: level % 2 == 0 ? rows : nil)
        else { continue }
        compared += 1
        #expect(direct.base.size == base.size)
        for (one, other) in zip(direct.base.featureBoxes, base.featureBoxes) {
          #expect(one == other || one.expanded(by: 1).contains(other))
        }
        let paths = full.simplified(toLevel: level, below: full.size)
        #expect((paths == nil) == (direct.paths == nil))
        guard let paths, let found = direct.paths else { continue }
        #expect(found.coordinates == paths.coordinates && found.runs == paths.runs)
        #expect(found.chunkStarts == paths.chunkStarts && found.chunkBoxes == paths.chunkBoxes)
        #expect(found.featureEnds == paths.featureEnds && found.cuts.isEmpty && paths.cuts.isEmpty)
        #expect(found.dots.coordinates == paths.dots.coordinates)
        #expect(found.dots.rows == paths.dots.rows && found.dots.spareRows == paths.dots.spareRows)
      }
    }
    #expect(compared > 0)
  }

  @Test func `The latitudes of a row of squares are in it, at every end`() {
    for shift in [12, 17, 23, 29] as [Int32] {
      let rows = SquareRows(shift: shift)
      let last = Int32(1) << (30 - shift)
      let probe = SquareWalk(.webMercator, shift: shift, rows: nil)
      for row in [-last, -last + 1, -2, -1, 0, 1, last / 2, last - 1] {
        guard let (south, north) = rows.latitudes(of: row) else { continue }
        #expect(south < north)
        #expect(probe.point(0, south).y >> shift == row)
        #expect(probe.point(0, north).y >> shift == row)
      }
    }
  }

  @Test func `Shapes near the end of the world, and points, are projected first`() throws {
    let near = Geometry.line([(170.0, 10.0), (180, 11)].map { Coordinate(x: $0, y: $1) })
    let across = Geometry.line([(170.0, 10.0), (-170, 11)].map { Coordinate(x: $0, y: $1) })
    let beyond = Geometry.line([(170.0, 10.0), (190, 11)].map { Coordinate(x: $0, y: $1) })
    for shape in [near, across, beyond, .point(Coordinate(x: 1, y: 2))] {
      let block = try #require(MapSamples.block([shape]))
      #expect(PathLevel.direct(4, of: block, on: .webMercator, rows: nil) == nil)
    }
  }

  @Test func `Paths at full detail beyond the limit are not kept`() throws {
    var random = SeededGenerator(seed: 5)
    // Near the end of the world, so that each block is projected.
    let blocks = try (0..<20).map { _ in
      let vertices = (0..<4_000).map { index in
        Coordinate(
          x: 179.9999 - Double(index) * 1e-5, y: Double.random(in: 0...1e-3, using: &random))
      }
      return try #require(MapSamples.block([.line(vertices)]))
    }
    let memory = RenderMemory(byteLimit: 100_000)
    func draw(_ memory: RenderMemory) -> Bool {
      let camera = Camera(
        plane: .webMercator, center: Coordinate(x: 170, y: 0), zoom: 2,
        size: .init(columns: 40, rows: 20))
      let frame = MapSamples.frame(
        blocks.map { .block($0, style: MapSamples.line, hidden: []) }, camera, memory: memory)
      return frame.cells.contains { $0 != .blank }
    }
    #expect(draw(memory))
    let full = memory.blocks.values.compactMap { $0.planes.first?.base?.keptPaths }
    #expect(full.count < blocks.count / 2)
    #expect(memory.weight == memory.keptBytes)
    #expect(memory.weight < 20 * 4_000 * 8 / 2)
  }
}

extension Float {
  fileprivate var double: Double { Double(self) }
}
