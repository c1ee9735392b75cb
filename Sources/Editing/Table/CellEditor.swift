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
  /// The cell: it stays that of a feature and of a column, wherever these go in the table.
  let file: OpenDocument.ID
  let feature: FeatureReference
  let column: TableColumn.Source
  /// The feature in words, for when it is gone.
  let name: String
  /// Whether the row stays in the table though an edit of it has met the filter.
  var keepsRow = false

  init(_ text: String, of feature: FeatureReference, _ column: TableColumn.Source, in desk: Desk) {
    line = LineEditor(text, keepsTabs: true)
    former = text
    (file, name) = (desk.file.id, desk.name(of: feature))
    (self.feature, self.column) = (feature, column)
  }

  var takesText: Bool { true }
  var textMode: Mode { Self.editing }

  func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    guard let pane = desk.pane.state as? TablePane, let table = desk.table else { return }
    let area = desk.paneArea
    guard let place = place(in: desk),
      var cell = TableLayout(pane, table, in: area).area(row: place.row, column: place.column)
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

  /// The row and the shown column of the cell; `nil` if either has left the table.
  func place(in desk: Desk) -> (row: Int, column: Int)? {
    guard isOfTable(in: desk), let table = desk.table,
      let row = table.rows.row(of: feature.feature),
      let column = table.columns.firstIndex(where: { $0.source == column })
    else { return nil }
    return (row, column)
  }

  /// Whether the pane shows the table of the cell, which may have lost it.
  func isOfTable(in desk: Desk) -> Bool {
    desk.file.id == file && (desk.pane.state as? TablePane)?.layer == feature.layer
  }

  /// What of the cell has left the table, in words.
  func loss(in desk: Desk) -> String {
    let hasRow = desk.table?.rows.row(of: feature.feature) != nil
    let end = line.text.hasSameBytes(as: former) ? "its cell is closed" : "the text was not set"
    return (hasRow ? "the column “\(column.title)”" : name)
      + " is no longer in the table: \(end)"
  }
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
    guard let feature = table.reference(table.row) else { return }
    var editor = CellEditor(
      AttributeText.text(of: table.value(table.row, source)), of: feature, source, in: self)
    // The cells of a row are one edit.
    if let former = cellEditor, former.feature == feature { editor.keepsRow = former.keepsRow }
    cellEditor = editor
  }

  /// Closes the open cell if its feature or its column has left the table, and tells it.
  mutating func settleCell() {
    guard let editor = cellEditor, editor.isOfTable(in: self), editor.place(in: self) == nil
    else { return }
    say(editor.loss(in: self), .warning)
    cellEditor = nil
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
    settleCell()
    if cellEditor == nil { return }
    let (_, table) = try requireTable()
    guard let place = editor.place(in: self) else {
      throw EditingError(.refused, "the open cell is in another table: Esc leaves it")
    }
    if place != (table.row, table.column) {
      try goInTable(row: place.row, column: place.column)
    }
    let text = editor.line.text
    if !text.hasSameBytes(as: editor.former) {
      cellEditor?.keepsRow = true
      try putCells([[AttributeText(text)]])
    }
    if let rows {
      try moveInTable(rows: rows, columns: columns)
      if case .attribute? = self.table?.current?.source { return try editCell() }
    }
    cellEditor = nil
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
