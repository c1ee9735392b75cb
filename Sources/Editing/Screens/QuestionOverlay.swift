package import PortolanPrinting
import PortolanRendering
package import PortolanTerminals

extension Question: Overlay {
  package static let mode: Mode? = .question
  package static let keys = """
    [question]
    <up> = answer up
    <down> = answer down
    k = answer up
    j = answer down
    <tab> = answer down
    <s-tab> = answer up
    <ret> = answer chosen          ;; take it
    <esc> = answer none            ;; close
    <c-c> = answer none
    : = prompt command             ;; command
    """

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    QuestionOverlay.draw(self, desk.look, in: layout.map, on: &frame)
  }

  /// A letter answers.
  package func take(_ key: Key, in desk: inout Desk) -> Bool {
    guard desk.session.pendingKeys.isEmpty, let typed = key.typedCharacter,
      let choice = choices.first(where: { $0.key == typed })
    else { return false }
    desk.answer(line: choice.line)
    return true
  }

  package func press(_ event: MouseEvent, in desk: inout Desk) {
    if event.steps != 0, !choices.isEmpty {
      desk.questions[0].index = min(max(0, index + event.steps), choices.count - 1)
    } else if event.isClick, let layout = QuestionOverlay.Layout(self, in: desk.layout.map),
      let choice = layout.choice(column: event.column, row: event.row)
    {
      desk.answer(line: choices[choice].line)
    }
  }

  package func escape(in desk: inout Desk) { desk.answer(line: escapeLine) }
}

/// A question over the map: its text, and the answers with their letters.
package enum QuestionOverlay {
  /// The areas of the box, its text and its choices.
  struct Layout {
    let rect: CellRect
    let text: [String]
    let choiceCount: Int
    /// The first choice shown: a list longer than the room is scrolled.
    let first: Int

    init?(_ question: Question, in area: CellRect) {
      let columns = min(area.columns, 72)
      let room = columns - 4
      guard room > 8 else { return nil }
      let text = MessagesPanel.wrapped(question.text, columns: room)
      // The answers have priority where room is short: the text can be cut.
      let free = area.rows - 3 - question.choices.count
      let isLong = free < 0 && question.choices.count > 9
      self.text = Array(text.prefix(isLong ? min(2, max(0, area.rows - 5)) : max(0, free)))
      choiceCount = question.choices.count
      rect = OverlayBox.centred(
        columns: columns, rows: self.text.count + 1 + choiceCount + 2, in: area)
      let shown = max(1, rect.rows - 3 - self.text.count)
      first = min(max(0, question.index - shown / 2), max(0, choiceCount - shown))
    }

    var inside: CellRect { rect.inset(by: 1) }

    /// The line of a choice; empty without room for it.
    func line(ofChoice index: Int) -> CellRect {
      let row = inside.row + text.count + 1 + index - first
      let isShown = index >= first && row < inside.row + inside.rows
      return CellRect(
        column: inside.column, row: row, columns: inside.columns, rows: isShown ? 1 : 0)
    }

    /// Whether more choices are hidden above or below this one, the last one shown there.
    func hidesMore(besideChoice index: Int) -> Bool {
      index == first && first > 0
        || index < choiceCount - 1 && line(ofChoice: index + 1).isEmpty
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
      if line.isEmpty { continue }
      let isChosen = index == question.index
      draw(choice, isChosen: isChosen, look, in: line, on: &frame)
      if layout.hidesMore(besideChoice: index) {
        frame.write(
          look.signs.ellipsis, at: line.column + line.columns - 1, row: line.row,
          style: isChosen ? look.theme.chosen : look.theme.popupFaint)
      }
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
      choice.key.map(String.init) ?? " ", at: rect.column + 2, row: rect.row,
      style: isChosen ? style : look.theme.popupKey)
    let cut = choice.isPath ? CutText.start : CutText.end
    frame.write(
      cut(choice.text, rect.columns - 6, look.signs), at: rect.column + 5, row: rect.row,
      style: style)
  }
}
