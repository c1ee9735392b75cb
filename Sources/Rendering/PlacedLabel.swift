import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// A text with its place in the window.
struct PlacedLabel: Hashable {
  var text: String
  /// The text of spaced capitals without the blanks; `nil` for other texts.
  var capitals: String?
  /// Whether it names an area that is no wider than half the window.
  var isBright = false
  /// Whether it stands beside the area that it names.
  var isBeside = false
  var column: Int
  var row: Int
  var columns: Int
  var style: MarkStyle
  /// The index of its set among those that were placed, and the row of its feature in it.
  var set: Int
  var feature: Int
  /// The dot of its point; `nil` for labels of lines and areas.
  var dot: DotPosition?
  /// The cell of its point, if the point's sign is not in the picture.
  var sign: CellPosition?
  /// The cells beside it that are blanked, so that lines and dots do not run into the text.
  var halo: [CellPosition] = []

  struct CellPosition: Hashable {
    var column: Int
    var row: Int
  }

  struct DotPosition: Hashable {
    var x: Int
    var y: Int
  }

  /// Its columns without the blanks between spaced capitals.
  var letters: Int { capitals.map(DisplayWidth.of) ?? columns }

  /// The cells that it writes, by row.
  var cells: [(row: Int, columns: Range<Int>)] {
    let single = halo + [sign].compactMap { $0 }
    return [(row, column..<max(column, column + columns))]
      + single.map { ($0.row, $0.column..<($0.column + 1)) }
  }

  /// Writes the label over the map and keeps the backgrounds beneath; where they would hide it, it
  /// is black or white, and where one of them would hide each of these it stands on the colour of
  /// its class, or on the paper.
  func write(into frame: inout Frame, at rect: CellRect, style: CellStyle, ink: GroundInk) {
    guard column >= 0, row >= 0, column + columns <= rect.columns, row < rect.rows else { return }
    for cell in halo where cell.column >= 0 && cell.column < rect.columns {
      write(" ", 1, at: cell, style, ink, into: &frame, rect)
    }
    if let sign, sign.column >= 0, sign.column < rect.columns, sign.row >= 0, sign.row < rect.rows {
      write(self.style.symbol, 1, at: sign, style, ink, into: &frame, rect)
    }
    write(text, columns, at: CellPosition(column: column, row: row), style, ink, into: &frame, rect)
  }

  private func write(
    _ text: String, _ columns: Int, at cell: CellPosition, _ style: CellStyle, _ ink: GroundInk,
    into frame: inout Frame, _ rect: CellRect
  ) {
    let (column, row) = (rect.column + cell.column, rect.row + cell.row)
    let grounds = (0..<columns).map { frame[column + $0, row].style.background }
    frame.write(text, at: column, row: row, style: style, maxColumns: columns)
    if grounds.allSatisfy(\.isStandard) { return }
    let colour = ink.text(style.foreground, over: grounds)
    let own = colour == nil ? classGround(ink) : .standard
    let onOwn =
      ink.text(own.isStandard ? style.foreground : .standard, over: [own]) ?? style.foreground
    for (offset, ground) in grounds.enumerated() {
      frame[column + offset, row].style.background = colour == nil ? own : ground
      frame[column + offset, row].style.foreground = colour ?? onOwn
    }
  }

  /// The colour of the class of the area that it names, where the screen shows it; else the
  /// paper's.
  private func classGround(_ ink: GroundInk) -> TerminalColour {
    style.showsValue && !isBeside ? TerminalColour(ink.cells(style).fill) : .standard
  }
}
