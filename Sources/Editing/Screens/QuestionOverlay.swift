import Rendering
package import Terminals

/// A question over the map: what happened, and the answers with their letters.
package enum QuestionOverlay {
  package static func draw(
    _ question: Question, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    let columns = min(area.columns, 72)
    let room = columns - 4
    guard room > 8 else { return }
    let text = MessagesPanel.wrapped(question.text, columns: room)
    // Where room is short the answers stay: what happened can be cut.
    let lineCount = min(text.count, max(0, area.rows - 3 - question.choices.count))
    let rows = lineCount + 1 + question.choices.count + 2
    let rect = OverlayBox.centred(columns: columns, rows: rows, in: area)
    let inside = OverlayBox.draw(question.title, look, in: rect, on: &frame)
    guard !inside.isEmpty else { return }
    for (line, words) in text.prefix(lineCount).enumerated() {
      frame.write(
        words, at: inside.column + 1, row: inside.row + line, style: look.theme.popup,
        maxColumns: room)
    }
    for (index, choice) in question.choices.enumerated() {
      let row = inside.row + lineCount + 1 + index
      guard row < inside.row + inside.rows else { return }
      draw(
        choice, isChosen: index == question.index, look,
        in: CellRect(column: inside.column, row: row, columns: inside.columns, rows: 1), on: &frame)
    }
  }

  private static func draw(
    _ choice: Question.Choice, isChosen: Bool, _ look: ScreenLook, in rect: CellRect,
    on frame: inout Frame
  ) {
    let style = isChosen ? look.theme.chosen : look.theme.popup
    frame.fill(rect, style: style)
    frame.write(
      isChosen ? look.signs.pointer : " ", at: rect.column, row: rect.row, style: style)
    frame.write(
      String(choice.key), at: rect.column + 2, row: rect.row,
      style: isChosen ? style : look.theme.popupKey)
    frame.write(
      CutText.end(choice.text, columns: rect.columns - 6, signs: look.signs),
      at: rect.column + 5, row: rect.row, style: style)
  }
}
