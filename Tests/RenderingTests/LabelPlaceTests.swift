import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Names of lines and areas that have no room at the usual place.
@Suite struct LabelPlaceTests {
  private static func labels(
    _ geometries: [Geometry], _ names: [String]
  ) throws -> [PlacedLabel] {
    labels(try #require(MapSamples.block(geometries)), names, camera, RenderMemory())
  }

  private static func labels(
    _ block: GeometryBlock, _ names: [String], _ camera: Camera, _ memory: RenderMemory
  ) -> [PlacedLabel] {
    var canvas = CellCanvas(camera: camera, memory: memory)
    canvas.draw(.block(block, style: MapSamples.line, hidden: []))
    canvas.draw(
      .labels(
        LabelSet(
          block: block, style: MapSamples.line, priority: 0, text: { names[$0] },
          rank: { -Double($0) })))
    _ = canvas.picture()
    return canvas.labels(clearance: 0)
  }

  private static func box(
    _ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double
  ) -> Geometry {
    .polygon([
      MapSamples.coordinates([
        (minX, minY), (maxX, minY), (maxX, maxY), (minX, maxY), (minX, minY),
      ])
    ])
  }

  /// 60x20 cells: x from 68 to 188, y from 88 to 168.
  private static let camera = MapSamples.planar(columns: 60, rows: 20)

  @Test(arguments: Seeds.some(20))
  func `An area that the window cuts has its name in what is in view`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func far() -> Double { .random(in: 200...2000, using: &random) }
    // The window is beyond the middle of the area, but for one side.
    let corner = Double.random(in: 90...120, using: &random)
    let area =
      [
        Self.box(corner, 128 - far(), 128 + 2 * far(), 128 + far()),
        Self.box(128 - far(), corner, 128 + far(), 128 + 2 * far()),
        Self.box(128 - 2 * far(), 128 - far(), 250 - corner, 128 + far()),
      ].randomElement(using: &random) ?? Self.box(0, 0, 1, 1)
    let memory = RenderMemory()
    var camera = Self.camera
    let block = try #require(MapSamples.block([area]))
    let label = try #require(Self.labels(block, ["Russia"], camera, memory).first)
    #expect(label.capitals == "RUSSIA")
    // It stays while the map is moved; it leaves its place only with the window, or for the middle
    // of the area.
    var (former, jumps) = (label, 0)
    for _ in 0..<40 {
      camera = camera.panned(columns: 1, rows: 0)
      guard let now = Self.labels(block, ["Russia"], camera, memory).first else { continue }
      if former.column > 1, now.column != former.column - 1 || now.row != former.row { jumps += 1 }
      former = now
    }
    #expect(jumps < 2)
  }

  @Test func `A name moves from an island to the mainland when that comes into view`() throws {
    let mainland = [(190.0, 0.0), (700, 0), (700, 256), (190, 256), (190, 0)]
    let island = [(150.0, 118.0), (180, 118), (180, 138), (150, 138), (150, 118)]
    let role = PathRole(kind: .multiPolygon, beginsMember: true, beginsPolygon: true)
    let paths = [mainland, island].map {
      Geometry.Path(role: role, vertices: MapSamples.coordinates($0))
    }
    let block = try #require(
      MapSamples.block([Geometry(kind: .multiPolygon, paths: paths)]))
    let memory = RenderMemory()
    var camera = Self.camera
    let first = try #require(Self.labels(block, ["Spain"], camera, memory).first)
    #expect((68 + 2 * first.column...68 + 2 * (first.column + 9)).overlaps(150...180))
    for _ in 0..<30 {
      camera = camera.panned(columns: 1, rows: 0)
      _ = Self.labels(block, ["Spain"], camera, memory)
    }
    let last = try #require(Self.labels(block, ["Spain"], camera, memory).first)
    #expect(68 + 60 + 2 * last.column > 188, "on the mainland")
  }

  @Test func `Another name finds a place of its own`() throws {
    let block = try #require(MapSamples.block([Self.box(88, 108, 168, 148)]))
    let memory = RenderMemory()
    _ = Self.labels(block, ["Ob"], Self.camera, memory)
    let names = ["Central Intermediate Valley"]
    let after = Self.labels(block, names, Self.camera, memory)
    let fresh = Self.labels(block, names, Self.camera, RenderMemory())
    #expect(after == fresh && after.count == 1)
  }

  @Test func `An area around the window has no name in it`() throws {
    // A bracket: its box is larger than the window, itself is not in it.
    let bracket = Geometry.polygon([
      MapSamples.coordinates([
        (0, 0), (256, 0), (256, 20), (20, 20), (20, 230), (256, 230), (256, 256), (0, 256), (0, 0),
      ])
    ])
    #expect(try Self.labels([bracket], ["Greenland"]).isEmpty)
  }

  @Test(arguments: Seeds.some(20))
  func `A steep river has its name beside it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (x, y) = (Double.random(in: 100...150, using: &random), 60.0)
    var line = [(x, y)]
    while y < 200 {
      x += .random(in: -1...1, using: &random)
      y += .random(in: 2...4, using: &random)
      line.append((x, y))
    }
    let river = Geometry.line(MapSamples.coordinates(line))
    let label = try #require(try Self.labels([river], ["Mississippi"]).first)
    let near = line.filter { abs($0.1 - (166 - 4 * Double(label.row))) < 6 }.map(\.0)
    let (low, high) = (68 + 2 * Double(label.column), 68 + 2 * Double(label.column + 11))
    #expect(near.contains { $0 < low && low - $0 < 8 || $0 > high && $0 - high < 8 })
  }

  @Test func `A short steep stream has none`() throws {
    let stream = Geometry.line(MapSamples.coordinates([(128, 120), (129, 135)]))
    #expect(try Self.labels([stream], ["Mississippi"]).isEmpty)
  }

  @Test(arguments: Seeds.some(20))
  func `Islands have their names beside them, never upon another area`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let islands = (0..<12).map { _ -> Geometry in
      let x = Double.random(in: 70...180, using: &random)
      let y = Double.random(in: 90...165, using: &random)
      return Self.box(x, y, x + .random(in: 6...9, using: &random), y + 5)
    }
    let names = islands.indices.map { "Madagascar \($0)" }
    let found = try Self.labels(islands, names)
    #expect(found.count > 2)
    for label in found {
      let text = Box(
        minX: 68 + 2 * Double(label.column), minY: 164 - 4 * Double(label.row),
        maxX: 68 + 2 * Double(label.column + label.columns), maxY: 168 - 4 * Double(label.row))
      for (row, island) in islands.enumerated() where row != label.feature {
        #expect(!island.box.intersects(text), "\(label.text) upon \(row)")
      }
    }
  }

  /// Some islands as one area.
  private static func area(_ islands: [Box]) -> Geometry {
    let role = PathRole(kind: .multiPolygon, beginsMember: true, beginsPolygon: true)
    return Geometry(
      kind: .multiPolygon,
      paths: islands.map { island in
        Geometry.Path(
          role: role,
          vertices: MapSamples.coordinates([
            (island.minX, island.minY), (island.maxX, island.minY), (island.maxX, island.maxY),
            (island.minX, island.maxY), (island.minX, island.minY),
          ]))
      })
  }

  private struct Area {
    /// The boxes that it consists of.
    var boxes: [Box]
    var geometry: Geometry
  }

  private static func area(_ random: inout SeededGenerator) -> Area {
    let x = Double.random(in: 66...170, using: &random)
    let y = Double.random(in: 86...150, using: &random)
    if Int.random(in: 0..<3, using: &random) == 0 {
      let islands = (0..<Int.random(in: 3...7, using: &random)).map { _ in
        let left = x + .random(in: 0...40, using: &random)
        let top = y + .random(in: 0...20, using: &random)
        return Box(
          minX: left, minY: top, maxX: left + .random(in: 5...14, using: &random),
          maxY: top + .random(in: 2...9, using: &random))
      }
      return Area(boxes: islands, geometry: area(islands))
    }
    // A land whose sides are steps.
    var steps: [Box] = []
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      let top = steps.last?.maxY ?? y
      let left = (steps.last?.minX ?? x) + .random(in: -8...8, using: &random)
      steps.append(
        Box(
          minX: left, minY: top, maxX: left + .random(in: 9...30, using: &random),
          maxY: top + .random(in: 2...8, using: &random)))
    }
    let east = steps.flatMap { [($0.maxX, $0.minY), ($0.maxX, $0.maxY)] }
    let west = steps.flatMap { [($0.minX, $0.minY), ($0.minX, $0.maxY)] }.reversed()
    return Area(
      boxes: steps,
      geometry: .polygon([MapSamples.coordinates(east + west + east.prefix(1))]))
  }

  /// The distance between two boxes; 0 where they overlap.
  private static func distance(_ one: Box, _ other: Box) -> Double {
    let x = max(one.minX - other.maxX, other.minX - one.maxX, 0)
    let y = max(one.minY - other.maxY, other.minY - one.maxY, 0)
    return (x * x + y * y).squareRoot()
  }

  @Test(arguments: Seeds.some(80))
  func `Each line of a name is half on its area, or beside it and nearer to it than to any other`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let areas = (0..<Int.random(in: 2...14, using: &random)).map { _ in Self.area(&random) }
    let names = areas.indices.map { ["Yemen", "Mozambique", "United Kingdom"][$0 % 3] + "\($0)" }
    let labels = try Self.labels(areas.map(\.geometry), names)
    for label in labels {
      let cells = (0..<label.columns).map { column in
        let x = 68 + 2 * Double(label.column + column)
        let y = 164 - 4 * Double(label.row)
        return Box(minX: x, minY: y, maxX: x + 2, maxY: y + 4)
      }
      let own = areas[label.feature].boxes
      let covered = cells.count { cell in own.contains { $0.intersects(cell) } }
      if 2 * covered >= label.columns { continue }
      // The letters, which do not fill the height of their row.
      var text = cells.reduce(Box.empty) { $0.union($1) }
      (text.minY, text.maxY) = (text.minY + 0.5, text.maxY - 0.5)
      func away(_ area: [Box]) -> Double { area.map { Self.distance(text, $0) }.min() ?? .infinity }
      #expect(away(own) < 5, "\(label.text) is far from its area")
      for (row, other) in areas.enumerated() where row != label.feature {
        #expect(away(own) < away(other.boxes), "\(label.text) is nearer to \(names[row])")
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A group of islands has its name among them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let islands = (0..<5).map { number in
      let x = 90 + 12 * Double(number)
      let y = Double.random(in: 115...135, using: &random)
      return Box(minX: x, minY: y, maxX: x + .random(in: 5...9, using: &random), maxY: y + 6)
    }
    let label = try #require(try Self.labels([Self.area(islands)], ["Indonesia"]).first)
    let group = islands.reduce(Box.empty) { $0.union($1) }
    #expect(68 + 2 * Double(label.column) > group.minX - 8)
    #expect(68 + 2 * Double(label.column + label.columns) < group.maxX + 8)
    #expect((group.minY - 4...group.maxY + 4).contains(166 - 4 * Double(label.row)))
  }
}
