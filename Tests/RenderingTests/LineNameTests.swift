import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Which lines have their names first: of a river of several features all count together.
@Suite struct LineNameTests {
  /// 60x20 cells: x from 68 to 188, y from 88 to 168, a unit a dot.
  private static let camera = MapSamples.planar(columns: 60, rows: 20)

  private static func labels(
    _ lines: [[(Double, Double)]], _ names: [String], ranks: [Double]? = nil,
    reserved: [CellRect] = [], isSlanted: Bool = false
  ) throws -> [PlacedLabel] {
    let block = try #require(
      MapSamples.block(lines.map { .line(MapSamples.coordinates($0)) }))
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    canvas.reserved = reserved
    canvas.draw(.block(block, style: MapSamples.line, hidden: []))
    var set = LabelSet(
      block: block, style: MapSamples.line, priority: 0, text: { names[$0] },
      rank: { ranks?[$0] ?? 0 })
    set.lineNames = FeatureNames(names.map { FeatureNames.number(of: $0.utf8) })
    set.isSlanted = isSlanted
    canvas.draw(.labels(set))
    return canvas.labels(clearance: 0)
  }

  @Test(arguments: 0...6, [false, true])
  func `Lines without room for their names take none from points, and points do not lean`(
    lines: Int, isSlanted: Bool
  ) throws {
    let points = [(120.0, 130.0), (126, 118), (122, 142), (128, 106)]
    let shapes: [Geometry] =
      points.map { .point(Coordinate(x: $0.0, y: $0.1)) }
      + (0..<lines).map { number in
        let y = 108 + 5 * Double(number)
        return .line(MapSamples.coordinates([(122, y), (126, y)]))
      }
    let names = (0..<4).map { "T\($0)" } + (0..<lines).map { "A very long name of creek \($0)" }
    let block = try #require(MapSamples.block(shapes))
    var canvas = CellCanvas(camera: Self.camera, memory: RenderMemory())
    var set = LabelSet(
      block: block, style: MapSamples.line, priority: 0, text: { names[$0] }, rank: { _ in 0 })
    set.isSlanted = isSlanted
    canvas.draw(.labels(set))
    let labels = canvas.labels(clearance: 0)
    #expect(Set(labels.map(\.text)).isSuperset(of: ["T0", "T1", "T2", "T3"]))
    for label in labels { #expect(label.style.isSlanted == (isSlanted && label.feature > 3)) }
  }

  /// All rows but one, which has room for one name.
  private static let rowTen = [
    CellRect(column: 0, row: 0, columns: 60, rows: 10),
    CellRect(column: 0, row: 11, columns: 60, rows: 9),
  ]

  @Test(arguments: Seeds.some(40))
  func `The parts of a river count together, and only what is in view of them`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    // Three parts of 20 dots are longer than a line of 30 to 50; parts out of view do not count.
    let parts = (0..<3).map { number -> [(Double, Double)] in
      let x = 72 + 22 * Double(number)
      return [(x, 126), (x + 20, 126)]
    }
    let x = Double.random(in: 120...130, using: &random)
    let other = [(x, 126.0), (x + .random(in: 30...50, using: &random), 126)]
    let far = [(300.0, 126.0), (900, 126)]
    for isRiverLong in [true, false] {
      let lines = isRiverLong ? parts + [other, far] : [parts[0], other, far]
      let names =
        (isRiverLong ? ["Danube", "Danube", "Danube"] : ["Danube"]) + ["Brook"]
        + [isRiverLong ? "Brook" : "Danube"]
      let labels = try Self.labels(lines, names, reserved: Self.rowTen)
      #expect(labels.first?.text == (isRiverLong ? "Danube" : "Brook"))
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A rank comes before the length`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let y = Double.random(in: 100...150, using: &random)
    let names = ["Long", "High"]
    let lines: [[(Double, Double)]] = [[(72, y), (180, y)], [(90, y + 1), (130, y + 1)]]
    let labels = try Self.labels(lines, names, ranks: [1, 2])
    #expect(labels.first?.text == "High")
  }

  @Test(arguments: Seeds.some(40))
  func `A line's name is beside it, and not repeated within half the window`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines: [[(Double, Double)]] = []
    for _ in 0..<6 {
      var (x, y) = (
        Double.random(in: 70...150, using: &random), Double.random(in: 92...164, using: &random)
      )
      lines.append(
        (0..<20).map { _ in
          x += .random(in: 0...4, using: &random)
          y = min(max(y + .random(in: -3...3, using: &random), 90), 166)
          return (x, y)
        })
    }
    let names = lines.indices.map { ["Rhein", "Main", "Mosel"][$0 % 3] }
    let labels = try Self.labels(lines, names)
    for (index, label) in labels.enumerated() {
      let columns = (label.column - 3)...(label.column + label.columns + 3)
      let line = lines[label.feature]
      let isNear = zip(line, line.dropFirst()).contains { from, to in
        stride(from: 0.0, through: 1, by: 0.1).contains { part in
          let x = from.0 + (to.0 - from.0) * part
          let y = from.1 + (to.1 - from.1) * part
          return columns.contains(Int((x - 68) / 2)) && abs(y - 166 + 4 * Double(label.row)) < 11
        }
      }
      #expect(isNear, "\(label.text) is far from its line")
      for other in labels.dropFirst(index + 1) where other.text == label.text {
        #expect(
          abs(other.column - label.column) >= 30 || 2 * abs(other.row - label.row) >= 30)
      }
    }
  }

  @Test func `A river may be called like a town`() throws {
    let river = try #require(
      MapSamples.block([.line(MapSamples.coordinates([(80, 120), (180, 120)]))]))
    let town = try #require(MapSamples.block([.point(Coordinate(x: 130, y: 130))]))
    var canvas = CellCanvas(camera: Self.camera, memory: RenderMemory())
    for (priority, block) in [river, town].enumerated() {
      canvas.draw(
        .labels(
          LabelSet(
            block: block, style: MapSamples.line, priority: priority, text: { _ in "Dnipro" },
            rank: { _ in 0 })))
    }
    #expect(canvas.labels(clearance: 0).count == 2)
  }

  @Test func `Names of waters are in italics`() throws {
    for isSlanted in [true, false] {
      let label = try #require(
        try Self.labels([[(80, 120), (180, 120)]], ["Rhein"], isSlanted: isSlanted).first)
      #expect(
        CellPicture.cellStyle(label.style, .trueColour).attributes.contains(.italic) == isSlanted)
    }
  }
}
