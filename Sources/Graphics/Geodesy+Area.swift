extension Geodesy {
  /// The area inside a ring, in square metres, in either direction.
  ///
  /// Edges are taken as straight in longitude and authalic latitude, on the sphere with the
  /// ellipsoid's surface: right to 0.1 % for edges of up to a hundred kilometres.
  package static func area(ofRing ring: [Coordinate]) -> Double {
    area(ofRing: ring, mayJump: Geometry.polygon([ring]).box.mayJump)
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
    var (formerX, formerSine) = (x(first), authalicSine(latitude(first)))
    var sum = 0.0
    for position in finite.dropFirst() + [first] {
      let (x, sine) = (x(position), authalicSine(latitude(position)))
      sum += radians(x - formerX) * (2 + formerSine + sine)
      (formerX, formerSine) = (x, sine)
    }
    let area = abs(sum / 2) * authalicRadius * authalicRadius
    // A ring around a pole has the cap to its south in the sum.
    guard walk.turns != 0, Longitude.pole(inRingFrom: first) > 0 else { return area }
    return max(0, 4 * Double.pi * authalicRadius * authalicRadius - area)
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
