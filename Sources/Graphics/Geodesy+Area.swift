extension Geodesy {
  /// The area inside a ring, in square metres, in either direction.
  ///
  /// Edges are taken as straight in longitude and authalic latitude, on the sphere with the
  /// ellipsoid's surface: right to 0.1 % for edges of up to a hundred kilometres.
  package static func area(ofRing ring: [Coordinate]) -> Double { abs(signedArea(ofRing: ring)) }

  /// The area of a geometry's polygons, holes taken off, in square metres.
  package static func area(of geometry: Geometry) -> Double {
    var total = 0.0
    for path in geometry.paths where path.role.isRing {
      let area = area(ofRing: path.vertices)
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

  private static func signedArea(ofRing ring: [Coordinate]) -> Double {
    let finite = ring.filter(isFinite)
    guard let last = finite.last, finite.count > 2 else { return 0 }
    var previous = last
    var previousSine = authalicSine(latitude(last))
    var sum = 0.0
    for position in finite {
      let sine = authalicSine(latitude(position))
      sum += radians(wrapped(position.x - previous.x)) * (2 + previousSine + sine)
      previous = position
      previousSine = sine
    }
    // A ring around a pole leaves the cap on the other side; the smaller one is meant.
    let half = sum / 2 * authalicRadius * authalicRadius
    let sphere = 4 * Double.pi * authalicRadius * authalicRadius
    let turned = half.truncatingRemainder(dividingBy: sphere)
    return abs(turned) > sphere / 2 ? sphere - abs(turned) : turned
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
