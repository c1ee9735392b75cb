package import PortolanDocuments
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// A layer as rows and columns: its features and their attributes.
package struct TablePane: PaneKind {
  package static let name = "table"
  package static let mode = Mode("table")
  package static let listsFeatures = true
  package static let selecting = (advice: "v marks the row, V all", hint: "v marks a row")

  /// The shown layer, which may be gone.
  var layer: LayerID?
  /// The columns that were arranged, in their order; others of the layer follow them.
  var columns: [TableColumn] = []
  /// The number of the first shown columns that stay when the others scroll.
  var frozen = 0
  /// The order of the rows; that of the layer without keys.
  var sort: [TableKey] = []
  /// The feature under the cursor, and its row: it keeps the cursor while rows come and go.
  var feature: FeatureID?
  var row = 0
  /// The column under the cursor, and its place among the shown ones: the cursor keeps its column
  /// while others come and go.
  var source: TableColumn.Source?
  var column = 0
  /// The first row and the first scrolling column on the screen.
  var top = 0
  var left = 0
  /// Whether the map's cursor goes with the table's.
  var followsMap = false
  let memory = TableMemory()

  package init() {}

  package static func shows(_ view: any View) -> Bool { view is any TableShowing }

  package mutating func show(_ view: any View) {
    guard let view = view as? any TableShowing else { return }
    layer = view.layer
    columns = view.columns
    frozen = view.frozen
    sort = columns.filter { $0.sort != 0 }.sorted { $0.sort.magnitude < $1.sort.magnitude }
      .map { TableKey(source: $0.source, isFalling: $0.sort < 0) }
  }

  package func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? {
    var view = document.view(id) as? any TableShowing ?? ViewKinds.table(id)
    view.layer = layer
    view.frozen = frozen
    view.columns = columns
    // Columns are listed in their order: a key that is not among them takes all along.
    if sort.contains(where: { key in !columns.contains { $0.source == key.source } }),
      let arranged = TableScope(self, desk)?.arranged
    {
      view.columns =
        arranged + columns.filter { column in !arranged.contains { $0.source == column.source } }
    }
    for index in view.columns.indices { view.columns[index].sort = 0 }
    for (place, key) in sort.enumerated() {
      let index = view.columns.firstIndex { $0.source == key.source }
      if index == nil { view.columns.append(TableColumn(key.source)) }
      view.columns[index ?? view.columns.count - 1].sort = (key.isFalling ? -1 : 1) * (place + 1)
    }
    return view
  }

  package func listedLayer(_ desk: Desk) -> LayerID? {
    layer.flatMap { desk.document[layer: $0] is any FeatureHolding ? $0 : nil }
  }

  package func title(_ desk: Desk) -> String {
    guard let table = desk.table else { return Self.name }
    let (count, all) = (table.rows.count, table.layer.count)
    let rows = count == all ? CountText.text(count, "row", "rows") : "\(count) of \(all) rows"
    return CutText.end(table.layer.name, columns: 24, signs: desk.look.signs) + "  " + rows
  }

  package func status(_ desk: Desk) -> PaneStatus {
    guard let table = desk.table else { return PaneStatus(place: "no layer") }
    let place = table.rows.count == 0 ? "no rows" : "row \(table.row + 1)/\(table.rows.count)"
    var details: [(text: String, rank: Int)] = []
    if let column = table.current {
      let type = memory.type(of: column.source, in: table.layer)
      let name = CutText.end(column.source.title, columns: 24, signs: desk.look.signs)
      details.append(("\(name): \(type)", 1))
      details.append(("column \(table.column + 1)/\(table.columns.count)", 3))
    }
    let hidden = table.arranged.count - table.columns.count
    if hidden > 0 { details.append(("\(hidden) hidden", 4)) }
    if let key = sort.first {
      let more = sort.count > 1 ? " +\(sort.count - 1)" : ""
      let name = CutText.end(key.source.title, columns: 16, signs: desk.look.signs)
      details.append(("sort \(name) \(desk.look.signs.sorted(key.isFalling))\(more)", 4))
    }
    if followsMap { details.append(("map follows", 5)) }
    return PaneStatus(place: place, details: details)
  }

  package func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    TableDrawing.draw(desk, in: rect, on: &frame)
  }

  /// A click goes to a cell, before the cells it marks the row; on a heading it sorts.
  package func press(_ event: MouseEvent, column: Int, row: Int, in desk: inout Desk) {
    guard let table = desk.table else { return }
    if event.steps != 0 { return desk.attempt(line: "table scroll \(3 * event.steps)") }
    guard event.isPress, event.button == 1 else { return }
    let area = desk.paneArea
    let layout = TableLayout(self, table, in: area)
    let place = layout.column(at: area.column + column)
    if row == 0 {
      guard let place else { return }
      return desk.attempt(line: "table sort --at \(place + 1)")
    }
    guard row >= 1, layout.top + row - 1 < table.rows.count else { return }
    let number = layout.top + row
    if let place {
      desk.attempt(line: "table cell \(number) \(place + 1)")
      if event.action == .doubleClick { desk.attempt(line: "table edit") }
    } else if column < TableLayout.margin {
      desk.attempt(line: "table cell \(number) \(table.column + 1)")
      desk.attempt(line: "table toggle")
    }
  }

  package func paste(_ text: String, in desk: inout Desk) -> Bool {
    if text.isEmpty { return true }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    let cells = lines.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map {
        AttributeText(String($0))
      }
    }
    do {
      var changed = desk
      try changed.putCells(cells)
      changed.commit(since: desk)
      desk = changed
    } catch let error as EditingError {
      desk.fail(error.message)
    } catch {
      desk.fail("\(error)")
    }
    return true
  }
}

extension TableColumn.Source {
  /// The name above the column.
  var title: String {
    switch self {
    case .identifier: "$id"
    case .attribute(let name): name
    }
  }
}

extension ScreenSigns {
  /// Before a marked row.
  var marked: String { isUnicode ? "●" : "*" }
  /// Behind the name of a column by which rows are sorted.
  func sorted(_ isFalling: Bool) -> String {
    isUnicode ? (isFalling ? "▼" : "▲") : (isFalling ? "v" : "^")
  }
}
