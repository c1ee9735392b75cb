import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// A map as text, with or without colour escape sequences: lines of one character a cell.
///
/// Two towns and a line, then the first row with colours:
///
///                •Oslo
///                ⣀⠤⠒⢇
///              ⡰⠉   ⠸⡀
///             ⢠⠃     ⢇
///             ⠎  •Rome
///
///                ESC[0;38;5;178m•OsloESC[0m
package struct TextPicture: PictureFormat {
  package let name: String
  package let title: String
  package let extensions: [String]
  package let depth: ColourDepth?

  package static let plain = TextPicture(
    name: "text", title: "text, coloured where a terminal reads it",
    extensions: ["txt", "text", "asc"], depth: nil)
  package static let ansi = TextPicture(
    name: "ansi", title: "text with colours (ECMA-48)", extensions: ["ans", "ansi"],
    depth: .indexed)

  package let unit = PictureSize.Unit.cells
  package let nature = OutputNature.screen

  package func mapSize(in size: PictureSize, _ parts: PictureParts) -> CellSize {
    let rows = size.height - Self.rowsAround(parts, columns: size.width)
    return CellSize(columns: size.width, rows: max(1, rows))
  }

  package func size(around map: CellSize, _ parts: PictureParts) -> PictureSize {
    PictureSize(map.columns, map.rows, .cells)
  }

  package func missing(of parts: PictureParts) -> String? {
    switch (parts.hasGraticule, parts.hasNorthArrow) {
    case (true, true): "graticule and no north arrow"
    case (true, false): "graticule"
    case (false, true): "north arrow"
    case (false, false): nil
    }
  }

  package func paper(for request: PictureRequest, depth: ColourDepth) -> CellCanvas {
    CellCanvas(
      camera: request.camera, memory: RenderMemory(), glyphs: request.glyphs, depth: depth,
      repeats: .hidden, ground: request.paper ?? .dark)
  }

  package func bytes(
    of paper: CellCanvas, for request: PictureRequest, depth: ColourDepth
  ) -> [UInt8] {
    let repertoire: Repertoire = request.glyphs == .ascii ? .ascii : .unicode
    let frame = frame(of: paper, for: request, depth: depth)
    let text = depth == .mono ? frame.plainText(repertoire) : frame.ansiText(depth, repertoire)
    return Array(text.utf8)
  }

  /// The picture as cells.
  func frame(of paper: CellCanvas, for request: PictureRequest, depth: ColourDepth) -> Frame {
    let parts = request.parts
    var frame = Frame(size: CellSize(columns: request.size.width, rows: request.size.height))
    let map = CellRect(
      column: 0, row: parts.title.isEmpty ? 0 : 1, columns: request.camera.size.columns,
      rows: request.camera.size.rows)
    let capabilities = ScreenCapabilities(
      depth: depth, isUnicode: request.glyphs != .ascii, ground: request.paper ?? .dark)
    let look = ScreenLook(capabilities: capabilities)
    var paper = paper
    if parts.hasScaleBar { paper.reserved = ScaleBar.cells(request.camera, look) }
    paper.compose(into: &frame, at: map)
    if parts.hasScaleBar { ScaleBar.draw(request.camera, look, in: map, on: &frame) }
    Self.drawLegend(parts, look, below: map, on: &frame)
    if !parts.title.isEmpty {
      let title = CutText.end(parts.title, columns: map.columns, signs: look.signs)
      frame.write(
        title, at: (map.columns - DisplayWidth.of(title)) / 2, row: 0, style: look.theme.strong,
        maxColumns: map.columns)
    }
    if !parts.credit.isEmpty {
      let credit = CutText.end(parts.credit, columns: map.columns, signs: look.signs)
      frame.write(
        credit, at: map.columns - DisplayWidth.of(credit), row: request.size.height - 1,
        style: look.theme.faint, maxColumns: map.columns)
    }
    return frame
  }

  // MARK: Legend

  /// The rows of the parts above and below a map.
  private static func rowsAround(_ parts: PictureParts, columns: Int) -> Int {
    legendPlaces(parts, columns: columns).rows + (parts.title.isEmpty ? 0 : 1)
      + (parts.credit.isEmpty ? 0 : 1)
  }

  /// The rows that the legend takes below a map, and the places of its entries: as many columns of
  /// entries as fit.
  private static func legendPlaces(
    _ parts: PictureParts, columns: Int
  ) -> (rows: Int, places: [(column: Int, row: Int)]) {
    LegendColumns.places(of: parts.legend, columns: columns / max(1, entryWidth(parts)))
  }

  private static func entryWidth(_ parts: PictureParts) -> Int {
    min(40, max(parts.legendLetters, letters(of: parts)) + 5)
  }

  private static func letters(of parts: PictureParts) -> Int {
    parts.legend.map { entry in
      DisplayWidth.of(
        PageLayout.text(of: entry, columns: .max, .page, hasNote: false))
    }.max() ?? 0
  }

  package func legendLetters(of parts: PictureParts) -> Int { Self.letters(of: parts) }

  private static func drawLegend(
    _ parts: PictureParts, _ look: ScreenLook, below map: CellRect, on frame: inout Frame
  ) {
    let width = entryWidth(parts)
    let places = legendPlaces(parts, columns: map.columns).places
    let legend = PageLayout.fitted(parts.legend) { width - 2 - ($0.isHeading ? 0 : 3) }
    for (entry, place) in zip(legend, places) {
      let column = place.column * width
      let row = map.row + map.rows + place.row
      let indent = entry.isHeading ? 0 : 3
      let text = PageLayout.text(
        of: entry, columns: width - 2 - indent, look.signs, hasNote: false)
      if entry.isHeading {
        frame.write(
          text, at: column, row: row, style: look.theme.strong, maxColumns: width - 1)
        continue
      }
      let sample = look.sample(entry)
      frame.write(sample.text, at: column, row: row, style: sample.style, maxColumns: 2)
      frame.write(text, at: column + indent, row: row, maxColumns: width - 4)
    }
  }
}
