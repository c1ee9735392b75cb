package import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals

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

  package func mapSize(in size: CellSize, legend: [LegendEntry]) -> CellSize {
    let rows = size.rows - Self.legendRows(legend, columns: size.columns)
    return CellSize(columns: size.columns, rows: max(1, rows))
  }

  package func paper(for request: RenderRequest, depth: ColourDepth) -> CellCanvas {
    CellCanvas(
      camera: request.camera, memory: RenderMemory(), glyphs: request.glyphs, depth: depth,
      repeats: .hidden)
  }

  package func bytes(
    of paper: CellCanvas, for request: RenderRequest, depth: ColourDepth
  ) -> [UInt8] {
    let repertoire: Repertoire = request.glyphs == .ascii ? .ascii : .unicode
    let frame = frame(of: paper, for: request, depth: depth)
    let text = depth == .mono ? frame.plainText(repertoire) : frame.ansiText(depth, repertoire)
    return Array(text.utf8)
  }

  /// The picture as cells.
  func frame(of paper: CellCanvas, for request: RenderRequest, depth: ColourDepth) -> Frame {
    var frame = Frame(size: request.size)
    let map = CellRect(
      column: 0, row: 0, columns: request.camera.size.columns, rows: request.camera.size.rows)
    paper.compose(into: &frame, at: map)
    let capabilities = ScreenCapabilities(depth: depth, isUnicode: request.glyphs != .ascii)
    let look = ScreenLook(capabilities: capabilities)
    if request.hasScaleBar { ScaleBar.draw(request.camera, look, in: map, on: &frame) }
    if request.hasLegend {
      Self.drawLegend(RenderRequest.legend(of: request.document), look, below: map, on: &frame)
    }
    return frame
  }

  // MARK: Legend

  /// The rows that the legend takes below a map: as many columns of entries as fit.
  private static func legendRows(_ entries: [LegendEntry], columns: Int) -> Int {
    let across = entriesAcross(entries, columns: columns)
    return entries.isEmpty ? 0 : (entries.count + across - 1) / across
  }

  private static func entriesAcross(_ entries: [LegendEntry], columns: Int) -> Int {
    max(1, columns / max(1, entryWidth(entries)))
  }

  private static func entryWidth(_ entries: [LegendEntry]) -> Int {
    min(30, (entries.map { DisplayWidth.of($0.text) }.max() ?? 0) + 5)
  }

  private static func drawLegend(
    _ entries: [LegendEntry], _ look: ScreenLook, below map: CellRect, on frame: inout Frame
  ) {
    let across = entriesAcross(entries, columns: map.columns)
    let width = entryWidth(entries)
    for (index, entry) in entries.enumerated() {
      let column = index % across * width
      let row = map.rows + index / across
      let sample = look.sample(entry)
      frame.write(sample.text, at: column, row: row, style: sample.style, maxColumns: 2)
      frame.write(
        CutText.end(entry.text, columns: width - 5, signs: look.signs), at: column + 3, row: row,
        maxColumns: width - 4)
    }
  }
}
