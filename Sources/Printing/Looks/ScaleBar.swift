package import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// A bar in the corner of the map that shows a round distance.
package enum ScaleBar {
  package static func draw(
    _ camera: Camera, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    guard let text = text(camera, look, in: area) else { return }
    frame.write(
      text, at: area.column + 1, row: area.row + area.rows - 1, style: look.theme.strong,
      maxColumns: area.columns - 1)
  }

  /// The cells of a window that the bar takes, of which names keep off.
  package static func cells(_ camera: Camera, _ look: ScreenLook) -> [CellRect] {
    let area = CellRect(
      column: 0, row: 0, columns: camera.size.columns, rows: camera.size.rows)
    guard let text = text(camera, look, in: area) else { return [] }
    return [CellRect(column: 1, row: area.rows - 1, columns: DisplayWidth.of(text), rows: 1)]
  }

  /// The camera that shows a whole box; if it would reach down to the row of the bar, above that.
  package static func fitting(_ box: Box, plane: MapPlane, size: CellSize) -> Camera {
    let camera = Camera.fitting(box, plane: plane, size: size)
    let area = CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows)
    guard bar(camera, in: area) != nil,
      let end = camera.dot(at: Coordinate(x: camera.center.x, y: box.minY)),
      end.y >= Double(camera.dotHeight - 4)
    else { return camera }
    return Camera.fitting(box, plane: plane, size: size, rowsBelow: 1)
  }

  private static func text(_ camera: Camera, _ look: ScreenLook, in area: CellRect) -> String? {
    guard let bar = bar(camera, in: area) else { return nil }
    let line = String(repeating: look.signs.horizontal, count: max(0, bar.columns - 2))
    let label =
      camera.plane.isMetric
      ? Figures.distance(meters: bar.ground) : Figures.short(bar.ground, decimals: 6)
    return look.signs.scaleLeft + line + look.signs.scaleRight + " " + label + " "
  }

  /// The bar's length on the ground and in columns; `nil` where there is none.
  private static func bar(_ camera: Camera, in area: CellRect) -> (ground: Double, columns: Int)? {
    let perColumn = camera.groundPerColumn
    guard area.columns >= 24, area.rows >= 4, perColumn.isFinite, perColumn > 0 else { return nil }
    return length(perColumn: perColumn, columnsMax: max(8, area.columns / 5))
  }

  /// The bar of a page, in units of the page.
  package struct OnPage {
    var width: Double
    var label: String

    /// The room for its text, which may be wider than a short bar.
    var textWidth: Double { PageLayout.textWidth(label, size: 10) }
  }

  /// The bar of a page; `nil` where there is none.
  package static func onPage(_ request: PictureRequest) -> OnPage? {
    guard request.parts.hasScaleBar else { return nil }
    let perUnit = request.camera.groundPerColumn / PageCanvas.cellWidth
    let longest = Double(request.camera.size.columns) * PageCanvas.cellWidth / 5
    guard perUnit.isFinite, perUnit > 0, let ground = roundLength(upTo: perUnit * longest) else {
      return nil
    }
    return OnPage(width: ground / perUnit, label: label(ground, request.camera))
  }

  /// The length in words, with the latitude where it holds if others in view have another scale.
  private static func label(_ ground: Double, _ camera: Camera) -> String {
    guard camera.plane.isMetric else { return Figures.short(ground, decimals: 6) }
    let (value, unit) = ground >= 1000 ? (ground / 1000, "km") : (ground, "m")
    let number =
      value >= 1 ? Figures.grouped(Int(min(value, 1e9))) : Figures.short(value, decimals: 6)
    guard camera.plane.isGeographic else { return "\(number) \(unit)" }
    let visible = camera.visible
    let cosines = [visible.minY, visible.maxY, camera.center.y].map {
      Mathematics.cosine(min(max($0, -85), 85) * 0.017_453_292_519_943_3)
    }
    let hasEquator = visible.minY < 0 && visible.maxY > 0
    let (least, greatest) = (cosines.min() ?? 1, hasEquator ? 1 : cosines.max() ?? 1)
    guard greatest > 1.5 * least else { return "\(number) \(unit)" }
    let latitude = camera.center.y.rounded()
    // Up to 5 degrees its length differs by less than half a percent.
    let place =
      latitude.magnitude <= 5
      ? "the equator"
      : "\(Figures.fixed(latitude.magnitude, decimals: 0))°\(latitude < 0 ? "S" : "N")"
    return "\(number) \(unit) at \(place)"
  }

  /// The cells of a page's map that the bar takes.
  package static func cells(onPage request: PictureRequest) -> [CellRect] {
    guard let bar = onPage(request) else { return [] }
    let (columns, rows) = ((max(bar.width, bar.textWidth) + 24) / PageCanvas.cellWidth, 4)
    return [
      CellRect(
        column: 0, row: request.camera.size.rows - rows, columns: Int(min(columns, 1e4)) + 1,
        rows: rows)
    ]
  }

  /// The longest round distance (1, 2 or 5 times a power of ten) that fits.
  package static func length(
    perColumn: Double, columnsMax: Int
  ) -> (ground: Double, columns: Int)? {
    guard let ground = roundLength(upTo: perColumn * Double(columnsMax)) else { return nil }
    let columns = (ground / perColumn).rounded()
    guard columns >= 2, columns <= Double(columnsMax) else { return nil }
    return (ground, Int(columns))
  }

  /// The longest round distance that is no longer than another one.
  package static func roundLength(upTo longest: Double) -> Double? {
    guard longest.isFinite, longest > 1e-9, longest < 1e12 else { return nil }
    var unit = 1e-9
    while unit * 10 <= longest { unit *= 10 }
    return unit * (unit * 5 <= longest ? 5 : unit * 2 <= longest ? 2 : 1)
  }
}
