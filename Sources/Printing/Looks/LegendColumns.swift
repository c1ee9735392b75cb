package import PortolanDocuments
package import PortolanTerminals

/// The places of a legend's lines: each column is filled from the top before the next one begins.
package enum LegendColumns {
  /// The rows of some lines in some columns.
  package static func rows(_ count: Int, columns: Int) -> Int {
    let columns = max(1, columns)
    return count / columns + (count % columns == 0 ? 0 : 1)
  }

  /// The most rows of a layer that stays whole whatever the others need: a heading and its classes.
  package static let wholeRows = 8

  /// The places of entries in columns beside each other: layers stay whole, unless that takes far
  /// more rows; a heading is never the last one of its column.
  package static func places(
    of entries: [LegendEntry], columns: Int
  ) -> (rows: Int, places: [(column: Int, row: Int)]) {
    let columns = max(1, columns)
    if let heading = entries.first, heading.isHeading, columns > 1,
      !entries.dropFirst().contains(where: \.beginsLayer)
    {
      // The classes of one layer, line by line below its name.
      let classes = (0..<entries.count - 1).map { ($0 % columns, 1 + $0 / columns) }
      return (1 + rows(classes.count, columns: columns), [(0, 0)] + classes)
    }
    let least = rows(entries.count, columns: columns)
    let starts = entries.indices.filter { $0 == 0 || entries[$0].beginsLayer }
    let layers = zip(starts, starts.dropFirst() + [entries.count]).map { $1 - $0 }
    let longest = layers.max() ?? 0
    let most = max(least + max(2, least / 2), longest <= wholeRows ? longest : 0)
    for rows in least..<most + 1 where least > 0 {
      var places: [(column: Int, row: Int)] = []
      var (column, row) = (0, 0)
      for count in layers {
        if row > 0, row + count > rows { (column, row) = (column + 1, 0) }
        places += (0..<count).map { (column, row + $0) }
        row += count
      }
      if places.allSatisfy({ $0.column < columns && $0.row < rows }) {
        return ((places.map(\.row).max() ?? 0) + 1, places)
      }
    }
    var places: [(column: Int, row: Int)] = []
    for rows in max(1, least)...max(1, 2 * least) {
      places = []
      var (column, row) = (0, 0)
      for entry in entries {
        if row >= rows || entry.isHeading && row == rows - 1 && rows > 1 {
          (column, row) = (column + 1, 0)
        }
        places.append((column, row))
        row += 1
      }
      if column < columns { break }
    }
    return ((places.map(\.row).max() ?? -1) + 1, places)
  }

  /// The places of lines in a list: below each other, or in two columns where that is too long.
  ///
  /// The lines below a heading then stand in two columns, those first of which the fewest would
  /// be cut, until all have room; a heading stands above both.
  ///
  /// - Parameters:
  ///   - areHeadings: whether each line is a heading.
  ///   - widths: the columns that each line needs.
  /// - Returns: one row for each line; empty ones for those without room.
  package static func places(
    _ areHeadings: [Bool], widths: [Int] = [], in list: CellRect
  ) -> [CellRect] {
    let count = areHeadings.count
    let runs = runs(areHeadings)
    let width = list.columns / 2
    /// The lines of a run that would be cut, and the columns of the longest one.
    func loss(_ run: Range<Int>) -> (cut: Int, columns: Int) {
      let needed = run.map { widths.indices.contains($0) ? widths[$0] : 0 }
      return (needed.count { $0 > width }, needed.max() ?? 0)
    }
    let pairable = runs.indices
      .filter { runs[$0].count > 1 && !areHeadings[runs[$0].lowerBound] }
      .map { (index: $0, loss: loss(runs[$0])) }
      .sorted {
        ($0.loss.cut, $0.loss.columns, $0.index) < ($1.loss.cut, $1.loss.columns, $1.index)
      }
      .map(\.index)
    var paired: Set<Int> = []
    var needed = count
    for index in pairable where needed > list.rows {
      paired.insert(index)
      needed -= runs[index].count / 2
    }
    if needed <= list.rows {
      var top = 0
      return runs.indices.flatMap { index -> [CellRect] in
        let run = runs[index]
        let rows = Self.rows(run.count, columns: paired.contains(index) ? 2 : 1)
        defer { top += rows }
        return (0..<run.count).map { line in
          row(
            top + line % rows, of: list, column: line / rows,
            width: paired.contains(index) ? width : list.columns)
        }
      }
    }
    let rows = min(rows(count, columns: 2), max(1, list.rows))
    return (0..<count).map { index in
      index / rows < 2
        ? row(index % rows, of: list, column: index / rows, width: width)
        : CellRect(column: list.column, row: list.row, columns: 0, rows: 0)
    }
  }

  /// The headings, and the lines between them.
  private static func runs(_ areHeadings: [Bool]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (index, isHeading) in areHeadings.enumerated() {
      if !isHeading, index > 0, !areHeadings[index - 1], let last = runs.popLast() {
        runs.append(last.lowerBound..<index + 1)
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  private static func row(
    _ row: Int, of list: CellRect, column: Int, width: Int
  ) -> CellRect {
    CellRect(
      column: list.column + column * width, row: list.row + row, columns: width,
      rows: row < list.rows ? 1 : 0)
  }
}

extension [LegendEntry] {
  /// Marks them as those of a layer: its name becomes its title, which may be short where it has no
  /// room.
  package mutating func belong(to layer: any Layer, _ names: ShortNames) {
    for index in indices {
      self[index].beginsLayer = index == 0
      if self[index].text == layer.name {
        self[index].text = names.title(of: layer)
        self[index].short = names.short(self[index].text)
        // Whoever gives a title says what its signs stand for.
        if !layer.title.isEmpty, !self[index].isCounted { self[index].note = "" }
      }
    }
  }

  /// Tells the marks of a dimension that are shown and all of them, unless all are shown.
  package mutating func tell(_ count: (shown: Int, all: Int)?, dimension: Int) {
    guard let count, count.shown < count.all,
      let first = firstIndex(where: { $0.dimension == dimension })
    else { return }
    self[first].shown = "\(Figures.grouped(count.shown)) of \(Figures.grouped(count.all))"
  }
}
