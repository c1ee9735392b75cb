package import PortolanGraphics
package import PortolanTerminals

/// The camera: a centre, a zoom and the size of the window, on one map plane.
///
/// At zoom z the world is 256 · 2^z dots wide; a cell is two dots wide and four high. Dots are
/// counted from the window's top left corner, and the window always begins at a whole dot of the
/// world, so that moving by whole cells moves the picture by whole cells.
///
/// Of a planar map the world at zoom z is its reference box. The window may lie anywhere: as far
/// away as numbers tell its dots apart, and beyond that the zoom is less.
package struct Camera: Hashable, Sendable {
  package let plane: MapPlane
  package let center: Coordinate
  package let zoom: Double
  /// The window in cells.
  package let size: CellSize

  /// The window's first dot, in dots from the world's middle.
  package let originX: Int
  package let originY: Int
  let scale: DotScale

  /// The zooms in reach of the keys; a window smaller than the world at zoom 0 may go below, and
  /// planar maps as far as documents keep a zoom.
  package static let zoomRange = 0.0...22.0
  /// The step of a key press: half a zoom.
  package static let step = 0.5
  package static let planarZoomMin = -40.0
  /// The window's middle is at most 2^48 dots from that of the world: 1/32 of a dot is told apart.
  private static let reachBits = 48.0

  /// A camera; values out of range or not finite are clamped.
  package init(plane: MapPlane, center: Coordinate, zoom: Double, size: CellSize) {
    let size = Self.clamped(size)
    let (columns, rows) = (size.columns, size.rows)
    self.plane = plane
    self.size = size
    let least =
      plane.isGeographic ? Self.zoomLeast(columns: columns, rows: rows) : Self.planarZoomMin
    let (middle, point) = Self.clamped(center, plane)
    let wanted = zoom.isNaN ? 0 : min(max(zoom, least), Self.zoomRange.upperBound)
    self.zoom = min(wanted, Self.zoomMost(at: point, plane))
    scale = DotScale(zoom: self.zoom + Double(plane.doublings))
    self.center = middle
    originX = Int(((point.x - 0.5) * scale.worldDots - Double(columns)).rounded())
    originY = Int(((point.y - 0.5) * scale.worldDots - Double(2 * rows)).rounded())
  }

  /// The window in dots.
  package var dotWidth: Int { 2 * size.columns }
  package var dotHeight: Int { 4 * size.rows }
  /// The width of the whole world, in dots.
  package var worldDots: Double { scale.worldDots }
  /// The magnification relative to zoom 0.
  package var magnification: Double { Mathematics.power(ofTwo: zoom) }

  /// The zoom in half steps, rounded down.
  private var halfStep: Int { Int((zoom / Self.step + 1e-6).rounded(.down)) }
  /// The zoom at which the unit square is as large as now: the zoom, but on an enlarged square.
  var worldZoom: Double { zoom + Double(plane.doublings) }
  /// The same in half steps, rounded down.
  var worldHalfStep: Int { halfStep + 2 * plane.doublings }
  /// The choice of lines in a picture through this camera.
  package var detail: MapDetail { MapDetail(plane: plane, step: worldHalfStep) }
  /// The choice of lines on a page: a line is as wide there as a cell of a screen that is two zooms
  /// nearer, so lines are left out only where they would fill a third of the paper.
  package var pageDetail: MapDetail { MapDetail(plane: plane, step: worldHalfStep + 4) }

  /// The zoom for a magnification; 0 for an invalid one.
  package static func zoom(forMagnification magnification: Double) -> Double {
    guard magnification.isFinite && magnification > 0 else { return 0 }
    return Mathematics.binaryLogarithm(magnification)
  }

  /// The smallest zoom of a window: 0, or less to fit the whole world.
  private static func zoomLeast(columns: Int, rows: Int) -> Double {
    let dots = Double(max(1, min(2 * columns, 4 * rows)))
    return max(-8, min(0, Mathematics.binaryLogarithm(dots / 256)))
  }

  /// A size that a frame can have.
  static func clamped(_ size: CellSize) -> CellSize {
    CellSize(columns: min(max(0, size.columns), 4096), rows: min(max(0, size.rows), 4096))
  }

  private static func clamped(
    _ center: Coordinate, _ plane: MapPlane
  ) -> (Coordinate, UnitPoint) {
    let extent = plane.extent
    var middle = center
    if !middle.x.isFinite || !middle.y.isFinite { middle = extent.center }
    if plane.isGeographic {
      middle.x = plane.repeats ? Geodesy.wrapped(middle.x) : min(max(middle.x, -180), 180)
      middle.y = min(max(middle.y, extent.minY), extent.maxY)
    } else {
      let reach = min(plane.side * Self.sidesMax, Self.coordinateMax)
      let around = extent.center
      middle.x = min(max(middle.x, around.x - reach), around.x + reach)
      middle.y = min(max(middle.y, around.y - reach), around.y + reach)
    }
    return (middle, plane.forward(middle))
  }

  /// The farthest middle of a planar window from that of the world, in sides of the world and in
  /// units: no scale of dots beyond that is a normal number.
  private static let sidesMax = 0x1p900
  private static let coordinateMax = 1e307

  /// The greatest zoom of a window with its middle at a place.
  private static func zoomMost(at point: UnitPoint, _ plane: MapPlane) -> Double {
    let away = max((point.x - 0.5).magnitude, (point.y - 0.5).magnitude)
    guard !plane.isGeographic, away > 1 else { return .infinity }
    return reachBits - 8 - Mathematics.binaryLogarithm(away) - Double(plane.doublings)
  }
}

/// World units to dots in whole numbers: one multiplication and one shift a coordinate.
///
/// The scale is rounded to 29 bits and the rounded one is used everywhere, so that drawing and
/// picking always agree.
struct DotScale: Hashable, Sendable {
  let multiplier: Int64
  let shift: Int64
  let worldDots: Double

  init(zoom: Double) {
    let exact = Mathematics.power(ofTwo: zoom + 8) / WorldPoint.worldWidth
    // exact lies in [2^exponent, 2^(exponent+1)); the multiplier takes 29 bits.
    let exponent = Int64(exact.exponent)
    shift = min(28 - exponent, Self.shiftMax)
    multiplier = Int64((exact * Mathematics.power(ofTwo: Double(shift))).rounded())
    // A world much smaller than a dot needs no exact one.
    worldDots =
      (28 - exponent > Self.shiftMax
        ? exact : Double(multiplier) * Mathematics.power(ofTwo: -Double(shift)))
      * WorldPoint.worldWidth
  }

  private static let shiftMax: Int64 = 62

  /// The dot that holds a world coordinate, counted from the world's middle.
  @inline(__always)
  func dot(_ units: Int64) -> Int { Int((units &* multiplier) &>> shift) }
}
