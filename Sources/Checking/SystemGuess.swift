package import PortolanGraphics

/// A coordinate system that numbers fit which are no degrees.
package struct SystemGuess: Hashable, Sendable {
  /// Such as `Web Mercator (EPSG:3857)`.
  package var name: String
  /// Where the middle of the numbers is in it; degrees.
  package var place: Coordinate
  /// Whether the zone is not known: the longitude is that of an example.
  package var isAnyZone = false

  /// The name and the place, as in `Web Mercator (EPSG:3857), near 9.99 E 53.55 N`.
  package var words: String {
    let latitude = Self.degrees(place.y, "N", "S")
    if isAnyZone {
      return "\(name), at latitude \(latitude)"
    }
    return "\(name), near \(Self.degrees(place.x, "E", "W")) \(latitude)"
  }

  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    let hundredths = (value.magnitude * 100).rounded() / 100
    return "\(hundredths) \(value < 0 ? negative : positive)"
  }

  /// The systems that a range of numbers fits, likeliest first.
  ///
  /// - Parameter box: the extent of the numbers, in the unit of the system.
  package static func all(for box: Box) -> [SystemGuess] {
    guard !box.isEmpty, max(box.width, box.height).isFinite else { return [] }
    let isLarge = [box.minX, box.maxX, box.minY, box.maxY].contains { $0.magnitude > 10_000 }
    guard isLarge else { return [] }
    var guesses: [SystemGuess] = []
    let center = box.center
    let isBandY = box.minY > -1_000 && box.maxY < 10_000_000
    if isBandY, box.minX > 100_000, box.maxX < 900_000 {
      let place = TransverseMercator.utm(zone: 32, center)
      guesses.append(
        SystemGuess(
          name: "a zone of UTM north (EPSG:32601 to 32660)", place: place, isAnyZone: true))
    }
    // Some write the zone before the easting.
    let millions = (box.minX / 1e6).rounded(.down)
    if isBandY, (1...60).contains(millions), (box.maxX / 1e6).rounded(.down) == millions {
      let zone = Int(millions)
      let offset = millions * 1e6
      let easting = Coordinate(x: center.x - offset, y: center.y)
      if box.minX - offset > 100_000, box.maxX - offset < 900_000 {
        let place = TransverseMercator.utm(zone: zone, easting)
        let code = 32_600 + zone
        guesses.append(
          SystemGuess(
            name: "UTM zone \(zone) north (EPSG:\(code)) with the zone before the easting",
            place: place))
      }
    }
    let limit = 20_048_967.0
    if max(box.maxX, -box.minX) <= limit, max(box.maxY, -box.minY) <= limit {
      guesses.append(
        SystemGuess(name: "Web Mercator (EPSG:3857)", place: WebMercator.degrees(center)))
    }
    return guesses
  }
}

/// The sphere of Web Mercator (EPSG:3857).
enum WebMercator {
  /// Degrees of a place in metres.
  static func degrees(_ place: Coordinate) -> Coordinate {
    let radius = 6_378_137.0
    let latitude = 2 * Mathematics.arctangent(Mathematics.exponential(place.y / radius)) - .pi / 2
    return Coordinate(x: place.x / radius * 180 / .pi, y: latitude * 180 / .pi)
  }
}

/// The transverse Mercator projection on WGS 84, back to degrees.
enum TransverseMercator {
  /// Degrees of a place in a northern zone of UTM.
  ///
  /// Krüger's series in n to the third order, as in Karney, "Transverse Mercator with an accuracy
  /// of a few nanometers" (2011), equations 15 and 36: within a millimetre in the zone.
  ///
  /// - Parameters:
  ///   - zone: 1 to 60.
  ///   - place: easting and northing in metres.
  static func utm(zone: Int, _ place: Coordinate) -> Coordinate {
    let flattening = 1 / 298.257223563
    let n = flattening / (2 - flattening)
    let (n2, n3) = (n * n, n * n * n)
    let radius = 6_378_137 / (1 + n) * (1 + n2 / 4 + n2 * n2 / 64)
    let xi = place.y / (0.9996 * radius)
    let eta = (place.x - 500_000) / (0.9996 * radius)
    let betas = [
      n / 2 - 2 * n2 / 3 + 37 * n3 / 96, n2 / 48 + n3 / 15, 17 * n3 / 480,
    ]
    var (xi1, eta1) = (xi, eta)
    for (index, beta) in betas.enumerated() {
      let order = 2 * Double(index + 1)
      xi1 -= beta * Mathematics.sine(order * xi) * cosh(order * eta)
      eta1 -= beta * Mathematics.cosine(order * xi) * sinh(order * eta)
    }
    let sine = Mathematics.sine(xi1) / cosh(eta1)
    let chi = Mathematics.angle(y: sine, x: max(0, 1 - sine * sine).squareRoot())
    let deltas = [
      2 * n - 2 * n2 / 3 - 2 * n3, 7 * n2 / 3 - 8 * n3 / 5, 56 * n3 / 15,
    ]
    var latitude = chi
    for (index, delta) in deltas.enumerated() {
      latitude += delta * Mathematics.sine(2 * Double(index + 1) * chi)
    }
    let longitude = Mathematics.angle(y: sinh(eta1), x: Mathematics.cosine(xi1))
    let meridian = Double(zone) * 6 - 183
    return Coordinate(x: meridian + longitude * 180 / .pi, y: latitude * 180 / .pi)
  }

  private static func cosh(_ x: Double) -> Double {
    (Mathematics.exponential(x) + Mathematics.exponential(-x)) / 2
  }

  private static func sinh(_ x: Double) -> Double {
    (Mathematics.exponential(x) - Mathematics.exponential(-x)) / 2
  }
}
