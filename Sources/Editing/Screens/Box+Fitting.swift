package import PortolanGraphics

extension Box {
  /// The box that a view of this box is fitted to.
  ///
  /// Web Mercator stretches the polar regions beyond measure: of a map of the whole world, the
  /// inner Antarctic would take a third of the window, and everything else would be that much
  /// smaller. Its coast stays in the window where there is room.
  package func forFitting(on plane: MapPlane) -> Box {
    guard plane.projection == .webMercator, width > 300, minY < -60, maxY > 0 else { return self }
    return Box(minX: minX, minY: -60, maxX: maxX, maxY: maxY)
  }
}
