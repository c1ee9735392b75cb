import PortolanDocuments
import PortolanGraphics

/// Where the polygons of a layer lie while they are repaired: as their numbers are, or around a
/// meridian.
///
/// Around a meridian each polygon is in one piece, at the whole turn at which it is nearest to the
/// meridian: so those that meet there have the same longitudes, wherever 0 and 180 degrees are.
struct Meridian {
  private let longitude: Double?
  /// The longitudes of turned vertices as they were.
  private var originals: [Double: Double] = [:]

  /// Longitudes as they are.
  static let none = Meridian(longitude: nil)

  private init(longitude: Double?) { self.longitude = longitude }

  init(_ longitude: Double) { self.init(longitude: longitude) }

  /// Whether a polygon of a layer lies across 180 degrees.
  static func isNeeded(for layer: any BlockHolding) -> Bool {
    layer.blocks.contains { block in
      let geometry = block.geometry
      return geometry.pathRoles.indices.contains { path in
        guard geometry.pathRoles[path].isRing else { return false }
        var walk = Longitude.Walk()
        return geometry.vertices(ofPath: path).contains {
          let longitude = geometry.coordinate(at: $0).x
          return longitude.isFinite && walk.next(longitude) != longitude
        }
      }
    }
  }

  /// The rings of a polygon as they lie here; `nil` for those that cannot: their numbers are not
  /// finite, they surround the globe, or lie across 180 degrees without a meridian.
  mutating func moved(_ rings: [[Coordinate]], isGeographic: Bool) -> [[Coordinate]]? {
    guard rings.joined().allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    guard isGeographic else { return rings }
    var result: [[Coordinate]] = []
    for ring in rings {
      var walk = Longitude.Walk()
      var turns = ring.map { place in
        _ = walk.next(place.x)
        return walk.turns
      }
      if let first = ring.first { _ = walk.next(first.x) }
      guard walk.turns == 0 else { return nil }
      if let longitude {
        // Holes go with their polygon.
        let goal = result.first.map(Self.middle) ?? longitude
        let middle = Self.middle(zip(ring, turns).map { Coordinate(x: $0.x + $1, y: $0.y) })
        let turn = 360 * ((goal - middle) / 360).rounded()
        turns = turns.map { $0 + turn }
      } else if turns.contains(where: { $0 != 0 }) {
        return nil
      }
      result.append(
        zip(ring, turns).map { place, turn in
          let moved = Coordinate(x: place.x + turn, y: place.y)
          if turn != 0 { originals[moved.x] = place.x }
          return moved
        })
    }
    return result
  }

  private static func middle(_ ring: [Coordinate]) -> Double {
    ring.reduce(into: Box.empty) { $0.formUnion($1) }.center.x
  }

  /// A moved place for people.
  func shown(_ place: Coordinate) -> Coordinate {
    longitude == nil ? place : Coordinate(x: Longitude.onGlobe(place.x), y: place.y)
  }

  /// A moved place as a vertex of a polygon.
  ///
  /// - Parameters:
  ///   - former: a vertex that the polygon had, and where it lies here.
  ///   - range: the longitudes that the polygon had.
  func unmoved(
    _ place: Coordinate, like former: (original: Coordinate, moved: Coordinate),
    in range: ClosedRange<Double>
  ) -> Coordinate {
    if longitude == nil { return place }
    let turned = place.x + (former.original.x - former.moved.x).rounded()
    let leavesWorld = range.lowerBound < -180 || range.upperBound > 180
    let longitude = leavesWorld ? turned : Longitude.onGlobe(turned)
    if longitude == place.x { return place }
    if let original = originals[place.x], (original - longitude).magnitude < 1 {
      return Coordinate(x: original, y: place.y)
    }
    return Coordinate(x: NumberText.rounded(longitude, decimals: 7), y: place.y)
  }
}
