import PortolanGraphics

/// Rings across the antimeridian.
extension PolygonCheck {
  /// Tells an edge of a ring that spans more than half of the globe, as one does in a ring that was
  /// not cut at 180 degrees.
  ///
  /// A box, with all edges along parallels and meridians, may be meant as wide as it stands; of it
  /// only the edges are told that readers take for short ways across 180 degrees, too.
  ///
  /// - Returns: whether the ring lies across 180 degrees, rather than as it stands.
  func findJump(_ ring: Int, _ faults: inout [RingFault]) -> Bool {
    let summary = summaries[ring]
    let isBox = edges[summary.edges].allSatisfy(\.isAlongGrid)
    let jumps = edges[summary.edges].filter { edge in
      edge.span > 180 && edge.span < 360 - 1e-9
        && max(edge.ax.magnitude, edge.bx.magnitude) < 180.001
    }
    let turns = jumps.reduce(0) { $0 + ($1.bx > $1.ax ? 1 : -1) }
    let windsWrongly = (summary.area > 0) == (ring > 0)
    // It is closed across 180 degrees, and winds rightly only there.
    let isAcross =
      turns == 0 && windsWrongly && jumps.allSatisfy { $0.span >= Longitude.leastJump }
    // Nearly all of the globe is else the way along the edge of the map.
    let told = jumps.first {
      isAcross || $0.span < 359.9 && ($0.span >= Longitude.leastJump || !isBox)
    }
    guard let told else { return false }
    faults.append(
      RingFault(
        code: .antimeridianJump, ring: ring, position: Int(told.position),
        place: Coordinate(x: told.ax, y: told.ay),
        message: "the ring jumps \(Int(told.span)) degrees of longitude from here"))
    return isAcross || !isBox
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

extension Edge {
  /// The degrees of longitude that it spans.
  fileprivate var span: Double { (bx - ax).magnitude }

  /// Whether it runs along a parallel or a meridian, but for noise in the decimals.
  fileprivate var isAlongGrid: Bool { min(span, (by - ay).magnitude) < 1e-7 }
}

/// The first step of a line that readers take for a short way across 180 degrees.
struct LineJump {
  /// The position that it begins at.
  let position: Int
  let place: Coordinate
  let message: String

  /// - Parameters:
  ///   - xy: two doubles a position, x then y.
  ///   - range: the positions of the line.
  init?(_ xy: UnsafePointer<Double>, _ range: Range<Int>) {
    let first = range.dropLast().first {
      Longitude.turn(from: xy[2 * $0], to: xy[2 * $0 + 2]) != 0
    }
    guard let first else { return nil }
    position = first
    place = Coordinate(x: xy[2 * first], y: xy[2 * first + 1])
    let span = Int((xy[2 * first + 2] - xy[2 * first]).magnitude)
    message = "the line jumps \(span) degrees of longitude from here"
  }
}
