/// An angle as its sine and cosine, which keeps small angles and those near right ones exact.
struct SphericalAngle {
  var sine: Double
  var cosine: Double

  init(sine: Double, cosine: Double) { (self.sine, self.cosine) = (sine, cosine) }

  /// The direction of a vector that is not zero.
  init(towardsSine sine: Double, cosine: Double) {
    let length = (sine * sine + cosine * cosine).squareRoot()
    self.init(sine: sine / length, cosine: cosine / length)
  }

  init(radians: Double) {
    self.init(sine: Mathematics.sine(radians), cosine: Mathematics.cosine(radians))
  }

  /// An angle of -180 to 180 degrees and what rounding has taken off it.
  init(degrees: Double, rest: Double = 0) {
    let size = degrees.magnitude
    let eighth = size <= 45 ? 0 : size < 135 ? 2 : 4
    let signed = degrees < 0 ? -rest : rest
    // Exact, for both are of like size.
    let small = Geodesy.radians((size - Double(eighth) * 45) + signed)
    let (sine, cosine) = (Mathematics.sine(small), Mathematics.cosine(small))
    switch eighth {
    case 0: self.init(sine: sine, cosine: cosine)
    case 2: self.init(sine: cosine, cosine: -sine)
    default: self.init(sine: -sine, cosine: -cosine)
    }
    if degrees < 0 { self.sine = -self.sine }
  }

  var radians: Double { Mathematics.angle(y: sine, x: cosine) }

  /// The angle as one of 0 to 180 degrees; rounding may have made its sine negative.
  var eastward: SphericalAngle { SphericalAngle(sine: sine > 0 ? sine : 0, cosine: cosine) }

  /// The angle that leads from another one to this.
  @inline(__always) func from(_ other: SphericalAngle) -> SphericalAngle {
    SphericalAngle(
      sine: sine * other.cosine - cosine * other.sine,
      cosine: cosine * other.cosine + sine * other.sine)
  }

  @inline(__always) func adding(_ other: SphericalAngle) -> SphericalAngle {
    SphericalAngle(
      sine: sine * other.cosine + cosine * other.sine,
      cosine: cosine * other.cosine - sine * other.sine)
  }
}
