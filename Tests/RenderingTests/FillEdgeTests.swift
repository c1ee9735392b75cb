import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// The edges of filled areas, in parts of cells.
@Suite struct FillEdgeTests {
  private static let green = TerminalColour(red: 0, green: 128, blue: 0)
  private static let red = TerminalColour(red: 200, green: 0, blue: 0)
  private static let fill = MarkStyle(fill: MapSamples.green)
  private static let other = MarkStyle(fill: Colour(red: 200, green: 0, blue: 0))
  private static let carrying: [EdgeBlocks] = [.half, .quadrant, .sextant]

  private static func frame(
    _ marks: [Mark], _ blocks: EdgeBlocks, _ camera: Camera? = nil, depth: ColourDepth = .trueColour
  ) -> Frame {
    let camera = camera ?? MapSamples.planar(columns: 30, rows: 12)
    var canvas = CellCanvas(camera: camera, memory: RenderMemory(), blocks: blocks, depth: depth)
    for mark in marks { canvas.draw(mark) }
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    return frame
  }

  /// The colours of a cell's parts, by the character that stands there.
  private static func colours(_ cell: Cell, _ blocks: EdgeBlocks) throws -> [TerminalColour] {
    let parts = try #require((0...blocks.all).first { blocks.glyph($0) == cell.glyph })
    return (0..<blocks.count).map {
      parts >> UInt8($0) & 1 == 1 ? cell.style.foreground : cell.style.background
    }
  }

  /// A ring around the middle of the window whose vertices lie on no dot's middle.
  private static func ring(_ numbers: inout SeededGenerator) -> [Coordinate] {
    let count = Int.random(in: 3...9, using: &numbers)
    let corners = (0..<count).map { _ in
      Coordinate(
        x: 128.137 + Double.random(in: -26...26, using: &numbers),
        y: 128.171 + Double.random(in: -20...20, using: &numbers))
    }
    return corners + [corners[0]]
  }

  /// Whether a place is inside of a ring, by the even-odd rule.
  private static func isInside(_ x: Double, _ y: Double, _ ring: [Coordinate]) -> Bool {
    zip(ring, ring.dropFirst()).reduce(false) { isInside, edge -> Bool in
      let (a, b): (Coordinate, Coordinate) = edge
      guard (a.y <= y) != (b.y <= y) else { return isInside }
      let part: Double = (y - a.y) / (b.y - a.y)
      let crossing: Double = a.x + part * (b.x - a.x)
      return crossing > x ? !isInside : isInside
    }
  }

  @Test(arguments: carrying) func `Every choice of parts has a character of its own`(
    blocks: EdgeBlocks
  ) {
    let glyphs = (0...blocks.all).map { blocks.glyph($0) }
    #expect(Set(glyphs).count == glyphs.count)
    #expect(glyphs[0] == .space && glyphs[Int(blocks.all)] == Glyph("\u{2588}"))
    guard blocks == .sextant else { return }
    for (parts, glyph) in glyphs.enumerated() {
      let name = Unicode.Scalar(glyph.rawValue)?.properties.name ?? ""
      guard name.hasPrefix("BLOCK SEXTANT-") else { continue }
      var digits = ""
      for part in 0..<6 where (parts >> part) & 1 == 1 { digits += "\(part + 1)" }
      #expect(name == "BLOCK SEXTANT-" + digits)
    }
    #expect(blocks.glyph(0b01_0101) == Glyph("▌") && blocks.glyph(0b10_1010) == Glyph("▐"))
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `A part of a cell is filled if half of it is covered`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let ring = Self.ring(&numbers)
    let camera = MapSamples.planar(columns: 30, rows: 12)
    let origin = try #require(camera.dot(at: Coordinate(x: 0, y: 0)))
    for blocks in Self.carrying {
      let frame = Self.frame([.geometry(.polygon([ring]), style: Self.fill)], blocks)
      for row in 0..<12 {
        for column in 0..<30 {
          var dots: UInt8 = 0
          for (bit, at) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
            .enumerated()
          {
            let x = Double(2 * column + at.0) + 0.5 - origin.x
            let y = origin.y - Double(4 * row + at.1) - 0.5
            if Self.isInside(x, y, ring) { dots |= 1 << UInt8(bit) }
          }
          let covered = blocks.parts(dots)
          let shown = try Self.colours(frame[column, row], blocks)
          let wanted = (0..<blocks.count).map {
            covered >> UInt8($0) & 1 == 1 ? Self.green : .standard
          }
          #expect(shown == wanted, "\(blocks) \(column), \(row)")
        }
      }
    }
  }

  @Test(arguments: carrying)
  func `Two areas with one border leave no gap`(blocks: EdgeBlocks) throws {
    let border = MapSamples.coordinates([(110.3, 90), (133.1, 121.2), (119.7, 136.4), (141.9, 170)])
    let west = MapSamples.coordinates([(60, 170), (60, 90)])
    let east = MapSamples.coordinates([(200, 170), (200, 90)])
    let frame = Self.frame(
      [
        .geometry(.polygon([border + west + [border[0]]]), style: Self.fill),
        .geometry(.polygon([border + east + [border[0]]]), style: Self.other),
      ], blocks)
    var divided = 0
    for row in 0..<12 {
      for column in 0..<30 {
        let colours = try Self.colours(frame[column, row], blocks)
        #expect(colours.allSatisfy { $0 == Self.green || $0 == Self.red }, "\(column), \(row)")
        if Set(colours).count == 2 { divided += 1 }
      }
    }
    #expect(divided >= 8)
  }

  @Test func `A line keeps its dots, and its cell is filled if its other dots are covered`() {
    // The west edge of a square runs through the right half of its cells, the east one likewise.
    let square = MapSamples.coordinates([
      (121.4, 120), (121.4, 136), (135.4, 136), (135.4, 120), (121.4, 120),
    ])
    let style = MarkStyle(stroke: MapSamples.white, fill: MapSamples.green)
    let frame = Self.frame([.geometry(.polygon([square]), style: style)], .quadrant)
    let row = (0..<30).map { frame[$0, 6] }
    let lines = row.indices.filter { row[$0].glyph != .space }
    #expect(lines.count == 2 && lines.allSatisfy { (0x2800..<0x2900) ~= row[$0].glyph.rawValue })
    // The line in the right half leaves the sea to the west unfilled, the land in the east filled.
    #expect(row[lines[0]].style.background == .standard)
    #expect(row[lines[1]].style.background == Self.green)
  }

  @Test func `The outline of a class gives way to the edge of its colour`() {
    let square = MapSamples.square(128.3, 128.3, 9.1)
    var style = MarkStyle(stroke: MapSamples.white, fill: MapSamples.green)
    style.showsValue = true
    let frame = Self.frame([.geometry(.polygon([square]), style: style)], .quadrant)
    let isBraille = frame.cells.contains { (0x2800..<0x2900) ~= $0.glyph.rawValue }
    #expect(!isBraille)
    #expect(frame.cells.contains { $0.style.attributes.contains(.solid) })
    // A colour that is hardly seen upon the ground keeps its outline.
    style.fill = Colour(hex: "#300040")
    let dark = Self.frame([.geometry(.polygon([square]), style: style)], .quadrant)
    #expect(dark.cells.contains { (0x2800..<0x2900) ~= $0.glyph.rawValue })
    #expect(!dark.cells.contains { $0.style.attributes.contains(.solid) })
  }

  @Test func `A label stands upon whole cells`() throws {
    let ring = MapSamples.coordinates([
      (100.3, 128.2), (128.1, 141.7), (156.2, 128.4), (128.3, 115.2), (100.3, 128.2),
    ])
    let block = try #require(MapSamples.block([.polygon([ring])]))
    let labels = LabelSet(
      block: block, style: MapSamples.line, priority: 0, text: { _ in "A long name of a land" },
      rank: { _ in 1 })
    let frame = Self.frame(
      [.block(block, style: Self.fill, hidden: []), .labels(labels)], .quadrant)
    let texts = frame.plainText().split(separator: "\n").map { String($0) }
    #expect(texts.contains { $0.contains("A long name of a land") })
  }

  @Test func `A wide sign keeps both its cells`() {
    let sign = MarkStyle(stroke: MapSamples.white, symbol: "市")
    // The east edge of the area runs through the second cell of the sign.
    let area = MapSamples.coordinates([
      (110.3, 110), (110.3, 150), (129.2, 150), (129.2, 110), (110.3, 110),
    ])
    let frame = Self.frame(
      [
        .geometry(.polygon([area]), style: Self.fill),
        .geometry(.point(Coordinate(x: 127, y: 128.5)), style: sign),
      ], .quadrant)
    let wide = frame.cells.indices.filter { frame.cells[$0].glyph == Glyph("市") }
    #expect(wide.count == 1)
    #expect(wide.allSatisfy { frame.cells[$0 + 1].glyph.isContinuation })
    #expect(frame.cells.contains { $0.style.attributes.contains(.solid) })
  }

  @Test func `Without colours nothing carries an edge, nor with letters alone`() {
    let mark = Mark.geometry(.polygon([MapSamples.square(128.3, 128.3, 9.1)]), style: Self.fill)
    for blocks in EdgeBlocks.allCases {
      #expect(Self.frame([mark], blocks, depth: .mono) == Self.frame([mark], .none, depth: .mono))
    }
    #expect(GlyphSet.ascii.blocks == .none && GlyphSet.half.blocks == .half)
    let plain = Self.frame([mark], .none)
    #expect(plain.cells.allSatisfy { $0.glyph == .space })
  }

  @Test(arguments: [ColourDepth.eight, .sixteen, .indexed, .trueColour])
  func `An edge has the colours of the areas beside it`(depth: ColourDepth) {
    let fills = ["#1c2126", "#2a3a2a", "#5555ff", "#ff5555", "#808080", "#f0f0f0", "#000080"]
    for fill in fills.compactMap({ Colour(hex: $0) }) {
      let style = MarkStyle(fill: fill)
      if style.isPattern(depth) { continue }
      let mark = Mark.geometry(
        .polygon([MapSamples.square(128.3, 128.3, 9.1)]), style: style)
      let frame = Self.frame([mark], .quadrant, depth: depth)
      let middle = frame[15, 6].style
      for cell in frame.cells where cell.style.attributes.contains(.solid) {
        #expect(cell.style.foreground == middle.background || cell.style.foreground == .standard)
        guard depth <= .sixteen, !cell.style.foreground.isStandard else { continue }
        #expect(BaseColours(cell.style, depth).ink == BaseColours(middle, depth).paper)
        #expect(BaseColours(cell.style, depth).paper == nil)
      }
      #expect(frame.cells.contains { $0.style.attributes.contains(.solid) })
    }
  }
}
