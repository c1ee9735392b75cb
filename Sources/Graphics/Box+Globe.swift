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

  /// The range of y that shapes in the box may reach, also on a globe, rounded outwards.
  var spanY: SIMD2<Float> {
    let box = reachOnGlobe
    let low = Float(box.minY)
    let high = Float(box.maxY)
    return SIMD2(
      Double(low) > box.minY ? low.nextDown : low, Double(high) < box.maxY ? high.nextUp : high)
  }
}
