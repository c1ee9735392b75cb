import PortolanDocuments
package import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

extension AttributeForm: Overlay {
  package static let mode: Mode? = .form
  package static let keys = """
    [form]
    j = form down {count}          ;; down
    k = form up {count}            ;; up
    <down> = form down
    <up> = form up
    <tab> = form down
    <s-tab> = form up
    <home> = form first
    <end> = form last
    g = form first
    G = form last
    <ret> = form edit              ;; edit
    e = form edit
    a = form add                   ;; add
    v = details
    r = form rename                ;; rename
    d = form remove                ;; remove
    <del> = form remove
    u = undo                       ;; undo
    U = redo
    <c-r> = redo
    <c-s> = save
    <c-q> = quit
    <c-c> = escape
    : = prompt command
    ? = help                       ;; keys
    <f1> = help
    <esc> = escape                 ;; close
    """

  package var takesText: Bool { editing != nil }

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    FormOverlay.draw(self, desk.look, in: layout.map, on: &frame)
  }

  package func type(_ text: String, in desk: inout Desk) { desk.form?.editing?.line.insert(text) }

  package func edit(_ action: LineAction, in desk: inout Desk) throws {
    if action == .accept {
      try desk.acceptFormLine()
    } else {
      desk.form?.editing?.line.edit(action)
    }
  }

  /// A click on a row chooses it; on the chosen row it edits the value.
  package func press(_ event: MouseEvent, in desk: inout Desk) {
    guard editing == nil else { return }
    if event.steps != 0 {
      desk.attempt(line: event.steps < 0 ? "form up" : "form down")
    } else if event.isPress, event.button == 1,
      let row = FormOverlay.Layout(self, in: desk.layout.map)
        .row(column: event.column, row: event.row)
    {
      if row == index { desk.attempt(line: "form edit") } else { desk.form?.index = row }
    }
  }

  package func escape(in desk: inout Desk) {
    if editing != nil { desk.form?.editing = nil } else { desk.form = nil }
  }
}

/// The attribute form: one attribute a line, the chosen one edited in place.
package enum FormOverlay {
  /// The areas of the box and its rows.
  struct Layout {
    let rect: CellRect
    let nameWidth: Int
    /// The number of lines, and the first shown.
    let lineCount: Int
    let top: Int

    init(_ form: AttributeForm, in area: CellRect) {
      let widest = form.rows.map { DisplayWidth.of($0.name) }.max() ?? 4
      nameWidth = min(max(widest, 6), max(6, area.columns / 3))
      lineCount = form.rows.count + (isAdding(form) ? 1 : 0)
      rect = OverlayBox.centred(
        columns: max(40, min(area.columns - 4, nameWidth + 44)), rows: max(3, lineCount + 2),
        in: area)
      let rows = rect.inset(by: 1).rows
      let current = isAdding(form) ? lineCount - 1 : form.index
      top = min(max(0, current - rows + 1), max(0, lineCount - rows))
    }

    /// The attribute on a cell of the screen.
    func row(column: Int, row: Int) -> Int? {
      let inside = rect.inset(by: 1)
      guard inside.contains(column: column, row: row) else { return nil }
      let index = top + row - inside.row
      return index < lineCount ? index : nil
    }
  }

  package static func draw(
    _ form: AttributeForm, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    let layout = Layout(form, in: area)
    let inside = OverlayBox.draw(title(form), look, in: layout.rect, on: &frame)
    guard !inside.isEmpty else { return }
    if layout.lineCount == 0 {
      frame.write(
        "no attributes: a adds one", at: inside.column + 1, row: inside.row,
        style: look.theme.popupFaint, maxColumns: inside.columns - 1)
    }
    for line in 0..<min(inside.rows, layout.lineCount - layout.top) {
      let index = layout.top + line
      let row = CellRect(
        column: inside.column, row: inside.row + line, columns: inside.columns, rows: 1)
      draw(index, of: form, nameWidth: layout.nameWidth, look, in: row, on: &frame)
    }
  }

  private static func title(_ form: AttributeForm) -> String {
    form.features.count == 1 ? "Attributes" : "Attributes of \(form.features.count) features"
  }

  private static func isAdding(_ form: AttributeForm) -> Bool {
    form.editing?.field == .newName || newName(form) != nil
  }

  /// The name of a new attribute whose first value is being typed.
  private static func newName(_ form: AttributeForm) -> String? {
    guard case .newValue(let name) = form.editing?.field else { return nil }
    return name
  }

  private static func draw(
    _ index: Int, of form: AttributeForm, nameWidth: Int, _ look: ScreenLook,
    in rect: CellRect, on frame: inout Frame
  ) {
    let isNew = !form.rows.indices.contains(index)
    let isCurrent = isNew || (index == form.index && !isAdding(form))
    let editing = isCurrent ? form.editing : nil
    let style: CellStyle =
      isCurrent && editing == nil ? look.theme.chosen : look.theme.popup
    frame.fill(rect, style: style)
    frame.write(
      isCurrent ? look.signs.pointer : " ", at: rect.column, row: rect.row, style: style)
    let nameArea = CellRect(
      column: rect.column + 1, row: rect.row, columns: nameWidth, rows: 1)
    let valueArea = CellRect(
      column: nameArea.column + nameWidth + 1, row: rect.row,
      columns: rect.columns - nameWidth - 2, rows: 1)
    let existingName = isNew ? newName(form) : form.rows[index].name
    let isValue = editing?.field == .value || newName(form) != nil
    if let editing, !isValue {
      let wide = isNew ? rect.columns - 1 : nameWidth
      LineField.draw(
        editing.line, style: look.theme.strong,
        in: CellRect(column: nameArea.column, row: rect.row, columns: wide, rows: 1), on: &frame)
    } else if let existingName {
      let name = CutText.end(existingName, columns: nameWidth, signs: look.signs)
      let nameStyle = style == look.theme.popup ? look.theme.popupKey : style
      frame.write(name, at: nameArea.column, row: rect.row, style: nameStyle)
    }
    if let editing, isValue {
      LineField.draw(editing.line, style: look.theme.strong, in: valueArea, on: &frame)
    } else if !isNew {
      let text = CutText.end(
        value(form.rows[index].value), columns: valueArea.columns, signs: look.signs)
      frame.write(text, at: valueArea.column, row: rect.row, style: style)
    }
  }

  /// The text of a value in the form: text that looks like a number is in quotes.
  private static func value(_ value: AttributeValue?) -> String {
    switch value {
    case nil: "(differs)"
    case .some(.missing): "(missing)"
    case .some(let value): AttributeText.text(of: value)
    }
  }
}
