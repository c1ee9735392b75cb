/// Distances and directions on the earth's ellipsoid (WGS 84), from degrees.
package enum Geodesy {
  /// The ellipsoid's radius at the equator, in metres.
  package static let equatorialRadius = 6_378_137.0
  package static let flattening = 1 / 298.257_223_563
  /// The radius of the sphere with the ellipsoid's surface, in metres.
  package static let authalicRadius = 6_371_007.180_918_47
  /// The mean radius, in metres.
  package static let meanRadius = 6_371_008.771_4

  /// The length of the shortest way between two positions, in metres; NaN for positions that are
  /// not finite.
  ///
  /// Vincenty's inverse formula (Survey Review XXIII, 176, 1975), exact to a millimetre. It does
  /// not converge for nearly antipodal positions; there the great circle on the mean sphere is
  /// returned, with an error below 0.6 %.
  package static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    guard isFinite(start) && isFinite(end) else { return .nan }
    return solve(from: start, to: end)?.distance ?? greatCircle(from: start, to: end)
  }

  /// The initial direction of the shortest way, in degrees clockwise from north, 0 to 360.
  package static func initialBearing(from start: Coordinate, to end: Coordinate) -> Double {
    guard isFinite(start) && isFinite(end) else { return .nan }
    if let solution = solve(from: start, to: end) { return solution.bearing }
    let (phi1, phi2) = (radians(latitude(start)), radians(latitude(end)))
    let lambda = radians(end.x - start.x)
    let y = Mathematics.sine(lambda) * Mathematics.cosine(phi2)
    let x =
      Mathematics.cosine(phi1) * Mathematics.sine(phi2)
      - Mathematics.sine(phi1) * Mathematics.cosine(phi2) * Mathematics.cosine(lambda)
    return degrees(direction: Mathematics.angle(y: y, x: x))
  }

  /// The length of a line through positions, in metres.
  package static func length(of line: [Coordinate]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { $0 + distance(from: $1.0, to: $1.1) }
  }

  /// The great circle on the mean sphere, in metres; finite for all finite positions.
  package static func greatCircle(from start: Coordinate, to end: Coordinate) -> Double {
    let (phi1, phi2) = (radians(latitude(start)), radians(latitude(end)))
    let halfPhi = Mathematics.sine((phi2 - phi1) / 2)
    let halfLambda = Mathematics.sine(radians(wrapped(end.x - start.x)) / 2)
    let square =
      halfPhi * halfPhi
      + Mathematics.cosine(phi1) * Mathematics.cosine(phi2) * halfLambda * halfLambda
    let chord = min(max(square, 0), 1)
    return 2 * meanRadius
      * Mathematics.angle(y: chord.squareRoot(), x: (1 - chord).squareRoot())
  }

  private static func solve(
    from start: Coordinate, to end: Coordinate
  ) -> (distance: Double, bearing: Double)? {
    let longitude = radians(wrapped(end.x - start.x))
    let reduced1 = Mathematics.arctangent(
      (1 - flattening) * Mathematics.tangent(radians(latitude(start))))
    let reduced2 = Mathematics.arctangent(
      (1 - flattening) * Mathematics.tangent(radians(latitude(end))))
    let (sin1, cos1) = (Mathematics.sine(reduced1), Mathematics.cosine(reduced1))
    let (sin2, cos2) = (Mathematics.sine(reduced2), Mathematics.cosine(reduced2))
    var lambda = longitude
    for _ in 0..<100 {
      let (sinLambda, cosLambda) = (Mathematics.sine(lambda), Mathematics.cosine(lambda))
      let (y, x) = (cos2 * sinLambda, cos1 * sin2 - sin1 * cos2 * cosLambda)
      let sinSigma = (y * y + x * x).squareRoot()
      if sinSigma == 0 { return cos1 * cos2 * cosLambda + sin1 * sin2 > 0 ? (0, 0) : nil }
      let cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
      let sigma = Mathematics.angle(y: sinSigma, x: cosSigma)
      let sinAlpha = cos1 * cos2 * sinLambda / sinSigma
      let cosSquare = 1 - sinAlpha * sinAlpha
      let cosMiddle = cosSquare > 1e-12 ? cosSigma - 2 * sin1 * sin2 / cosSquare : 0
      let c = flattening / 16 * cosSquare * (4 + flattening * (4 - 3 * cosSquare))
      let former = lambda
      let middleTerm = cosMiddle + c * cosSigma * (2 * cosMiddle * cosMiddle - 1)
      lambda = longitude + (1 - c) * flattening * sinAlpha * (sigma + c * sinSigma * middleTerm)
      guard abs(lambda) <= .pi * 1.5 else { return nil }
      if abs(lambda - former) < 1e-12 {
        let metres = arc(
          sigma: sigma, sinSigma: sinSigma, cosSigma: cosSigma, cosMiddle: cosMiddle,
          cosSquare: cosSquare)
        return (metres, degrees(direction: Mathematics.angle(y: y, x: x)))
      }
    }
    return nil
  }

  private static func arc(
    sigma: Double, sinSigma: Double, cosSigma: Double, cosMiddle: Double, cosSquare: Double
  ) -> Double {
    let polar = equatorialRadius * (1 - flattening)
    let u = cosSquare * (equatorialRadius * equatorialRadius - polar * polar) / (polar * polar)
    let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
    let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
    let squared = 2 * cosMiddle * cosMiddle - 1
    let third =
      b / 6 * cosMiddle * (4 * sinSigma * sinSigma - 3) * (4 * cosMiddle * cosMiddle - 3)
    let delta = b * sinSigma * (cosMiddle + b / 4 * (cosSigma * squared - third))
    return polar * a * (sigma - delta)
  }

  /// A difference of longitudes wrapped to -180 ... 180.
  package static func wrapped(_ longitude: Double) -> Double {
    guard longitude.isFinite else { return .nan }
    if longitude >= -180 && longitude <= 180 { return longitude }
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }

  static func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
  static func latitude(_ position: Coordinate) -> Double { min(max(position.y, -90), 90) }
  static func isFinite(_ position: Coordinate) -> Bool {
    position.x.isFinite && position.y.isFinite
  }

  private static func degrees(direction: Double) -> Double {
    let degrees = direction * (180 / .pi)
    return degrees < 0 ? degrees + 360 : degrees
  }
}
