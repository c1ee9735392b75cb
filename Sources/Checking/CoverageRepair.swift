package import PortolanDocuments
import PortolanGraphics

/// Closes narrow gaps and overlaps between the polygons of a layer.
///
/// A gap becomes part of the neighbour with the longest common border; of an overlap, the polygon
/// keeps it to which the most of its border is open, and the others lose it. So no border comes to
/// a new place: it becomes that of a neighbour, vertex by vertex. Vertices within the tolerance of
/// each other become one, and a vertex within it of an edge comes into that edge. If areas lie
/// across 180 degrees, the faults are repaired around their own meridians.
///
/// A repair is done only if the layer has no new fault then: features at which it would are left
/// as they are.
package struct CoverageRepair {
  /// The repaired layer.
  package private(set) var layer: any BlockHolding
  /// One for each repair.
  package private(set) var repairs: [Finding] = []
  private let isGeographic: Bool
  private let width: Double
  private let choice: CodeChoice

  /// The most rounds: a repair may let another one be seen, and a refused one makes room for it.
  private static let roundsMax = 60
  /// Faults that are nearer to a meridian than this many degrees are repaired with those on it.
  private static let reach = 30.0

  /// - Parameters:
  ///   - isGeographic: whether coordinates are degrees.
  ///   - width: gaps and overlaps that are narrower are closed: in metres for degrees, else in the
  ///     units of the coordinates; 0 for those within the tolerance alone.
  ///   - choice: the codes to be repaired.
  ///   - progress: called with the part that is done, 0 to 1; it stops the work by throwing.
  package static func repair(
    _ layer: any BlockHolding, isGeographic: Bool, narrowerThan width: Double,
    choice: CodeChoice = CodeChoice(), progress: (Double) throws -> Void = { _ in }
  ) throws -> CoverageRepair {
    var repair = CoverageRepair(layer, isGeographic, width, choice)
    var part = 0.0
    func report() throws {
      part += (1 - part) / 8
      try progress(part)
    }
    var found = try CoverageCheck.check(layer, isGeographic: isGeographic) { _ in try report() }
    guard isGeographic, Meridian.isNeeded(for: layer) else {
      try repair.run(.none, &found, report)
      return repair
    }
    var done: [Double] = []
    func isNew(_ longitude: Double) -> Bool {
      done.allSatisfy { (Longitude.nearest(longitude, to: $0) - $0).magnitude >= reach }
    }
    while let next = found.lazy.compactMap(\.position?.x).first(where: isNew) {
      done.append(next)
      try repair.run(Meridian(next), &found, report)
    }
    return repair
  }

  private init(
    _ layer: any BlockHolding, _ isGeographic: Bool, _ width: Double, _ choice: CodeChoice
  ) {
    (self.layer, self.isGeographic, self.choice) = (layer, isGeographic, choice)
    let tolerance = BorderTolerance(isGeographic: isGeographic).distance
    self.width = max(width, isGeographic ? tolerance * LocalPlane.metresOfDegree : tolerance)
  }

  /// - Parameter found: the findings of the layer, before and after.
  private mutating func run(
    _ meridian: Meridian, _ found: inout [Finding], _ progress: () throws -> Void
  ) throws {
    // Features that gain and lose no region, and those of them that do not change at all.
    var frozen: Set<FeatureID> = []
    var fixed: Set<FeatureID> = []
    var isChanged = false
    for _ in 0..<Self.roundsMax where !found.isEmpty {
      let pass = try CoveragePass(
        layer, isGeographic: isGeographic, width: width, choice: choice, around: meridian,
        frozen: frozen, fixed: fixed, progress: progress)
      guard !pass.geometries.isEmpty || !pass.refused.isEmpty else {
        // Repairs that were impossible may be possible now.
        if frozen.isEmpty || !isChanged { return }
        (frozen, fixed, isChanged) = ([], [], false)
        continue
      }
      var repaired = layer
      repaired.setExactly(pass.geometries)
      let after = try CoverageCheck.check(repaired, isGeographic: isGeographic) { _ in
        try progress()
      }
      let faults = pass.refused
        .union(newFaults(in: repaired, pass.geometries))
        .union(newFindings(after, found, pass))
      if faults.isEmpty {
        (layer, found, isChanged) = (repaired, after, true)
        repairs += pass.repairs
      } else if faults.isSubset(of: fixed) {
        return
      } else {
        fixed.formUnion(faults.intersection(frozen))
        frozen.formUnion(faults)
      }
    }
  }

  /// The changed features of findings that were not there before. A new finding of other features
  /// alone was hidden behind one that is repaired.
  private func newFindings(
    _ after: [Finding], _ before: [Finding], _ pass: CoveragePass
  ) -> Set<FeatureID> {
    func key(_ finding: Finding) -> [String] {
      ["\(finding.code)", "\(finding.feature?.feature.rawValue ?? 0)", finding.message]
    }
    let known = Set(before.map(key))
    let changed = Set(pass.geometries.keys)
    return after.filter { !known.contains(key($0)) }.reduce(into: []) { features, finding in
      let own = ([finding.feature].compactMap { $0 } + finding.others).map(\.feature)
      features.formUnion(finding.code == .intricate ? changed : changed.intersection(own))
    }
  }

  /// The features whose rings have more faults than before.
  private func newFaults(
    in repaired: any BlockHolding, _ geometries: [FeatureID: Geometry]
  ) -> Set<FeatureID> {
    Set(
      geometries.keys.filter { id in
        guard let after = repaired.feature(id)?.geometry, let before = layer.feature(id)?.geometry
        else { return true }
        return faultCount(after) > faultCount(before)
      })
  }

  private func faultCount(_ geometry: Geometry) -> Int {
    var check = PolygonCheck()
    var faults: [RingFault] = []
    var paths = geometry.paths[...].filter(\.role.isRing)[...]
    while let first = paths.popFirst() {
      var rings = [first]
      while let hole = paths.first, hole.role.isHole {
        rings.append(hole)
        paths.removeFirst()
      }
      let numbers = rings.flatMap { ring in ring.vertices.flatMap { [$0.x, $0.y] } }
      var ranges: [Range<Int>] = []
      for ring in rings {
        let start = ranges.last?.upperBound ?? 0
        ranges.append(start..<start + ring.vertices.count)
      }
      guard ranges.allSatisfy({ $0.count > 3 }), numbers.allSatisfy(\.isFinite) else { continue }
      numbers.withUnsafeBufferPointer { numbers in
        guard let base = numbers.baseAddress else { return }
        check.check(base, ranges, isGeographic: isGeographic, &faults)
      }
    }
    return faults.count
  }
}

/// Metres around a place, for lengths and widths of small regions.
struct LocalPlane {
  /// The length of a degree of a sphere with the mean radius.
  static let metresOfDegree = Geodesy.meanRadius * .pi / 180

  private let scale: Coordinate

  init(around place: Coordinate, isGeographic: Bool) {
    let degree = isGeographic ? Self.metresOfDegree : 1
    let shrinking = isGeographic ? max(Mathematics.cosine(place.y * .pi / 180), 0.01) : 1
    scale = Coordinate(x: degree * shrinking, y: degree)
  }

  func metres(_ place: Coordinate) -> Coordinate {
    Coordinate(x: place.x * scale.x, y: place.y * scale.y)
  }

  func length(_ line: [Coordinate]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { sum, edge in
      let (x, y) = ((edge.1.x - edge.0.x) * scale.x, (edge.1.y - edge.0.y) * scale.y)
      return sum + (x * x + y * y).squareRoot()
    }
  }
}
