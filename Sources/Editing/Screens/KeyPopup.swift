import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// The keys that can follow a prefix: a box in the lower right corner of the map.
package struct KeyPopup: Overlay {
  package static let mode: Mode? = nil

  /// The areas of the box and its items.
  struct Layout {
    var rect: CellRect
    /// The number of items one below the other.
    var rows: Int
    var columns: Int
    /// The widths of a key, of its text, and of an item with the space to the next.
    var keyWidth: Int
    var textWidth: Int
    var cell: Int

    /// Above the map, or above the side bars too if there are more items than the map has room for;
    /// `nil` where there is no menu, or no room for it.
    init?(_ items: [Desk.PopupItem], in screen: ScreenLayout) {
      guard let small = Layout(items, in: screen.map) else { return nil }
      self = small
      if items.count <= rows * columns { return }
      let wide = CellRect(
        column: 0, row: screen.map.row, columns: screen.status.columns, rows: screen.map.rows)
      self = Layout(items, in: wide) ?? small
    }

    private init?(_ items: [Desk.PopupItem], in area: CellRect) {
      guard !items.isEmpty, area.columns >= 20, area.rows >= 4 else { return nil }
      keyWidth = items.map { DisplayWidth.of($0.keys) }.max() ?? 1
      textWidth = min(items.map { DisplayWidth.of($0.text) }.max() ?? 1, 40)
      let lines = area.rows - 2
      let wanted = (items.count + lines - 1) / lines
      // Texts are cut rather than items left out, down to a few words.
      textWidth = max(
        min(textWidth, 20), min(textWidth, (area.columns - 2) / wanted - keyWidth - 4))
      cell = keyWidth + 2 + textWidth + 2
      columns = min(wanted, max(1, (area.columns - 2) / cell))
      rows = min(lines, (items.count + columns - 1) / columns)
      let width = min(area.columns, columns * cell + 2)
      rect = CellRect(
        column: area.column + area.columns - width, row: area.row + area.rows - rows - 2,
        columns: width, rows: rows + 2)
    }

    /// The indices of the shown items: the page with the chosen one.
    func shown(choosing index: Int, of count: Int) -> Range<Int> {
      let page = max(1, rows * columns)
      let first = min(max(0, index), max(0, count - 1)) / page * page
      return first..<min(count, first + page)
    }

    /// The index of the item at a cell of the screen; `nil` if there is none.
    func item(column: Int, row: Int, in shown: Range<Int>) -> Int? {
      guard rect.inset(by: 1).contains(column: column, row: row) else { return nil }
      let index =
        shown.lowerBound + (column - rect.column - 1) / cell * rows + (row - rect.row - 1)
      return shown.contains(index) ? index : nil
    }
  }

  /// A click beside the menu closes it, and does nothing else.
  package func press(_ event: MouseEvent, in desk: inout Desk) {
    let items = desk.popup
    let layout = Layout(items, in: desk.layout)
    if event.steps != 0 {
      let index = desk.session.popupIndex + event.steps
      desk.session.popupIndex = min(max(0, index), items.count - 1)
    } else if event.isClick,
      let item = layout.flatMap({
        $0.item(
          column: event.column, row: event.row,
          in: $0.shown(choosing: desk.session.popupIndex, of: items.count))
      })
    {
      desk.takeMenuLine(item)
    } else if event.isPress,
      layout?.rect.contains(column: event.column, row: event.row) != true
    {
      desk.forgetPrefix()
    }
  }

  package func escape(in desk: inout Desk) { desk.forgetPrefix() }

  package func draw(_ desk: Desk, in screen: ScreenLayout, on frame: inout Frame) {
    let items = desk.popup
    guard let layout = Layout(items, in: screen) else { return }
    let look = desk.look
    let shown = layout.shown(choosing: desk.session.popupIndex, of: items.count)
    let page =
      shown.count < items.count
      ? "  \(shown.lowerBound + 1) to \(shown.upperBound) of \(items.count)" : ""
    let inside = OverlayBox.draw(
      KeyNotation.label(desk.session.pendingKeys) + page, look, in: layout.rect, on: &frame)
    for (place, index) in shown.enumerated() {
      let item = items[index]
      let column = inside.column + 1 + place / layout.rows * layout.cell
      let row = inside.row + place % layout.rows
      let isChosen = index == desk.session.popupIndex
      let room = min(
        layout.textWidth, inside.column + inside.columns - column - layout.keyWidth - 2)
      if isChosen {
        let line = CellRect(
          column: column - 1, row: row,
          columns: min(layout.cell - 1, inside.column + inside.columns - column + 1), rows: 1)
        frame.fill(line, style: look.theme.chosen)
        frame.write(look.signs.pointer, at: column - 1, row: row, style: look.theme.chosen)
      }
      frame.write(
        item.keys, at: column, row: row,
        style: isChosen ? look.theme.chosen : look.theme.popupKey)
      frame.write(
        CutText.end(item.text, columns: room, signs: look.signs),
        at: column + layout.keyWidth + 2, row: row,
        style: isChosen ? look.theme.chosen : look.theme.popup, maxColumns: room)
    }
  }
}
