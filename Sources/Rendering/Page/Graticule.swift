import PortolanGraphics

/// The lines of equal longitude and latitude, or of planar coordinates, on a map.
package struct Graticule: Sendable {
  /// A line at a round value.
  package struct Line: Hashable, Sendable {
    package var value: Double
    /// In dots from the window's left or top edge; where meridians are curved, at the lower one.
    package var position: Double
  }

  /// From west to east; values in degrees are within ±180.
  package let meridians: [Line]
  /// From north to south.
  package let parallels: [Line]
  /// Whether meridians are no straight lines.
  package let isCurved: Bool
  /// The distance of neighbours, in degrees or in planar units.
  package let step: Double

  private static let linesMax = 200

  /// The lines through a camera's window, about six across the shorter side; none where coordinates
  /// have no steps that numbers can tell apart.
  package init(_ camera: Camera) {
    let visible = camera.visible
    let shorter = min(visible.width, visible.height)
    guard shorter.isFinite, shorter > 0, let step = Self.step(shorter / 6, camera.plane) else {
      (meridians, parallels, step, isCurved) = ([], [], 0, false)
      return
    }
    self.step = step
    let isGeographic = camera.plane.isGeographic
    let isCurved = camera.plane.isCurved
    self.isCurved = isCurved
    let columns = camera.worldColumns
    meridians = Self.values(visible.minX, visible.maxX, step).compactMap { value in
      let latitude = isCurved ? visible.minY : camera.center.y
      let place = camera.plane.forward(Coordinate(x: value, y: latitude))
      let position = (place.x - 0.5) * camera.worldDots - Double(camera.originX)
      guard isCurved || position >= Double(2 * columns.lowerBound) - 0.5,
        position <= Double(2 * columns.upperBound) + 0.5
      else { return nil }
      return Line(
        value: isGeographic ? Geodesy.wrapped(value) : value, position: position)
    }
    let extent = camera.plane.extent
    parallels = Self.values(
      isGeographic ? max(visible.minY, extent.minY) : visible.minY,
      isGeographic ? min(visible.maxY, extent.maxY) : visible.maxY, step
    ).reversed().map { value in
      let place = camera.plane.forward(Coordinate(x: camera.center.x, y: value))
      return Line(
        value: value, position: (place.y - 0.5) * camera.worldDots - Double(camera.originY))
    }
  }

  /// A round step: 1, 2 or 5 times a power of ten; of degrees above 5 a divisor of 90.
  private static func step(_ wanted: Double, _ plane: MapPlane) -> Double? {
    guard wanted > 1e-9, wanted < 1e12 else { return nil }
    if plane.isGeographic, wanted > 5 {
      return [10.0, 15, 30, 45].first { $0 >= wanted } ?? 90
    }
    var unit = 1e-9
    while unit * 10 < wanted { unit *= 10 }
    return [unit, 2 * unit, 5 * unit].first { $0 >= wanted } ?? unit * 10
  }

  private static func values(_ low: Double, _ high: Double, _ step: Double) -> [Double] {
    let (first, last) = ((low / step).rounded(.up), (high / step).rounded(.down))
    guard first.isFinite, last.isFinite, abs(first) < 1e15, last >= first,
      last - first < Double(linesMax)
    else { return [] }
    return (0...Int(last - first)).map { (first + Double($0)) * step }
  }
}
