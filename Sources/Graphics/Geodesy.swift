/// Distances, directions and areas on the earth's ellipsoid (WGS 84), from degrees.
///
/// Ways are geodesics after C. F. F. Karney, see ``Geodesic``.
package enum Geodesy {
  /// The ellipsoid's radius at the equator, in metres.
  package static let equatorialRadius = 6_378_137.0
  package static let flattening = 1 / 298.257_223_563
  /// The radius of the sphere with the ellipsoid's surface, in metres.
  package static let authalicRadius = 6_371_007.180_918_47
  /// The mean radius, in metres.
  package static let meanRadius = 6_371_008.771_4

  /// The length of the shortest way between two positions, in metres; NaN for positions that are
  /// not finite. Right to some nanometres.
  package static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    guard isFinite(start) && isFinite(end) else { return .nan }
    return Geodesic(from: GlobePosition(start), to: GlobePosition(end)).distance
  }

  /// The initial direction of the shortest way, in degrees clockwise from north, 0 ..< 360; 0 from
  /// a position to itself.
  package static func initialBearing(from start: Coordinate, to end: Coordinate) -> Double {
    guard isFinite(start) && isFinite(end) else { return .nan }
    let geodesic = Geodesic(from: GlobePosition(start), to: GlobePosition(end))
    return geodesic.distance == 0 ? 0 : bearing(geodesic.start)
  }

  /// The length of the shortest way in metres, and its directions at start and end as those of
  /// ``initialBearing(from:to:)``.
  package static func way(
    from start: Coordinate, to end: Coordinate
  ) -> (length: Double, initialBearing: Double, finalBearing: Double) {
    guard isFinite(start) && isFinite(end) else { return (.nan, .nan, .nan) }
    let geodesic = Geodesic(from: GlobePosition(start), to: GlobePosition(end))
    guard geodesic.distance > 0 else { return (0, 0, 0) }
    return (geodesic.distance, bearing(geodesic.start), bearing(geodesic.end))
  }

  /// The end of a geodesic of a length in metres that starts in a direction, in degrees clockwise
  /// from north.
  ///
  /// Its longitude goes on from that of the start and may leave -180 to 180.
  package static func direct(
    from start: Coordinate, bearing: Double, distance: Double
  ) -> Coordinate {
    guard isFinite(start), bearing.isFinite, distance.isFinite else {
      return Coordinate(x: .nan, y: .nan)
    }
    let alpha1 = SphericalAngle(degrees: bearing.remainder(dividingBy: 360))
    return Geodesic.end(from: GlobePosition(start), towards: alpha1, distance: distance)
  }

  /// The length of a line through positions, in metres.
  package static func length(of line: [Coordinate]) -> Double {
    guard let first = line.first else { return 0 }
    var former = GlobePosition(first)
    var isKnown = isFinite(first)
    var sum = 0.0
    for position in line.dropFirst() {
      let isFinite = isFinite(position)
      let next = GlobePosition(position)
      sum += isKnown && isFinite ? Geodesic(from: former, to: next).distance : .nan
      (former, isKnown) = (next, isFinite)
    }
    return sum
  }

  /// The step from a longitude to another one, -180 to 180, and what rounding has taken off it.
  static func step(from start: Double, to end: Double) -> (step: Double, rest: Double) {
    // Beyond it the difference may be infinite.
    let (start, end) = (nearZero(start), nearZero(end))
    let step = end - start
    let back = step - end
    let rest = (end - (step - back)) - (start + back)
    return step.magnitude <= 180 ? (step, rest) : (step.remainder(dividingBy: 360), rest)
  }

  private static func nearZero(_ longitude: Double) -> Double {
    longitude.magnitude < 1e6 ? longitude : longitude.remainder(dividingBy: 360)
  }

  /// Degrees rounded to nine decimals, a tenth of a millimetre; never -0.
  package static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 + 0 }

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

  /// A direction in degrees, 0 ..< 360.
  private static func bearing(_ alpha: SphericalAngle) -> Double {
    let degrees = alpha.radians * (180 / .pi)
    let turned = degrees < 0 ? degrees + 360 : degrees.magnitude
    return turned < 360 ? turned : 0
  }
}
