import PortolanTerminals
import PortolanTexts

/// A line made of runs of text in different looks, cut at its width.
///
/// When it is too long, the least important runs are left out first.
struct TextLine {
  /// A stretch of text in one look.
  struct Run {
    var text: String
    var style: CellStyle
    /// Runs of a higher number are left out first when room is short; 0 is never left out.
    var rank: Int
    /// What a click on it does.
    var link: Link?
  }

  /// The effect of a click on a run.
  enum Link: Hashable {
    /// The menu of a prefix.
    case menu(Key)
    /// A line of the command language.
    case line(String)
  }

  private(set) var runs: [Run] = []

  mutating func append(_ text: String, _ style: CellStyle, rank: Int = 0, link: Link? = nil) {
    if !text.isEmpty { runs.append(Run(text: text, style: style, rank: rank, link: link)) }
  }

  /// The link at a column of the line, counted from its first.
  func link(at column: Int) -> Link? {
    var end = 0
    for run in runs {
      end += DisplayWidth.of(run.text)
      if column < end { return column < 0 ? nil : run.link }
    }
    return nil
  }

  var width: Int { runs.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  /// Leaves out runs, the last of the highest rank first, until the line fits; the required runs
  /// may still be longer.
  mutating func fit(_ columns: Int) {
    var excess = width - columns
    while excess > 0, let highest = runs.map(\.rank).max(), highest > 0,
      let index = runs.lastIndex(where: { $0.rank == highest })
    {
      excess -= DisplayWidth.of(runs.remove(at: index).text)
    }
  }

  /// Writes the line from the left; returns the column after it.
  @discardableResult
  func write(to frame: inout Frame, in rect: CellRect) -> Int {
    var column = rect.column
    let end = rect.column + rect.columns
    for run in runs {
      column += frame.write(
        run.text, at: column, row: rect.row, style: run.style, maxColumns: end - column)
    }
    return column
  }

  /// Writes the line so that it ends at the right.
  func writeRight(to frame: inout Frame, in rect: CellRect) {
    let width = min(self.width, rect.columns)
    let start = rect.column + rect.columns - width
    write(to: &frame, in: CellRect(column: start, row: rect.row, columns: width, rows: 1))
  }
}
