/// A position on the ellipsoid, with what its geodesics need.
struct GlobePosition {
  let longitude: Double
  let latitude: Double
  /// The reduced latitude β, on the sphere that stands for the ellipsoid: tan β = (1 - f) tan φ.
  let reduced: SphericalAngle

  init(_ position: Coordinate) {
    longitude = position.x
    let latitude = Geodesy.latitude(position)
    // Less than an atom away is on the equator; squares of it would be no numbers.
    self.latitude = latitude.magnitude < 1e-20 ? 0 : latitude
    let geographic = SphericalAngle(degrees: self.latitude)
    let reduced = SphericalAngle(
      towardsSine: (1 - Geodesy.flattening) * geographic.sine, cosine: geographic.cosine)
    // At a pole, so that a meridian leads there.
    self.reduced = SphericalAngle(
      sine: reduced.sine, cosine: max(reduced.cosine, SphericalAngle.tiny))
  }
}

extension SphericalAngle {
  /// Its square is a number yet.
  static let tiny = Double.leastNormalMagnitude.squareRoot()
}

/// The shortest way between two positions on the ellipsoid.
///
/// After C. F. F. Karney, Algorithms for geodesics (Journal of Geodesy 87, 2013); Greek letters and
/// the numbers of equations are his. Right to some nanometres for all positions.
struct Geodesic {
  /// The length in metres.
  let distance: Double
  /// The directions at start and end, from north over east.
  let start: SphericalAngle
  let end: SphericalAngle
  /// What lies between the way and the equator, in square metres; positive where a way to the east
  /// is north of it.
  let area: Double

  init(from first: GlobePosition, to second: GlobePosition, measuringArea: Bool = false) {
    let (step, rest) = Geodesy.step(from: first.longitude, to: second.longitude)
    // The problem is turned so that the way leads east from south of the equator, at least as far
    // south as it ends north.
    let isSwapped = first.latitude.magnitude < second.latitude.magnitude
    let (from, to) = isSwapped ? (second, first) : (first, second)
    // Of two ways from the equator to the antipode the northern one counts.
    let isTurned = from.latitude >= 0
    let isStepPositive = step > 0 || step == 0 && rest >= 0
    let isEastward = isStepPositive != isSwapped
    let lambda = isStepPositive ? (step, rest) : (-step, -rest)
    let problem = GeodesicProblem(
      beta1: from.reduced.mirrored(isTurned), beta2: to.reduced.mirrored(isTurned),
      lambda: SphericalAngle(degrees: lambda.0, rest: lambda.1),
      radians: Geodesy.radians(lambda.0 + lambda.1))
    let solution = problem.solve()
    let east = isEastward ? 1.0 : -1
    let north = isTurned ? -1.0 : 1
    let swap = isSwapped ? -1.0 : 1
    distance = solution.distance
    func unturned(_ alpha: SphericalAngle) -> SphericalAngle {
      SphericalAngle(sine: alpha.sine * swap * east, cosine: alpha.cosine * swap * north)
    }
    start = unturned(isSwapped ? solution.alpha2 : solution.alpha1)
    end = unturned(isSwapped ? solution.alpha1 : solution.alpha2)
    area = measuringArea ? problem.area(solution) * swap * east * north : 0
  }
}

extension SphericalAngle {
  fileprivate func mirrored(_ isMirrored: Bool) -> SphericalAngle {
    isMirrored ? SphericalAngle(sine: -sine, cosine: cosine) : self
  }
}

/// The way from β1 to β2 over λ to the east, where -90° ≤ β1 ≤ 0, β1 ≤ β2 ≤ -β1 and 0 ≤ λ ≤ 180°.
struct GeodesicProblem {
  struct Solution {
    var distance: Double
    var alpha1: SphericalAngle
    var alpha2: SphericalAngle
    /// The step in longitude on the sphere; a meridian needs none.
    var omega: SphericalAngle?
  }

  let beta1: SphericalAngle
  let beta2: SphericalAngle
  let lambda: SphericalAngle
  let lambdaRadians: Double
  /// √(1 + e'² sin² β).
  let widening1: Double
  let widening2: Double

  static let polarRadius = Geodesy.equatorialRadius * (1 - Geodesy.flattening)
  /// The square root of the rounding of doubles.
  static let rootOfRounding = Double.ulpOfOne.squareRoot()
  /// Shorter arcs are straight.
  private static let shortArc = 0.1 * rootOfRounding / (0.5 * Geodesy.flattening).squareRoot()

  init(beta1: SphericalAngle, beta2: SphericalAngle, lambda: SphericalAngle, radians: Double) {
    self.beta1 = beta1
    // Equal latitudes stay equal.
    var beta2 = beta2
    if beta1.cosine < -beta1.sine {
      if beta2.cosine == beta1.cosine { beta2.sine = beta2.sine < 0 ? beta1.sine : -beta1.sine }
    } else if beta2.sine.magnitude == -beta1.sine {
      beta2.cosine = beta1.cosine
    }
    self.beta2 = beta2
    self.lambda = lambda
    lambdaRadians = radians
    let square = GeodesicSeries.secondEccentricitySquare
    widening1 = (1 + square * beta1.sine * beta1.sine).squareRoot()
    widening2 = (1 + square * beta2.sine * beta2.sine).squareRoot()
  }

  func solve() -> Solution {
    let isMeridian = beta1.cosine <= SphericalAngle.tiny || lambda.sine == 0
    if isMeridian, let solution = alongMeridian() { return solution }
    if beta1.sine == 0, lambdaRadians <= Double.pi * (1 - Geodesy.flattening) {
      let omega = SphericalAngle(radians: lambdaRadians / (1 - Geodesy.flattening))
      let east = SphericalAngle(sine: 1, cosine: 0)
      return Solution(
        distance: Geodesy.equatorialRadius * lambdaRadians, alpha1: east, alpha2: east,
        omega: omega)
    }
    let guess = guess()
    if let solution = guess.solution { return solution }
    return refined(from: guess.alpha1)
  }

  /// The way along a meridian, unless there is a shorter one.
  private func alongMeridian() -> Solution? {
    let sigma1 = SphericalAngle(sine: beta1.sine, cosine: lambda.cosine * beta1.cosine)
    let sigma2 = SphericalAngle(sine: beta2.sine, cosine: beta2.cosine)
    let arc = sigma2.from(sigma1).eastward.radians
    let epsilon = GeodesicSeries.thirdFlattening
    guard arc < 1 || reducedLength(epsilon, arc: arc, from: sigma1, to: sigma2) >= 0 else {
      return nil
    }
    let isNothing = arc < 3 * SphericalAngle.tiny
    return Solution(
      distance: isNothing ? 0 : distance(epsilon, arc: arc, from: sigma1, to: sigma2),
      alpha1: lambda, alpha2: SphericalAngle(sine: 0, cosine: 1), omega: nil)
  }

  /// The length of a way in metres (7).
  func distance(
    _ epsilon: Double, arc: Double, from sigma1: SphericalAngle, to sigma2: SphericalAngle
  ) -> Double {
    let factors = GeodesicSeries.c1.factors(epsilon) * epsilon
    return Self.polarRadius * GeodesicSeries.scale1(epsilon)
      * (arc + factors.sines(at: sigma2) - factors.sines(at: sigma1))
  }

  /// The reduced length of a way in polar radii (38 to 40).
  func reducedLength(
    _ epsilon: Double, arc: Double, from sigma1: SphericalAngle, to sigma2: SphericalAngle
  ) -> Double {
    let (scale1, scale2) = (GeodesicSeries.scale1(epsilon), GeodesicSeries.scale2(epsilon))
    let factors =
      (GeodesicSeries.c1.factors(epsilon) * scale1 - GeodesicSeries.c2.factors(epsilon) * scale2)
      * epsilon
    let difference =
      (scale1 - scale2) * arc + factors.sines(at: sigma2) - factors.sines(at: sigma1)
    return widening2 * (sigma1.cosine * sigma2.sine) - widening1 * (sigma1.sine * sigma2.cosine)
      - sigma1.cosine * sigma2.cosine * difference
  }

  /// A first direction α1 (section 4 and 5); or the solution itself for a short way.
  private func guess() -> (alpha1: SphericalAngle, solution: Solution?) {
    let step = beta2.from(beta1)
    let isShort =
      step.cosine >= 0 && step.sine < 0.5 && beta2.cosine * lambdaRadians < 0.5
    var omega = lambda
    var mean = 1.0
    if isShort {
      let sine = (beta1.sine + beta2.sine) * (beta1.sine + beta2.sine)
      let cosine = (beta1.cosine + beta2.cosine) * (beta1.cosine + beta2.cosine)
      mean = (1 + GeodesicSeries.secondEccentricitySquare * sine / (sine + cosine)).squareRoot()
      // (48)
      omega = SphericalAngle(radians: lambdaRadians / ((1 - Geodesy.flattening) * mean))
    }
    let rise = omega.sine * omega.sine / (1 + omega.cosine.magnitude)
    let sum = beta2.sine * beta1.cosine + beta2.cosine * beta1.sine
    // (49), without loss by cancellation.
    let alpha1 = SphericalAngle(
      sine: beta2.cosine * omega.sine,
      cosine: omega.cosine >= 0
        ? step.sine + beta2.cosine * beta1.sine * rise
        : sum - beta2.cosine * beta1.sine * rise)
    let arcSine = (alpha1.sine * alpha1.sine + alpha1.cosine * alpha1.cosine).squareRoot()
    let arcCosine = beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega.cosine
    if isShort, arcSine < Self.shortArc {
      guard arcSine > 0 else {
        let north = SphericalAngle(sine: 0, cosine: 1)
        return (north, Solution(distance: 0, alpha1: north, alpha2: north, omega: nil))
      }
      // (50)
      let turned = omega.cosine >= 0 ? rise : 1 - omega.cosine
      let alpha2 = SphericalAngle(
        towardsSine: beta1.cosine * omega.sine,
        cosine: step.sine - beta1.cosine * beta2.sine * turned)
      let arc = Mathematics.angle(y: arcSine, x: arcCosine)
      return (
        alpha1,
        Solution(
          distance: arc * Self.polarRadius * mean,
          alpha1: SphericalAngle(towardsSine: alpha1.sine, cosine: alpha1.cosine),
          alpha2: alpha2, omega: omega)
      )
    }
    let isFar =
      arcCosine < 0
      && arcSine < 6 * GeodesicSeries.thirdFlattening * .pi * beta1.cosine * beta1.cosine
    return (isFar ? guessNearAntipode(sum) : alpha1.directed, nil)
  }

  /// A direction for a nearly antipodal end, by the astroid that the geodesics there envelop
  /// (section 5, equations 51 to 57).
  private func guessNearAntipode(_ betaSum: Double) -> SphericalAngle {
    let epsilon = GeodesicSeries.epsilon(cosAlpha0: beta1.sine)
    let scale = Geodesy.flattening * beta1.cosine * GeodesicSeries.scale3(epsilon) * .pi
    let x = Mathematics.angle(y: -lambda.sine, x: -lambda.cosine) / scale
    let y = betaSum / (scale * beta1.cosine)
    if y > -200 * Double.ulpOfOne, x > -1 - 1000 * Self.rootOfRounding {
      // (57)
      let sine = min(1, -x)
      return SphericalAngle(sine: sine, cosine: -(1 - sine * sine).squareRoot()).directed
    }
    let kappa = Self.astroid(x: x, y: y)
    // (56)
    let omega = SphericalAngle(radians: scale * -x * kappa / (1 + kappa))
    return SphericalAngle(
      sine: beta2.cosine * omega.sine,
      cosine: betaSum - beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 + omega.cosine)
    ).directed
  }

  /// The positive κ with x² / (1 + κ)² + y² / κ² = 1 (55), well enough for a guess.
  ///
  /// The left side falls and is convex, so that Newton's steps from a κ too small only grow.
  private static func astroid(x: Double, y: Double) -> Double {
    var kappa = max(y.magnitude, x.magnitude - 1, 1e-12)
    for _ in 0..<60 {
      let (first, second) = (x / (1 + kappa), y / kappa)
      let value = first * first + second * second - 1
      let slope = -2 * (first * first / (1 + kappa) + second * second / kappa)
      guard value > 0, slope < 0 else { break }
      let step = -value / slope
      kappa += step
      if step < 1e-6 * kappa { break }
    }
    return kappa
  }
}

extension SphericalAngle {
  /// As a direction to the east: a vector of length 1.
  fileprivate var directed: SphericalAngle {
    sine > 0
      ? SphericalAngle(towardsSine: sine, cosine: cosine) : SphericalAngle(sine: 1, cosine: 0)
  }
}
