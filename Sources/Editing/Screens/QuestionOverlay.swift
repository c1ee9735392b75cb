import Rendering
package import Terminals

/// A question over the map: what happened, and the answers with their letters.
package enum QuestionOverlay {
  /// Where the box, its text and its choices stand.
  struct Layout {
    let rect: CellRect
    let text: [String]
    let choiceCount: Int

    init?(_ question: Question, in area: CellRect) {
      let columns = min(area.columns, 72)
      let room = columns - 4
      guard room > 8 else { return nil }
      let text = MessagesPanel.wrapped(question.text, columns: room)
      // Where room is short the answers stay: what happened can be cut.
      self.text = Array(text.prefix(max(0, area.rows - 3 - question.choices.count)))
      choiceCount = question.choices.count
      rect = OverlayBox.centred(
        columns: columns, rows: self.text.count + 1 + choiceCount + 2, in: area)
    }

    var inside: CellRect { rect.inset(by: 1) }

    /// The line of a choice; empty where there is no room for it.
    func line(ofChoice index: Int) -> CellRect {
      let row = inside.row + text.count + 1 + index
      return CellRect(
        column: inside.column, row: row, columns: inside.columns,
        rows: row < inside.row + inside.rows ? 1 : 0)
    }

    /// The choice on a cell of the screen.
    func choice(column: Int, row: Int) -> Int? {
      (0..<choiceCount).first { line(ofChoice: $0).contains(column: column, row: row) }
    }
  }

  package static func draw(
    _ question: Question, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    guard let layout = Layout(question, in: area) else { return }
    let inside = OverlayBox.draw(question.title, look, in: layout.rect, on: &frame)
    guard !inside.isEmpty else { return }
    for (line, words) in layout.text.enumerated() {
      frame.write(
        words, at: inside.column + 1, row: inside.row + line, style: look.theme.popup,
        maxColumns: inside.columns - 2)
    }
    for (index, choice) in question.choices.enumerated() {
      let line = layout.line(ofChoice: index)
      if line.isEmpty { return }
      draw(choice, isChosen: index == question.index, look, in: line, on: &frame)
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
