import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// The laws by which crowded points show their signs.
@Suite struct SymbolTests {
  private static let style = MarkStyle(stroke: MapSamples.white, symbol: "*")

  @Test(arguments: [ColourDepth.eight, .sixteen, .indexed, .trueColour])
  func `A sign stands out from every area`(depth: ColourDepth) {
    var random = SeededGenerator(seed: 5)
    func colour() -> TerminalColour {
      TerminalColour(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
    func shown(_ colour: TerminalColour) -> TerminalColour {
      switch depth {
      case .eight: Palette.colour(at: Palette.eight(colour))
      case .sixteen: Palette.colour(at: Palette.sixteen(colour))
      case .indexed: Palette.colour(at: Palette.indexed(colour))
      default: colour
      }
    }
    let ink = GroundInk(.dark, depth: depth)
    for round in 0..<2000 {
      let (sign, area) = (colour(), colour())
      let shade = ink.sign(sign, showsValue: round.isMultiple(of: 2), over: area)
      #expect(Palette.contrast(shown(shade), shown(area)) >= 3)
      if Palette.contrast(shown(sign), shown(area)) >= 3 { #expect(shade == sign) }
      #expect(ink.sign(sign, showsValue: false, over: .standard) == sign)
    }
  }

  /// Points in clusters, some at one place, with few different ranks.
  private static func set(
    _ numbers: inout SeededGenerator, blocks: Int = 3, count: Int = 120, isGeographic: Bool = false
  ) throws -> SymbolSet {
    let parts = try (0..<blocks).map { number in
      var points: [Geometry] = []
      for _ in 0..<count {
        let centre = Double(Int.random(in: 0...3, using: &numbers))
        let place =
          isGeographic
          ? Coordinate(
            x: Geodesy.wrapped(
              178 + 2 * centre + Double.random(in: -2...2, using: &numbers)),
            y: Double.random(in: -4...4, using: &numbers))
          : Coordinate(
            x: 100 + 20 * centre + Double.random(in: -8...8, using: &numbers),
            y: 128 + Double.random(in: -12...12, using: &numbers))
        points.append(.point(place))
        if Bool.random(using: &numbers) { points.append(.point(place)) }
      }
      let block = try #require(MapSamples.block(points))
      let ranks = points.map { _ in
        Int.random(in: 0...9, using: &numbers) == 0
          ? -Double.infinity : Double(Int.random(in: 0...5, using: &numbers))
      }
      return SymbolSet.Part(block: block, number: number, ranks: FeatureRanks(ranks))
    }
    return SymbolSet(
      parts: parts, style: Self.style, spacing: Int.random(in: 0...3, using: &numbers), priority: 0)
  }

  private struct Shown: Hashable {
    var part: Int
    var row: Int
    var dotX: Int
    var dotY: Int
  }

  /// The points that show their signs within the window.
  private static func shown(_ set: SymbolSet, _ camera: Camera) -> Set<Shown> {
    var shown = Set<Shown>()
    let window = ViewWindow(camera)
    SymbolChoice.each(of: set, through: camera, window, RenderMemory()) { x, y, rank in
      let (dotX, dotY) = (window.dotX(x), window.dotY(y))
      guard dotX >= 0, dotY >= 0, dotX < camera.dotWidth, dotY < camera.dotHeight else { return }
      shown.insert(Shown(part: rank.part, row: rank.row, dotX: dotX, dotY: dotY))
    }
    return shown
  }

  /// The same by comparing each point with each other one.
  private static func plainlyShown(_ set: SymbolSet, _ camera: Camera) -> Set<Shown> {
    let memory = RenderMemory()
    let window = ViewWindow(camera)
    let step = (camera.zoom * 2 + 1e-6).rounded(.down) / 2
    let dot = WorldPoint.worldWidth / DotScale(zoom: step).worldDots
    var points: [(rank: PointRank, x: Int64, y: Int64, copy: Int)] = []
    for part in set.parts {
      let dots = memory.fullPaths(of: part.block, on: camera.plane).points
      for index in dots.rows.indices {
        let row = Int(dots.rows[index])
        for copy in window.copies {
          points.append(
            (
              PointRank(rank: part.ranks?[row] ?? 0, part: part.number, row: row),
              Int64(dots.coordinates[2 * index]) + Int64(copy) << 31,
              Int64(dots.coordinates[2 * index + 1]), copy
            ))
        }
      }
    }
    var shown = Set<Shown>()
    let reach = Double(set.spacing) * dot
    for point in points {
      let isHidden = points.contains { other in
        other.rank.isHigher(than: point.rank) && abs(Double(other.x - point.x)) < 2 * reach
          && abs(Double(other.y - point.y)) < 4 * reach
      }
      let x = window.dotX(Int32(point.x - Int64(point.copy) << 31), copy: point.copy)
      let y = window.dotY(Int32(point.y))
      guard !isHidden, x >= 0, y >= 0, x < camera.dotWidth, y < camera.dotHeight else { continue }
      shown.insert(Shown(part: point.rank.part, row: point.rank.row, dotX: x, dotY: y))
    }
    return shown
  }

  @Test(arguments: Seeds.some(30))
  func `A point shows its sign unless a higher one is near`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let isGeographic = seed % 3 == 0
    let set = try Self.set(&numbers, isGeographic: isGeographic)
    let camera =
      isGeographic
      ? Camera(
        plane: .webMercator, center: Coordinate(x: -179, y: 0),
        zoom: Double.random(in: 0...6, using: &numbers), size: CellSize(columns: 60, rows: 15))
      : MapSamples.planar(
        columns: 40, rows: 12, zoom: Double.random(in: -1...3, using: &numbers))
    #expect(Self.shown(set, camera) == Self.plainlyShown(set, camera))
  }

  @Test(arguments: Seeds.some(30))
  func `Panning changes no sign, and zooming in hides none`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let set = try Self.set(&numbers)
    var zoom = Double.random(in: -1...2, using: &numbers)
    let start = MapSamples.planar(columns: 40, rows: 12, zoom: zoom)
    let (columns, rows) = (
      Int.random(in: -20...20, using: &numbers), Int.random(in: -6...6, using: &numbers)
    )
    let panned = start.panned(columns: columns, rows: rows)
    let (across, down) = (panned.originX - start.originX, panned.originY - start.originY)
    let before = Self.shown(set, start).map {
      Shown(part: $0.part, row: $0.row, dotX: $0.dotX - across, dotY: $0.dotY - down)
    }.filter { (0..<start.dotWidth).contains($0.dotX) && (0..<start.dotHeight).contains($0.dotY) }
    let after = Self.shown(set, panned)
    for point in before { #expect(after.contains(point)) }

    var former = Set<[Int]>()
    while zoom < 5 {
      let large = MapSamples.planar(columns: 1_500, rows: 700, zoom: zoom)
      let points = Set(Self.shown(set, large).map { [$0.part, $0.row] })
      #expect(former.isSubset(of: points))
      former = points
      zoom += Double.random(in: 0.1...0.9, using: &numbers)
    }
  }

  @Test(arguments: [-180, 180.0])
  func `A point at 180 degrees counts once, though it is at both ends`(x: Double) throws {
    let block = try #require(
      MapSamples.block([.point(Coordinate(x: x, y: 0)), .point(Coordinate(x: 10, y: 20))]))
    let set = SymbolSet(
      parts: [SymbolSet.Part(block: block, number: 0, ranks: nil)], style: Self.style, priority: 0)
    for columns in 120...140 {
      let memory = RenderMemory()
      var canvas = CellCanvas(
        camera: Camera(
          plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 0,
          size: CellSize(columns: columns, rows: 40)), memory: memory)
      canvas.draw(.symbols(set))
      _ = canvas.picture()
      let count = try #require(memory.signCounts[""]?[0])
      #expect(count.all <= 2 && count.shown <= 2, "\(columns)")
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Pictures count as many signs as screens`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sets = [try Self.set(&random), try Self.set(&random)]
    let memory = RenderMemory()
    let camera = MapSamples.planar(columns: 60, rows: 20)
    var screen = CellCanvas(camera: camera, memory: memory)
    var picture = SignCountCanvas(camera: camera, memory: memory)
    for set in sets {
      screen.draw(.symbols(set))
      picture.draw(.symbols(set))
    }
    _ = screen.picture()
    #expect(memory.signCounts[""]?[0] == picture.count)
    #expect(picture.count.shown <= picture.count.all)
  }

  @Test func `Points without a sign are dots`() throws {
    let block = try #require(
      MapSamples.block([
        .point(Coordinate(x: 127.5, y: 128)), .point(Coordinate(x: 128.5, y: 128)),
      ]))
    let set = SymbolSet(
      parts: [SymbolSet.Part(block: block, number: 0, ranks: FeatureRanks([1, 2]))],
      style: Self.style, priority: 0)
    let frame = MapSamples.frame(
      [.block(block, style: MapSamples.line, hidden: []), .symbols(set)],
      MapSamples.planar(columns: 20, rows: 5))
    let text = frame.plainText()
    #expect(text.count { $0 == "*" } == 1)
    #expect(text.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
  }

  @Test func `A label covers lower signs, never higher ones, and brings its own`() throws {
    let places = [113.0, 118, 123]
    let block = try #require(
      MapSamples.block(places.map { .point(Coordinate(x: $0, y: 128)) }))
    func text(_ ranks: [Double], label row: Int, spacing: Int = 1) -> String {
      let ranks = FeatureRanks(ranks)
      let set = SymbolSet(
        parts: [SymbolSet.Part(block: block, number: 0, ranks: ranks)], style: Self.style,
        spacing: spacing, priority: 0)
      let labels = LabelSet(
        block: block, style: Self.style, priority: 0, text: { $0 == row ? "Berlin" : nil },
        rank: { ranks[$0] })
      let frame = MapSamples.frame(
        [.symbols(set), .labels(labels)], MapSamples.planar(columns: 16, rows: 1))
      return frame.plainText()
    }
    #expect(text([3, 2, 1], label: 0).contains("*Berlin"))
    #expect(!text([1, 2, 3], label: 0).contains("*Berlin"))
    // A labelled point shows its sign, even if a higher one is near.
    #expect(text([2, 3, 1], label: 2, spacing: 4).contains("*Berlin"))
  }
}
