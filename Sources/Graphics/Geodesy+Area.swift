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
    var former = GlobePosition(last)
    var sum = ExactSum()
    var turned = 0.0
    for position in finite {
      let next = GlobePosition(position)
      sum.add(Geodesic(from: former, to: next, measuringArea: true).area)
      turned += step(from: former.longitude, to: next.longitude).step
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
    for path in geometry.paths where path.role.isRing {
      let area = area(ofRing: path.vertices, mayJump: mayJump)
      total += path.role.isHole ? -area : area
    }
    return max(0, total)
  }

  /// The length of a geometry's lines and rings, in metres.
  package static func length(of geometry: Geometry) -> Double {
    geometry.paths.reduce(0) { sum, path in
      path.role.kind.dimension == 0 ? sum : sum + length(of: path.vertices)
    }
  }

  private static func area(ofRing ring: [Coordinate], mayJump: Bool) -> Double {
    let finite = ring.filter(isFinite)
    guard let first = finite.first, finite.count > 2 else { return 0 }
    var walk = Longitude.Walk()
    func x(_ position: Coordinate) -> Double { mayJump ? walk.next(position.x) : position.x }
    var (formerX, former) = (x(first), GlobePosition(first))
    var sum = ExactSum()
    for index in 1...finite.count {
      let position = finite[index < finite.count ? index : 0]
      let (x, next) = (x(position), GlobePosition(position))
      // Steps that no world has keep the sum finite.
      let step = min(max(x - formerX, -1e9), 1e9)
      if step.magnitude < 180 {
        sum.add(Geodesic(from: former, to: next, measuringArea: true).area)
      } else {
        let sine = (authalicSine(former.latitude) + authalicSine(next.latitude)) / 2
        sum.add(radians(step) * sine * authalicRadius * authalicRadius)
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

  /// The sine of the authalic latitude (Snyder, Map Projections, 3-11 and 3-12).
  private static func authalicSine(_ degrees: Double) -> Double {
    let eccentricity = (flattening * (2 - flattening)).squareRoot()
    return authalic(Mathematics.sine(radians(degrees)), eccentricity) / authalic(1, eccentricity)
  }

  private static func authalic(_ sine: Double, _ e: Double) -> Double {
    let square = e * e
    let product = e * sine
    return (1 - square)
      * (sine / (1 - product * product)
        - Mathematics.logarithm((1 - product) / (1 + product)) / (2 * e))
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
