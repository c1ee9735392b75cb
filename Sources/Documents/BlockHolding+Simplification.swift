package import PortolanCartography
import PortolanGraphics

/// What a simplification did to the features of a layer.
package struct SimplificationReport: Hashable, Sendable {
  /// Vertices of the chosen features, those of borders counted in each.
  package var verticesBefore = 0
  package var verticesAfter = 0
  /// Borders and rings that vanished, shared ones once.
  package var lostRings = 0
  /// Features of which nothing was left: they are removed.
  package var lostFeatures = 0
  /// Whether some vertices stay because the lines lie too oddly to look at all.
  package var isIntricate = false

  package init() {}

  /// Adds those of another layer.
  package mutating func add(_ other: SimplificationReport) {
    verticesBefore += other.verticesBefore
    verticesAfter += other.verticesAfter
    lostRings += other.lostRings
    lostFeatures += other.lostFeatures
    isIntricate = isIntricate || other.isIntricate
  }
}

extension BlockHolding {
  /// Leaves out vertices of lines and areas; borders that areas share stay shared.
  ///
  /// Vertices that stay keep their numbers to the last bit, and features that lose none their
  /// bytes. Points stay.
  ///
  /// - Parameters:
  ///   - ids: the features; `nil` for all. What others share with them stays as it is.
  ///   - isGeographic: whether coordinates are degrees.
  ///   - progress: called with the part that is done, 0 to 1; it stops the work by throwing, and
  ///     nothing has changed then.
  /// - Complexity: O(n log n) for n vertices of the layer.
  package mutating func simplify(
    _ ids: Set<FeatureID>? = nil, by rule: SimplifyRule, isGeographic: Bool,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> SimplificationReport {
    let lines = LayerLines(blocks, ids, keepsShapes: rule.keepsShapes)
    try progress(0.2)
    let result = try ArcSimplifier.simplify(
      lines.table, by: rule, isGeographic: isGeographic, isFrozen: lines.isFrozen,
      mayVanish: lines.mayVanish
    ) { try progress(0.2 + 0.6 * $0) }
    var report = SimplificationReport()
    (report.lostRings, report.isIntricate) = (result.lostRings, result.isIntricate)
    var edited: [FeatureBlock] = []
    var gone: Set<FeatureID> = []
    for (index, block) in blocks.enumerated() {
      try progress(0.8 + 0.2 * Double(index) / Double(blocks.count))
      var changes: [(row: Int, geometry: Geometry)] = []
      for row in 0..<block.rowCount where ids?.contains(block.featureIDs[row]) ?? true {
        let count = block.geometry.vertexCount(ofFeature: row)
        report.verticesBefore += count
        guard let geometry = lines.thinned(block.geometry, row, result.keeps) else {
          report.verticesAfter += count
          continue
        }
        report.verticesAfter += geometry.paths.reduce(0) { $0 + $1.vertices.count }
        if geometry.paths.isEmpty { gone.insert(block.featureIDs[row]) }
        changes.append((row, geometry))
      }
      edited.append(
        changes.isEmpty
          ? block
          : block.replacingGeometries(
            changes, decimals: source.decimalsOfNewCoordinates, isExact: true))
    }
    report.lostFeatures = gone.count
    if zip(edited, blocks).contains(where: { $0 !== $1 }) {
      blocks = edited
      updateCollectionBox()
      remove(gone)
    }
    return report
  }
}

/// The lines and rings of a layer in one table of arcs.
private struct LayerLines {
  let table: ArcTable
  /// Whether each arc belongs to a feature that stays as it is.
  private(set) var isFrozen: [Bool]
  /// Whether each arc may vanish, where it is a ring that stands alone.
  private(set) var mayVanish: [Bool]

  init(_ blocks: [FeatureBlock], _ ids: Set<FeatureID>?, keepsShapes: Bool) {
    var builder = ArcTable.Builder()
    var isChosen: [Bool] = []
    for block in blocks {
      for row in 0..<block.rowCount {
        for path in block.geometry.paths(ofFeature: row) {
          if let line = Self.line(block.geometry, path) {
            builder.addLine(owner: isChosen.count, line)
          } else if let ring = Self.ring(block.geometry, path) {
            builder.add(owner: isChosen.count, ring)
          }
        }
        isChosen.append(ids?.contains(block.featureIDs[row]) ?? true)
      }
    }
    table = builder.finish()
    isFrozen = Array(repeating: false, count: table.arcCount)
    mayVanish = Array(repeating: true, count: table.arcCount)
    for ring in table.rings where !isChosen[ring.owner] {
      for step in table.steps[ring.steps] { isFrozen[Int(step.arc)] = true }
    }
    if keepsShapes { keepLargestRings() }
  }

  private mutating func keepLargestRings() {
    var largest: (owner: Int, area: Double, ring: Int)?
    func keep(_ ring: Int?, _ mayVanish: inout [Bool]) {
      guard let ring else { return }
      for step in table.steps[table.rings[ring].steps] { mayVanish[Int(step.arc)] = false }
    }
    for (number, ring) in table.rings.enumerated() {
      let area = Ring.signedArea(table.coordinates(of: ring)).magnitude
      if let known = largest, known.owner == ring.owner {
        if area > known.area { largest = (ring.owner, area, number) }
      } else {
        keep(largest?.ring, &mayVanish)
        largest = (ring.owner, area, number)
      }
    }
    keep(largest?.ring, &mayVanish)
  }

  /// The vertices of a line, equal ones in a row once; `nil` for other paths.
  private static func line(_ geometry: GeometryBlock, _ path: Int) -> [Coordinate]? {
    let role = geometry.pathRoles[path]
    guard role.kind.dimension == 1 else { return nil }
    return distinct(geometry, geometry.vertices(ofPath: path))
  }

  /// The vertices of a ring, equal ones in a row once and the closing one left out; `nil` for other
  /// paths, and for rings of fewer than three vertices.
  private static func ring(_ geometry: GeometryBlock, _ path: Int) -> [Coordinate]? {
    guard geometry.pathRoles[path].isRing else { return nil }
    var ring = distinct(geometry, geometry.vertices(ofPath: path))
    while ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring.count > 2 ? ring : nil
  }

  private static func distinct(_ geometry: GeometryBlock, _ vertices: Range<Int>) -> [Coordinate] {
    var result: [Coordinate] = []
    result.reserveCapacity(vertices.count)
    geometry.coordinates.withUnsafeBufferPointer { numbers in
      for vertex in vertices {
        let place = Coordinate(x: numbers[2 * vertex], y: numbers[2 * vertex + 1])
        if place.x.isFinite, place.y.isFinite, result.last != place { result.append(place) }
      }
    }
    return result
  }

  // MARK: What is left

  /// The geometry of a row without the places that go; `nil` if it stays as it is.
  func thinned(_ block: GeometryBlock, _ row: Int, _ keeps: [Bool]) -> Geometry? {
    var kept: [[Int]?] = []
    var isChanged = false
    var isGone = false
    for path in block.paths(ofFeature: row) {
      let vertices = block.vertices(ofPath: path)
      let role = block.pathRoles[path]
      // Holes go with their polygon.
      if !role.isHole { isGone = false }
      if isGone {
        kept.append(nil)
        continue
      }
      let isPartOfTable = role.kind.dimension == 1 || Self.ring(block, path) != nil
      guard isPartOfTable else {
        kept.append(Array(vertices))
        continue
      }
      let left = self.left(block, vertices, isRing: role.isRing, keeps)
      if left.count < (role.isRing ? 3 : 1) {
        kept.append(nil)
        isGone = role.isRing && !role.isHole
        isChanged = true
      } else {
        kept.append(left)
        isChanged = isChanged || left.count < vertices.count
      }
    }
    return isChanged ? geometry(block, row, kept) : nil
  }

  /// The vertices of a path that stay; a closed ring stays closed.
  private func left(
    _ block: GeometryBlock, _ vertices: Range<Int>, isRing: Bool, _ keeps: [Bool]
  ) -> [Int] {
    let isClosed =
      isRing && vertices.count > 1
      && block.coordinate(at: vertices.lowerBound) == block.coordinate(at: vertices.upperBound - 1)
    var left = vertices.dropLast(isClosed ? 1 : 0).filter { vertex in
      table.number(ofPlace: block.coordinate(at: vertex)).map { keeps[Int($0)] } ?? true
    }
    if isClosed, let first = left.first {
      left.append(first == vertices.lowerBound ? vertices.upperBound - 1 : first)
    }
    return left
  }

  private func geometry(_ block: GeometryBlock, _ row: Int, _ kept: [[Int]?]) -> Geometry {
    var paths: [Geometry.Path] = []
    // A member of a collection begins with the first of its paths that is left.
    var begins = false
    for (path, vertices) in zip(block.paths(ofFeature: row), kept) {
      var role = block.pathRoles[path]
      begins = begins || role.beginsMember
      guard let vertices else { continue }
      role = PathRole(
        kind: role.kind, beginsMember: begins, beginsPolygon: role.beginsPolygon)
      begins = false
      let heights = block.elevations.isEmpty ? [] : vertices.map { block.elevations[$0] }
      paths.append(
        Geometry.Path(
          role: role, vertices: vertices.map { block.coordinate(at: $0) },
          elevations: heights.allSatisfy(\.isNaN) ? [] : heights.map { $0.isNaN ? nil : $0 }))
    }
    return Geometry(kind: block.kinds[row], paths: paths)
  }
}
