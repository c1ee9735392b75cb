package import PortolanGraphics

/// A position in dots from the window's top left corner; whole numbers are the dots' corners.
package struct DotPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// Conversions from cells and dots to coordinates and back.
extension Camera {
  /// The place of a coordinate in the window, in dots; in the copy of the world nearest to the
  /// centre.
  package func dot(at coordinate: Coordinate) -> DotPoint? {
    guard coordinate.x.isFinite && coordinate.y.isFinite else { return nil }
    var near = coordinate
    if plane.repeats { near.x = center.x + Geodesy.wrapped(coordinate.x - center.x) }
    let point = plane.forward(near)
    return DotPoint(
      x: (point.x - 0.5) * worldDots - Double(originX),
      y: (point.y - 0.5) * worldDots - Double(originY))
  }

  /// The coordinate at a position in dots; longitudes may reach past ±180.
  package func coordinate(at dot: DotPoint) -> Coordinate { plane.inverse(point(at: dot)) }

  private func point(at dot: DotPoint) -> UnitPoint {
    UnitPoint(
      x: (dot.x + Double(originX)) / worldDots + 0.5,
      y: (dot.y + Double(originY)) / worldDots + 0.5)
  }

  /// The cell of the window that shows a coordinate; `nil` if none does.
  package func cell(at coordinate: Coordinate) -> (column: Int, row: Int)? {
    guard let dot = dot(at: coordinate), dot.x >= 0, dot.y >= 0, dot.x < Double(dotWidth),
      dot.y < Double(dotHeight)
    else { return nil }
    return (Int(dot.x) / 2, Int(dot.y) / 4)
  }

  /// The coordinate in the middle of a cell, longitude within ±180 and latitude within ±90.
  package func coordinate(column: Int, row: Int) -> Coordinate {
    var position = coordinate(
      at: DotPoint(x: 2 * Double(column) + 1, y: 4 * Double(row) + 2))
    if plane.isGeographic {
      position.x =
        plane.repeats ? Geodesy.wrapped(position.x) : min(max(position.x, -180), 180)
      position.y = min(max(position.y, -90), 90)
    }
    return position
  }

  /// The visible box; reaches past ±180 where it straddles the antimeridian.
  package var visible: Box {
    plane.box(
      from: point(at: DotPoint(x: 0, y: 0)),
      to: point(at: DotPoint(x: Double(dotWidth), y: Double(dotHeight))))
  }

  /// The ground distance of one column at the centre: metres, or the document's units if planar.
  package var groundPerColumn: Double {
    let perColumn = 2 / worldDots
    guard plane.isGeographic else { return perColumn * plane.side }
    let latitude = min(max(center.y, -89.9), 89.9)
    func x(_ longitude: Double) -> Double {
      plane.forward(Coordinate(x: longitude, y: latitude)).x
    }
    return perColumn / (x(180) - x(-180)) * 2 * .pi * Geodesy.equatorialRadius
      * Mathematics.cosine(latitude * .pi / 180)
  }
}
