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
    if plane.isGeographic { near.x = center.x + Geodesy.wrapped(coordinate.x - center.x) }
    let point = plane.forward(near)
    return DotPoint(
      x: (point.x - 0.5) * worldDots - Double(originX),
      y: (point.y - 0.5) * worldDots - Double(originY))
  }

  /// The coordinate at a position in dots; longitudes may reach past ±180.
  package func coordinate(at dot: DotPoint) -> Coordinate {
    plane.inverse(
      UnitPoint(
        x: (dot.x + Double(originX)) / worldDots + 0.5,
        y: (dot.y + Double(originY)) / worldDots + 0.5))
  }

  /// The cell of the window that shows a coordinate; `nil` if none does.
  package func cell(at coordinate: Coordinate) -> (column: Int, row: Int)? {
    guard let dot = dot(at: coordinate), dot.x >= 0, dot.y >= 0, dot.x < Double(dotWidth),
      dot.y < Double(dotHeight)
    else { return nil }
    return (Int(dot.x) / 2, Int(dot.y) / 4)
  }

  /// The coordinate in the middle of a cell, longitude within ±180.
  package func coordinate(column: Int, row: Int) -> Coordinate {
    var position = coordinate(
      at: DotPoint(x: 2 * Double(column) + 1, y: 4 * Double(row) + 2))
    if plane.isGeographic { position.x = Geodesy.wrapped(position.x) }
    return position
  }

  /// The visible box; reaches past ±180 where it straddles the antimeridian.
  package var visible: Box {
    let topLeft = coordinate(at: DotPoint(x: 0, y: 0))
    let bottomRight = coordinate(at: DotPoint(x: Double(dotWidth), y: Double(dotHeight)))
    return Box(minX: topLeft.x, minY: bottomRight.y, maxX: bottomRight.x, maxY: topLeft.y)
  }

  /// The ground distance of one column at the centre: metres, or the document's units if planar.
  package var groundPerColumn: Double {
    let perColumn = 2 / worldDots
    switch plane.projection {
    case .planar: return perColumn * plane.side
    case .webMercator, .equirectangular:
      let latitude = min(max(center.y, -89.9), 89.9) * .pi / 180
      return perColumn * 2 * .pi * Geodesy.equatorialRadius * Mathematics.cosine(latitude)
    }
  }
}
