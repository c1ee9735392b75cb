import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanRendering

@Suite struct LabelTests {
  private static let dots = MarkStyle(stroke: MapSamples.white, symbol: "*")

  private func frame(
    _ points: [(Double, Double)], _ names: [String], ranks: [Double]? = nil,
    camera: Camera = MapSamples.planar(columns: 40, rows: 11), memory: RenderMemory = RenderMemory()
  ) throws -> Frame {
    let block = try #require(
      MapSamples.block(points.map { .point(Coordinate(x: $0.0, y: $0.1)) }))
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0, text: { names[$0] },
      rank: { ranks?[$0] ?? 0 })
    return MapSamples.frame(
      [.block(block, style: Self.dots, hidden: []), .labels(labels)], camera, memory: memory)
  }

  @Test func `A label stands to the right of its point`() throws {
    let frame = try frame([(128, 128)], ["Praha"])
    #expect(frame.plainText().contains("*Praha"))
  }

  @Test func `At the right edge it stands to the left`() throws {
    let frame = try frame([(164, 128)], ["Praha"])
    #expect(frame.plainText().contains("Praha*"))
  }

  @Test func `A label that fits nowhere inside is left out`() throws {
    let camera = MapSamples.planar(columns: 6, rows: 1)
    let frame = try frame([(128, 128)], ["Constantinople"], camera: camera)
    #expect(frame.plainText().contains("*"))
    #expect(!frame.plainText().contains("C"))
  }

  @Test func `The higher rank wins and the other moves aside`() throws {
    let frame = try frame(
      [(120, 128), (124, 128)], ["Berlin", "Potsdam"], ranks: [1, 2])
    let text = frame.plainText()
    #expect(text.contains("*Potsdam"))
    #expect(text.contains("Berlin*"))
  }

  @Test func `One name is not repeated nearby`() throws {
    let frame = try frame([(110, 128), (130, 136)], ["Elbe", "Elbe"])
    #expect(frame.plainText().components(of: "Elbe") == 1)
  }

  @Test func `Labels cover neither each other nor symbols`() throws {
    var numbers = SeededGenerator(seed: 11)
    let points = (0..<300).map { _ in
      (
        Double.random(in: 90...166, using: &numbers), Double.random(in: 106...150, using: &numbers)
      )
    }
    let names = points.indices.map { "N\($0)" }
    let frame = try frame(points, names)
    let alone = MapSamples.frame(
      [
        .block(
          try #require(MapSamples.block(points.map { .point(Coordinate(x: $0.0, y: $0.1)) })),
          style: Self.dots, hidden: [])
      ], MapSamples.planar(columns: 40, rows: 11))
    for (with, without) in zip(frame.cells, alone.cells) where without.glyph == Glyph("*") {
      #expect(with.glyph == Glyph("*"))
    }
    let words = frame.plainText().split { $0 == " " || $0 == "*" || $0 == "\n" }.map(String.init)
    #expect(words.count > 5)
    for word in words { #expect(names.contains(word), "\(word)") }
  }

  @Test func `While panning a label keeps its place beside its point`() throws {
    let block = try #require(
      MapSamples.block(
        [(120.0, 128.0), (124, 128), (150, 120), (160, 124)].map {
          .point(Coordinate(x: $0.0, y: $0.1))
        }))
    let names = ["Berlin", "Potsdam", "Halle", "Leipzig"]
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0, text: { names[$0] }, rank: { Double($0) })
    let memory = RenderMemory()
    var camera = MapSamples.planar(columns: 40, rows: 11)
    func draw() -> Frame {
      MapSamples.frame(
        [.block(block, style: Self.dots, hidden: []), .labels(labels)], camera, memory: memory)
    }
    let before = draw()
    camera = camera.panned(columns: 1, rows: 1)
    let after = draw()
    for row in 1..<11 {
      for column in 1..<40 { #expect(after[column - 1, row - 1] == before[column, row]) }
    }
  }

  @Test func `An area's label stands in its widest part`() throws {
    // A flag on a pole: the middle of the box lies outside of the area.
    let flag = MapSamples.coordinates([
      (100, 106), (103, 106), (103, 128), (155, 128), (155, 148), (100, 148), (100, 106),
    ])
    let block = try #require(MapSamples.block([.polygon([flag])]))
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0, text: { _ in "Flag" }, rank: { _ in 0 })
    let frame = MapSamples.frame([.labels(labels)], MapSamples.planar(columns: 40, rows: 11))
    let lines = frame.plainText().split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("Flag") })
    #expect((1...3).contains(row))
  }

  @Test func `A line's label stands along its level part`() throws {
    let line = MapSamples.coordinates([(95, 106), (98, 125), (101, 138), (160, 138), (163, 110)])
    let block = try #require(MapSamples.block([.line(line)]))
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0, text: { _ in "Rhein" }, rank: { _ in 0 })
    let frame = MapSamples.frame(
      [.block(block, style: MapSamples.line, hidden: []), .labels(labels)],
      MapSamples.planar(columns: 40, rows: 11))
    let lines = frame.plainText().split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("Rhein") })
    #expect((1...3).contains(row))
  }

  @Test func `Few texts are asked for among many points`() throws {
    var numbers = SeededGenerator(seed: 5)
    let points = (0..<20_000).map { _ in
      Geometry.point(
        Coordinate(
          x: Double.random(in: 0...256, using: &numbers),
          y: Double.random(in: 0...256, using: &numbers)))
    }
    let block = try #require(MapSamples.block(points))
    let asked = Counter()
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0,
      text: { row in
        asked.add()
        return "Town \(row)"
      },
      rank: { Double(($0 * 7919) % 20_011) })
    _ = MapSamples.frame([.labels(labels)], MapSamples.planar(columns: 128, rows: 64))
    #expect(asked.count > 50)
    #expect(asked.count < 12_000)
  }
}

/// Counts calls from a sendable closure.
private final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
