import PortolanGraphics

/// Transverse Mercator on an ellipsoid, and its inverse.
///
/// The series of Krüger to the sixth order as Karney gives them ("Transverse Mercator with an
/// accuracy of a few nanometers", J. Geodesy 85, 2011, equations 7 to 36).
struct TransverseMercator: Sendable {
  /// Degrees.
  private let centralMeridian: Double
  /// Metres.
  private let falseEasting: Double
  private let falseNorthing: Double
  /// The eccentricity.
  private let e: Double
  /// The radius of the rectifying sphere, scaled.
  private let radius: Double
  private let alpha: [Double]
  private let beta: [Double]

  /// A zone of Universal Transverse Mercator, 1 to 60.
  ///
  /// - Parameter flattening: that of the ellipsoid, whose equator is 6,378,137 m from its centre.
  init(zone: Int, isSouth: Bool, flattening f: Double) {
    centralMeridian = Double(6 * zone - 183)
    (falseEasting, falseNorthing) = (500_000, isSouth ? 10_000_000 : 0)
    e = (f * (2 - f)).squareRoot()
    let n = f / (2 - f)
    let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
    let (n5, n6) = (n4 * n, n4 * n2)
    radius = 0.9996 * 6_378_137 / (1 + n) * (1 + n2 / 4 + n4 / 64 + n6 / 256)
    alpha = [
      n / 2 - 2 * n2 / 3 + 5 * n3 / 16 + 41 * n4 / 180 - 127 * n5 / 288 + 7891 * n6 / 37800,
      13 * n2 / 48 - 3 * n3 / 5 + 557 * n4 / 1440 + 281 * n5 / 630 - 1_983_433 * n6 / 1_935_360,
      61 * n3 / 240 - 103 * n4 / 140 + 15061 * n5 / 26880 + 167_603 * n6 / 181_440,
      49561 * n4 / 161_280 - 179 * n5 / 168 + 6_601_661 * n6 / 7_257_600,
      34729 * n5 / 80640 - 3_418_889 * n6 / 1_995_840, 212_378_941 * n6 / 319_334_400,
    ]
    beta = [
      n / 2 - 2 * n2 / 3 + 37 * n3 / 96 - n4 / 360 - 81 * n5 / 512 + 96199 * n6 / 604_800,
      n2 / 48 + n3 / 15 - 437 * n4 / 1440 + 46 * n5 / 105 - 1_118_711 * n6 / 3_870_720,
      17 * n3 / 480 - 37 * n4 / 840 - 209 * n5 / 4480 + 5569 * n6 / 90720,
      4397 * n4 / 161_280 - 11 * n5 / 504 - 830_251 * n6 / 7_257_600,
      4583 * n5 / 161_280 - 108_847 * n6 / 3_991_680, 20_648_693 * n6 / 638_668_800,
    ]
  }

  /// The farthest η at which the series hold.
  private static let etaMax = 2.623395162778

  /// Longitude and latitude in degrees to metres; not finite where the series do not hold.
  func metres(_ place: Coordinate) -> Coordinate {
    guard place.y.magnitude <= 90 else { return .nowhere }
    let lambda = (place.x - centralMeridian).remainder(dividingBy: 360).radians
    let phi = place.y.radians
    let (sine, cosine) = (Mathematics.sine(phi), Mathematics.cosine(phi))
    let (xi0, eta0): (Double, Double)
    if cosine.magnitude < 1e-12 {
      (xi0, eta0) = (phi, 0)
    } else {
      let t = conformal(sine / cosine)
      let c = Mathematics.cosine(lambda)
      xi0 = Mathematics.angle(y: t, x: c)
      eta0 = asinh(Mathematics.sine(lambda) / (t * t + c * c).squareRoot())
    }
    guard eta0.magnitude < Self.etaMax else { return .nowhere }
    var (xi, eta) = (xi0, eta0)
    for (index, a) in alpha.enumerated() {
      let k = Double(2 * index + 2)
      xi += a * Mathematics.sine(k * xi0) * cosh(k * eta0)
      eta += a * Mathematics.cosine(k * xi0) * sinh(k * eta0)
    }
    return Coordinate(x: falseEasting + radius * eta, y: falseNorthing + radius * xi)
  }

  /// Metres to longitude and latitude in degrees; not finite where the series do not hold.
  func degrees(_ place: Coordinate) -> Coordinate {
    let xi = (place.y - falseNorthing) / radius
    let eta = (place.x - falseEasting) / radius
    guard eta.magnitude < Self.etaMax, xi.magnitude < .pi else { return .nowhere }
    var (xi0, eta0) = (xi, eta)
    for (index, b) in beta.enumerated() {
      let k = Double(2 * index + 2)
      xi0 -= b * Mathematics.sine(k * xi) * cosh(k * eta)
      eta0 -= b * Mathematics.cosine(k * xi) * sinh(k * eta)
    }
    let (s, c) = (sinh(eta0), Mathematics.cosine(xi0))
    let wide = (s * s + c * c).squareRoot()
    let lambda = Mathematics.angle(y: s, x: c)
    let x = (centralMeridian + lambda.degrees).remainder(dividingBy: 360)
    if wide < 1e-12 { return Coordinate(x: x, y: xi0 > 0 ? 90 : -90) }
    let wanted = Mathematics.sine(xi0) / wide
    var t = wanted
    for _ in 0..<6 {
      let now = conformal(t)
      let step =
        (wanted - now) / (1 + now * now).squareRoot() * (1 + (1 - e * e) * t * t)
        / ((1 - e * e) * (1 + t * t).squareRoot())
      t += step
      if step.magnitude < 1e-16 * max(1, t.magnitude) { break }
    }
    return Coordinate(x: x, y: Mathematics.arctangent(t).degrees)
  }

  /// The tangent of the conformal latitude from that of the geographic one.
  private func conformal(_ t: Double) -> Double {
    let secant = (1 + t * t).squareRoot()
    let sigma = sinh(e * atanh(e * t / secant))
    return t * (1 + sigma * sigma).squareRoot() - sigma * secant
  }

  private func sinh(_ x: Double) -> Double {
    // The difference of two nearly equal numbers would lose digits.
    if x.magnitude < 1e-3 { return x * (1 + x * x / 6 * (1 + x * x / 20)) }
    return (Mathematics.exponential(x) - Mathematics.exponential(-x)) / 2
  }

  private func cosh(_ x: Double) -> Double {
    (Mathematics.exponential(x) + Mathematics.exponential(-x)) / 2
  }

  private func asinh(_ x: Double) -> Double {
    let size = x.magnitude
    let value = Mathematics.logarithm(size + (size * size + 1).squareRoot())
    return x < 0 ? -value : value
  }

  private func atanh(_ x: Double) -> Double { Mathematics.logarithm((1 + x) / (1 - x)) / 2 }
}

extension Coordinate {
  /// A place that cannot be given.
  static let nowhere = Coordinate(x: .infinity, y: .infinity)
}

extension Double {
  var radians: Double { self * .pi / 180 }
  var degrees: Double { self * 180 / .pi }
}
