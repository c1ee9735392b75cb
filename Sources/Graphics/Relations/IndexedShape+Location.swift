/// Where a position lies, seen from an area.
enum Location {
  case outside
  case boundary
  case inside
}

extension IndexedShape {
  /// Where a point lies, without turns of the globe; exact.
  ///
  /// An area is what lies in an odd number of the rings of one of its polygons.
  ///
  /// - Parameter skipped: the number of a polygon that does not count.
  /// - Complexity: O(log n) for rings that do not wind about the point's meridian.
  func location(of point: MiddlePoint, skipping skipped: Int? = nil) -> Location {
    guard point.isIn(box) else { return .outside }
    let place = point.place
    // Rounding may have moved the middle off its meridian.
    let ray = Box(
      minX: place.x.nextDown, minY: place.y.nextDown, maxX: place.x.nextUp, maxY: .infinity)
    var odd: [Int] = []
    var isOnBoundary = false
    visitPaths(meeting: ray) { number in
      let path = paths[number]
      guard path.dimension == 2, path.polygon != skipped else { return true }
      guard let crossings = crossings(of: path.tree, northOf: point) else {
        isOnBoundary = true
        return false
      }
      if crossings % 2 == 1 {
        if let known = odd.firstIndex(of: path.polygon) {
          odd.remove(at: known)
        } else {
          odd.append(path.polygon)
        }
      }
      return true
    }
    return isOnBoundary ? .boundary : odd.isEmpty ? .outside : .inside
  }

  /// How often a ring crosses the ray from a point to the north; `nil` if the point is on the ring.
  private func crossings(of tree: PathTree, northOf point: MiddlePoint) -> Int? {
    var count = 0
    let isOff = tree.walk { bounds, vertices in
      if point.orderX(bounds.minX) < 0 || point.orderX(bounds.maxX) > 0
        || point.orderY(bounds.maxY) > 0
      {
        return .skip
      }
      if point.orderY(bounds.minY) >= 0 { return .enter }
      // Of a stretch north of the point only the sides of its two ends count.
      let isFirstEast = point.orderX(coordinate(vertices.lowerBound).x) < 0
      let isLastEast = point.orderX(coordinate(vertices.upperBound).x) < 0
      if isFirstEast != isLastEast { count += 1 }
      return .skip
    } _: { vertex in
      switch crossing(coordinate(vertex), coordinate(vertex + 1), point) {
      case .outside: return true
      case .inside:
        count += 1
        return true
      case .boundary: return false
      }
    }
    return isOff ? count : nil
  }

  /// `inside` for a step that crosses the ray to the north, `boundary` for one through the point.
  @inline(__always)
  private func crossing(_ a: Coordinate, _ b: Coordinate, _ point: MiddlePoint) -> Location {
    let (x0, x1) = (point.orderX(a.x), point.orderX(b.x))
    if x0 * x1 > 0 { return .outside }
    let (y0, y1) = (point.orderY(a.y), point.orderY(b.y))
    if y0 > 0 && y1 > 0 { return .outside }
    if x0 == 0 && x1 == 0 { return y0 * y1 <= 0 ? .boundary : .outside }
    if y0 < 0 && y1 < 0 { return (x0 < 0) != (x1 < 0) ? .inside : .outside }
    let side = point.side(from: a, to: b)
    if side == 0 { return .boundary }
    guard (x0 < 0) != (x1 < 0) else { return .outside }
    return (b.x > a.x ? side < 0 : side > 0) ? .inside : .outside
  }

  /// Whether a point lies in an area of the shape or on its edge, on some turn of the globe.
  func holds(_ point: MiddlePoint) -> Bool {
    let place = point.place
    let bounds = Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
    guard let frames = frames(meeting: bounds.widened) else { return false }
    return frames.contains { location(of: point.moved($0)) != .outside }
  }

  /// A point strictly inside of one of the shape's polygons, where doubles have one.
  func innerPoint(ofPolygon polygon: Int) -> MiddlePoint? {
    var heights = Set<Double>()
    for path in paths where path.dimension == 2 && path.polygon == polygon {
      let size = max(1, path.vertices.count / 256)
      for vertex in stride(from: path.vertices.lowerBound, to: path.vertices.upperBound, by: size) {
        heights.insert(coordinate(vertex).y)
      }
    }
    let sorted = heights.sorted()
    let gaps = zip(sorted, sorted.dropFirst()).sorted { $1.1 - $1.0 < $0.1 - $0.0 }
    for (low, high) in gaps.prefix(64) {
      let y = low + (high - low) / 2
      let places = crossings(ofPolygon: polygon, y: y).sorted()
      let runs = zip(places, places.dropFirst()).sorted { $1.1 - $1.0 < $0.1 - $0.0 }
      for (west, east) in runs.prefix(8) {
        let point = MiddlePoint(Coordinate(x: west + (east - west) / 2, y: y))
        if location(of: point) == .inside { return point }
      }
    }
    return nil
  }

  /// About where the rings of a polygon cross a parallel.
  private func crossings(ofPolygon polygon: Int, y: Double) -> [Double] {
    let line = Box(minX: box.minX, minY: y, maxX: box.maxX, maxY: y)
    var places: [Double] = []
    visitSteps(meeting: line, isArea: true) { path, vertex in
      let (a, b) = (coordinate(vertex), coordinate(vertex + 1))
      if paths[path].polygon == polygon, (a.y > y) != (b.y > y) {
        places.append(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)))
      }
      return true
    }
    return places
  }
}

extension Box {
  /// The box and a little more, so that rounding does not lose what is on its edge.
  var widened: Box {
    Box(minX: minX.nextDown, minY: minY.nextDown, maxX: maxX.nextUp, maxY: maxY.nextUp)
  }

  func moved(_ turns: Int) -> Box {
    if turns == 0 { return self }
    return Box(
      minX: minX + 360 * Double(turns), minY: minY, maxX: maxX + 360 * Double(turns), maxY: maxY)
  }
}
