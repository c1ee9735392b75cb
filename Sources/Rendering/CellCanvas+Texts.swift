import PortolanGraphics
import PortolanTerminals
import PortolanTexts

extension CellCanvas {
  /// The texts of all marks, in drawing order.
  func placedTexts() -> [(text: PlacedText, style: MarkStyle)] {
    marks.flatMap { mark -> [(text: PlacedText, style: MarkStyle)] in
      guard case .texts(let set) = mark else { return [] }
      return TextLayout.texts(of: set, through: camera).map { ($0, set.style(ofRow: $0.feature)) }
    }
  }

  /// Writes a text over the map, where the window and the world's columns show it.
  ///
  /// At a mark of its own, such as a selection, it takes its look.
  func write(
    _ text: PlacedText, _ style: MarkStyle, over picture: CellPicture, _ world: Range<Int>,
    into frame: inout Frame, at rect: CellRect, _ ink: GroundInk
  ) {
    let (column, row) = (Int((text.dot.x / 2).rounded(.down)), Int((text.dot.y / 4).rounded(.down)))
    let own = picture.ownMark(column: column, row: row) ?? style
    let look = CellPicture.cellStyle(ink.label(own), depth)
    for line in text.lines where line.row >= 0 && line.row < camera.size.rows {
      guard let label = PlacedLabel(line, within: world, style: own) else { continue }
      label.write(into: &frame, at: rect, style: look, ink: ink)
    }
  }

  /// Draws the cells of a grid: those of the window whose middle lies in it.
  func draw(_ grid: CellGrid, into picture: inout CellPicture) {
    let visible = camera.visible
    guard grid.box.mayShow(in: visible, isGeographic: camera.plane.isGeographic) else { return }
    for row in 0..<camera.size.rows {
      for column in 0..<camera.size.columns {
        guard let place = grid.place(at: camera.coordinate(column: column, row: row)),
          let cell = grid.cell(place.column, place.row)
        else { continue }
        var mark = cell.mark
        if !standsIn(grid.box(column: place.column, row: place.row), column, row) {
          mark.symbol = ""
        }
        let style = picture.index(of: mark)
        if mark.fill != nil { picture.setBackground(style, column: column, row: row) }
        if !mark.symbol.isEmpty {
          picture.addSymbol(style, dotX: 2 * column, dotY: 4 * row, owner: .ground)
        }
      }
    }
  }

  /// Whether a grid's cell shows its character in a cell of the window: in the one at its middle,
  /// and where it is smaller, everywhere.
  private func standsIn(_ box: Box, _ column: Int, _ row: Int) -> Bool {
    if let middle = camera.cell(at: box.center), middle == (column, row) { return true }
    guard let low = camera.dot(at: Coordinate(x: box.minX, y: box.maxY)),
      let high = camera.dot(at: Coordinate(x: box.maxX, y: box.minY))
    else { return false }
    return high.x - low.x < 2 || high.y - low.y < 4
  }
}

extension PlacedLabel {
  /// The part of a text's line within some columns of the window; `nil` if none is.
  fileprivate init?(_ line: PlacedText.Line, within columns: Range<Int>, style: MarkStyle) {
    var shown = ""
    var (first, end) = (line.column, line.column)
    var column = line.column
    for cluster in DisplayClusters(line.text) {
      defer { column += cluster.columns }
      if column < columns.lowerBound { continue }
      if column + cluster.columns > columns.upperBound { break }
      if shown.isEmpty { first = column }
      if let text = cluster.text {
        shown += text
      } else {
        shown.unicodeScalars.append(cluster.first)
      }
      end = column + cluster.columns
    }
    if shown.isEmpty { return nil }
    self.init(
      text: shown, column: first, row: line.row, columns: end - first, style: style, set: 0,
      feature: 0)
  }
}
