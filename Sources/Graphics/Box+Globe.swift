extension Box {
  /// The reach of shapes on a globe whose vertices, in degrees, are in this box.
  ///
  /// A shape with vertices more than half the globe apart may run across the antimeridian, which
  /// its box leaves out, or around a pole, which lies beyond its box.
  package var reachOnGlobe: Box {
    guard width > 180 else { return self }
    return Box(
      minX: min(minX, -180), minY: minY < -60 ? min(minY, -90) : minY, maxX: max(maxX, 180),
      maxY: maxY > 60 ? max(maxY, 90) : maxY)
  }

  /// Whether shapes in the box may be visible in another one; in degrees also a turn of the globe
  /// to the west or the east.
  package func mayShow(in visible: Box, isGeographic: Bool) -> Bool {
    let box = isGeographic ? reachOnGlobe : self
    guard visible.minY <= box.maxY && box.minY <= visible.maxY else { return false }
    func isShown(turned turn: Double) -> Bool {
      visible.minX <= box.maxX + turn && box.minX + turn <= visible.maxX
    }
    return isShown(turned: 0) || isGeographic && (isShown(turned: -360) || isShown(turned: 360))
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
