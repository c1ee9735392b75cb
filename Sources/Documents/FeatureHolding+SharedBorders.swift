package import PortolanGraphics

/// A vertex of a ring that several areas of a layer may have.
package struct RingVertex: Hashable, Sendable {
  package var feature: FeatureID
  /// The path within the geometry.
  package var path: Int
  /// The vertex within the path; never the closing one.
  package var vertex: Int
  /// The places before and after it in the ring.
  package var before: Coordinate
  package var after: Coordinate
}

/// An edit of a shared border that would leave a gap or an overlap.
package enum BorderFault: Error, Hashable, Sendable {
  /// A border would cross or touch another one, or an area come to the other side of it.
  case crossing(Coordinate)
  /// Borders part at the vertex, so that it cannot go.
  case parting
  /// A ring would have too few vertices.
  case tooFew
  /// The edge goes across 180 degrees, or is too short.
  case seam
}

extension FeatureHolding {
  /// The vertices of rings at a place: one for each ring that comes by, and each time.
  ///
  /// - Complexity: O(log features + vertices of the areas around the place).
  package func ringVertices(at place: Coordinate) -> [RingVertex] {
    var found: [RingVertex] = []
    for block in blocks where block.geometry.box.contains(place) {
      var rows: [Int] = []
      block.geometry.boxTree.forEach(holding: place) { rows.append($0) }
      for row in rows.sorted() where block.geometry.boxes[row].contains(place) {
        for (number, path) in block.geometry.paths(ofFeature: row).enumerated()
        where block.geometry.pathRoles[path].isRing {
          let ring = RingInBlock(block.geometry, path)
          for vertex in 0..<ring.count where ring[vertex] == place {
            found.append(
              RingVertex(
                feature: block.featureIDs[row], path: number, vertex: vertex,
                before: ring[(vertex + ring.count - 1) % ring.count],
                after: ring[(vertex + 1) % ring.count]))
          }
        }
      }
    }
    return found
  }

  /// Moves a vertex of all rings that have it.
  ///
  /// - Parameters:
  ///   - target: rounded to the decimals of the file, the same in all areas.
  ///   - isGeographic: whether coordinates are degrees.
  /// - Returns: the place to which it came.
  /// - Throws: `BorderFault` if borders would cross or areas change sides; nothing changes then.
  package mutating func moveSharedVertex(
    at place: Coordinate, to target: Coordinate, isGeographic: Bool
  ) throws -> Coordinate {
    let vertices = ringVertices(at: place)
    let target = rounded(target, for: vertices)
    if target == place { return place }
    if !ringVertices(at: target).isEmpty, areConnected(place, target) {
      throw BorderFault.crossing(target)
    }
    var change = BorderChange(isGeographic: isGeographic)
    for vertex in vertices {
      for neighbour in [vertex.before, vertex.after] {
        change.replace(neighbour, place, by: [(neighbour, target)])
        change.swept.append([neighbour, place, target])
      }
    }
    try check(change, isGeographic: isGeographic)
    var edited = self
    for vertex in vertices {
      try edited.editPath(of: vertex, isGeographic: isGeographic) { path, turn in
        let moved = target.turned(by: turn)
        let last = path.vertices.count - 1
        let isClosed = path.vertices[0] == path.vertices[last]
        path.vertices[vertex.vertex] = moved
        if vertex.vertex == 0, isClosed { path.vertices[last] = moved }
      }
    }
    self = edited
    return target
  }

  /// Inserts a vertex half way between two others in all rings that have the edge.
  ///
  /// - Returns: its place.
  /// - Throws: `BorderFault` if borders would cross.
  package mutating func insertSharedVertex(
    between first: Coordinate, and second: Coordinate, isGeographic: Bool
  ) throws -> Coordinate {
    let vertices = ringVertices(at: first).filter { $0.after == second || $0.before == second }
    let middle = rounded(
      Coordinate(
        x: first.x + (second.x - first.x) / 2, y: first.y + (second.y - first.y) / 2),
      for: vertices)
    let isSeam = isGeographic && Longitude.turn(from: first.x, to: second.x) != 0
    guard middle != first, middle != second, !isSeam, Self.areApart(vertices) else {
      throw BorderFault.seam
    }
    guard ringVertices(at: middle).isEmpty else { throw BorderFault.crossing(middle) }
    var change = BorderChange(isGeographic: isGeographic)
    change.replace(first, second, by: [(first, middle), (middle, second)])
    change.swept.append([first, middle, second])
    try check(change, isGeographic: isGeographic)
    var edited = self
    for vertex in vertices {
      try edited.editPath(of: vertex, isGeographic: isGeographic) { path, turn in
        let place = middle.turned(by: turn)
        // An edge before the first vertex is the last one.
        let isAfter = vertex.after == second
        let index = isAfter ? vertex.vertex + 1 : vertex.vertex
        let isClosed = path.vertices.first == path.vertices.last
        path.insert(place, at: index > 0 ? index : path.vertices.count - (isClosed ? 1 : 0))
      }
    }
    self = edited
    return middle
  }

  /// Deletes a vertex of all rings that have it; none may part there.
  ///
  /// - Throws: `BorderFault` if borders part at the vertex, cross without it, or a ring has no more
  ///   than three.
  package mutating func removeSharedVertex(at place: Coordinate, isGeographic: Bool) throws {
    let vertices = ringVertices(at: place)
    guard let first = vertices.first else { return }
    let (before, after) = (first.before, first.after)
    let isSame = vertices.allSatisfy {
      $0.before == before && $0.after == after || $0.before == after && $0.after == before
    }
    guard isSame, before != after else { throw BorderFault.parting }
    guard Self.areApart(vertices) else { throw BorderFault.parting }
    var edited = self
    for vertex in vertices {
      try edited.editPath(of: vertex, isGeographic: isGeographic) { path, _ in
        let isClosed = path.vertices.first == path.vertices.last
        guard path.vertices.count - (isClosed ? 1 : 0) > 3 else { throw BorderFault.tooFew }
        path.vertices.remove(at: vertex.vertex)
        if !path.elevations.isEmpty { path.elevations.remove(at: vertex.vertex) }
        if isClosed, vertex.vertex == 0 {
          let last = path.vertices.count - 1
          path.vertices[last] = path.vertices[0]
          if !path.elevations.isEmpty { path.elevations[last] = path.elevations[0] }
        }
      }
    }
    var change = BorderChange(isGeographic: isGeographic)
    change.replace(before, place, by: [])
    change.replace(place, after, by: [(before, after)])
    change.swept.append([before, place, after])
    try check(change, isGeographic: isGeographic)
    self = edited
  }

  /// Whether rings lead from one place to another: those of one area, or of areas that touch each
  /// other. If both places became one, the rings would enclose a region.
  ///
  /// - Complexity: O(vertices of the layer).
  private func areConnected(_ one: Coordinate, _ other: Coordinate) -> Bool {
    var groups: [Int] = []
    var groupOfPlace: [Coordinate: Int] = [:]
    func root(_ ring: Int) -> Int {
      var ring = ring
      while groups[ring] != ring {
        groups[ring] = groups[groups[ring]]
        ring = groups[ring]
      }
      return ring
    }
    for block in blocks {
      for path in block.geometry.pathRoles.indices where block.geometry.pathRoles[path].isRing {
        let ring = RingInBlock(block.geometry, path)
        groups.append(groups.count)
        for vertex in 0..<ring.count {
          let former = groupOfPlace.updateValue(groups.count - 1, forKey: ring[vertex])
          if let former { groups[root(former)] = root(groups.count - 1) }
        }
      }
    }
    guard let first = groupOfPlace[one], let second = groupOfPlace[other] else { return false }
    return root(first) == root(second)
  }

  /// Whether vertices are of a ring each: one may come by a place twice.
  private static func areApart(_ vertices: [RingVertex]) -> Bool {
    Set(vertices.map { [$0.feature.rawValue, UInt64($0.path)] }).count == vertices.count
  }

  /// A place in the decimals that all features of some vertices can have.
  private func rounded(_ place: Coordinate, for vertices: [RingVertex]) -> Coordinate {
    let decimals = vertices.compactMap { vertex -> Int? in
      guard let (block, row) = position(of: vertex.feature) else { return nil }
      let style = blocks[block].shape(row: row).numberStyle
      return RoundedGeometry(decimals: source.decimalsOfNewCoordinates, style: style).decimals
    }
    guard let least = decimals.min() else { return place }
    return Coordinate(
      x: NumberText.rounded(place.x, decimals: least),
      y: NumberText.rounded(place.y, decimals: least))
  }

  /// Changes the path of a vertex.
  ///
  /// - Parameter change: called with the path, in degrees with longitudes continued across 180, and
  ///   the degrees that were added at the vertex.
  private mutating func editPath(
    of vertex: RingVertex, isGeographic: Bool,
    _ change: (inout Geometry.Path, _ turn: Double) throws -> Void
  ) throws {
    guard var geometry = feature(vertex.feature)?.geometry else { return }
    let x = geometry.paths[vertex.path].vertices[vertex.vertex].x
    func edit(_ geometry: inout Geometry) throws {
      let turn = geometry.paths[vertex.path].vertices[vertex.vertex].x - x
      try change(&geometry.paths[vertex.path], (turn / 360).rounded() * 360)
    }
    if isGeographic {
      try geometry.changeOnGlobe { try edit(&$0) }
    } else {
      try edit(&geometry)
    }
    try setGeometry(geometry, of: vertex.feature)
  }

  // MARK: Faults

  /// Throws if a change makes borders cross that did not, or moves one over a vertex.
  func check(_ change: BorderChange, isGeographic: Bool) throws(BorderFault) {
    let box = change.box
    var fault: Coordinate?
    for block in blocks where block.geometry.box.intersects(box) {
      block.geometry.boxTree.visit(meeting: box) { row in
        for path in block.geometry.paths(ofFeature: row)
        where block.geometry.pathRoles[path].isRing {
          let ring = RingInBlock(block.geometry, path)
          for vertex in 0..<ring.count {
            let (a, b) = (ring[vertex], ring[(vertex + 1) % ring.count])
            guard max(a.x, b.x) >= box.minX, min(a.x, b.x) <= box.maxX,
              max(a.y, b.y) >= box.minY, min(a.y, b.y) <= box.maxY
            else { continue }
            // A step across 180 degrees is no edge of these numbers.
            if isGeographic, Longitude.turn(from: a.x, to: b.x) != 0 { continue }
            if let place = change.fault(with: a, b) {
              fault = place
              return false
            }
          }
        }
        return true
      }
      if let fault { throw .crossing(fault) }
    }
    if let own = change.ownFault { throw .crossing(own) }
  }
}

/// The vertices of a ring in a block, without the closing one.
private struct RingInBlock {
  private let geometry: GeometryBlock
  private let first: Int
  let count: Int

  init(_ geometry: GeometryBlock, _ path: Int) {
    self.geometry = geometry
    let vertices = geometry.vertices(ofPath: path)
    first = vertices.lowerBound
    let isClosed =
      vertices.count > 1
      && geometry.coordinate(at: first) == geometry.coordinate(at: vertices.upperBound - 1)
    count = vertices.count - (isClosed ? 1 : 0)
  }

  subscript(_ index: Int) -> Coordinate { geometry.coordinate(at: first + index) }
}

extension Coordinate {
  fileprivate func turned(by degrees: Double) -> Coordinate {
    degrees == 0 ? self : Coordinate(x: NumberText.sum(x, degrees), y: y)
  }
}

extension Geometry.Path {
  /// Inserts a vertex without a height.
  fileprivate mutating func insert(_ vertex: Coordinate, at index: Int) {
    vertices.insert(vertex, at: index)
    if !elevations.isEmpty { elevations.insert(nil, at: index) }
  }
}
