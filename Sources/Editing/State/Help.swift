import PortolanTerminals
import PortolanTexts

/// The list of keys or commands as it is viewed.
package struct Help: Hashable, Sendable {
  package var title: String
  /// All lines.
  package var lines: [String]
  /// Only lines that contain this text are shown.
  package var filter = LineEditor()
  /// Whether headings stand over the lines: the filter keeps that of a line, and all lines under
  /// one that it finds.
  package var hasGroups = false
  /// Whether the filter is being typed.
  package var isFiltering = false
  /// The first line shown, among the filtered ones.
  package var top = 0
  /// The width of the names at the start of the lines; `nil` for lists of keys, where two blanks
  /// end a key.
  package var keyColumns: Int?

  package init(title: String, lines: [String], keyColumns: Int? = nil) {
    self.title = title
    self.lines = lines
    self.keyColumns = keyColumns
  }

  /// The lines that pass the filter, long ones broken at blanks; pages with names at the start of
  /// lines stay one row a line.
  func rows(columns: Int) -> [String] {
    keyColumns == nil ? shownLines.flatMap { Self.rows(of: $0, columns: columns) } : shownLines
  }

  /// A line as rows; later ones begin below the text after the key, if there is one.
  private static func rows(of line: String, columns: Int) -> [String] {
    guard columns > 8, line.utf8.count > columns, DisplayWidth.of(line) > columns else {
      return [line]
    }
    let indent = line.prefix { $0 == " " }
    var start = String(indent)
    var hang = indent.count
    var text = line.dropFirst(indent.count)
    if let gap = text.firstRange(of: "  ") {
      let key = text[..<gap.lowerBound]
      text = text[gap.upperBound...].drop { $0 == " " }
      let width = DisplayWidth.of(line) - DisplayWidth.of(String(text))
      let isNarrow = 2 * width <= columns
      start = isNarrow ? String(line.dropLast(text.count)) : indent + key + "  "
      hang = isNarrow ? width : indent.count + 4
    }
    var rows: [String] = []
    var row = start
    var isBegun = false
    for word in text.split(separator: " ") {
      let width = DisplayWidth.of(row) + DisplayWidth.of(String(word)) + (isBegun ? 1 : 0)
      if width > columns, isBegun || rows.isEmpty {
        rows.append(row)
        row = String(repeating: " ", count: hang)
        isBegun = false
      }
      row += (isBegun ? " " : "") + word
      isBegun = true
    }
    return rows + [row]
  }

  /// The lines that pass the filter.
  package var shownLines: [String] {
    let wanted = filter.text.lowercased()
    if wanted.isEmpty { return lines }
    if hasGroups { return groupedLines(with: wanted) }
    return lines.filter { $0.lowercased().contains(wanted) }
  }

  private func groupedLines(with wanted: String) -> [String] {
    var shown: [String] = []
    var heading: String?
    var isWhole = false
    for line in lines where !line.isEmpty {
      let isFound = line.lowercased().contains(wanted)
      if !line.contains("  ") {
        (heading, isWhole) = (line, isFound)
      } else if isFound || isWhole {
        if let heading { shown += (shown.isEmpty ? [] : [""]) + [heading] }
        heading = nil
        shown.append(line)
      }
    }
    return shown
  }
}
