import PortolanDocuments
import PortolanGraphics

/// One round of the repair of a coverage.
struct CoveragePass {
  /// A polygon of the layer.
  struct Shape {
    var feature: FeatureID
    /// The paths of its rings within the geometry of the feature.
    var paths: Range<Int>
    /// The vertices of those paths where they lie in here.
    var places: [[Coordinate]]
    /// Its rings, open, the polygon on their left; without equal vertices in a row.
    var rings: [[Coordinate]]
    /// Whether each of them was turned round for that.
    var isTurned: [Bool]

    init?(
      _ feature: FeatureID, _ paths: Range<Int>, _ former: [Geometry.Path],
      around meridian: inout Meridian, isGeographic: Bool
    ) {
      guard let places = meridian.moved(former.map(\.vertices), isGeographic: isGeographic) else {
        return nil
      }
      (self.feature, self.paths, self.places) = (feature, paths, places)
      rings = places.map(\.distinct)
      isTurned = zip(rings, former).map { ring, path in
        (PortolanGraphics.Ring.signedArea(ring + ring.prefix(1)) > 0) == path.role.isHole
      }
      guard rings.allSatisfy({ $0.count > 2 }) else { return nil }
      for (index, isTurned) in isTurned.enumerated() where isTurned { rings[index].reverse() }
    }
  }

  /// The new geometries of features.
  private(set) var geometries: [FeatureID: Geometry] = [:]
  /// Features that would have no area any more, or one that their kind cannot have.
  private(set) var refused: Set<FeatureID> = []
  var repairs: [Finding] = []

  let layer: any BlockHolding
  let isGeographic: Bool
  let width: Double
  let choice: CodeChoice
  /// All places in here are around it.
  private(set) var meridian: Meridian
  /// Features that gain and lose no region.
  let frozen: Set<FeatureID>
  /// Features that do not change at all.
  let fixed: Set<FeatureID>
  let tolerance: BorderTolerance
  var shapes: [Shape] = []
  /// The rings with the vertices of others on their edges, and those of crossings.
  var noded: [[[Coordinate]]] = []
  /// Vertices that were made where borders cross.
  var crossings: Set<Coordinate> = []
  /// Those of them that bound a region that changed hands.
  var kept: Set<Coordinate> = []
  /// The steps around the new area of polygons that gained or lost a region.
  var areas: [Int: [ArcTable.Step]] = [:]

  init(
    _ layer: any BlockHolding, isGeographic: Bool, width: Double, choice: CodeChoice,
    around meridian: Meridian,
    frozen: Set<FeatureID>, fixed: Set<FeatureID>, progress: () throws -> Void
  ) throws {
    (self.layer, self.isGeographic, self.width) = (layer, isGeographic, width)
    (self.choice, self.meridian, self.frozen, self.fixed) = (choice, meridian, frozen, fixed)
    tolerance = BorderTolerance(isGeographic: isGeographic)
    readShapes()
    noded = shapes.map(\.rings)
    guard try node(progress) else { return }
    let table = makeTable()
    try assignRegions(table, progress)
    try write(table, progress)
    repairs.removeAll { repair in repair.feature.map { geometries[$0.feature] == nil } ?? true }
  }

  /// Reads the polygons; those that cannot lie around the meridian, and broken ones, are left out.
  private mutating func readShapes() {
    for block in layer.blocks {
      for row in 0..<block.rowCount {
        let paths = block.geometry.geometry(ofFeature: row).paths
        var first = 0
        while first < paths.count {
          var end = first + 1
          while end < paths.count, paths[end].role.isHole { end += 1 }
          if paths[first].role.isRing,
            let shape = Shape(
              block.featureIDs[row], first..<end, Array(paths[first..<end]), around: &meridian,
              isGeographic: isGeographic)
          {
            shapes.append(shape)
          }
          first = end
        }
      }
    }
  }

  /// The table of all rings as they are now; the number of an owner is that of its shape.
  func makeTable() -> ArcTable {
    var builder = ArcTable.Builder()
    for (owner, rings) in noded.enumerated() {
      for ring in rings { builder.add(owner: owner, ring) }
    }
    return builder.finish()
  }

  // MARK: New geometries

  private mutating func write(_ table: ArcTable, _ progress: () throws -> Void) throws {
    var changed: [FeatureID: [(shape: Int, outlines: [[[Coordinate]]])]] = [:]
    for (number, shape) in shapes.enumerated() where !fixed.contains(shape.feature) {
      if number & 255 == 0 { try progress() }
      var outlines = [noded[number]]
      if let steps = areas[number] {
        guard let made = table.outlines(along: steps), !made.isEmpty else {
          refused.insert(shape.feature)
          continue
        }
        outlines = made.map { $0.map { Array($0.dropLast()) } }
      }
      outlines = outlines.map { rings in rings.map { without($0) } }
      if outlines.joined().contains(where: { $0.count < 3 }) {
        refused.insert(shape.feature)
      } else if areas[number] != nil || outlines != [shape.rings] {
        changed[shape.feature, default: []].append((number, outlines))
      }
    }
    for (id, parts) in changed where !refused.contains(id) {
      guard let geometry = layer.feature(id)?.geometry else { continue }
      if let made = self.geometry(geometry, with: parts) {
        if made != geometry { geometries[id] = made }
      } else {
        refused.insert(id)
      }
    }
  }

  /// A ring without the vertices of crossings that bound nothing that changed.
  private func without(_ ring: [Coordinate]) -> [Coordinate] {
    if crossings.isEmpty { return ring }
    return ring.filter { !crossings.contains($0) || kept.contains($0) }
  }

  /// A geometry with other polygons in the place of some; `nil` if its kind cannot have them.
  private func geometry(
    _ former: Geometry, with parts: [(shape: Int, outlines: [[[Coordinate]]])]
  ) -> Geometry? {
    var made = former
    let isSplit = parts.contains { $0.outlines.count > 1 }
    if isSplit, former.kind != .polygon, former.kind != .multiPolygon { return nil }
    for (number, outlines) in parts.sorted(by: { $0.shape > $1.shape }) {
      let shape = shapes[number]
      let old = Array(former.paths[shape.paths])
      var paths: [Geometry.Path] = []
      for outline in outlines {
        let form = RingForm(old, shape, meridian)
        for (index, ring) in form.sorted(outline).enumerated() {
          var path = form.path(ring, isHole: index > 0)
          path.role = PathRole(
            kind: old[0].role.kind, beginsMember: paths.isEmpty && old[0].role.beginsMember,
            beginsPolygon: index == 0)
          paths.append(path)
        }
      }
      made.paths.replaceSubrange(shape.paths, with: paths)
    }
    if isSplit, former.kind == .polygon {
      made.kind = .multiPolygon
      for index in made.paths.indices {
        made.paths[index].role = PathRole(
          kind: .multiPolygon, beginsMember: index == 0,
          beginsPolygon: made.paths[index].role.beginsPolygon)
      }
    }
    return made
  }
}

/// The form of a polygon's rings: where they begin, which way they go, and their heights.
private struct RingForm {
  private let old: [Geometry.Path]
  private let shape: CoveragePass.Shape
  private let meridian: Meridian
  private let longitudes: ClosedRange<Double>
  /// The first ring, and the vertex of it, that has a place.
  private var vertices: [Coordinate: (ring: Int, vertex: Int)] = [:]

  init(_ old: [Geometry.Path], _ shape: CoveragePass.Shape, _ meridian: Meridian) {
    (self.old, self.shape, self.meridian) = (old, shape, meridian)
    let longitudes = old.lazy.flatMap(\.vertices).map(\.x)
    self.longitudes = (longitudes.min() ?? 0)...(longitudes.max() ?? 0)
    for (ring, places) in shape.places.enumerated() {
      for (vertex, place) in places.enumerated() where vertices[place] == nil {
        vertices[place] = (ring, vertex)
      }
    }
  }

  /// A place as it was in the polygon, or as it is written there.
  private func unmoved(_ place: Coordinate) -> Coordinate {
    if let (ring, vertex) = vertices[place] { return old[ring].vertices[vertex] }
    return meridian.unmoved(
      place, like: (old[0].vertices[0], shape.places[0][0]), in: longitudes)
  }

  /// The outer ring, then the holes in their former order.
  func sorted(_ rings: [[Coordinate]]) -> [[Coordinate]] {
    func number(_ ring: [Coordinate]) -> Int {
      ring.compactMap { vertices[$0]?.ring }.min() ?? .max
    }
    let holes = rings.dropFirst().enumerated().sorted {
      (number($0.element), $0.offset) < (number($1.element), $1.offset)
    }
    return rings.prefix(1) + holes.map(\.element)
  }

  /// A ring that begins at its first former vertex, goes the former way, and is closed.
  func path(_ ring: [Coordinate], isHole: Bool) -> Geometry.Path {
    let former = ring.indices.filter { vertices[ring[$0]] != nil }
    let start = former.min { first, second in
      guard let (ring1, vertex1) = vertices[ring[first]],
        let (ring2, vertex2) = vertices[ring[second]]
      else { return false }
      return (ring1, vertex1) < (ring2, vertex2)
    }
    var places = Array(ring[(start ?? 0)...] + ring[..<(start ?? 0)])
    let known = start.flatMap { vertices[ring[$0]]?.ring }
    let isTurned =
      known.map { shape.isTurned[$0] } ?? shape.isTurned[isHole ? shape.isTurned.count - 1 : 0]
    if isTurned { places = places.prefix(1) + places.dropFirst().reversed() }
    places.append(places[0])
    guard old.contains(where: { !$0.elevations.isEmpty }) else {
      return Geometry.Path(role: old[0].role, vertices: places.map(unmoved))
    }
    let heights = places.map { place -> Double? in
      guard let (ring, vertex) = vertices[place], old[ring].elevations.indices.contains(vertex)
      else { return nil }
      return old[ring].elevations[vertex]
    }
    return Geometry.Path(
      role: old[0].role, vertices: places.map(unmoved),
      elevations: heights.contains { $0 != nil } ? heights : [])
  }
}
