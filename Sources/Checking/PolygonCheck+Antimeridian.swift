import PortolanGraphics

/// Rings across the antimeridian.
extension PolygonCheck {
  /// Tells an edge of a ring that spans more than half of the globe, but not all of it: as one
  /// does in a ring that was not cut at 180 degrees.
  func findJump(_ ring: Int, _ faults: inout [RingFault]) {
    let summary = summaries[ring]
    let windsWrongly = (summary.area > 0) == (ring > 0)
    // An edge that spans nearly all of the globe is one along the edge of the map, or, in a ring
    // that winds wrongly as it stands, one of a very narrow ring across 180 degrees.
    var jumps = jumps(summary, below: 360 - 1e-9)
    if jumps.turns != 0 || !windsWrongly { jumps = self.jumps(summary, below: 359.9) }
    guard let first = jumps.first else { return }
    // Straight edges along parallels may be of a wide box, such as that of the whole world. If it
    // winds wrongly as it stands, it is a narrow one across 180 degrees that winds rightly.
    let isNarrow = jumps.areShort && jumps.turns == 0 && windsWrongly
    if jumps.areLevel, summary.edges.count <= 8, !isNarrow { return }
    faults.append(
      RingFault(
        code: .antimeridianJump, ring: ring, position: Int(first.position),
        place: Coordinate(x: first.ax, y: first.ay),
        message: "the ring jumps \(Int((first.bx - first.ax).magnitude)) degrees of longitude "
          + "from here"))
  }

  /// The edges of a ring that span more than half of the globe, and less than some degrees.
  private struct Jumps {
    var first: Edge?
    /// Whether all are along parallels.
    var areLevel = true
    /// Whether all are short ways across 180 degrees.
    var areShort = true
    /// How often the ring goes around the globe by them.
    var turns = 0
  }

  private func jumps(_ summary: Summary, below limit: Double) -> Jumps {
    var jumps = Jumps()
    for edge in edges[summary.edges] {
      let span = (edge.bx - edge.ax).magnitude
      guard span > 180, span < limit, max(edge.ax.magnitude, edge.bx.magnitude) < 180.001 else {
        continue
      }
      jumps.first = jumps.first ?? edge
      jumps.turns += edge.bx > edge.ax ? 1 : -1
      if edge.ay != edge.by { jumps.areLevel = false }
      if span < Longitude.leastJump { jumps.areShort = false }
    }
    return jumps
  }

  /// Checks the rings of a polygon across the antimeridian with longitudes that go on beyond 180
  /// degrees. A polygon that may be meant otherwise is left out: one with a ring around the globe,
  /// or with a jump that is no short way across.
  mutating func checkAcross(
    _ xy: UnsafePointer<Double>, _ rings: [Ring], _ faults: inout [RingFault]
  ) {
    var turned: [Double] = []
    var shifted: [Ring] = []
    var goal: Double?
    for ring in rings {
      var walk = Longitude.Walk()
      let start = turned.count
      var box = Box.empty
      var former: Double?
      for position in ring {
        let place = Coordinate(x: walk.next(xy[2 * position]), y: xy[2 * position + 1])
        if let former, (place.x - former).magnitude > 180 { return }
        former = place.x
        turned += [place.x, place.y]
        box.formUnion(place)
      }
      _ = walk.next(xy[2 * ring.lowerBound])
      if walk.turns != 0 { return }
      // Holes go with their polygon.
      let middle = goal ?? box.center.x
      goal = middle
      let turn = 360 * ((middle - box.center.x) / 360).rounded()
      if turn != 0 {
        for index in stride(from: start, to: turned.count, by: 2) { turned[index] += turn }
      }
      shifted.append(start / 2..<turned.count / 2)
    }
    let first = faults.count
    turned.withUnsafeBufferPointer { xy in
      guard let base = xy.baseAddress else { return }
      check(base, shifted, isGeographic: false, &faults)
    }
    for index in first..<faults.count {
      let ring = faults[index].ring
      faults[index].position += rings[ring].lowerBound - shifted[ring].lowerBound
      faults[index].place.x = Longitude.onGlobe(faults[index].place.x)
    }
  }
}
