import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Names while the map is moved, at rest, and in several copies of the world.
@Suite struct LabelSettlingTests {
  private static let dots = MarkStyle(stroke: MapSamples.white, symbol: "*")

  /// A map of towns.
  private struct Towns {
    let block: GeometryBlock
    let names: [String]

    init(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let points = (0..<60).map { _ in
        Geometry.point(
          Coordinate(
            x: .random(in: 60...196, using: &random), y: .random(in: 80...176, using: &random)))
      }
      block = try #require(MapSamples.block(points))
      names = points.indices.map { "Town \($0)" }
    }

    func frame(_ camera: Camera, _ memory: RenderMemory) -> Frame {
      let names = names
      return MapSamples.frame(
        [
          .block(block, style: dots, hidden: []),
          .labels(
            LabelSet(
              block: block, style: dots, priority: 0, text: { names[$0] }, rank: { -Double($0) })),
        ], camera, memory: memory)
    }
  }

  @Test(arguments: Seeds.some(20))
  func `At rest the map is the one of a fresh drawing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let towns = try Towns(seed: seed)
    let memory = RenderMemory()
    var camera = MapSamples.planar(columns: 40, rows: 11)
    _ = towns.frame(camera, memory)
    #expect(!memory.hasUnsettledNames)
    for _ in 0..<12 {
      camera = camera.panned(
        columns: .random(in: -3...3, using: &random), rows: .random(in: -1...1, using: &random))
      _ = towns.frame(camera, memory)
    }
    #expect(memory.hasUnsettledNames)
    memory.settleNames()
    #expect(!memory.hasUnsettledNames)
    #expect(towns.frame(camera, memory) == towns.frame(camera, RenderMemory()))
    #expect(!memory.hasUnsettledNames, "it settles once")
  }

  @Test(arguments: Seeds.some(20))
  func `A change of a settled map at rest is drawn once`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let towns = try Towns(seed: seed)
    let others = try Towns(seed: seed &+ 1)
    let memory = RenderMemory()
    let camera = MapSamples.planar(columns: 40, rows: 11, x: .random(in: 90...160, using: &random))
    _ = towns.frame(camera, memory)
    #expect(others.frame(camera, memory) == others.frame(camera, RenderMemory()))
    #expect(!memory.hasUnsettledNames)
    let panned = camera.panned(columns: 1, rows: 0)
    _ = others.frame(panned, memory)
    _ = others.frame(panned, memory)
    #expect(memory.hasUnsettledNames, "names that were kept wait for the rest")
    #expect(memory.unsettledPlacements == 2)
  }

  @Test(arguments: Seeds.some(20))
  func `After a jump or a zoom names stand where a fresh drawing puts them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let towns = try Towns(seed: seed)
    for isZoom in [true, false] {
      let memory = RenderMemory()
      var camera = MapSamples.planar(columns: 40, rows: 11, x: 100)
      for _ in 0..<5 {
        camera = camera.panned(columns: 1, rows: .random(in: -1...1, using: &random))
        _ = towns.frame(camera, memory)
      }
      if isZoom {
        camera = MapSamples.planar(columns: 40, rows: 11, zoom: 0.5, x: 110)
      } else {
        camera = camera.panned(columns: 24, rows: 0)
      }
      #expect(towns.frame(camera, memory) == towns.frame(camera, RenderMemory()))
      #expect(!memory.hasUnsettledNames)
    }
  }

  @Test(arguments: [-30.0, -10, 0, 10, 30])
  func `An area on both sides of 180 degrees is named once, where more of it is`(by: Double) throws
  {
    func box(_ minX: Double, _ maxX: Double) -> [(Double, Double)] {
      [(minX, 50), (maxX, 50), (maxX, 70), (minX, 70), (minX, 50)]
    }
    let role = PathRole(kind: .multiPolygon, beginsMember: true, beginsPolygon: true)
    let paths = [box(60, 180), box(-180, -150)].map {
      Geometry.Path(role: role, vertices: MapSamples.coordinates($0))
    }
    let block = try #require(
      MapSamples.block([Geometry(kind: .multiPolygon, paths: paths)]))
    var canvas = CellCanvas(
      camera: Camera(
        plane: .webMercator, center: Coordinate(x: 180, y: 60), zoom: 1.5,
        size: CellSize(columns: 100, rows: 40)
      ).panned(columns: Int(by), rows: 0), memory: RenderMemory())
    canvas.draw(.block(block, style: MapSamples.area, hidden: []))
    canvas.draw(
      .labels(
        LabelSet(
          block: block, style: MapSamples.area, priority: 0, text: { _ in "Russia" },
          rank: { _ in 0 })))
    let labels = canvas.labels(clearance: 0)
    #expect(labels.map(\.capitals) == ["RUSSIA"])
    let label = try #require(labels.first)
    let seam = 50 - Int(by)
    // The west side is larger; where little of it is in view, the east side is.
    if by > 20 {
      #expect(label.column >= seam)
    } else {
      #expect(label.column + label.columns <= seam)
    }
  }
}
