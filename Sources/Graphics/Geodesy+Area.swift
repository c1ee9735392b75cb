extension Geodesy {
  /// The area inside a ring, in square metres, in either direction.
  ///
  /// Edges are geodesics. A step of half a turn and more, as of a box around the world, goes along
  /// its latitudes, which no geodesic does: it is straight in longitude and authalic latitude.
  package static func area(ofRing ring: [Coordinate]) -> Double {
    area(ofRing: ring, mayJump: Geometry.polygon([ring]).box.mayJump)
  }

  /// The area on the smaller side of a ring of positions, in square metres.
  ///
  /// All edges are shortest ways, across 180 degrees and the poles too, whatever the longitudes:
  /// that is the area of GeographicLib's polygons. `area(ofRing:)` keeps to the shape that the
  /// longitudes of a file draw.
  package static func area(betweenPositions ring: [Coordinate]) -> Double {
    let finite = ring.filter(isFinite)
    guard let last = finite.last, finite.count > 2 else { return 0 }
    var former = AreaCorner(last)
    var sum = ExactSum()
    var turned = 0.0
    for position in finite {
      let next = AreaCorner(position)
      let step = step(from: former.position.x, to: position.x).step
      sum.add(former.area(to: next, step: step))
      turned += step
      former = next
    }
    let half = 2 * Double.pi * authalicRadius * authalicRadius
    var area = sum.value.remainder(dividingBy: 2 * half)
    // What lies between a ring around a pole and the equator is not inside of it.
    let isAroundPole = (turned / 360).rounded().remainder(dividingBy: 2) != 0
    if isAroundPole { area += area < 0 ? half : -half }
    return min(area.magnitude, 2 * half - area.magnitude)
  }

  /// The area of a geometry's polygons, holes taken off, in square metres.
  package static func area(of geometry: Geometry) -> Double {
    let mayJump = geometry.box.mayJump
    var total = 0.0
    var isWide = false
    for path in geometry.paths where path.role.isRing {
      // The holes of an area whose outline goes along latitudes do so, too: geodesics of nearly
      // half a turn would lead out of it.
      if !path.role.isHole { isWide = !mayJump && hasWideStep(path.vertices) }
      let area = area(ofRing: path.vertices, mayJump: mayJump, isWide: isWide && path.role.isHole)
      total += path.role.isHole ? -area : area
    }
    return max(0, total)
  }

  /// Whether a ring has a step of half a turn or more, as it is drawn.
  private static func hasWideStep(_ ring: [Coordinate]) -> Bool {
    zip(ring, ring.dropFirst()).contains { abs($1.x - $0.x) >= 180 }
  }

  /// - Parameter isWide: whether all steps go straight in longitude and authalic latitude.
  private static func area(
    ofRing ring: [Coordinate], mayJump: Bool, isWide: Bool = false
  ) -> Double {
    let finite = ring.filter(isFinite)
    guard let first = finite.first, finite.count > 2 else { return 0 }
    var walk = Longitude.Walk()
    func x(_ position: Coordinate) -> Double { mayJump ? walk.next(position.x) : position.x }
    var (formerX, former) = (x(first), AreaCorner(first))
    var sum = ExactSum()
    for index in 1...finite.count {
      let position = finite[index < finite.count ? index : 0]
      let (x, next) = (x(position), AreaCorner(position))
      // Steps that no world has keep the sum finite.
      let step = min(max(x - formerX, -1e9), 1e9)
      if step.magnitude < 180 && !isWide {
        sum.add(former.area(to: next, step: step))
      } else {
        sum.add(radians(step) * (former.toEquator + next.toEquator) / 2)
      }
      (formerX, former) = (x, next)
    }
    guard walk.turns != 0 else { return sum.value.magnitude }
    // A ring around a pole has what lies between it and the equator in the sum: to the east where
    // its turns went down.
    let north = walk.turns > 0 ? sum.value : -sum.value
    let half = 2 * Double.pi * authalicRadius * authalicRadius
    return max(0, Longitude.pole(inRingFrom: first) > 0 ? half - north : half + north)
  }
}

/// A sum with what rounding takes off it (A. Neumaier).
private struct ExactSum {
  private var sum = 0.0
  private var rest = 0.0

  var value: Double { sum + rest }

  mutating func add(_ term: Double) {
    let next = sum + term
    rest += sum.magnitude >= term.magnitude ? (sum - next) + term : (term - next) + sum
    sum = next
  }
}
