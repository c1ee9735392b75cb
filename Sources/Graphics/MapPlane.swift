/// A position in the flat unit square: x grows east, y grows south, the world is 0 to 1 both ways.
package struct UnitPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A projection with its parameters: the mapping from coordinates to the unit square.
///
/// Geographic projections map longitude -180 to x = 0 and 180 to x = 1 and continue beyond both
/// ends, so that a view can straddle the antimeridian. The planar one fits a reference box into the
/// square, centred, with the same scale both ways, and continues beyond all four sides.
package struct MapPlane: Hashable, Sendable {
  package let projection: Projection
  /// The box that zooms of a planar map count from: at 0 its longer side is 256 dots. It fills the
  /// unit square unless that is enlarged; not used by geographic projections.
  package let reference: Box
  /// How often the side of a planar map's unit square is doubled, so that the square and the whole
  /// units around it hold more than the reference box.
  package let doublings: Int
  /// The side of the unit square in planar units.
  package let side: Double

  /// A plane; a reference box of one place is widened, and an invalid one becomes the unit box.
  package init(projection: Projection, reference: Box = .empty) {
    self.init(projection, Self.usable(reference, projection), doublings: 0)
  }

  private init(_ projection: Projection, _ reference: Box, doublings: Int) {
    (self.projection, self.reference, self.doublings) = (projection, reference, doublings)
    side =
      max(reference.width, reference.height) * Mathematics.power(ofTwo: Double(doublings))
  }

  private static func usable(_ reference: Box, _ projection: Projection) -> Box {
    let isUsable =
      reference.minX.isFinite && reference.maxX.isFinite && reference.minY.isFinite
      && reference.maxY.isFinite && max(reference.width, reference.height) > Self.sideMin
      && (reference.maxX - reference.minX).isFinite && (reference.maxY - reference.minY).isFinite
    let point = reference.center
    if isUsable { return reference }
    guard projection == .planar, max(reference.width, reference.height) <= Self.sideMin,
      point.x.magnitude < 1e300, point.y.magnitude < 1e300
    else { return Box(minX: 0, minY: 0, maxX: 1, maxY: 1) }
    // A single place: room around it that fits the size of its numbers.
    let half = max(0.5, max(point.x.magnitude, point.y.magnitude) / 2000)
    return Box(
      minX: point.x - half, minY: point.y - half, maxX: point.x + half, maxY: point.y + half)
  }

  /// A reference box with a shorter side is one place.
  private static let sideMin = 1e-290

  /// The same plane with the unit square's side doubled some times.
  func doubled(_ times: Int) -> MapPlane {
    MapPlane(projection, reference, doublings: doublings + times)
  }

  /// Degrees on Web Mercator, the default of a map.
  package static let webMercator = MapPlane(projection: .webMercator)

  /// The latitude at which Web Mercator's square ends.
  package static let latitudeMax = 85.051_128_779_806_59

  /// Whether coordinates are degrees, and the map repeats itself every 360 of them.
  package var isGeographic: Bool { projection != .planar }

  /// The box of a whole map, in its own coordinates.
  package var extent: Box {
    switch projection {
    case .webMercator:
      Box(minX: -180, minY: -Self.latitudeMax, maxX: 180, maxY: Self.latitudeMax)
    case .equirectangular: Box(minX: -180, minY: -90, maxX: 180, maxY: 90)
    case .planar: reference
    }
  }

  /// The place of a coordinate in the unit square; not finite if the coordinate is not.
  package func forward(_ coordinate: Coordinate) -> UnitPoint {
    switch projection {
    case .webMercator:
      return UnitPoint(x: coordinate.x / 360 + 0.5, y: Self.mercatorY(coordinate.y))
    case .equirectangular:
      let y = min(max(coordinate.y, -90), 90)
      return UnitPoint(x: coordinate.x / 360 + 0.5, y: 0.5 - (coordinate.y.isNaN ? .nan : y) / 360)
    case .planar:
      let middle = reference.center
      return UnitPoint(
        x: (coordinate.x - middle.x) / side + 0.5, y: 0.5 - (coordinate.y - middle.y) / side)
    }
  }

  /// The coordinate at a position of the unit square; the inverse of `forward`.
  package func inverse(_ point: UnitPoint) -> Coordinate {
    switch projection {
    case .webMercator:
      let angle = (0.5 - point.y) * 2 * .pi
      let latitude =
        (2 * Mathematics.arctangent(Mathematics.exponential(angle)) - .pi / 2) * 180 / .pi
      return Coordinate(x: (point.x - 0.5) * 360, y: latitude)
    case .equirectangular:
      return Coordinate(x: (point.x - 0.5) * 360, y: (0.5 - point.y) * 360)
    case .planar:
      let middle = reference.center
      return Coordinate(
        x: middle.x + (point.x - 0.5) * side, y: middle.y + (0.5 - point.y) * side)
    }
  }

  /// Web Mercator's y in the unit square, clamped at the square's ends.
  @inline(__always)
  static func mercatorY(_ latitude: Double) -> Double {
    guard !latitude.isNaN else { return .nan }
    let clamped = min(max(latitude, -latitudeMax), latitudeMax)
    let sine = Mathematics.sine(clamped * (.pi / 180))
    let y = 0.5 - Mathematics.logarithm((1 + sine) / (1 - sine)) / (4 * .pi)
    return min(max(y, 0), 1)
  }
}
