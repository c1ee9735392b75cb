import Documents
import Graphics
import Rendering
package import Terminals

/// A map as text without an editor around it.
package enum MapPicture {
  /// The picture as lines of text; the same for the same request, wherever it is drawn.
  package static func text(_ request: RenderRequest, depth: Terminals.ColourDepth) -> String {
    let repertoire: Repertoire = request.glyphs == .ascii ? .ascii : .unicode
    let frame = frame(request, depth: depth)
    return depth == .mono ? frame.plainText(repertoire) : frame.ansiText(depth, repertoire)
  }

  package static func frame(
    _ request: RenderRequest, depth: Terminals.ColourDepth
  ) -> Frame {
    var frame = Frame(size: request.size)
    let map = CellRect(
      column: 0, row: 0, columns: request.camera.size.columns, rows: request.camera.size.rows)
    var document = request.document
    if !request.hasLabels {
      for index in document.layers.indices {
        let style = document.layers[index].style
        document.layers[index].style = Style(name: style.name, mark: style.mark)
      }
    }
    var canvas = CellCanvas(
      camera: request.camera, memory: RenderMemory(), glyphs: request.glyphs, depth: depth,
      repeats: .hidden)
    MapMarks.drawLayers(of: document, on: &canvas)
    canvas.compose(into: &frame, at: map)
    let capabilities = ScreenCapabilities(depth: depth, isUnicode: request.glyphs != .ascii)
    let look = ScreenLook(capabilities: capabilities)
    if request.hasScaleBar { ScaleBar.draw(request.camera, look, in: map, on: &frame) }
    if request.hasLegend { drawLegend(request.document, look, below: map, on: &frame) }
    return frame
  }

  // MARK: Legend

  private static func entries(_ document: Document) -> [LegendEntry] {
    document.shownLayers.reversed().flatMap(\.legend)
  }

  /// The rows that the legend takes below a map: as many columns of entries as fit.
  static func legendRows(_ document: Document, columns: Int) -> Int {
    let entries = entries(document)
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
    _ document: Document, _ look: ScreenLook, below map: CellRect, on frame: inout Frame
  ) {
    let entries = entries(document)
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
