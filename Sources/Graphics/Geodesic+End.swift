extension Geodesic {
  /// The end of a geodesic of a length in metres (section 3 of the paper).
  static func end(
    from start: GlobePosition, towards alpha1: SphericalAngle, distance: Double
  ) -> Coordinate {
    let beta1 = start.reduced
    let sinAlpha0 = alpha1.sine * beta1.cosine
    let cosAlpha0 =
      (alpha1.cosine * alpha1.cosine
      + alpha1.sine * beta1.sine * (alpha1.sine * beta1.sine)).squareRoot()
    let isAtEquator = beta1.sine == 0 && alpha1.cosine == 0
    let sigma1 = SphericalAngle(
      towardsSine: beta1.sine, cosine: isAtEquator ? 1 : alpha1.cosine * beta1.cosine)
    let omega1 = SphericalAngle(
      sine: sinAlpha0 * beta1.sine, cosine: isAtEquator ? 1 : alpha1.cosine * beta1.cosine)
    let epsilon = GeodesicSeries.epsilon(cosAlpha0: cosAlpha0)
    let factors = GeodesicSeries.c1.factors(epsilon) * epsilon
    let before = factors.sines(at: sigma1)
    // (19) and (20): τ is σ with the length's measure.
    let tau = distance / (GeodesicProblem.polarRadius * GeodesicSeries.scale1(epsilon))
    let tau2 = sigma1.adding(SphericalAngle(radians: before))
      .adding(SphericalAngle(radians: tau))
    let reverted = GeodesicSeries.c1Reverted.factors(epsilon) * epsilon
    let arc = tau + reverted.sines(at: tau2) + before
    let sigma2 = sigma1.adding(SphericalAngle(radians: arc))
    let sinBeta2 = cosAlpha0 * sigma2.sine
    let cosBeta2 =
      (sinAlpha0 * sinAlpha0 + cosAlpha0 * cosAlpha0 * (sigma2.cosine * sigma2.cosine))
      .squareRoot()
    let omega2 = SphericalAngle(sine: sinAlpha0 * sigma2.sine, cosine: sigma2.cosine)
    let longitudes = GeodesicSeries.c3.factors(epsilon) * epsilon
    let excess =
      Geodesy.flattening * GeodesicSeries.scale3(epsilon) * sinAlpha0
      * (arc + longitudes.sines(at: sigma2) - longitudes.sines(at: sigma1))
    let lambda = omega2.from(omega1).adding(SphericalAngle(radians: -excess)).radians
    let latitude = Mathematics.angle(y: sinBeta2, x: (1 - Geodesy.flattening) * cosBeta2)
    return Coordinate(
      x: start.longitude + lambda * (180 / .pi), y: latitude * (180 / .pi))
  }
}
