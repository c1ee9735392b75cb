/// The series of order six for geodesics of WGS 84.
///
/// The integrals (15), (41), (8) and (62) of C. F. F. Karney, Algorithms for geodesics (Journal of
/// Geodesy 87, 2013), expanded in ε, and in the third flattening n, with rational arithmetic; the
/// numbers in brackets are those of his equations.
enum GeodesicSeries {
  /// The flattening by the sum of both radii.
  static let thirdFlattening = Geodesy.flattening / (2 - Geodesy.flattening)
  /// The square of the second eccentricity.
  static let secondEccentricitySquare =
    Geodesy.flattening * (2 - Geodesy.flattening)
    / ((1 - Geodesy.flattening) * (1 - Geodesy.flattening))

  /// ε of a geodesic that crosses the equator at an angle with this cosine (16).
  @inline(__always) static func epsilon(cosAlpha0: Double) -> Double {
    let square = cosAlpha0 * cosAlpha0 * secondEccentricitySquare
    return square / (2 * (1 + (1 + square).squareRoot()) + square)
  }

  /// A1 (17).
  @inline(__always) static func scale1(_ epsilon: Double) -> Double {
    let square = epsilon * epsilon
    return (1 + square * (1 / 4 + square * (1 / 64 + square / 256))) / (1 - epsilon)
  }

  /// A2 (42).
  @inline(__always) static func scale2(_ epsilon: Double) -> Double {
    let square = epsilon * epsilon
    return (1 + square * (1 / 4 + square * (9 / 64 + square * 25 / 256))) * (1 - epsilon)
  }

  /// A3 (24).
  @inline(__always) static func scale3(_ epsilon: Double) -> Double {
    let terms = scale3Terms
    return 1 + epsilon
      * (terms[0] + epsilon
        * (terms[1] + epsilon * (terms[2] + epsilon * (terms[3] + epsilon * terms[4]))))
  }

  private static let scale3Terms = inThirdFlattening([
    [-1 / 2, 1 / 2], [-1 / 4, -1 / 8, 3 / 8], [-1 / 16, -3 / 16, -1 / 16], [-3 / 64, -1 / 32],
    [-3 / 128],
  ])

  /// C1 (18).
  static let c1 = Terms([
    SIMD8(-1 / 2, 0, 0, 0, 0, 0, 0, 0),
    SIMD8(0, -1 / 16, 0, 0, 0, 0, 0, 0),
    SIMD8(3 / 16, 0, -1 / 48, 0, 0, 0, 0, 0),
    SIMD8(0, 1 / 32, 0, -5 / 512, 0, 0, 0, 0),
    SIMD8(-1 / 32, 0, 3 / 256, 0, -7 / 1280, 0, 0, 0),
    SIMD8(0, -9 / 2048, 0, 3 / 512, 0, -7 / 2048, 0, 0),
  ])

  /// C1' (21), which reverts it.
  static let c1Reverted = Terms([
    SIMD8(1 / 2, 0, 0, 0, 0, 0, 0, 0),
    SIMD8(0, 5 / 16, 0, 0, 0, 0, 0, 0),
    SIMD8(-9 / 32, 0, 29 / 96, 0, 0, 0, 0, 0),
    SIMD8(0, -37 / 96, 0, 539 / 1536, 0, 0, 0, 0),
    SIMD8(205 / 1536, 0, -75 / 128, 0, 3467 / 7680, 0, 0, 0),
    SIMD8(0, 1335 / 4096, 0, -2391 / 2560, 0, 38081 / 61440, 0, 0),
  ])

  /// C2 (43).
  static let c2 = Terms([
    SIMD8(1 / 2, 0, 0, 0, 0, 0, 0, 0),
    SIMD8(0, 3 / 16, 0, 0, 0, 0, 0, 0),
    SIMD8(1 / 16, 0, 5 / 48, 0, 0, 0, 0, 0),
    SIMD8(0, 1 / 32, 0, 35 / 512, 0, 0, 0, 0),
    SIMD8(1 / 32, 0, 5 / 256, 0, 63 / 1280, 0, 0, 0),
    SIMD8(0, 35 / 2048, 0, 7 / 512, 0, 77 / 2048, 0, 0),
  ])

  /// C3 (25).
  static let c3 = Terms([
    inThirdFlattening([[1 / 4, -1 / 4]]),
    inThirdFlattening([[1 / 8, 0, -1 / 8], [1 / 16, -3 / 32, 1 / 32]]),
    inThirdFlattening([
      [3 / 64, 3 / 64, -1 / 64], [3 / 64, -1 / 32, -3 / 64], [5 / 192, -3 / 64, 5 / 192],
    ]),
    inThirdFlattening([
      [5 / 128, 1 / 64], [3 / 128, 1 / 128], [3 / 128, -5 / 192], [7 / 512, -7 / 256],
    ]),
    inThirdFlattening([[3 / 128], [5 / 256], [7 / 512], [7 / 512], [21 / 2560]]),
    .zero,
  ])

  /// C4 (63).
  static let c4 = Terms([
    inThirdFlattening([[2 / 3, -4 / 15, 8 / 105, 4 / 315, 16 / 3465, 20 / 9009]]),
    inThirdFlattening([
      [-1 / 5, 16 / 35, -32 / 105, 16 / 385, 64 / 15015],
      [1 / 45, -16 / 315, 32 / 945, -16 / 3465, -64 / 135135],
    ]),
    inThirdFlattening([
      [-2 / 105, -32 / 315, 1088 / 3465, -1184 / 5005],
      [-2 / 105, 64 / 945, -128 / 1485, 1984 / 45045],
      [4 / 525, -32 / 1575, 64 / 3465, -32 / 5005],
    ]),
    inThirdFlattening([
      [11 / 315, -368 / 3465, -32 / 6435], [-1 / 105, 16 / 2079, 5792 / 135135],
      [-8 / 1575, 128 / 5775, -256 / 6825], [8 / 2205, -256 / 24255, 512 / 45045],
    ]),
    inThirdFlattening([
      [4 / 1155, 1088 / 45045], [4 / 1155, -2944 / 135135], [-8 / 1925, 1856 / 225225],
      [-16 / 8085, 1024 / 105105], [64 / 31185, -512 / 81081],
    ]),
    inThirdFlattening([
      [97 / 15015], [1 / 9009], [8 / 10725], [-136 / 63063], [-128 / 135135], [128 / 99099],
    ]),
  ])

  /// Polynomials in the third flattening, by their factors from the power 0.
  private static func inThirdFlattening(_ polynomials: [[Double]]) -> SIMD8<Double> {
    var values = SIMD8<Double>.zero
    for (index, factors) in polynomials.enumerated() {
      values[index] = factors.reversed().reduce(0) { $0 * thirdFlattening + $1 }
    }
    return values
  }

  /// Six vectors of factors for the powers of ε.
  struct Terms {
    private let terms:
      (
        SIMD8<Double>, SIMD8<Double>, SIMD8<Double>, SIMD8<Double>, SIMD8<Double>, SIMD8<Double>
      )

    init(_ list: [SIMD8<Double>]) {
      terms = (list[0], list[1], list[2], list[3], list[4], list[5])
    }

    /// The factors of a Fourier series, its first power 0.
    @inline(__always) func factors(_ epsilon: Double) -> SIMD8<Double> {
      let high = terms.3 + epsilon * (terms.4 + epsilon * terms.5)
      return terms.0 + epsilon * (terms.1 + epsilon * (terms.2 + epsilon * high))
    }
  }
}

extension SIMD8<Double> {
  /// The sum of sin 2lσ, l from 1 to 6 (C. W. Clenshaw's summation).
  @inline(__always) func sines(at sigma: SphericalAngle) -> Double {
    let (sine, cosine) = (sigma.sine, sigma.cosine)
    let double = 2 * (cosine - sine) * (cosine + sine)
    let b5 = self[4] + double * self[5]
    let b4 = self[3] + double * b5 - self[5]
    let b3 = self[2] + double * b4 - b5
    let b2 = self[1] + double * b3 - b4
    let b1 = self[0] + double * b2 - b3
    return 2 * sine * cosine * b1
  }

  /// The sum of cos (2l + 1)σ, l from 0 to 5.
  @inline(__always) func oddCosines(at sigma: SphericalAngle) -> Double {
    let (sine, cosine) = (sigma.sine, sigma.cosine)
    let double = 2 * (cosine - sine) * (cosine + sine)
    let b4 = self[4] + double * self[5]
    let b3 = self[3] + double * b4 - self[5]
    let b2 = self[2] + double * b3 - b4
    let b1 = self[1] + double * b2 - b3
    let b0 = self[0] + double * b1 - b2
    return cosine * (b0 - b1)
  }
}
