import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanRendering

/// Coordinates and shapes that no map should have: drawn as far as they make sense, never a trap.
@Suite struct HostileMapTests {
  static let numbers: [Double] = [
    .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 0, 180, -180, 540, 1e9, -90,
  ]
  static let planes = [
    MapPlane.webMercator, MapPlane(projection: .equirectangular), MapPlane(projection: .equalEarth),
    MapPlane(projection: .planar, reference: Box(minX: 0, minY: 0, maxX: 10, maxY: 10)),
  ]
  static let style = MarkStyle(
    stroke: MapSamples.white, fill: MapSamples.green, dash: .dotted, pattern: .medium)

  @Test(arguments: planes, [0.0, 11, 22])
  func `Coordinates of every kind are drawn or passed over`(plane: MapPlane, zoom: Double) throws {
    var vertices: [Coordinate] = []
    for x in Self.numbers {
      for y in Self.numbers { vertices.append(Coordinate(x: x, y: y)) }
    }
    var geometries: [Geometry] = [.line(vertices), .polygon([vertices, vertices.reversed()])]
    geometries += vertices.map { .point($0) }
    geometries += zip(vertices, vertices.dropFirst(7)).map { .line([$0, $1]) }
    let block = try #require(MapSamples.block(geometries))
    let camera = Camera(
      plane: plane, center: Coordinate(x: 5, y: 5), zoom: zoom,
      size: CellSize(columns: 50, rows: 20))
    let labels = LabelSet(
      block: block, style: Self.style, priority: 0, text: { "n\($0)" },
      rank: { Self.numbers[$0 % Self.numbers.count] })
    for depth in [ColourDepth.mono, .trueColour] {
      let frame = MapSamples.frame(
        [.block(block, style: Self.style, hidden: []), .labels(labels)], camera, depth: depth)
      #expect(frame.cells.count == 1000)
    }
  }

  @Test func `Empty and tiny paths are drawn as what they are`() throws {
    let line = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    let ring = PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true)
    let one = [Coordinate(x: 120, y: 120)]
    let geometries = [
      Geometry.none, Geometry(kind: .lineString, paths: []),
      Geometry(kind: .lineString, paths: [Geometry.Path(role: line, vertices: [])]),
      Geometry(kind: .lineString, paths: [Geometry.Path(role: line, vertices: one)]),
      Geometry(kind: .polygon, paths: [Geometry.Path(role: ring, vertices: one)]),
      Geometry(kind: .polygon, paths: [Geometry.Path(role: ring, vertices: [])]),
      .polygon([one + one + one]), .polygon([]), .line(one + one),
    ]
    let block = try #require(MapSamples.block(geometries))
    let camera = MapSamples.planar(columns: 20, rows: 10)
    let frame = MapSamples.frame([.block(block, style: MapSamples.line, hidden: [])], camera)
    #expect(frame.cells.filter { $0 != .blank }.count == 1)
    let nothing = try #require(MapSamples.block([]))
    #expect(
      MapSamples.frame([.block(nothing, style: Self.style, hidden: [])], camera).cells
        .allSatisfy { $0 == .blank })
  }

  @Test func `A segment of ten million dots is drawn where it crosses the window`() throws {
    let line = Geometry.line([Coordinate(x: -70, y: 52.5), Coordinate(x: 100, y: 52.5)])
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 13.4, y: 52.5), zoom: 22,
      size: CellSize(columns: 40, rows: 11))
    let frame = MapSamples.frame([.geometry(line, style: MapSamples.line)], camera)
    for column in 0..<40 { #expect(frame[column, 5] != .blank) }
    #expect(frame.cells.filter { $0 != .blank }.count == 40)
  }

  @Test func `A spiral around the world many times stays bounded`() throws {
    let turns = (0..<2_000).map { index in
      Coordinate(x: Geodesy.wrapped(Double(index) * 50), y: Double(index % 160) - 80)
    }
    let block = try #require(MapSamples.block([.line(turns), .polygon([turns])]))
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 180, y: 0), zoom: 1,
      size: CellSize(columns: 80, rows: 24))
    let frame = MapSamples.frame([.block(block, style: Self.style, hidden: [])], camera)
    #expect(frame.cells.contains { $0 != .blank })
  }

  @Test func `Texts of labels never reach the terminal as controls`() throws {
    let block = try #require(MapSamples.block([.point(Coordinate(x: 128, y: 128))]))
    let labels = LabelSet(
      block: block, style: MapSamples.line, priority: 0,
      text: { _ in "\u{1B}[2J\nA\u{202E}\u{9B}" },
      rank: { _ in .nan })
    let frame = MapSamples.frame([.labels(labels)], MapSamples.planar(columns: 30, rows: 5))
    let text = frame.plainText()
    #expect(text.contains("A"))
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
      #expect(scalar.value != 0x202E)
    }
  }
}
