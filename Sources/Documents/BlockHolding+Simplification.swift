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
        guard let geometry = lines.thinned(index, block.geometry, row, result.keeps) else {
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
  /// The number in the table of each vertex of each block; -1 for those that are not in it.
  private var numbers: [[Int32]] = []
  /// Whether each arc belongs to a feature that stays as it is.
  private(set) var isFrozen: [Bool]
  /// Whether each arc may vanish, where it is a ring that stands alone.
  private(set) var mayVanish: [Bool]

  init(_ blocks: [FeatureBlock], _ ids: Set<FeatureID>?, keepsShapes: Bool) {
    var builder = ArcTable.Builder()
    var isChosen: [Bool] = []
    for block in blocks {
      var numbers = Array(repeating: Int32(-1), count: block.geometry.vertexCount)
      for row in 0..<block.rowCount {
        for path in block.geometry.paths(ofFeature: row) {
          Self.add(path, of: block.geometry, owner: isChosen.count, to: &builder, &numbers)
        }
        isChosen.append(ids?.contains(block.featureIDs[row]) ?? true)
      }
      self.numbers.append(numbers)
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

  /// Adds a line or a ring, equal vertices in a row once; other paths, and rings of fewer than
  /// three vertices, are no part of the table.
  private static func add(
    _ path: Int, of geometry: GeometryBlock, owner: Int, to builder: inout ArcTable.Builder,
    _ numbers: inout [Int32]
  ) {
    let role = geometry.pathRoles[path]
    guard role.isRing || role.kind.dimension == 1 else { return }
    let vertices = geometry.vertices(ofPath: path)
    var line: [Int32] = []
    line.reserveCapacity(vertices.count)
    for vertex in vertices {
      let place = geometry.coordinate(at: vertex)
      guard place.x.isFinite, place.y.isFinite else { continue }
      numbers[vertex] = builder.number(of: place)
      if line.last != numbers[vertex] { line.append(numbers[vertex]) }
    }
    if role.kind.dimension == 1 {
      builder.addLine(owner: owner, numbers: line)
    } else if !builder.add(owner: owner, numbers: line) {
      for vertex in vertices { numbers[vertex] = -1 }
    }
  }

  // MARK: What is left

  /// The geometry of a row without the places that go; `nil` if it stays as it is.
  func thinned(_ block: Int, _ geometry: GeometryBlock, _ row: Int, _ keeps: [Bool]) -> Geometry? {
    let numbers = numbers[block]
    func stays(_ vertex: Int) -> Bool { numbers[vertex] < 0 || keeps[Int(numbers[vertex])] }
    let paths = geometry.paths(ofFeature: row)
    if paths.allSatisfy({ geometry.vertices(ofPath: $0).allSatisfy(stays) }) { return nil }
    var kept: [[Int]?] = []
    var isGone = false
    for path in paths {
      let vertices = geometry.vertices(ofPath: path)
      let role = geometry.pathRoles[path]
      // Holes go with their polygon.
      if !role.isHole { isGone = false }
      if isGone {
        kept.append(nil)
        continue
      }
      if vertices.allSatisfy(stays) {
        kept.append(Array(vertices))
        continue
      }
      let isClosed =
        role.isRing && numbers[vertices.lowerBound] == numbers[vertices.upperBound - 1]
      var left = vertices.dropLast(isClosed ? 1 : 0).filter(stays)
      if isClosed, let first = left.first {
        left.append(first == vertices.lowerBound ? vertices.upperBound - 1 : first)
      }
      isGone = role.isRing && !role.isHole && left.count < 3
      kept.append(left.count < (role.isRing ? 3 : 1) ? nil : left)
    }
    return self.geometry(geometry, row, kept)
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
