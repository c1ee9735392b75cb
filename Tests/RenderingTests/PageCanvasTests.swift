import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import PortolanTexts
import Testing

@testable import PortolanRendering

/// What must hold of every map on a page, tried on random maps.
@Suite struct PageCanvasTests {
  /// Records what is painted.
  private struct Recorder: PagePainter {
    var parts: [PagePart] = []
    var shapes: [PageShape] = []
    var signs: [PageSign] = []
    var dots: [PagePoint] = []
    var labels: [PageLabel] = []

    mutating func begin(_ part: PagePart) { parts.append(part) }
    mutating func end(_ part: PagePart) { parts.append(part) }
    mutating func paint(_ shape: PageShape) { shapes.append(shape) }
    mutating func paint(_ sign: PageSign) { signs.append(sign) }
    mutating func paint(dots: [PagePoint], style: MarkStyle) { self.dots += dots }
    mutating func paint(_ label: PageLabel) { labels.append(label) }
  }

  /// A map, its camera and what it gives.
  private struct Trial {
    let block: GeometryBlock
    let camera: Camera
    var picture = Recorder()

    init(seed: UInt64) throws {
      var numbers = SeededGenerator(seed: seed &* 31)
      let middle = [11.0, 11, 179.5][Int(seed % 3)]
      block = try #require(DrawingLawTests.block(seed, x: middle, y: 47, spread: 8))
      camera = DrawingLawTests.camera(
        Double.random(in: 2...11, using: &numbers),
        x: middle + Double.random(in: -3...3, using: &numbers),
        y: 47 + Double.random(in: -2...2, using: &numbers))
      var canvas = PageCanvas(camera: camera, memory: RenderMemory())
      canvas.beginLayer(0)
      canvas.draw(.block(block, style: MapSamples.area, hidden: []))
      canvas.draw(
        .symbols(
          SymbolSet(
            parts: [SymbolSet.Part(block: block, number: 0, ranks: nil)],
            style: MarkStyle(stroke: MapSamples.white, symbol: "•"), spacing: 1, priority: 1)))
      canvas.draw(
        .labels(
          LabelSet(
            block: block, style: MapSamples.line, priority: 1,
            text: { "Name \($0)" }, rank: { Double(($0 * 7919) % 61) })))
      canvas.compose(on: &picture, at: PagePoint(x: 0, y: 0))
    }

    var area: PageRect { PageCanvas.area(of: camera, at: PagePoint(x: 0, y: 0)) }

    func place(_ coordinate: Coordinate) throws -> PagePoint {
      let dot = try #require(camera.dot(at: coordinate))
      return PagePoint(x: 3 * dot.x, y: 3 * dot.y)
    }

    func path(_ path: Int) throws -> [PagePoint] {
      try block.vertices(ofPath: path).map {
        try place(Coordinate(x: block.coordinates[2 * $0], y: block.coordinates[2 * $0 + 1]))
      }
    }
  }

  private static func distance(_ point: PagePoint, _ path: [PagePoint]) -> Double {
    zip(path, path.dropFirst()).map { from, to in
      Picker.squareToSegment(
        from.x - point.x, from.y - point.y, to.x - point.x, to.y - point.y
      ).squareRoot()
    }.min() ?? .infinity
  }

  private static func contains(_ point: PagePoint, _ rings: [[PagePoint]]) -> Bool {
    var isInside = false
    for ring in rings {
      guard var former = ring.last else { continue }
      for corner in ring {
        if (corner.y > point.y) != (former.y > point.y) {
          let part = (point.y - corner.y) / (former.y - corner.y)
          if point.x < corner.x + part * (former.x - corner.x) { isInside.toggle() }
        }
        former = corner
      }
    }
    return isInside
  }

  @Test(arguments: Seeds.some(24))
  func `A place is in an area of the page if it is in the area of the map`(seed: UInt64) throws {
    let trial = try Trial(seed: seed)
    var numbers = SeededGenerator(seed: seed)
    var tried = 0
    for row in 0..<trial.block.featureCount where trial.block.kinds[row] == .polygon {
      let whole = try trial.block.paths(ofFeature: row).map { try trial.path($0) }
      let drawn = trial.picture.shapes.filter { $0.row == row }.flatMap(\.paths).map(\.points)
      let edges = (whole + drawn).map { $0 + $0.prefix(1) }
      for _ in 0..<20 {
        let place = PagePoint(
          x: Double.random(in: 0...trial.area.width, using: &numbers),
          y: Double.random(in: 0...trial.area.height, using: &numbers))
        if edges.contains(where: { Self.distance(place, $0) < 2 }) { continue }
        #expect(Self.contains(place, drawn) == Self.contains(place, whole), "\(row) at \(place)")
        tried += 1
      }
    }
    #expect(tried > 100)
  }

  @Test(arguments: Seeds.some(24))
  func `A line on the page is the line of the map`(seed: UInt64) throws {
    let trial = try Trial(seed: seed)
    let inner = trial.area.expanded(by: -3)
    for row in 0..<trial.block.featureCount where trial.block.kinds[row] == .lineString {
      let whole = try trial.path(try #require(trial.block.paths(ofFeature: row).first))
      let drawn = trial.picture.shapes.filter { $0.row == row }.flatMap(\.paths)
      for vertex in drawn.flatMap(\.points) {
        #expect(Self.distance(vertex, whole) < 1.5)
      }
      let isSmall = trial.picture.dots.contains { Self.distance($0, whole) < 1.5 }
      for vertex in whole where inner.contains(vertex) && !isSmall {
        #expect(drawn.contains { Self.distance(vertex, $0.points) < 1.5 })
      }
    }
  }

  @Test(arguments: Seeds.some(24))
  func `Nothing is drawn far beyond the map, and all numbers are finite`(seed: UInt64) throws {
    let trial = try Trial(seed: seed)
    let edge = trial.area.expanded(by: 12.001)
    for point in trial.picture.shapes.flatMap(\.paths).flatMap(\.points) + trial.picture.dots
      + trial.picture.signs.map(\.place)
    {
      #expect(edge.contains(point))
    }
    for label in trial.picture.labels {
      #expect(trial.area.expanded(by: 6).contains(label.place))
      // No edge of the map cuts it.
      let half = PageCanvas.cellHeight / 2
      #expect(label.place.y >= trial.area.y + half && label.place.y <= trial.area.maxY - half)
      if let sign = label.sign { #expect(edge.contains(sign)) }
    }
  }

  @Test(arguments: Seeds.some(24))
  func `The signs are those of the screen, at their exact places`(seed: UInt64) throws {
    let trial = try Trial(seed: seed)
    let set = SymbolSet(
      parts: [SymbolSet.Part(block: trial.block, number: 0, ranks: nil)], style: MarkStyle(),
      spacing: 1, priority: 1)
    let window = ViewWindow(trial.camera)
    var rows = Set<Int>()
    SymbolChoice.each(of: set, through: trial.camera, window, RenderMemory()) { x, y, rank in
      let dots = (window.dotX(x), window.dotY(y))
      if (0..<trial.camera.dotWidth) ~= dots.0, (0..<trial.camera.dotHeight) ~= dots.1 {
        rows.insert(rank.row)
      }
    }
    #expect(rows.isSubset(of: trial.picture.signs.map(\.row)))
    for sign in trial.picture.signs {
      let vertex = try #require(
        trial.block.paths(ofFeature: sign.row).first.map {
          trial.block.vertices(ofPath: $0).lowerBound
        })
      let place = try trial.place(
        Coordinate(
          x: trial.block.coordinates[2 * vertex], y: trial.block.coordinates[2 * vertex + 1]))
      #expect(abs(place.x - sign.place.x) < 0.01 && abs(place.y - sign.place.y) < 0.01)
    }
  }

  @Test(arguments: Seeds.some(24))
  func `Labels do not overlap`(seed: UInt64) throws {
    let trial = try Trial(seed: seed)
    // Of a name along a line those of its letters.
    let boxes = trial.picture.labels.map { label -> [PageRect] in
      if let line = label.baseline {
        #expect(line.middles.allSatisfy(trial.area.contains))
        return line.middles.map {
          PageRect(x: $0.x, y: $0.y, width: 0, height: 0).expanded(by: 4)
        }
      }
      let width = 5.4 * Double(DisplayWidth.of(label.text))
      let x =
        switch label.anchor {
        case .start: label.place.x
        case .middle: label.place.x - width / 2
        case .end: label.place.x - width
        }
      return [PageRect(x: x, y: label.place.y - 5.5, width: width, height: 11)]
    }
    for (index, one) in boxes.enumerated() {
      for other in boxes[..<index] {
        let overlaps = one.contains { one in
          other.contains {
            one.maxX > $0.x && $0.maxX > one.x && one.maxY > $0.y && $0.maxY > one.y
          }
        }
        #expect(!overlaps, "\(one) \(other)")
      }
    }
    #expect(trial.picture.parts == [.layer(0), .layer(0), .labels, .labels])
  }

  @Test func `A ring around the pole covers the pole`() throws {
    let ring = (0...36).map { Coordinate(x: Geodesy.wrapped(10 + Double($0) * 10), y: -70) }
    let block = try #require(MapSamples.block([.polygon([ring])]))
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 0,
      size: CellSize(columns: 128, rows: 64))
    var canvas = PageCanvas(camera: camera, memory: RenderMemory())
    canvas.draw(.block(block, style: MapSamples.area, hidden: []))
    var picture = Recorder()
    canvas.compose(on: &picture, at: PagePoint(x: 0, y: 0))
    let rings = picture.shapes.flatMap(\.paths).map(\.points)
    #expect(Self.contains(PagePoint(x: 384, y: 760), rings))
    #expect(!Self.contains(PagePoint(x: 384, y: 384), rings))
  }

  @Test func `A graticule has round values at their places`() throws {
    for zoom in [-1.0, 0, 1.5, 4, 9, 15, 22] {
      for x in [0.0, 11, 179, -100] {
        let camera = DrawingLawTests.camera(zoom, x: x)
        let graticule = Graticule(camera)
        #expect(!graticule.meridians.isEmpty && !graticule.parallels.isEmpty)
        for line in graticule.meridians {
          let place = camera.coordinate(at: DotPoint(x: line.position, y: 20))
          #expect(abs(Geodesy.wrapped(place.x - line.value)) < graticule.step / 1000)
          let steps = line.value / graticule.step
          #expect(abs(steps - steps.rounded()) < 1e-6)
        }
        for line in graticule.parallels {
          let place = camera.coordinate(at: DotPoint(x: 20, y: line.position))
          #expect(abs(place.y - line.value) < graticule.step / 1000)
        }
      }
    }
  }
}
