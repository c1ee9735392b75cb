import PortolanDocuments
import PortolanTerminals

/// Opening, closing and moving in tables.
extension Desk {
  /// Where a table is opened.
  enum TablePlace {
    case below, right, here
  }

  /// Opens the table of a layer or goes to it; in a table and without a name, gives it all the
  /// room, and then closes it.
  mutating func openTable(_ name: String?, _ place: TablePlace) throws {
    if pane.state is TablePane, name == nil, place != .here {
      if session.arrangement.tab.whole == pane.id { return try closeTable() }
      session.arrangement.tab.whole = pane.id
      return
    }
    let layer = try name.map { try self.layer(named: $0) } ?? requireActiveLayer()
    guard layer is any FeatureHolding else {
      throw EditingError(
        .refused, "“\(layer.name)” has no features: :table LAYER shows those of another layer")
    }
    leaveModes()
    activeLayer = layer.id
    var state = work.tables[layer.id] ?? TablePane()
    state.layer = layer.id
    if pane.state is TablePane || place == .here {
      keepTable()
      state.goToSelected(self)
      if !(pane.state is TablePane) { pane.view = nil }
      pane.state = state
      return
    }
    if let id = tablePane(of: layer.id), let found = session.panes[id]?.state as? TablePane {
      if found.layer == layer.id { state = found } else { keep(found) }
      state.goToSelected(self)
      session.panes[id]?.state = state
      session.arrangement.show(id)
      return
    }
    try split(place == .right ? .columns : .rows)
    let new = session.arrangement.focus
    state.goToSelected(self)
    session.panes[new]?.state = state
    session.panes[new]?.view = nil
  }

  /// The table of a layer in the tab, or else of another layer.
  func tablePane(of layer: LayerID) -> PaneID? {
    let tables = session.arrangement.tab.tree.panes.filter {
      session.panes[$0]?.document == file.id && session.panes[$0]?.state is TablePane
    }
    return tables.first { (session.panes[$0]?.state as? TablePane)?.layer == layer }
      ?? tables.first
  }

  /// Keeps how a table is arranged for its next opening.
  private mutating func keepTable() {
    if let table = pane.state as? TablePane { keep(table) }
  }

  private mutating func keep(_ table: TablePane) {
    if let layer = table.layer { work.tables[layer] = table }
  }

  /// Closes the table: its pane, or it becomes a map if it is the only one of its document.
  mutating func closeTable() throws {
    guard pane.state is TablePane else { throw EditingError(.refused, "this pane shows no table") }
    keepTable()
    session.arrangement.tab.whole = nil
    let map = mapPane
    guard map != nil || isShownElsewhere else {
      pane.state = MapPane()
      pane.view = nil
      showDocumentView()
      return
    }
    try closePane(force: false)
    if let map { session.arrangement.show(map) }
  }

  /// Gives the keys to the map; the table stays, unless there is no map.
  mutating func leaveTable() throws {
    guard pane.state is TablePane else { throw EditingError(.refused, "this pane shows no table") }
    guard let map = mapPane else { return try closeTable() }
    session.arrangement.tab.whole = nil
    session.arrangement.show(map)
  }

  // MARK: The cursor

  /// Moves the cursor; it stops at the ends.
  mutating func moveInTable(rows: Int, columns: Int) throws {
    let (_, table) = try requireTable()
    try goInTable(row: table.row + rows, column: table.column + columns)
  }

  /// Puts the cursor on a cell, or on the nearest one.
  mutating func goInTable(row: Int? = nil, column: Int? = nil) throws {
    var (pane, table) = try requireTable()
    pane.row = min(max(0, row ?? table.row), max(0, table.rows.count - 1))
    pane.feature = table.rows.feature(pane.row)
    pane.column = min(max(0, column ?? table.column), max(0, table.columns.count - 1))
    pane.source = table.columns.isEmpty ? nil : table.columns[pane.column].source
    pane.settle(self)
    self.pane.state = pane
    if pane.followsMap { try? showRowOnMap() }
  }

  /// Moves the rows on the screen; the cursor stays among them.
  mutating func scrollTable(by rows: Int) throws {
    var (pane, table) = try requireTable()
    let layout = TableLayout(pane, table, in: paneArea)
    let lowest = max(0, table.rows.count - layout.rowCount)
    pane.top = min(max(0, layout.top + rows), lowest)
    pane.row = min(max(table.row, pane.top), pane.top + layout.rowCount - 1)
    self.pane.state = pane
    try goInTable(row: pane.row)
  }

  /// The rows of a page.
  var tablePage: Int { max(1, paneArea.rows - 2) }

  /// Goes to a column by its name, or by the start of it.
  mutating func goInTable(toColumn name: String) throws {
    let (_, table) = try requireTable()
    let source = try table.source(named: name)
    guard let place = table.columns.firstIndex(where: { $0.source == source }) else {
      throw EditingError(
        .refused, "the column “\(source.title)” is hidden: table unhide shows hidden ones")
    }
    try goInTable(column: place)
  }

  // MARK: The map beside it

  /// Puts the map's cursor on the feature of the row.
  mutating func showRowOnMap() throws {
    let (_, table) = try requireTable()
    guard let reference = table.reference(table.row) else {
      throw EditingError(.refused, "there are no rows")
    }
    if mapPane == nil, !isScripted {
      throw EditingError(.refused, "this tab shows no map: :split right opens one")
    }
    guard let place = document.feature(reference)?.geometry.anchor else {
      throw EditingError(.notFound, "the feature of this row has no place on the map")
    }
    visit(place)
    work.arrival = Arrival(feature: reference, place: cursor)
    sayFeature(reference)
  }

  /// Lets the map's cursor go with the table's, or stay.
  mutating func followTable() throws {
    var (pane, _) = try requireTable()
    if mapPane == nil {
      throw EditingError(.refused, "this tab shows no map: :split right opens one")
    }
    pane.followsMap.toggle()
    self.pane.state = pane
    if pane.followsMap { try? showRowOnMap() }
    say(pane.followsMap ? "the map follows the table" : "the map stays")
  }

  /// Goes so many rows with a mark on.
  mutating func stepMarked(by steps: Int) throws {
    let (_, table) = try requireTable()
    let selection = self.selection
    let isMarked = { (row: Int) in table.reference(row).map { selection.contains($0) } ?? false }
    try step(
      by: steps, from: table.row, of: table.rows.count, to: isMarked,
      or: EditingError(.notFound, "no row is marked: v marks one"))
  }

  // MARK: Searching

  /// Searches the shown columns for a text; without one, for the last.
  mutating func findInTable(_ text: String) throws {
    if !text.isEmpty { work.searchText = text }
    try stepFound(by: 1, includingHere: !text.isEmpty)
  }

  /// Goes so many rows with the searched text on.
  mutating func stepFound(by steps: Int, includingHere: Bool = false) throws {
    let (_, table) = try requireTable()
    let (text, isFound) = try found(in: table)
    let sources = table.columns.map(\.source)
    try step(
      by: steps, from: table.row - (includingHere ? 1 : 0), of: table.rows.count, to: isFound,
      or: notFound(text, in: table))
    let (_, moved) = try requireTable()
    let wanted = text.lowercased()
    let holds = { (source: TableColumn.Source) in
      moved.value(moved.row, source).text.lowercased().contains(wanted)
    }
    if let column = sources.firstIndex(where: holds) { try goInTable(column: column) }
    let place = (0...moved.row).count(where: isFound)
    let all = (0..<moved.rows.count).count(where: isFound)
    say("\(place) of \(CountText.text(all, "row", "rows")) with “\(text)”")
  }

  /// Whether rows have the searched text in a shown column.
  private func found(in table: TableScope) throws -> (text: String, isFound: (Int) -> Bool) {
    let text = work.searchText
    guard !text.isEmpty, let pane = pane.state as? TablePane else {
      throw EditingError(.refused, "nothing was searched for: / first")
    }
    let found = pane.memory.matches(of: text, in: table.rows, table.columns.map(\.source))
    let order = table.rows.order
    return (text, { row in found[order.map { Int($0[row]) } ?? row] })
  }

  /// Marks all rows with the searched text.
  mutating func markFound() throws {
    let (_, table) = try requireTable()
    if document.isProtected(table.layer) { throw EditingError.locked(table.layer.name) }
    let (text, isFound) = try found(in: table)
    let rows = (0..<table.rows.count).filter(isFound)
    if rows.isEmpty { throw notFound(text, in: table) }
    select(rows.compactMap { table.reference($0) }, .replace)
  }

  private func notFound(_ text: String, in table: TableScope) -> EditingError {
    EditingError(.notFound, "“\(text)” is in no shown column of “\(table.layer.name)”")
  }

  /// Goes so many rows for which a condition holds on, around the end.
  private mutating func step(
    by steps: Int, from start: Int, of count: Int, to holds: (Int) -> Bool, or error: EditingError
  ) throws {
    guard steps != 0 else { return }
    let wanted = (0..<count).filter(holds)
    guard !wanted.isEmpty else { throw error }
    let next = wanted.firstIndex { $0 > start } ?? wanted.count
    let former = (wanted.firstIndex { $0 >= start } ?? wanted.count) - 1
    let index = steps > 0 ? next + steps - 1 : former + steps + 1
    try goInTable(row: wanted[((index % wanted.count) + wanted.count) % wanted.count])
  }
}

extension TablePane {
  /// Puts the cursor on the feature that is chosen on the map, if it is in the table.
  mutating func goToSelected(_ desk: Desk) {
    guard let current = desk.selection.currentFeature, current.layer == layer else { return }
    feature = current.feature
    guard let table = TableScope(self, desk) else { return }
    row = table.row
    top = row - 3
  }

  /// Keeps what is on the screen, so that the next movement begins there.
  mutating func settle(_ desk: Desk) {
    guard let table = TableScope(self, desk) else { return }
    let layout = TableLayout(self, table, in: desk.paneArea)
    (top, left) = (layout.top, layout.left)
  }
}
