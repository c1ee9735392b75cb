extension GeodesicProblem {
  /// Where a geodesic that starts in a direction meets the latitude of the end.
  private struct Trial {
    var alpha2: SphericalAngle
    var sigma1: SphericalAngle
    var sigma2: SphericalAngle
    var arc: Double
    var epsilon: Double
    /// ω - λ, the step on the sphere beyond that on the ellipsoid (8).
    var excess: Double
    /// How far it misses the longitude of the end, in radians.
    var miss: Double
  }

  /// Newton's method for the direction α1, held between two directions that miss on either side
  /// and halved where it leaves them; ends for all input (section 4).
  func refined(from guess: SphericalAngle) -> Solution {
    var alpha1 = guess
    var low = SphericalAngle(sine: SphericalAngle.tiny, cosine: 1)
    var high = SphericalAngle(sine: SphericalAngle.tiny, cosine: -1)
    var trial = trial(alpha1)
    var isNearlyExact = false
    for turn in 0..<90 {
      if trial.miss.magnitude <= (isNearlyExact ? 8 : 1) * Double.ulpOfOne { break }
      let ratio = alpha1.cosine / alpha1.sine
      if trial.miss > 0, ratio > high.cosine / high.sine { high = alpha1 }
      if trial.miss < 0, ratio < low.cosine / low.sine { low = alpha1 }
      if turn < 20, let next = newton(alpha1, trial) {
        isNearlyExact = trial.miss.magnitude <= 16 * Double.ulpOfOne
        alpha1 = next
      } else {
        let former = alpha1
        alpha1 = SphericalAngle(
          towardsSine: (low.sine + high.sine) / 2, cosine: (low.cosine + high.cosine) / 2)
        isNearlyExact = false
        if alpha1.sine == former.sine, alpha1.cosine == former.cosine { break }
      }
      trial = self.trial(alpha1)
    }
    return Solution(
      distance: distance(
        trial.epsilon, arc: trial.arc, from: trial.sigma1, to: trial.sigma2),
      alpha1: alpha1, alpha2: trial.alpha2,
      omega: lambda.adding(SphericalAngle(radians: trial.excess)))
  }

  /// A better direction, unless the step leads out of the half circle to the east.
  private func newton(_ alpha1: SphericalAngle, _ trial: Trial) -> SphericalAngle? {
    let slope: Double
    if trial.alpha2.cosine == 0 {
      slope = -2 * (1 - Geodesy.flattening) * widening1 / beta1.sine
    } else {
      // (46)
      let reduced = reducedLength(
        trial.epsilon, arc: trial.arc, from: trial.sigma1, to: trial.sigma2)
      slope = reduced * (1 - Geodesy.flattening) / (trial.alpha2.cosine * beta2.cosine)
    }
    let step = -trial.miss / slope
    guard slope > 0, step.magnitude < .pi else { return nil }
    let next = alpha1.adding(SphericalAngle(radians: step))
    return next.sine > 0 ? SphericalAngle(towardsSine: next.sine, cosine: next.cosine) : nil
  }

  private func trial(_ given: SphericalAngle) -> Trial {
    var alpha1 = given
    // The equator's own direction has no slope.
    if beta1.sine == 0, alpha1.cosine == 0 { alpha1.cosine = -SphericalAngle.tiny }
    let sinAlpha0 = alpha1.sine * beta1.cosine
    let cosAlpha0 =
      (alpha1.cosine * alpha1.cosine
      + alpha1.sine * beta1.sine * (alpha1.sine * beta1.sine)).squareRoot()
    let isSameWidth = beta2.cosine == beta1.cosine
    let sinAlpha2 = isSameWidth ? alpha1.sine : sinAlpha0 / beta2.cosine
    var cosAlpha2 = alpha1.cosine.magnitude
    if !isSameWidth || beta2.sine.magnitude != -beta1.sine {
      // (45), the smaller difference of squares.
      let narrowing =
        beta1.cosine < -beta1.sine
        ? (beta2.cosine - beta1.cosine) * (beta1.cosine + beta2.cosine)
        : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
      let start = alpha1.cosine * beta1.cosine
      cosAlpha2 = max(0, start * start + narrowing).squareRoot() / beta2.cosine
    }
    let omega1 = SphericalAngle(
      sine: sinAlpha0 * beta1.sine, cosine: alpha1.cosine * beta1.cosine)
    let omega2 = SphericalAngle(
      sine: sinAlpha0 * beta2.sine, cosine: cosAlpha2 * beta2.cosine)
    let sigma1 = SphericalAngle(towardsSine: beta1.sine, cosine: omega1.cosine)
    let sigma2 = SphericalAngle(towardsSine: beta2.sine, cosine: omega2.cosine)
    let arc = sigma2.from(sigma1).eastward.radians
    let beyond = omega2.from(omega1).eastward.from(lambda)
    let epsilon = GeodesicSeries.epsilon(cosAlpha0: cosAlpha0)
    let factors = GeodesicSeries.c3.factors(epsilon) * epsilon
    let excess =
      Geodesy.flattening * GeodesicSeries.scale3(epsilon) * sinAlpha0
      * (arc + factors.sines(at: sigma2) - factors.sines(at: sigma1))
    return Trial(
      alpha2: SphericalAngle(sine: sinAlpha2, cosine: cosAlpha2), sigma1: sigma1, sigma2: sigma2,
      arc: arc, epsilon: epsilon, excess: excess, miss: beyond.radians - excess)
  }

  /// The area between the way and the equator (58 to 60, and 63).
  func area(_ solution: Solution) -> Double {
    let (alpha1, alpha2) = (solution.alpha1, solution.alpha2)
    let sinAlpha0 = alpha1.sine * beta1.cosine
    let cosAlpha0 =
      (alpha1.cosine * alpha1.cosine
      + alpha1.sine * beta1.sine * (alpha1.sine * beta1.sine)).squareRoot()
    var area = 0.0
    if sinAlpha0 != 0, cosAlpha0 != 0 {
      let sigma1 = SphericalAngle(
        towardsSine: beta1.sine, cosine: alpha1.cosine * beta1.cosine)
      let sigma2 = SphericalAngle(
        towardsSine: beta2.sine, cosine: alpha2.cosine * beta2.cosine)
      let factors = GeodesicSeries.c4.factors(GeodesicSeries.epsilon(cosAlpha0: cosAlpha0))
      let square = Geodesy.flattening * (2 - Geodesy.flattening)
      area =
        square * Geodesy.equatorialRadius * Geodesy.equatorialRadius * cosAlpha0 * sinAlpha0
        * (factors.oddCosines(at: sigma2) - factors.oddCosines(at: sigma1))
    }
    return area + Geodesy.authalicRadius * Geodesy.authalicRadius * turn(solution)
  }

  /// α2 - α1 without loss by cancellation (64).
  private func turn(_ solution: Solution) -> Double {
    if let omega = solution.omega, omega.cosine > -0.7071, beta2.sine - beta1.sine < 1.75 {
      let (wide1, wide2) = (1 + beta1.cosine, 1 + beta2.cosine)
      return 2
        * Mathematics.angle(
          y: omega.sine * (beta1.sine * wide2 + beta2.sine * wide1),
          x: (1 + omega.cosine) * (beta1.sine * beta2.sine + wide1 * wide2))
    }
    var turn = solution.alpha2.from(solution.alpha1)
    // Half a turn goes the way that α1 has.
    if turn.sine == 0, turn.cosine < 0 {
      turn = SphericalAngle(sine: SphericalAngle.tiny * solution.alpha1.cosine, cosine: -1)
    }
    return turn.radians
  }
}
