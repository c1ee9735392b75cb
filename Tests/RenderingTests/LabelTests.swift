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

  @Test(arguments: [14, 20, 40, 60])
  func `A name of 200 letters is shortened to what fits its area`(width: Int) throws {
    let area = Geometry.polygon([
      [(100, 110), (100 + width, 110), (100 + width, 146), (100, 146)].map {
        Coordinate(x: Double($0.0), y: Double($0.1))
      }
    ])
    let block = try #require(MapSamples.block([area]))
    let name = String(repeating: "gwyn", count: 50)
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0, text: { _ in name }, rank: { _ in 0 })
    let text = MapSamples.frame(
      [.block(block, style: Self.dots, hidden: []), .labels(labels)],
      MapSamples.planar(columns: 60, rows: 11)
    ).plainText()
    let shown = text.split { $0 == " " || $0 == "\n" }.first {
      $0.hasPrefix("gwyn") && $0.hasSuffix("…")
    }
    #expect(try #require(shown).count <= min(32, width / 2 + 2))
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
    let frame = try frame(points, names, ranks: points.indices.map { -Double($0) })
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
    let row = try #require(lines.firstIndex { $0.contains("F L A G") })
    #expect((1...3).contains(row))
  }

  private static func named(
    _ name: String, width: Double, at x: Double = 128, columns: Int = 60,
    memory: RenderMemory = RenderMemory()
  ) throws -> String {
    let (low, high) = (x - width / 2, x + width / 2)
    let ring = MapSamples.coordinates([
      (low, 112), (high, 112), (high, 144), (low, 144), (low, 112),
    ])
    let block = try #require(MapSamples.block([.polygon([ring])]))
    let labels = LabelSet(
      block: block, style: Self.dots, priority: 0, text: { _ in name }, rank: { _ in 0 })
    return MapSamples.frame(
      [.labels(labels)], MapSamples.planar(columns: columns, rows: 11), memory: memory
    ).plainText()
  }

  @Test func `Areas with the room have their names in spaced capitals`() throws {
    #expect(try Self.named("Chad", width: 80).contains("C H A D"))
    #expect(try Self.named("New Peru", width: 90).contains("N E W   P E R U"))
    #expect(try Self.named("Größe", width: 90).contains("G R Ö S S E"))
    let narrow = try Self.named("Chad", width: 14)
    #expect(narrow.contains("Chad") && !narrow.contains("C H A D"))
    for name in ["中国", "مصر", "საქართველო", "42", "X"] {
      #expect(SpacedCapitals.capitals(of: name) == nil)
      #expect(try Self.named(name, width: 80).contains(name))
    }
    #expect(SpacedCapitals.capitals(of: "St. John's 2") == "ST. JOHN'S 2")
    #expect(SpacedCapitals.spaced(" NEW  YORK 2") == "N E W   Y O R K   2")
    #expect(SpacedCapitals.spaced(" NEU  KÖLN 2") == "N E U   K Ö L N   2")
    #expect(SpacedCapitals.capitals(of: "Ελλάς") == "ΕΛΛΑΣ")
    #expect(SpacedCapitals.capitals(of: "Μαΐου") == "ΜΑΪΟΥ")
    #expect(SpacedCapitals.capitals(of: "Ćira ΐ") == "ĆIRA Ϊ")
  }

  @Test(arguments: Seeds.some(20))
  func `Spaced capitals lie in their area, and stay while the map is moved`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let corners = (0..<9).map { number -> (Double, Double) in
      let angle = Double(number) / 9 * 2 * Double.pi
      let radius = Double.random(in: 12...38, using: &random)
      return (
        128 + radius * Mathematics.cosine(angle), 128 + 0.7 * radius * Mathematics.sine(angle)
      )
    }
    let block = try #require(
      MapSamples.block([.polygon([MapSamples.coordinates(corners + [corners[0]])])]))
    let style = MarkStyle(stroke: MapSamples.white, fill: MapSamples.white)
    let camera = MapSamples.planar(columns: 60, rows: 20)
    let labels = LabelSet(
      block: block, style: style, priority: 0, text: { _ in "Chad" }, rank: { _ in 0 })
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    canvas.draw(.block(block, style: style, hidden: []))
    canvas.draw(.labels(labels))
    let picture = canvas.picture()
    for label in canvas.labels(clearance: 0) where label.capitals != nil {
      for column in label.column..<(label.column + label.columns) {
        #expect(picture.backgrounds[label.row * picture.columns + column] > 0)
      }
    }
  }

  @Test func `Bright names stand out more from the ground, and from every area`() {
    for ground in [Ground.dark, .light] {
      let ink = GroundInk(ground)
      for level in stride(from: 0, through: 255, by: 15) {
        let colour = Colour(red: UInt8(level), green: UInt8(255 - level), blue: 0x60)
        let bright = TerminalColour(ink.label(MarkStyle(stroke: colour), isBright: true).stroke)
        let plain = TerminalColour(ink.label(MarkStyle(stroke: colour)).stroke)
        let contrast = Palette.contrast(bright, ground.colour)
        #expect(contrast >= Palette.contrast(plain, ground.colour) && contrast >= 4.5)
        for area in [colour, colour.dimmed, colour.outline] {
          let shown = ink.text(bright, over: [TerminalColour(area)])
          #expect(shown.map { Palette.contrast($0, TerminalColour(area)) >= 4.5 } == true)
        }
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Names of classes stand out from the ground at every depth of colour`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for (ground, depth) in [Ground.dark, .light].flatMap({ ground in
      [ColourDepth.eight, .sixteen, .indexed, .trueColour].map { (ground, $0) }
    }) {
      let ink = GroundInk(ground, depth: depth)
      for _ in 0..<100 {
        let colour = Colour(
          red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
          blue: .random(in: 0...255, using: &random))
        for var style in [
          MarkStyle(stroke: colour), MarkStyle(stroke: colour.outline, fill: colour),
        ] {
          style.showsValue = true
          let shown = CellPicture.cellStyle(ink.label(style), depth).foreground
          #expect(
            Palette.contrast(shown, ground.colour) >= 4.5, "\(ground) \(depth) \(colour.hex)")
        }
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A name upon areas of several colours has one ink, which stands out from all`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    func colour() -> TerminalColour {
      TerminalColour(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
    let ground: Ground = Bool.random(using: &random) ? .dark : .light
    for _ in 0..<200 {
      let colours = [colour(), colour(), .standard].prefix(.random(in: 1...3, using: &random))
      var frame = Frame(size: CellSize(columns: 6, rows: 1))
      for column in 0..<6 {
        frame[column, 0].style.background = colours.randomElement(using: &random) ?? .standard
      }
      let grounds = (0..<6).map { frame[$0, 0].style.background }
      let label = PlacedLabel(
        text: "Berlin", column: 0, row: 0, columns: 6, style: MarkStyle(), set: 0, feature: 0)
      let own = colour()
      label.write(
        into: &frame, at: frame.bounds, style: CellStyle(foreground: own), ink: GroundInk(ground))
      if grounds.allSatisfy(\.isStandard) { continue }
      let inks = Set((0..<6).map { frame[$0, 0].style.foreground })
      #expect(inks.count == 1)
      let shown = (0..<6).map { frame[$0, 0].style.background }
      #expect(shown == grounds || shown.allSatisfy(\.isStandard))
      for paper in shown {
        let paper = paper.isStandard ? ground.colour : paper
        #expect(inks.allSatisfy { Palette.contrast($0, paper) >= 4.5 })
      }
    }
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
