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
/// Geographic projections map longitude -180 to x = 0 and 180 to x = 1, Equal Earth at the equator.
/// The others continue beyond both ends, so that a view can straddle the antimeridian. The planar
/// one fits a reference box into the square, centred, with the same scale both ways, and continues
/// beyond all four sides.
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
  /// Whether distances on the map are metres on the ground.
  package let isMetric: Bool

  /// A plane; a reference box of one place is widened, and an invalid one becomes the unit box.
  ///
  /// - Parameter isMetric: whether planar units are metres on the ground.
  package init(projection: Projection, reference: Box = .empty, isMetric: Bool = false) {
    self.init(
      projection, Self.usable(reference, projection), doublings: 0,
      isMetric: isMetric || projection != .planar)
  }

  private init(_ projection: Projection, _ reference: Box, doublings: Int, isMetric: Bool) {
    (self.projection, self.reference, self.doublings) = (projection, reference, doublings)
    self.isMetric = isMetric
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
    MapPlane(projection, reference, doublings: doublings + times, isMetric: isMetric)
  }

  /// Degrees on Web Mercator, the default of a map.
  package static let webMercator = MapPlane(projection: .webMercator)

  /// The latitude at which Web Mercator's square ends.
  package static let latitudeMax = 85.051_128_779_806_59

  /// Whether coordinates are degrees.
  package var isGeographic: Bool { projection != .planar }

  /// Whether the map repeats itself every 360 degrees.
  package var repeats: Bool { projection == .webMercator || projection == .equirectangular }

  /// Whether x depends on the latitude, too.
  package var isCurved: Bool { projection == .equalEarth }

  /// The box of a whole map, in its own coordinates.
  package var extent: Box {
    switch projection {
    case .webMercator:
      Box(minX: -180, minY: -Self.latitudeMax, maxX: 180, maxY: Self.latitudeMax)
    case .equirectangular, .equalEarth: Box(minX: -180, minY: -90, maxX: 180, maxY: 90)
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
    case .equalEarth:
      guard !coordinate.y.isNaN else { return UnitPoint(x: .nan, y: .nan) }
      let parallel = EqualEarth.onWGS84.parallel(at: min(max(coordinate.y, -90), 90))
      return UnitPoint(
        x: coordinate.x * parallel.degree / Self.earthWidth + 0.5,
        y: 0.5 - parallel.y / Self.earthWidth)
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
    case .equalEarth:
      let parallel = EqualEarth.onWGS84.parallel(atY: (0.5 - point.y) * Self.earthWidth)
      return Coordinate(
        x: (point.x - 0.5) * Self.earthWidth / parallel.degree, y: parallel.latitude)
    case .planar:
      let middle = reference.center
      return Coordinate(
        x: middle.x + (point.x - 0.5) * side, y: middle.y + (0.5 - point.y) * side)
    }
  }

  /// The width of Equal Earth's world in metres.
  private static let earthWidth = 360 * EqualEarth.onWGS84.parallel(at: 0).degree

  /// The upper left and the lower right corner of the least rectangle around a box.
  package func corners(of box: Box) -> (start: UnitPoint, end: UnitPoint) {
    let start = forward(Coordinate(x: box.minX, y: box.maxY))
    let end = forward(Coordinate(x: box.maxX, y: box.minY))
    guard isCurved else { return (start, end) }
    // Longitudes reach farthest on the first or the last parallel, or on the equator.
    let parallels = [box.minY, min(max(0, box.minY), box.maxY), box.maxY]
    func x(_ longitude: Double) -> [Double] {
      parallels.map { forward(Coordinate(x: longitude, y: $0)).x }
    }
    return (
      UnitPoint(x: x(box.minX).reduce(start.x, min), y: start.y),
      UnitPoint(x: x(box.maxX).reduce(end.x, max), y: end.y)
    )
  }

  /// The least box around all places in a rectangle of the unit square.
  package func box(from start: UnitPoint, to end: UnitPoint) -> Box {
    let (first, last) = (inverse(start), inverse(end))
    guard isCurved else {
      return Box(minX: first.x, minY: last.y, maxX: last.x, maxY: first.y)
    }
    let rows = [start.y, min(max(0.5, start.y), end.y), end.y]
    func longitudes(_ x: Double) -> [Double] {
      rows.map { min(max(inverse(UnitPoint(x: x, y: $0)).x, -180), 180) }
    }
    return Box(
      minX: longitudes(start.x).reduce(180, min), minY: last.y,
      maxX: longitudes(end.x).reduce(-180, max), maxY: first.y)
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
