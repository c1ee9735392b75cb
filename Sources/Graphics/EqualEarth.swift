/// Equal Earth on an ellipsoid, and its inverse: the areas of a world map are right.
///
/// The polynomial of Šavrič, Patterson and Jenny ("The Equal Earth map projection", International
/// Journal of Geographical Information Science 33, 2019, equations 1 to 8) on the authalic sphere
/// of the ellipsoid (Snyder, "Map Projections: A Working Manual", 1987, equations 3-11 to 3-16).
package struct EqualEarth: Sendable {
  /// The eccentricity, and its square.
  private let e: Double
  private let e2: Double
  /// Snyder's q at the pole.
  private let qOfPole: Double
  /// The radius of the sphere of the same area in metres.
  private let radius: Double
  /// The greatest y on a sphere of radius 1: that of the poles.
  private let yMax: Double

  private static let (a1, a2, a3, a4) = (1.340264, -0.081106, 0.000893, 0.003796)
  private static let rootOf3 = 3.0.squareRoot()

  /// On WGS 84: EPSG:8857.
  package static let onWGS84 = EqualEarth(flattening: 1 / 298.257223563)

  /// A line of equal latitude.
  package struct Parallel: Sendable {
    /// In degrees.
    package let latitude: Double
    /// In metres north of the equator.
    package let y: Double
    /// The metres of a degree of longitude.
    package let degree: Double
  }

  /// - Parameter flattening: that of the ellipsoid, whose equator is 6,378,137 m from its centre.
  package init(flattening f: Double) {
    e2 = f * (2 - f)
    e = e2.squareRoot()
    qOfPole = Self.q(sine: 1, e, e2)
    radius = 6_378_137 * (qOfPole / 2).squareRoot()
    yMax = Self.y(.pi / 3)
  }

  /// The parallel of a latitude of at most 90 degrees.
  package func parallel(at latitude: Double) -> Parallel {
    let q = Self.q(sine: Mathematics.sine(latitude * .pi / 180), e, e2)
    let theta = Self.arcsine(min(max(q / qOfPole, -1), 1) * Self.rootOf3 / 2)
    return Parallel(latitude: latitude, y: radius * Self.y(theta), degree: degree(theta))
  }

  /// The parallel at a distance from the equator in metres; the pole beyond the edge of the map.
  package func parallel(atY place: Double) -> Parallel {
    let y = min(max(place / radius, -yMax), yMax)
    // Newton's way: y rises with θ everywhere, nearly in proportion.
    var theta = y / Self.a1
    for _ in 0..<12 {
      let step = (Self.y(theta) - y) / Self.slope(theta)
      theta -= step
      if step.magnitude < 1e-15 { break }
    }
    theta = min(max(theta, -.pi / 3), .pi / 3)
    let sine = min(max(2 * Mathematics.sine(theta) / Self.rootOf3, -1), 1)
    return Parallel(
      latitude: latitude(q: qOfPole * sine) * 180 / .pi, y: place, degree: degree(theta))
  }

  /// Longitude and latitude in degrees to metres; longitudes beyond 180 are turned back once round.
  package func metres(_ place: Coordinate) -> Coordinate {
    guard place.y.magnitude <= 90, place.x.isFinite else { return Self.nowhere }
    let turned =
      place.x.magnitude <= 180 ? place.x : place.x.remainder(dividingBy: 360)
    let parallel = parallel(at: place.y)
    return Coordinate(x: turned * parallel.degree, y: parallel.y)
  }

  /// Metres to longitude and latitude in degrees; not finite beyond the edge of the map.
  package func degrees(_ place: Coordinate) -> Coordinate {
    // Numbers rounded to millimetres may lie beyond the edge.
    let beyond = 1 + 1e-9
    guard place.y.magnitude <= yMax * radius * beyond else { return Self.nowhere }
    let parallel = parallel(atY: place.y)
    let longitude = place.x / parallel.degree
    guard longitude.magnitude <= 180 * beyond else { return Self.nowhere }
    return Coordinate(x: min(max(longitude, -180), 180), y: parallel.latitude)
  }

  private static let nowhere = Coordinate(x: .infinity, y: .infinity)

  /// The metres of a degree of longitude.
  private func degree(_ theta: Double) -> Double {
    radius * .pi / 180 * 2 * Mathematics.cosine(theta) / (Self.rootOf3 * Self.slope(theta))
  }

  /// The latitude in radians with this q.
  private func latitude(q: Double) -> Double {
    if q.magnitude >= qOfPole * (1 - 1e-15) { return q < 0 ? -.pi / 2 : .pi / 2 }
    var phi = Self.arcsine(q / 2)
    for _ in 0..<20 {
      let (sine, cosine) = (Mathematics.sine(phi), Mathematics.cosine(phi))
      let rest = 1 - e2 * sine * sine
      let step =
        rest * rest * (q - Self.q(sine: sine, e, e2)) / (2 * cosine * (1 - e2))
      guard step.isFinite else { break }
      phi = min(max(phi + step, -.pi / 2), .pi / 2)
      if step.magnitude < 1e-15 { break }
    }
    return phi
  }

  /// Snyder's q, equation 3-12.
  private static func q(sine: Double, _ e: Double, _ e2: Double) -> Double {
    let product = e * sine
    let logarithm = Mathematics.logarithm((1 - product) / (1 + product)) / (2 * e)
    return (1 - e2) * (sine / (1 - product * product) - logarithm)
  }

  private static func y(_ theta: Double) -> Double {
    let t2 = theta * theta
    let t6 = t2 * t2 * t2
    return theta * (a1 + a2 * t2 + t6 * (a3 + a4 * t2))
  }

  /// The derivative of y.
  private static func slope(_ theta: Double) -> Double {
    let t2 = theta * theta
    let t6 = t2 * t2 * t2
    return a1 + 3 * a2 * t2 + t6 * (7 * a3 + 9 * a4 * t2)
  }

  private static func arcsine(_ sine: Double) -> Double {
    Mathematics.angle(y: sine, x: (1 - sine * sine).squareRoot())
  }
}
