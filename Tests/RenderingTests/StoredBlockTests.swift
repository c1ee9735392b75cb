import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanRendering

/// Blocks whose coordinates are read where they are drawn.
@Suite struct StoredBlockTests {
  private final class Stored: StoredCoordinates {
    let coordinates: [Double]?
    let readCount = Mutex(0)

    init(_ coordinates: [Double]?) { self.coordinates = coordinates }

    func read() -> (coordinates: [Double], elevations: [Double])? {
      readCount.withLock { $0 += 1 }
      return coordinates.map { ($0, []) }
    }

    func check() throws {}
  }

  private func outline(_ block: GeometryBlock, _ stored: Stored) throws -> GeometryBlock {
    try #require(
      GeometryBlock(
        outlineOf: block.vertexCount, pathEnds: block.pathEnds, pathRoles: block.pathRoles,
        featureEnds: block.featureEnds, kinds: block.kinds, boxes: block.boxes, stored: stored))
  }

  /// Coasts with bays, small islands and lines.
  private func blocks(_ random: inout SeededGenerator) throws -> [GeometryBlock] {
    try (0..<4).map { _ in
      let shapes = (0..<40).map { number -> Geometry in
        let (x, y) = (
          Double.random(in: -150...150, using: &random), Double.random(in: -70...70, using: &random)
        )
        let size = Double.random(in: 0.01...12, using: &random)
        var ring = (0..<[4, 60, 700][number % 3]).map { step -> Coordinate in
          let angle = Double(step) * 2.399
          let distance = size * (1 + 0.3 * angle.remainder(dividingBy: 0.7))
          return Coordinate(x: x + distance * angle.remainder(dividingBy: 1.3), y: y + distance)
        }
        ring.append(ring[0])
        return number % 5 == 0 ? .line(ring) : .polygon([ring])
      }
      return try #require(MapSamples.block(shapes))
    }
  }

  @Test(arguments: [Projection.webMercator, .equirectangular, .equalEarth], Seeds.some(2))
  func `A block whose coordinates are stored is drawn as one that has them`(
    projection: Projection, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let blocks = try blocks(&random)
    let plane = MapPlane(projection: projection)
    var style = MapSamples.line
    style.fill = Colour(red: 0, green: 90, blue: 0)
    for zoom in [-1, 0, 2.5, 7] {
      let camera = Camera(
        plane: plane, center: Coordinate(x: 12, y: 20), zoom: zoom,
        size: CellSize(columns: 70, rows: 30))
      func frame(_ blocks: [GeometryBlock], _ memory: RenderMemory) -> Frame {
        MapSamples.frame(
          blocks.map { .block($0, style: style, hidden: []) }, camera, memory: memory)
      }
      let stored = blocks.map { Stored($0.coordinates) }
      let outlines = try zip(blocks, stored).map { try outline($0, $1) }
      let memory = RenderMemory()
      let whole = frame(blocks, RenderMemory())
      #expect(frame(outlines, memory) == whole)
      // Once more from the caches, then with caches that hold nothing.
      #expect(frame(outlines, memory) == whole)
      memory.byteLimit = 1
      #expect(frame(outlines, memory) == whole)
      let counts = stored.map { $0.readCount.withLock { $0 } }
      #expect(counts.allSatisfy { $0 <= 3 })
    }
  }

  @Test func `Of coordinates that cannot be read, or are too few, nothing is drawn`() throws {
    var random = SeededGenerator(seed: 1)
    let block = try blocks(&random)[0]
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 0,
      size: CellSize(columns: 60, rows: 30))
    for coordinates in [nil, [], [1, 2]] as [[Double]?] {
      let lost = try outline(block, Stored(coordinates))
      let frame = MapSamples.frame(
        [.block(lost, style: MapSamples.line, hidden: [])], camera, memory: RenderMemory())
      #expect(frame == MapSamples.frame([], camera, memory: RenderMemory()))
      #expect(lost.drawable.vertexCount == block.vertexCount)
    }
  }
}
