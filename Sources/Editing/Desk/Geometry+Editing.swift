import PortolanDocuments
package import PortolanGraphics

extension Draft {
  /// The draft as a geometry; parts inside of the first ring are its holes. Rings go the way of RFC
  /// 7946 (section 3.1.6).
  package var geometry: Geometry {
    var parts = self.parts
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard let first = parts.first else { return .none }
    var geometry: Geometry =
      switch kind {
      case .point: .point(first.first ?? Coordinate(x: 0, y: 0))
      case .line: .line(first)
      case .polygon: .polygon([Geometry.wound(first, isHole: false)])
      }
    if kind == .point {
      for place in parts.flatMap({ $0 }).dropFirst() { geometry.addPart([place], kind: .point) }
    } else {
      for part in parts.dropFirst() { geometry.addPart(part, kind: kind) }
    }
    return geometry
  }
}

extension Geometry.Path {
  /// Inserts vertices at an index, without elevations.
  mutating func insert(_ new: [Coordinate], at place: Int) {
    let place = min(max(0, place), vertices.count)
    vertices.insert(contentsOf: new, at: place)
    if !elevations.isEmpty, place <= elevations.count {
      elevations.insert(contentsOf: [Double?](repeating: nil, count: new.count), at: place)
    }
  }
}

extension Geometry {
  /// Adds a part: a further point, line or area, or a hole where it lies inside of an area, in
  /// degrees on whatever turn of the globe.
  ///
  /// The geometry becomes a multi-geometry if needed.
  mutating func addPart(_ vertices: [Coordinate], kind part: Draft.Kind, isGeographic: Bool = false)
  {
    switch part {
    case .point:
      becomes(.multiPoint)
      if let path = paths.lastIndex(where: { $0.role.kind == .multiPoint }) {
        paths[path].insert(vertices, at: paths[path].vertices.count)
      } else {
        appendPath(.multiPoint, vertices, beginsPolygon: false)
      }
    case .line:
      becomes(.multiLineString)
      appendPath(.multiLineString, vertices, beginsPolygon: false)
    case .polygon:
      let closed = vertices.first == vertices.last ? vertices : vertices + vertices.prefix(1)
      let turned = (isGeographic ? [0, 360, -360] : [0]).map { turn in
        closed.map { Coordinate(x: NumberText.sum($0.x, turn), y: $0.y) }
      }
      let inside = turned.first { outerRing(around: $0) != nil }
      let ring = Self.wound(inside ?? closed, isHole: inside != nil)
      if let inside, let outer = outerRing(around: inside) {
        var end = outer + 1
        while end < paths.count, paths[end].role.isHole { end += 1 }
        let role = PathRole(
          kind: paths[outer].role.kind, beginsMember: false, beginsPolygon: false)
        paths.insert(Path(role: role, vertices: ring), at: end)
      } else {
        becomes(.multiPolygon)
        appendPath(.multiPolygon, ring, beginsPolygon: true)
      }
    }
  }

  /// A ring in the direction of RFC 7946: an outer one counter-clockwise, a hole clockwise.
  fileprivate static func wound(_ ring: [Coordinate], isHole: Bool) -> [Coordinate] {
    let area = Ring.signedArea(ring + ring.prefix(1))
    return (isHole ? area > 0 : area < 0) ? ring.reversed() : ring
  }

  private mutating func appendPath(
    _ kind: GeometryKind, _ vertices: [Coordinate], beginsPolygon: Bool
  ) {
    let role = PathRole(kind: kind, beginsMember: paths.isEmpty, beginsPolygon: beginsPolygon)
    paths.append(Path(role: role, vertices: vertices))
  }

  /// Turns a single geometry into the multi-geometry of the same dimension.
  private mutating func becomes(_ multiple: GeometryKind) {
    kind = multiple
    for index in paths.indices {
      let role = paths[index].role
      paths[index].role = PathRole(
        kind: multiple, beginsMember: role.beginsMember, beginsPolygon: role.beginsPolygon)
    }
  }

  /// The index of the outer ring around all vertices of another ring.
  private func outerRing(around ring: [Coordinate]) -> Int? {
    paths.indices.first { index in
      paths[index].role.isRing && !paths[index].role.isHole
        && ring.allSatisfy { Self.contains(paths[index].vertices, $0) }
    }
  }

  private static func contains(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y > point.y) != (b.y > point.y) {
      if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
    }
    return isInside
  }

  // MARK: Vertices

  /// Moves all vertices; in degrees the shape stays the one that it is on the globe.
  mutating func move(x: Double, y: Double, isGeographic: Bool) {
    if isGeographic {
      changeOnGlobe { $0.move(x: x, y: y, isGeographic: false) }
      return
    }
    for path in paths.indices {
      paths[path].vertices.withUnsafeMutableBufferPointer { vertices in
        for vertex in vertices.indices {
          vertices[vertex].x += x
          vertices[vertex].y += y
        }
      }
    }
  }

  /// Moves a vertex; a ring stays closed.
  mutating func moveVertex(_ vertex: VertexReference, by offset: Coordinate) {
    guard has(vertex) else { return }
    let count = paths[vertex.path].vertices.count
    var place = paths[vertex.path].vertices[vertex.vertex]
    place.x += offset.x
    place.y += offset.y
    paths[vertex.path].vertices[vertex.vertex] = place
    guard paths[vertex.path].role.isRing, count > 1 else { return }
    if vertex.vertex == 0 { paths[vertex.path].vertices[count - 1] = place }
    if vertex.vertex == count - 1 { paths[vertex.path].vertices[0] = place }
  }

  /// Inserts a vertex half way between one and the next.
  mutating func insertVertex(after vertex: VertexReference) throws {
    guard has(vertex), paths[vertex.path].role.kind.dimension != 0 else {
      throw EditingError(.refused, "vertices are inserted into lines and areas only")
    }
    let vertices = paths[vertex.path].vertices
    guard vertex.vertex + 1 < vertices.count else {
      throw EditingError(.refused, "no vertex comes after the last: a without a vertex goes on")
    }
    let a = vertices[vertex.vertex]
    let b = vertices[vertex.vertex + 1]
    let middle = Coordinate(x: a.x + (b.x - a.x) / 2, y: a.y + (b.y - a.y) / 2)
    paths[vertex.path].insert([middle], at: vertex.vertex + 1)
  }

  /// Removes a vertex; a ring stays closed.
  ///
  /// - Throws: if too few would remain.
  mutating func removeVertex(_ vertex: VertexReference) throws {
    guard has(vertex) else { return }
    let role = paths[vertex.path].role
    let least = role.isRing ? 5 : role.kind.dimension == 1 ? 3 : 2
    guard paths[vertex.path].vertices.count >= least else {
      throw EditingError(
        .refused, "too few vertices would be left: Esc, then d deletes the feature")
    }
    paths[vertex.path].vertices.remove(at: vertex.vertex)
    if paths[vertex.path].elevations.indices.contains(vertex.vertex) {
      paths[vertex.path].elevations.remove(at: vertex.vertex)
    }
    guard role.isRing else { return }
    let last = paths[vertex.path].vertices.count - 1
    if vertex.vertex == 0 {
      paths[vertex.path].vertices[last] = paths[vertex.path].vertices[0]
    } else if vertex.vertex > last {
      paths[vertex.path].vertices[0] = paths[vertex.path].vertices[last]
    }
  }

  private func has(_ vertex: VertexReference) -> Bool {
    paths.indices.contains(vertex.path)
      && paths[vertex.path].vertices.indices.contains(vertex.vertex)
  }
}
