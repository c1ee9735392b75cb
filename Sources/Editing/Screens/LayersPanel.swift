import PortolanDocuments
import PortolanGraphics
import PortolanRendering
package import PortolanTerminals

/// The layers, the uppermost first: shown or hidden, active, kind and count.
package enum LayersPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    let count = desk.document.layers.count
    return PanelStack.Demand(wanted: max(1, count) + 1, least: min(max(1, count), 3) + 1)
  }

  package static func draw(_ desk: Desk, in rect: CellRect, on frame: inout Frame) {
    let look = desk.look
    let list = PanelHeading.draw(
      "Layers", look, isFocused: desk.mode == .layers, in: rect, on: &frame)
    let layers = Array(desk.document.layers.reversed())
    guard !layers.isEmpty else {
      frame.write(
        "none yet", at: list.column + 1, row: list.row, style: look.theme.faint,
        maxColumns: list.rows > 0 ? list.columns - 1 : 0)
      return
    }
    let top = top(desk, rows: list.rows)
    for line in 0..<min(list.rows, layers.count - top) {
      let row = CellRect(
        column: list.column, row: list.row + line, columns: list.columns, rows: 1)
      draw(layers[top + line], desk, in: row, on: &frame)
    }
    if layers.count - top > list.rows && list.rows > 1 {
      let more = " +\(layers.count - top - list.rows) "
      frame.write(
        more, at: list.column + list.columns - more.count, row: list.row + list.rows - 1,
        style: look.theme.heading)
    }
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

  private static func draw(
    _ layer: any Layer, _ desk: Desk, in rect: CellRect, on frame: inout Frame
  ) {
    let look = desk.look
    let isActive = layer.id == desk.activeLayer
    let isChosen = isActive && desk.mode == .layers
    let style: CellStyle =
      isChosen ? look.theme.chosen : isActive ? look.theme.strong : look.theme.text
    frame.fill(rect, style: style)
    let isGroup = layer.isGroup
    let count = Figures.count(layer.count)
    let numbers =
      isGroup ? layer.kindCode : layer.kindCode.isEmpty ? count : layer.kindCode + " " + count
    let sign = layer.isVisible ? look.signs.visible : look.signs.hidden
    let marks =
      (isActive && !isGroup ? " " + look.signs.pencil : "") + (layer.isLocked ? " L" : "")
    let indent = String(repeating: " ", count: indent(of: layer, in: desk.document))
    let room = rect.columns - 3 - indent.count - numbers.count - marks.count - 1
    var line = TextLine()
    line.append(isActive ? look.signs.pointer : " ", style)
    line.append(indent, style)
    let ink = isGroup ? look.theme.text : look.ink(layer.style.mark.stroke)
    let isInView =
      desk.document.isShown(layer)
      && desk.document.isInZoom(layer, at: desk.camera.magnification)
    line.append(sign, isChosen ? style : isInView ? ink : look.theme.faint)
    let name = ShortNames(desk.document, signs: look.signs)
      .text(layer.name, columns: room, signs: look.signs)
    line.append(" " + name + marks, style)
    line.write(to: &frame, in: rect)
    frame.write(
      numbers, at: rect.column + rect.columns - numbers.count, row: rect.row,
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
