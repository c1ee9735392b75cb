/// How near a vertex must come to the edge of another border to count as lying on it.
///
/// The check of coverages and the edits of shared borders ask the same question, so that no edit
/// leaves what the check reports.
package struct BorderTolerance: Sendable {
  /// The distance, in the units of the coordinates.
  package let distance: Double

  /// - Parameter isGeographic: whether coordinates are degrees: a millionth of a degree (0.1 m);
  ///   else a millimetre, if the unit is the metre.
  package init(isGeographic: Bool) { distance = isGeographic ? 1e-6 : 1e-3 }

  /// Whether a place lies on an edge or within the tolerance of it.
  @inline(__always)
  package func isNear(_ place: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Bool {
    Self.distance(place, a, b).map { $0.distance <= distance } ?? false
  }

  /// Whether a place lies on an edge or within the tolerance of it, and farther from both ends.
  @inline(__always)
  package func isNearInside(_ place: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Bool {
    guard let (near, part, length) = Self.distance(place, a, b), near <= distance else {
      return false
    }
    return part * length > distance && (1 - part) * length > distance
  }

  /// The distance of a place, the part of the edge up to the nearest point, and its length.
  ///
  /// The numbers are the same whichever way the edge goes.
  private static func distance(
    _ place: Coordinate, _ first: Coordinate, _ second: Coordinate
  ) -> (distance: Double, part: Double, length: Double)? {
    let (a, b) = (first.x, first.y) <= (second.x, second.y) ? (first, second) : (second, first)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    guard square > 0, square.isFinite else { return nil }
    let part = min(max(((place.x - a.x) * dx + (place.y - a.y) * dy) / square, 0), 1)
    let (x, y) = (a.x + part * dx - place.x, a.y + part * dy - place.y)
    return ((x * x + y * y).squareRoot(), part, square.squareRoot())
  }
}
