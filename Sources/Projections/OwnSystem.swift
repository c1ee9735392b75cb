import PortolanGraphics

/// A coordinate system that is converted without PROJ: degrees, Web Mercator, Equal Earth and UTM
/// on WGS 84, UTM on ETRS89 too, which are one within their accuracy (EPSG transformation 1149).
enum OwnSystem: Sendable {
  case degrees
  case webMercator
  case equalEarth(EqualEarth)
  case zone(TransverseMercator)

  /// By a name such as `EPSG:32633`; `nil` for others.
  init?(_ name: String) {
    let parts = name.uppercased().split(separator: ":")
    guard parts.count == 2 else { return nil }
    if parts[0] == "OGC", parts[1] == "CRS84" {
      self = .degrees
      return
    }
    guard parts[0] == "EPSG", let code = Int(parts[1]) else { return nil }
    let ofWGS84 = 1 / 298.257223563
    switch code {
    case 4326, 4258: self = .degrees
    case 3857, 900_913: self = .webMercator
    case 8857: self = .equalEarth(.onWGS84)
    case 32_601...32_660:
      self = .zone(TransverseMercator(zone: code - 32_600, isSouth: false, flattening: ofWGS84))
    case 32_701...32_760:
      self = .zone(TransverseMercator(zone: code - 32_700, isSouth: true, flattening: ofWGS84))
    case 25_828...25_838:
      // The ellipsoid GRS 80.
      self = .zone(
        TransverseMercator(zone: code - 25_800, isSouth: false, flattening: 1 / 298.257222101))
    default: return nil
    }
  }

  /// The radius of Web Mercator's sphere in metres.
  private static let radius = 6_378_137.0

  /// From the system to longitude and latitude.
  func degrees(_ place: Coordinate) -> Coordinate {
    switch self {
    case .degrees: return place
    case .webMercator:
      let (x, y) = (place.x / Self.radius, place.y / Self.radius)
      let phi = 2 * Mathematics.arctangent(Mathematics.exponential(y)) - .pi / 2
      return Coordinate(x: x.degrees, y: phi.degrees)
    case .equalEarth(let map): return map.degrees(place)
    case .zone(let zone): return zone.degrees(place)
    }
  }

  /// From longitude and latitude to the system; not finite where it has no place for them.
  func place(_ degrees: Coordinate) -> Coordinate {
    switch self {
    case .degrees: return degrees
    case .webMercator:
      guard degrees.y.magnitude < 90 else { return .nowhere }
      let sine = Mathematics.sine(degrees.y.radians)
      let y = Self.radius * Mathematics.logarithm((1 + sine) / (1 - sine)) / 2
      return Coordinate(x: Self.radius * degrees.x.radians, y: y)
    case .equalEarth(let map): return map.metres(degrees)
    case .zone(let zone): return zone.metres(degrees)
    }
  }
}
