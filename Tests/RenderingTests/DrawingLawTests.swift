import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// What must hold of every drawing, tried on random maps.
@Suite struct DrawingLawTests {
  static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// A random map of islands, rivers and towns around a place.
  static func block(_ seed: UInt64, x: Double, y: Double, spread: Double) -> GeometryBlock? {
    var numbers = SeededGenerator(seed: seed)
    func near(_ value: Double, _ reach: Double) -> Double {
      value + Double.random(in: -reach...reach, using: &numbers)
    }
    var geometries: [Geometry] = []
    for _ in 0..<60 {
      let (middleX, middleY) = (near(x, spread), near(y, spread / 2))
      let size = spread * Double.random(in: 0.001...0.4, using: &numbers)
      let count = Int.random(in: 3...200, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: geometries.append(.point(Coordinate(x: middleX, y: middleY)))
      case 1:
        var line = [Coordinate(x: middleX, y: middleY)]
        for _ in 0..<count {
          let last = line[line.count - 1]
          line.append(Coordinate(x: near(last.x, size / 5), y: near(last.y, size / 5)))
        }
        geometries.append(.line(line))
      default:
        // A star: every vertex farther or nearer than the one before.
        var ring: [Coordinate] = []
        for index in 0..<count {
          let turn = Double(index) / Double(count)
          let (side, part) = (Int(turn * 4) & 3, turn * 4 - Double(Int(turn * 4)))
          let reach = size * Double.random(in: 0.5...1, using: &numbers)
          let corners = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1), (1, 0)]
          let a = corners[side]
          let b = corners[side + 1]
          ring.append(
            Coordinate(
              x: middleX + reach * (a.0 + (b.0 - a.0) * part),
              y: middleY + reach * (a.1 + (b.1 - a.1) * part)))
        }
        geometries.append(.polygon([ring]))
      }
    }
    return MapSamples.block(geometries)
  }

  static func camera(_ zoom: Double, x: Double = 11, y: Double = 47) -> Camera {
    Camera(
      plane: .webMercator, center: Coordinate(x: x, y: y), zoom: zoom,
      size: CellSize(columns: 61, rows: 23))
  }

  static let style = MarkStyle(
    stroke: MapSamples.white, fill: MapSamples.green, dash: .dashed)

  static func marks(_ block: GeometryBlock) -> [Mark] {
    [
      .block(block, style: style, hidden: [3, 4, 30]),
      .features(block, rows: [5, 7, 1000, -1], style: MapSamples.line),
      .labels(
        LabelSet(
          block: block, style: MapSamples.line, priority: 0, text: { "Name \($0 % 40)" },
          rank: { Double(($0 * 7919) % 61) })),
    ]
  }

  @Test(arguments: seeds, [3.0, 5.5, 8])
  func `A memory that has seen other views draws the same as an empty one`(
    seed: UInt64, zoom: Double
  ) throws {
    let block = try #require(Self.block(seed, x: 11, y: 47, spread: 8))
    let memory = RenderMemory()
    for other in [7.5, 1, 4, zoom - 2, zoom + 3] {
      _ = MapSamples.frame([Self.marks(block)[0]], Self.camera(other), memory: memory)
    }
    let warm = MapSamples.frame(Self.marks(block), Self.camera(zoom), memory: memory)
    #expect(warm == MapSamples.frame(Self.marks(block), Self.camera(zoom)))
    let again = MapSamples.frame(Self.marks(block), Self.camera(zoom), memory: memory)
    #expect(warm == again)
  }

  @Test(arguments: seeds, [3.0, 5.5, 8])
  func `Panning by whole cells shifts the picture`(seed: UInt64, zoom: Double) throws {
    let block = try #require(Self.block(seed, x: 11, y: 47, spread: 8))
    let marks = Array(Self.marks(block).prefix(2))
    let camera = Self.camera(zoom)
    let before = MapSamples.frame(marks, camera)
    let after = MapSamples.frame(marks, camera.panned(columns: 7, rows: -3))
    for row in 0..<23 {
      for column in 0..<61 where column - 7 >= 0 && row + 3 < 23 {
        #expect(after[column - 7, row + 3] == before[column, row], "\(column), \(row)")
      }
    }
  }

  @Test(arguments: seeds)
  func `A map across the antimeridian is the same as one elsewhere`(seed: UInt64) throws {
    let here = try #require(Self.block(seed, x: 0, y: 20, spread: 8))
    var wrapped = here.coordinates
    for index in stride(from: 0, to: wrapped.count, by: 2) {
      wrapped[index] = Geodesy.wrapped(wrapped[index] + 180)
    }
    let there = try #require(
      GeometryBlock(
        coordinates: wrapped, elevations: [], pathEnds: here.pathEnds,
        pathRoles: here.pathRoles, featureEnds: here.featureEnds, kinds: here.kinds))
    // At whole zooms half the world is a whole number of dots.
    let style = MarkStyle(stroke: MapSamples.white)
    let before = MapSamples.frame(
      [.block(here, style: style, hidden: [])], Self.camera(5, x: 0, y: 20))
    let after = MapSamples.frame(
      [.block(there, style: style, hidden: [])], Self.camera(5, x: 180, y: 20))
    let differing = zip(before.cells, after.cells).filter { $0 != $1 }.count
    // A coordinate that is shifted may round to another dot.
    #expect(differing * 50 <= before.cells.count)
    #expect(before.cells.contains { $0 != .blank })
  }

  @Test func `What runs across the antimeridian or around a pole is seen from near`() throws {
    let ring = MapSamples.coordinates([
      (170, -20), (-170, -20), (-170, 20), (170, 20), (170, -20),
    ])
    let cap = stride(from: -180, through: 170, by: 10).map { Coordinate(x: Double($0), y: -70) }
    let shapes = [(ring, 180.0, 0.0), (cap + [cap[0]], 30, -80)]
    for (ring, x, y) in shapes {
      let block = try #require(MapSamples.block([.polygon([ring])]))
      let frame = MapSamples.frame(
        [.block(block, style: MapSamples.area, hidden: [])], Self.camera(7, x: x, y: y))
      #expect(frame.cells.allSatisfy { !$0.style.background.isStandard })
    }
  }

  @Test(arguments: seeds)
  func `Nothing is drawn outside of the rectangle`(seed: UInt64) throws {
    let block = try #require(Self.block(seed, x: 11, y: 47, spread: 8))
    let sentinel = Cell(glyph: Glyph("@"))
    var frame = Frame(size: CellSize(columns: 90, rows: 40))
    for row in 0..<40 {
      for column in 0..<90 { frame[column, row] = sentinel }
    }
    var canvas = CellCanvas(camera: Self.camera(5), memory: RenderMemory())
    for mark in Self.marks(block) { canvas.draw(mark) }
    let rect = CellRect(column: 13, row: 9, columns: 61, rows: 23)
    canvas.compose(into: &frame, at: rect)
    for row in 0..<40 {
      for column in 0..<90 {
        let isOutside = !rect.contains(column: column, row: row)
        #expect((frame[column, row] == sentinel) == isOutside)
      }
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 3), (500, 2), (3, 300), (130, 66)])
  func `Every size of window is drawn`(columns: Int, rows: Int) throws {
    let block = try #require(Self.block(9, x: 11, y: 47, spread: 60))
    let camera = Self.camera(1).resized(to: CellSize(columns: columns, rows: rows))
    let frame = MapSamples.frame(Self.marks(block), camera)
    #expect(frame.cells.count == columns * rows)
    // A rectangle that does not fit the window or the frame.
    var other = Frame(size: CellSize(columns: 20, rows: 10))
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    for mark in Self.marks(block) { canvas.draw(mark) }
    canvas.compose(into: &other, at: CellRect(column: -5, row: 4, columns: 40, rows: 40))
    #expect(other[0, 0] == .blank)
  }

  @Test(arguments: seeds)
  func `A cut line sets the dots that the whole line would set`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let ends = (0..<4).map { _ in Int.random(in: -300...300, using: &numbers) }
      var whole = DotRaster(columns: 400, rows: 200)
      whole.withPen(style: 1, dash: .solid, originX: 0, originY: 0) {
        $0.line(ends[0] + 400, ends[1] + 400, ends[2] + 400, ends[3] + 400)
      }
      var part = DotRaster(columns: 20, rows: 10)
      part.withPen(style: 1, dash: .solid, originX: 0, originY: 0) {
        $0.line(ends[0], ends[1], ends[2], ends[3])
      }
      var reversed = DotRaster(columns: 20, rows: 10)
      reversed.withPen(style: 1, dash: .solid, originX: 0, originY: 0) {
        $0.line(ends[2], ends[3], ends[0], ends[1])
      }
      #expect(reversed.bits == part.bits, "\(ends)")
      for row in 0..<10 {
        for column in 0..<20 {
          let expected = whole.bits[(row + 100) * 400 + column + 200]
          #expect(part.bits[row * 20 + column] == expected, "\(ends) \(column) \(row)")
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `A level made of a finer one is the same as one made of all`(seed: UInt64) throws {
    let block = try #require(Self.block(seed, x: 11, y: 47, spread: 8))
    let full = ProjectedBlock(block, on: .webMercator).paths(of: block, on: .webMercator)
    for level in stride(from: -4, through: 14, by: 2) {
      let direct = full.simplified(toLevel: level, of: full)
      for finer in [level + 2, level + 4, level + 10] {
        let through = full.simplified(toLevel: finer, of: full)
          .simplified(toLevel: level, of: full)
        #expect(through.coordinates == direct.coordinates)
        #expect(through.chunkStarts == direct.chunkStarts && through.runs == direct.runs)
        #expect(through.featureEnds == direct.featureEnds)
        #expect(Set(Self.pairs(through.dots)) == Set(Self.pairs(direct.dots)))
        #expect(Set(Self.pairs(through.points)) == Set(Self.pairs(direct.points)))
      }
    }
  }

  private static func pairs(_ set: DotSet) -> [[Int32]] {
    let all = set.coordinates + set.spareCoordinates
    return stride(from: 0, to: all.count, by: 2).map { [all[$0], all[$0 + 1]] }
  }
}
