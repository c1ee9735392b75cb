import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// What a box takes of real maps, against a plain look at every vertex. Without the data they are
/// skipped; the large coast takes minutes and runs where `PORTOLAN_SLOW` is set.
@Suite struct BoxExportTests {
  @Test(arguments: [
    ("ne_50m_countries.geojson.gz", 240), ("wdb_rivers_i.geojson.gz", 23_000),
    ("gshhg_coast_l.geojson.gz", 10_000), ("gshhg_coast_h.geojson.gz", 150_000),
  ])
  func `Random boxes take no feature too many and none too few`(
    file: String, featureCountMin: Int
  ) throws {
    if file.contains("_h."), !Sample.runsSlowTests {
      print("skipped: \(file) takes minutes; set PORTOLAN_SLOW=1")
      return
    }
    guard let bytes = try Sample.unpacked(file) else {
      print("skipped: \(file) is not there")
      return
    }
    let blocks = try Sample.read(bytes).featureLayers.flatMap(\.blocks)
    let shapes = blocks.map { block in
      (0..<block.rowCount).map { PlainShape(block.geometry, row: $0) }
    }
    #expect(shapes.reduce(0) { $0 + $1.count } > featureCountMin)
    var boxes = RandomBoxes(seed: UInt64(featureCountMin), blocks: blocks.map(\.geometry))
    var takenCount = 0
    for _ in 0..<60 {
      let box = boxes.next()
      let options = ExportOptions(box: box)
      for (block, shapes) in zip(blocks, shapes) {
        let taken = (0..<block.rowCount).filter { options.includes(block, $0) }
        let wanted = (0..<block.rowCount).filter { shapes[$0].touches(box) }
        takenCount += taken.count
        #expect(taken == wanted, "\(box) of \(file), rows after \(block.featureIDs[0])")
      }
    }
    #expect(takenCount > 60)
  }
}

/// A feature with its paths unrolled on the globe, looked at vertex by vertex.
private struct PlainShape {
  private struct Path {
    var role: PathRole
    var places: [Coordinate]
    var box = Box.empty
    /// Where a ring around the world is closed beyond its pole.
    var poleward: [Coordinate] = []
  }

  private var paths: [Path] = []
  private var box = Box.empty

  init(_ block: GeometryBlock, row: Int) {
    let geometry = block.geometry(ofFeature: row)
    let isWithin = geometry.box.minX >= -180 && geometry.box.maxX <= 180
    for path in geometry.paths {
      var (places, offset) = (path.vertices, 0.0)
      for (index, place) in path.vertices.enumerated().dropFirst() where isWithin {
        let step = place.x - path.vertices[index - 1].x
        if step >= 330 && step < 360 { offset -= 360 }
        if step <= -330 && step > -360 { offset += 360 }
        places[index].x += offset
      }
      var shape = Path(role: path.role, places: places)
      for place in places { shape.box.formUnion(place) }
      if path.role.isRing, offset != 0, let first = places.first, let last = places.last {
        let pole = first.y < 0 ? -999.0 : 999
        shape.poleward = [
          last, Coordinate(x: last.x, y: pole), Coordinate(x: first.x, y: pole), first,
        ]
        shape.box.formUnion(Coordinate(x: first.x, y: pole))
      }
      paths.append(shape)
      box = box.union(shape.box)
    }
  }

  func touches(_ box: Box) -> Bool {
    if self.box.minY > box.maxY || self.box.maxY < box.minY { return false }
    var isOdd = false
    for path in paths {
      if !path.role.isHole {
        if isOdd { return true }
        isOdd = false
      }
      for turn in [-720.0, -360, 0, 360, 720] {
        let east = box.maxX + turn + (box.minX > box.maxX ? 360 : 0)
        let frame = Box(minX: box.minX + turn, minY: box.minY, maxX: east, maxY: box.maxY)
        guard frame.intersects(path.box) else { continue }
        if path.places.contains(where: { frame.contains($0) }) { return true }
        if path.role.kind.dimension == 0 { continue }
        if zip(path.places, path.places.dropFirst()).contains(where: { Self.cuts($0, $1, frame) }) {
          return true
        }
        guard path.role.isRing else { continue }
        if Self.holds(path.places, frame) != Self.holds(path.poleward, frame) { isOdd.toggle() }
      }
    }
    return isOdd
  }

  /// Whether a segment without ends in the box crosses one of its sides.
  private static func cuts(_ a: Coordinate, _ b: Coordinate, _ box: Box) -> Bool {
    for x in [box.minX, box.maxX] where (a.x < x) != (b.x < x) {
      let y = a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))
      if y >= box.minY && y <= box.maxY { return true }
    }
    for y in [box.minY, box.maxY] where (a.y < y) != (b.y < y) {
      let x = a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y))
      if x >= box.minX && x <= box.maxX { return true }
    }
    return false
  }

  /// Whether a ray from the box's northeast corner to the east crosses a ring oddly.
  private static func holds(_ ring: [Coordinate], _ box: Box) -> Bool {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y > box.maxY) != (b.y > box.maxY) {
      if box.maxX < a.x + (b.x - a.x) * ((box.maxY - a.y) / (b.y - a.y)) { isInside.toggle() }
    }
    return isInside
  }
}

/// Boxes of all sizes near the features, also on their vertices and across the antimeridian.
private struct RandomBoxes {
  private var random: SeededGenerator
  private let blocks: [GeometryBlock]

  init(seed: UInt64, blocks: [GeometryBlock]) {
    random = SeededGenerator(seed: seed)
    self.blocks = blocks.filter { $0.vertexCount > 0 }
  }

  mutating func next() -> Box {
    let block = blocks[Int(random.next() % UInt64(blocks.count))]
    let vertex = block.coordinate(at: Int(random.next() % UInt64(block.vertexCount)))
    var size = 40.0
    for _ in 0..<random.next() % 6 { size /= 4 }
    let (width, height) = (part() * size, part() * size)
    switch random.next() % 6 {
    case 0:  // Only its southwest corner is surely on the feature.
      return Box(minX: vertex.x, minY: vertex.y, maxX: vertex.x + width, maxY: vertex.y + height)
    case 1:
      return Box(minX: vertex.x - width, minY: vertex.y - height, maxX: vertex.x, maxY: vertex.y)
    case 2:
      return Box(minX: 180 - width, minY: vertex.y - height, maxX: -180 + width, maxY: vertex.y)
    default:
      let west = vertex.x + (part() - 0.5) * 2 * size
      let south = vertex.y + (part() - 0.5) * 2 * size
      return Box(minX: west, minY: south, maxX: west + width, maxY: south + height)
    }
  }

  /// A number from 0 to 1.
  private mutating func part() -> Double { Double(random.next() >> 11) * 0x1p-53 }
}
