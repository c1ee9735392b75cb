import PortolanDocuments
import PortolanGraphics

/// Where longitudes begin to be counted: at -180, or at 0, so that areas across 180 degrees are in
/// one piece.
struct Seam {
  /// Whether longitudes are counted from 0 to 360.
  let isMoved: Bool
  /// The longitudes as they were before they were moved.
  private var originals: [Double: Double] = [:]

  /// Longitudes as they are.
  static let unmoved = Seam(isMoved: false)

  private init(isMoved: Bool) { self.isMoved = isMoved }

  /// Longitudes from 0 on, for the areas of a layer; `nil` if none lies across 180 degrees.
  init?(across layer: any BlockHolding) {
    self.init(isMoved: true)
    var isAcross = false
    for block in layer.blocks {
      let geometry = block.geometry
      for row in 0..<block.rowCount {
        for path in geometry.paths(ofFeature: row) where geometry.pathRoles[path].isRing {
          var former: Double?
          for vertex in geometry.vertices(ofPath: path) {
            let x = geometry.coordinate(at: vertex).x
            if let former, Longitude.turn(from: former, to: x) != 0 { isAcross = true }
            former = x
            if x < 0 { originals[x + 360] = x }
          }
        }
      }
    }
    guard isAcross else { return nil }
  }

  func moved(_ place: Coordinate) -> Coordinate {
    isMoved && place.x < 0 ? Coordinate(x: place.x + 360, y: place.y) : place
  }

  /// A moved place for people.
  func shown(_ place: Coordinate) -> Coordinate {
    isMoved && place.x > 180 ? Coordinate(x: place.x - 360, y: place.y) : place
  }

  /// A moved place as a vertex of a polygon.
  ///
  /// - Parameter range: the longitudes that the polygon had.
  func unmoved(_ place: Coordinate, in range: ClosedRange<Double>) -> Coordinate {
    guard isMoved, place.x >= 180, range.upperBound <= 180 else { return place }
    if place.x == 180, range.upperBound >= 0 { return place }
    return Coordinate(x: originals[place.x] ?? place.x - 360, y: place.y)
  }
}
