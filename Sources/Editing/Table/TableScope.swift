import PortolanDocuments

/// A table as it stands now: the columns and rows of its layer, and where the cursor is in them.
struct TableScope {
  /// The layer with the rows that a filter hides.
  let layer: any FeatureHolding
  /// All columns in their order.
  let arranged: [TableColumn]
  /// Those that are shown.
  let columns: [TableColumn]
  let rows: TableRows
  /// The cursor; 0 where there are no rows or no columns.
  let row: Int
  let column: Int

  init?(_ pane: TablePane, _ desk: Desk) {
    guard let id = pane.layer, let layer = desk.document[layer: id] as? any FeatureHolding
    else { return nil }
    self.layer = layer
    let sources = pane.memory.sources(of: layer)
    let known = Set(sources)
    let listed = pane.columns.filter { known.contains($0.source) }
    let names = Set(listed.map(\.source))
    arranged = listed + sources.filter { !names.contains($0) }.map { TableColumn($0) }
    let columns = arranged.filter { !$0.isHidden }
    self.columns = columns
    var blocks = (desk.shown(layer) as? any FeatureHolding)?.blocks ?? []
    if let editor = desk.cellEditor, editor.keepsRow, editor.feature.layer == id {
      blocks = pane.memory.blocks(blocks, keeping: editor.feature.feature, of: layer)
    }
    rows = pane.memory.rows(of: blocks, by: pane.sort)
    let last = max(0, rows.count - 1)
    if let feature = pane.feature, rows.feature(pane.row) != feature,
      let found = rows.row(of: feature)
    {
      row = found
    } else {
      row = min(max(0, pane.row), last)
    }
    let named = pane.source.flatMap { source in columns.firstIndex { $0.source == source } }
    column = named ?? min(max(0, pane.column), max(0, columns.count - 1))
  }

  /// The column under the cursor; `nil` if none is shown.
  var current: TableColumn? { columns.indices.contains(column) ? columns[column] : nil }

  func requireColumn() throws -> TableColumn {
    if let current { return current }
    throw EditingError(.refused, "no column is shown: gh shows hidden ones")
  }

  /// A column by its name, or by the start of its name if only one begins so.
  func source(named name: String) throws -> TableColumn.Source {
    let sources = arranged.map(\.source)
    if let exact = sources.first(where: { $0.title.hasSameBytes(as: name) }) { return exact }
    let similar = sources.filter { $0.title.lowercased().hasPrefix(name.lowercased()) }
    if similar.count == 1, !name.isEmpty { return similar[0] }
    throw EditingError(
      .notFound, AttributeNames.missing(name, in: layer.name, sources.map(\.title)))
  }

  /// The named columns; without names, that under the cursor.
  func sources(_ names: [String]) throws -> Set<TableColumn.Source> {
    Set(names.isEmpty ? [try requireColumn().source] : try names.map { try source(named: $0) })
  }

  /// A feature of the table as others refer to it.
  func reference(_ row: Int) -> FeatureReference? {
    rows.feature(row).map { FeatureReference(layer: layer.id, feature: $0) }
  }

  /// The value in a cell; missing where there is no cell.
  func value(_ row: Int, _ source: TableColumn.Source) -> AttributeValue {
    guard let place = rows.place(row) else { return .missing }
    return source.column(of: place.block)?.value(place.row) ?? .missing
  }

  /// The features of some rows.
  func references(_ rows: Range<Int>) -> [FeatureReference] {
    rows.compactMap { reference($0) }
  }
}

extension Desk {
  /// The table in the pane; `nil` if it shows none, or if its layer is gone.
  var table: TableScope? { (pane.state as? TablePane).flatMap { TableScope($0, self) } }

  /// Whether another pane of the tab shows a table of the active layer, to which `t` goes.
  var hasTableBeside: Bool { activeLayer.flatMap { tablePane(of: $0) } != nil }

  /// - Throws: where no table has the keys.
  func requireTable() throws -> (pane: TablePane, scope: TableScope) {
    guard let pane = pane.state as? TablePane else {
      throw EditingError(
        .refused,
        hasTableBeside
          ? "the keys are at the map: t goes to the table"
          : "this pane shows no table: :table opens one")
    }
    guard let scope = TableScope(pane, self) else {
      throw EditingError(
        .refused, "the layer of this table is gone: :table LAYER shows another, q closes it")
    }
    return (pane, scope)
  }
}
