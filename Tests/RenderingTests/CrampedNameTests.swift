import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Names of areas that have no room at the middle, or none in one line.
@Suite struct CrampedNameTests {
  /// 60x20 cells: x from 68 to 188, y from 88 to 168, a unit a dot.
  private static let camera = MapSamples.planar(columns: 60, rows: 20)

  private static func block(_ area: Box) throws -> GeometryBlock {
    let corners = [
      (area.minX, area.minY), (area.maxX, area.minY), (area.maxX, area.maxY),
      (area.minX, area.maxY), (area.minX, area.minY),
    ]
    return try #require(MapSamples.block([.polygon([MapSamples.coordinates(corners)])]))
  }

  private static func labels(
    _ block: GeometryBlock, _ name: String, reserved: [CellRect] = [], _ camera: Camera = camera,
    _ memory: RenderMemory = RenderMemory()
  ) -> [PlacedLabel] {
    var canvas = CellCanvas(camera: camera, memory: memory)
    canvas.reserved = reserved
    canvas.draw(.block(block, style: MapSamples.area, hidden: []))
    canvas.draw(
      .labels(
        LabelSet(
          block: block, style: MapSamples.area, priority: 0, text: { _ in name }, rank: { _ in 0 })
      ))
    return canvas.labels(clearance: 0)
  }

  private static func box(_ label: PlacedLabel) -> Box {
    Box(
      minX: 68 + 2 * Double(label.column), minY: 164 - 4 * Double(label.row),
      maxX: 68 + 2 * Double(label.column + label.columns), maxY: 168 - 4 * Double(label.row))
  }

  @Test(arguments: Seeds.some(20))
  func `A land narrower than its name has it in two lines, also while the map is moved`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let (x, y) = (
      Double.random(in: 90...150, using: &random), Double.random(in: 100...125, using: &random)
    )
    let area = Box(
      minX: x, minY: y, maxX: x + .random(in: 16...22, using: &random),
      maxY: y + .random(in: 20...36, using: &random))
    let memory = RenderMemory()
    let block = try Self.block(area)
    let labels = Self.labels(block, "United Kingdom", Self.camera, memory)
    #expect(labels.map(\.text) == ["United", "Kingdom"])
    guard labels.count == 2 else { return }
    #expect(labels[1].row == labels[0].row + 1)
    for label in labels {
      let text = Self.box(label)
      #expect(text.minY > area.minY - 4 && text.maxY < area.maxY + 4)
      #expect(text.minX > area.minX - 4 && text.maxX < area.maxX + 4)
    }
    let moved = Self.labels(
      block, "United Kingdom", Self.camera.panned(columns: 2, rows: 1), memory)
    #expect(moved.map(\.column) == labels.map { $0.column - 2 })
    #expect(moved.map(\.row) == labels.map { $0.row - 1 })
  }

  @Test(arguments: ["Bosnia and Herz.", "Sri Lanka", "San Marino"])
  func `A name in two lines that becomes another one while the map is moved has a place of its own`(
    name: String
  ) throws {
    let block = try Self.block(Box(minX: 100, minY: 108, maxX: 120, maxY: 140))
    let memory = RenderMemory()
    let former = Self.labels(block, "United Kingdom", Self.camera, memory)
    #expect(former.count == 2)
    let camera = Self.camera.panned(columns: 2, rows: 1)
    let labels = Self.labels(block, name, camera, memory)
    let fresh = Self.labels(block, name, camera)
    #expect(!labels.isEmpty && labels.map(\.text) == fresh.map(\.text))
    #expect(labels.map(\.column) == fresh.map(\.column))
    #expect(labels.map(\.row) == fresh.map(\.row))
  }

  @Test(arguments: ["United Kingdom", "Lithuania"])
  func `A name keeps its place upon signs that come while the map is moved`(name: String) throws {
    let land = try Self.block(Box(minX: 100, minY: 120, maxX: 120, maxY: 140))
    // They rank higher than the land, which may cover no sign in a new place.
    let leaders = try #require(
      MapSamples.block(
        (0..<LabelPlacer.leaders).map { .point(Coordinate(x: 71 + 5 * Double($0), y: 92)) }))
    let sign = try #require(MapSamples.block([.point(Coordinate(x: 110, y: 130))]))
    let memory = RenderMemory()
    func names(_ camera: Camera, hasSign: Bool, _ memory: RenderMemory) -> [String] {
      var canvas = CellCanvas(camera: camera, memory: memory)
      canvas.draw(.block(land, style: MapSamples.area, hidden: []))
      if hasSign {
        canvas.draw(
          .symbols(
            SymbolSet(
              parts: [SymbolSet.Part(block: sign, number: 0, ranks: nil)],
              style: MarkStyle(stroke: MapSamples.white, symbol: "*"), priority: 0)))
      }
      for (block, text, rank) in [(leaders, "a", 1.0), (land, name, 0)] {
        canvas.draw(
          .labels(
            LabelSet(
              block: block, style: MapSamples.area, priority: 1, text: { _ in text },
              rank: { _ in rank })))
      }
      return canvas.labels(clearance: 0).map(\.text).filter { $0 != "a" }
    }
    let former = names(Self.camera, hasSign: false, memory)
    #expect(former.joined(separator: " ") == name)
    let moved = names(Self.camera.panned(columns: 1, rows: 0), hasSign: true, memory)
    #expect(moved == former)
  }

  @Test(arguments: ["Lake\nBaikal", "Lake\r\nBaikal", "Lake\tBaikal\n", "Lake \r Baikal"])
  func `The ends of lines in a name are blanks`(name: String) throws {
    #expect(LabelName.inOneLine(name) == "Lake Baikal")
    let block = try Self.block(Box(minX: 100, minY: 110, maxX: 130, maxY: 140))
    #expect(Self.labels(block, name).map(\.text) == ["Lake Baikal"])
  }

  @Test func `Words are shared out to the shortest lines`() {
    func lines(_ name: String) -> [String]? { LabelName.wrapped(name)?.map(\.text) }
    #expect(lines("United Kingdom") == ["United", "Kingdom"])
    #expect(lines("Papua New Guinea") == ["Papua New", "Guinea"])
    #expect(lines("Bosnia and Herz.") == ["Bosnia", "and Herz."])
    #expect(lines("Czechia") == nil && lines("") == nil && lines(" ") == nil)
    #expect(lines(String(repeating: "a ", count: 40)) == nil)
  }

  @Test(arguments: Seeds.some(20))
  func `What stands at the middle of a large area leaves its name another row`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let width = Double.random(in: 24...36, using: &random)
    let area = Box(minX: 128 - width / 2, minY: 92, maxX: 128 + width / 2, maxY: 164)
    let rows = Int.random(in: 3...9, using: &random)
    let middle = CellRect(column: 0, row: 10 - rows / 2, columns: 60, rows: rows)
    let label = try #require(Self.labels(Self.block(area), "Lithuania", reserved: [middle]).first)
    let text = Self.box(label)
    #expect(text.minX >= area.minX && text.maxX <= area.maxX)
    #expect(text.minY >= area.minY && text.maxY <= area.maxY)
    #expect(!(middle.row..<middle.row + rows).contains(label.row))
  }

  @Test(arguments: Seeds.some(20))
  func `An island whose row is taken has its name above or below`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (x, y) = (
      Double.random(in: 100...150, using: &random), Double.random(in: 110...140, using: &random)
    )
    let island = Box(minX: x, minY: y, maxX: x + 7, maxY: y + 4)
    let rows = Int((168 - island.maxY) / 4)...Int((168 - island.minY) / 4)
    let taken = rows.map { CellRect(column: 0, row: $0, columns: 60, rows: 1) }
    let label = try #require(Self.labels(Self.block(island), "Barbados", reserved: taken).first)
    #expect(label.row == rows.lowerBound - 1 || label.row == rows.upperBound + 1)
    #expect(abs(68 + 2 * label.column + label.columns - Int(x)) < 30)
  }

  @Test(arguments: Seeds.some(20))
  func `A town's name leaves the only place of a land's name, if it has another`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let x = Double.random(in: 100...140, using: &random)
    let land = try Self.block(Box(minX: x, minY: 124, maxX: x + 30, maxY: 128))
    let town = try #require(MapSamples.block([.point(Coordinate(x: x + 1, y: 126))]))
    let style = MarkStyle(stroke: MapSamples.white, symbol: "*")
    for isFree in [true, false] {
      var canvas = CellCanvas(camera: Self.camera, memory: RenderMemory())
      // Only the row of both is free, and perhaps only the part to the right of the town.
      canvas.reserved = [
        CellRect(column: 0, row: 0, columns: 60, rows: 10),
        CellRect(column: 0, row: 11, columns: 60, rows: 9),
      ]
      if !isFree {
        canvas.reserved.append(
          CellRect(column: 0, row: 10, columns: Int(x - 68) / 2 - 2, rows: 1))
      }
      for (block, name, mark, priority) in [
        (land, "Thailand", MapSamples.area, 1), (town, "Bangkok", style, 0),
      ] {
        canvas.draw(.block(block, style: mark, hidden: []))
        canvas.draw(
          .labels(
            LabelSet(
              block: block, style: mark, priority: priority, text: { _ in name }, rank: { _ in 0 })
          ))
      }
      let names = canvas.labels(clearance: 0).map(\.text)
      #expect(Set(names) == (isFree ? ["Bangkok", "Thailand"] : ["Bangkok"]))
    }
  }
}
