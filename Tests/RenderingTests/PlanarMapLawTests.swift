import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Laws of planar maps: the window lies anywhere, and each position is drawn at its place.
@Suite struct PlanarMapLawTests {
  /// A random box: a thousandth to a million units wide, up to ten million units from the origin.
  static func extent(_ numbers: inout SeededGenerator) -> Box {
    func power(_ range: ClosedRange<Double>) -> Double {
      Mathematics.power(ofTwo: .random(in: range, using: &numbers))
    }
    let (width, height) = (power(-3...20), power(-3...20))
    let x = Double.random(in: -1e7...1e7, using: &numbers)
    let y = Double.random(in: -1e7...1e7, using: &numbers)
    return Box(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  static func size(_ numbers: inout SeededGenerator) -> CellSize {
    CellSize(
      columns: .random(in: 4...90, using: &numbers), rows: .random(in: 3...40, using: &numbers))
  }

  static func corners(_ box: Box) -> [Coordinate] {
    [
      Coordinate(x: box.minX, y: box.minY), Coordinate(x: box.maxX, y: box.minY),
      Coordinate(x: box.minX, y: box.maxY), Coordinate(x: box.maxX, y: box.maxY),
    ]
  }

  /// The dot of a place, counted from the visible box alone.
  static func dot(_ place: Coordinate, _ camera: Camera) -> DotPoint {
    let visible = camera.visible
    return DotPoint(
      x: (place.x - visible.minX) / visible.width * Double(camera.dotWidth),
      y: (visible.maxY - place.y) / visible.height * Double(camera.dotHeight))
  }

  @Test(arguments: Seeds.some(30))
  func `Each point is drawn where a linear mapping puts it`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let extent = Self.extent(&numbers)
    let plane = MapPlane(projection: .planar, reference: extent)
    let part = Double.random(in: 0.01...4, using: &numbers)
    let middle = Self.corners(extent).randomElement(using: &numbers) ?? extent.center
    let box = Box(
      minX: middle.x - extent.width * part, minY: middle.y - extent.height * part,
      maxX: middle.x + extent.width * part, maxY: middle.y + extent.height * part)
    let camera = Camera.fitting(box, plane: plane, size: Self.size(&numbers), margin: 0)
    // A mark far outside of the window and of the box changes no picture.
    let visible = camera.visible
    let far = Coordinate(x: visible.maxX + 40 * visible.width, y: extent.minY)
    let inside = (0..<12).map { _ in
      Coordinate(
        x: .random(in: extent.minX...extent.maxX, using: &numbers),
        y: .random(in: extent.minY...extent.maxY, using: &numbers))
    }
    let around = (0..<6).map { _ in
      Coordinate(
        x: .random(in: box.minX...box.maxX, using: &numbers),
        y: .random(in: box.minY...box.maxY, using: &numbers))
    }
    for place in inside + around + Self.corners(extent) {
      var marks: [Mark] = [.geometry(.point(place), style: MapSamples.line)]
      if Bool.random(using: &numbers) {
        marks.append(.geometry(.point(far), style: MapSamples.line))
      }
      let frame = MapSamples.frame(marks, camera)
      let shown = frame.cells.indices.filter { frame.cells[$0] != .blank }
      let dot = Self.dot(place, camera)
      // The cells of the dot, and of those next to it where numbers are rounded.
      let cells = Set(
        [-0.05, 0.05].flatMap { x in
          [-0.05, 0.05].compactMap { y -> Int? in
            let column = Int(((dot.x + x) / 2).rounded(.down))
            let row = Int(((dot.y + y) / 4).rounded(.down))
            guard (0..<camera.size.columns).contains(column),
              (0..<camera.size.rows).contains(row)
            else { return nil }
            return row * camera.size.columns + column
          }
        })
      if cells.isEmpty {
        #expect(shown.isEmpty, "seed \(seed) \(place)")
      } else if !(cells.count < 4 && shown.isEmpty && Self.isOnEdge(dot, camera)) {
        #expect(shown.count == 1 && cells.contains(shown.first ?? -1), "seed \(seed) \(place)")
      }
    }
  }

  private static func isOnEdge(_ dot: DotPoint, _ camera: Camera) -> Bool {
    min(dot.x, dot.y, Double(camera.dotWidth) - dot.x, Double(camera.dotHeight) - dot.y) < 0.05
  }

  @Test(arguments: Seeds.some(40))
  func `The window goes to every finite place, and moves by whole cells there`(
    seed: UInt64
  ) throws {
    var numbers = SeededGenerator(seed: seed)
    let extent = Self.extent(&numbers)
    let plane = MapPlane(projection: .planar, reference: extent)
    var camera = Camera(
      plane: plane, center: extent.center, zoom: .random(in: -50...22, using: &numbers),
      size: Self.size(&numbers))
    for _ in 0..<10 {
      func far() -> Double {
        let power = Double.random(in: -10...890, using: &numbers)
        return Mathematics.power(ofTwo: power) * (Bool.random(using: &numbers) ? 1 : -1)
      }
      let place = Coordinate(x: far(), y: far())
      camera = camera.centered(on: place)
      #expect(camera.center == place, "seed \(seed)")
      let cell = try #require(camera.cell(at: place), "seed \(seed) \(place)")
      #expect(abs(cell.column - camera.size.columns / 2) <= 1, "seed \(seed)")
      #expect(abs(cell.row - camera.size.rows / 2) <= 1, "seed \(seed)")
      #expect(MapSamples.frame(Self.marks(extent), camera).cells.count > 0)
      camera = camera.zoomed(to: .random(in: -50...22, using: &numbers))
    }
    // Where the zoom has not reached its limit, the picture moves by exactly so many cells.
    let near = camera.centered(on: Coordinate(x: extent.maxX + 1000 * extent.width, y: 0))
      .zoomed(to: 3)
    let moved = near.panned(columns: 70, rows: -30)
    #expect(moved.originX - near.originX == 140 && moved.originY - near.originY == -120)
    #expect(moved.zoom == near.zoom)
  }

  /// Marks of every kind that have names.
  private static func marks(_ extent: Box) -> [Mark] {
    let geometries: [Geometry] =
      [.line(corners(extent)), .polygon([corners(extent)])] + corners(extent).map { .point($0) }
    guard let block = MapSamples.block(geometries) else { return [] }
    let set = LabelSet(
      block: block, style: MapSamples.area, priority: 0, text: { "n\($0)" }, rank: { Double($0) })
    let part = SymbolSet.Part(block: block, number: 0, ranks: nil)
    return [
      .block(block, style: MapSamples.area, hidden: []), .labels(set),
      .symbols(SymbolSet(parts: [part], style: MapSamples.line, priority: 0)),
    ]
  }

  @Test(arguments: Seeds.some(40))
  func `A fit shows all four edges`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    let extent = Self.extent(&numbers)
    let plane = MapPlane(projection: .planar, reference: extent)
    let camera = Camera.fitting(extent, plane: plane, size: Self.size(&numbers))
    for corner in Self.corners(extent) {
      #expect(camera.cell(at: corner) != nil, "seed \(seed) \(corner)")
    }
    #expect(camera.zoomed(to: camera.zoom - 9).visible.width > 100 * camera.visible.width)
  }

  @Test func `A metre of ten thousand kilometres is drawn at its place`() throws {
    let extent = Box(minX: 0, minY: 0, maxX: 1e7, maxY: 1e7)
    let plane = MapPlane(projection: .planar, reference: extent)
    let box = Box(minX: 7_654_321, minY: 1_234_567, maxX: 7_654_325, maxY: 1_234_571)
    let camera = Camera.fitting(
      box, plane: plane, size: CellSize(columns: 40, rows: 20), margin: 0)
    #expect(abs(camera.visible.width - 4) < 0.1)
    let place = Coordinate(x: box.minX + 1.05, y: box.minY + 1.05)
    let frame = MapSamples.frame([.geometry(.point(place), style: MapSamples.line)], camera)
    let shown = frame.cells.indices.filter { frame.cells[$0] != .blank }
    #expect(shown == [14 * 40 + 10])
  }

  @Test(arguments: Seeds.some(20))
  func `A plane that reaches more shows the same`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    let extent = Self.extent(&numbers)
    let plane = MapPlane(projection: .planar, reference: extent)
    let camera = Camera(
      plane: plane, center: extent.center, zoom: .random(in: -3...20, using: &numbers),
      size: Self.size(&numbers))
    let away = Double.random(in: 1...1e4, using: &numbers) * (extent.width + extent.height)
    var box = extent
    box.formUnion(Coordinate(x: extent.maxX + away, y: extent.minY))
    let wider = camera.reaching(box)
    #expect(wider.plane.doublings > 0)
    #expect((wider.originX, wider.originY) == (camera.originX, camera.originY))
    #expect(
      wider.worldDots == camera.worldDots
        * Mathematics.power(
          ofTwo: Double(
            wider.plane.doublings)))
    for place in Self.corners(box) {
      guard let dot = camera.dot(at: place), let other = wider.dot(at: place) else {
        Issue.record("seed \(seed)")
        continue
      }
      #expect(abs(dot.x - other.x) < 0.01 && abs(dot.y - other.y) < 0.01, "seed \(seed)")
    }
  }

  @Test func `A plane of the greatest numbers keeps a finite side`() {
    let reference = Box(minX: -4e307, minY: 0, maxX: 4e307, maxY: 1)
    let plane = MapPlane(projection: .planar, reference: reference)
    let wider = plane.reaching(
      Box(minX: 0, minY: 0, maxX: 1.7e308, maxY: 1), doublingsMax: 44)
    #expect(wider.doublings == 1)
    #expect(wider.side.isFinite)
  }

  @Test func `Hostile numbers give a usable planar camera`() {
    let values = [Double.nan, .infinity, 1e308, -1e308, 1.7e308, .leastNonzeroMagnitude, 0, 3]
    for value in values {
      for other in values {
        let reference = Box(minX: value, minY: other, maxX: value, maxY: other + 1e-300)
        let plane = MapPlane(projection: .planar, reference: reference)
        let camera = Camera(
          plane: plane, center: Coordinate(x: other, y: value), zoom: value,
          size: CellSize(columns: 30, rows: 10))
        #expect(camera.center.x.isFinite && camera.center.y.isFinite && camera.zoom.isFinite)
        let box = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
        #expect(MapSamples.frame(Self.marks(box), camera).cells.count == 300)
        let moved = camera.panned(columns: .max, rows: .min).zoomed(to: -1e9)
        #expect(moved.center.x.isFinite && moved.center.y.isFinite)
        #expect(Camera.fitting(reference, plane: plane, size: camera.size).zoom.isFinite)
      }
    }
  }
}
