import PortolanGraphics
import PortolanPrinting
import PortolanRendering

extension MapPane {
  package func status(_ desk: Desk) -> PaneStatus {
    let camera = desk.camera
    let zoom = Figures.fixed(camera.zoom, decimals: 2)
    let scale = "mag \(Figures.magnification(camera.magnification))x z\(zoom)"
    return PaneStatus(
      place: Self.position(desk), details: [(scale, 4), (Self.ground(camera) + "/col", 3)])
  }

  /// The cursor's position, with as many decimals as a column resolves.
  private static func position(_ desk: Desk) -> String {
    let camera = desk.camera
    // In the middle: the corner may lie beyond the edge of the map.
    let middle = DotPoint(x: Double(camera.dotWidth) / 2, y: Double(camera.dotHeight) / 2)
    let next = DotPoint(x: middle.x + 2, y: middle.y)
    let perColumn = abs(camera.coordinate(at: next).x - camera.coordinate(at: middle).x)
    var decimals = 2
    var step = 0.1
    while decimals < 8 && step > perColumn * 2 {
      step /= 10
      decimals += 1
    }
    let cursor = desk.cursor
    if camera.plane.isGeographic {
      return Figures.degrees(cursor, decimals: min(decimals, 7))
    }
    func ordinate(_ value: Double) -> String {
      value.magnitude < 1
        ? Figures.short(value, decimals: min(decimals, 6))
        : Figures.planar(value, decimals: min(decimals, 6))
    }
    return "x \(ordinate(cursor.x)) y \(ordinate(cursor.y))"
  }

  /// The ground distance of a column.
  private static func ground(_ camera: Camera) -> String {
    camera.plane.isMetric
      ? Figures.distance(meters: camera.groundPerColumn)
      : Figures.planar(camera.groundPerColumn, decimals: 3)
  }
}
