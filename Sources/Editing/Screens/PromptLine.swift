package import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

extension Prompt: Overlay {
  package static let mode: Mode? = .prompt
  package static let keys = """
    [prompt]
    <ret> = line accept            ;; do it
    <esc> = escape                 ;; back
    <c-c> = escape
    <tab> = line complete          ;; complete
    <s-tab> = line complete-back
    <up> = line older              ;; earlier
    <down> = line newer
    <c-p> = line older
    <c-n> = line newer
    <left> = line left
    <right> = line right
    <c-b> = line left
    <c-f> = line right
    <home> = line start
    <end> = line end
    <c-a> = line start
    <c-e> = line end
    <backspace> = line backspace
    <del> = line delete
    <c-d> = line delete
    <c-w> = line kill-word
    <c-u> = line kill-start
    <c-k> = line kill-end
    """

  package var takesText: Bool { true }

  /// Draws the completions; the line itself is the last one of the screen.
  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    PromptLine.drawCompletions(self, desk.look, above: layout.hint, on: &frame)
  }

  package func press(_ event: MouseEvent, in desk: inout Desk) {
    if event.isClick,
      let index = PromptLine.completion(
        self, above: desk.layout.hint, column: event.column, row: event.row)
    {
      desk.chooseCompletion(index)
    }
  }

  package func escape(in desk: inout Desk) { desk.prompt = nil }
}

/// The line being typed, with the terminal's cursor in it, and the completions above it.
package enum PromptLine {
  package static func draw(
    _ prompt: Prompt, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) {
    frame.write(
      prompt.kind.rawValue, at: rect.column, row: rect.row, style: look.theme.strong,
      maxColumns: rect.columns)
    LineField.draw(prompt.line, style: look.theme.text, in: area(prompt, in: rect), on: &frame)
  }

  /// The cells of the line behind its mark.
  static func area(_ prompt: Prompt, in rect: CellRect) -> CellRect {
    let start = min(DisplayWidth.of(prompt.kind.rawValue), rect.columns)
    return CellRect(
      column: rect.column + start, row: rect.row, columns: rect.columns - start, rows: 1)
  }

  /// The box of the completions above `rect`, and the first one shown; `nil` without room.
  private static func completionBox(
    _ prompt: Prompt, above rect: CellRect
  ) -> (box: CellRect, top: Int)? {
    let found = prompt.completions
    guard !found.isEmpty, rect.row > 3 else { return nil }
    let rows = min(found.count, 8, rect.row - 2)
    let chosen = prompt.completionIndex ?? 0
    let top = min(max(0, chosen - rows + 1), max(0, found.count - rows))
    let widest = found.map { DisplayWidth.of($0) }.max() ?? 0
    let width = min(max(widest, 12) + 2, rect.columns)
    return (CellRect(column: rect.column, row: rect.row - rows, columns: width, rows: rows), top)
  }

  /// The completion on a cell of the screen.
  static func completion(
    _ prompt: Prompt, above rect: CellRect, column: Int, row: Int
  ) -> Int? {
    guard let (box, top) = completionBox(prompt, above: rect),
      box.contains(column: column, row: row)
    else { return nil }
    return top + row - box.row
  }

  /// The completions in a box that ends just above `rect`.
  package static func drawCompletions(
    _ prompt: Prompt, _ look: ScreenLook, above rect: CellRect, on frame: inout Frame
  ) {
    guard let (box, top) = completionBox(prompt, above: rect) else { return }
    let found = prompt.completions
    let (rows, width) = (box.rows, box.columns)
    for line in 0..<rows {
      let index = top + line
      let row = box.row + line
      let isChosen = index == prompt.completionIndex
      let style = isChosen ? look.theme.chosen : look.theme.popup
      let area = CellRect(column: rect.column, row: row, columns: width, rows: 1)
      frame.fill(area, style: style)
      let sign = isChosen ? look.signs.pointer : " "
      frame.write(sign, at: rect.column, row: row, style: style)
      let text = CutText.end(found[index], columns: width - 2, signs: look.signs)
      frame.write(text, at: rect.column + 1, row: row, style: style, maxColumns: width - 2)
    }
    if found.count > rows {
      frame.write(
        " \(found.count - rows) more ", at: rect.column + width, row: rect.row - 1,
        style: look.theme.popupFaint, maxColumns: max(0, rect.columns - width))
    }
  }
}

/// A line editor on the screen: it scrolls to keep its cursor visible.
enum LineField {
  static func draw(
    _ line: LineEditor, style: CellStyle, in rect: CellRect, on frame: inout Frame
  ) {
    guard !rect.isEmpty else { return }
    let room = rect.columns - 1
    var first = line.cursor
    var before = 0
    while first > 0 {
      let width = DisplayWidth.of(String(line.characters[first - 1]))
      if before + width > room { break }
      before += width
      first -= 1
    }
    let text = String(line.characters[first...])
    frame.write(text, at: rect.column, row: rect.row, style: style, maxColumns: rect.columns)
    frame.cursor = (rect.column + before, rect.row)
  }
}
