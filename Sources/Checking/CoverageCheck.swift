package import PortolanDocuments
import PortolanGraphics

/// Finds the faults of polygons that should cover a region: gaps, overlaps, and vertices that one
/// neighbour has on a common border and the other lacks.
///
/// Borders that two polygons share vertex by vertex are right, and found by the table of arcs; only
/// the others are compared, unless areas overlap.
package struct CoverageCheck {
  /// A polygon of the layer.
  struct Polygon {
    var feature: FeatureID
    /// Its rings in the table.
    var rings: Range<Int>
    var box: Box
    /// Whether it lies on both sides of 180 degrees.
    var isAcross = false
  }

  private let layer: any FeatureHolding
  let tolerance: BorderTolerance
  let isGeographic: Bool
  var table: ArcTable
  var polygons: [Polygon] = []
  /// The polygons of the rings.
  var polygonOfRing: [Int] = []
  private var isAcross = false
  var features: [FeatureID] = []
  private var findings: [Finding] = []
  /// Pairs of features whose overlap is told, and places that are.
  private var knownPairs: Set<[UInt64]> = []
  private var knownPlaces: Set<Coordinate> = []
  /// The features of those pairs.
  private(set) var overlapping: Set<FeatureID> = []
  lazy var tree = BoxTree(polygons.map(\.box))
  var isIntricate = false

  /// Checks the polygons of a layer; layers without polygons have no findings.
  ///
  /// - Parameters:
  ///   - isGeographic: whether coordinates are degrees: a vertex within a millionth of a degree of
  ///     a border (0.1 m) is taken to be on it; else within a millimetre.
  ///   - progress: called with the part that is done, 0 to 1; it stops the work by throwing.
  /// - Complexity: O(vertices · log polygons) where borders are shared or few edges are near.
  package static func check(
    _ layer: any FeatureHolding, isGeographic: Bool, progress: (Double) throws -> Void = { _ in }
  ) throws -> [Finding] {
    var check = CoverageCheck(layer, isGeographic: isGeographic)
    guard check.polygons.count > 1 else { return [] }
    try progress(0.2)
    let uses = check.table.uses
    check.findDoubleBorders(uses)
    let open = uses.indices.filter { uses[$0].count == 1 }
    try progress(0.4)
    try check.compareBorders(open, uses) { try progress(0.4 + 0.3 * $0) }
    if !check.overlapping.isEmpty {
      let shared = check.commonArcsNearOverlaps(uses)
      try check.compareBorders(shared, uses) { try progress(0.7 + 0.2 * $0) }
    }
    check.findGaps(open, uses)
    if check.isIntricate, let first = check.polygons.first {
      check.emit(
        .intricate, "the borders of the layer were not compared to the end", first.feature,
        at: first.box.center)
    }
    return check.findings
  }

  private init(_ layer: any FeatureHolding, isGeographic: Bool) {
    self.layer = layer
    self.isGeographic = isGeographic
    tolerance = BorderTolerance(isGeographic: isGeographic)
    var builder = ArcTable.Builder()
    for block in layer.blocks {
      let geometry = block.geometry
      let numbers = geometry.coordinates
      for row in geometry.kinds.indices {
        let start = row > 0 ? Int(geometry.featureEnds[row - 1]) : 0
        for path in start..<max(start, Int(geometry.featureEnds[row]))
        where geometry.pathRoles[path].isRing {
          let first = path > 0 ? Int(geometry.pathEnds[path - 1]) : 0
          let range = first..<max(first, Int(geometry.pathEnds[path]))
          if geometry.pathRoles[path].beginsPolygon || features.isEmpty {
            features.append(block.featureIDs[row])
          }
          var ring = range.map {
            Coordinate(x: numbers[2 * $0], y: numbers[2 * $0 + 1])
          }
          // The polygon lies on the left of all its rings.
          let isCounterclockwise =
            PortolanGraphics.Ring.signedArea(isGeographic ? ring.continued : ring) > 0
          if isCounterclockwise == geometry.pathRoles[path].isHole { ring.reverse() }
          builder.add(owner: features.count - 1, ring)
        }
      }
    }
    table = builder.finish()
    var first = 0
    while first < table.rings.count {
      let owner = table.rings[first].owner
      var end = first
      var box = Box.empty
      while end < table.rings.count, table.rings[end].owner == owner {
        for place in table.coordinates(of: table.rings[end]) { box.formUnion(place) }
        end += 1
      }
      let isAcross =
        isGeographic && box.width >= Longitude.leastJump
        && table.rings[first..<end].contains { ring in
          let places = table.coordinates(of: ring)
          return places.continued != places
        }
      // It reaches 180 degrees on both sides, between its vertices.
      if isAcross { (box.minX, box.maxX) = (min(box.minX, -180), max(box.maxX, 180)) }
      polygonOfRing += repeatElement(polygons.count, count: end - first)
      polygons.append(
        Polygon(feature: features[owner], rings: first..<end, box: box, isAcross: isAcross))
      first = end
    }
    isAcross = polygons.contains(where: \.isAcross)
  }

  // MARK: Findings

  private mutating func emit(
    _ code: FaultCode, _ message: String, _ feature: FeatureID, _ others: [FeatureID] = [],
    at place: Coordinate
  ) {
    let position =
      isAcross ? Coordinate(x: Longitude.onGlobe(place.x), y: place.y) : place
    var finding = Finding(
      code, message, path: "\(layer.name), feature \(feature.rawValue)", position: position,
      feature: FeatureReference(layer: layer.id, feature: feature))
    finding.others = others.map { FeatureReference(layer: layer.id, feature: $0) }
    findings.append(finding)
  }

  func feature(ofRing ring: Int) -> FeatureID { features[table.rings[ring].owner] }

  private static func pair(_ first: FeatureID, _ second: FeatureID) -> [UInt64] {
    [min(first.rawValue, second.rawValue), max(first.rawValue, second.rawValue)]
  }

  /// Whether two features are one, or their overlap is told.
  func isKnown(_ first: FeatureID, _ second: FeatureID) -> Bool {
    first == second || knownPairs.contains(Self.pair(first, second))
  }

  mutating func emitOverlap(_ first: FeatureID, _ second: FeatureID, at place: Coordinate) {
    guard first != second, knownPairs.insert(Self.pair(first, second)).inserted else { return }
    overlapping.formUnion([first, second])
    emit(.overlap, "overlaps feature \(second.rawValue)", first, [second], at: place)
  }

  mutating func emitMissing(_ place: Coordinate, of owner: FeatureID, in other: FeatureID) {
    guard knownPlaces.insert(place).inserted else { return }
    emit(
      .missingVertex, "feature \(owner.rawValue) has a vertex here on the border, this one none",
      other, [owner], at: place)
  }

  // MARK: Borders of more than two

  /// Finds arcs with polygons on one side twice.
  private mutating func findDoubleBorders(_ uses: [[(ring: Int, isReversed: Bool)]]) {
    for (arc, rings) in uses.enumerated() where rings.count > 1 {
      let range = table.range(ofArc: arc)
      let place = table.places[Int(table.vertices[(range.lowerBound + range.upperBound) / 2])]
      for side in [false, true] {
        let same = rings.filter { $0.isReversed == side }
        guard same.count > 1, let first = same.first else { continue }
        for other in same.dropFirst() {
          emitOverlap(feature(ofRing: first.ring), feature(ofRing: other.ring), at: place)
        }
      }
    }
  }

  // MARK: Gaps

  /// Finds the regions outside of all polygons that several of them enclose.
  ///
  /// Polygons lie on the left of their arcs. A walk along arcs of one polygon each, which takes the
  /// first arc counter-clockwise from the way back, has one region outside on its right; if it goes
  /// round clockwise, the region is enclosed.
  private mutating func findGaps(_ open: [Int], _ uses: [[(ring: Int, isReversed: Bool)]]) {
    var starting: [Int32: [(arc: Int, isReversed: Bool)]] = [:]
    for arc in open {
      guard let use = uses[arc].first else { continue }
      starting[ends(arc, use.isReversed).first, default: []].append((arc, use.isReversed))
    }
    var used = Set<Int>()
    for arc in open where !used.contains(arc) {
      guard let use = uses[arc].first else { continue }
      var walk: [(arc: Int, isReversed: Bool)] = []
      var step = (arc: arc, isReversed: use.isReversed)
      while used.insert(step.arc).inserted {
        walk.append(step)
        let end = ends(step.arc, step.isReversed).last
        guard let next = nextArc(after: step, among: starting[end] ?? []) else { break }
        step = next
      }
      guard let last = walk.last,
        ends(last.arc, last.isReversed).last == ends(arc, use.isReversed).first
      else { continue }
      tellGap(walk, uses)
    }
  }

  /// The first and the last place of an arc in a direction.
  private func ends(_ arc: Int, _ isReversed: Bool) -> (first: Int32, last: Int32) {
    let range = table.range(ofArc: arc)
    let (first, last) = (table.vertices[range.lowerBound], table.vertices[range.upperBound - 1])
    return isReversed ? (last, first) : (first, last)
  }

  private func nextArc(
    after step: (arc: Int, isReversed: Bool), among others: [(arc: Int, isReversed: Bool)]
  ) -> (arc: Int, isReversed: Bool)? {
    if others.count < 2 { return others.first }
    let along = table.coordinates(
      of: ArcTable.Step(arc: Int32(truncatingIfNeeded: step.arc), isReversed: step.isReversed))
    guard let here = along.last, let before = along.dropLast().last else { return nil }
    func eastward(_ place: Coordinate) -> Double {
      place.x - here.x + (isGeographic ? Longitude.turn(from: here.x, to: place.x) : 0)
    }
    let back = Mathematics.angle(y: before.y - here.y, x: eastward(before))
    func turn(_ other: (arc: Int, isReversed: Bool)) -> Double {
      let way = table.coordinates(
        of: ArcTable.Step(arc: Int32(truncatingIfNeeded: other.arc), isReversed: other.isReversed))
      guard let next = way.dropFirst().first else { return .infinity }
      let angle = Mathematics.angle(y: next.y - here.y, x: eastward(next)) - back
      // An arc that goes back on the same line bounds a region without width.
      return angle < -1e-9 ? angle + 2 * .pi : angle
    }
    return others.min { turn($0) < turn($1) }
  }

  private mutating func tellGap(
    _ walk: [(arc: Int, isReversed: Bool)], _ uses: [[(ring: Int, isReversed: Bool)]]
  ) {
    var ring: [Coordinate] = []
    var owners: [FeatureID] = []
    for step in walk {
      let along = table.coordinates(
        of: ArcTable.Step(arc: Int32(truncatingIfNeeded: step.arc), isReversed: step.isReversed))
      ring += ring.isEmpty ? along[...] : along.dropFirst()
      if let use = uses[step.arc].first, !owners.contains(feature(ofRing: use.ring)) {
        owners.append(feature(ofRing: use.ring))
      }
    }
    let places = ring
    if isGeographic { ring = ring.continued }
    // A border around the globe encloses nothing.
    guard ring.first == ring.last else { return }
    // The hole of a polygon alone is meant.
    let area = PortolanGraphics.Ring.signedArea(ring) / 2
    guard area < 0, owners.count > 1, let first = owners.first else { return }
    if !overlapping.isEmpty, isCovered(ring) { return }
    // A sliver at a vertex that a neighbour lacks is told as that.
    let length = zip(ring, ring.dropFirst()).reduce(0.0) { sum, edge in
      sum + max((edge.0.x - edge.1.x).magnitude, (edge.0.y - edge.1.y).magnitude)
    }
    if -area <= length * tolerance.distance, ring.contains(where: knownPlaces.contains) { return }
    let others = owners.dropFirst().prefix(4).map { "\($0.rawValue)" }.joined(separator: ", ")
    let box = ring.reduce(into: Box.empty) { $0.formUnion($1) }
    let west = zip(ring, places).first { $0.0.x == box.minX }?.1
    emit(
      .gap, "a gap between this and feature\(owners.count > 2 ? "s" : "") \(others)", first,
      Array(owners.dropFirst()), at: west ?? box.center)
  }
}

extension [Coordinate] {
  /// The places with longitudes continued where steps go the short way across 180 degrees.
  var continued: [Coordinate] {
    var walk = Longitude.Walk()
    return map { Coordinate(x: walk.next($0.x), y: $0.y) }
  }
}
