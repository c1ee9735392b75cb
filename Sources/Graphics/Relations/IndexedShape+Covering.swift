extension IndexedShape {
  /// Whether all of another shape lies in the areas of this one; their edges belong to them.
  ///
  /// Exact where nothing has to be moved by a turn of the globe. Areas that the world's edge cuts
  /// in two count as one.
  package func covers(_ other: IndexedShape) -> Bool {
    guard !other.box.isEmpty, let frames = frames(meeting: other.box) else { return false }
    if frames.count == 1, !box.holds(other.box.moved(frames.lowerBound)) { return false }
    let cover = Cover(area: self, other: other, frames: frames)
    return cover.holdsLines && cover.holdsAreas
  }
}

/// A test whether a shape lies in an area.
private struct Cover {
  let area: IndexedShape
  let other: IndexedShape
  /// The turns by which the other shape may meet the area.
  let frames: ClosedRange<Int>

  private func holds(_ point: MiddlePoint) -> Bool {
    frames.contains { area.location(of: point.moved($0)) != .outside }
  }

  // MARK: Points, lines and boundaries

  /// Whether all points, lines and rings lie in the area.
  var holdsLines: Bool {
    other.paths.indices.allSatisfy { path in
      let vertices = other.paths[path].vertices
      if other.paths[path].dimension == 0 {
        return vertices.allSatisfy { holds(MiddlePoint(other.coordinate($0))) }
      }
      guard holds(MiddlePoint(other.coordinate(vertices.lowerBound))) else { return false }
      // A step that meets no edge of the area stays where it begins.
      return vertices.dropLast().allSatisfy { vertex in
        let segment = other.segment(path, vertex)
        guard let stops = stops(on: segment) else { return false }
        return stops.isEmpty || holds(segment, stoppingAt: stops)
      }
    }
  }

  /// Where a step meets the edges of the area, and its ends if it does; `nil` if it leaves it.
  private func stops(on segment: Segment) -> [Coordinate]? {
    var stops: [Coordinate] = []
    var isLeaving = false
    for turns in frames where !isLeaving {
      let moved = segment.moved(turns)
      area.visitSteps(meeting: moved.box, isArea: true) { path, vertex in
        let edge = area.segment(path, vertex)
        switch moved.meeting(edge) {
        case .apart: break
        case .touching:
          stops += [edge.a, edge.b].filter { moved.holdsInside($0) }.map { $0.moved(-turns) }
          stops += [segment.a, segment.b]
        case .crossing:
          isLeaving = !area.hasSeveralPolygons && !area.isSeam(vertex)
          stops += [moved.crossing(edge).moved(-turns), segment.a, segment.b]
        }
        return !isLeaving
      }
    }
    return isLeaving ? nil : stops
  }

  private func holds(_ segment: Segment, stoppingAt stops: [Coordinate]) -> Bool {
    guard holds(MiddlePoint(segment.b)) else { return false }
    let sorted = segment.sorted(stops)
    return zip(sorted, sorted.dropFirst()).allSatisfy { start, end in
      start == end || holds(MiddlePoint(start, end))
    }
  }

  // MARK: Areas

  /// Whether the inside of areas lies in the area, where their boundaries do.
  var holdsAreas: Bool {
    let polygons = Set(other.paths.filter { $0.dimension == 2 }.map(\.polygon))
    if polygons.isEmpty { return true }
    // A hole of the area within the other one.
    if frames.contains(where: { hasEdgeInside(moved: $0) }) { return false }
    // An area that fills a hole has its boundary in the area.
    return polygons.allSatisfy { polygon in
      other.innerPoint(ofPolygon: polygon).map { holds($0) } ?? true
    }
  }

  /// Whether an edge of the area runs inside of the other one, which is moved by some turns.
  private func hasEdgeInside(moved turns: Int) -> Bool {
    var isFound = false
    area.visitSteps(meeting: other.box.moved(turns), isArea: true) { path, vertex in
      if area.isSeam(vertex) { return true }
      let edge = area.segment(path, vertex).moved(-turns)
      var stops = [edge.a, edge.b]
      other.visitSteps(meeting: edge.box, isArea: true) { path, vertex in
        let step = other.segment(path, vertex)
        stops += [step.a, step.b].filter { edge.holdsInside($0) }
        return true
      }
      let sorted = edge.sorted(stops)
      let points =
        [MiddlePoint(edge.a)] + zip(sorted, sorted.dropFirst()).map { MiddlePoint($0, $1) }
      isFound = points.contains { isInside($0, besides: area.paths[path].polygon, turns) }
      return !isFound
    }
    return isFound
  }

  /// Whether a point of a polygon's edge lies inside of the other shape, and outside of the other
  /// polygons of the area.
  private func isInside(_ point: MiddlePoint, besides polygon: Int, _ turns: Int) -> Bool {
    guard other.location(of: point) == .inside else { return false }
    guard area.hasSeveralPolygons else { return true }
    return area.location(of: point.moved(turns), skipping: polygon) == .outside
  }
}

extension Box {
  func holds(_ other: Box) -> Bool {
    minX <= other.minX && other.maxX <= maxX && minY <= other.minY && other.maxY <= maxY
  }
}
