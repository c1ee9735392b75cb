extension IndexedShape {
  var metric: ShapeMetric { ShapeMetric(isGeographic: isGeographic) }

  /// The distance from a position to the shape: 0 within its areas; `nil` if it is beyond a bound.
  package func distance(to place: Coordinate, within bound: Double = .infinity) -> Double? {
    if box.isEmpty { return nil }
    if holds(MiddlePoint(place)) { return 0 }
    return nearest(to: place, within: bound)?.distance
  }

  /// The nearest place on the shape's lines, edges and points.
  func nearest(to place: Coordinate, within bound: Double) -> ShapeMetric.Near? {
    let here = Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
    let metric = metric
    var found: ShapeMetric.Near?
    func reach(_ box: Box) -> Double { metric.reach(here, box) }
    func limit() -> Double { found?.distance ?? bound }
    func visit(_ path: Path) {
      path.tree.visitNearest(reach: reach, within: limit, coordinates) { vertex in
        let segment = Segment(
          a: coordinate(vertex), b: coordinate(vertex + path.tree.step))
        if let near = metric.nearest(on: segment, to: place, within: limit()) { found = near }
      }
    }
    if let pathTree {
      pathTree.visitNearest(reach: reach, within: limit) { visit(paths[$0]) }
    } else {
      for path in paths where reach(path.tree.box) <= limit() { visit(path) }
    }
    return found
  }

  /// The distance between two shapes: 0 where they meet; `nil` if it is beyond a bound.
  ///
  /// It is the least between a vertex of one and the edges of the other, and from there between
  /// the edges while it falls.
  package func distance(to other: IndexedShape, within bound: Double = .infinity) -> Double? {
    if box.isEmpty || other.box.isEmpty { return nil }
    if metric.reach(box, other.box) == 0, meets(other) { return 0 }
    var best: (near: ShapeMetric.Near, isOnSelf: Bool)?
    for (from, to) in [(self, other), (other, self)] {
      func reach(_ box: Box) -> Double { metric.reach(box, to.box) }
      func limit() -> Double { best?.near.distance ?? bound }
      for path in from.paths where reach(path.tree.box) <= limit() {
        path.tree.visitNearest(reach: reach, within: limit, from.coordinates) { vertex in
          // The last vertex of a line has no step of its own.
          for vertex in vertex...vertex + path.tree.step {
            if let near = to.nearest(to: from.coordinate(vertex), within: limit()) {
              best = (near, to === self)
            }
          }
        }
      }
    }
    guard var best else { return nil }
    for _ in 0..<20 {
      let other = best.isOnSelf ? other : self
      let former = best.near.distance
      guard let near = other.nearest(to: best.near.foot, within: former) else { break }
      best = (near, !best.isOnSelf)
      if near.distance >= former * (1 - 1e-10) { break }
    }
    return best.near.distance
  }
}

extension PathTree {
  /// Visits the pieces of a path, near stretches first, as long as a bound lets them.
  func visitNearest(
    reach: (Box) -> Double, within bound: () -> Double, _ coordinates: [Double],
    _ body: (Int) -> Void
  ) {
    guard count > 0 else { return }
    var open = [(reach: reach(box), level: levelCount, group: 0)]
    while let next = open.popLast() {
      guard next.reach <= bound() else { continue }
      if next.level < 0 {
        body(start + next.group)
        continue
      }
      let place = open.count
      for group in groups(of: next.group, level: next.level) {
        let box =
          next.level > 0
          ? box(level: next.level - 1, group) : box(ofPiece: group, coordinates)
        let distance = reach(box)
        if distance <= bound() { open.append((distance, next.level - 1, group)) }
      }
      open[place...].sort { $0.reach > $1.reach }
    }
  }
}
