import PortolanTerminals

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

  /// Leaves out runs until the line fits; the required runs may still be longer.
  mutating func fit(_ columns: Int) {
    var excess = width - columns
    while excess > 0 {
      let ranks = runs.map(\.rank)
      guard let highest = ranks.max(), highest > 0 else { return }
      runs.removeAll { $0.rank == highest }
      excess = width - columns
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

/// Text cut to a width, with a sign at the cut.
enum CutText {
  /// A text where it has the room, else its short form, cut at the end if it has to be.
  static func end(_ text: String, short: String, columns: Int, signs: ScreenSigns) -> String {
    let isShort = DisplayWidth.of(text) > columns && !short.isEmpty
    return end(isShort ? short : text, columns: columns, signs: signs)
  }

  static func end(_ text: String, columns: Int, signs: ScreenSigns) -> String {
    if DisplayWidth.of(text) <= columns { return text }
    guard columns > 1 else { return columns == 1 ? signs.ellipsis : "" }
    return DisplayWidth.prefix(of: text, columns: columns - 1).text + signs.ellipsis
  }

  /// Cut in the middle, as suits the name of a file: its beginning and its ending tell it apart.
  static func middle(_ text: String, columns: Int, signs: ScreenSigns) -> String {
    if DisplayWidth.of(text) <= columns { return text }
    let tail = max(0, columns - 1) / 2
    let end = start(text, columns: tail + 1, signs: signs)
    let room = columns - DisplayWidth.of(end)
    return DisplayWidth.prefix(of: text, columns: max(0, room)).text + end
  }

  /// Cut at the front, as suits the path of a file.
  static func start(_ text: String, columns: Int, signs: ScreenSigns) -> String {
    if DisplayWidth.of(text) <= columns { return text }
    guard columns > 1 else { return columns == 1 ? signs.ellipsis : "" }
    var rest = Substring(text)
    while !rest.isEmpty && DisplayWidth.of(String(rest)) > columns - 1 { rest.removeFirst() }
    return signs.ellipsis + rest
  }
}
