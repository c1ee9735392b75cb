package import PortolanGraphics
package import PortolanTerminals

/// Cameras made from others: each returns a new value, clamped to the valid range.
extension Camera {
  /// The same view with another centre.
  package func centered(on coordinate: Coordinate) -> Camera {
    Camera(plane: plane, center: coordinate, zoom: zoom, size: size)
  }

  /// The same centre and zoom in a window of another size.
  package func resized(to size: CellSize) -> Camera {
    Camera(plane: plane, center: center, zoom: zoom, size: size)
  }

  /// The same centre with another zoom.
  package func zoomed(to zoom: Double) -> Camera {
    Camera(plane: plane, center: center, zoom: zoom, size: size)
  }

  /// The same window on a plane whose whole units reach a box as far as 2^51 dots: it shows the
  /// same.
  func reaching(_ box: Box) -> Camera {
    let wider = plane.reaching(box, doublingsMax: max(0, 44 - Int(zoom.rounded(.up))))
    return wider == plane ? self : Camera(plane: wider, center: center, zoom: zoom, size: size)
  }

  /// The window moved by whole cells; positive is east and south.
  ///
  /// The picture moves by exactly as many cells, except at the upper and lower ends of the globe.
  package func panned(columns: Int, rows: Int) -> Camera {
    let limit = 1_000_000
    let x = originX + 2 * min(max(columns, -limit), limit) + size.columns
    let y = originY + 4 * min(max(rows, -limit), limit) + 2 * size.rows
    let half = plane.isGeographic ? worldDots / 2 : .infinity
    let middle = UnitPoint(
      x: Double(x) / worldDots + 0.5, y: min(max(Double(y), -half), half) / worldDots + 0.5)
    return Camera(plane: plane, center: plane.inverse(middle), zoom: zoom, size: size)
  }

  /// The window moved north or south so that no rows beyond the end of the world are in it while
  /// the world goes on at the other side.
  package var withoutEmptyRows: Camera {
    guard plane.isGeographic else { return self }
    func dot(_ latitude: Double) -> Double {
      (plane.forward(Coordinate(x: center.x, y: latitude)).y - 0.5) * worldDots - Double(originY)
    }
    let (north, south) = (dot(plane.extent.maxY), dot(plane.extent.minY))
    let (above, below) = (north, Double(dotHeight) - south)
    let moved = above > 0 ? min(above, max(0, -below)) : below > 0 ? -min(below, max(0, -above)) : 0
    let rows = Int(exactly: (moved / 4).rounded(.towardZero)) ?? 0
    return rows == 0 ? self : panned(columns: 0, rows: rows)
  }

  /// Zooms by half steps; the cell keeps its coordinate.
  package func zoomed(bySteps steps: Int, column: Int, row: Int) -> Camera {
    let steps = min(max(steps, -100), 100)
    return zoomed(
      to: zoom + Double(steps) * Self.step, keeping: coordinate(column: column, row: row),
      column: column, row: row)
  }

  /// Zooms so that a coordinate stays (or comes to lie) in the middle of a cell.
  package func zoomed(
    to zoom: Double, keeping coordinate: Coordinate, column: Int, row: Int
  ) -> Camera {
    let scaled = Camera(plane: plane, center: coordinate, zoom: zoom, size: size)
    let dot = DotPoint(
      x: 2 * Double(size.columns - column) - 1, y: 4 * Double(size.rows - row) - 2)
    return scaled.centered(on: scaled.coordinate(at: dot))
  }

  /// The camera that shows a whole box.
  ///
  /// - Parameters:
  ///   - box: In the document's coordinates; `maxX` below `minX` or beyond 180 spans the
  ///     antimeridian.
  ///   - margin: The part of the window that stays free on each side.
  ///   - zoomMax: The zoom for a box without a size; on the globe that for any small one.
  ///   - rowsBelow: The rows at the lower end that stay free besides.
  package static func fitting(
    _ box: Box, plane: MapPlane, size: CellSize, margin: Double = 0.03, zoomMax: Double = 16,
    rowsBelow: Int = 0
  ) -> Camera {
    var box = box
    if plane.isGeographic && box.minX > box.maxX && box.minX <= 180 && box.maxX >= -180 {
      box.maxX += 360
    }
    if box.isEmpty || !box.minX.isFinite || !box.maxX.isFinite { box = plane.extent }
    let (start, end) = plane.corners(of: box)
    guard start.x.isFinite && start.y.isFinite && end.x.isFinite && end.y.isFinite else {
      return Camera(plane: plane, center: plane.extent.center, zoom: 0, size: size)
    }
    let size = Camera.clamped(size)
    let used = 1 - 2 * min(max(margin.isNaN ? 0 : margin, 0), 0.45)
    // The window begins at a whole dot: small ones need half a dot more on each side. On the globe
    // they are as they were.
    let isExact = used < 1 && (!plane.isGeographic || rowsBelow > 0)
    func room(_ dots: Int) -> Double {
      let dots = Double(max(1, dots))
      return isExact ? max(0.5, min(dots * used, dots - 1.25)) : dots * used
    }
    let across = room(2 * size.columns) / max(end.x - start.x, 1e-12)
    let down = room(4 * (size.rows - rowsBelow)) / max(end.y - start.y, 1e-12)
    let zoom =
      Mathematics.binaryLogarithm(min(across, down) / 256) - Double(plane.doublings)
    let middle = UnitPoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
    let isPlace = end.x <= start.x && end.y <= start.y
    let most = plane.isGeographic || isPlace ? zoomMax : zoomRange.upperBound
    let camera = Camera(
      plane: plane, center: plane.inverse(middle), zoom: min(zoom, most), size: size)
    if rowsBelow == 0 { return camera }
    let lower = camera.coordinate(
      at: DotPoint(x: Double(size.columns), y: 2 * Double(size.rows + rowsBelow)))
    return camera.centered(on: Coordinate(x: camera.center.x, y: lower.y))
  }
}
