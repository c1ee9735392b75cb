import PortolanDocuments
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// The value of a table's cell, typed in its place.
struct CellEditor: Overlay {
  static let mode: Mode? = editing
  private static let editing = Mode("cell", .changing)
  /// Those of the prompt, but for the keys that leave the line.
  static let keys =
    Prompt.keys.replacing("[prompt]", with: "[cell]") + """

      <ret> = line accept            ;; take
      <esc> = escape                 ;; leave
      <tab> = line complete          ;; take, next column
      <s-tab> = line complete-back
      <down> = line newer            ;; take, next row
      <up> = line older
      """

  var line: LineEditor
  /// The text before: the same text changes nothing.
  let former: String

  init(_ text: String) {
    line = LineEditor(text, keepsTabs: true)
    former = text
  }

  var takesText: Bool { true }
  var textMode: Mode { Self.editing }

  func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    guard let pane = desk.pane.state as? TablePane, let table = desk.table else { return }
    let area = desk.paneArea
    guard
      var cell = TableLayout(pane, table, in: area).area(row: table.row, column: table.column)
    else { return }
    // A narrow column lends room for what is typed.
    let wanted = max(cell.columns, min(40, DisplayWidth.of(line.text) + 2), 12)
    cell.columns = min(wanted, area.column + area.columns - cell.column)
    var style = desk.look.theme.popup
    style.attributes.insert(.underline)
    frame.fill(cell, style: style)
    LineField.draw(line, style: style, in: cell, on: &frame)
  }

  func type(_ text: String, in desk: inout Desk) { desk.cellEditor?.line.insert(text) }

  /// Enter takes the value; Tab and the arrows up and down take it and edit the next cell.
  func edit(_ action: LineAction, in desk: inout Desk) throws {
    switch action {
    case .accept: try desk.acceptCell(self)
    case .complete: try desk.acceptCell(self, thenRows: 0, columns: 1)
    case .completeBack: try desk.acceptCell(self, thenRows: 0, columns: -1)
    case .older: try desk.acceptCell(self, thenRows: -1, columns: 0)
    case .newer: try desk.acceptCell(self, thenRows: 1, columns: 0)
    default: desk.cellEditor?.line.edit(action)
    }
  }

  /// A click beside the cell takes the value.
  func press(_ event: MouseEvent, in desk: inout Desk) {
    if event.isClick { desk.attempt(line: "line accept") }
  }

  func escape(in desk: inout Desk) { desk.cellEditor = nil }
}

extension Desk {
  var cellEditor: CellEditor? {
    get { session.overlay[CellEditor.self] }
    set { session.overlay[CellEditor.self] = newValue }
  }

  /// Opens the line for the value under the cursor.
  mutating func editCell() throws {
    let source = try requireCell()
    let (_, table) = try requireTable()
    cellEditor = CellEditor(AttributeText.text(of: table.value(table.row, source)))
  }

  /// The column under the cursor.
  ///
  /// - Throws: where there is no cell that may be changed.
  @discardableResult
  func requireCell() throws -> TableColumn.Source {
    let (_, table) = try requireTable()
    let column = try table.requireColumn()
    if table.rows.count == 0 { throw EditingError(.refused, "there are no rows") }
    if case .identifier = column.source {
      throw EditingError(.refused, "$id is the feature's own id in its file: it is not edited here")
    }
    try requireWritable()
    if document.isProtected(table.layer) { throw EditingError.locked(table.layer.name) }
    return column.source
  }

  /// Takes the typed value, and edits another cell.
  mutating func acceptCell(
    _ editor: CellEditor, thenRows rows: Int? = nil, columns: Int = 0
  ) throws {
    let text = editor.line.text
    if !text.hasSameBytes(as: editor.former) { try putCells([[AttributeText(text)]]) }
    cellEditor = nil
    guard let rows else { return }
    try moveInTable(rows: rows, columns: columns)
    if let table, case .identifier? = table.current?.source { return }
    try editCell()
  }

  /// Sets cells from the cursor on, in one step: rows down, and in each row columns to the right.
  mutating func putCells(_ cells: [[AttributeText]]) throws {
    try requireCell()
    let (_, table) = try requireTable()
    let fitting = cells.prefix(table.rows.count - table.row)
    let columns = table.columns[table.column...].map(\.source)
    var texts: [(name: String, values: [FeatureID: AttributeText])] = []
    for (index, source) in columns.prefix(fitting.map(\.count).max() ?? 0).enumerated() {
      guard case .attribute(let name) = source else {
        throw EditingError(.refused, "the column $id is among them: it is not edited here")
      }
      var values: [FeatureID: AttributeText] = [:]
      for (row, line) in fitting.enumerated() where index < line.count {
        if let feature = table.rows.feature(table.row + row) { values[feature] = line[index] }
      }
      texts.append((name, values))
    }
    let features = table.references(table.row..<table.row + fitting.count)
    let names = texts.map(\.name).joined(separator: ", ")
    let left = cells.count - fitting.count
    let rest = left > 0 ? "; \(CountText.text(left, "line", "lines")) had no row" : ""
    let (changes, layer) = (texts, table.layer.id)
    try editAttributes(
      "set \(names)", of: features,
      saying: "set \(names) of \(CountText.features(features.count))\(rest)",
      warning: { former in
        (former[layer: layer] as? any FeatureHolding).flatMap { KindChanges(changes, in: $0).text }
      },
      { layer, ids in
        for (name, values) in changes {
          try layer.setAttribute(name, of: ids.intersection(values.keys)) { block, rows in
            rows.map { row in
              let old = block.attribute(name, row: row)
              return values[block.featureIDs[row]]?.value(over: old) ?? old
            }
          }
        }
      })
  }
}
