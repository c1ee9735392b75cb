import PortolanTerminals

/// The chosen line of a list in a box over the map: which lines have room, and which a click meets.
package struct ListCursor: Sendable {
  /// The most columns of the box.
  private let columns: Int
  /// The rows of the box that hold no lines: its frame and its foot.
  private let otherRows: Int
  package private(set) var index = 0

  init(columns: Int, otherRows: Int) { (self.columns, self.otherRows) = (columns, otherRows) }

  mutating func move(by lines: Int, among count: Int) {
    index = min(max(0, index + lines), max(0, count - 1))
  }

  /// The box of some lines in an area.
  func rect(in area: CellRect, among count: Int) -> CellRect {
    OverlayBox.centred(
      columns: min(columns, area.columns), rows: min(count + otherRows, area.rows), in: area)
  }

  /// The lines that an area has room for.
  func room(in area: CellRect, among count: Int) -> Int {
    max(1, rect(in: area, among: count).rows - otherRows)
  }

  /// The first line shown in an area: the chosen one is in sight.
  func first(in area: CellRect, among count: Int) -> Int {
    let room = room(in: area, among: count)
    return max(0, min(index - room / 2, count - room))
  }

  /// Moves by the wheel, or to the line of a click.
  ///
  /// - Returns: whether the click is on the line that was chosen already.
  mutating func press(_ event: MouseEvent, in area: CellRect, among count: Int) -> Bool {
    if event.steps != 0 { move(by: event.steps * 3, among: count) }
    guard event.steps == 0, event.isClick else { return false }
    let inside = rect(in: area, among: count).inset(by: 1)
    let row = event.row - inside.row
    guard inside.contains(column: event.column, row: event.row),
      row < room(in: area, among: count)
    else { return false }
    let line = first(in: area, among: count) + row
    if line == index { return true }
    move(by: line - index, among: count)
    return false
  }
}
