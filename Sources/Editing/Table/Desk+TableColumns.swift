import PortolanDocuments
import PortolanTerminals
import PortolanTexts

/// The order, the columns and the marks of a table.
extension Desk {
  // MARK: Sorting

  /// The rows above which sorting is background work: below, it takes a fraction of a second.
  private static let rowsAtOnce = 20_000

  /// Sorts by some columns; without names, by that under the cursor, turned round if it is the
  /// only one.
  ///
  /// - Parameter isAdded: whether the present keys stay before them.
  mutating func sortTable(by list: String?, isAdded: Bool = false) throws {
    let (pane, table) = try requireTable()
    var keys: [TableKey]
    if let list {
      keys = try Self.names(list).map { name in
        let isFalling = name.hasPrefix("-")
        let plain = isFalling ? String(name.dropFirst()) : name
        // A name may itself begin with a minus sign.
        if let whole = table.arranged.first(where: { $0.source.title.hasSameBytes(as: name) }) {
          return TableKey(source: whole.source)
        }
        return TableKey(source: try table.source(named: plain), isFalling: isFalling)
      }
    } else {
      keys = [toggled(try table.requireColumn().source, pane.sort, isAdded: isAdded)]
    }
    if isAdded {
      let named = Set(keys.map(\.source))
      keys = pane.sort.filter { !named.contains($0.source) } + keys
    }
    var seen = Set<TableColumn.Source>()
    try sortTable(by: keys.filter { seen.insert($0.source).inserted })
  }

  private func toggled(
    _ source: TableColumn.Source, _ sort: [TableKey], isAdded: Bool
  ) -> TableKey {
    let former = sort.first { $0.source == source }
    let isSame = former != nil && (isAdded || sort.count == 1)
    return TableKey(source: source, isFalling: isSame ? !(former?.isFalling ?? true) : false)
  }

  /// Turns the order round.
  mutating func reverseTable() throws {
    let (pane, table) = try requireTable()
    if pane.sort.isEmpty {
      let source = try table.requireColumn().source
      return try sortTable(by: [TableKey(source: source, isFalling: true)])
    }
    try sortTable(by: pane.sort.map { TableKey(source: $0.source, isFalling: !$0.isFalling) })
  }

  /// Sorts by keys, many rows as a job; without any, in the order of the layer.
  mutating func sortTable(by keys: [TableKey]) throws {
    var (pane, table) = try requireTable()
    if table.rows.count > Self.rowsAtOnce, !keys.isEmpty {
      let rows = TableRows(table.rows.blocks)
      return request(
        SortRequest(layer: table.layer.id, title: table.layer.name, rows: rows, keys: keys))
    }
    pane.keepRow(of: table)
    pane.sort = keys
    // Values that were edited since the last time go to their places.
    pane.memory.keep(nil, sort: keys)
    try show(pane)
  }

  fileprivate mutating func show(_ changed: TablePane) throws {
    pane.state = changed
    let (_, table) = try requireTable()
    try goInTable(row: table.row)
  }

  /// The names of a list with commas between; a name with a comma stands in double quotes.
  private static func names(_ list: String) -> [String] {
    var isQuoted = false
    return list.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }.map { part in
      let text = String(part)
      let sign = text.hasPrefix("-\"") ? "-" : ""
      let quoted = text.dropFirst(sign.count)
      guard quoted.count > 1, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else { return text }
      return sign + String(quoted.dropFirst().dropLast())
    }
  }

  // MARK: Columns

  /// Changes the arrangement of the columns; the cursor stays on its column if that is shown.
  private mutating func arrangeColumns(
    _ change: (inout [TableColumn], TableScope) throws -> Void
  ) throws {
    var (pane, table) = try requireTable()
    let gone = pane.columns.filter { column in
      !table.arranged.contains { $0.source == column.source }
    }
    var columns = table.arranged
    try change(&columns, table)
    // Columns that the layer has not at present keep what was chosen for them.
    pane.columns = columns + gone
    let shown = columns.filter { !$0.isHidden }
    if let current = table.current?.source,
      let place = shown.firstIndex(where: { $0.source == current })
    {
      pane.column = place
    }
    try show(pane)
  }

  /// Hides columns, or shows hidden ones: all of them without names.
  mutating func hideColumns(_ names: [String], _ isHidden: Bool) throws {
    try arrangeColumns { columns, table in
      let all = !isHidden && names.isEmpty
      let chosen = all ? Set(columns.map(\.source)) : try table.sources(names)
      for index in columns.indices where chosen.contains(columns[index].source) {
        columns[index].isHidden = isHidden
      }
    }
  }

  /// Widens a column by so many cells, or narrows it.
  mutating func widenColumn(by cells: Int) throws {
    let (pane, table) = try requireTable()
    let width = TableLayout.width(try table.requireColumn(), pane, table, in: paneArea)
    try setWidth(max(1, width + cells), of: [])
  }

  /// Sets the width of columns; 0 for that of their values.
  mutating func setWidth(_ width: Int, of names: [String]) throws {
    let bounds = TableColumn.widths
    try arrangeColumns { columns, table in
      let chosen = try table.sources(names)
      for index in columns.indices where chosen.contains(columns[index].source) {
        columns[index].width = width == 0 ? 0 : min(max(width, 1), bounds.upperBound)
      }
    }
  }

  /// Moves the column under the cursor among the shown ones.
  mutating func moveColumn(by steps: Int) throws {
    try arrangeColumns { columns, table in
      let target = min(max(0, table.column + steps), max(0, table.columns.count - 1))
      guard let current = table.current, target != table.column,
        let from = columns.firstIndex(where: { $0.source == current.source })
      else { return }
      let beside = table.columns[target].source
      let moved = columns.remove(at: from)
      let place = columns.firstIndex { $0.source == beside } ?? columns.count
      columns.insert(moved, at: place + (steps > 0 ? 1 : 0))
    }
  }

  /// Keeps the columns up to the cursor, or so many, when the others scroll; again lets them go.
  mutating func freezeColumns(_ count: Int?) throws {
    var (pane, table) = try requireTable()
    let wanted = min(count ?? table.column + 1, table.columns.count)
    pane.frozen = count == nil && pane.frozen == wanted ? 0 : max(0, wanted)
    try show(pane)
  }

  // MARK: Marks

  /// Marks so many rows from the cursor down, which selects their features.
  mutating func mark(_ change: SelectionChange, _ count: Int, thenDown: Bool = false) throws {
    let (_, table) = try requireTable()
    if document.isProtected(table.layer) { throw EditingError.locked(table.layer.name) }
    let end = min(table.row + max(1, count), table.rows.count)
    select(table.references(table.row..<end), change)
    if thenDown { try goInTable(row: end) }
  }

  /// Opens the line to compute the column, for the marked rows or for all.
  mutating func computeColumn() throws {
    let source = try requireCell()
    let (_, table) = try requireTable()
    let isMarked = selection.features.contains { $0.layer == table.layer.id }
    let name = CommandWord.quoted(source.title)
    openPrompt(.command, text: "set \(isMarked ? "" : "--all ")\(name) := ")
  }

  /// Shows the whole value under the cursor.
  mutating func showValue() throws {
    let (_, table) = try requireTable()
    let column = try table.requireColumn()
    if table.rows.count == 0 { throw EditingError(.refused, "there are no rows") }
    let value = table.value(table.row, column.source)
    let text = value == .missing ? "the feature has no such attribute" : value.text
    if isHeadless { return send(.print([DisplayWidth.sanitised(text)])) }
    let room = max(20, HelpOverlay.area(layout, screenSize).columns - 4)
    let words = value == .null ? "null" : text
    help = Help(
      title: "\(column.source.title), row \(table.row + 1)",
      lines: WholeText.lines(words, columns: room), keyColumns: 0)
  }
}

/// Sorts the rows of a table in the background; the rows stay as they are until it is done.
private struct SortRequest: Request {
  var layer: LayerID
  var title: String
  var rows: TableRows
  var keys: [TableKey]

  var name: String { "sorting \(title)" }
  var isOfPane: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> [UInt32] {
    do {
      return try TableOrder.sorted(rows, by: keys) { try progress.report($0) }
    } catch {
      throw Failure(error)
    }
  }

  func take(_ order: [UInt32], in desk: inout Desk) throws {
    guard var pane = desk.pane.state as? TablePane, pane.layer == layer, let table = desk.table
    else { return }
    pane.keepRow(of: table)
    pane.sort = keys
    pane.memory.keep(TableRows(rows.blocks, order: order), sort: keys)
    try desk.show(pane)
  }
}

extension TablePane {
  /// Lets the cursor stay on its feature in another order; from the first row it goes to no other
  /// place: there one looks for the least or the greatest.
  fileprivate mutating func keepRow(of table: TableScope) {
    feature = table.row == 0 ? nil : table.rows.feature(table.row)
    row = table.row
  }
}
