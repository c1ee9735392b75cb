/// Shapes in degrees as they are drawn on the globe: each step goes the short way round.
extension GeometryBlock {
  /// Whether a feature may run across the antimeridian, so that its box does not tell where it is.
  package func isWideOnGlobe(row: Int) -> Bool {
    let box = boxes[row]
    guard !box.isEmpty, box.minY >= -90, box.maxY <= 90, box.minX >= -540, box.maxX <= 540 else {
      return false
    }
    return box.width > 180 || box.minX < -180 || box.maxX > 180
  }

  /// Whether the box of any part of a feature touches a box on the globe.
  ///
  /// - Parameter box: in degrees; `minX > maxX` spans the antimeridian.
  package func touchesOnGlobe(_ box: Box, row: Int) -> Bool {
    var box = box
    if box.minX > box.maxX { box.maxX += 360 }
    for path in paths(ofFeature: row) {
      let role = pathRoles[path]
      let isApart = role.kind.dimension == 0
      var bounds = Box.empty
      var former: Double?
      var first = 0.0
      for vertex in vertices(ofPath: path) {
        var point = coordinate(at: vertex)
        guard point.x.isFinite && point.y.isFinite else { continue }
        if isApart {
          if Self.meet(box, Box(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)) {
            return true
          }
          continue
        }
        if let former {
          point.x = Longitude.unwrapped(point.x, after: former)
        } else {
          first = point.x
        }
        bounds.formUnion(point)
        former = point.x
      }
      if let former, role.isRing, abs(former - first) > 180 {
        // The ring runs around a pole, which it holds.
        bounds.minX = -180
        bounds.maxX = 180
        if bounds.center.y < 0 { bounds.minY = -90 } else { bounds.maxY = 90 }
      }
      if Self.meet(box, bounds) { return true }
    }
    return false
  }

  /// Whether two boxes meet when one of them is turned by whole rounds.
  private static func meet(_ a: Box, _ b: Box) -> Bool {
    guard !b.isEmpty, a.minY <= b.maxY, b.minY <= a.maxY else { return false }
    return ((a.minX - b.maxX) / 360).rounded(.up) <= ((a.maxX - b.minX) / 360).rounded(.down)
  }
}

/// Degrees of longitude.
package enum Longitude {
  /// The same meridian, at most half a round away from the former one.
  package static func unwrapped(_ longitude: Double, after former: Double) -> Double {
    let step = longitude - former
    return abs(step) <= 180 ? longitude : longitude - 360 * (step / 360).rounded()
  }
}
