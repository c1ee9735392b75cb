import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals

/// A bar in the corner of the map that shows a round distance.
package enum ScaleBar {
  package static func draw(
    _ camera: Camera, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    let perColumn = camera.groundPerColumn
    guard area.columns >= 24, area.rows >= 4, perColumn.isFinite, perColumn > 0,
      let bar = length(perColumn: perColumn, columnsMax: max(8, area.columns / 5))
    else { return }
    let line = String(repeating: look.signs.horizontal, count: max(0, bar.columns - 2))
    let label =
      camera.plane.isGeographic
      ? Figures.distance(meters: bar.ground) : Figures.short(bar.ground, decimals: 6)
    let row = area.row + area.rows - 1
    let column = area.column + 1
    frame.write(
      look.signs.scaleLeft + line + look.signs.scaleRight + " " + label + " ", at: column,
      row: row, style: look.theme.strong, maxColumns: area.columns - 1)
  }

  /// The longest round distance (1, 2 or 5 times a power of ten) that fits.
  static func length(
    perColumn: Double, columnsMax: Int
  ) -> (ground: Double, columns: Int)? {
    guard let ground = roundLength(upTo: perColumn * Double(columnsMax)) else { return nil }
    let columns = (ground / perColumn).rounded()
    guard columns >= 2, columns <= Double(columnsMax) else { return nil }
    return (ground, Int(columns))
  }

  /// The longest round distance that is no longer than another one.
  static func roundLength(upTo longest: Double) -> Double? {
    guard longest.isFinite, longest > 1e-9, longest < 1e12 else { return nil }
    var unit = 1e-9
    while unit * 10 <= longest { unit *= 10 }
    return unit * (unit * 5 <= longest ? 5 : unit * 2 <= longest ? 2 : 1)
  }
}
