import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Shapes that are wide, unwrapped or around the world, against a plain test of places: cuts and
/// edits keep what is in them, and boxes find it.
@Suite struct WideShapeLawTests {
  @Test func `A cut keeps what is in a shape, its area, and what boxes find`() {
    let broken = Laws.broken("wide shapes cut") { seed in
      var shapes = WideShapes(seed: seed)
      let geometry = shapes.geometry()
      let cut = ConformedGeometry(geometry, decimals: 9, isGeographic: true).geometry
      if let problem = shapes.differences(PlainRegion(geometry), PlainRegion(cut)) {
        return "\(told(geometry)) cut to \(told(cut)): \(problem)"
      }
      if cut.box.leavesWorld { return "\(told(geometry)) cut to \(told(cut))" }
      let areas = [geometry, cut].map { PlainRegion($0).area }
      if (areas[0] - areas[1]).magnitude > 1e-4 {
        return "\(told(geometry)) of area \(areas[0]) cut to \(told(cut)) of \(areas[1])"
      }
      guard let block = block(geometry) else { return "no block" }
      for _ in 0..<12 {
        let place = shapes.place()
        let box = Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
        let isFound = BoxTouch(box, isGeographic: true).touches(block, row: 0)
        if isFound != PlainRegion(geometry).contains(place) {
          return "\(told(geometry)) at \(place): found \(isFound)"
        }
      }
      return nil
    }
    #expect(broken == [])
  }

  @Test func `A move keeps the shape, and moves it back`() {
    let broken = Laws.broken("wide shapes moved") { seed in
      var shapes = WideShapes(seed: seed)
      let geometry = shapes.geometry()
      let x = Double(shapes.number(-1800...1800)) / 10
      var moved = geometry
      moved.changeOnGlobe { geometry in
        for path in geometry.paths.indices {
          for vertex in geometry.paths[path].vertices.indices {
            geometry.paths[path].vertices[vertex].x =
              NumberText.sum(geometry.paths[path].vertices[vertex].x, x)
          }
        }
      }
      let region = PlainRegion(moved)
      for _ in 0..<40 {
        let place = shapes.place()
        let there = Coordinate(x: place.x + x, y: place.y)
        if PlainRegion(geometry).contains(place) != region.contains(there) {
          return "\(told(geometry)) moved by \(x) to \(told(moved)): differs at \(place)"
        }
      }
      let ruled = ConformedGeometry(moved, decimals: 9, isGeographic: true, winds: false).geometry
      return shapes.differences(region, PlainRegion(ruled)).map {
        "\(told(geometry)) moved by \(x) to \(told(moved)), cut to \(told(ruled)): \($0)"
      }
    }
    #expect(broken == [])
  }

  @Test func `A ring around a pole is closed along it, wherever it begins`() {
    for start in [0.0, 180, -180, 170, -90, 45] {
      for isEast in [true, false] {
        for latitude in [-70.0, 70] {
          let ring = (0..<36).map { step in
            let x = start + Double(isEast ? step : -step) * 10
            return Coordinate(x: Longitude.wrapped(x), y: latitude)
          }
          let cut = ConformedGeometry(.polygon([ring]), decimals: 6, isGeographic: true)
          let region = PlainRegion(cut.geometry)
          #expect(cut.geometry.kind == .polygon && !cut.geometry.box.leavesWorld)
          #expect((region.area - 360 * 20).magnitude < 1e-6, "\(start) \(latitude)")
          for x in stride(from: -175.0, through: 175, by: 50) {
            #expect(region.contains(Coordinate(x: x, y: latitude * 1.1)))
            #expect(!region.contains(Coordinate(x: x, y: latitude / 2)))
          }
        }
      }
    }
  }

  @Test(arguments: [
    // Wider than half the globe: as it stands, cut at 180.
    ([-215.0, 15], [[-180.0, 15], [145, 180]]), ([170, 370], [[-180, 10], [170, 180]]),
    ([-100, 100], [[-100, 100]]), ([-180, 180], [[-180, 180]]),
    // Both ends are near 180: across it.
    ([-179, 179], [[-180, -179], [179, 180]]), ([-165, 165], [[-180, -165], [165, 180]]),
    ([-164, 165], [[-164, 165]]),
  ])
  func `A box is taken as the law says`(x: [Double], wanted: [[Double]]) {
    let ring = [(x[0], 0.0), (x[1], 0), (x[1], 10), (x[0], 10), (x[0], 0)]
      .map { Coordinate(x: $0.0, y: $0.1) }
    let cut = ConformedGeometry(.polygon([ring]), decimals: 6, isGeographic: true).geometry
    let boxes = cut.paths.map { Geometry(kind: .polygon, paths: [$0]).box }
    #expect(boxes.map { [$0.minX, $0.maxX] }.sorted { $0[0] < $1[0] } == wanted)
  }

  @Test func `Each jump is counted once, also where a box chooses and shapes are cut`() throws {
    let broken = Laws.broken("jumps") { seed in
      var shapes = WideShapes(seed: seed)
      var layer = FeatureLayer(
        id: LayerID(1), name: "l", style: .standard(forDimension: 1, index: 0))
      var jumps = 0
      for _ in 0..<3 {
        let geometry = shapes.geometry()
        if geometry.box.mayJump { jumps += geometry.jumpCount }
        _ = layer.add(geometry: geometry, attributes: [])
      }
      let box = Box(minX: -180, minY: -90, maxX: 180, maxY: 90)
      let report = try GeoJSONFormat().write([layer], options: ExportOptions(box: box)) { _ in }
      return report.jumps == jumps ? nil : "\(report.jumps) counted of \(jumps)"
    }
    #expect(broken == [])
  }

  private func told(_ geometry: Geometry) -> String {
    "\(geometry.kind) \(geometry.paths.map { $0.vertices.map { [$0.x, $0.y] } })"
  }

  private func block(_ geometry: Geometry) -> GeometryBlock? {
    var builder = GeometryBlockBuilder()
    builder.append(geometry)
    return builder.block()
  }
}

/// What a geometry covers, by a test of each place: rays to the north through unrolled rings, on many
/// turns of the globe.
private struct PlainRegion {
  private var paths: [(role: PathRole, places: [Coordinate])] = []

  init(_ geometry: Geometry) {
    let places = geometry.paths.flatMap(\.vertices)
    let isWithin = places.allSatisfy { $0.x >= -180 && $0.x <= 180 }
    for path in geometry.paths {
      var (unrolled, turns) = (path.vertices, 0.0)
      for index in path.vertices.indices.dropFirst() where isWithin {
        let step = path.vertices[index].x - path.vertices[index - 1].x
        if step >= 330, step < 360 { turns -= 360 }
        if step <= -330, step > -360 { turns += 360 }
        if path.role.kind.dimension != 0 { unrolled[index].x += turns }
      }
      paths.append((path.role, unrolled))
    }
  }

  /// In square degrees, holes taken off.
  var area: Double {
    paths.reduce(0) { sum, path in
      guard path.role.isRing else { return sum }
      let area = (Ring.signedArea(path.places) / 2).magnitude
      return sum + (path.role.isHole ? -area : area)
    }
  }

  /// Whether a place, no vertex and on no edge, is in an area.
  func contains(_ place: Coordinate) -> Bool {
    for turn in -5...5 {
      let x = place.x + 360 * Double(turn)
      var isInside = false
      for path in paths where path.role.isRing {
        if path.role.beginsPolygon {
          if isInside { return true }
          isInside = false
        }
        for (a, b) in zip(path.places, path.places.dropFirst()) where (a.x > x) != (b.x > x) {
          if place.y < a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) { isInside.toggle() }
        }
      }
      if isInside { return true }
    }
    return false
  }

  /// The longitudes, within a turn, at which lines cross a parallel.
  func crossings(_ y: Double) -> [Double] {
    var found: [Double] = []
    for path in paths where path.role.kind.dimension == 1 {
      for (a, b) in zip(path.places, path.places.dropFirst()) where (a.y > y) != (b.y > y) {
        let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
        found.append(x - 360 * (x / 360).rounded(.down))
      }
    }
    return found.sorted()
  }

  var points: [Coordinate] {
    paths.filter { $0.role.kind.dimension == 0 }.flatMap(\.places)
      .map { place in
        let x = place.x - 360 * (place.x / 360).rounded(.down)
        return Coordinate(x: NumberText.rounded(x, decimals: 6), y: place.y)
      }
      .sorted { ($0.x, $0.y) < ($1.x, $1.y) }
  }
}

/// Shapes wider than a view of half the globe, made of a seed: stars with holes beside each other.
private struct WideShapes: Choosing {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func geometry() -> Geometry {
    switch number(0...4) {
    case 0: return .polygon(rings(at: x()))
    case 1: return .line((0..<number(2...6)).map { _ in far() })
    case 2: return collection()
    default: return multiPolygon()
    }
  }

  /// A place that is on no edge: these have fewer decimals.
  mutating func place() -> Coordinate {
    Coordinate(
      x: Double(number(-179_000_000...179_000_000)) / 1e6 + 0.000_000_37,
      y: Double(number(-85_000_000...85_000_000)) / 1e6 + 0.000_000_41)
  }

  /// Where two shapes differ; `nil` if they do not.
  mutating func differences(_ one: PlainRegion, _ other: PlainRegion) -> String? {
    for _ in 0..<40 {
      let place = place()
      if one.contains(place) != other.contains(place) { return "they differ at \(place)" }
    }
    for _ in 0..<4 {
      let y = place().y
      let (wanted, found) = (one.crossings(y), other.crossings(y))
      let isSame =
        wanted.count == found.count && zip(wanted, found).allSatisfy { ($0 - $1).magnitude < 1e-5 }
      if !isSame { return "lines cross \(y) at \(wanted) and \(found)" }
    }
    return one.points == other.points ? nil : "points \(one.points) and \(other.points)"
  }

  private mutating func x() -> Double { Double(number(-360...360)) }

  private mutating func far() -> Coordinate {
    Coordinate(x: Double(number(-4000...4000)) / 10, y: Double(number(-850...850)) / 10)
  }

  /// A ring around a middle, and now and then a hole in it.
  private mutating func rings(at x: Double) -> [[Coordinate]] {
    let middle = Coordinate(x: x, y: Double(number(-30...30)))
    let width = Double(number(20...179))
    var outer: [Coordinate] = []
    var hole: [Coordinate] = []
    let count = number(3...9)
    let turned = chance(2)
    for index in 0..<count {
      let part = Double(index) / Double(count) * 4
      let corners = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1), (1, 0)]
      let (from, to) = (corners[Int(part)], corners[Int(part) + 1])
      let rest = part - Double(Int(part))
      let (cosine, sine) = (
        from.0 + (to.0 - from.0) * rest, from.1 + (to.1 - from.1) * rest
      )
      let reach = Double(number(50...100)) / 100
      func place(_ scale: Double) -> Coordinate {
        Coordinate(
          x: NumberText.rounded(middle.x + width * cosine * scale, decimals: 4),
          y: NumberText.rounded(middle.y + 45 * sine * scale, decimals: 4))
      }
      outer.append(place(reach))
      hole.append(place(reach * 0.4))
    }
    var rings = [outer + outer.prefix(1)]
    if chance(2) { rings.append(hole + hole.prefix(1)) }
    return turned ? rings.map { $0.reversed() } : rings
  }

  private mutating func multiPolygon() -> Geometry {
    var paths: [Geometry.Path] = []
    for _ in 0..<number(1...2) {
      for path in Geometry.polygon(rings(at: x())).paths {
        var path = path
        path.role = PathRole(
          kind: .multiPolygon, beginsMember: paths.isEmpty,
          beginsPolygon: path.role.beginsPolygon)
        paths.append(path)
      }
    }
    return Geometry(kind: .multiPolygon, paths: paths)
  }

  private mutating func collection() -> Geometry {
    let members: [Geometry] = [
      .point(far()), .line([far(), far()]), .polygon(rings(at: x())),
    ]
    return Geometry(kind: .geometryCollection, paths: members.flatMap(\.paths))
  }
}
