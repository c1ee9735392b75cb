/// A corner of a ring whose area is measured on the ellipsoid.
struct AreaCorner {
  let position: Coordinate
  private let sine: Double
  private let cosine: Double
  /// The area between the latitude and the equator for each radian of longitude, in square metres
  /// (Snyder, Map Projections, 3-12).
  let toEquator: Double

  private static let square = Geodesy.flattening * (2 - Geodesy.flattening)
  private static let eccentricity = square.squareRoot()
  private static let half =
    Geodesy.equatorialRadius * Geodesy.equatorialRadius * (1 - square) / 2

  init(_ position: Coordinate) {
    self.position = position
    let latitude = Geodesy.radians(Geodesy.latitude(position))
    (sine, cosine) = (Mathematics.sine(latitude), Mathematics.cosine(latitude))
    let product = Self.eccentricity * sine
    toEquator =
      Self.half
      * (sine / (1 - product * product)
        - Mathematics.logarithm((1 - product) / (1 + product)) / (2 * Self.eccentricity))
  }

  /// What lies between the geodesic to another corner and the equator, as `Geodesic.area`.
  ///
  /// - Parameter step: the degrees of longitude to the other corner.
  func area(to other: AreaCorner, step: Double) -> Double {
    if let area = shortArea(to: other, step: step) { return area }
    return Geodesic(
      from: GlobePosition(position), to: GlobePosition(other.position), measuringArea: true
    ).area
  }

  /// The area of a short way; `nil` for a longer one.
  ///
  /// With the longitude for its parameter, the area to the equator a(λ) along a geodesic has the
  /// second derivative -r² sin φ (1 + 2 cos² α) / sin² α, where r is the distance from the axis and
  /// α the direction: that bends the trapezoid by sin φ Δλ (x² + 3 y²) / 12, with x and y the
  /// metres to the east and the north. What is left out is below 5e-3 (L / r)³ L² for a way of
  /// length L; ways up to r / 630 count as short, so that it is below 2e-11 L².
  private func shortArea(to other: AreaCorner, step: Double) -> Double? {
    let rise = other.position.y - position.y
    guard step.magnitude < 0.1, rise.magnitude < 0.1 else { return nil }
    let (sine, cosine) = ((self.sine + other.sine) / 2, (self.cosine + other.cosine) / 2)
    let bend = 1 - Self.square * sine * sine
    let radius = Geodesy.equatorialRadius / bend.squareRoot()
    let fromAxis = radius * cosine
    let longitude = Geodesy.radians(step)
    let x = fromAxis * longitude
    let y = radius * (1 - Self.square) / bend * Geodesy.radians(rise)
    guard x * x + y * y < 2.5e-6 * fromAxis * fromAxis else { return nil }
    return longitude
      * ((toEquator + other.toEquator) / 2 + sine * (x * x + 3 * y * y) / 12)
  }
}
