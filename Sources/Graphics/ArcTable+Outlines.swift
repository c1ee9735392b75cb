extension ArcTable {
  /// A polygon: its outer ring counter-clockwise, then its holes clockwise; all are closed.
  package typealias Outline = [[Coordinate]]

  /// The outlines of groups of polygons: borders between two polygons of one group are left out.
  ///
  /// The table must hold the rings of each polygon so that the polygon lies on the left of all of
  /// them: outer rings counter-clockwise, holes clockwise. Borders are those that neighbours share
  /// vertex by vertex, so the outline has no vertices but theirs and no slivers.
  ///
  /// - Parameters:
  ///   - groups: the group of each owner, by its number; -1 for none, as for owners beyond the end.
  ///   - count: the number of groups.
  /// - Returns: the polygons of each group; `nil` where polygons of the group overlap along a
  ///   border or enclose nothing, so that arcs alone cannot tell the outline. Crossing borders are
  ///   not noticed: see `check --coverage`.
  /// - Complexity: O(vertices · log arcs at a place), and rings times holes within a group.
  package func outlines(groups: [Int], count: Int) -> [[Outline]?] {
    var steps: [[Step]] = Array(repeating: [], count: max(0, count))
    for ring in rings {
      guard groups.indices.contains(ring.owner), steps.indices.contains(groups[ring.owner]) else {
        continue
      }
      steps[groups[ring.owner]] += self.steps[ring.steps]
    }
    return steps.map { steps in
      guard let walks = border(of: steps).map(walks(along:)) else { return nil }
      let outlines = polygons(of: walks)
      // A walk that is no ring of an outline may cross itself.
      return outlines.reduce(0) { $0 + $1.count } == walks.count ? outlines : nil
    }
  }

  /// The steps without those that go both ways; `nil` if one goes the same way twice.
  private func border(of steps: [Step]) -> [Step]? {
    let all = Set(steps)
    guard all.count == steps.count else { return nil }
    return steps.filter { !all.contains(Step(arc: $0.arc, isReversed: !$0.isReversed)) }
  }

  /// The place at which a step begins, or with `isLast` ends.
  func place(of step: Step, isLast: Bool) -> Int32 {
    let range = range(ofArc: Int(step.arc))
    return vertices[isLast != step.isReversed ? range.upperBound - 1 : range.lowerBound]
  }

  /// Closed walks along steps, each place of them once: at a place with several ways on the walk
  /// keeps to its own area, and a walk that comes by a place again is cut there.
  func walks(along steps: [Step]) -> [[Step]] {
    var leaving: [Int32: [Int]] = [:]
    for (number, step) in steps.enumerated() {
      leaving[place(of: step, isLast: false), default: []].append(number)
    }
    var isUsed = Array(repeating: false, count: steps.count)
    var rings: [[Step]] = []
    for start in steps.indices where !isUsed[start] {
      var walk: [Step] = []
      /// Where each place begins in the walk.
      var places: [Int32: Int] = [:]
      var next: Int? = start
      while let number = next {
        isUsed[number] = true
        let step = steps[number]
        places[place(of: step, isLast: false)] = walk.count
        walk.append(step)
        let end = place(of: step, isLast: true)
        let open = (leaving[end] ?? []).filter { !isUsed[$0] }
        next = open.count > 1 ? leftmost(open.map { ($0, steps[$0]) }, after: step) : open.first
        if let first = places[end] {
          rings.append(Array(walk[first...]))
          for gone in walk[first...] { places[place(of: gone, isLast: false)] = nil }
          walk.removeSubrange(first...)
          if walk.isEmpty { break }
        }
      }
    }
    return rings
  }

  /// The step that turns farthest to the left after another one.
  private func leftmost(_ steps: [(number: Int, step: Step)], after former: Step) -> Int? {
    let back = direction(of: Step(arc: former.arc, isReversed: !former.isReversed))
    /// The angle from the way back, clockwise: the least one keeps the area on the left.
    func turn(_ step: Step) -> Double {
      let ahead = direction(of: step)
      let angle = Mathematics.angle(
        y: back.y * ahead.x - back.x * ahead.y, x: back.x * ahead.x + back.y * ahead.y)
      return angle > 0 ? angle : angle + 2 * .pi
    }
    return steps.min { turn($0.step) < turn($1.step) }?.number
  }

  /// The vector of a step's first edge.
  private func direction(of step: Step) -> (x: Double, y: Double) {
    let range = range(ofArc: Int(step.arc))
    guard range.count > 1 else { return (0, 0) }
    let first = step.isReversed ? range.upperBound - 1 : range.lowerBound
    let a = places[Int(vertices[first])]
    let b = places[Int(vertices[step.isReversed ? first - 1 : first + 1])]
    return (b.x - a.x, b.y - a.y)
  }

  // MARK: Polygons

  func polygons(of walks: [[Step]]) -> [Outline] {
    struct Outer {
      var outline: Outline
      var box: Box
      var area: Double
    }
    var outers: [Outer] = []
    var holes: [[Coordinate]] = []
    for walk in walks {
      var ring: [Coordinate] = []
      for step in walk {
        let along = coordinates(of: step)
        ring += ring.isEmpty ? along[...] : along.dropFirst()
      }
      let area = PortolanGraphics.Ring.signedArea(ring)
      if area > 0 {
        let box = ring.reduce(into: Box.empty) { $0.formUnion($1) }
        outers.append(Outer(outline: [ring], box: box, area: area))
      } else if area < 0 {
        holes.append(ring)
      }
    }
    for hole in holes {
      // Rings of an outline meet in vertices only: the middle of an edge is on no other border.
      let middle = Coordinate(
        x: hole[0].x / 2 + hole[1].x / 2, y: hole[0].y / 2 + hole[1].y / 2)
      let around = outers.indices.filter {
        outers[$0].box.contains(middle) && Self.contains(outers[$0].outline[0], middle)
      }
      if let outer = around.min(by: { outers[$0].area < outers[$1].area }) {
        outers[outer].outline.append(hole)
      }
    }
    return outers.map(\.outline)
  }

  private static func contains(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y > point.y) != (b.y > point.y) {
      let side = Orientation.side(of: point, from: a, to: b)
      if (side > 0) == (b.y > a.y) { isInside.toggle() }
    }
    return isInside
  }
}
