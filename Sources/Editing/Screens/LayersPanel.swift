import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
package import PortolanTerminals

/// The layers, the uppermost first: shown or hidden, active, kind and count, by the names or given
/// titles that commands take.
package enum LayersPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    let count = desk.document.layers.count
    return PanelStack.Demand(wanted: max(1, count) + 1, least: min(max(1, count), 3) + 1)
  }

  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw(
      "Layers", look, isFocused: desk.mode == .layers, in: rect, on: &frame)
    let layers = Array(desk.shownDocument.layers.reversed())
    guard !layers.isEmpty else {
      frame.write(
        "none yet", at: list.column + 1, row: list.row, style: look.theme.faint,
        maxColumns: list.rows > 0 ? list.columns - 1 : 0)
      return
    }
    let top = top(desk, rows: list.rows)
    let shown = layers[top..<min(layers.count, top + max(0, list.rows))]
    func title(_ layer: any Layer) -> String { layer.title.isEmpty ? layer.name : layer.title }
    let names = ShortNames(layers.map(title), signs: look.signs)
    let texts = ListTexts(
      shown.map { layer in
        let line = Line(layer, desk)
        return (title(layer), names.short(title(layer)), line.nameColumns(of: list.columns))
      })
    for (line, layer) in shown.enumerated() {
      let row = CellRect(
        column: list.column, row: list.row + line, columns: list.columns, rows: 1)
      let parts = Line(layer, desk)
      let name = texts.text(
        title(layer), short: names.short(title(layer)),
        columns: parts.nameColumns(of: list.columns), signs: look.signs)
      draw(layer, name, parts, desk, in: row, on: &frame)
    }
    PanelHeading.tell(hidden: layers.count - shown.count, look, in: rect, on: &frame)
  }

  /// The first layer shown, counted from the uppermost, in a list of so many rows.
  static func top(_ desk: Desk, rows: Int) -> Int {
    let layers = desk.document.layers
    let last = layers.lastIndex { $0.id == desk.activeLayer } ?? layers.count - 1
    let active = layers.count - 1 - last
    return min(max(0, active - rows + 2), max(0, layers.count - rows))
  }

  /// The indent of a layer, by its groups.
  static func indent(of layer: any Layer, in document: Document) -> Int {
    min(2 * document.groups(around: layer).count, 8)
  }

  /// The indent, the kind, the count and the marks beside the name of a layer.
  private struct Line {
    let indent: String
    /// The kind and the count.
    let numbers: String
    let marks: String

    init(_ layer: any Layer, _ desk: Desk) {
      let isGroup = layer.isGroup
      let isActive = layer.id == desk.activeLayer
      let count = Figures.count(layer.count)
      numbers =
        isGroup ? layer.kindCode : layer.kindCode.isEmpty ? count : layer.kindCode + " " + count
      marks =
        (isActive && !isGroup ? " " + desk.look.signs.pencil : "") + (layer.isLocked ? " L" : "")
        + (desk.work.filters[layer.id] == nil ? "" : " F")
      indent = String(
        repeating: " ", count: LayersPanel.indent(of: layer, in: desk.document))
    }

    /// The columns for the name, of those of the line.
    func nameColumns(of columns: Int) -> Int {
      columns - 3 - indent.count - numbers.count - marks.count - 1
    }
  }

  private static func draw(
    _ layer: any Layer, _ name: String, _ parts: Line, _ desk: Desk, in rect: CellRect,
    on frame: inout Frame
  ) {
    let look = desk.look
    let isActive = layer.id == desk.activeLayer
    let isChosen = isActive && desk.mode == .layers
    let style: CellStyle =
      isChosen ? look.theme.chosen : isActive ? look.theme.strong : look.theme.text
    frame.fill(rect, style: style)
    let isGroup = layer.isGroup
    let sign = layer.isVisible ? look.signs.visible : look.signs.hidden
    var line = TextLine()
    line.append(isActive ? look.signs.pointer : " ", style)
    line.append(parts.indent, style)
    let ink = isGroup ? look.theme.text : look.ink(layer.style.mark.stroke)
    let isInView =
      desk.document.isShown(layer)
      && desk.document.isInZoom(layer, at: desk.camera.magnification)
    line.append(sign, isChosen ? style : isInView ? ink : look.theme.faint)
    line.append(" " + name + parts.marks, style)
    line.write(to: &frame, in: rect)
    frame.write(
      parts.numbers, at: rect.column + rect.columns - parts.numbers.count, row: rect.row,
      style: isChosen ? style : look.theme.faint)
  }
}

extension String {
  /// Filled with spaces to a width; counts characters, so only for text that is ASCII.
  func padded(to width: Int, atStart: Bool = false) -> String {
    let fill = String(repeating: " ", count: Swift.max(0, width - count))
    return atStart ? fill + self : self + fill
  }
}
