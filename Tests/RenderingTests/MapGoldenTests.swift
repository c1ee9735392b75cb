import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

/// Small maps as text files: what a change of the drawing would look like.
@Suite struct MapGoldenTests {
  /// A lake land with an island in its lake, a road, a river and two towns.
  static func land() -> [Geometry] {
    [
      .polygon([
        MapSamples.coordinates([
          (101, 110), (120, 103), (149, 108), (158, 125), (150, 146), (126, 151), (104, 144),
          (97, 126), (101, 110),
        ]),
        MapSamples.square(126, 128, 12),
      ]),
      .polygon([MapSamples.square(126, 128, 5)]),
      .line(MapSamples.coordinates([(90, 140), (112, 132), (113, 118), (165, 113)])),
      .point(Coordinate(x: 112, y: 132)),
      .point(Coordinate(x: 150, y: 115)),
    ]
  }

  static func marks(_ style: MarkStyle) throws -> [Mark] {
    let block = try #require(MapSamples.block(land()))
    let names = ["Land", "Island", "Road", "Dorf", "Stadt"]
    let ranks = [5, 1, 2, 3, 4.0]
    return [
      .block(block, style: style, hidden: []),
      .labels(
        LabelSet(
          block: block, style: style, priority: 0, text: { names[$0] }, rank: { ranks[$0] })),
    ]
  }

  @Test(arguments: GlyphSet.allCases)
  func `A small land looks as drawn before`(glyphs: GlyphSet) throws {
    let style = MarkStyle(stroke: MapSamples.white, fill: MapSamples.green, symbol: "o")
    let frame = MapSamples.frame(
      try Self.marks(style), MapSamples.planar(columns: 40, rows: 14), glyphs: glyphs)
    try Golden.check("land-\(glyphs.rawValue)", frame)
  }

  @Test func `Areas are backgrounds where half a cell is covered`() throws {
    let frame = MapSamples.frame(
      try Self.marks(MapSamples.area), MapSamples.planar(columns: 40, rows: 14))
    try Golden.check("land-backgrounds", Golden.backgrounds(frame))
  }

  @Test(arguments: MarkStyle.Pattern.allCases)
  func `Without colours areas are patterns`(pattern: MarkStyle.Pattern) throws {
    let style = MarkStyle(stroke: MapSamples.white, fill: MapSamples.green, pattern: pattern)
    let block = try #require(MapSamples.block(Self.land()))
    let frame = MapSamples.frame(
      [.block(block, style: style, hidden: [])], MapSamples.planar(columns: 40, rows: 14),
      depth: .mono)
    try Golden.check("land-mono-\(pattern.rawValue)", frame)
  }

  @Test(arguments: MarkStyle.Dash.allCases)
  func `Lines are solid, dashed or dotted`(dash: MarkStyle.Dash) throws {
    let line = Geometry.line(
      MapSamples.coordinates([(100, 140), (150, 138), (110, 112), (110, 100), (156, 120)]))
    let style = MarkStyle(stroke: MapSamples.white, dash: dash)
    let frame = MapSamples.frame(
      [.geometry(line, style: style)], MapSamples.planar(columns: 30, rows: 11))
    try Golden.check("line-\(dash.rawValue)", frame)
  }

  @Test func `Shapes across the antimeridian are whole`() throws {
    let ring = MapSamples.coordinates([
      (170, -20), (-170, -20), (-165, 5), (175, 20), (170, -20),
    ])
    let hole = MapSamples.coordinates([(179, -5), (-176, -5), (-176, 5), (179, 5), (179, -5)])
    let block = try #require(MapSamples.block([.polygon([ring, hole])]))
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: -178, y: 0), zoom: 2.5,
      size: CellSize(columns: 40, rows: 16))
    let frame = MapSamples.frame(
      [.block(block, style: MapSamples.area, hidden: [])], camera)
    try Golden.check("antimeridian", frame)
    try Golden.check("antimeridian-backgrounds", Golden.backgrounds(frame))
  }

  @Test func `A ring around a pole is filled up to the pole`() throws {
    let ring = stride(from: -180, through: 170, by: 10).map {
      Coordinate(x: Double($0), y: -70 + 4 * Double(($0 / 10) & 1))
    }
    let block = try #require(MapSamples.block([.polygon([ring + [ring[0]]])]))
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: -65), zoom: 0,
      size: CellSize(columns: 60, rows: 12))
    let frame = MapSamples.frame(
      [.block(block, style: MapSamples.area, hidden: [])], camera)
    try Golden.check("pole", frame)
    try Golden.check("pole-backgrounds", Golden.backgrounds(frame))
  }
}
