package import PortolanTerminals

/// The areas of the parts of the screen, by the size of the terminal alone.
///
/// Four layouts: too small for anything, map and status only, one side bar, two side bars.
package struct ScreenLayout: Equatable, Sendable {
  /// The size class of the terminal.
  package enum Kind: Equatable, Sendable {
    /// Below 40x12: one line says so.
    case tooSmall
    /// Below 60x16: the map, the status line and the prompt.
    case bare
    /// Title, map, one side bar, status, hints.
    case standard
    /// The same with a side bar on either side.
    case wide
  }

  /// The requested side bars.
  package enum SideBars: Equatable, Sendable {
    case shown, hidden
  }

  package let kind: Kind
  package let title: CellRect
  package let map: CellRect
  /// Layers, legend, overview; and in the standard layout the selection. Empty when hidden.
  package let mainBar: CellRect
  /// The selection, messages: empty but in the wide layout.
  package let sideBar: CellRect
  package let status: CellRect
  /// Hints, messages or the prompt.
  package let hint: CellRect
  /// The columns of the lines between bars and map.
  package var rules: [Int] {
    let sides = [map.column - 1, map.column + map.columns]
    return map.isEmpty ? [] : sides.filter { (0..<status.columns).contains($0) }
  }

  package init(size: CellSize, sideBars: SideBars) {
    let columns = size.columns
    let rows = size.rows
    func line(_ row: Int) -> CellRect { CellRect(column: 0, row: row, columns: columns, rows: 1) }
    let none = CellRect(column: 0, row: 0, columns: 0, rows: 0)
    if columns < 40 || rows < 12 {
      self.init(
        .tooSmall, title: none, map: none, mainBar: none, sideBar: none, status: none,
        hint: columns > 0 && rows > 0 ? line(0) : none)
      return
    }
    if columns < 60 || rows < 16 {
      self.init(
        .bare, title: none, map: CellRect(column: 0, row: 0, columns: columns, rows: rows - 1),
        mainBar: none, sideBar: none, status: line(rows - 1), hint: line(rows - 1))
      return
    }
    let isWide = columns >= 150 && rows >= 36
    let height = rows - 3
    let left = isWide && sideBars == .shown ? 30 : 0
    let right = sideBars == .hidden ? 0 : Self.rightBarWidth(columns: columns, isWide: isWide)
    let mapColumn = left > 0 ? left + 1 : 0
    let mapEnd = right > 0 ? columns - right - 1 : columns
    let leftBar = CellRect(column: 0, row: 1, columns: left, rows: height)
    let rightBar = CellRect(column: columns - right, row: 1, columns: right, rows: height)
    self.init(
      isWide ? .wide : .standard, title: line(0),
      map: CellRect(column: mapColumn, row: 1, columns: mapEnd - mapColumn, rows: height),
      mainBar: isWide ? leftBar : rightBar, sideBar: isWide ? rightBar : none,
      status: line(rows - 2), hint: line(rows - 1))
  }

  private init(
    _ kind: Kind, title: CellRect, map: CellRect, mainBar: CellRect, sideBar: CellRect,
    status: CellRect, hint: CellRect
  ) {
    self.kind = kind
    self.title = title
    self.map = map
    self.mainBar = mainBar
    self.sideBar = sideBar
    self.status = status
    self.hint = hint
  }

  /// The width of the bar at the right; none where it would leave too little map.
  private static func rightBarWidth(columns: Int, isWide: Bool) -> Int {
    if isWide { return 34 }
    if columns >= 110 { return 28 }
    return columns >= 72 ? 22 : 0
  }
}
