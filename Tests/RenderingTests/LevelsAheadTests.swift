import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Levels made between the frames change no picture, and are there when a zoom wants them.
@Suite struct LevelsAheadTests {
  private static func shapes(_ random: inout SeededGenerator, count: Int) -> [GeometryBlock] {
    (0..<8).compactMap { _ in
      MapSamples.block(
        (0..<12).map { _ -> Geometry in
          var (x, y) = (
            Double.random(in: -150...150, using: &random),
            Double.random(in: -70...70, using: &random)
          )
          let steps: [Double] = [1e-3, 0.02, 0.3, 4]
          let step = steps.randomElement(using: &random) ?? 1
          let vertices = (0..<Int.random(in: 1...count, using: &random)).map { _ -> Coordinate in
            x = min(max(x + Double.random(in: -step...step, using: &random), -179), 179)
            y = min(max(y + Double.random(in: -step...step, using: &random), -80), 80)
            return Coordinate(x: x, y: y)
          }
          switch Int.random(in: 0..<3, using: &random) {
          case 0: return .line(vertices)
          case 1: return .polygon([vertices])
          default: return .point(vertices[0])
          }
        })
    }
  }

  private func frame(
    _ blocks: [GeometryBlock], _ camera: Camera, _ memory: RenderMemory
  ) -> Frame {
    MapSamples.frame(
      blocks.map { .block($0, style: MapSamples.area, hidden: []) }, camera, memory: memory)
  }

  @Test(arguments: [Projection.webMercator, .equirectangular, .equalEarth], Seeds.some(6))
  func `Pictures do not depend on what was made between them`(
    projection: Projection, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let blocks = Self.shapes(&random, count: 300)
    let byteLimit = [320 << 20, 200_000, 2_000].randomElement(using: &random) ?? 0
    let memory = RenderMemory(byteLimit: byteLimit, makesAhead: true)
    let plane = MapPlane(projection: projection)
    var camera = Camera.fitting(
      plane.extent, plane: plane, size: CellSize(columns: 60, rows: 20))
    for _ in 0..<25 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: camera = camera.panned(columns: .random(in: -20...20, using: &random), rows: 3)
      case 1: memory.finishAhead()
      default:
        camera = camera.zoomed(
          bySteps: .random(in: -4...5, using: &random),
          column: .random(in: 0..<60, using: &random), row: .random(in: 0..<20, using: &random))
      }
      let shown = frame(blocks, camera, memory)
      #expect(shown == frame(blocks, camera, RenderMemory()))
    }
    memory.finishAhead()
    #expect(memory.weight == memory.keptBytes)
  }

  @Test(arguments: Seeds.some(3))
  func `What one or two zooms want is there`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let blocks = Self.shapes(&random, count: 3_000)
    let memory = RenderMemory(makesAhead: true)
    var camera = Camera(
      plane: .webMercator, center: Coordinate(x: 11, y: 47), zoom: 0,
      size: CellSize(columns: 60, rows: 20))
    _ = frame(blocks, camera, memory)
    for _ in 0..<8 {
      memory.finishAhead()
      camera = camera.zoomed(to: camera.zoom + .random(in: 0.1...2, using: &random))
      let window = ViewWindow(camera)
      for block in blocks {
        let cache = memory.cache(of: block, on: camera.plane)
        guard window.sees(cache.outline) else { continue }
        #expect(cache.has(PathLevel.level(for: camera, outline: cache.outline)))
      }
      _ = frame(blocks, camera, memory)
    }
    #expect(memory.weight == memory.keptBytes)
  }

  @Test func `Nothing is made between frames above the limit`() {
    var random = SeededGenerator(seed: 5)
    let blocks = Self.shapes(&random, count: 2_000)
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 2,
      size: CellSize(columns: 60, rows: 20))
    let plain = RenderMemory(byteLimit: 1_000)
    _ = frame(blocks, camera, plain)
    let memory = RenderMemory(byteLimit: 1_000, makesAhead: true)
    _ = frame(blocks, camera, memory)
    memory.finishAhead()
    #expect(plain.weight > 1_000 && memory.weight == plain.weight)
  }

  @Test func `Blocks are forgotten that were to be made`() {
    var random = SeededGenerator(seed: 6)
    let memory = RenderMemory(makesAhead: true)
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 0,
      size: CellSize(columns: 60, rows: 20))
    _ = frame(Self.shapes(&random, count: 3_000), camera, memory)
    _ = frame([], camera, memory)
    memory.finishAhead()
    _ = frame([], camera, memory)
    #expect(memory.blocks.isEmpty && memory.weight == 0)
  }
}
