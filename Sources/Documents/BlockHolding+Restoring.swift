package import PortolanGraphics

/// Vertices of a former version of a layer, brought back one by one.
extension BlockHolding {
  /// The place nearest to another one that a line or ring of a former version has, and its feature
  /// does not have any more.
  ///
  /// - Parameters:
  ///   - former: the same layer with more vertices.
  ///   - isGeographic: whether coordinates are degrees: their lengths are compared on the globe.
  /// - Returns: the place, and the square of its distance; `nil` if no vertex was left out.
  /// - Complexity: O(vertices).
  package func nearestVertex(
    to place: Coordinate, leftOutOf former: any BlockHolding, isGeographic: Bool
  ) -> (square: Double, place: Coordinate)? {
    let shrinking = isGeographic ? max(0.01, Mathematics.cosine(place.y * .pi / 180)) : 1
    var best: (square: Double, place: Coordinate)?
    for block in former.blocks {
      for row in 0..<block.rowCount {
        var present: Set<Coordinate>?
        for path in block.geometry.paths(ofFeature: row)
        where (block.geometry.pathRoles[path].kind.dimension ?? 0) > 0 {
          for vertex in block.geometry.vertices(ofPath: path) {
            let candidate = block.geometry.coordinate(at: vertex)
            let step = candidate.x - place.x
            let dx = (isGeographic ? step - 360 * (step / 360).rounded() : step) * shrinking
            let dy = candidate.y - place.y
            let square = dx * dx + dy * dy
            guard square < best?.square ?? .infinity else { continue }
            let known = present ?? vertices(of: block.featureIDs[row])
            present = known
            guard let known, !known.contains(candidate) else { continue }
            best = (square, candidate)
          }
        }
      }
    }
    return best
  }

  /// The places of a feature; `nil` if it is gone.
  private func vertices(of id: FeatureID) -> Set<Coordinate>? {
    feature(id).map { Set($0.geometry.paths.lazy.flatMap(\.vertices)) }
  }

  /// Puts a vertex of a former version back into all lines and rings that had it.
  ///
  /// - Returns: how many features have it again; 0 if the lines and rings that had it are gone.
  /// - Throws: `BorderFault` if a border would cross another one then; nothing changes.
  /// - Complexity: O(log features + vertices of the features around the place).
  package mutating func restoreVertex(
    _ place: Coordinate, of former: any BlockHolding, isGeographic: Bool
  ) throws -> Int {
    var change = BorderChange(isGeographic: isGeographic)
    var geometries: [FeatureID: Geometry] = [:]
    for block in former.blocks where block.geometry.box.contains(place) {
      var rows: [Int] = []
      block.geometry.boxTree.forEach(holding: place) { rows.append($0) }
      for row in rows.sorted() {
        let id = block.featureIDs[row]
        let old = block.feature(row: row).geometry
        guard old.paths.contains(where: { $0.vertices.contains(place) }),
          var geometry = feature(id)?.geometry
        else { continue }
        if geometry.restore(place, of: old, in: &change) { geometries[id] = geometry }
      }
    }
    if !change.swept.isEmpty { try check(change, isGeographic: isGeographic) }
    setExactly(geometries)
    return geometries.count
  }
}

extension Geometry {
  /// Puts a vertex back between its neighbours; returns whether some path has room for it.
  fileprivate mutating func restore(
    _ place: Coordinate, of old: Geometry, in change: inout BorderChange
  ) -> Bool {
    let known = Set(paths.lazy.flatMap(\.vertices))
    if known.contains(place) { return false }
    var isRestored = false
    for path in old.paths {
      for index in path.vertices.indices.dropLast(path.role.isRing ? 1 : 0)
      where path.vertices[index] == place {
        let height = path.elevations.indices.contains(index) ? path.elevations[index] : nil
        guard let (a, b) = path.neighbours(of: index, among: known),
          insert(place, height, between: a, and: b, isRing: path.role.isRing)
        else { continue }
        isRestored = true
        guard path.role.isRing else { continue }
        change.replace(a, b, by: [(a, place), (place, b)])
        change.swept.append([a, place, b])
      }
    }
    return isRestored
  }

  private mutating func insert(
    _ place: Coordinate, _ height: Double?, between a: Coordinate, and b: Coordinate, isRing: Bool
  ) -> Bool {
    // An edge of the former direction first: a line may go both ways.
    for (start, end) in [(a, b), (b, a)] {
      for path in paths.indices where paths[path].role.isRing == isRing {
        let vertices = paths[path].vertices
        let index = vertices.indices.dropFirst().first {
          vertices[$0 - 1] == start && vertices[$0] == end
        }
        guard let index else { continue }
        paths[path].vertices.insert(place, at: index)
        if !paths[path].elevations.isEmpty { paths[path].elevations.insert(height, at: index) }
        return true
      }
    }
    return false
  }
}

extension Geometry.Path {
  /// The nearest vertices before and after another one that are among known ones; `nil` without
  /// two different ones.
  fileprivate func neighbours(
    of index: Int, among known: Set<Coordinate>
  ) -> (Coordinate, Coordinate)? {
    let count = vertices.count - (role.isRing && vertices.first == vertices.last ? 1 : 0)
    func next(by step: Int) -> Coordinate? {
      var at = index
      for _ in 1..<max(2, count) {
        at += step
        if role.isRing { at = (at % count + count) % count }
        guard vertices.indices.contains(at) else { return nil }
        if known.contains(vertices[at]) { return vertices[at] }
      }
      return nil
    }
    guard count > 1, let before = next(by: -1), let after = next(by: 1), before != after else {
      return nil
    }
    return (before, after)
  }
}
