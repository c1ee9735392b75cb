import PortolanDocuments

/// What `table` does, by its first word.
enum TableAction: String, CaseIterable {
  case open, close, leave, up, down, left, right, first, last, start, end, cell, column, scroll
  case sort, reverse, unsort, hide, unhide, width, wider, narrower, freeze
  case shiftLeft = "shift-left"
  case shiftRight = "shift-right"
  case mark, unmark, toggle
  case markFound = "mark-found"
  case next, previous
  case nextMarked = "next-marked"
  case previousMarked = "previous-marked"
  case map, follow, edit, put, value, compute

  /// The action in words, for the list of keys.
  func summary(_ words: [String]) -> String {
    let rows = words.contains("half") ? "half a page" : words.contains("page") ? "a page" : "a row"
    switch self {
    case .open: return "Show the table of a layer."
    case .close: return "Close the table."
    case .leave: return "Back to the map; the table stays."
    case .up: return "Up \(rows)."
    case .down: return "Down \(rows)."
    case .left: return "To the column at the left."
    case .right: return "To the column at the right."
    case .first: return "To the first row, or to a row by its number."
    case .last: return "To the last row, or to a row by its number."
    case .start: return "To the first column."
    case .end: return "To the last column."
    case .cell: return "To a row and a column by their numbers."
    case .column: return "To a column by its name."
    case .scroll: return "Scroll the rows."
    case .sort: return words.contains("--add") ? "Sort also by the column." : "Sort by the column."
    case .reverse: return "Turn the order round."
    case .unsort: return "The order of the layer."
    case .hide: return "Hide the column."
    case .unhide: return "Show hidden columns."
    case .width: return "As wide as the values."
    case .wider: return "Widen the column."
    case .narrower: return "Narrow the column."
    case .freeze: return "Keep the columns up to here when others scroll, or let them go."
    case .shiftLeft: return "Move the column to the left."
    case .shiftRight: return "Move the column to the right."
    case .mark: return "Mark the row: select its feature."
    case .unmark: return "Take the mark off the row."
    case .toggle: return "Mark the row, or take its mark off."
    case .markFound: return "Mark the rows with the searched text."
    case .next: return "Next row with the searched text."
    case .previous: return "Previous row with the searched text."
    case .nextMarked: return "Next marked row."
    case .previousMarked: return "Previous marked row."
    case .map: return "The map's cursor to the feature of the row."
    case .follow: return "Let the map's cursor go with the table's, or stay."
    case .edit: return "Edit the value."
    case .put: return "Set the cell and those below it."
    case .value: return "The whole value."
    case .compute: return "Compute the column: of marked rows, or of all."
    }
  }

  /// The words that may follow it.
  func completions(_ desk: Desk) -> [String] {
    let columns = desk.table?.arranged ?? []
    switch self {
    case .open: return Completion.layers.words(desk, [])
    case .column, .hide: return columns.filter { !$0.isHidden }.map(\.source.title)
    case .unhide: return columns.filter(\.isHidden).map(\.source.title)
    case .sort, .width: return columns.map(\.source.title)
    default: return []
    }
  }

  func run(_ words: [String], in desk: inout Desk) throws {
    switch self {
    case .open: break
    case .close: try desk.closeTable()
    case .leave: try desk.leaveTable()
    case .up: try desk.moveInTable(rows: -rows(words, desk), columns: 0)
    case .down: try desk.moveInTable(rows: rows(words, desk), columns: 0)
    case .left: try desk.moveInTable(rows: 0, columns: -(number(words) ?? 1))
    case .right: try desk.moveInTable(rows: 0, columns: number(words) ?? 1)
    case .first: try desk.goInTable(row: (number(words) ?? 1) - 1)
    case .last: try desk.goInTable(row: (number(words) ?? Self.most) - 1)
    case .start: try desk.goInTable(column: 0)
    case .end: try desk.goInTable(column: Self.most)
    case .cell:
      guard words.count == 2 else { throw EditingError(.usage, "table cell ROW COLUMN") }
      try desk.goInTable(
        row: (number([words[0]]) ?? 1) - 1, column: (number([words[1]]) ?? 1) - 1)
    case .column: try desk.goInTable(toColumn: words.joined(separator: " "))
    case .scroll: try desk.scrollTable(by: number(words) ?? 1)
    case .map: try desk.showRowOnMap()
    case .follow: try desk.followTable()
    case .edit: try desk.editCell()
    case .put:
      if words.isEmpty { throw EditingError(.usage, "table put VALUE: what to set") }
      try desk.putCells(words.map { [AttributeText($0)] })
    case .value: try desk.showValue()
    case .compute: try desk.computeColumn()
    case .next: try desk.stepFound(by: number(words) ?? 1)
    case .previous: try desk.stepFound(by: -(number(words) ?? 1))
    case .nextMarked: try desk.stepMarked(by: number(words) ?? 1)
    case .previousMarked: try desk.stepMarked(by: -(number(words) ?? 1))
    default: try arrange(words, in: &desk)
    }
  }

  /// Sorts, arranges columns and marks rows.
  private func arrange(_ words: [String], in desk: inout Desk) throws {
    switch self {
    case .sort:
      if words.first == "--at", words.count == 2 {
        try desk.goInTable(column: (number([words[1]]) ?? 1) - 1)
        return try desk.sortTable(by: nil)
      }
      let isAdded = words.first == "--add"
      let list = words.dropFirst(isAdded ? 1 : 0).joined(separator: ",")
      try desk.sortTable(by: list.isEmpty ? nil : list, isAdded: isAdded)
    case .reverse: try desk.reverseTable()
    case .unsort: try desk.sortTable(by: [])
    case .hide: try desk.hideColumns(words, true)
    case .unhide: try desk.hideColumns(words, false)
    case .width:
      guard let cells = try number(Array(words.prefix(1))) else {
        throw EditingError(.usage, "table width CELLS: how wide; 0 for that of the values")
      }
      try desk.setWidth(cells, of: Array(words.dropFirst()))
    case .wider: try desk.widenColumn(by: number(words) ?? 2)
    case .narrower: try desk.widenColumn(by: -(number(words) ?? 2))
    case .freeze: try desk.freezeColumns(number(words))
    case .shiftLeft: try desk.moveColumn(by: -(number(words) ?? 1))
    case .shiftRight: try desk.moveColumn(by: number(words) ?? 1)
    case .mark: try desk.mark(.add, number(words) ?? 1)
    case .unmark: try desk.mark(.remove, number(words) ?? 1)
    case .markFound: try desk.markFound()
    default:
      let isDown = words.first == "--down"
      let count = try number(Array(words.dropFirst(isDown ? 1 : 0))) ?? 1
      try desk.mark(.toggle, count, thenDown: isDown)
    }
  }

  /// Far beyond the rows of any layer, and far from where arithmetic ends.
  private static let most = 1 << 40

  /// A number after the action; `nil` without a word.
  private func number(_ words: [String]) throws -> Int? {
    guard let word = words.first else { return nil }
    guard words.count == 1, let number = Int(word) else {
      throw EditingError(
        .usage, "table \(rawValue) “\(words.joined(separator: " "))”: write a number")
    }
    return min(max(number, -Self.most), Self.most)
  }

  /// A number of rows: of lines, pages or half pages.
  private func rows(_ words: [String], _ desk: Desk) throws -> Int {
    let pages = ["page": 2, "half": 1]
    guard let halves = words.first.flatMap({ pages[$0] }) else { return try number(words) ?? 1 }
    let count = try min(number(Array(words.dropFirst())) ?? 1, 100_000)
    return max(1, desk.tablePage * halves / 2) * count
  }
}
