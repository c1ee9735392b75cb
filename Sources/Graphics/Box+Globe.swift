/// Boxes in degrees, on a globe where 180 is -180.
extension Box {
  /// Whether its numbers can be degrees, of a few turns at most; others are taken as they are.
  package var isOnGlobe: Bool { minY >= -90 && maxY <= 90 && minX >= -3600 && maxX <= 3600 }

  /// Whether it leaves -180 to 180.
  package var leavesWorld: Bool { minX < -180 || maxX > 180 }

  /// Whether steps of a shape in the box may go the short way across the antimeridian: see
  /// `Longitude`.
  package var mayJump: Bool {
    maxX - minX >= Longitude.leastJump && isOnGlobe && !leavesWorld
  }

  /// The reach of shapes on a globe whose vertices, in degrees, are in this box.
  ///
  /// A shape that jumps runs across the antimeridian, which its box leaves out, or around a pole,
  /// which lies beyond its box.
  package var reachOnGlobe: Box {
    guard width >= Longitude.leastJump else { return self }
    return Box(
      minX: min(minX, -180), minY: minY < -60 ? min(minY, -90) : minY, maxX: max(maxX, 180),
      maxY: maxY > 60 ? max(maxY, 90) : maxY)
  }

  /// The whole turns to the east by which the box is to be moved to meet a range of longitudes;
  /// `nil` if there are none, or too many to try.
  package func turns(meeting range: ClosedRange<Double>) -> ClosedRange<Int>? {
    // Rounding may hide a turn on which both just touch.
    let first = ((range.lowerBound - maxX) / 360 - 1e-9).rounded(.up)
    let last = ((range.upperBound - minX) / 360 + 1e-9).rounded(.down)
    guard first <= last, abs(first) < 100, abs(last) < 100 else { return nil }
    return Int(first)...Int(last)
  }

  /// Whether shapes in the box may be visible in another one; in degrees also whole turns of the
  /// globe to the west or the east.
  package func mayShow(in visible: Box, isGeographic: Bool) -> Bool {
    let box = isGeographic ? reachOnGlobe : self
    guard visible.minY <= box.maxY && box.minY <= visible.maxY else { return false }
    if visible.minX <= box.maxX && box.minX <= visible.maxX { return true }
    guard isGeographic, visible.minX <= visible.maxX else { return false }
    return box.turns(meeting: visible.minX...visible.maxX) != nil
  }

  /// The range of y that shapes in the box may reach, also on a globe, rounded outwards.
  var spanY: SIMD2<Float> {
    let box = reachOnGlobe
    let low = Float(box.minY)
    let high = Float(box.maxY)
    return SIMD2(
      Double(low) > box.minY ? low.nextDown : low, Double(high) < box.maxY ? high.nextUp : high)
  }
}
