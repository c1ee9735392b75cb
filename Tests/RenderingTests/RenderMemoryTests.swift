import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanRendering

@Suite struct RenderMemoryTests {
  private func block(_ index: Int) throws -> GeometryBlock {
    let ring = MapSamples.square(100 + Double(index % 50), 128, 20)
    return try #require(MapSamples.block([.polygon([ring])]))
  }

  private func draw(_ blocks: [GeometryBlock], _ memory: RenderMemory, zoom: Double = 0) {
    _ = MapSamples.frame(
      blocks.map { .block($0, style: MapSamples.line, hidden: []) },
      MapSamples.planar(columns: 40, rows: 20, zoom: zoom), memory: memory)
  }

  @Test func `After an edit only the new block is made again`() throws {
    let memory = RenderMemory()
    var blocks = try (0..<10).map { try block($0) }
    draw(blocks, memory)
    let before = blocks.map { memory.blocks[ObjectIdentifier($0)]?.planes.first?.base }
    blocks[4] = try block(44)
    draw(blocks, memory)
    let after = blocks.map { memory.blocks[ObjectIdentifier($0)]?.planes.first?.base }
    for index in 0..<10 where index != 4 {
      let (old, new) = (try #require(before[index]), try #require(after[index]))
      #expect(old === new)
    }
  }

  @Test func `Blocks that nobody else holds are forgotten`() throws {
    let memory = RenderMemory()
    var blocks = try (0..<10).map { try block($0) }
    draw(blocks, memory)
    #expect(memory.blocks.count == 10)
    let full = memory.weight
    blocks.removeLast(7)
    draw(blocks, memory)
    #expect(memory.blocks.count == 3)
    #expect(memory.weight < full / 2)
  }

  @Test func `What is not looked at is forgotten above the limit`() throws {
    let memory = RenderMemory(byteLimit: 2_000)
    let blocks = try (0..<40).map { try block($0) }
    draw(blocks, memory)
    for _ in 0..<20 { draw(Array(blocks.prefix(2)), memory) }
    #expect(memory.blocks.count < 40)
    #expect(memory.weight <= 2_000)
    #expect(memory.blocks[ObjectIdentifier(blocks[0])] != nil)
  }

  @Test func `The weight is the sum of what is kept`() throws {
    let memory = RenderMemory()
    let blocks = try (0..<5).map { try block($0) }
    for zoom in [0.0, 4, 9, 2, 13] { draw(blocks, memory, zoom: zoom) }
    #expect(memory.weight == memory.keptBytes)
    #expect(memory.weight > 0)
  }

  @Test func `Former planes of a planar map are forgotten`() throws {
    let memory = RenderMemory()
    let block = try block(0)
    for width in 1...20 {
      let plane = MapPlane(
        projection: .planar, reference: Box(minX: 0, minY: 0, maxX: 200 + Double(width), maxY: 200))
      let camera = Camera.fitting(
        plane.extent, plane: plane, size: CellSize(columns: 40, rows: 20))
      _ = MapSamples.frame(
        [.block(block, style: MapSamples.line, hidden: [])], camera, memory: memory)
    }
    #expect((memory.blocks[ObjectIdentifier(block)]?.planes.count ?? 0) <= 3)
    #expect(memory.weight == memory.keptBytes)
  }

  @Test func `The middles of areas count, too`() throws {
    let memory = RenderMemory()
    let block = try block(0)
    let camera = MapSamples.planar(columns: 40, rows: 20)
    func draw(hasNames: Bool) {
      var marks: [Mark] = [.block(block, style: MapSamples.area, hidden: [])]
      if hasNames {
        marks.append(
          .labels(
            LabelSet(
              block: block, style: MapSamples.area, priority: 0, text: { _ in "Field" },
              rank: { _ in 0 })))
      }
      _ = MapSamples.frame(marks, camera, memory: memory)
    }
    draw(hasNames: false)
    let nameless = memory.weight
    draw(hasNames: true)
    let named = memory.weight
    // A mask of at most 64 by 64 squares, and the rooms.
    #expect(named >= nameless + 512 && named < nameless + 8_192)
    draw(hasNames: true)
    #expect(memory.weight == named, "each is counted once")
    #expect(memory.weight == memory.keptBytes)
  }

  @Test func `Blocks outside of the view are not projected`() throws {
    let memory = RenderMemory()
    let far = try #require(MapSamples.block([.point(Coordinate(x: 5_000, y: 5_000))]))
    draw([far, try block(0)], memory)
    let cache = memory.blocks[ObjectIdentifier(far)]?.planes.first
    #expect(cache?.base == nil)
  }
}

extension RenderMemory {
  /// The size of all that is kept, counted anew.
  var keptBytes: Int {
    blocks.values.lazy.flatMap(\.planes).reduce(0) { $0 + $1.byteCount }
  }
}
