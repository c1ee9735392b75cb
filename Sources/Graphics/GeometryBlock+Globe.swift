/// Shapes in degrees as they are drawn on the globe: each step goes the short way round.
extension GeometryBlock {
  /// Whether a feature may cross the antimeridian, so that its box does not contain it.
  package func isWideOnGlobe(row: Int) -> Bool {
    let box = boxes[row]
    guard !box.isEmpty, box.minY >= -90, box.maxY <= 90, box.minX >= -540, box.maxX <= 540 else {
      return false
    }
    return box.width > 180 || box.minX < -180 || box.maxX > 180
  }
}

/// Degrees of longitude.
package enum Longitude {
  /// The same meridian, at most half a turn from the former one.
  package static func unwrapped(_ longitude: Double, after former: Double) -> Double {
    let step = longitude - former
    return abs(step) <= 180 ? longitude : longitude - 360 * (step / 360).rounded()
  }
}
